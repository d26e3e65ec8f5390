import Subprocess
import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import parley

/// A terminal with a program in it, driven by keys and read from its screen. Needs tmux.
struct Terminal {
  private struct Press {
    var keys: [String] = []
    var at = ContinuousClock.now
  }

  private let socket: String
  /// What the program wrote, a line each.
  let journal: Journal<String>
  /// The key that was pressed last, and when.
  private let pressed = Locked(Press())

  /// Run a shell command in a terminal of 110 × 40 while the body runs.
  static func run(
    _ command: String, home: TemporaryFolder, _ body: @Sendable @escaping (Terminal) async throws -> Void
  ) async throws {
    // The server of the terminal before may still be on its way out.
    let number = UInt32.random(in: .min ... .max)
    let socket = "\(home.path)/tmux-\(number)"
    let pipe = "\(home.path)/screen-\(number)"
    let terminal = Terminal(socket: socket, journal: Journal())
    _ = try await Subprocess.run(.name("mkfifo"), arguments: [pipe], output: .discarded)
    _ = try await Subprocess.run(
      .name("cat"), arguments: [pipe], input: .none, output: .sequence, error: .discarded
    ) { execution in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for try await line in execution.standardOutput.strings() { terminal.journal.append(line) }
        }
        // The shell waits for a line, so that nothing is written before the screen is watched.
        try await terminal.tmux(
          [
            "-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "40", "sh", "-c",
            "trap : INT; read go; \(command); code=$?; echo; echo code $code; cat",
          ])
        let outcome: Result<Void, any Error>
        do {
          try await terminal.tmux(["pipe-pane", "-O", "cat > \(pipe)"])
          try await terminal.press("Enter")
          outcome = .success(try await body(terminal))
        } catch {
          // What could be seen when it failed says more than the line that did not come.
          let screen = try await Task { try await terminal.screen() }.value
          Issue.record("\(error), while the screen showed:\n\(screen)")
          outcome = .failure(error)
        }
        // However the body ended, nothing is left running; a task of its own, since this one may be cancelled.
        try await Task { try await terminal.tmux(["kill-server"]) }.value
        try await group.waitForAll()
        try outcome.get()
      }
    }
  }

  /// Press keys, by their tmux names, as a person does who looks at what each does.
  func press(_ keys: String...) async throws {
    try await rest(before: keys)
    try await tmux(["send-keys"] + keys)
    pressed.withLock { $0 = Press(keys: keys) }
  }

  /// Hold a key down: so many of it come at once.
  func hold(_ key: String, times: Int) async throws {
    try await rest(before: [key])
    try await tmux(["send-keys", "-N", "\(times)", key])
    pressed.withLock { $0 = Press(keys: [key]) }
  }

  /// Type characters as they are, all at once, or in pieces right behind each other.
  func type(_ pieces: String...) async throws { try await type(pieces) }

  func type(_ pieces: [String]) async throws {
    try await rest(before: [])
    // One command for all: a busy machine takes its time between two.
    try await tmux(Array(pieces.map { ["send-keys", "-l", $0] }.joined(separator: [";"])))
  }

  /// Keys that come sooner are no single keys, and a busy machine reads the one before late.
  private func rest(before keys: [String]) async throws {
    let last = pressed.withLock { $0 }
    let pause = last.keys == keys ? KeyBurst.repeating : KeyBurst.typing
    try await waitUntil { last.keys.isEmpty || ContinuousClock.now - last.at >= pause + .milliseconds(250) }
  }

  func resize(columns: Int) async throws { try await tmux(["resize-window", "-x", "\(columns)"]) }

  /// Wait until the program has written this; bounded by the test's time limit.
  func waitFor(_ text: String) async throws {
    _ = try await journal.next { $0.contains(text) ? true : nil }
  }

  /// Wait until the program has written a number between these, and return it.
  func number(between head: String, and tail: String) async throws -> Int {
    try await journal.next { line in
      line.firstRange(of: head).flatMap { head in
        line[head.upperBound...].firstRange(of: tail).flatMap { Int(line[head.upperBound..<$0.lowerBound]) }
      }
    }
  }

  /// Look at the screen until this can be seen; for what is no line of its own, such as a prompt.
  @discardableResult func look(for text: String) async throws -> String {
    var seen = ""
    try await waitUntil {
      seen = try await screen()
      return seen.contains(text)
    }
    return seen
  }

  /// Look at the screen until this stands alone on its last line, as a shell's prompt does that waits for a command.
  func lookForPrompt(_ text: String) async throws {
    try await waitUntil {
      let lines = try await screen().split(whereSeparator: \.isNewline)
      return lines.last { !$0.allSatisfy(\.isWhitespace) }?.trimmingWhitespace() == text
    }
  }

  /// The screen as a person sees it.
  func screen() async throws -> String {
    try await Subprocess.run(
      .name("tmux"), arguments: ["-S", socket, "capture-pane", "-p"], output: .string(limit: 1 << 20)
    ).standardOutput
  }

  private func tmux(_ arguments: [String]) async throws {
    let result = try await Subprocess.run(
      .name("tmux"), arguments: Arguments(["-S", socket] + arguments), output: .discarded,
      error: .string(limit: 4096))
    #expect(result.terminationStatus.isSuccess, "tmux \(arguments): \(result.standardError)")
  }
}
