package import VoiceVocabulary

/// Whether anything more can come from the user.
package struct InputRegion: Equatable, Sendable {
  /// Whether more can come from the microphone.
  package enum Microphone: Equatable, Sendable {
    /// Exits: `lost`, `ended`, `failed`.
    case present
    /// The device is away and being opened again. Exits: `present`, `failed`.
    case lost
    /// The recording is over; the session ends once everything was answered. No exits.
    case ended
    /// The session ends, as failed, once everything was answered. No exits.
    case failed(reason: String)
  }

  package private(set) var microphone: Microphone = .present
  /// Whether the microphone was started.
  private var isStarted = false
  /// Whether somebody can still decide on held items.
  package private(set) var takesCommands: Bool
  /// Whether the microphone is open. If not, nothing of what it hears goes out.
  package private(set) var isListening: Bool
  /// Frames of silence that still go out after the microphone was closed, so that a server hears the end of what was said.
  private var closingFrames = 0
  /// Whether the detector at the microphone hears the user.
  package private(set) var isVoiceActive = false
  /// When the detector at the microphone last told that the user begins or ends; nil if it never did beside a loudspeaker.
  package private(set) var vadHeardAt: SessionTime?
  /// Whether the user is heard while the program speaks; nil where nothing but the user can be heard, as in a recording.
  package private(set) var duplex: Duplex?
  private var toldDuplex: Set<Duplex> = []
  /// Until when it counts as unknown how the echo comes back, though it is known again; nil if it never was unknown.
  private var echoDoubtedUntil: SessionTime?
  private var hasLostEcho = false
  /// How loud it is at the microphone.
  package private(set) var soundLevel = SoundLevel.silence
  /// Whether something is heard just now.
  package var hearsSound: Bool { isListening && soundLevel == .sound }
  /// Whether something was heard that was not answered yet.
  package private(set) var awaitsAnswer = false
  /// Why the session has not done all that was said to it; nil if it has.
  package private(set) var lostSpeech: String?
  /// The position of the newest frame.
  package private(set) var lastPosition = -1

  package init(takesCommands: Bool, isListening: Bool = true) {
    self.takesCommands = takesCommands
    self.isListening = isListening
  }

  /// The microphone is to be started. Returns whether it was not yet.
  package mutating func start() -> Bool {
    defer { isStarted = true }
    return !isStarted
  }

  /// Nobody can decide on held items any more.
  package mutating func commandsEnded() { takesCommands = false }

  /// It became louder or quieter. Returns whether something is or was heard at the open microphone.
  package mutating func soundLevelChanged(to level: SoundLevel) -> Bool {
    let wasHeard = hearsSound
    soundLevel = level
    return wasHeard || hearsSound
  }

  /// Something was heard that wants an answer.
  package mutating func heard() { awaitsAnswer = true }

  /// Nothing that was heard waits for an answer any more.
  package mutating func answered() { awaitsAnswer = false }

  /// Something that was said came to nothing, for this reason.
  package mutating func lost(_ reason: String) { lostSpeech = reason }

  /// A frame came. Returns how many samples are missing before it.
  package mutating func received(_ frame: MicrophoneFrame) -> Int {
    precondition(frame.position > lastPosition, "microphone positions must increase")
    defer { lastPosition = frame.position }
    return lastPosition < 0 ? 0 : max(0, frame.position - lastPosition - PCM.frameSamples)
  }

  /// The recording is over. A microphone that has failed stays so.
  package mutating func microphoneEnded() { if microphone == .present { microphone = .ended } }

  /// The microphone failed: what comes after its end says so too late.
  package mutating func microphoneFailed(reason: String) {
    if canReturn { microphone = .failed(reason: reason) }
  }

  /// The microphone's device is away. Returns whether that is new.
  package mutating func microphoneLost() -> Bool {
    guard microphone == .present else { return false }
    microphone = .lost
    return true
  }

  /// The microphone's device works again. Returns whether it was away.
  package mutating func microphoneReturned() -> Bool {
    guard microphone == .lost else { return false }
    microphone = .present
    return true
  }

  /// Whether something is heard, or may be again.
  package var canReturn: Bool { microphone == .present || microphone == .lost }

  /// Returns whether the user is to be told: the first time, of each.
  package mutating func duplexChanged(_ duplex: Duplex, at now: SessionTime) -> Bool {
    if duplex == .unknown, self.duplex != nil, self.duplex != .unknown { hasLostEcho = true }
    if self.duplex == .unknown {
      echoDoubtedUntil = now.advanced(byMilliseconds: hasLostEcho ? Limits.echoSteadyMilliseconds : 0)
    }
    self.duplex = duplex
    // To the user both are half.
    return toldDuplex.insert(duplex == .unknown ? .half : duplex).inserted
  }

  /// Whether it is unknown how the echo comes back, or was at some time since this moment, or the echo was lost not long before: a
  /// sound server that has skipped skips again.
  package func isEchoUnknown(since moment: SessionTime) -> Bool {
    duplex == .unknown || echoDoubtedUntil.map { $0 > moment } ?? false
  }

  /// The detector at the microphone heard the user, or heard him end.
  package mutating func vadDecided(isActive: Bool, at now: SessionTime) {
    isVoiceActive = isActive
    if duplex != nil { vadHeardAt = now }
  }

  /// The program begins to speak: what the detector told before was about another utterance.
  package mutating func forgetVAD() { vadHeardAt = nil }

  /// Whether it was measured at the microphone that somebody near spoke just now.
  package func wasUserMeasured(at now: SessionTime) -> Bool {
    isVoiceActive
      || vadHeardAt.map { $0.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) > now } ?? false
  }

  /// The user opened the microphone.
  package mutating func open() {
    isListening = true
    closingFrames = 0
  }

  /// The user closed the microphone.
  /// - Parameter endsBySilence: whether a server has to hear that he is done.
  package mutating func close(endsBySilence: Bool) {
    isListening = false
    closingFrames = endsBySilence ? Limits.closingSilenceMilliseconds / PCM.frameMilliseconds : 0
  }

  /// Whether one more frame of silence goes out.
  package mutating func takeClosingFrame() -> Bool {
    guard closingFrames > 0 else { return false }
    closingFrames -= 1
    return true
  }
}

extension InputRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch microphone {
    case .present: digest.fold(0)
    case .lost: digest.fold(2)
    case .ended: digest.fold(1)
    case .failed(let reason): digest.fold(reason)
    }
    digest.fold(takesCommands, isListening, isVoiceActive, awaitsAnswer, lastPosition)
    if let lostSpeech { digest.fold(lostSpeech) }
    if soundLevel != .silence { digest.fold(soundLevel.rawValue) }
    if closingFrames > 0 { digest.fold(closingFrames) }
    // Where it is not known, nothing follows from it; so sessions without devices keep their digests.
    guard let duplex else { return }
    digest.fold(duplex.rawValue, toldDuplex.contains(.half), toldDuplex.contains(.full))
    if toldDuplex.contains(.drowned) { digest.fold(true) }
    if let echoDoubtedUntil { digest.fold(echoDoubtedUntil) }
    if hasLostEcho { digest.fold(true) }
    digest.fold(vadHeardAt ?? .zero)
  }
}
