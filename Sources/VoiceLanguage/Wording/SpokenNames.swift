import VoiceVocabulary

/// Names from code as people say them: camelCase, snake_case, file names, hashes.
enum SpokenNames {
  /// A run of letters and digits: "parseHTTPResponse" is parse HTTP response, "utf8" UTF eight.
  static func words(identifier: some StringProtocol) -> [String] {
    let text = String(identifier)
    if let known = sayings[text.lowercased()] { return [known] }
    if keptAsWritten.contains(text) { return [text] }
    if text.allSatisfy(\.isNumber) { return NumberWords.label(text) }
    let parts = parts(of: text)
    if parts.count == 1 { return [single(text)] }
    return parts.flatMap { part -> [String] in
      if part.first?.isNumber == true { return NumberWords.label(part) }
      if let known = sayings[part.lowercased()] { return [known] }
      return [isAbbreviation(part) ? part : part.lowercased()]
    }
  }

  /// The parts of an identifier, cut where people pause: before a capital, and between letters and digits.
  static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    let marks = text.map(Mark.init)
    let endsInS = text.utf8.last == UInt8(ascii: "s")
    for (index, character) in text.enumerated() {
      if index > 0, startsPart(at: index, in: marks, endsInS), !part.isEmpty {
        parts.append(part)
        part = ""
      }
      if marks[index] != .other {
        part.append(character)
      } else if !part.isEmpty {
        parts.append(part)
        part = ""
      }
    }
    return part.isEmpty ? parts : parts + [part]
  }

  /// What matters of a character where a name is cut.
  private enum Mark {
    case small, capital, letter, number, apostrophe, other

    init(_ character: Character) {
      // Properties are looked up in tables, and names are nearly always ASCII.
      guard let ascii = character.asciiValue else {
        if character == "\u{2019}" {
          self = .apostrophe
        } else if character.isNumber {
          self = .number
        } else if character.isLetter {
          self = character.isUppercase ? .capital : character.isLowercase ? .small : .letter
        } else {
          self = .other
        }
        return
      }
      switch ascii {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .small
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .capital
      case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
      case UInt8(ascii: "'"): self = .apostrophe
      default: self = .other
      }
    }
  }

  private static func startsPart(at index: Int, in marks: [Mark], _ endsInS: Bool) -> Bool {
    let (previous, mark) = (marks[index - 1], marks[index])
    if (mark == .number) != (previous == .number) { return mark != .apostrophe && previous != .apostrophe }
    guard mark == .capital else { return false }
    if previous == .small { return true }
    // The last capital of a run belongs to the word behind it, unless that is only the "s" of "APIs".
    guard previous == .capital, index + 1 < marks.count, marks[index + 1] == .small else { return false }
    return !(endsInS && index + 2 == marks.count)
  }

  /// One word without inner capitals.
  private static func single(_ word: String) -> String {
    let isShouted = word.count > 5 && word.allSatisfy { $0.isUppercase }
    return isShouted ? word.lowercased() : word
  }

  /// "HTTP", "APIs", "A".
  private static func isAbbreviation(_ word: String) -> Bool {
    let stem = word.hasSuffix("s") ? word.dropLast() : word[...]
    return stem.count <= 5 && stem.count > 1 && stem.allSatisfy { $0.isUppercase }
  }

  /// A name joined with underscores: "MAX_RETRIES" is max retries, "http_port" http port.
  static func words(joined name: some StringProtocol) -> [String] {
    let parts = String(name).split(separator: "_").map(String.init)
    let isShouted = parts.allSatisfy { $0.allSatisfy { $0.isUppercase || $0.isNumber } }
    return parts.flatMap { part in
      isShouted && !abbreviations.contains(part) ? words(identifier: part.lowercased()) : words(identifier: part)
    }
  }

  /// A file name: "Package.swift" is package dot swift, ".gitignore" dot gitignore.
  static func words(file name: some StringProtocol) -> [String] {
    if name.hasPrefix("@") { return ["at"] + words(file: name.dropFirst()) }
    let parts = String(name).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var words: [String] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { words.append("dot") }
      if part.isEmpty { continue }
      if index > 0, index == parts.count - 1, let ending = endings[part.lowercased()] {
        words.append(ending)
      } else {
        words += part.split(separator: "-").flatMap { SpokenNames.words(joined: $0) }
      }
    }
    return words
  }

  /// Whether a word looks like a file name: it ends in one of the usual endings.
  static func isFile(_ name: some StringProtocol) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex || name.count > 2 else { return false }
    let ending = name[name.index(after: dot)...].lowercased()
    return endings[ending] != nil || plainEndings.contains(ending)
  }

  /// A commit, or another number in hexadecimal digits: seven to sixty-four, with letters and digits among them.
  static func isHash(_ text: some StringProtocol) -> Bool {
    (7...64).contains(text.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
      && text.contains(where: \.isNumber) && text.contains(where: \.isLetter)
  }

  /// The first four signs: enough to know it by, and all that anybody remembers.
  static func words(hash text: some StringProtocol) -> [String] {
    text.prefix(4).flatMap { $0.isNumber ? NumberWords.digits(String($0)) : [$0.uppercased()] }
  }

  /// Abbreviations of this trade, which are spelled even in a name of capitals alone.
  private static let abbreviations: Set<String> = [
    "HTTP", "HTTPS", "API", "URL", "URI", "ID", "SQL", "JSON", "XML", "HTML", "CSS", "CPU", "GPU", "TTL", "TCP", "UDP",
    "IP", "UI", "DB", "OS", "IO", "CI", "CD", "PCM", "SSH", "SSL", "TLS", "AWS", "UTF", "CLI", "SDK", "TTS", "PR", "QA",
    "XDG", "DNS", "JWT", "PDF", "CSV", "YAML", "TOML", "RAM", "USB", "VAD", "ASR", "AEC",
  ]

  /// Names with inner capitals that are one word.
  private static let keptAsWritten: Set<String> = [
    "GitHub", "GitLab", "JavaScript", "TypeScript", "PostgreSQL", "MySQL", "OpenAI", "YouTube", "iPhone", "iPad", "iOS",
    "macOS", "OAuth", "GraphQL", "NumPy", "PyTorch", "LaTeX", "LinkedIn", "DevOps", "WebRTC", "PortAudio", "WiFi",
  ]

  /// Words that are written otherwise than they are said, by any voice.
  static let sayings: [String: String] = [
    "readme": "read me", "todo": "to do", "stdin": "standard in", "stdout": "standard out",
    "stderr": "standard error", "sqlite": "SQL lite", "json5": "JSON five", "jsonl": "JSON L", "utf8": "UTF eight",
    "etc": "et cetera", "vs": "versus", "repo": "repo", "ok": "okay", "param": "parameter", "params": "parameters",
    "args": "arguments", "arg": "argument", "src": "source", "cpp": "C plus plus", "c++": "C plus plus",
    "c#": "C sharp", "f#": "F sharp", "node.js": "Node JS", "next.js": "Next JS", "vue.js": "Vue JS",
    "k8s": "kubernetes",
    "i18n": "internationalization", "l10n": "localization", "a11y": "accessibility", "w/": "with", "w/o": "without",
    "e.g": "for example", "i.e": "that is", "approx": "approximately", "i/o": "I O", "n/a": "not applicable",
    "and/or": "and or", "a/b": "A B", "ci/cd": "CI CD", "tcp/ip": "TCP IP", "24/7": "twenty four seven",
    "x86_64": "x eighty six sixty four", "usr": "user", "bin": "bin", "tmp": "temp", "lib": "lib",
  ]

  /// What is said for the ending of a file.
  private static let endings: [String: String] = [
    "md": "MD", "js": "JS", "ts": "TS", "jsx": "JSX", "tsx": "TSX", "mjs": "MJS", "css": "CSS", "html": "HTML",
    "json": "JSON", "json5": "JSON five", "jsonl": "JSON L", "yml": "YAML", "yaml": "YAML", "toml": "TOML", "py": "py",
    "rs": "RS", "rb": "RB", "sh": "SH", "c": "C", "h": "H", "cpp": "CPP", "hpp": "HPP", "cc": "CC", "cs": "CS",
    "txt": "text", "xml": "XML", "sql": "SQL", "pdf": "PDF", "png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "svg": "SVG",
    "csv": "CSV", "tsv": "TSV", "kt": "KT", "php": "PHP", "gz": "GZ", "db": "DB", "cfg": "config", "conf": "conf",
    "env": "env", "m": "M", "wav": "wav", "mp3": "MP three", "mp4": "MP four", "exe": "exe", "so": "SO", "ini": "ini",
  ]

  /// Endings that are words.
  private static let plainEndings: Set<String> = [
    "swift", "go", "java", "lock", "log", "zip", "tar", "scala", "lua", "dart", "vue", "gradle", "plist", "proto",
    "bash",
    "zsh", "modulemap", "resolved", "wasm", "example", "local", "opus", "flac", "tex", "gitignore", "zshrc", "bashrc",
  ]
}
