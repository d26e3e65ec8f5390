import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

@testable import VoiceReplay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a script makes of sessions that no fixture has.
struct HandmadeSessionTests {
  private static let connection = ConnectionID(rawValue: 1)
  private static let call = CallID(connection: connection, id: "c", tool: "converse")

  /// A session with these events at these times, in milliseconds, each frame being heard at its time.
  private func script(
    _ events: [(Int64, VoiceEvent)], _ actions: [Int: [VoiceAction]] = [:], turn: Int? = nil
  ) throws -> FixtureFolder {
    let temporary = try TemporaryFolder()
    let codec = LogCodec()
    var bytes = codec.encode(LogHeader.current)
    for (sequence, (milliseconds, event)) in events.enumerated() {
      bytes += codec.encode(
        LogLine(
          step: VoiceStep(
            sequence: sequence, time: .milliseconds(milliseconds), event: event, actions: actions[sequence] ?? [])))
    }
    try Data(bytes).write(to: URL(filePath: temporary.path + "/events.jsonl"))
    let silence = [Int16](repeating: 0, count: 60 * PCM.microphoneRate)
    return try SessionScript(temporary.path, turn: turn) { _ in silence }.folder
  }

  private func frame(_ milliseconds: Int) -> (Int64, VoiceEvent) {
    let position = (milliseconds - PCM.frameMilliseconds) * PCM.microphoneRate / 1000
    return (Int64(milliseconds), .microphoneFrame(frame: MicrophoneFrame(position: position, samples: [])))
  }

  private let start = (Int64(0), VoiceEvent.sessionStarted(settings: InteractionSettings()))
  private let began = VoiceEvent.voiceStarted(detector: .model)
  private let ended = VoiceEvent.voiceEnded(detector: .model)

  /// From before its detector to before the silence that ended it; 0.2 s at least.
  @Test(arguments: [(1_000, 3_000, 2_300), (1_000, 1_600, 900), (100, 120, 200)])
  func anUtteranceIsCutOutOfTheSound(_ begin: Int, _ end: Int, _ milliseconds: Int) throws {
    let folder = try script([start, frame(begin), (Int64(begin), began), frame(end), (Int64(end), ended)])
    #expect(folder.recordings.mapValues { $0.count * 1000 / PCM.microphoneRate } == ["utterance-1.wav": milliseconds])
  }

  @Test func aModelThatProposesTheSameAgainDoesSoInTheScript() throws {
    let proposal = VoiceEvent.instructionProposed(call: Self.call, text: "run it")
    let folder = try script([
      start, frame(1_000), (1_000, began), frame(2_000), (2_000, ended), (2_500, proposal), (2_600, proposal),
    ])
    #expect(folder.fixture.model.map(\.times) == [2])
  }

  @Test func whatTheUserDidWithoutACauseComesAsLateAsItDid() throws {
    let folder = try script([
      start, frame(1_000), (1_000, began), frame(2_000), (2_000, ended), (5_000, .commandGiven(command: .halt)),
    ])
    #expect(folder.fixture.user.prefix(2).map(\.after) == [500, 3_500])
  }

