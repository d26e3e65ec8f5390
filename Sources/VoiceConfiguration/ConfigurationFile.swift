import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a configuration file into a layer, or says what is wrong with it, and where.
enum ConfigurationFile {
  /// A plan is a few kilobytes; more is another file by mistake.
  private static let largest = 1 << 20

  /// The file at an absolute path; nil if there is none.
  static func layer(at path: String) throws(ConfigurationError) -> PlanLayer? {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    if isFolder { throw ConfigurationError("\(path) is a folder. The configuration is one file.") }
    let data: Data
    do { data = try Data(contentsOf: URL(filePath: path)) } catch {
      throw ConfigurationError("\(path) cannot be read. Check its permissions.")
    }
    if data.count > largest { throw ConfigurationError("\(path) is larger than a configuration file can be.") }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ConfigurationError("\(path) is not UTF-8 text. Save it as UTF-8.")
    }
    return try layer(of: text, named: path)
  }

  /// The layer that a file's text describes; `name` stands in errors.
  static func layer(of text: String, named name: String) throws(ConfigurationError) -> PlanLayer {
    let places: ConfigurationText
    do throws(ConfigurationText.Mistake) { places = try ConfigurationText(text) } catch {
      throw ConfigurationError("\(name), line \(error.line), column \(error.column): \(error.message).")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let value: ConfigurationValue
    do { value = try decoder.decode(ConfigurationValue.self, from: Data(text.utf8)) } catch {
      throw ConfigurationError("\(name) is not JSON5. Compare it with config/parley.json5.")
    }
    guard case .object(let groups) = value else {
      throw ConfigurationError("\(name) must hold one object with the groups \(groupNames.joined(separator: ", ")).")
    }
    func place(_ key: String) -> String { places.lines[key].map { "\(name), line \($0): \(key)" } ?? "\(name): \(key)" }
    /// The order of the file, so that the first mistake is told.
    func inOrder(_ members: [String: ConfigurationValue], _ prefix: String) -> [(String, ConfigurationValue)] {
      members.sorted { (places.lines[prefix + $0.key] ?? 0, $0.key) < (places.lines[prefix + $1.key] ?? 0, $1.key) }
    }
    var layer = PlanLayer()
    for (group, members) in inOrder(groups, "") {
      let keys = PlanKey.all.filter { $0.group == group }
      guard !keys.isEmpty else { throw ConfigurationError(place(group) + unknown(group)) }
      guard case .object(let members) = members else {
        throw ConfigurationError(
          place(group) + " must be an object with the keys \(keys.map { String($0.leaf) }.joined(separator: ", ")).")
      }
      for (leaf, value) in inOrder(members, group + ".") {
        let full = "\(group).\(leaf)"
        guard let key = keys.first(where: { $0.leaf == leaf }) else {
          throw ConfigurationError(place(full) + unknown(full))
        }
        if let complaint = key.read(value, &layer) ?? key.objection(layer) {
          throw ConfigurationError(place(full) + " " + complaint + ".")
        }
      }
    }
    return layer
  }

  private static var groupNames: [String] {
    PlanKey.all.map { String($0.group) }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// What to say after the name of a key that is not in the schema.
  private static func unknown(_ name: String) -> String {
    if !name.contains("."),
      let group = groupNames.min(by: { Spelling.distance($0, name) < Spelling.distance($1, name) }),
      Spelling.distance(group, name) <= 2
    {
      return " is not a setting. Did you mean \(group)?"
    }
    if let near = PlanKey.nearest(to: name) { return " is not a setting. Did you mean \(near.name)?" }
    return " is not a setting. config/parley.json5 shows all of them."
  }
}
