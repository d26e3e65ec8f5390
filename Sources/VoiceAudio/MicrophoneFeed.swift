import VoiceSound
import VoiceVocabulary

/// Numbers frames, watches them for speech if asked, records them and posts them. Used by one microphone's thread.
struct MicrophoneFeed {
  private let wiring: AudioWiring
  private var vad: LocalVAD?
  private var positions: FramePositions
  private var level: LevelEndpointer
  private var mute = MuteWatch()
  private var clipping = ClipWatch()
  /// Whether somebody speaks, as the latest change of a detector that was posted says.
  private var isVoiceActive = false

  /// Positions go on from the session's present moment, so that recordings of both sides lie side by side.
  init(wiring: AudioWiring, vad: LocalVAD?) {
    self.wiring = wiring
    self.vad = vad
    level = LevelEndpointer(silenceMilliseconds: wiring.silenceMilliseconds)
    positions = FramePositions(now: wiring.position(atRate: PCM.microphoneRate))
  }

  /// Post one frame; a short one, the last of a recording, is filled up with silence. `waiting` tells how many samples
  /// came behind it and were not delivered yet.
  mutating func deliver(_ samples: [Int16], waiting: () -> Int = { 0 }) {
    let missing = PCM.frameSamples - samples.count
    precondition(missing >= 0, "a microphone frame of \(samples.count) samples")
    let frame = MicrophoneFrame(
      position: positions.take(now: wiring.position(atRate: PCM.microphoneRate), waiting: waiting),
      samples: missing > 0 ? samples + [Int16](repeating: 0, count: missing) : samples)
    wiring.heard?(frame)
    wiring.post(.microphoneFrame(frame: frame))
    if let level = level.hear(frame.samples) { wiring.post(.soundLevelChanged(level: level)) }
    for change in vad?.hear(frame.samples) ?? [] { post(change) }
    wiring.tick?()
  }

  /// Whether the next frame would lie well after the present moment.
  var isAhead: Bool { positions.isAhead(of: wiring.position(atRate: PCM.microphoneRate)) }

  /// Sound was lost: the next frame's position shows it.
  mutating func skip(_ samples: Int) {
    positions.skip(samples, now: wiring.position(atRate: PCM.microphoneRate))
  }

  /// See whether the device of this name gives anything at all, and not too much; what it gives, at its own rate.
  mutating func watch(_ samples: some Collection<Int16>, rate: Int, of name: String) {
    if let isMuted = mute.hear(samples, rate: rate) { wiring.post(.muteChanged(name: name, isMuted: isMuted)) }
    if clipping.hear(samples, rate: rate) { wiring.post(.microphoneClips(name: name)) }
  }

  /// The device is gone, and with it whoever spoke into it.
  mutating func endVoice() {
    if isVoiceActive { post(.ended) }
    if level.level != .silence { wiring.post(.soundLevelChanged(level: .silence)) }
    level = LevelEndpointer(silenceMilliseconds: wiring.silenceMilliseconds)
  }

  /// Post what came of a block.
  mutating func post(_ block: CaptureProcessor.Block) {
    if block.isBeginningLost { wiring.post(.beginningLost) }
    for change in block.changes { post(change) }
  }

  /// Post what a detector decided.
  mutating func post(_ change: LocalVAD.Change) {
    isVoiceActive = change != .ended
    switch change {
    case .started: wiring.post(.voiceStarted(detector: .vad))
    case .paused: wiring.post(.voicePaused(detector: .vad))
    case .ended: wiring.post(.voiceEnded(detector: .vad))
    }
  }

  /// Go on with frames of silence at real pace until the thread is told to stop: a server hears the end of an utterance
  /// only in the silence after it.
  mutating func deliverSilence(on thread: AudioThread, from start: SessionTime) {
    let silence = [Int16](repeating: 0, count: PCM.frameSamples)
    var pace = FramePace(start: start, speed: 1)
    while pace.waitForNext(on: thread, now: wiring.now) { deliver(silence) }
  }
}

/// When frames are due, on an absolute clock: lateness of one frame never moves the others.
struct FramePace {
  private var due: SessionTime
  private let stepMicroseconds: Int64

  /// After the machine slept there is nothing to make up for.
  private static let makesUpMicroseconds: Int64 = 1_000_000

  /// The first frame is due one frame's length after the start, when a device would have it.
  init(start: SessionTime, speed: Int) {
    due = start
    stepMicroseconds = Int64(PCM.frameMilliseconds * 1000 / speed)
  }

  /// Nil if the next frame is due, and counts as delivered now; or else when it will be.
  mutating func take(at moment: SessionTime) -> SessionTime? {
    let next = SessionTime(microseconds: due.microseconds + stepMicroseconds)
    guard moment >= next else { return next }
    due = moment.microseconds - next.microseconds > Self.makesUpMicroseconds ? moment : next
    return nil
  }

  /// Wait until the next frame is due; false if the thread is to return.
  mutating func waitForNext(on thread: AudioThread, now: () -> SessionTime) -> Bool {
    while let moment = take(at: now()) {
      guard thread.wait(until: moment, on: now) else { return false }
    }
    return !thread.isStopped
  }
}
