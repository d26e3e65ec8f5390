import Subprocess
import Testing
import VoiceRecording
import VoiceSound
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore
@testable import VoiceHistory
@testable import VoiceLanguage

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A Python that has the published protocol definitions of OpenTelemetry, where `script/bootstrap --report` put them.
private let telemetryPython = Repository.path + "/.build/telemetry-check/bin/python3"

@Test(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: telemetryPython),
    "opentelemetry-proto is not installed; script/bootstrap --report installs it"),
  arguments: Histories.all, [false, true])
func theTelemetryExportIsOfThePublishedProtocol(_ fixture: String, _ words: Bool) async throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder(fixture, at: home.path + "/session")
  let body = try OpenTelemetryExport(try RecordedSession(home.path + "/session"), includesWords: words).body()
  let result = try await Subprocess.run(
    .path(FilePath(telemetryPython)), arguments: [Repository.path + "/Tests/servers/telemetry_check.py"],
    input: .inputWriter, output: .string(limit: 1 << 16), error: .string(limit: 1 << 16)
  ) { await $0.standardInputWriter.give(body) }
  #expect(result.terminationStatus.isSuccess, "\(fixture): \(result.standardError)")
}

@Test func theTelemetryExportHoldsNoWordUnlessAsked() throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder("review-approve", at: home.path + "/session")
  let session = try RecordedSession(home.path + "/session")
  let silent = String(decoding: try OpenTelemetryExport(session, includesWords: false).body(), as: UTF8.self)
  #expect(!silent.contains("build failing"))
  #expect(!silent.contains("fixture"))
  #expect(silent.contains("\"invoke_agent"))
  let told = String(decoding: try OpenTelemetryExport(session, includesWords: true).body(), as: UTF8.self)
  #expect(told.contains("why is the build failing"))
}

@Test func aSessionWithoutAStartCannotBecomeATrace() throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  try FileManager.default.removeItem(atPath: folder.manifest)
  #expect(throws: FileFailure("\(folder.path) has no manifest.json that tells when the session started.")) {
    try OpenTelemetryExport(try RecordedSession(folder.path), includesWords: false)
  }
}

@Test func captionsHaveTheTimesOfTheSound() throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder("review-approve", at: home.path + "/session")
  let captions = WebVTTExport.captions(try RecordedSession(home.path + "/session"))
  #expect(captions.hasPrefix("WEBVTT\n\n1\n00:00:00.800 --> 00:00:02.900\n<v You>why is the build failing"))
  #expect(captions.contains("00:00:05.031 --> 00:00:05.911\n<v Parley>The build fails,\n"))
}

/// What is offered again once its run failed was not said again, however it is read back.
@Test(arguments: ["agent-failure", "agent-dies", "agent-dies-with-queue"])
func whatIsOfferedAgainIsCaptionedWhereItWasSaid(_ fixture: String) throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder(fixture, at: home.path + "/session")
  let session = try RecordedSession(home.path + "/session")
  let again = try #require(session.history.turns.first { $0.again != nil && !$0.heard.isEmpty })
  let words = again.heard.trimmingWhitespace()
  let rows = WebVTTExport.captions(session).lines
  let places = rows.indices.filter { rows[$0] == "<v You>" + words }
  #expect(places.count == 1)
  let first = try #require(session.history.turns.first { $0.heard.trimmingWhitespace() == words }?[.speechStarted])
  #expect(rows[try #require(places.first) - 1].hasPrefix("00:\(first.clock) --> "))
}

@Test func thePageKeepsWordsFromBeingMarkup() throws {
  let home = try TemporaryFolder()
  let folder = try SessionFolder(creating: home.path + "/session")
  var writer = try LogWriter(folder.log)
  let instruction = Instruction(
    id: InstructionID(rawValue: 1), text: "# not *a* <b>heading</b>", heard: nil, source: .keyboard)
  try writer.append(
    VoiceStep(
      sequence: 0, time: .zero, event: .commandGiven(command: .say(text: instruction.text)),
      actions: [.enterInLedger(run: RunID(rawValue: 1), instruction: instruction)]))
  try writer.writeGathered()
  let page = MarkdownExport.page(try RecordedSession(folder.path))
  #expect(page.contains("**Instruction:** \\# not \\*a\\* \\<b\\>heading\\</b\\>"))
  #expect(page.contains("## Turn 1, 00:00.000"))
}

