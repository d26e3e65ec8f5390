package import VoiceCore

/// What becomes of a block of sound at the far side of a `PacedSpeaker`. Called by the speaker's thread only.
protocol SpeakerOutlet: Sendable {
  /// Get ready before there is sound, as far as that is possible without waiting; the result tells whether it is.
  func connect() -> Bool
  /// Get rid of a block; `position` counts samples at 24 kHz since the session started. May wait on `thread`.
  /// The result is a reason if no sound can ever be written again.
  func write(_ samples: [Int16], at position: Int, on thread: AudioThread) -> String?
  /// No block comes any more. The result is a reason if something was lost.
  func close() -> String?
}

/// A speaker without a sound card: hands sound on in step with the clock, at most 30 ms ahead of it, so that its events
/// are as true as a device's and a cleared queue is silent at once.
///
/// When its outlet fails, `speakerFailed` is posted once; the clock goes on, so that nobody waits for a piece's end.
package final class PacedSpeaker: Speaker {
  private struct State {
    var queue = PlaybackQueue()
    /// The position at which the last sample handed over has played.
    var horizon = 0
  }

  private enum Step {
    case write([Int16], position: Int)
    case wait(milliseconds: Int?)
  }

  private let state = Locked(State())
  private let wiring: AudioWiring
  private let outlet: any SpeakerOutlet
  private let thread: AudioThread

  private static let blockSamples = 20 * PCM.speakerRate / 1000
  private static let leadSamples = 30 * PCM.speakerRate / 1000
  /// A cue alone keeps closer to the clock: speech that begins beneath it would stay behind by the whole lead, for good.
  private static let cueSamples = 5 * PCM.speakerRate / 1000

  init(outlet: any SpeakerOutlet, wiring: AudioWiring) throws(AudioError) {
    self.outlet = outlet
    self.wiring = wiring
    thread = try AudioThread()
    thread.start { [state, wiring, outlet] thread in
      Self.pump(state: state, wiring: wiring, outlet: outlet, thread: thread)
    }
  }

  package func play(_ audio: SpeechAudio, of speech: SpeechID) {
    state.withLock { $0.queue.append(audio.samples, of: speech) }
    thread.ring()
  }

  package func finishPlaying(_ speech: SpeechID) {
    state.withLock { $0.queue.finish(speech) }
    thread.ring()
  }

  package func clearPlayback() {
    state.withLock { state in
      // Posted under the lock: marks of the thread can then not overtake.
      for event in state.queue.clear(out: state.queue.handed) { wiring.post(event) }
    }
  }

  package func duckPlayback() { state.withLock { $0.queue.lower() } }

  package func resumePlayback() {
    state.withLock { $0.queue.restore() }
    thread.ring()
  }

  package func play(_ earcon: Earcon) {
    let samples = earcon.samples
    state.withLock { $0.queue.mix(samples) }
    thread.ring()
  }

  package func stop() { thread.stop() }

  private static func pump(
    state: Locked<State>, wiring: AudioWiring, outlet: any SpeakerOutlet, thread: AudioThread
  ) {
    var failure: String?
    var isConnected = false
    func fail(_ reason: String?) {
      guard failure == nil, let reason else { return }
      failure = reason
      wiring.post(.speakerFailed(reason: reason))
    }
    while !thread.isStopped {
      switch state.withLock({ next(&$0, wiring) }) {
      case .write(let samples, let position):
        wiring.played?(samples, position)
        if failure == nil { fail(outlet.write(samples, at: position, on: thread)) }
      case .wait(let milliseconds):
        isConnected = isConnected || failure != nil || outlet.connect()
        _ = thread.wait(milliseconds: isConnected ? milliseconds : min(milliseconds ?? 50, 50))
      }
    }
    fail(outlet.close())
  }

  private static func next(_ state: inout State, _ wiring: AudioWiring) -> Step {
    let now = wiring.position(atRate: PCM.speakerRate)
    let ahead = max(0, state.horizon - now)
    for event in state.queue.progress(out: state.queue.handed, played: state.queue.handed - ahead) {
      wiring.post(event)
    }
    if state.queue.hasSound {
      let isSpeech = state.queue.hasSpeech
      let blockSamples = isSpeech ? blockSamples : cueSamples
      let early = ahead + blockSamples - (isSpeech ? leadSamples : cueSamples)
      if early > 0 { return .wait(milliseconds: milliseconds(early)) }
      let position = max(state.horizon, now)
      let samples = state.queue.take(blockSamples)
      state.horizon = position + samples.count
      return .write(samples, position: position)
    }
    return .wait(milliseconds: state.queue.isWaiting && ahead > 0 ? milliseconds(ahead) : nil)
  }

  private static func milliseconds(_ samples: Int) -> Int { (samples * 1000 + PCM.speakerRate - 1) / PCM.speakerRate }
}
