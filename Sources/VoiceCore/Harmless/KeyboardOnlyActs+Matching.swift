import VoiceLanguage
package import VoiceVocabulary

/// What a pattern matches, and what may not be approved by voice.
extension KeyboardOnlyActs {
  /// The first pattern that one of the texts matches, or a word of theirs that cannot be read for certain; nil if there is none.
  package func match(_ texts: [String]) -> String? {
    match(texts, patterns) ?? (patterns.isEmpty ? nil : texts.lazy.compactMap(PlainWords.disguised).first)
  }

  /// Why an act may not be approved by voice; nil if it may.
  package func refusal(of request: PermissionRequest) -> String? {
    if let refusal = HarmlessActs(workingFolder: workingFolder, named: voiceCommands).refusal(of: request) {
      return refusal
    }
    // The default words are about prose: a search for “remove” removes nothing.
    let own = patterns.filter { !Self.defaults.contains($0) }
    return match([request.title, request.detail] + request.particulars, own).map { "it matches “\($0)”" }
  }

  private func match(_ texts: [String], _ patterns: [String]) -> String? {
    let words = texts.flatMap(Self.words)
    let prose = texts.flatMap(PlainWords.words)
    // What is said is written as words more often than as signs.
    let spelled = texts.flatMap(SpokenOptions.words)
    return patterns.first { pattern in
      guard pattern != Self.outside else {
        return words.contains(where: isOutside) || texts.contains(where: SpokenPaths.mayLeave)
          || texts.contains { $0.split(whereSeparator: \.isWhitespace).contains(where: Self.isOutsideWithBackslashes) }
      }
      // "gitpush" is "git push".
      let joined = pattern.filter { $0 != " " }
      return [words, prose, spelled].contains { Self.matches($0[...], pattern) } || prose.contains(joined)
    }
  }

  /// The words of a command line. Quotes and backslashes are left out, so that `r\m` and `'rm'` are `rm`.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    for character in text {
      switch character {
      case "'", "\"", "\\", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}": continue
      case "|":
        end()
        words.append("|")
      case ";", "&", "(", ")", "<", ">", "`", "{", "}", ",": end()
      default:
        if character.isWhitespace { end() } else { word.append(character) }
      }
    }
    end()
    return words
  }

  private static func matches(_ words: ArraySlice<String>, _ pattern: String) -> Bool {
    var rest = words
    for wanted in pattern.split(separator: " ") {
      guard let place = rest.firstIndex(where: { Self.word($0, matches: wanted) }) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  /// A program may be named with its path: `/bin/rm` is `rm`. A word of a sentence may end it: "delete." is "delete".
  private static func word(_ word: String, matches pattern: Substring) -> Bool {
    // "-D" and "-d" mean different things.
    let word = pattern.hasPrefix("-") ? word : word.lowercased()
    let last = word.split(separator: "/").last ?? ""
    let bare = word.prefix { !".!?:".contains($0) }
    return [word[...], last, bare].contains { glob($0, pattern) }
  }

  private static func glob(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return text == pattern }
    let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
    return text.hasPrefix(head) && text.hasSuffix(tail) && text.count >= head.count + tail.count
  }

  /// "..\other", "C:\Windows", "\\server"
  private static func isOutsideWithBackslashes(_ word: Substring) -> Bool {
    let path = word.drop { "\"'`(".contains($0) }
    return path.contains("..\\") || path.hasPrefix("\\\\") || path.dropFirst().hasPrefix(":\\")
  }

  /// Whether a word of a command is a path that leaves the working folder.
  private func isOutside(_ word: String) -> Bool {
    if word.lowercased().contains("file:/") { return true }
    // What is behind "=" or ":" may be a path as well: `--output=/etc/passwd`.
    let parts = [word[...]] + word.split(whereSeparator: { "=:".contains($0) }).dropFirst()
    return parts.contains { part in
      // Behind the colon of an address.
      guard part != "/dev/null", part.startIndex == word.startIndex || !part.hasPrefix("//") else { return false }
      if part.hasPrefix("~") || (part.hasPrefix("$") && part.contains("/")) { return true }
      var depth = 0
      guard part.hasPrefix("/") else {
        for step in part.split(separator: "/") {
          depth += step == ".." ? -1 : step == "." ? 0 : 1
          if depth < 0 { return true }
        }
        return false
      }
      let folder = workingFolder.hasSuffix("/") ? workingFolder : workingFolder + "/"
      let isInside = !workingFolder.isEmpty && (part == workingFolder[...] || part.hasPrefix(folder))
      return !isInside || part.split(separator: "/").contains("..")
    }
  }
}
