import VoiceLanguage
import VoiceLive
import VoiceVocabulary

/// What a conversation of the local live model wants done.
enum LocalAction: Equatable, Sendable {
  case send(GeminiServerMessage)
  /// Tell the client that it may begin; where the server was told to, once the engines are ready.
  case completeSetup
  /// Understand this sound; `take(_:of:)` answers.
  case recognise(piece: Int, samples: [Int16], purpose: SpeechEngineMessage.Purpose)
  /// The user went on after it: the text of this piece is not wanted any more.
  case cancelRecognition(piece: Int)
  /// Speak this text; `take(_:of:)` answers.
  case synthesise(speech: Int, text: String)
  case cancelSynthesis(speech: Int)
  /// Say that the session can be resumed from here; the server makes the handle.
  case offerResumption(isPossible: Bool)
  /// Something failed that the protocol has no words for.
  case report(problem: String)
  case close(code: Int, reason: String)
}

/// The listener's side of one connection: sound in, transcripts and tool calls out. Pure but for the detector's memory.
///
/// It has no model that could think. What the user said becomes the instruction word for word, except for a few
/// phrases that mean "stop".
struct LocalListener {
  /// A stretch of speech on its way to text: one or, when it was long, several pieces.
  private struct Utterance {
    enum Phase { case speaking, paused, ended }

    var phase = Phase.speaking
    /// While paused, the last one is taken back if the user goes on.
    var pieces: [(number: Int, heard: HeardSpeech?)] = []
    var failure: String?

    /// What was said before this pause, once it is known.
    var heardBeforePause: HeardSpeech? {
      guard phase == .paused, let heard = pieces.last?.heard, !heard.text.isEmpty else { return nil }
      return heard
    }
  }

  private let tools: Set<String>
  private let transcribesInput: Bool
  private let pauses: PauseRule
  /// Finds the user's turns; nil where the client marks them. Changed in place, like `marked`: it holds up to 0.9 MB of sound,
  /// which is not to be copied with every frame.
  private(set) var endpointer: Endpointer?
  /// The sound of the turn that the client has marked as open; nil while none is.
  private(set) var marked: [Int16]?
  private var utterances: [Utterance] = []
  private var lastPiece = 0
  private var lastCall = 0
  private var openCalls: Set<String> = []
  /// Nil where nobody looks at it.
  private var interim: InterimTranscript?
  /// Distinguishes the calls of this connection from those of any other.
  private let callPrefix: String

  /// - Parameters:
  ///   - turns: says which pause ends a turn, where the client does not mark the turns.
  ///   - callPrefix: what names of tool calls begin with.
  ///   - guesses: whether it tells what the user seems to be saying while he speaks.
  ///   - phrases: what the user says to the program itself: no pause is to delay that.
  init(
    setup: GeminiClientSetup, detector: VoiceActivityDetector, turns: any TurnDetector, callPrefix: String,
    guesses: Bool = false, phrases: SpokenPhrases = SpokenPhrases()
  ) {
    pauses = PauseRule(turns: turns, phrases: phrases)
    interim = guesses && setup.transcribesInput ? InterimTranscript() : nil
    tools = Set(setup.tools)
    transcribesInput = setup.transcribesInput
    endpointer = setup.marksActivity ? nil : Endpointer(detector: detector)
    self.callPrefix = callPrefix
  }

  /// One that proposes whatever is said, and finds the turns itself.
  init(detector: VoiceActivityDetector, turns: any TurnDetector) {
    tools = ["converse"]
    transcribesInput = false
    pauses = PauseRule(turns: turns)
    endpointer = Endpointer(detector: detector)
    callPrefix = ""
  }

