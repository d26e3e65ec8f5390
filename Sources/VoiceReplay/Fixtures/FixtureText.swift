internal import VoiceCore
internal import VoiceRecording
internal import VoiceSound

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FixtureFolder {
  /// Write the script and its sounds into a new folder. Files with what people said: mode 0600, in a folder of mode 0700.
  package func write(to path: String) throws(FixtureFailure) -> FixtureFolder {
    guard !PlainFile.isThere(path + "/fixture.json5") else {
      throw FixtureFailure("\(path) holds a fixture already; name another folder.")
    }
    // It may lie in a session's folder, where a link could have been planted under its name.
    guard !PlainFile.isThere(path) || PlainFile.isFolder(path) else {
      throw FixtureFailure("\(path) is no folder; name another.")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for (name, samples) in recordings {
        let writer = try WaveWriter(path: "\(path)/\(name)", rate: PCM.microphoneRate, links: .refused)
        try writer.append(samples)
        try writer.close()
      }
      try PlainFile.replace(path + "/fixture.json5", with: Array(fixture.text.utf8))
    } catch {
      throw FixtureFailure(FileFailure("write the fixture", path, error).description)
    }
    return FixtureFolder(path, fixture, recordings: recordings)
  }
}

extension Fixture {
  /// The script as a file for people: a line a step, names without quotation marks.
  var text: String {
    let fields = JSONValue(encoding: self).fields
    let defaults = JSONValue(encoding: InteractionSettings()).fields
    let settings = (fields["settings"]?.fields ?? [:]).filter { defaults[$0.key] != $0.value }
    var rows = ["{", "  title: \(JSONValue.text(title).line),", "  settings: \(JSONValue.object(settings).line),"]
    for name in ["user", "model"] { rows += Self.rows(name, fields[name]?.elements ?? [], indent: "  ") }
    rows.append("  agent: [")
    for run in fields["agent"]?.elements ?? [] { rows += Self.rows(nil, run.elements, indent: "    ") }
    rows += ["  ],", "}", ""]
    return rows.joined(separator: "\n")
  }

  private static func rows(_ name: String?, _ elements: [JSONValue], indent: String) -> [String] {
    [indent + (name.map { $0 + ": " } ?? "") + "["] + elements.map { "\(indent)  \($0.line)," } + [indent + "],"]
  }
}

extension JSONValue {
  /// The value as JSON has it.
  init(encoding value: some Encodable) {
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    } catch {
      preconditionFailure("a script cannot be encoded: \(error)")
    }
  }

  /// The fields of an object; none for any other value.
  var fields: [String: JSONValue] {
    if case .object(let fields) = self { fields } else { [:] }
  }

  /// The elements of a list; none for any other value.
  var elements: [JSONValue] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// On one line of JSON5, what is awaited before what is done.
  fileprivate var line: String {
    switch self {
    case .object(let fields) where fields.isEmpty: return "{}"
    case .object(let fields):
      let order = ["await", "times", "after", "do"]
      func rank(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
      let sorted = fields.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
      return "{ " + sorted.map { "\($0.key): \($0.value.line)" }.joined(separator: ", ") + " }"
    case .list(let values): return "[" + values.map(\.line).joined(separator: ", ") + "]"
    default:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes]
      do {
        return String(decoding: try encoder.encode([self]), as: UTF8.self).dropFirst().dropLast().description
      } catch {
        preconditionFailure("a value cannot be encoded: \(error)")
      }
    }
  }
}
