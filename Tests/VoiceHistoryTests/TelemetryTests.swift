import Testing
import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fields of an OTLP trace that a collector shows.
private struct Trace: Decodable {
  struct Value: Decodable, Equatable {
    var stringValue: String?
    var intValue: String?
    var doubleValue: Double?
  }

  struct Attribute: Decodable {
    var key: String
    var value: Value
  }

  struct Event: Decodable {
    var timeUnixNano: String
    var name: String
    var attributes: [Attribute]
  }

  struct Status: Decodable {
    var code: Int
    var message: String?
  }

  struct Span: Decodable {
    var traceId: String
    var spanId: String
    var parentSpanId: String?
    var name: String
    var startTimeUnixNano: String
    var endTimeUnixNano: String
    var attributes: [Attribute]
    var events: [Event]
    var status: Status?

    subscript(key: String) -> Value? { attributes.first { $0.key == key }?.value }
    func text(_ key: String) -> String? { self[key]?.stringValue }
    var milliseconds: Int64 { ((Int64(endTimeUnixNano) ?? 0) - (Int64(startTimeUnixNano) ?? 0)) / 1_000_000 }
  }

  struct Scope: Decodable { var spans: [Span] }
  struct Resource: Decodable { var scopeSpans: [Scope] }
  var resourceSpans: [Resource]

  var spans: [Span] { resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans) }
  func span(_ name: String) throws -> Span { try #require(spans.first { $0.name == name }, "\(spans.map(\.name))") }
}

private func trace(_ told: Told, words: Bool = false) throws -> Trace {
  let home = try TemporaryFolder()
  let body = try OpenTelemetryExport(told.session(in: home), includesWords: words).body()
  return try JSONDecoder().decode(Trace.self, from: Data(body))
}

/// A typed instruction that was approved and runs.
private func running() -> Told {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.command(.approve)
  return told
}

private let asked = PermissionRequest(
  id: PermissionID(rawValue: "p"), title: "Write NOTES.md", detail: "", choices: [.allowOnce, .rejectOnce])

struct TelemetryTests {
  @Test func aTurnIsATraceOfItsStagesAndItsRun() throws {
    var told = running()
    told.report(.text(delta: "They pass.\n"))
    told.report(.usage(usage: AgentUsage(inputTokens: 12, outputTokens: 3, costInDollars: 0.25)))
    told.report(.turnEnded(end: .completed))
    let trace = try trace(told)
    let root = try trace.span("turn 1")
    let run = try trace.span("invoke_agent agent")
    #expect(root.parentSpanId == nil && run.parentSpanId == root.spanId)
    #expect(Set(trace.spans.map(\.traceId)) == [root.traceId])
    #expect(Set(trace.spans.map(\.spanId)).count == trace.spans.count)
    #expect(root.traceId.count == 32 && root.spanId.count == 16)
    #expect(root.text("parley.turn.decision") == "approved" && root.text("parley.turn.source") == "keyboard")
    let turn = told.history.turns[0]
    #expect(run.milliseconds == turn.latency(.run).map { $0.microseconds / 1000 })
    #expect(run["gen_ai.usage.input_tokens"]?.intValue == "12" && run["gen_ai.usage.output_tokens"]?.intValue == "3")
    #expect(run["parley.cost.dollars"]?.doubleValue == 0.25)
    #expect(run["gen_ai.response.time_to_first_chunk"]?.doubleValue == 1)
    #expect(try trace.span("decision").milliseconds == turn.latency(.decision).map { $0.microseconds / 1000 })
    // Four seconds after the start of the session, at 2026-11-21T10:00:00Z.
    #expect(root.startTimeUnixNano == "1795255204000000000")
  }

  @Test func twoTurnsAreTwoTracesAndTheSameEachTime() throws {
    var told = running()
    told.report(.turnEnded(end: .completed))
    told.command(.say(text: "show me the diff"))
    let (first, again) = (try trace(told), try trace(told))
    #expect(Set(first.spans.map(\.traceId)).count == 2)
    #expect(first.spans.map(\.spanId) == again.spans.map(\.spanId))
    #expect(try first.span("turn 2").text("parley.turn.decision") == "none")
    #expect(first.spans.filter { $0.name.hasPrefix("invoke_agent") }.count == 1)
  }

  @Test(arguments: [
    (AgentTurnEnd.failed(reason: "No credit."), true), (.unconfirmed(reason: "It died."), true), (.completed, false),
    (.cancelled, false), (.stopped(reason: "It refused."), false),
  ])
  func aRunThatFailedIsAnErrorAndItsReasonIsAWord(_ end: AgentTurnEnd, _ isError: Bool) throws {
    var told = running()
    told.report(.turnEnded(end: end))
    let silent = try trace(told).span("invoke_agent agent")
    #expect(silent.status?.code == (isError ? 2 : nil) && silent.status?.message == nil)
    #expect(silent.text("error.type") == (isError ? "agent_failure" : nil))
    let spoken = try trace(told, words: true).span("invoke_agent agent")
    #expect((spoken.status?.message != nil) == isError)
  }

