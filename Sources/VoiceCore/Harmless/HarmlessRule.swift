/// What a program may be given and still only looks.
struct HarmlessRule: Equatable, Sendable {
  /// A word of a command line.
  typealias Word = PlainCommandLine.Word
  /// Why a command line is not known to be harmless.
  typealias ValidationError = PlainCommandLine.ValidationError

  /// Which options a program may be given.
  enum Options: Equatable, Sendable {
    /// Whatever it is told, it only reads.
    case any
    /// These letters, those that take a value, and these names; no other.
    case only(letters: String, valued: String, names: [String])
  }

  /// What a program may be given besides its options.
  enum Operands: Equatable, Sendable {
    /// Files and folders.
    case paths(atMost: Int)
    /// What is looked for, then files and folders; nothing but those if one of these letters or names is there.
    case pattern(unless: String, or: [String])
    /// Nothing that is opened.
    case text
  }

  private let options: Options
  private let operands: Operands

  /// Any options.
  init(operands: Operands = .paths(atMost: .max)) { (options, self.operands) = (.any, operands) }

  /// - Parameters:
  ///   - short: letters of options without a value, `valued` those with one.
  ///   - long: names of options, without their dashes.
  init(short: String, valued: String = "", long: [String] = [], operands: Operands = .paths(atMost: .max)) {
    options = .only(letters: short, valued: valued, names: long)
    self.operands = operands
  }

  /// Throws why this call of `program` is not known to be harmless; `words` is what follows its name.
  func judge(_ words: [Word], _ program: String, _ paths: FolderPath) throws(ValidationError) {
    var isBehindDashes = false
    var count = 0
    var mayBePattern = Self.allowsPattern(operands, words)
    for word in words {
      if !isBehindDashes {
        if word.text == "--" {
          isBehindDashes = true
          continue
        }
        if options != .any, word.isPattern, "-*?[".contains(word.text.first ?? "-") {
          throw ValidationError("a file's name may act as an option")
        }
        if word.text.hasPrefix("-"), word.text != "-" {
          guard allows(option: word.text) else {
            throw ValidationError("“\(program) \(word.text)” is not known to be harmless")
          }
          if operands != .text { try Self.checkPath(word, paths) }
          continue
        }
      }
      count += 1
      if mayBePattern {
        // What is looked for is opened by nobody.
        mayBePattern = false
        continue
      }
      if operands != .text { try Self.checkPath(word, paths) }
      if case .paths(let most) = operands, count > most { throw ValidationError("“\(program)” would write a file") }
    }
  }

  /// Whether the first operand is a pattern.
  private static func allowsPattern(_ operands: Operands, _ words: [Word]) -> Bool {
    guard case .pattern(let letters, let names) = operands else { return false }
    return !words.contains { word in
      guard word.text.hasPrefix("-") else { return false }
      if word.text.hasPrefix("--") {
        // Names may be abbreviated.
        let name = word.text.prefix { $0 != "=" }
        return names.contains { $0.hasPrefix(name) }
      }
      return word.text.contains { letters.contains($0) }
    }
  }

  private func allows(option: String) -> Bool {
    guard case .only(let letters, let valued, let names) = options else { return true }
    if option.hasPrefix("--") { return names.contains(String(option.dropFirst(2).prefix { $0 != "=" })) }
    let cluster = option.dropFirst()
    // `-3` is a count.
    if cluster.allSatisfy({ ("0"..."9").contains($0) }) { return true }
    for letter in cluster {
      if valued.contains(letter) { return true }
      if !letters.contains(letter) { return false }
    }
    return true
  }

  /// Whatever may be a path stays in the working folder, and holds no secret.
  static func checkPath(_ word: Word, _ paths: FolderPath) throws(ValidationError) {
    guard paths.holds(everyPathIn: word.text) else { throw ValidationError("it leaves the working folder") }
    if FolderPath.isSecret(word.text, wildcards: word.isPattern ? .shell : .none) {
      throw ValidationError("it may read a secret")
    }
  }
}
