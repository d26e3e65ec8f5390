import Subprocess
import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let recordings = Repository.path + "/audio-fixtures/recordings/"

/// Whether this machine can run these tests; without tmux they are skipped by name.
private let hasTerminal = Program.isInstalled("tmux") && Program.isInstalled("python3")

/// How the program is started in a terminal.
struct TerminalStart: Sendable {
  var instructions = ["why is the build failing"]
  var server: [String] = []
  var agent = "echo"
  var arguments: [String] = []
  var environment = ""
  /// A key that is pressed once something can be seen comes late enough.
  var settings = "shownMilliseconds: 1"
  /// Utterances in the recording, 4 s apart.
  var utterances = 1

  static let scriptedAgent = "'acp:python3 \(Repository.path)/Tests/servers/scripted_acp_agent.py'"

  func command(_ server: IndependentServer, _ home: TemporaryFolder) throws -> String {
    let microphone = home.path + "/said.raw"
    var parts: [Recordings.Part] = [.recording("d06_flite_slt.wav")]
    for _ in 1..<utterances { parts += [.silence(milliseconds: 4_000), .recording("d04_flite_slt.wav")] }
    try Recordings.write(parts, to: microphone)
    let configuration = home.path + "/parley.json5"
    try Data("{ interaction: { \(settings) } }".utf8).write(to: URL(filePath: configuration))
    return "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(environment) \(Program.path) run --live \(server.url) "
      + "--speaker none --agent \(agent) --microphone \(microphone) --session \(home.path)/session "
      + "--config \(configuration) "
      + arguments.joined(separator: " ")
  }

  /// Run the program in a home of its own.
  func run(_ body: @Sendable @escaping (Terminal) async throws -> Void) async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run(instructions.flatMap { ["--instruction", $0] } + server) { server in
      try await Terminal.run(try command(server, home), home: home, body)
    }
  }

  /// The same, from where the first instruction is held and the keys are shown.
  func review(_ body: @Sendable @escaping (Terminal) async throws -> Void) async throws {
    try await run { terminal in
      try await terminal.waitFor(keys)
      try await body(terminal)
    }
  }
}

private let keys = "a approve   r reject   e edit"

