import VoiceJSON
import VoiceLanguage
import VoiceVocabulary

/// How the project's tests are run.
struct TestCommand: Equatable, Sendable {
  /// The program and its arguments; a path within the working folder for a script of the project.
  var words: [String]

  /// The command as it is typed.
  var title: String { words.joined(separator: " ") }

  /// What the files of a folder say about its tests; nil if they say nothing. The project's own script comes first.
  static func detect(in folder: WorkingFolder) -> TestCommand? {
    for script in ["script/test", "scripts/test", "bin/test"] where folder.hasFile(script) {
      return TestCommand(words: [script])
    }
    func text(_ path: String) -> String? {
      do throws(WorkingFolder.Obstacle) { return folder.hasFile(path) ? try folder.read(path).text : nil } catch {
        return nil
      }
    }
    if folder.hasFile("Package.swift") { return TestCommand(words: ["swift", "test"]) }
    if let manifest = text("package.json"), hasTestScript(manifest) {
      return TestCommand(words: ["npm", "test"])
    }
    if folder.hasFile("Cargo.toml") { return TestCommand(words: ["cargo", "test"]) }
    for name in ["Makefile", "makefile", "GNUmakefile"] {
      if let rules = text(name),
        rules.lines.contains(where: { $0.hasPrefix("test:") || $0.hasPrefix("test :") })
      {
        return TestCommand(words: ["make", "test"])
      }
    }
    if folder.hasFile("pytest.ini") || folder.hasFile("conftest.py") || folder.hasFile("tests/conftest.py")
      || ["pyproject.toml", "setup.cfg", "tox.ini"].contains(where: { text($0)?.contains("pytest") ?? false })
      || hasPythonTests(in: folder)
    {
      return TestCommand(words: ["pytest"])
    }
    return nil
  }

  private static func hasTestScript(_ manifest: String) -> Bool {
    JSON(parsing: manifest.utf8)?["scripts"]?["test"]?.string != nil
  }

  private static func hasPythonTests(in folder: WorkingFolder) -> Bool {
    [".", "tests", "test"].contains { place in
      folder.names(in: place).contains { $0.hasPrefix("test_") && $0.hasSuffix(".py") }
    }
  }
}

/// One run of the tests, as later questions ask for it.
struct TestRun: Equatable, Sendable {
  var title: String
  var duration: Duration
  var report: TestReport
}

/// What a test runner said at its end.
struct TestReport: Equatable, Sendable {
  var ending: ToolProcess.Ending
  var passed: Int?
  var failed: Int?
  /// The name of the first test that failed, or the first line that says so.
  var firstFailure: String?

  /// Find the counts and the failures in the output of any known test runner.
  init(output: String, ending: ToolProcess.Ending) {
    self.ending = ending
    for line in output.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace).map { String($0.filter { $0.isLetter || $0.isNumber }) }
      read(words.filter { !$0.isEmpty })
      if firstFailure == nil, Self.tellsFailure(line) {
        firstFailure = Speakable.line(line.drop { !$0.isLetter }, limit: 160)
      }
    }
  }

  /// One or two sentences.
  var spoken: [String] {
    let counts = [
      failed.map { $0 > 0 ? Speakable.count($0, "test") + " failed" : nil } ?? nil,
      passed.map { $0 > 0 ? Counted($0, "test").alone + " passed" : nil } ?? nil,
    ].compactMap { $0 }
    let detail = counts.isEmpty ? "" : ": " + counts.joined(separator: " and ")
    var sentences: [String]
    switch ending {
    case .exited(code: 0): sentences = ["The tests passed\(detail)."]
    case .exited(let code):
      sentences = [counts.isEmpty ? "The tests failed with exit code \(code)." : "The tests failed\(detail)."]
    case .killed(let signal): sentences = ["The tests were ended by signal \(signal)."]
    case .timedOut: sentences = ["The tests took too long, so I stopped them."]
    }
    if ending != .exited(code: 0), let firstFailure { sentences.append("The first failure: \(firstFailure).") }
    return sentences
  }

  /// Summaries are lines such as "3 passed, 1 failed in 0.12s", "Executed 5 tests, with 1 failure" and
  /// "Test run with 12 tests in 3 suites passed". A later one is about more tests, so it replaces an earlier one
  /// where the runner counts them all, and adds to it where it counts by part (cargo).
  private mutating func read(_ words: [String]) {
    func number(before names: String...) -> Int? {
      for (index, word) in words.enumerated().dropFirst() where names.contains(word.lowercased()) {
        if let value = Int(words[index - 1]) { return Int(countTold: value) }
      }
      return nil
    }
    if words.starts(with: ["Test", "run", "with"]) || words.first == "Executed" || words.starts(with: ["Test", "run"]) {
      guard let all = number(before: "test", "tests"), all > 0 || passed == nil else { return }
      let wrong =
        words.contains("failed") || words.contains("with")
        ? number(before: "failure", "failures", "issue", "issues") ?? 0 : 0
      let isFailed = words.contains("failed") || wrong > 0
      // Swift Testing counts issues, not tests: how many tests passed is then not known.
      failed = isFailed && words.first != "Executed" ? nil : wrong
      passed = isFailed && words.first != "Executed" ? nil : all - wrong
    } else if words.starts(with: ["test", "result"]) {
      passed = (passed ?? 0).addingSaturated(number(before: "passed") ?? 0)
      failed = (failed ?? 0).addingSaturated(number(before: "failed") ?? 0)
    } else if let count = number(before: "passed", "passing") {
      passed = count
      if let wrong = number(before: "failed", "failing") { failed = wrong }
    } else if let wrong = number(before: "failed", "failing"), words.count < 12 {
      failed = wrong
    }
  }

  private static func tellsFailure(_ line: Substring) -> Bool {
    let line = line.drop(while: \.isWhitespace)
    return ["FAILED ", "FAIL ", "FAIL:", "not ok ", "✘ Test ", "--- FAIL", "● ", "error:", "Error:"].contains {
      line.hasPrefix($0)
    }
      || line.contains(": error: ") || line.contains(" ... FAILED") || line.contains("AssertionError")
  }
}
