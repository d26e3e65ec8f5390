import ArgumentParser
import VoiceConfiguration
import VoiceCore
import VoiceRecording
import VoiceWords

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `parley words`: the names of the project, and what was taught about words.
struct WordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "words",
    abstract: "Show what was taught by editing held instructions, undo it, and add words that are to be expected.",
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

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show what was taught, and where it holds.")

    func run() throws {
      try Exit.starting {
        let taught = try file
        let (entries, damagedLines) = try taught.read()
        if entries.isEmpty { print("Nothing was taught yet: edit a held instruction, and it is remembered here.") }
        for (correction, folder) in Set(entries.map { Row($0) }).sorted(by: <).map({ ($0.correction, $0.folder) }) {
          let lesson =
            correction.leavesAlone
            ? "“\(correction.heard)” is right as it is" : "“\(correction.heard)” means “\(correction.meant)”"
          printRow("\(lesson)   (\(folder))")
        }
        if damagedLines > 0 {
          printRow("\(Counted(damagedLines, "line").digits) of \(taught.path) cannot be read: left out.")
        }
      }
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
      commandName: "forget", abstract: "Undo every lesson about these words.")

    @Argument(help: "The words as they were heard, or as they were meant.")
    var words: [String]

    func run() throws {
      let wanted = words.joined(separator: " ")
      let count = try Exit.starting { try file.forget(wanted) }
      guard count > 0 else {
        throw Exit.failure(Exit.badData, "Nothing was taught about “\(wanted)”. parley words shows everything.")
      }
      printRow("Forgotten: \(Counted(count, "lesson").digits) about “\(wanted)”.")
    }
  }

  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a word that the local recogniser is to expect.",
      discussion: """
        It is kept in words.txt beside your configuration, one word a line; edit that file to remove one. A project may have \
        such a file as well: .parley/words.txt.
        """)

    @Argument(help: "The word as it is written.")
    var word: String

    @Option(help: "What is heard for it; it is then written as the word. May be given several times.")
    var heard: [String] = []

    func run() throws {
      guard let path = WordsFile.path(environment: ProcessInfo.processInfo.environment) else {
        throw ConfigurationError("There is no place for your words. \(UserFolders.remedy)")
      }
      let added = ExpectedWord(word, heard: heard.map { $0.lowercased() })
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
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do {
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
          throw FileFailure("create the folder", folder, error)
        }
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

    func run() {
      for name in ProjectFolder(workingFolder).names() { printRow(name) }
    }
  }

  struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "repair", abstract: "Repair each line of standard input as if it had been spoken.")

    @Option(help: "The project.")
    var workingFolder = "."

    func run() {
      let names = ProjectFolder(workingFolder).names()
      let repair = WordRepair(ProjectWords(names: names))
      while let line = readLine() { print(repair.repair(line).text) }
    }
  }
}
