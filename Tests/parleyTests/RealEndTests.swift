#if os(Linux)
  import Subprocess
  import Testing
  import VoiceVocabulary
  import VoiceSystem
  import VoiceTesting

  import Glibc

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

  /// Every end of every real agent, while a command of it runs that takes 20 s: what is left after 3 s, and what was said.
  struct RealEndTests {
    /// An agent and how it is driven.
    struct Subject: Sendable, CustomTestStringConvertible {
      let name: String
      let agent: RealAgent
      let flags: [String]

      var testDescription: String { name }
      /// Whether it asks before it runs a command.
      var asks: Bool { name != "codex-exec" && name != "hermes" }

      static let all: [Subject] = RealAgent.Kind.installed.compactMap(RealAgent.init).flatMap { agent in
        let one = [Subject(name: agent.kind.rawValue, agent: agent, flags: agent.flags)]
        guard agent.kind == .codex else { return one }
        let oneShot = ["--agent", "codex-exec:\(agent.executable)", "--agent-mode", "danger-full-access"]
        return one + [Subject(name: "codex-exec", agent: agent, flags: oneShot)]
      }
    }

    /// How `parley ask` comes to its end.
    enum End: String, CaseIterable {
      case halt
      case secondHalt = "second halt"
      case quit
      case interruptedTwice = "Ctrl-C twice"
      case killed = "kill -9"
      case agentDied = "death of the agent"
    }

    /// What came of it.
    struct Outcome: Sendable {
      /// Processes when `parley` had ended, and 3 s later.
      var atOnce = 0
      var later = 0
      /// How long until none was left; nil if some were left after 3 s.
      var seconds: Double?
      var saysStopped = false
      /// Its last words.
      var said = ""
      /// Whether the command did its work after all.
      var wasWritten = false

      /// Whether nothing is left, and nothing was where "stopped" was said.
      var isRight: Bool { later == 0 && !wasWritten && !(saysStopped && atOnce > 0) }

      var row: String {
        let words = saysStopped ? "stopped" : said.contains("not known") ? "not known" : said.isEmpty ? "–" : "ended"
        return "\(later) left, none after \(seconds.map { "\(($0 * 100).rounded() / 100) s" } ?? "3 s not"): \(words)"
      }
    }

    @Test(.timeLimit(.minutes(15)), arguments: Subject.all)
    func nothingIsLeftWhereItIsSaidToHaveStopped(_ subject: Subject) async throws {
      try await RealAgent.withModel { port in
        for end in End.allCases {
          let outcome = try await outcome(of: end, subject, port: port)
          #expect(outcome.isRight, "\(subject.name), \(end.rawValue): \(outcome)")
          // Where nobody killed it in the middle of a word, it says what became of the work.
          #expect(
            [.interruptedTwice, .killed].contains(end) || !outcome.said.isEmpty,
            "\(subject.name), \(end.rawValue): nothing was said of the work that was cut short")
          print("\(subject.name), \(end.rawValue): \(outcome.row)")
        }
      }
    }

    /// Where the session goes on behind a halt, and the agent with it, the command is over once "stopped" is said.
    @Test(.timeLimit(.minutes(5)), arguments: Subject.all)
    func aHaltEndsTheCommandOfAnAgentThatStays(_ subject: Subject) async throws {
      let folder = try TemporaryFolder()
      let file = folder.path + "/long.txt"
      let processes = Processes(mark: folder.path)
      try await subject.agent.inATerminal(flags: subject.flags, environment: ["ENDS_MARK": folder.path]) { terminal in
        try await terminal.press("i")
        try await terminal.type("please run-long \(file)")
        try await terminal.press("Enter")
        if subject.asks {
          try await terminal.waitFor("asks      ")
          try await terminal.press("a")
        }
        try await waitUntil { FileManager.default.fileExists(atPath: file + ".started") }
        #expect(!processes.with("sleep 20.5").isEmpty)
        try await terminal.press("h")
        try await terminal.waitFor("The agent stopped.")
        let start = ContinuousClock.now
        try await waitUntil { processes.with("sleep 20.5").isEmpty || ContinuousClock.now - start >= .seconds(3) }
        #expect(processes.with("sleep 20.5").isEmpty, "\(subject) is said to have stopped, and its command runs on")
        #expect(!FileManager.default.fileExists(atPath: file))
      }
    }

    private func outcome(of end: End, _ subject: Subject, port: String) async throws -> Outcome {
      let home = try TemporaryFolder()
      var environment = try subject.agent.prepare(home, port: port)
      environment["ENDS_MARK"] = home.path
      let processes = Processes(mark: home.path)
      let arguments =
        ["ask", "please run-long \(home.path)/long.txt", "--working-folder", home.path] + subject.flags
      try await Program.run(arguments, home: home, environment: environment, errors: home.path + "/errors") {
        execution in
        let input = execution.standardInputWriter
        _ = try await input.write(Array("approve\napprove\n".utf8))
        try await waitUntil { FileManager.default.fileExists(atPath: home.path + "/long.txt.started") }
        func told(_ words: String) async throws {
          try await waitUntil { processes.now.isEmpty || Self.text(home.path + "/errors").contains(words) }
        }
        switch end {
        case .halt: _ = try await input.write(Array("halt\n".utf8))
        case .secondHalt:
          _ = try await input.write(Array("halt\n".utf8))
          try await told("Telling the agent to stop")
          _ = try await input.write(Array("halt\n".utf8))
        case .quit: _ = try await input.write(Array("quit\n".utf8))
        case .interruptedTwice:
          try execution.send(signal: .interrupt)
          try await told("Telling the agent to stop")
          try execution.send(signal: .interrupt)
        case .killed: try execution.send(signal: .kill)
        case .agentDied: for process in processes.of(subject.agent.executable) { kill(process, SIGKILL) }
        }
      }
      var outcome = Outcome()
      let start = ContinuousClock.now
      outcome.atOnce = processes.now.count
      outcome.later = outcome.atOnce
      try await waitUntil {
        outcome.later = processes.now.count
        return outcome.later == 0 || ContinuousClock.now - start >= .seconds(3)
      }
      if outcome.later == 0 { outcome.seconds = (ContinuousClock.now - start) / .seconds(1) }
      let errors = Self.text(home.path + "/errors")
      outcome.said = errors.split(separator: "\n").last { $0.hasPrefix("parley: ") }.map(String.init) ?? ""
      outcome.saysStopped = errors.contains("was stopped")
      outcome.wasWritten = FileManager.default.fileExists(atPath: home.path + "/long.txt")
      for process in processes.now { kill(process, SIGKILL) }
      return outcome
    }

    private static func text(_ path: String) -> String {
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
  }

  /// The processes that belong to a test, whatever group, session or parent they have: those that were given its mark, work in its
  /// folder, or name it.
  private struct Processes: Sendable {
    let mark: String

    /// Those that live.
    var now: [pid_t] {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return all.compactMap { pid_t($0) }.filter { isOurs($0) }
    }

    /// Those of them with these words in their command.
    func with(_ words: String) -> [pid_t] {
      now.filter { read($0, "cmdline").split(separator: "\0").joined(separator: " ").contains(words) }
    }

    /// Those of them that were started from this file, or by an interpreter that runs it.
    func of(_ executable: String) -> [pid_t] {
      let real = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
      return now.filter { process in
        let words = read(process, "cmdline").split(separator: "\0").prefix(2)
        return words.contains { $0 == executable || $0 == real } && !words.contains { $0.hasSuffix("parley") }
      }
    }

    private func isOurs(_ process: pid_t) -> Bool {
      guard process != getpid() else { return false }
      // The dead have nothing of these; who has just been made has those of its parent.
      let folder = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) ?? ""
      guard !read(process, "cmdline").isEmpty else { return false }
      return folder.hasPrefix(mark) || read(process, "environ").contains("ENDS_MARK=" + mark)
        || read(process, "cmdline").contains(mark)
    }

    private func read(_ process: pid_t, _ file: String) -> String {
      String(decoding: FileManager.default.contents(atPath: "/proc/\(process)/\(file)") ?? Data(), as: UTF8.self)
    }
  }
#endif
