/// What is known of the words of the project at hand. Data that enters a session as an event, so that it is in the log and
/// a replay repairs the same words.
package struct ProjectWords: Sendable {
  /// Names as they are written (files, types, functions, branches, packages), the most telling first; at most
  /// `Limits.projectWords`.
  package let names: [String]
  /// What the user taught by editing, oldest first.
  package let corrections: [Correction]
  /// The names sorted for a search, where whoever gathered them did that: it takes longer than a step of a session may.
  package let index: (any NameIndex)?

  package init(names: [String] = [], corrections: [Correction] = [], index: (any NameIndex)? = nil) {
    self.names = Array(names.prefix(Limits.projectWords))
    self.corrections = Array(corrections.suffix(Limits.corrections))
    self.index = index
  }
}

/// Names sorted for a search, as a language sorts them. Follows from the names: no part of a log, and of no comparison.
package protocol NameIndex: Sendable {}

extension ProjectWords: Equatable {
  package static func == (left: ProjectWords, right: ProjectWords) -> Bool {
    left.names == right.names && left.corrections == right.corrections
  }
}

extension ProjectWords: Codable {
  private enum CodingKeys: String, CodingKey { case names, corrections }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      names: try values.decode([String].self, forKey: .names),
      corrections: try values.decode([Correction].self, forKey: .corrections))
  }
}

/// One lesson: these words were heard, those were meant. One whose sides are equal says that the words are right as they
/// are and must be left alone.
package struct Correction: Hashable, Sendable, Codable {
  /// What was heard; lower case, words separated by single blanks.
  package var heard: String
  /// What was meant, as it is written.
  package var meant: String
  /// The words beside it when it was taught, lower case; empty at the edge of the text.
  package var before: String
  package var after: String

  package init(heard: String, meant: String, before: String = "", after: String = "") {
    self.heard = heard
    self.meant = meant
    self.before = before
    self.after = after
  }

  /// Whether this says that the heard words are right.
  package var leavesAlone: Bool { meant == heard }
}

/// Something to know about a few words of an instruction.
package enum WordNote: Equatable, Sendable, Codable {
  /// The words were put right for certain.
  case repaired(heard: String, written: String)
  /// The words were replaced by what they probably mean; the user and the agent are told.
  case guessed(heard: String, written: String)
  /// The words stand as they were heard, but may mean something else.
  case doubtful(heard: String, perhaps: String)
  /// The recogniser was not sure of the word; `place` is which of the text's words it is, where blanks part them.
  case unsure(heard: String, place: Int)

  /// The same note about a text that stands behind so many words.
  package func behind(words count: Int) -> WordNote {
    if case .unsure(let heard, let place) = self { .unsure(heard: heard, place: place + count) } else { self }
  }
}

/// A text after repair, and what became of its words.
package struct RepairedText: Equatable, Sendable {
  package var text: String
  package var notes: [WordNote]

  package init(text: String, notes: [WordNote]) {
    self.text = text
    self.notes = notes
  }
}

/// What was done to the words of an instruction.
package struct InstructionRepair: Equatable, Sendable, Codable {
  /// The text as the live model proposed it.
  package var raw: String
  package var notes: [WordNote]

  package init(raw: String, notes: [WordNote]) {
    self.raw = raw
    self.notes = notes
  }
}
