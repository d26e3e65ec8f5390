/// Finds the file that somebody means who said its name: "voice session" is "VoiceSession.swift".
enum FileNames {
  /// Which paths a spoken name may mean.
  enum Match: Equatable { case one(String), several([String]), none }

  /// Letters and digits alone, lower case: what can be heard of a name.
  static func squashed(_ name: some StringProtocol) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// The one file that is meant, the few that may be meant, or none.
  static func best(_ name: String, in paths: [String]) -> Match {
    for tier in tiers(name, paths) where !tier.isEmpty {
      if tier.count == 1 { return .one(tier[0]) }
      // The one nearest to the top is meant, if only one is.
      let depth = { (path: String) in path.filter { $0 == "/" }.count }
      let top = tier.map(depth).min() ?? 0
      let nearest = tier.filter { depth($0) == top }
      return nearest.count == 1 ? .one(nearest[0]) : .several(tier)
    }
    return .none
  }

  /// Every file whose name fits, the best first.
  static func matching(_ name: String, in paths: [String]) -> [String] {
    if name.hasPrefix("."), let language = Language.named([name]),
      !paths.contains(where: { $0.hasSuffix("/" + name) || $0 == name })
    {
      return paths.filter { Language.of($0) == language }
    }
    var seen: Set<String> = []
    return tiers(name, paths).joined().filter { seen.insert($0).inserted }
  }

  private static func tiers(_ name: String, _ paths: [String]) -> [[String]] {
    let lower = name.lowercased()
    let wanted = squashed(name)
    if wanted.isEmpty { return [] }
    let last = { (path: String) in path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...] }
    let stem = { (path: String) -> Substring in
      let file = last(path)
      return file.lastIndex(of: ".").map { $0 == file.startIndex ? file : file[..<$0] } ?? file
    }
    return [
      paths.filter { $0.lowercased() == lower || last($0).lowercased() == lower },
      paths.filter { squashed(last($0)) == wanted || squashed($0) == wanted },
      paths.filter { squashed(stem($0)) == wanted },
      wanted.count < 3 ? [] : paths.filter { squashed(last($0)).contains(wanted) },
      wanted.count < 3 ? [] : paths.filter { squashed($0).contains(wanted) },
    ]
  }
}
