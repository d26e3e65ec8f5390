/// Every limit of the guide, with its reason.
enum GuideLimits {
  /// One message on standard input: far above any instruction, small enough to hold twice.
  static let messageBytes = 4 << 20
  /// Sessions of one process; a client has one or two.
  static let sessions = 16
  /// Files looked at in one answer: a large repository; more would keep the listener waiting.
  static let files = 50_000
  /// Folders below the working folder that are entered when git does not list the files.
  static let depth = 24
  /// One file is read up to here; source files are far smaller.
  static let fileBytes: Int = 4 << 20
  /// What a file is about is told from this much of it: more than any file that a person would have summarised.
  static let outlineBytes = 256 << 10
  /// All files together in one answer: about a second of reading.
  static let totalBytes: Int = 512 << 20
  /// Names, places or commits spoken in one answer; a listener keeps about this many.
  static let spokenItems = 5
  /// Locations reported with one tool call, for the screen.
  static let locations = 50
  /// Characters of one spoken excerpt: about twenty seconds of speech.
  static let excerptCharacters = 320
  /// The end of a command's output that is kept: test runners put their summary last.
  static let outputBytes = 256 << 10
  /// The project's tests are stopped after this.
  static let testSeconds = 1_800
  /// The settings of a repository; of one with more, git is asked nothing.
  static let settingsBytes = 1 << 20
  /// A question to git is stopped after this.
  static let questionSeconds = 30
  /// Between SIGTERM and SIGKILL for a command that is stopped.
  static let graceMilliseconds = 500
  /// Characters of one note: five minutes of speech.
  static let noteCharacters = 5_000
}
