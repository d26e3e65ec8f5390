import VoiceJSON
import VoiceRecording
import VoiceVocabulary

/// Notices as JSON, one object a line, for a program that shows them in its own way.
enum NoticeJSON {
  /// The line with its line feed. Nothing in it drives a terminal or turns the direction of writing.
  static func line(_ notice: Notice) -> String { text(["notice": JSON(encoding: notice)]) }

  /// A line that no notice stands for.
  static func line(_ label: String, _ text: String) -> String {
    Self.text(["label": .string(label), "text": .string(text)])
  }

  private static func text(_ value: JSON) -> String { String(decoding: value.line, as: UTF8.self) }
}
