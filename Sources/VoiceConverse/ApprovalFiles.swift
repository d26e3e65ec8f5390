import VoiceFoundation
import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// The files in which agents keep what they were allowed from now on. Of such a file that one approval is removed and nothing
/// else is changed, or nothing at all.
package struct ApprovalFiles: Sendable {
  private let workingFolder: String
  private let environment: [String: String]

  /// - Parameter environment: says where the user's own files are.
  package init(workingFolder: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.workingFolder = workingFolder
    self.environment = environment
  }

  /// Remove what was written of an approval.
  ///
  /// - Throws: if it does not stand there, or cannot be removed; the user is told where to look.
  package func remove(_ record: ApprovalRecord) throws(AgentError) {
    // Several places may be in one file.
    var changed: [String: [UInt8]] = [:]
    for place in record.places {
      guard let path = path(place.file), var text = changed[path] ?? Self.contents(path) else {
        throw AgentError("It cannot be taken back: \(place.file) cannot be read.")
      }
      for entry in place.entries {
        let rest =
          place.file == CodexRulesFile.name
          ? CodexRulesFile.removing(entry, from: text) : ClaudeSettingsFile.removing(entry, from: text)
        guard let rest else {
          throw AgentError("It cannot be taken back: “\(entry)” was not found in \(place.file). Look there yourself.")
        }
        text = rest
      }
      changed[path] = text
    }
    for (path, text) in changed.sorted(by: { $0.key < $1.key }) {
      do {
        // Behind a link stands the file that is meant.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        try Data(text).write(to: file, options: .atomic)
      } catch {
        throw AgentError("It cannot be taken back: \(path) cannot be written.")
      }
    }
  }

  private static func contents(_ path: String) -> [UInt8]? {
    do { return try PlainFile.contents(path, links: .followed, limit: 1 << 20) } catch { return nil }
  }

  private func path(_ file: String) -> String? {
    guard let own = file.dropping(prefix: "~/") else { return "\(workingFolder)/\(file)" }
    let homes = [".codex/": "CODEX_HOME", ".claude/": "CLAUDE_CONFIG_DIR"]
    for (folder, variable) in homes {
      if let rest = own.dropping(prefix: folder), let home = environment[variable] { return "\(home)/\(rest)" }
    }
    return UserFolders(environment).home.map { "\($0)/\(own)" }
  }
}

/// Claude Code's settings: JSON, in which rules and folders are texts of a list.
enum ClaudeSettingsFile {
  /// The files by the names that Claude Code gives them.
  static let names = [
    "localSettings": ".claude/settings.local.json", "projectSettings": ".claude/settings.json",
    "userSettings": "~/.claude/settings.json",
  ]

  /// The file without this text, and otherwise as it was; nil if the text is not one of a list, or more would change.
  static func removing(_ entry: String, from text: [UInt8]) -> [UInt8]? {
    guard let before = JSON(parsing: text), let wanted = without(entry, before) else { return nil }
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      guard let end = endOfString(text, from: index) else { return nil }
      if JSON(parsing: Array(text[index..<end]))?.string == entry, let span = element(text, index..<end) {
        let rest = Array(text[..<span.lowerBound] + text[span.upperBound...])
        if JSON(parsing: rest) == wanted { return rest }
      }
      index = end
    }
    return nil
  }

  /// The settings without the text in the lists of what is allowed; nil if it is in none.
  private static func without(_ entry: String, _ settings: JSON) -> JSON? {
    guard case .object(var all) = settings, case .object(var permissions)? = all["permissions"] else { return nil }
    for name in ["allow", "additionalDirectories"] {
      guard var values = permissions[name]?.elements, let index = values.firstIndex(of: .string(entry)) else {
        continue
      }
      values.remove(at: index)
      permissions[name] = .array(values)
      all["permissions"] = .object(permissions)
      return .object(all)
    }
    return nil
  }

  /// Behind the closing quotation mark.
  private static func endOfString(_ text: [UInt8], from start: Int) -> Int? {
    var index = start + 1
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""): return index + 1
      default: index += 1
      }
    }
    return nil
  }

  /// An element of a list with the comma that parts it from its neighbour; nil for a text that is no element.
  private static func element(_ text: [UInt8], _ token: Range<Int>) -> Range<Int>? {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    guard let before = text[..<token.lowerBound].lastIndex(where: { !isSpace($0) }),
      let after = text[token.upperBound...].firstIndex(where: { !isSpace($0) })
    else { return nil }
    switch (text[before], text[after]) {
    case (UInt8(ascii: ","), UInt8(ascii: ",")), (UInt8(ascii: ","), UInt8(ascii: "]")):
      return before..<token.upperBound
    case (UInt8(ascii: "["), UInt8(ascii: ",")): return before + 1..<after + 1
    case (UInt8(ascii: "["), UInt8(ascii: "]")): return before + 1..<after
    default: return nil
    }
  }
}

/// Codex's rules: a line each.
enum CodexRulesFile {
  static let name = "~/.codex/rules/default.rules"
  private static let (head, tail) = ("prefix_rule(pattern=", ", decision=\"allow\")")

  /// The line that allows commands that begin with these words.
  static func line(allowing words: [JSON]) -> String {
    head + String(decoding: JSON.array(words).bytes, as: UTF8.self) + tail
  }

  /// The file without that line, however Codex has spaced it; nil if there is none.
  static func removing(_ line: String, from text: [UInt8]) -> [UInt8]? {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    guard let wanted = pattern(Array(line.utf8)), let index = lines.lastIndex(where: { pattern($0) == wanted }) else {
      return nil
    }
    lines.remove(at: index)
    return Array(lines.joined(separator: [0x0A]))
  }

  private static func pattern(_ line: [UInt8]) -> JSON? {
    guard line.starts(with: head.utf8), line.suffix(tail.utf8.count).elementsEqual(tail.utf8) else { return nil }
    return JSON(parsing: Array(line.dropFirst(head.utf8.count).dropLast(tail.utf8.count)))
  }
}
