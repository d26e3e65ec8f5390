import VoiceCore
import VoiceFoundation
import VoiceJSON
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

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
      try FileManager.default.makePrivateFolder(path)
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
    let fields = JSON(encoding: self).members
    let settings = (fields["settings"]?.members ?? [:]).filter { $0.value != Self.defaultMode[$0.key] }
    var rows = ["{", "  title: \(JSON.string(title).row),", "  settings: \(JSON.object(settings).row),"]
    for name in ["user", "model"] { rows += Self.rows(name, fields[name]?.elements ?? [], indent: "  ") }
    rows.append("  agent: [")
    for run in fields["agent"]?.elements ?? [] { rows += Self.rows(nil, run.elements, indent: "    ") }
    rows += ["  ],", "}", ""]
    return rows.joined(separator: "\n")
  }

  /// The one setting that is always encoded.
  private static let defaultMode = JSON(encoding: InteractionSettings()).members

  private static func rows(_ name: String?, _ elements: [JSON], indent: String) -> [String] {
    [indent + (name.map { $0 + ": " } ?? "") + "["] + elements.map { "\(indent)  \($0.row)," } + [indent + "],"]
  }
}

extension JSON {
  /// On one line of JSON5, what is awaited before what is done.
  fileprivate var row: String {
    switch self {
    case .object(let fields) where fields.isEmpty: return "{}"
    case .object(let fields):
      let first = ["await", "times", "after", "do"]
      let names = first.filter(fields.keys.contains) + fields.keys.filter { !first.contains($0) }.sorted()
      return "{ " + names.map { "\($0): \(fields[$0, default: .null].row)" }.joined(separator: ", ") + " }"
    case .array(let values): return "[" + values.map(\.row).joined(separator: ", ") + "]"
    default: return String(decoding: bytes, as: UTF8.self)
    }
  }
}
