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

/// An agent writes as fast as it can, and does not end before it is told to. What is counted is what of it was read after the halt
/// was given: no more than what was on its way already.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HaltInAFloodTests {
  /// One of each way to reach an agent: a child's output in three protocols, a stream that is stopped by a call or by closing it, and
  /// a WebSocket.
  enum Way: String, CaseIterable {
    case acp, claude, codex, chat, claudia
    case mobile = "gemini-mobile"
    case pageSpace = "page-space"
  }

  /// What sockets on one machine may hold between two programs, and more than twice as much; of a child what its pipe holds and what
  /// it writes until it has read that it is to stop, and ten times as much.
  private static func mostBehindAHalt(_ way: Way) -> Int {
    HTTPKind(rawValue: way.rawValue) == nil ? 4 << 20 : 16 << 20
  }

  @Test(arguments: Way.allCases) func aHaltOvertakesTheFlood(_ way: Way) async throws {
    let read = Locked(0)
    let tap = WireTap("agent") { _, frame in
      if case .received(let bytes) = frame { read.withLock { $0 += bytes.count } }
    }
    let folder = try TemporaryFolder()
    if let kind = HTTPKind(rawValue: way.rawValue) {
      try await HTTPTestServer.run { server in
        try await kind.withAgent(server, { $0.traffic = tap }) { try await Self.halt(way, read, folder, $0, $1) }
      }
    } else {
      let back = try #require(ConformanceTests.Back(rawValue: way.rawValue))
      try await withChild(ConformanceTests.specification(back), { $0.traffic = tap }) {
        try await Self.halt(way, read, folder, $0, $1)
      }
    }
  }

  private static func halt(
    _ way: Way, _ read: Locked<Int>, _ folder: TemporaryFolder, _ agent: any ConverseAgent, _ journal: Journal
  ) async throws {
    agent.startRun(1, Instruction("halt flood obeys \(folder.path)"))
    #expect(await isWriting(journal))
    let before = read.withLock { $0 }
    agent.cancelRun(1)
    let end = await journal.end(of: 1)
    let behind = read.withLock { $0 } - before
    #expect(way == .chat ? end?.mayGoOn == true : end == .cancelled, "\(way): \(String(describing: end))")
    #expect(behind < mostBehindAHalt(way), "\(way)")
    print("halt in a flood: \(way.rawValue), \(before) bytes read before it, \(behind) behind it")
  }

  private static func isWriting(_ journal: Journal) async -> Bool {
    await journal.wait { Journal.reports(of: 1, in: $0).contains { if case .text = $0 { true } else { false } } }
  }

  /// Names the thread that runs.
  private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

  /// Whoever calls the port goes on at once: what the agent writes meanwhile is told by whoever reads it.
  @Test func whoTellsAnAgentSomethingIsNotKeptByWhatItWrites() async throws {
    let (read, told) = (Locked(0), Locked(0))
    let caller = Locked<UInt?>(nil)
    let post: @Sendable (VoiceEvent) -> Void = { event in
      guard caller.withLock({ $0 }) == Self.thread else { return }
      let isFirst = told.withLock { told in
        told += 1
        return told == 1
      }
      guard isFirst else { return }
      // Time for the reader to read on, if it does not wait for what it has read to be told.
      let start = read.withLock { $0 }
      for _ in 0..<5_000 where read.withLock({ $0 }) < start + 1000 { sched_yield() }
    }
    let folder = try TemporaryFolder()
    let journal = Journal()
    var environment = ConformanceTests.environment(folder)
    environment.traffic = WireTap("agent") { _, frame in
      if case .received = frame { read.withLock { $0 += 1 } }
    }
    let agent = try AgentSpecification.child(ConformanceTests.specification(.acp)).makeAgent(in: environment) {
      post($0)
      journal.append($0)
    }
    try await runAgent(agent) {
      agent.startRun(1, Instruction("halt flood obeys \(folder.path)"))
      #expect(await Self.isWriting(journal))
      // Answered at once, by whoever calls: it cannot be steered. Until it is the one who tells that.
      while told.withLock({ $0 }) == 0 {
        try Task.checkCancellation()
        caller.withLock { $0 = Self.thread }
        agent.steerRun(1, Instruction("and this"))
        caller.withLock { $0 = nil }
        await Task.yield()
      }
      #expect((1..<20).contains(told.withLock { $0 }), "\(told.withLock { $0 })")
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
    }
  }
}