/// The page of a session in which the agent answered this.
private func page(answering answer: String) throws -> String {
  let home = try TemporaryFolder()
  let folder = try SessionFolder(creating: home.path + "/session")
  var writer = try LogWriter(folder.log)
  let instruction = Instruction(id: InstructionID(rawValue: 1), text: "explain", heard: nil, source: .keyboard)
  let run = RunID(rawValue: 1)
  let steps: [(VoiceEvent, [VoiceAction])] = [
    (.commandGiven(command: .say(text: instruction.text)), [.startRun(run: run, instruction: instruction)]),
    (.agentReported(run: run, event: .text(delta: answer)), []),
  ]
  for (index, (event, actions)) in steps.enumerated() {
    try writer.append(VoiceStep(sequence: index, time: .zero, event: event, actions: actions))
  }
  try writer.writeGathered()
  return MarkdownExport.page(try RecordedSession(folder.path))
}

/// What an answer says stays inside the answer, whatever reads the page.
@Test(arguments: [
  "</blockquote><h2>Turn 2</h2>", "Look: ![plan](https://example.org/plan.png)", "<!-- the rest is hidden",
  "```\n````\n<script>", "![a\n](b)",
])
func whatMayBeMoreThanTextIsShownLetterByLetter(_ answer: String) throws {
  let page = try page(answering: answer)
  let rows = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let begin = try #require(rows.firstIndex { $0.hasPrefix("```") })
  let fence = rows[begin]
  let end = try #require(rows[(begin + 1)...].firstIndex(of: fence))
  #expect(rows[(begin + 1)..<end].joined(separator: "\n") == answer)
  #expect(!answer.contains(fence))
}

@Test func whatIsOnlyTextStaysQuotedMarkdown() throws {
  let page = try page(answering: "- a < b, `x <- y`\n- *done*")
  #expect(page.contains("> - a < b, `x <- y`\n> - *done*\n") && !page.contains("```"))
}

// MARK: Redaction

/// A decision stays one, and what only a key approves stays that, however it is said.
@Test func wordsThatDecideAreNotReplaced() {
  for salt in 1...20 {
    var redactor = WordRedactor(salt: [UInt8(salt)])
    for text in [
      "next item", "Go to the previous item.", "no thank you", "forget it", "read that back", "delete it",
      "get rid of it", "throw it away", "Rolling back.", "one moment",
    ] {
      #expect(redactor.redact(text) == text)
    }
    let acts = KeyboardOnlyActs()
    #expect(acts.match([redactor.redact("build the parser and find the list")]) == nil)
    for act in ["deploying the parser", "Deletion of it", "resetting it", "removal", "restores it"] {
      #expect(acts.match([redactor.redact(act)]) != nil, "\(act)")
    }
    // What is named after such an act is a name all the same.
    for name in ["DeleteCustomerAcme", "ResetPasswordForKonto", "Erasmus", "restoredarchive"] {
      #expect(!redactor.redact(name).lowercased().contains(name.lowercased().suffix(5)), "\(name)")
    }
  }
}

@Test func aCommandBecomesAnotherCommandAndTheSameEachTime() {
  var redactor = WordRedactor(salt: [1, 2, 3])
  let redacted = redactor.redact("Refactor the secret. refactor")
  let words = redacted.split { !$0.isLetter }.map(String.init)
  #expect(words.count == 4 && words[1] == "the" && words[2] != "secret")
  #expect(words[0].lowercased() == words[3] && words[3] != "refactor" && words[0].first?.isUppercase == true)
  #expect(CommandVerbs.contains(words[3]))
}

/// All but one: where text was cut at a length for speaking, its hashes may be cut elsewhere, and the session is refused.
@Test(arguments: Histories.all.filter { $0 != "agent-answers-at-length" })
func aRedactedSessionHasNoWordLeftAndDecidesTheSame(_ fixture: String) throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder(fixture, at: home.path + "/session")
  let original = try RecordedSession(home.path + "/session")
  var redaction = Redaction()
  let redacted = try redaction.session(original)
  try Redaction.write(redacted, to: home.path + "/redacted")
  let back = try RecordedSession(home.path + "/redacted")
  #expect(back.damage == nil)
  #expect(back.history.turns.map(\.stages) == original.history.turns.map(\.stages))

  // It replays: the recorded events give the recorded actions.
  var controller = InteractionController()
  let codec = LogCodec()
  for line in back.lines {
    for step in line.steps {
      var again = step
      again.actions = controller.handle(step.event, at: step.time)
      again.reasons = controller.takeReasons()
      again.state = step.event.isSound ? nil : controller.digest
      #expect(codec.encode(LogLine(step: again)) == codec.encode(LogLine(step: step)))
    }
  }
  let text = String(decoding: try Data(contentsOf: URL(filePath: back.folder.log)), as: UTF8.self)
  for turn in original.history.turns {
    // These are words of the log itself.
    for word in turn.heard.split(separator: " ")
    where word.count > 5 && !["change", "connection", "seconds", "listening"].contains(word)
      && !PartedSentence.isFunctionWord(String(word)) && !OpeningCut.isFunctionWord(String(word))
      && !CommandVerbs.contains(String(word))
    {
      #expect(!text.contains(word), "\(word)")
    }
  }
  for name in ["microphone.wav", "speaker.wav"] {
    #expect(!FileManager.default.fileExists(atPath: home.path + "/redacted/" + name))
  }
}

