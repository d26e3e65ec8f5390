import VoiceSystem

/// The folder of a project, for the verbs that only look into it.
enum WorkingFolderFlag {
  /// That there is none of this name, and what to do.
  static func refusal(_ path: String) -> String {
    "There is no working folder \(path); name another with --working-folder."
  }

  /// See that there is one of the name that a flag gives.
  static func require(_ path: String) throws {
    guard PlainFile.real(path) != nil else { throw Exit.failure(Exit.usage, refusal(path)) }
  }
}
