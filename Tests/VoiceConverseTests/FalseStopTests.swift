import Testing
import VoiceConverse
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// "Stopped" is said exactly where it is so: every agent, halted at every stage of its work, whatever it makes of being told. What
/// the agent really did stands in a file of its own; a run that ends as `cancelled` while that says otherwise is a false stop.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FalseStopTests {
  enum Phase: String, CaseIterable { case headers, text, tool, permission }
  enum Behaviour: String, CaseIterable { case obeys, late, ignores, dies }

  /// What confirms that an agent has stopped; the table of docs/agents.md.
  enum Confirmation: String {
    case protocolEnd = "the turn's own end"
    case processEnd = "the end of its processes"
    case answer = "the answer to the call"
    case event = "an event with the run's name"
    case nothingButItsEnd = "nothing; its end is waited for"
    case nothing
  }

  enum Adapter: Equatable, CustomTestStringConvertible {
    case child(ConformanceTests.Back)
    case server(HTTPKind)

    static let allCases =
      ConformanceTests.Back.allCases.map(Adapter.child) + (HTTPKind.ofEachKind + [.claudia]).map(Adapter.server)

    var testDescription: String {
      switch self {
      case .child(let back): back.rawValue
      case .server(let kind): kind.rawValue
      }
    }

    var confirmation: Confirmation {
      switch self {
      case .child(.codexExec): .processEnd
      case .child: .protocolEnd
      case .server(.mobile), .server(.pageSpace), .server(.agentToAgent), .server(.oldAgentToAgent): .answer
      case .server(.claudia): .event
      case .server(.duckTalk), .server(.opcode): .nothingButItsEnd
      case .server(.uiMessages), .server(.better), .server(.chat): .nothing
      }
    }

    /// The stages that its work has.
    var phases: [Phase] {
      switch self {
      case .child(.acp), .child(.claude), .child(.codex), .server(.uiMessages): Phase.allCases
      case .server(.agentToAgent): [.headers, .text, .permission]
      default: [.headers, .text, .tool]
      }
    }
  }

  /// One run: what it is asked, and what its end must be.
  private struct Case {
    let adapter: Adapter
    let phase: Phase
    let behaviour: Behaviour

    enum Expected {
      case stopped, stoppedOnceReleased, doneOnceReleased, unconfirmed, unconfirmedOnceDead, stoppedOnceGone
    }

    var expected: Expected {
      switch (adapter.confirmation, behaviour) {
      case (.protocolEnd, .ignores): .stoppedOnceGone
      case (.protocolEnd, _), (.processEnd, _), (.answer, .obeys), (.answer, .late), (.event, .obeys), (.event, .late):
        .stopped
      case (.answer, .ignores), (.event, .ignores): .doneOnceReleased
      case (.answer, .dies), (.event, .dies): .unconfirmed
      case (.nothingButItsEnd, .dies): .unconfirmedOnceDead
      case (.nothingButItsEnd, _): .doneOnceReleased
      // What waits for an answer of the user ends its own answer, and that is seen.
      case (.nothing, .dies) where phase == .permission: .unconfirmedOnceDead
      case (.nothing, _) where phase == .permission: .stoppedOnceReleased
      case (.nothing, _): .unconfirmed
      }
    }
  }

  /// Where a run writes what it does, and is told more.
  private struct Work {
    let folder: TemporaryFolder

    private func read(_ name: String) -> String {
      FileManager.default.contents(atPath: folder.path + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether it has begun.
    var wasAsked: Bool { read("work").contains("asked") }

    /// Whether nothing of it goes on: it says so, or its process is gone.
    func isOver(_ adapter: Adapter) -> Bool {
      let log = read("work")
      if log.contains("over") { return true }
      guard case .child = adapter,
        let number = log.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ pid_t($0) })
      else { return false }
      return kill(number, 0) == -1 && errno == ESRCH
    }

    func tell(_ word: String) throws {
      try Data((read("control") + word + "\n").utf8).write(
        to: URL(filePath: folder.path + "/control"), options: .atomic)
    }
  }

  @Test(arguments: Adapter.allCases) func stoppedIsSaidExactlyWhereItIsSo(_ adapter: Adapter) async throws {
    let runs = Locked(0)
    switch adapter {
    case .server(let kind):
      try await HTTPTestServer.run { server in
        for one in Self.cases(adapter) {
          try await Self.check(one) { try await kind.withAgent(server, post: $0, $1) }
          runs.withLock { $0 += 1 }
        }
      }
    case .child(let back):
      for one in Self.cases(adapter) {
        try await Self.check(one) { try await Self.withChild(back, post: $0, $1) }
        runs.withLock { $0 += 1 }
      }
    }
    print("false stops: \(adapter.testDescription), \(runs.withLock { $0 }) runs")
  }

  private static func cases(_ adapter: Adapter) -> [Case] {
    adapter.phases.flatMap { phase in
      Behaviour.allCases.map { Case(adapter: adapter, phase: phase, behaviour: $0) }
    }
  }

  private static func withChild(
    _ back: ConformanceTests.Back, post: @escaping @Sendable (VoiceEvent) -> Void,
    _ body: (any ConverseAgent) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let agent = try AgentSpecification.child(ConformanceTests.specification(back)).makeAgent(
      in: ConformanceTests.environment(folder), post: post)
    try await runAgent(agent) { try await body(agent) }
  }

  private static func check(
    _ one: Case,
    _ withAgent: (@escaping @Sendable (VoiceEvent) -> Void, (any ConverseAgent) async throws -> Void) async throws
      -> Void
  ) async throws {
    let work = Work(folder: try TemporaryFolder())
    let name = "\(one.adapter.testDescription), \(one.phase), \(one.behaviour)"
    let journal = Journal()
    // What was so at the moment at which it was said.
    let wasOver = Locked<Bool?>(nil)
    let adapter = one.adapter
    let post: @Sendable (VoiceEvent) -> Void = { event in
      if case .agentReported(_, .turnEnded) = event {
        let isOver = work.isOver(adapter)
        wasOver.withLock { $0 = isOver }
      }
      journal.append(event)
    }
    try await withAgent(post) { agent in
      agent.startRun(1, Instruction("halt \(one.phase) \(one.behaviour) \(work.folder.path)"))
      try await reach(one, journal, work)
      agent.cancelRun(1)
      if [.server(.agentToAgent), .server(.claudia)].contains(one.adapter), one.phase == .headers {
        try work.tell("go")
      }
      try await follow(one, agent, journal, work)
      let end = await journal.end(of: 1)
      switch one.expected {
      case .stopped, .stoppedOnceReleased, .stoppedOnceGone: #expect(end == .cancelled, "\(name)")
      case .doneOnceReleased: #expect(end == .completed, "\(name)")
      case .unconfirmed, .unconfirmedOnceDead: #expect(end?.mayGoOn == true, "\(name)")
      }
      let wasSaid = end == .cancelled || end == .completed
      #expect(!wasSaid || wasOver.withLock { $0 } == true, "a false stop: \(name)")
      #expect(journal.reports(of: 1).filter { if case .turnEnded = $0 { true } else { false } }.count == 1, "\(name)")
    }
    try work.tell("release")
  }

  /// Wait until the work is as far as it shall be halted at.
  private static func reach(_ one: Case, _ journal: Journal, _ work: Work) async throws {
    if one.phase == .headers {
      return try await waitUntil { work.wasAsked }
    }
    let isThere = await journal.wait {
      Journal.reports(of: 1, in: $0).contains { event in
        switch (one.phase, event) {
        case (.permission, .permissionRequested), (.permission, .questionAsked), (.tool, .toolStarted): true
        // This server tells of a tool only in the end.
        case (.text, .text),
          (.tool, .text) where one.phase == .text || one.adapter == .server(.chat):
          true
        default: false
        }
      }
    }
    #expect(isThere, "\(one)")
  }

  /// Let the agent do what it makes of the halt, and end it where it would not end.
  private static func follow(_ one: Case, _ agent: any ConverseAgent, _ journal: Journal, _ work: Work) async throws {
    switch one.expected {
    case .stopped, .unconfirmed: break
    case .stoppedOnceGone: agent.abandonRun(1)
    case .stoppedOnceReleased, .doneOnceReleased:
      #expect(await journal.status(of: 1) != nil, "\(one)")
      #expect(!journal.reports(of: 1).contains { if case .turnEnded = $0 { true } else { false } }, "\(one)")
      try work.tell("release")
    case .unconfirmedOnceDead:
      #expect(await journal.status(of: 1) != nil, "\(one)")
      try work.tell("die")
    }
  }

  @Test func theTableSaysWhatConfirmsAStop() throws {
    let path = Fixtures.tests + "/../docs/agents.md"
    let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for adapter in Adapter.allCases {
      let row = "| `\(adapter.testDescription)` | \(adapter.confirmation.rawValue) |"
      #expect(rows.contains { $0.hasPrefix(row) }, "\(row)")
    }
  }
}
