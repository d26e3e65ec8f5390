package import VoiceCore

/// What becomes of a block of sound at the far side of a `PacedSpeaker`. Called by one thread at a time.
protocol SpeakerOutlet: Sendable {
  /// Get ready before there is sound, as far as that is possible without waiting; the result tells whether it is.
  func connect() -> Bool
  /// Get rid of a block as far as that goes without waiting; `position` counts samples at 24 kHz since the session
  /// started.
  func write(_ samples: [Int16], at position: Int) -> WriteOutcome
  /// Get rid of what a write left, waiting on `thread`, which is the caller's. The result is a reason if no sound can
  /// ever be written again.
  func writeRest(on thread: AudioThread) -> String?
  /// No block comes any more. The result is a reason if something was lost.
  func close() -> String?
}

/// What became of a block.
enum WriteOutcome {
  case written
  /// `writeRest` is to be called.
  case left
  /// No sound can ever be written again.
  case failed(reason: String)
}

/// A speaker without a sound card: hands sound on in step with the clock, at most 30 ms ahead of it, so that its events
/// are as true as a device's and a cleared queue is silent at once.
///
/// Sound that is due when it comes is written by whoever brings it; the speaker's own thread is woken only for what is
/// due later and for what must wait. When its outlet fails, `speakerFailed` is posted once; the clock goes on, so that
/// nobody waits for a piece's end.
package final class PacedSpeaker: Speaker {
  private struct State {
    var queue = PlaybackQueue()
    /// The position at which the last sample handed over has played.
    var horizon = 0
    var writing = Writing.idle
    var hasFailed = false
    /// Where in the session's time, in samples, the speaker's thread will look by itself; the least while it works.
    var nextLook = Int.min
  }

  /// Who deals with the outlet.
  private enum Writing {
    case idle
    /// Some thread writes a block; it goes on with the next by itself.
    case block
    /// The speaker's thread is to write what is left of a block.
    case rest
  }

  private enum Step {
    case write([Int16], position: Int)
    case writeRest
    /// Nothing to be done before this position of the session's time, or before something new comes.
    case wait(until: Int?)
    /// Another thread is writing, and will go on.
    case leave
  }

  private let state = Locked(State())
  private let wiring: AudioWiring
  private let outlet: any SpeakerOutlet
  private let thread: AudioThread

  /// How long the thread leaves another one alone that is writing.
  private static let patienceSamples = 20 * PCM.speakerRate / 1000
  private static let leadSamples = 30 * PCM.speakerRate / 1000
  /// A cue alone keeps closer to the clock: speech that begins beneath it would stay behind by the whole lead, for good.
  private static let cueSamples = 5 * PCM.speakerRate / 1000
  /// The thread looks so long before what was written is over, so that being late leaves no gap; and less is not written
  /// by itself.
  private static let leastSamples = 5 * PCM.speakerRate / 1000

  init(outlet: any SpeakerOutlet, wiring: AudioWiring) throws(AudioError) {
    self.outlet = outlet
    self.wiring = wiring
    thread = try AudioThread()
    thread.start { [self] thread in serve(on: thread) }
  }

  package func play(_ audio: SpeechAudio, of speech: SpeechID) {
    state.withLock { $0.queue.append(audio.samples, of: speech) }
    advance()
  }

  package func finishPlaying(_ speech: SpeechID) {
    state.withLock { $0.queue.finish(speech) }
    advance()
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
    advance()
  }

  package func stop() { thread.stop() }

  /// Write what is due, on the caller's thread; wake the speaker's thread if something is left for it.
  private func advance() {
    while true {
      switch state.withLock({ next(&$0) }) {
      case .write(let samples, let position): write(samples, at: position)
      case .writeRest: return thread.ring()
      case .leave: return
      case .wait(let position):
        let isLate = state.withLock { state in
          guard let position, position < state.nextLook else { return false }
          state.nextLook = position
          return true
        }
        if isLate { thread.ring() }
        return
      }
    }
  }

  /// The speaker's thread.
  private func serve(on thread: AudioThread) {
    var isConnected = false
    while !thread.isStopped {
      let step = state.withLock { state in
        let step = next(&state)
        state.nextLook =
          switch step {
          case .wait(let position): position ?? Int.max
          case .leave: wiring.position(atRate: PCM.speakerRate) + Self.patienceSamples
          case .write, .writeRest: Int.min
          }
        return step
      }
      switch step {
      case .write(let samples, let position): write(samples, at: position)
      case .writeRest:
        let failure = outlet.writeRest(on: thread)
        state.withLock { $0.writing = .idle }
        if let failure { fail(failure) }
      case .leave: _ = thread.wait(milliseconds: Self.milliseconds(Self.patienceSamples))
      case .wait(let position):
        isConnected = isConnected || state.withLock { connect(&$0) }
        let milliseconds = position.map { Self.milliseconds($0 - wiring.position(atRate: PCM.speakerRate)) }
        _ = thread.wait(milliseconds: isConnected ? milliseconds : min(milliseconds ?? 50, 50))
      }
    }
    // A file behind the speaker is whole: what was taken out of the queue is in it.
    if case .rest = state.withLock({ $0.writing }), let failure = outlet.writeRest(on: thread) { fail(failure) }
    if let failure = outlet.close() { fail(failure) }
    state.withLock { $0.hasFailed = true }
  }

  private func connect(_ state: inout State) -> Bool {
    if case .idle = state.writing { return state.hasFailed || outlet.connect() }
    return false
  }

  private func write(_ samples: [Int16], at position: Int) {
    wiring.played?(samples, position)
    let outcome = state.withLock { $0.hasFailed } ? .written : outlet.write(samples, at: position)
    state.withLock { state in
      if case .left = outcome { state.writing = .rest } else { state.writing = .idle }
    }
    if case .failed(let reason) = outcome { fail(reason) }
  }

  private func fail(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst { wiring.post(.speakerFailed(reason: reason)) }
  }

  private func next(_ state: inout State) -> Step {
    switch state.writing {
    case .idle: break
    case .block: return .leave
    case .rest: return .writeRest
    }
    let now = wiring.position(atRate: PCM.speakerRate)
    let ahead = max(0, state.horizon - now)
    // Under the lock, so that marks keep their order; the session does not take a step in here.
    for event in state.queue.progress(out: state.queue.handed, played: state.queue.handed - ahead) {
      wiring.post(event)
    }
    if state.queue.hasSound {
      let isSpeech = state.queue.hasSpeech
      let room = (isSpeech ? Self.leadSamples : Self.cueSamples) - ahead
      // Sound that comes in step is written as it comes, however far ahead it is: only what nothing follows in time is
      // worth waking the thread for.
      if room < Self.leastSamples { return .wait(until: now + ahead - (isSpeech ? Self.leastSamples : 0)) }
      let position = max(state.horizon, now)
      let samples = state.queue.take(room)
      state.horizon = position + samples.count
      state.writing = .block
      return .write(samples, position: position)
    }
    return .wait(until: state.queue.isWaiting && ahead > 0 ? now + ahead : nil)
  }

  private static func milliseconds(_ samples: Int) -> Int { (samples * 1000 + PCM.speakerRate - 1) / PCM.speakerRate }
}
