import ArgumentParser
import VoiceConfiguration
import VoiceFoundation
import VoiceLanguage
import VoiceRecording
import VoiceSystem
import VoiceVocabulary
import VoiceWords

/// `parley words`: the names of the project, and what was taught about words.
struct WordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "words",
    abstract: "Show what was taught by editing held instructions and what was added, add words, and undo either.",
    subcommands: [ListCommand.self, AddCommand.self, ForgetCommand.self, NamesCommand.self, RepairCommand.self],
    defaultSubcommand: ListCommand.self)

  private static var file: CorrectionFile {
    get throws {
      guard let path = CorrectionFile.defaultPath(environment: ProcessInfo.processInfo.environment) else {
        throw ConfigurationError(CorrectionFile.noPlace.description)
      }
      return CorrectionFile(path)
    }
  }

  /// The user's own words to expect.
  private static var wordsFile: String {
    get throws {
      guard let path = WordsFile.path(environment: ProcessInfo.processInfo.environment) else {
        throw ConfigurationError("There is no place for your words. \(UserFolders.remedy)")
      }
      return path
    }
  }

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show what was taught and what was added, and where it holds.")

    @Option(help: "The project, whose own words are shown as well.")
    var workingFolder = "."

    func run() throws {
      try WorkingFolderFlag.require(workingFolder)
      try Exit.starting {
        let taught = try file
        let (entries, damagedLines) = try taught.read()
        if entries.isEmpty {
          printRow("Nothing was taught yet. An edited word that sounds like what was heard is kept here.")
        }
        for (correction, folder) in Set(entries.map { Row($0) }).sorted(by: <).map({ ($0.correction, $0.folder) }) {
          let lesson =
            correction.leavesAlone
            ? "“\(correction.heard)” is right as it is" : "“\(correction.heard)” means “\(correction.meant)”"
          printRow("\(lesson)   (\(folder))")
        }
        if damagedLines > 0 {
          printRow("\(Counted(damagedLines, "line").digits) of \(taught.path) cannot be read: left out.")
        }
        for path in [try wordsFile, "\(workingFolder)/\(WordsFile.projectName)"] { Self.show(path) }
      }
    }

    private static func show(_ path: String) {
      let (words, badLines) = WordsFile.read(path)
      for word in words {
        let heard = word.heard.map { "“\($0)”" }.joined(separator: ", ")
        printRow("“\(word.written)” is expected\(heard.isEmpty ? "" : ", heard as \(heard)")   (\(path))")
      }
      if badLines > 0 { printRow("\(Counted(badLines, "line").digits) of \(path) cannot be used: left out.") }
    }

    /// A lesson as it is shown: taught twice, it stands once.
    private struct Row: Hashable, Comparable {
      let folder: String
      let correction: Correction

      init(_ entry: CorrectionFile.Entry) {
        folder = entry.folder
        correction = Correction(heard: entry.correction.heard, meant: entry.correction.meant)
      }

      static func < (left: Row, right: Row) -> Bool {
        (left.correction.heard, left.correction.meant, left.folder)
          < (right.correction.heard, right.correction.meant, right.folder)
      }
    }
  }

  struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Undo every lesson about these words, and expect them no more.")

    @Argument(help: "The words as they were heard, or as they were meant or written.")
    var words: [String]

    func run() throws {
      let wanted = words.joined(separator: " ")
      let lessons = try Exit.starting { try file.forget(wanted) }
      let expected = try Exit.starting { try Self.stopExpecting(wanted) }
      guard lessons + expected > 0 else {
        throw Exit.failure(
          Exit.badData,
          "“\(wanted)” was neither taught nor added. parley words shows what was; a project's own words are changed in "
            + "its \(WordsFile.projectName).")
      }
      if lessons > 0 { printRow("Forgotten: \(Counted(lessons, "lesson").digits) about “\(wanted)”.") }
      if expected > 0 { printRow("“\(wanted)” is expected no more.") }
    }

    /// Take a word out of the user's file. Returns how often it stood there.
    private static func stopExpecting(_ word: String) throws -> Int {
      let path = try wordsFile
      guard PlainFile.isThere(path) else { return 0 }
      let text = String(decoding: try PlainFile.data(path, limit: WordsFile.limit), as: UTF8.self)
      let (rest, count) = WordsFile.removing(word, from: text)
      if count > 0 { try PlainFile.replace(path, with: Array(rest.utf8)) }
      return count
    }
  }

  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a word that the local recogniser is to expect.",
      discussion: """
        It is kept in words.txt beside your configuration, one word a line; parley words forget removes it. A project may \
        have such a file as well: .parley/words.txt.
        """)

    @Argument(help: "The word as it is written.")
    var word: String

    @Option(help: "What is heard for it; it is then written as the word. May be given several times.")
    var heard: [String] = []

    func run() throws {
      let path = try Exit.configuring { try wordsFile }
      let added = ExpectedWord(word, heard: heard.map { $0.lowercased() })
      guard !WordsFile.decides(added) else {
        throw ValidationError("“\(word)”, or what is heard for it, decides about what is held, and nothing else may.")
      }
      guard let line = WordsFile.line(added) else {
        throw ValidationError(
          "A word has letters, digits, blanks and . - _ + / ' and at most \(WordsFile.longestWord) of them.")
      }
      let known = WordsFile.read(path).words
      if known.contains(added) || TradeWords.all.contains(added) {
        return printRow("“\(word)” is expected already.")
      }
      guard known.count < WordsFile.longestList else {
        throw Exit.failure(Exit.badData, "\(path) has \(Counted(known.count, "word").digits), and no more are read.")
      }
      try Exit.starting {
        try PlainFile.makeFolder(PlainFile.folder(of: path))
        // Somebody's editor may have left the last line without an end.
        try AppendFile(path).append(Array(((WordsFile.endsInALine(path) ? "" : "\n") + line + "\n").utf8))
      }
      printRow("“\(word)” is expected from the next session on (\(path)).")
    }
  }

  struct NamesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "names", abstract: "Show the names that are known of a project, the most telling first.")

    @Option(help: "The project.")
    var workingFolder = "."

    func run() throws {
      try WorkingFolderFlag.require(workingFolder)
      for name in ProjectFolder(workingFolder).names() { printRow(name) }
    }
  }

  struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "repair", abstract: "Repair each line of standard input as if it had been spoken.")

    @Option(help: "The project.")
    var workingFolder = "."

    func run() throws {
      try WorkingFolderFlag.require(workingFolder)
      let names = ProjectFolder(workingFolder).names()
      let repair = WordRepair(ProjectWords(names: names))
      // As the local recogniser writes it, before anything is repaired.
      let expected = ExpectedWords(
        WordsFile.expected(workingFolder: workingFolder, environment: ProcessInfo.processInfo.environment))
      while let line = readLine() { print(repair.repair(MeantText(said: expected.rewritten(line))).text) }
    }
  }
}