  @Test func whatTheAgentUsedAndAskedIsPartOfTheRun() throws {
    var told = running()
    told.report(.toolStarted(tool: AgentTool(id: "1", title: "Read a file", kind: "read")))
    told.report(.toolFinished(id: "1", outcome: .completed))
    told.report(.toolStarted(tool: AgentTool(id: "2", title: "Make", kind: "execute")))
    told.report(.toolFinished(id: "2", outcome: .failed))
    told.report(.permissionRequested(request: asked))
    told.command(.reject(reason: nil))
    told.report(.permissionRequested(request: asked))
    told.report(.turnEnded(end: .cancelled))
    let trace = try trace(told)
    let run = try trace.span("invoke_agent agent")
    let (read, make) = (try trace.span("execute_tool read"), try trace.span("execute_tool execute"))
    #expect(read.parentSpanId == run.spanId && read.milliseconds == 1_000)
    #expect(read.status == nil && read.text("error.type") == nil)
    #expect(make.status?.code == 2 && make.text("error.type") == "failed")
    let answers = trace.spans.filter { $0.name == "ask user" }.map { $0.text("parley.request.answer") }
    #expect(answers == ["denied", "none"])
    #expect(read.text("gen_ai.tool.description") == nil)
    #expect(try Self.words(told).span("execute_tool read").text("gen_ai.tool.description") == "Read a file")
  }

  @Test func whatCutInIsAnEventWhoseWordsAreLeftOut() throws {
    var told = running()
    told.command(.halt)
    let event = try #require(try trace(told).span("turn 1").events.first)
    #expect(event.name == "parley.halt" && event.attributes.isEmpty)
    let spoken = try #require(try Self.words(told).span("turn 1").events.first)
    #expect(spoken.attributes.first?.value.stringValue == "Telling the agent to stop.")
  }

  private static func words(_ told: Told) throws -> Trace { try trace(told, words: true) }

  @Test(arguments: ["1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "yesterday"])
  func aStartThatNoTraceCanHoldIsRefused(_ started: String) throws {
    let session = try Told().session(in: try TemporaryFolder(), started: started)
    #expect(throws: FileFailure.self) { try OpenTelemetryExport(session, includesWords: false) }
  }
}

// MARK: Pages and captions

@Test func thePageShowsATurnAsAReaderWantsIt() throws {
  var told = running()
  told.report(.text(delta: "They **pass**.\n\n## All of them\n"))
  told.report(.turnEnded(end: .completed))
  let home = try TemporaryFolder()
  let page = MarkdownExport.page(try told.session(in: home))
  #expect(page.hasPrefix("# Session session\n\n- started 2026-11-21T10:00:00Z, parley 0.1.0\n- lasted "), "\(page)")
  #expect(page.contains("\n- agent: agent\n- turns: 1\n"))
  #expect(page.contains("**Instruction:** run the tests\n"))
  // What the agent wrote stays what it is, but is no part of the page's own structure.
  #expect(page.contains("**Agent:**\n\n> They **pass**.\n> \n> ## All of them\n"))
  #expect(page.contains("| decision | dispatch | agent |"))
  #expect(page.contains("|---:|---:|---:|"))
  #expect(page.contains("| 1 s | 1 ms |"))
}

@Test func anInstructionThatIsWhatWasHeardStandsOnce() throws {
  var told = Told(InteractionSettings { $0.mode = .direct })
  told.voice(600)
  told.proposed("run the tests")
  let page = MarkdownExport.page(try told.session(in: try TemporaryFolder()))
  #expect(page.contains("**You said:** run the tests\n") && !page.contains("**Instruction:**"))
}

@Test func aDamagedLogIsToldOnThePage() throws {
  let home = try TemporaryFolder()
  let session = try running().session(in: home)
  let log = URL(filePath: session.folder.log)
  try (Data(contentsOf: log) + Data("{\"sequence\":\n".utf8)).write(to: log)
  let damaged = try RecordedSession(session.folder.path)
  let words = try #require(damaged.damage)
  #expect(damaged.history.turns.count == 1)
  #expect(MarkdownExport.page(damaged).contains(words.prefix(20)))
  #expect(try Report.page(damaged).contains("<p class=\"damage\">"))
}

@Test func aCaptionIsShownLongEnoughToBeReadAndHoursAreCounted() throws {
  var told = Told(InteractionSettings { $0.mode = .direct })
  told.voice(200, after: 3_597_000)
  told.proposed("run the tests")
  let captions = WebVTTExport.captions(try told.session(in: try TemporaryFolder()))
  #expect(captions.hasPrefix("WEBVTT\n\n1\n01:00:00.000 --> 01:00:00.500\n<v You>run the tests\n"), "\(captions)")
}

@Test func captionsOfTheModelsOwnVoiceNameIt() throws {
  var told = Told(
    InteractionSettings {
      $0.mode = .direct
      $0.playsModelVoice = true
    })
  let connection = ConnectionID(rawValue: 1)
  told.voice(600)
  told.give(.userTranscribed(connection: connection, text: "hello", isFinal: true), after: 200)
  told.give(.modelAudio(connection: connection, audio: SpeechAudio(samples: [Int16](repeating: 1, count: 2_400))))
  let piece = try #require(told.history.pieces.last)
  #expect(piece.purpose == .model)
  told.give(.playbackStarted(speech: piece.id), after: 10)
  told.give(.modelTranscribed(connection: connection, text: "Hello to you."), after: 10)
  told.give(.modelAudioEnded(connection: connection), after: 10)
  told.give(.playbackEnded(speech: piece.id), after: 100)
  let captions = WebVTTExport.captions(try told.session(in: try TemporaryFolder()))
  #expect(captions.contains("<v Live model>Hello to you."), "\(captions)")
}
