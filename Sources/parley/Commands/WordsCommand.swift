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
    abstract: "Show what was taught by editing held instructions, and undo it.",
    subcommands: [ListCommand.self, ForgetCommand.self, NamesCommand.self, RepairCommand.self],
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
