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
  private let takesPatterns: Bool

  /// Any options.
  ///
  /// - Parameter takesPatterns: whether the program itself takes an operand for a pattern of names.
  init(operands: Operands = .paths(atMost: .max), takesPatterns: Bool = false) {
    (options, self.operands, self.takesPatterns) = (.any, operands, takesPatterns)
  }

  /// - Parameters:
  ///   - short: letters of options without a value, `valued` those with one.
  ///   - long: names of options, without their dashes.
  init(short: String, valued: String = "", long: [String] = [], operands: Operands = .paths(atMost: .max)) {
    options = .only(letters: short, valued: valued, names: long)
    (self.operands, takesPatterns) = (operands, false)
  }

  /// Throws why this call of `program` is not known to be harmless; `words` is what follows its name.
  func judge(_ words: [Word], _ program: String, _ paths: FolderPath) throws(ValidationError) {
    var isBehindDashes = false
    var count = 0
    var mayBePattern = Self.allowsPattern(operands, words)
    var (isValue, isLookedFor) = (false, false)
    for word in words {
      if options != .any, word.isPattern, "-*?[".contains(word.text.first ?? "-") {
        throw ValidationError("a file's name may act as an option")
      }
      if isValue {
        isValue = false
        if operands != .text, !isLookedFor { try Self.checkValue(word, paths) }
        continue
      }
      if word.text == "--" {
        isBehindDashes = true
        continue
      }
      if word.text.hasPrefix("-"), word.text != "-" {
        // Whether those dashes ended the options, the program alone knows.
        guard !isBehindDashes, allows(option: word.text) else {
          throw ValidationError("“\(program) \(word.text)” is not known to be harmless")
        }
        if operands != .text { try Self.checkValue(word, paths) }
        isValue = takesValue(option: word.text)
        if case .pattern(let letters, _) = operands, let last = word.text.last {
          isLookedFor = !word.text.hasPrefix("--") && letters.contains(last)
        }
        continue
      }
      count += 1
      if mayBePattern, !word.isPattern {
        // What is looked for is opened by nobody.
        mayBePattern = false
        continue
      }
      if operands != .text || word.isPattern { try Self.checkPath(word, paths, takesPatterns: takesPatterns) }
      if case .paths(let most) = operands, count > most || (word.isPattern && most < .max) {
        throw ValidationError("“\(program)” would write a file")
      }
    }
  }

  /// Whether the first operand is a pattern.
  private static func allowsPattern(_ operands: Operands, _ words: [Word]) -> Bool {
    guard case .pattern(let letters, let names) = operands else { return false }
    return !words.contains { word in
      guard word.text.hasPrefix("-"), word.text != "--" else { return false }
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
    for (index, letter) in cluster.enumerated() {
      // What stands behind it is its value, to some programs; others go on reading letters, as `tree -L2o` does.
      if valued.contains(letter) {
        let rest = cluster.dropFirst(index + 1)
        return rest.allSatisfy { ",:;.0123456789".contains($0) || letters.contains($0) }
          && rest.first.map { !letters.contains($0) } ?? true
      }
      if !letters.contains(letter) { return false }
    }
    return true
  }

  /// Whether the next word is the value of this option.
  private func takesValue(option: String) -> Bool {
    if option == "--include" { return true }
    guard case .only(let letters, let valued, let names) = options else { return false }
    if option.hasPrefix("--") { return names.contains("iglob") && Self.globOptions.contains(option) }
    return option.last.map { valued.contains($0) } ?? false
      && option.dropFirst().dropLast().allSatisfy { letters.contains($0) && !valued.contains($0) }
  }

  /// The options whose value is a pattern of names, beside `-g` where that takes a value.
  private static let globOptions = ["--glob", "--iglob", "--include"]

  /// What an option is given may name files to the program.
  private static func checkValue(_ word: Word, _ paths: FolderPath) throws(ValidationError) {
    guard word.text.hasPrefix("-") else {
      let text = word.text.hasPrefix("!") ? String(word.text.dropFirst()) : word.text
      return try checkPath(Word(text: text), paths, takesPatterns: true)
    }
    try checkPath(word, paths)
    guard globOptions.contains(where: { word.text.hasPrefix($0 + "=") }) else { return }
    try checkValue(Word(text: String(word.text.drop { $0 != "=" }.dropFirst())), paths)
  }

  /// Whatever may be a path stays in the working folder, and holds no secret.
  ///
  /// - Parameter takesPatterns: whether the program knows patterns of names, besides the shell.
  static func checkPath(
    _ word: Word, _ paths: FolderPath, takesPatterns: Bool = false
  ) throws(ValidationError) {
    guard paths.holds(everyPathIn: word.text) else { throw ValidationError("it leaves the working folder") }
    if paths.mayBeSecret(word.text, takesPatterns: takesPatterns || word.isPattern) {
      throw ValidationError("it may read a secret")
    }
  }
}
