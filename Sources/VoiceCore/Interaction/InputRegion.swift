import VoiceLanguage
package import VoiceVocabulary

/// Whether anything more can come from the user.
package struct InputRegion: Equatable, Sendable {
  /// Whether more can come from the microphone.
  package enum Microphone: Equatable, Sendable {
    /// Exits: `present` (started), and those of `present`.
    case notStarted
    /// Exits: `lost`, `ended`, `failed`.
    case present
    /// The device is away and being opened again. Exits: `present`, `failed`.
    case lost
    /// The recording is over; the session ends once everything was answered. No exits.
    case ended
    /// The session ends, as failed, once everything was answered. No exits.
    case failed(reason: String)
  }

  /// Whether somebody can still decide on held items.
  private enum Commands: Equatable, Sendable {
    /// Exits: `ended` (standard input is over).
    case accepted
    /// No exits.
    case ended
  }

  /// Whether what the microphone hears goes out.
  private enum Listening: Equatable, Sendable {
    /// Exits: `closed`.
    case open
    /// Silence goes out, this many frames of it yet, so that a server hears the end of what was said. Exits: `open`.
    case closed(closingFrames: Int)
  }

  package private(set) var microphone: Microphone = .notStarted
  private var commands: Commands
  private var listening: Listening
  /// How loud it is at the microphone.
  package private(set) var soundLevel = SoundLevel.silence
  /// Whether something was heard that was not answered yet.
  package private(set) var awaitsAnswer = false
  /// What was said and came to nothing, the newest last.
  private var losses: [Loss] = []
  /// Why the session has not done all that was said to it; nil if it has.
  package var lostSpeech: String? { losses.last?.reason }
  /// The position of the newest frame.
  package private(set) var lastPosition = -1

  private struct Loss: Equatable, Sendable {
    let reason: String
    /// Empty if none are known.
    let words: [String]
  }

  package init(takesCommands: Bool, isListening: Bool = true) {
    commands = takesCommands ? .accepted : .ended
    listening = isListening ? .open : .closed(closingFrames: 0)
  }

  /// Whether somebody can still decide on held items.
  package var takesCommands: Bool { commands == .accepted }

  /// Whether the microphone is open. If not, nothing of what it hears goes out.
  package var isListening: Bool { listening == .open }

  /// Whether something is heard just now.
  package var hearsSound: Bool { isListening && soundLevel == .sound }

  /// Whether sound comes from the microphone, or will once it is started.
  package var isPresent: Bool { microphone == .present || microphone == .notStarted }

  /// Whether something is heard, or may be again.
  package var canReturn: Bool { isPresent || microphone == .lost }

  /// The microphone is to be started. Returns whether it was not yet.
  package mutating func start() -> Bool {
    guard microphone == .notStarted else { return false }
    microphone = .present
    return true
  }

  /// Nobody can decide on held items any more.
  package mutating func commandsEnded() { commands = .ended }

  /// It became louder or quieter. Returns whether something is or was heard at the open microphone.
  package mutating func soundLevelChanged(to level: SoundLevel) -> Bool {
    let wasHeard = hearsSound
    soundLevel = level
    return wasHeard || hearsSound
  }

  /// Something was heard that waits for an answer.
  package mutating func expectAnswer() { awaitsAnswer = true }

  /// Nothing that was heard waits for an answer any more.
  package mutating func answered() { awaitsAnswer = false }

  /// Something that was said came to nothing, for this reason.
  package mutating func speechLost(_ reason: String, words: String = "") {
    losses.append(Loss(reason: reason, words: SpokenWords(words).words))
    losses.removeFirst(max(0, losses.count - Limits.rememberedLosses))
  }

  /// This was taken; it may be what had come to nothing, said again.
  package mutating func taken(_ text: String) {
    let words = SpokenWords(text).words
    losses.removeAll { !words.isEmpty && $0.words == words }
  }

  /// A frame came. Returns how many samples are missing before it.
  package mutating func received(_ frame: MicrophoneFrame) -> Int {
    precondition(frame.position > lastPosition, "microphone positions must increase")
    defer { lastPosition = frame.position }
    return lastPosition < 0 ? 0 : max(0, frame.position - lastPosition - PCM.frameSamples)
  }

  /// The recording is over. A microphone that has failed stays so.
  package mutating func microphoneEnded() { if isPresent { microphone = .ended } }

  /// The microphone failed; after its end that changes nothing.
  package mutating func microphoneFailed(reason: String) {
    if canReturn { microphone = .failed(reason: reason) }
  }

  /// The microphone's device is away. Returns whether that is new.
  package mutating func microphoneLost() -> Bool {
    guard isPresent else { return false }
    microphone = .lost
    return true
  }

  /// The microphone's device works again. Returns whether it was away.
  package mutating func microphoneReturned() -> Bool {
    guard microphone == .lost else { return false }
    microphone = .present
    return true
  }

  /// The user opened the microphone.
  package mutating func open() { listening = .open }

  /// The user closed the microphone.
  /// - Parameter milliseconds: how long a server has to hear silence to know that he is done.
  package mutating func close(silentFor milliseconds: Int) {
    listening = .closed(closingFrames: milliseconds / PCM.frameMilliseconds)
  }

  /// Whether one more frame of silence goes out.
  package mutating func takeClosingFrame() -> Bool {
    guard case .closed(let frames) = listening, frames > 0 else { return false }
    listening = .closed(closingFrames: frames - 1)
    return true
  }
}

extension InputRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch microphone {
    case .present: digest.fold(0)
    case .lost: digest.fold(2)
    case .ended: digest.fold(1)
    case .notStarted: digest.fold(3)
    case .failed(let reason): digest.fold(4, reason)
    }
    switch listening {
    case .open: digest.fold(-1)
    case .closed(let frames): digest.fold(frames)
    }
    digest.fold(takesCommands, awaitsAnswer, lastPosition, lostSpeech, soundLevel.rawValue)
  }
}
