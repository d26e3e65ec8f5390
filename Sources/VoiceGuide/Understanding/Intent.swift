/// What the guide understood: one thing that it can do, or an honest refusal.
package enum Intent: Equatable, Sendable {
  case help
  case greeting
  case thanks
  /// The user changed their mind, or told the guide not to do something.
  case nothing
  case workingFolder

  /// List what lies in a folder; nil is the working folder itself.
  case listFiles(folder: String?, language: Language?)
  /// Find files whose name is, or holds, this.
  case findFiles(name: String)
  case readFile(name: String, lines: LineSpan?)
  /// Count files in a folder; nil is the working folder itself.
  case countFiles(folder: String?, language: Language?)
  /// Count lines of one file or in one folder, of one language, or of everything.
  case countLines(place: String?, language: Language?)
  case search(SearchQuery)
  case describeRepository

  case status
  /// The newest commits; `commits` is at least 1.
  case history(commits: Int)
  case difference(DifferenceScope)
  case currentBranch
  case branches
  /// What the guide itself changed.
  case ownChanges

  case runTests
  case testDuration
  /// Append to the notes; nil if no text was said.
  case writeNote(text: String?)
  /// Make a branch; nil if no name was said.
  case createBranch(name: String?)

  /// Something that needs a language model, or that was not understood. `understood` is what the user said.
  case refused(Refusal, understood: String)
}

/// Why the guide does not do what was asked.
package enum Refusal: Equatable, Sendable {
  /// It would have to write or change code.
  case changing
  /// It would have to understand code or find a cause.
  case explaining
  /// It would have to run something other than the project's tests.
  case running
  /// The words are not among those that it knows.
  case unknown
}

/// Which lines of a file are to be read out.
package enum LineSpan: Equatable, Sendable {
  /// These, counting from 1.
  case from(Int, through: Int)
  case last(Int)
}

/// Which two states are compared.
package enum DifferenceScope: Equatable, Sendable {
  case lastCommit
  /// What is not committed yet.
  case workingTree
}

/// What to look for in the text of the files.
package struct SearchQuery: Equatable, Sendable {
  /// Which of the places that have the words are meant.
  package enum Focus: Equatable, Sendable {
    case mentions
    /// Places that call it, not the place that declares it.
    case calls
    case declarations
  }

  /// The words to find, without articles and without words such as "method".
  package var words: [String]
  package var focus = Focus.mentions
}
