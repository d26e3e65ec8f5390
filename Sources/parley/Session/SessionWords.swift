import VoiceConfiguration
import VoiceFoundation
import VoiceLanguage
import VoiceRecording
import VoiceSystem
import VoiceVocabulary
import VoiceWords

/// The words of the project at hand: mined from the working folder, and taught by the user.
struct SessionWords: WordsPort {
  private let plan: Plan
  /// Nil where there is no place for it.
  private let file: CorrectionFile?
  /// With every link followed: what was taught holds where it was taught.
  private let folder: String
  private let post: @Sendable (VoiceEvent) -> Void

  init(_ plan: Plan, post: @escaping @Sendable (VoiceEvent) -> Void = { _ in }) {
    self.plan = plan
    self.post = post
    file = CorrectionFile.defaultPath(environment: ProcessInfo.processInfo.environment).map { CorrectionFile($0) }
    folder = PlainFile.real(plan.workingFolder) ?? plan.workingFolder
  }

  /// What a recogniser is to expect besides the project's names.
  func expected() -> [ExpectedWord] {
    WordsFile.expected(workingFolder: folder, environment: ProcessInfo.processInfo.environment)
  }

  /// Read everything; takes up to a second or two in a large project, so it is nothing for a task's thread.
  func gather() -> ProjectWords {
    let names = plan.knowsProjectWords ? ProjectFolder(folder).names() : []
    do {
      return ProjectWords(names: names, corrections: try file?.corrections(in: folder, names: names) ?? []).indexed
    } catch {
      post(.wordsNotKept(reason: "What was taught before cannot be read. \(error)"))
      return ProjectWords(names: names).indexed
    }
  }

  func keep(_ corrections: [Correction]) {
    // A session that is not recorded leaves nothing behind.
    guard plan.records else { return }
    do {
      guard let file else { throw CorrectionFile.noPlace }
      try file.append(corrections, in: folder)
    } catch {
      post(.wordsNotKept(reason: "\(error)"))
    }
  }
}
