import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// What becomes of a block of sound at the far side of a `PacedSpeaker`. Called by one thread at a time.
protocol AudioSink: Sendable {
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
/// Sound that is due when it comes is written by whoever brings it, and what is due later by the microphone's thread,
/// which is awake for each frame anyway (`tick`). The speaker's own thread wakes for what nobody wrote in time, and for
/// what must wait. When its sink fails, `speakerFailed` is posted once; the clock goes on, so that nobody waits for a
/// piece's end.
package final class PacedSpeaker: Speaker {
  private struct State {
    var queue = PlaybackQueue()
    /// The position at which the last sample handed over has played.
    var horizon = 0
    var writing = Writing.idle
    var hasFailed = false
    /// Where in the session's time, in samples, the alarm is set; nil if it is not.
    var alarm: Int?
  }

  /// Who deals with the sink.
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
  private let sink: any AudioSink
  private let thread: AudioThread
  private let alarm: Alarm

  private static let leadSamples = 30 * PCM.speakerRate / 1000
  /// A cue alone keeps closer to the clock: speech that begins beneath it would stay behind by the whole lead, for good.
  private static let cueSamples = 5 * PCM.speakerRate / 1000
  /// The thread looks so long before what was written is over, so that being late leaves no gap; and less is not written
  /// by itself.
  private static let leastSamples = 5 * PCM.speakerRate / 1000

  init(sink: any AudioSink, wiring: AudioWiring) throws(AudioError) {
    self.sink = sink
    self.wiring = wiring
    thread = try AudioThread()
    alarm = try Alarm()
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
    advance()
  }

  package func play(_ earcon: Earcon) {
    let samples = earcon.samples
    state.withLock { $0.queue.mix(samples) }
    advance()
  }

  package func stop() { thread.stop() }

  /// Write what is due, if something is left to be written and nobody is at it.
  func tick() {
    let isWanted = state.withLock { state in
      if case .idle = state.writing { state.alarm != nil } else { false }
    }
    if isWanted { advance() }
  }

  /// Write what is due, on the caller's thread; the speaker's thread sees to what is left.
  private func advance() {
    while true {
      switch nextStep() {
      case .write(let samples, let position): write(samples, at: position)
      case .writeRest: return thread.wake()
      case .wait, .leave: return
      }
    }
  }

  /// The speaker's thread.
  private func serve(on thread: AudioThread) {
    var isConnected = false
    while !thread.isStopped {
      switch nextStep() {
      case .write(let samples, let position): write(samples, at: position)
      case .writeRest:
        let failure = sink.writeRest(on: thread)
        state.withLock { $0.writing = .idle }
        if let failure { fail(failure) }
      case .wait, .leave:
        isConnected = isConnected || state.withLock { connect(&$0) }
        let waking = thread.wait(milliseconds: isConnected ? nil : 50, for: alarm.descriptor)
        if case .ready = waking {
          alarm.silence()
          state.withLock { $0.alarm = nil }
        }
      }
    }
    // A file behind the speaker is whole: what was taken out of the queue is in it.
    if case .rest = state.withLock({ $0.writing }), let failure = sink.writeRest(on: thread) { fail(failure) }
    if let failure = sink.close() { fail(failure) }
    state.withLock { $0.hasFailed = true }
  }

  private func connect(_ state: inout State) -> Bool {
    if case .idle = state.writing { return state.hasFailed || sink.connect() }
    return false
  }

  private func write(_ samples: [Int16], at position: Int) {
    wiring.played?(samples, position)
    let outcome = state.withLock { $0.hasFailed } ? .written : sink.write(samples, at: position)
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

  /// What is to be done now; whoever gets a step other than waiting does it. The alarm is set for what comes after.
  private func nextStep() -> Step {
    state.withLock { state in
      let step = next(&state)
      if case .wait(let position) = step, position != state.alarm {
        state.alarm = position
        let samples = position.map { $0 - wiring.position(atRate: PCM.speakerRate) }
        alarm.set(microseconds: samples.map { $0 * 1_000_000 / PCM.speakerRate + 1 })
      }
      return step
    }
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
}