/// An agent may name its calls by what they do.
@Test func theNamesOfAnAgentsCallsAreWords() throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder("agent-answers-nothing", at: home.path + "/session")
  let original = try RecordedSession(home.path + "/session")
  var redaction = Redaction()
  let redacted = try redaction.session(original)
  let calls = { (session: RecordedSession) in
    session.lines.compactMap { line -> String? in
      guard case .agentReported(_, let event) = line.step.event else { return nil }
      return switch event {
      case .toolStarted(let tool): tool.id
      case .toolFinished(let id, _): id
      default: nil
      }
    }
  }
  #expect(calls(original).count > 1 && Set(calls(original)) == ["tool-1"])
  #expect(calls(redacted).count == calls(original).count && Set(calls(redacted)).count == 1)
  #expect(!Set(calls(redacted)).contains("tool-1"))
}

/// One call is not taken for another, whatever an agent numbers them by.
@Test func theCallsOfAnAgentStayApart() throws {
  let home = try TemporaryFolder()
  var told = Told()
  told.command(.say(text: "run it all"))
  told.command(.approve)
  for number in 1...12 {
    told.report(.toolStarted(tool: AgentTool(id: "\(number)", title: "ls", kind: "execute")))
    told.report(.toolFinished(id: "\(number)", outcome: number.isMultiple(of: 2) ? .completed : .failed))
  }
  told.report(.turnEnded(end: .completed))
  var redaction = Redaction()
  let redacted = try redaction.session(told.session(in: home))
  let ended = redacted.lines.compactMap { line -> String? in
    if case .agentReported(_, .toolFinished(let id, _)) = line.step.event { id } else { nil }
  }
  #expect(Set(ended).count == 12 && !ended.contains("1"), "\(ended)")
  let began = redacted.lines.compactMap { line -> String? in
    if case .agentReported(_, .toolStarted(let tool)) = line.step.event { tool.id } else { nil }
  }
  #expect(began == ended)
}

/// What was named by how it begins is still found: a session by its identifier, a mode by its name.
@Test func whatAgentIsSetToAndItsSessionsResolveInARedactedSession() throws {
  let home = try TemporaryFolder()
  let sessions = ["0d7f3a52-aa", "1c9e"].map {
    AgentSessionSummary(id: AgentSessionID(rawValue: $0), title: "secretly")
  }
  let controls = AgentControls(mode: .init(current: "default", offered: ["default", "acceptEdits"]))
  let events: [VoiceEvent] = [
    .sessionStarted(settings: InteractionSettings()), .agentReady(agent: AgentDescription(name: "Agent")),
    .agentControlsTold(controls: controls), .agentSessionsListed(sessions: sessions),
    .commandGiven(command: .agentSession(choice: .resume(name: "0d7f"))),
    .commandGiven(command: .agentSession(choice: .fork(name: "2"))),
    .commandGiven(command: .agentSetting(setting: .mode, name: "acc")),
  ]
  var controller = InteractionController()
  let lines = events.enumerated().map { index, event in
    let time = SessionTime(microseconds: Int64(index) * 1000)
    var step = VoiceStep(sequence: index, time: time, event: event, actions: controller.handle(event, at: time))
    step.reasons = controller.takeReasons()
    step.state = controller.digest
    return LogLine(step: step)
  }
  let folder = try SessionFolder(creating: home.path + "/session")
  var redaction = Redaction()
  let original = RecordedSession(folder: folder, manifest: nil, lines: lines, damage: nil)
  let redacted = try redaction.session(original).lines.map(\.step)
  #expect(!redacted.contains { "\($0)".contains("secretly") })
  let resumed = AgentSessionID(rawValue: "0d7f3a52-aa")
  #expect(redacted[4].actions.contains(.reopenAgent(start: .resume(resumed))))
  #expect(redacted[5].actions.contains(.reopenAgent(start: .fork(AgentSessionID(rawValue: "1c9e"), at: nil))))
  let changes = redacted[6].actions.compactMap { if case .changeAgent(.mode, let value) = $0 { value } else { nil } }
  guard case .agentControlsTold(let told) = redacted[2].event else {
    Issue.record("another event")
    return
  }
  #expect(changes.count == 1 && told.mode?.offered.last == changes.first && changes != ["acceptEdits"])
}

