/// Where something is: addresses, paths and places in files, as people say them.
enum SpokenPlace {
  /// The words for an address or a path; nil if it is neither.
  static func words(_ core: Substring) -> [String]? {
    if let rest = ["https://", "http://", "wss://", "ws://", "www."].lazy.filter({ core.hasPrefix($0) })
      .map({ core.dropFirst($0.count) }).first
    {
      return address(rest)
    }
    if core.hasPrefix("localhost:") { return address(core) }
    if let mail = mail(core) { return mail }
    var path = core
    let lines = takeLines(&path)
    guard path.contains("/") || (!lines.isEmpty && SpokenNames.isFile(path)) else { return nil }
    guard path.allSatisfy({ $0.isLetter || $0.isNumber || "._-~/+@*".contains($0) }) else { return nil }
    var words = self.path(path)
    if !lines.isEmpty, !words.isEmpty { words[words.count - 1] += "," }
    return words + lines
  }

  /// "example.com/docs" is a page on example dot com.
  private static func address(_ text: Substring) -> [String] {
    let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
    let host = text[..<end].split(separator: ":")
    var words = SpokenNames.words(file: host.first ?? "")
    if host.count > 1 { words += ["port"] + NumberWords.label(host[1]) }
    let hasPage = text[end...].contains { $0.isLetter || $0.isNumber }
    return hasPage ? ["a", "page", "on"] + words : words
  }

  private static func mail(_ core: Substring) -> [String]? {
    let parts = core.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."),
      core.allSatisfy({ $0.isLetter || $0.isNumber || "@._-+".contains($0) })
    else { return nil }
    return SpokenNames.words(file: parts[0]) + ["at"] + SpokenNames.words(file: parts[1])
  }

  /// Take ":12", ":12:5", ":10-20" or "#L12" off the end of a path.
  private static func takeLines(_ path: inout Substring) -> [String] {
    guard let mark = path.firstIndex(where: { $0 == ":" || $0 == "#" }) else { return [] }
    let place = path[path.index(after: mark)...].filter { $0 != "L" }
    let numbers = place.split(separator: ":").first?.split { "-\u{2013}".contains($0) } ?? []
    guard let first = numbers.first, numbers.count <= 2, place.first?.isNumber == true,
      place.allSatisfy({ $0.isNumber || ":-\u{2013}".contains($0) })
    else { return [] }
    path = path[..<mark]
    if numbers.count == 2 {
      return ["lines"] + NumberWords.cardinal(digits: first) + ["to"] + NumberWords.cardinal(digits: numbers[1])
    }
    return ["line"] + NumberWords.cardinal(digits: first)
  }

  /// A long path is its last part and the folder around it: nobody keeps more of it in mind.
  private static func path(_ path: Substring) -> [String] {
    let names = path.split(separator: "/").filter { $0 != "." }
    guard let last = names.last else { return path.isEmpty ? [] : ["slash"] }
    let isFolder = path.hasSuffix("/")
    guard names.count > 1 else {
      if isFolder, last != "~", last != ".." { return ["the"] + name(last) + ["folder"] }
      return (path.hasPrefix("/") ? ["slash"] : []) + name(last)
    }
    let parent = names[names.count - 2]
    if isFolder { return ["the"] + name(last) + ["folder", "in"] + name(parent) }
    if names.count == 2, !SpokenNames.isFile(last), parent != "~", parent != ".." {
      return name(parent) + ["slash"] + name(last)
    }
    return name(last) + ["in"] + name(parent)
  }

  private static func name(_ part: Substring) -> [String] {
    switch part {
    case "~": return ["the", "home", "folder"]
    case "..": return ["the", "parent", "folder"]
    case "*": return ["star"]
    case "**": return ["any", "folder"]
    default: break
    }
    if SpokenNames.isHash(part) { return SpokenNames.words(hash: part) }
    return part.hasPrefix("*.") ? ["star"] + SpokenNames.words(file: part.dropFirst()) : SpokenNames.words(file: part)
  }
}