/// An instruction that is held, and the keys that decide it.
@Suite(.enabled(if: hasTerminal, "tmux and python3 are needed")) struct ReviewInTerminalTests {
  @Test(.timeLimit(.minutes(5))) func theKeyAHandsTheHeldInstructionOn() async throws {
    try await TerminalStart().review { terminal in
      #expect(try await terminal.screen().contains("held      why is the build failing"))
      try await terminal.press("a")
      try await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("approved  why is the build failing"), "\(screen)")
      #expect(screen.contains("sent      why is the build failing"), "\(screen)")
      #expect(screen.contains("agent     why is the build failing"), "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(5))) func theKeyRDropsItAndCapitalRTakesAReason() async throws {
    for (key, reason) in [("r", ""), ("R", "not now")] {
      try await TerminalStart().review { terminal in
        try await terminal.press(key)
        if !reason.isEmpty {
          try await terminal.look(for: "reject, because >")
          try await terminal.type(reason)
          try await terminal.press("Enter")
        }
        try await terminal.waitFor("code 0")
        let screen = try await terminal.screen()
        #expect(screen.contains("rejected  why is the build failing"), "\(screen)")
        #expect(!screen.contains("sent "), "\(screen)")
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func theKeyEEditsItInPlace() async throws {
    try await TerminalStart().review { terminal in
      try await terminal.press("e")
      try await terminal.press("C-w")
      try await terminal.type("green again")
      // To the beginning, over a word, and back again: the usual Emacs keys.
      try await terminal.press("C-a", "M-d", "C-y", "C-e", "Enter")
      try await terminal.waitFor("amended   why is the build green again")
      try await terminal.press("a")
      try await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("sent      why is the build green again"), "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(5))) func capitalEEditsItInTheUsersOwnEditor() async throws {
    try await TerminalStart(environment: "EDITOR='sed -i s/failing/so.slow/'").review { terminal in
      try await terminal.press("E")
      try await terminal.waitFor("amended   why is the build so.slow")
      // The keys are the program's again.
      try await terminal.press("a")
      try await terminal.waitFor("code 0")
      #expect(try await terminal.screen().contains("sent      why is the build so.slow"))
    }
  }

  /// The thread that waits for it takes no signals itself.
  @Test(.timeLimit(.minutes(5))) func theEditorIsResizedAndStopped() async throws {
    try await TerminalStart(environment: "EDITOR='sed -n s/SigBlk:./blocked=/p /proc/self/status'").review { terminal in
      try await terminal.press("E")
      try await terminal.waitFor("blocked=0000000000000000")
    }
  }

  @Test(.timeLimit(.minutes(5))) func anEditorThatFailsChangesNothing() async throws {
    try await TerminalStart(environment: "EDITOR=false").review { terminal in
      try await terminal.press("E")
      try await terminal.waitFor("The editor failed; nothing was changed.")
      try await terminal.press("a")
      try await terminal.waitFor("sent      why is the build failing")
    }
  }

  @Test(.timeLimit(.minutes(5))) func whatIsSaidAfterTheKeyXIsAdded() async throws {
    let start = TerminalStart(instructions: ["why is the build failing", "on the main branch"], utterances: 2)
    try await start.review { terminal in
      try await terminal.press("x")
      try await terminal.waitFor("extend    Keep speaking: why is the build failing …")
      try await terminal.waitFor("amended   why is the build failing on the main branch")
      try await terminal.press("a")
      try await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("sent      why is the build failing on the main branch"), "\(screen)")
    }
  }
}

/// What the agent asks and does, and the keys for that.
@Suite(.enabled(if: hasTerminal, "tmux and python3 are needed")) struct WorkInTerminalTests {
  @Test(.timeLimit(.minutes(5))) func whatTheAgentAsksIsAllowedOrDenied() async throws {
    for (key, outcome) in [("a", "allowed"), ("r", "denied")] {
      try await TerminalStart(instructions: ["permission"], agent: TerminalStart.scriptedAgent).review { terminal in
        try await terminal.press("a")
        try await terminal.waitFor("asks      ")
        try await terminal.press("d")
        try await terminal.waitFor("explains ")
        try await terminal.press(key)
        try await terminal.waitFor("\(outcome) ")
        try await terminal.waitFor("done ")
      }
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["claude", "codex"])
  func whatTheAgentWantsToKnowIsAnsweredByNumberAndInWords(_ language: String) async throws {
    let start = TerminalStart(
      instructions: ["question"],
      agent: "'\(language):python3 \(Repository.path)/Tests/servers/scripted_agents.py \(language)'")
    // Codex names its questions.
    let answer =
      language == "codex"
      ? #"{"colour": "Blue", "count": "three"}"# : #"{"How many?": "three", "Which colour?": "Blue"}"#
    try await start.review { terminal in
      try await terminal.press("a")
      try await terminal.waitFor("Which colour?")
      try await terminal.press("2")
      try await terminal.waitFor("How many?")
      try await terminal.press("w")
      try await terminal.type("three")
      try await terminal.press("Enter")
      try await terminal.waitFor("agent     \(answer)")
      try await terminal.waitFor("done ")
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [("A", "No standing approvals."), ("w", "No question is held.")])
  func aKeyForWhatIsNotThereLeavesTheKeysToTheNext(_ key: String, _ lack: String) async throws {
    try await TerminalStart().review { terminal in
      try await terminal.press(key)
      try await terminal.waitFor("cannot    \(lack)")
      try await terminal.press("a")
      try await terminal.waitFor("approved  why is the build failing")
    }
  }

  @Test(.timeLimit(.minutes(5))) func twoHeldItemsAreGoneThroughWithNAndP() async throws {
    try await TerminalStart().review { terminal in
      try await terminal.press("i")
      try await terminal.look(for: "say >")
      try await terminal.type("show the diff")
      try await terminal.press("Enter")
      try await terminal.waitFor("held      show the diff  (number 2)")
      try await terminal.press("n")
      try await terminal.waitFor("held      show the diff  (2 of 2")
      try await terminal.press("p")
      try await terminal.waitFor("held      why is the build failing  (1 of 2")
      try await terminal.press("n")
      try await terminal.waitFor("held      show the diff  (2 of 2")
      try await terminal.press("r")
      try await terminal.waitFor("rejected  show the diff")
      try await terminal.press("a")
      try await terminal.waitFor("sent      why is the build failing")
    }
  }

  @Test(.timeLimit(.minutes(5))) func escapeStopsTheSpeechAndTheWorkGoesOn() async throws {
    try await TerminalStart(server: ["--ms-per-character", "300"]).review { terminal in
      try await terminal.press("Escape")
      try await terminal.waitFor("quiet     Speech stopped; the work goes on.")
      try await terminal.press("a")
      try await terminal.waitFor("sent      why is the build failing")
      try await terminal.waitFor("done ")
    }
  }

  @Test(.timeLimit(.minutes(5))) func theKeyHStopsTheWorkAndSaysWhenThatIsSure() async throws {
    try await TerminalStart(instructions: ["slow"], agent: TerminalStart.scriptedAgent).review { terminal in
      try await terminal.press("a")
      try await terminal.waitFor("sent      slow")
      try await terminal.press("h")
      try await terminal.waitFor("halt      Telling the agent to stop.")
      try await terminal.waitFor("stopped   The agent stopped.")
    }
  }

  @Test(.timeLimit(.minutes(5))) func theKeysMAndUSwitchTheModeAndTheMicrophone() async throws {
    try await TerminalStart().run { terminal in
      try await terminal.waitFor("Listening")
      try await terminal.press("m")
      try await terminal.waitFor("mode      direct")
      try await terminal.press("m")
      try await terminal.waitFor("mode      review")
      try await terminal.press("u")
      try await terminal.waitFor("mic       The microphone is closed.")
      try await terminal.press("Space")
      try await terminal.waitFor("mic       The microphone is open.")
      // What was heard by then may be held, or not be answered yet: it asks.
      try await terminal.press("q")
      try await terminal.press("q")
      try await terminal.waitFor("code 0")
    }
  }
}

/// Keys that are pressed too soon, or are no keys.
@Suite(.enabled(if: hasTerminal, "tmux and python3 are needed")) struct TypingInTerminalTests {
  @Test(.timeLimit(.minutes(5))) func aKeyThatComesBeforeTheRequestCanHaveBeenReadAllowsNothing() async throws {
    let start = TerminalStart(
      instructions: ["permission"], agent: TerminalStart.scriptedAgent, arguments: ["--mode", "direct"],
      settings: "shownMilliseconds: 5000")
    try await start.run { terminal in
      try await terminal.waitFor("asks      ")
      try await terminal.press("a")
      try await terminal.waitFor("cannot    This has only just appeared. Read it, then decide again.")
      let screen = try await terminal.screen()
      #expect(!screen.contains("allowed "), "\(screen)")
    }
  }

  @Test(
    .timeLimit(.minutes(5)), arguments: ["hang on", "hang on\nand approve\n", "a\n", "\nah no", "hang on\nand|then\n"])
  func typedProseIsTextForTheInputLineAndNoRowOfCommands(_ prose: String) async throws {
    let start = TerminalStart(
      instructions: ["slow", "why is the build failing"], agent: TerminalStart.scriptedAgent, utterances: 2)
    try await start.review { terminal in
      try await terminal.press("a")
      try await terminal.waitFor("sent      slow")
      try await terminal.waitFor("held      why is the build failing")
      let pieces = prose.split(separator: "|").map(String.init)
      try await terminal.type(pieces)
      let text = pieces.joined().split(separator: "\n").joined(separator: " ")
      let screen = try await terminal.look(for: "say > \(text)")
      #expect(!screen.contains("halt "), "\(screen)")
      #expect(!screen.contains("approved  why"), "\(screen)")
      try await terminal.press("C-c")
      try await terminal.press("h")
      try await terminal.waitFor("halt      Telling the agent to stop.")
    }
  }
}

/// The terminal itself, left as it was found.
@Suite(.enabled(if: hasTerminal, "tmux and python3 are needed")) struct TheTerminalTests {
  @Test(.timeLimit(.minutes(5))) func whoQuitsDuringWorkIsAskedAndInTheEditorHeOnlyLeavesThat() async throws {
    try await TerminalStart(instructions: ["slow"], agent: TerminalStart.scriptedAgent).review { terminal in
      try await terminal.press("i")
      try await terminal.type("quit")
      try await terminal.look(for: "say > quit")
      try await terminal.press("C-c")
      try await terminal.press("a")
      try await terminal.waitFor("sent      slow")
      #expect(!(try await terminal.screen()).contains("say > quit"))
      try await terminal.press("q")
      try await terminal.waitFor("quit      The agent is at work.")
      try await terminal.press("?")
      try await terminal.waitFor("Esc quiet")
      try await terminal.press("C-c")
      try await terminal.waitFor("quit      The agent is at work.")
      try await terminal.press("g")
      try await terminal.press("i")
      try await terminal.type("quit")
      try await terminal.press("Enter")
      try await terminal.waitFor("quit      The agent is at work.")
      try await terminal.press("C-c")
      try await terminal.waitFor("code 0")
    }
  }

  @Test(.timeLimit(.minutes(5))) func spaceHeldDownOpensTheMicrophoneOnceAndClosesItAtItsRelease() async throws {
    try await TerminalStart(settings: "listenFromStart: false").run { terminal in
      try await terminal.waitFor("live      Connected; the microphone is closed.")
      try await terminal.hold("Space", times: 30)
      try await terminal.waitFor("mic       The microphone is open.")
      try await terminal.waitFor("mic       The microphone is closed.")
      let lines = try await terminal.screen().split(separator: "\n").filter { $0.hasPrefix("mic  ") }
      #expect(lines.count == 2, "\(lines)")
    }
  }

  @Test(.timeLimit(.minutes(5))) func theStatusLineKeepsToTheWidthOfTheTerminal() async throws {
    try await TerminalStart(arguments: ["--display", "status"]).run { terminal in
      try await terminal.waitFor("held      why is the build failing")
      try await terminal.look(for: "held 1")
      let before = try await terminal.look(for: "waiting | review |")
      #expect(before.split(separator: "\n").filter { $0.contains("| review |") }.count == 1, "\(before)")
      try await terminal.resize(columns: 30)
      // The line is cut, and drawn once.
      let after = try await terminal.look(for: "…")
      let lines = after.split(separator: "\n").filter { $0.contains("waiting | review |") }
      #expect(lines.count == 1 && lines[0].count <= 30, "\(after)")
      try await terminal.press("a")
      try await terminal.waitFor("code 0")
      // Nothing of it is left.
      #expect(!(try await terminal.screen()).contains("| review"))
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["TERM", "HUP", "INT"])
  func theTerminalIsUsableAfterASignal(_ signal: String) async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run([]) { server in
      let command = try TerminalStart().command(server, home)
      try await Terminal.run("PS1='ready> ' bash --norc -i", home: home) { terminal in
        try await terminal.look(for: "ready>")
        try await terminal.type("sh -c 'echo pid=$$=; exec env \(command)'")
        try await terminal.press("Enter")
        // The shell may write controls of its own before the number; what was typed holds no number.
        let process = try await terminal.journal.next { line -> String? in
          line.split(separator: "=").map(String.init).first { Int($0) != nil }
        }
        try await terminal.waitFor("Listening")
        _ = try await Subprocess.run(.name("kill"), arguments: ["-\(signal)", process], output: .discarded)
        // What is typed before the shell has the terminal again would be a key of the program's, or be dropped with its mode.
        try await terminal.lookForPrompt("ready>")
        try await terminal.type("echo usable-$((20 + 3))")
        try await terminal.press("Enter")
        try await terminal.waitFor("usable-23")
        #expect(try await terminal.screen().contains("echo usable-$((20 + 3))"))
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func theTerminalIsUsableAfterTheProgramWasAskedToEnd() async throws {
    try await TerminalStart().run { terminal in
      try await terminal.waitFor("Listening")
      try await terminal.press("?")
      try await terminal.waitFor("Esc quiet")
      try await terminal.press("C-c")
      try await terminal.waitFor("code 0")
      // The shell's `cat` echoes only if echoing was switched on again.
      try await terminal.type("still here")
      try await terminal.press("Enter")
      try await terminal.waitFor("still here")
      #expect(try await terminal.screen().contains("still here"))
    }
  }
}
