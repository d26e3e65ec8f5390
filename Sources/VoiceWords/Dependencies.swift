/// Finds the packages that a project builds on, in the files that name them.
enum Dependencies {
  private static let manifests: Set<String> = [
    "Package.swift", "package.json", "Cargo.toml", "go.mod", "requirements.txt", "pyproject.toml", "Gemfile",
  ]

  /// Whether a file names the libraries of a project.
  static func isManifest(_ path: String) -> Bool {
    manifests.contains(String(path.split(separator: "/").last ?? "")) && !path.contains("node_modules/")
  }

  /// The libraries that a manifest names.
  static func names(in text: [UInt8], of path: String) -> [String] {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      $0.drop { $0.isWhitespace }
    }
    switch path.split(separator: "/").last {
    case "Package.swift":
      return lines.filter { $0.contains(".package(") || $0.contains(".product(") || $0.contains("ystemLibrary(") }
        .flatMap { partsInQuotes($0) }.map { lastPart($0) }.filter { $0.first?.isLetter == true }
    case "package.json":
      return keys(of: lines, in: ["\"dependencies\"", "\"devDependencies\"", "\"peerDependencies\""])
    case "Cargo.toml": return section(lines) { $0.hasSuffix("dependencies]") }.map { name($0, until: " =.") }
    case "pyproject.toml":
      return section(lines) { $0.hasSuffix("dependencies]") }.map { name($0, until: " =") }
        + list(lines, after: "dependencies").map { name($0[...], until: " <>=~![;") }
    case "requirements.txt": return lines.filter { $0.first?.isLetter == true }.map { name($0, until: " <>=~![;#@") }
    case "go.mod":
      return lines.compactMap { line in
        let words = line.split(separator: " ").filter { $0 != "require" }
        guard words.count >= 2, words[0].contains("/"), words[1].hasPrefix("v") else { return nil }
        let parts = words[0].split(separator: "/").filter {
          !($0.first == "v" && $0.dropFirst().allSatisfy(\.isNumber))
        }
        return parts.last.map(String.init)
      }
    case "Gemfile": return lines.filter { $0.hasPrefix("gem ") }.compactMap { partsInQuotes($0).first }
    default: return []
    }
  }

  /// "https://host/owner/name.git" is name.
  private static func lastPart(_ text: String) -> String {
    let last = text.split(separator: "/").last.map(String.init) ?? text
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  private static func name(_ line: some StringProtocol, until stops: String) -> String {
    String(line.prefix { !stops.contains($0) }).trimmingQuotes()
  }

  private static func partsInQuotes(_ line: some StringProtocol) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// The keys of JSON objects with these names, one a line, as every tool writes them.
  private static func keys(of lines: [Substring], in names: [String]) -> [String] {
    var isInside = false
    return lines.compactMap { line in
      if names.contains(where: { line.hasPrefix($0) }) {
        isInside = line.last == "{"
        return nil
      }
      if line.first == "}" { isInside = false }
      guard isInside, let name = partsInQuotes(line).first else { return nil }
      return lastPart(name)
    }
  }

  /// The lines of TOML sections, up to the next section.
  private static func section(_ lines: [Substring], _ isWanted: (Substring) -> Bool) -> [Substring] {
    var isInside = false
    return lines.filter { line in
      if line.first == "[" {
        isInside = isWanted(line)
        return false
      }
      return isInside && line.first?.isLetter == true
    }
  }

  /// The texts of a TOML list.
  private static func list(_ lines: [Substring], after key: String) -> [String] {
    guard let start = lines.firstIndex(where: { $0.hasPrefix(key) && $0.contains("[") }) else { return [] }
    let end = lines[start...].firstIndex { $0.contains("]") } ?? lines.endIndex - 1
    return lines[start...end].flatMap { partsInQuotes($0) }
  }
}

extension String {
  fileprivate func trimmingQuotes() -> String { String(drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) }) }
}