  /// Take a message after the setup.
  mutating func take(_ message: GeminiClientMessage) -> [LocalAction] {
    switch message {
    case .audio(let samples, let rate):
      guard rate == PCM.microphoneRate else {
        return [.close(code: 1007, reason: "Only 16000 Hz sound is understood.")]
      }
      return take(samples)
    case .activityStart:
      guard endpointer == nil else { return Self.refused }
      marked = []
      interim?.began()
      utterances.append(Utterance())
      return []
    case .activityEnd:
      guard endpointer == nil else { return Self.refused }
      guard let samples = marked.take() else { return [] }
      return endUtterance(with: samples)
    case .audioStreamEnd:
      guard let events = endpointer?.finish() else { return Self.refused }
      return events.flatMap { take($0) }
    case .text(let text): return hand(on: text) + [.send(.turnComplete), .offerResumption(isPossible: false)]
    case .clientContent(_, let isComplete): return isComplete ? [.send(.turnComplete)] : []
    case .toolResponse(let response):
      guard openCalls.contains(response.id) else {
        return [.close(code: 1008, reason: "Requested entity was not found.")]
      }
      if response.willContinue { return [] }
      openCalls.remove(response.id)
      return openCalls.isEmpty ? [.offerResumption(isPossible: true)] : []
    case .setup, .malformed, .unknown: return Self.refused
    }
  }

  /// Take what was heard in a piece; what is complete is proposed, in the order in which it was said.
  mutating func take(_ heard: Result<HeardSpeech, SpeechFailure>, of piece: Int) -> [LocalAction] {
    if let text = interim?.guessed(heard, of: piece) {
      return text.isEmpty || utterances.last?.phase != .speaking ? [] : [tellInterim(text)]
    }
    for index in utterances.indices {
      guard let place = utterances[index].pieces.firstIndex(where: { $0.number == piece }) else { continue }
      switch heard {
      case .success(let heard): utterances[index].pieces[place].heard = heard
      case .failure(let failure):
        utterances[index].pieces[place].heard = HeardSpeech("")
        utterances[index].failure = failure.reason
      }
      limitPause(of: utterances[index])
    }
    // Who asks to wait is told at once, whoever looks: no text comes before it is known that he goes on no more.
    let paused = utterances.last?.heardBeforePause
    let isTold = paused.map { interim != nil || SpokenDecision(utterance: $0.text) == .wait } ?? false
    return (isTold ? [tellInterim("")] : []) + dispatchWhatIsComplete()
  }

  /// Tell what was understood of the last utterance so far, and this behind it.
  private func tellInterim(_ text: String) -> LocalAction {
    let understood = utterances.last?.pieces.compactMap(\.heard?.text) ?? []
    return .send(.interimTranscription(text: (understood + [text]).filter { !$0.isEmpty }.joined(separator: " ")))
  }

  /// Guess at what is being said, if nobody waits for a text meanwhile.
  private mutating func guess(_ open: ArraySlice<Int16>) -> [LocalAction] {
    guard interim != nil, utterances.allSatisfy({ $0.pieces.allSatisfy { $0.heard != nil } }),
      let samples = interim?.heard(open, next: lastPiece + 1)
    else { return [] }
    lastPiece += 1
    return [.recognise(piece: lastPiece, samples: samples, purpose: .interim)]
  }

  /// What is being guessed at is about to be understood: give that up.
  private mutating func giveUpGuess() -> [LocalAction] {
    interim?.paused().map { [.cancelRecognition(piece: $0)] } ?? []
  }

  private static let refused = [LocalAction.close(code: 1007, reason: "Request contains an invalid argument.")]

  private mutating func take(_ samples: [Int16]) -> [LocalAction] {
    if let events = endpointer?.process(samples) {
      return events.flatMap { take($0) } + guess(endpointer?.openSamples ?? [])
    }
    marked?.append(contentsOf: samples)
    guard let marked else { return [] }
    guard marked.count >= Endpointer.longestSamples else { return guess(marked[...]) }
    self.marked = []
    return giveUpGuess() + [recognise(marked)]
  }

