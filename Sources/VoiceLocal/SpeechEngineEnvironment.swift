import Subprocess
import VoiceSystem

/// What the speech engine's process gets of the environment. It turns sound into words and back, with a large library of
/// others: it has no use for a key, so it gets none.
package enum SpeechEngineEnvironment {
  /// Where its models, libraries and programs are, and what tools that look for errors want to be told.
  package static let variables = [
    "PARLEY_SPEECH_HOME", "XDG_DATA_HOME", "HOME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]

  /// The variables that the child gets, and no others.
  static var environment: Environment {
    var values: [Environment.Key: String] = [:]
    for name in variables {
      if let key = Environment.Key(rawValue: name), let value = getenv(name) { values[key] = String(cString: value) }
    }
    return .custom(values)
  }
}
