import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// Sound that is missing in the middle of what is said: the rest of it is sent to nobody unseen, and consents to nothing.
struct LostSoundTests {
  private static let warning = "Part of what you said was lost, so this is held."

  /// What makes sound missing.
  enum Loss: CaseIterable {
    /// The machine stood still.
    case gap
    /// The microphone was unplugged.
    case device
  }

  /// A session in direct mode, unless told otherwise, that has heard a second.
  private func talk(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Talk {
    var talk = Talk(
      InteractionSettings {
        $0.mode = .direct
        change(&$0)
      })
    for position in 0..<50 { talk.hear(at: position * PCM.frameSamples) }
    return talk
  }

  @Test(arguments: Loss.allCases)
  func anInstructionWithSoundMissingIsHeld(_ loss: Loss) {
    var talk = talk()
    talk.begin()
    talk.lose(by: loss)
    let actions = talk.end("delete the folder")
    #expect(talk.heldTexts == ["delete the folder"])
    #expect(actions.contains { if case .show(.warning(Self.warning)) = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: Loss.allCases)
  func whatIsSaidLaterIsSent(_ loss: Loss) {
    var talk = talk()
    talk.lose(by: loss)
    talk.say("run the tests")
    #expect(talk.heldTexts.isEmpty)
  }

  /// A pipe whose writer had nothing to write loses nothing.
  @Test func aGapBehindSilenceIsNoLoss() {
    var talk = talk()
    talk.lose(by: .gap)
    talk.begin(after: 100)
    _ = talk.end("delete the folder")
    #expect(talk.heldTexts.isEmpty)
  }

  @Test func aShortGapAClosedMicrophoneAndALateRecordingLoseNothing() throws {
    for (milliseconds, change) in [
      (Limits.toldGapMilliseconds - 20, { _ in }), (900, { $0.microphoneWaits = true }),
    ] as [(Int, (inout InteractionSettings) -> Void)] {
      var talk = talk(change)
      talk.begin()
      talk.hear(at: (50 + milliseconds / 20) * PCM.frameSamples)
      _ = talk.end("delete the folder")
      #expect(talk.heldTexts.isEmpty, "\(milliseconds) ms")
    }
    var talk = talk()
    try talk.command("listen off")
    talk.lose(by: .gap)
    try talk.command("listen on", after: 10)
    talk.begin()
    _ = talk.end("delete the folder")
    #expect(talk.heldTexts.isEmpty)
  }

  @Test(arguments: Loss.allCases)
  func nothingIsApprovedByHalfASentence(_ loss: Loss) {
    var talk = talk { $0.mode = .review }
    talk.say("run the tests")
    talk.begin(after: 5_000)
    talk.lose(by: loss)
    let actions = talk.end("yes, approve")
    #expect(talk.heldTexts == ["run the tests"] && !actions.isApproval)
    #expect(actions.refusal == "Part of what you said was lost. Say it again, or press a key.")
  }

  @Test func noOptionIsChosenByHalfASentence() throws {
    var talk = talk { $0.spokenDecisions = .all }
    try talk.work()
    let question = AgentQuestion(
      id: .init(rawValue: "q"), text: "Which?", options: [.init(label: "main"), .init(label: "all")])
    talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
    talk.begin(after: 5_000)
    talk.lose(by: .gap)
    #expect(talk.end("all").refusal == "Part of what you said was lost. Say it again, or press a key.")
    talk.begin(after: 5_000)
    #expect(talk.end("all").contains { if case .answerQuestion = $0 { true } else { false } })
  }

  /// Its end is the user's to say, and until then all of it is one instruction.
  @Test(arguments: [["delete the log files", "except today's over"], ["delete the log files over"]])
  func aThoughtWithAGapIsHeldWhenItsEndIsSaid(_ pieces: [String]) {
    var talk = talk {
      $0.endWord = "over"
      $0.longThought = true
    }
    talk.begin()
    talk.lose(by: .gap)
    var warnings = 0
    for piece in pieces {
      #expect(talk.heldTexts.isEmpty)
      warnings += talk.end(piece).count { $0 == .show(notice: .warning(text: Self.warning)) }
      talk.begin(after: 2_000)
    }
    #expect(talk.heldTexts == [pieces.joined(separator: " ").replacing(" over", with: "")] && warnings == 1)
    #expect(talk.rules.violations.isEmpty)
    // What is said afterwards has no gap.
    _ = talk.end("run the tests over")
    #expect(talk.heldTexts.count == 1)
  }
}

extension Talk {
  /// A frame comes from the microphone.
  @discardableResult fileprivate mutating func hear(at position: Int) -> [VoiceAction] {
    give(
      .microphoneFrame(
        frame: MicrophoneFrame(position: position, samples: [Int16](repeating: 0, count: PCM.frameSamples))))
  }

  fileprivate mutating func lose(by loss: LostSoundTests.Loss) {
    switch loss {
    case .gap: hear(at: 100 * PCM.frameSamples)
    case .device: give(.soundDeviceSilent(kind: .microphone, name: "Headset"))
    }
  }

  fileprivate mutating func begin(after milliseconds: Int = 1_000) {
    give(.voiceStarted(detector: .vad), after: milliseconds)
  }

  fileprivate mutating func end(_ text: String) -> [VoiceAction] {
    give(.voiceEnded(detector: .vad), after: 800)
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 300)
    return propose(text)
  }
}