  private mutating func take(_ event: Endpointer.Event) -> [LocalAction] {
    switch event {
    case .speechStarted:
      interim?.began()
      utterances.append(Utterance())
      return [.send(.voiceActivity(isStart: true))]
    case .speechPaused(let segment):
      // If this is the end, its text is on the way when that becomes certain.
      utterances[utterances.count - 1].phase = .paused
      return giveUpGuess() + [recognise(segment.samples, for: .pause)]
    case .speechResumed:
      utterances[utterances.count - 1].phase = .speaking
      return [.cancelRecognition(piece: utterances[utterances.count - 1].pieces.removeLast().number)]
    case .speechCut(let segment): return giveUpGuess() + [recognise(segment.samples)]
    case .speechEnded(let segment):
      return [.send(.voiceActivity(isStart: false))] + endUtterance(with: segment.samples)
    }
  }

  /// It is known what was said before this pause: now it may be long or short.
  private mutating func limitPause(of utterance: Utterance) {
    guard endpointer != nil, let heard = utterance.heardBeforePause,
      let silence = pauses.silenceMilliseconds(after: heard, isAll: utterance.pieces.count == 1)
    else { return }
    endpointer?.end(afterMilliseconds: silence)
  }

  private mutating func endUtterance(with samples: [Int16]) -> [LocalAction] {
    let isAsked = samples.isEmpty || utterances[utterances.count - 1].phase == .paused
    let actions = giveUpGuess() + (isAsked ? [] : [recognise(samples)])
    utterances[utterances.count - 1].phase = .ended
    return actions + dispatchWhatIsComplete()
  }

  private mutating func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose = .text
  ) -> LocalAction {
    lastPiece += 1
    utterances[utterances.count - 1].pieces.append((lastPiece, nil))
    return .recognise(piece: lastPiece, samples: samples, purpose: purpose)
  }

  private mutating func dispatchWhatIsComplete() -> [LocalAction] {
    var actions: [LocalAction] = []
    while let first = utterances.first, first.phase == .ended, first.pieces.allSatisfy({ $0.heard != nil }) {
      utterances.removeFirst()
      let pieces = first.pieces.compactMap(\.heard).filter { !$0.text.isEmpty }
      let text = pieces.map(\.text).joined(separator: " ")
      if let failure = first.failure {
        actions.append(.report(problem: "speech could not be understood: \(failure)"))
        actions.append(.send(.outputTranscription(text: "Sorry, I could not understand that. Please say it again.")))
      } else if !text.isEmpty {
        if transcribesInput {
          let hearing = Hearing.joined(pieces.map { ($0.text, $0.hearing) })
          actions.append(.send(.inputTranscription(text: text, isFinished: true, hearing: hearing)))
        }
        actions += hand(on: text)
      }
      actions.append(.send(.turnComplete))
      actions.append(.offerResumption(isPossible: openCalls.isEmpty))
    }
    return actions
  }

  private mutating func hand(on text: String) -> [LocalAction] {
    lastCall += 1
    let id = "\(callPrefix)-\(lastCall)"
    if tools.contains("stop"), StopPhrase.matches(text) {
      openCalls.insert(id)
      return [.send(.toolCall(id: id, name: "stop", arguments: []))]
    }
    guard tools.contains("converse") else { return [] }
    openCalls.insert(id)
    return [.send(.toolCall(id: id, name: "converse", arguments: [GeminiArgument("instruction", text)]))]
  }
}

/// The phrases that stop the work. The whole utterance must be one: "stop the server" is an instruction.
enum StopPhrase {
  private static let phrases: Set<[String]> = [
    ["stop"], ["stop", "it"], ["stop", "that"], ["stop", "stop"], ["stop", "stop", "stop"], ["halt"], ["cancel"],
    ["cancel", "it"], ["cancel", "that"],
  ]
  private static let polite: Set<String> = ["please", "now", "okay", "ok", "hey", "no", "parley"]

  /// Whether these words ask for nothing but to stop.
  static func matches(_ text: String) -> Bool {
    phrases.contains(text.spelledWords.filter { !polite.contains($0) })
  }
}
