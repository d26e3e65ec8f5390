import VoiceJSON
import VoiceSystem
import VoiceVocabulary

// What the guide does, as opposed to tells: each act is asked for first.

extension GuideTurn {
  /// Run the folder's tests, once that is allowed.
  func runTests() async throws {
    guard let command = TestCommand.detect(in: folder) else {
      say("I found no tests that I know how to run here.")
      say("I look for script/test, and for the tests of Swift, npm, Cargo, make and pytest.")
      return
    }
    var words = command.words
    if words[0].contains("/") { words[0] = folder.absolute(words[0]) }
    let child = ToolProcess(words: words, folder: folder.path, seconds: GuideLimits.testSeconds)
    let input: JSON = ["command": .array(command.words.map { .string($0) })]
    let outcome: TestOutcome? = try await withPermission(for: "tests", "execute", "Run \(command.title)", input: input)
    { report in
      say("I run \(command.title).")
      let result: ToolProcess.Result
      do { result = try await child.run() } catch {
        try Task.checkCancellation()
        report.failed = true
        return .notStarted
      }
      let run = TestRun(
        title: command.title, duration: result.duration, report: TestReport(output: result.text, ending: result.ending))
      report.failed = !result.succeeded
      report.text = String(decoding: result.output.suffix(4_000), as: UTF8.self)
      return .ran(run)
    }
    switch outcome {
    case nil: say("All right, I do not run the tests.")
    case .notStarted: say("I could not start \(command.title). Is it installed, and may it be run?")
    case .ran(let run):
      session.memory.withLock { $0.lastTestRun = run }
      for sentence in run.report.spoken { say(sentence) }
      say("That took \(Speakable.duration(run.duration)).")
    }
  }

  private enum TestOutcome: Sendable {
    case ran(TestRun)
    case notStarted
  }

  /// How long the last run of the tests took.
  func testDuration() {
    if let run = session.memory.withLock({ $0.lastTestRun }) {
      say("The last run of \(run.title) took \(Speakable.duration(run.duration)).")
    } else {
      say("I have not run the tests in this session, so I do not know.")
      say("Say: run the tests.")
    }
  }

  // Notes.

  /// Write a note into the folder, once that is allowed.
  func writeNote(_ text: String?) async throws {
    guard let text, !text.isEmpty else {
      say("What should the note say? Say: take a note, and then the text.")
      return
    }
    let note = String(Speakable.sanitized(text).prefix(GuideLimits.noteCharacters))
    let file = "NOTES.md"
    let input: JSON = ["path": .string(folder.absolute(file)), "append": .string(note)]
    let wasWritten: Bool? = try await withPermission(for: "note", "edit", "Write a note to \(file)", input: input) {
      report in
      report.locations = [.init(path: file, line: nil)]
      report.text = note
      let wasWritten = append("- \(note)\n", to: file)
      report.failed = !wasWritten
      return wasWritten
    }
    switch wasWritten {
    case nil: say("All right, I do not write it down.")
    case true?:
      session.memory.withLock { $0.changes.append("added a note to \(file)") }
      say("I wrote it to \(file).")
    case false?: say("I could not write to \(file). It must be a file of its own in the working folder.")
    }
  }

  /// Append to a file that lies directly in the working folder; a symbolic link is not followed.
  private func append(_ text: String, to name: String) -> Bool {
    let descriptor: Int32
    do { descriptor = try PlainFile.open(writing: folder.absolute(name), O_APPEND) } catch { return false }
    defer { close(descriptor) }
    return Descriptors.offer(Array(text.utf8), to: descriptor)
  }

  // Branches.

  /// Create a branch, once that is allowed.
  func createBranch(_ name: String?) async throws {
    guard let name else {
      say("How should the branch be called? Say: create a branch called, and then the name.")
      return
    }
    guard try await git.isRepository() else { throw Git.Failure.noRepository }
    guard try await git.ask(["check-ref-format", "--branch", name]).succeeded else {
      say("Git does not accept \(name) as the name of a branch.")
      return
    }
    if try await git.has("refs/heads/\(name)") {
      say("There is already a branch called \(name).")
      return
    }
    let words = ["switch", "--create", name]
    let input: JSON = ["command": .array((["git"] + words).map { .string($0) })]
    let created: Bool? = try await withPermission(for: "branch", "execute", "Create the branch \(name)", input: input) {
      report in
      let result = try await git.ask(words)
      report.text = result.text
      report.failed = !result.succeeded
      return result.succeeded
    }
    switch created {
    case nil: say("All right, I do not create the branch.")
    case true?:
      session.memory.withLock { $0.changes.append("created the branch \(name)") }
      say("I created the branch \(name), and you are on it now.")
    case false?: say("Git could not create the branch \(name).")
    }
  }
}