  /// What the first step of a turn showed is waited for in it, though it came at the same time; what an action did itself is not.
  @Test(arguments: [Int64(0), 2_000]) func aTurnWaitsForWhatItsOwnBeginningShowed(_ pause: Int64) throws {
    func held(_ number: Int) -> [VoiceAction] {
      let instruction = Instruction(id: .init(rawValue: number), text: "b", heard: nil, source: .keyboard)
      let item = HeldItem(id: .init(rawValue: number), content: .instruction(instruction: instruction), since: .zero)
      return [.show(notice: .held(item: item, position: 1))]
    }
    let say = VoiceEvent.commandGiven(command: .say(text: "b"))
    let approve = VoiceEvent.commandGiven(command: .approve)
    let folder = try script(
      [start, (1_000, say), (2_000, approve), (5_000, say), (5_000 + pause, approve)],
      [1: held(1), 2: [.show(notice: .quieted)], 3: held(2), 4: [.show(notice: .quieted)]], turn: 2)
    #expect(
      folder.fixture.user.prefix(2) == [
        .init(after: 500, do: .happen(event: say)), .init(await: .held, after: Int(pause), do: .happen(event: approve)),
      ])
  }

  /// What was switched before a turn holds in it, though the rest of that time is left out.
  @Test func aTurnBeginsWithWhatWasSetThen() throws {
    let say = VoiceEvent.commandGiven(command: .say(text: "b"))
    let half = VoiceEvent.duplexChanged(duplex: .half)
    let switched: [Notice] = [.mode(mode: .direct), .listeningChanged(isOn: false), .longThought(isOn: true)]
    let folder = try script(
      [
        start, (1_000, say), (1_500, .duplexChanged(duplex: .full)), (2_000, half),
        (2_500, .commandGiven(command: .mode(mode: .direct))), (5_000, say),
        (6_000, .commandGiven(command: .longThought)),
      ],
      [4: switched.map { .show(notice: $0) }, 6: [.show(notice: .longThought(isOn: false))]], turn: 2)
    let settings = folder.fixture.settings
    #expect(settings.mode == .direct && !settings.startsListening && settings.longThought)
    #expect(folder.fixture.user.prefix(2).map(\.do) == [half, say].map { .happen(event: $0) })
    #expect(folder.fixture.user.prefix(2).map(\.after) == [500, 500])
  }

  /// Where a server tells nothing of pauses, each proposal is an utterance.
  @Test func whatIsProposedWithoutASoundIsAnUtterance() throws {
    let proposals = ["run it", "push it"].map { VoiceEvent.instructionProposed(call: Self.call, text: $0) }
    let folder = try script([start, (1_000, proposals[0]), (2_000, proposals[1])])
    #expect(folder.fixture.model.map(\.instruction) == ["run it", "push it"])
  }

  /// The agent's steps after a run was begun at 1 s.
  private func agent(_ events: [(Int64, AgentEvent)]) throws -> [Fixture.AgentStep] {
    let run = RunID(rawValue: 1)
    let instruction = Instruction(id: InstructionID(rawValue: 1), text: "go", heard: nil, source: .keyboard)
    let begins = (Int64(1_000), VoiceEvent.ledgerEntered(instruction: instruction.id))
    let folder = try script(
      [start, begins] + events.map { ($0, .agentReported(run: run, event: $1)) },
      [1: [.startRun(run: run, instruction: instruction)]])
    return try #require(folder.fixture.agent.first)
  }

  /// What is shorter than a twentieth of a second is no pause.
  @Test(arguments: [(Int64(49), nil), (50, 50), (1_234, 1_230)] as [(Int64, Int?)])
  func theAgentPausesInTheScript(_ pause: Int64, _ written: Int?) throws {
    let steps = try agent([(1_000, .paragraphEnded), (1_000 + pause, .paragraphEnded)])
    let wait = written.map { [Fixture.AgentStep.wait(milliseconds: $0)] } ?? []
    #expect(steps == [.report(event: .paragraphEnded)] + wait + [.report(event: .paragraphEnded), .hang])
  }

  /// Behind its opening, text that comes without a pause is one piece.
  @Test(arguments: [(21, Int64(190), true), (21, 200, false), (20, 190, false)])
  func textThatComesInOneGoIsOnePiece(_ words: Int, _ pause: Int64, _ isOne: Bool) throws {
    let opening = String(repeating: "word ", count: words)
    let steps = try agent([(1_000, .text(delta: opening)), (1_000 + pause, .text(delta: "end"))])
    let pieces = steps.compactMap { if case .text(let delta) = $0 { delta } else { nil } }
    #expect(pieces == (isOne ? [opening + "end"] : [opening, "end"]))
  }

  /// A short one is cut out longer than it was: the next begins behind that.
  @Test func anUtteranceDoesNotBeginInTheOneBefore() throws {
    let folder = try script([
      start, frame(100), (100, began), frame(120), (120, ended), frame(140), (140, began), frame(2_000), (2_000, ended),
    ])
    #expect(
      folder.recordings.mapValues { $0.count * 1000 / PCM.microphoneRate }
        == ["utterance-1.wav": 200, "utterance-2.wav": 1_300])
  }
}