/// Neither what is set nor where that was written may tell whose machine it was.
@Test func noFileOfARedactedSessionNamesAPath() throws {
  let home = try TemporaryFolder()
  _ = try Histories.folder("direct", at: home.path + "/session")
  let direct = try RecordedSession(home.path + "/session")
  let file = "/home/jemima/.config/parley/parley.json5"
  let manifest = SessionManifest(
    program: "parley", started: "2026-01-01T00:00:00Z",
    plan: [
      .init(key: "interaction.mode", value: "direct", origin: file),
      .init(key: "live.silenceMilliseconds", value: "700", origin: "jemima"),
      .init(key: "agent.agent", value: "acp:/home/jemima/agent --quick", origin: "command line"),
      .init(key: "agent.workingFolder", value: "jemimas", origin: "./jemima.json5"),
      .init(key: "audio.speaker", value: "jemima.wav", origin: "command line"),
      .init(key: "audio.microphone", value: "default", origin: "built in"),
      .init(key: "live.endpoint", value: "local", origin: "GEMINI_API_KEY is not set"),
      .init(key: "live.model", value: "native", origin: "default of gemini"),
    ], workingFolder: "/home/jemima/project")
  let original = RecordedSession(folder: direct.folder, manifest: manifest, lines: direct.lines, damage: nil)
  var redaction = Redaction()
  try Redaction.write(try redaction.session(original), to: home.path + "/redacted")
  for name in try FileManager.default.contentsOfDirectory(atPath: home.path + "/redacted") {
    let data = try Data(contentsOf: URL(filePath: home.path + "/redacted/" + name))
    let text = String(decoding: data, as: UTF8.self)
    #expect(!text.contains("jemima") && !text.contains("json5"), "\(name)")
  }
  let plan = try #require(try RecordedSession(home.path + "/redacted").manifest).plan
  // What a setting is, and the program's own words, stay.
  #expect(plan.prefix(2).map(\.value) == ["direct", "700"])
  #expect(
    plan.map(\.origin).filter { !$0.contains("/") }.dropFirst()
      == ["command line", "command line", "built in", "GEMINI_API_KEY is not set", "default of gemini"]
      + ["parley log export --redact"])
  #expect(plan[5].value == "default" && plan[0].origin.count == file.count)
}

@Test func aConversationIsOneStereoFileInTheSessionsTime() throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  let speech = try WaveFile.samples(Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav")
  let recorder = SoundRecorder(folder, form: .opus) { Issue.record("\($0)") }
  recorder.heard(MicrophoneFrame(position: PCM.microphoneRate, samples: speech))
  // What is played ends a second later than what is heard.
  let end = PCM.speakerRate * (2 + speech.count / PCM.microphoneRate)
  recorder.played([Int16](repeating: 900, count: PCM.speakerRate), end)
  recorder.finish()
  let path = home.path + "/conversation.opus"
  try ConversationExport.write(try RecordedSession(folder.path), to: path)
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
  let head = try #require(bytes.firstRange(of: Array("OpusHead".utf8)))
  #expect(bytes[head.upperBound + 1] == 2)
  let mixed = try SoundFileReader(path: path, rate: PCM.speakerRate).readAll()
  #expect(abs(mixed.count - end - PCM.speakerRate) <= PCM.speakerRate / 100)
  #expect(mixed[..<PCM.speakerRate].allSatisfy { abs(Int($0)) < 50 })
  #expect(mixed[PCM.speakerRate..<2 * PCM.speakerRate].contains { abs(Int($0)) > 1_000 })
  #expect(ConversationExport.captions(of: path) == home.path + "/conversation.vtt")
}

@Test func aSessionWithoutSoundMakesNoConversation() throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  #expect(throws: FileFailure("\(folder.path) holds no sound.")) {
    try ConversationExport.write(try RecordedSession(folder.path), to: home.path + "/conversation.opus")
  }
}
