import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Notices as JSON, one object a line, for a program that shows them in its own way.
enum NoticeJSON {
  private struct Line: Encodable { let notice: Notice }
  private struct Other: Encodable {
    let label: String
    let text: String
  }

  /// One object on one line, without its end.
  static func line(_ notice: Notice) -> String { encode(Line(notice: notice)) }

  /// A line that no notice stands for.
  static func line(_ label: String, _ text: String) -> String { encode(Other(label: label, text: text)) }

  private static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("a notice cannot be written as JSON: \(error)")
    }
  }
}

extension Notice {
  /// Whether the user should learn of it even if he wants to see as little as possible.
  var needsTheUser: Bool {
    switch self {
    case .held, .selected, .explained, .editing, .extending, .lapsed, .haltUnconfirmed, .warning, .error, .cannot,
      .help, .quitAsked:
      true
    default: false
    }
  }
}
