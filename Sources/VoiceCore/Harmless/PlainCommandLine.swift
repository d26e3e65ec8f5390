import VoiceVocabulary

/// A command line of which a shell makes nothing but what stands there: commands of plain words, one after the other or each
/// into the next. Whatever else a shell knows – substitutions, variables, redirections, assignments, groups, comments, history,
/// line ends, characters outside ASCII – makes it none: to judge those is to be a shell.
package struct PlainCommandLine: Equatable, Sendable {
  /// One word, without its quotes.
  package struct Word: Equatable, Sendable {
    package var text: String
    /// Whether a file's name may take its place: `*`, `?` or `[` stands in it without quotes.
    package var isPattern = false
  }

  /// Why a line is no plain one, as the end of a sentence.
  package struct ValidationError: Error, Equatable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
  }

  /// The commands in their order, each of at least one word. `|`, `&&`, `||` and `;` stand between them.
  package private(set) var commands: [[Word]] = []

  package init(_ line: String) throws(ValidationError) {
    guard line.utf8.count <= Limits.judgedCommandBytes else { throw ValidationError("it is too long to be judged") }
    guard line.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw ValidationError("it has line ends or characters that are no plain ASCII")
    }
    var reader = ShellReader(line)
    commands = try reader.commands()
  }
}

/// Reads a line as a POSIX shell does, as far as it is plain.
private struct ShellReader {
  typealias Word = PlainCommandLine.Word
  typealias ValidationError = PlainCommandLine.ValidationError

  private let bytes: [UInt8]
  private var place = 0
  private var command: [Word] = []
  private var word: Word?

  init(_ line: String) { bytes = Array(line.utf8) }

  mutating func commands() throws(ValidationError) -> [[Word]] {
    var commands: [[Word]] = []
    while place < bytes.count {
      if let operatorLength = try lengthOfOperator() {
        endWord()
        guard !command.isEmpty else { throw ValidationError("a command is missing before an operator") }
        commands.append(command)
        command = []
        place += operatorLength
      } else {
        try readOne()
      }
    }
    endWord()
    if command.isEmpty {
      // A line may end with a semicolon; an operator needs something behind it.
      guard !commands.isEmpty, bytes.last(where: { $0 != 0x20 }) == UInt8(ascii: ";") else {
        throw ValidationError("a command is missing")
      }
      return commands
    }
    return commands + [command]
  }

  private func byte(_ offset: Int) -> UInt8? {
    bytes.indices.contains(place + offset) ? bytes[place + offset] : nil
  }

  /// How long the operator here is; nil if there is none.
  private func lengthOfOperator() throws(ValidationError) -> Int? {
    switch (byte(0), byte(1)) {
    case (UInt8(ascii: "&"), UInt8(ascii: "&")), (UInt8(ascii: "|"), UInt8(ascii: "|")): return 2
    case (UInt8(ascii: "|"), UInt8(ascii: "&")): throw ValidationError("it has an operator that is not judged")
    case (UInt8(ascii: "|"), _), (UInt8(ascii: ";"), _): return 1
    case (UInt8(ascii: "&"), UInt8(ascii: ">")): return nil
    case (UInt8(ascii: "&"), _): throw ValidationError("it runs something in the background")
    default: return nil
    }
  }

  private mutating func endWord() {
    if let word { command.append(word) }
    word = nil
  }

  private mutating func append(_ byte: UInt8, isPattern: Bool = false) {
    var longer = word ?? Word(text: "")
    longer.text.unicodeScalars.append(UnicodeScalar(byte))
    if isPattern { longer.isPattern = true }
    word = longer
  }

  private mutating func readOne() throws(ValidationError) {
    let byte = bytes[place]
    switch byte {
    case UInt8(ascii: " "):
      endWord()
      place += 1
    case UInt8(ascii: "'"): try readSingleQuotes()
    case UInt8(ascii: "\""): try readDoubleQuotes()
    case UInt8(ascii: "\\"):
      // A sign that would mean something else; before a letter a backslash only hides the word.
      guard let next = self.byte(1), !next.isASCIILetterOrDigit else { throw ValidationError("it has a backslash") }
      append(next)
      place += 2
    case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "&"): try skipRedirection()
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["):
      append(byte, isPattern: true)
      place += 1
    case UInt8(ascii: "$"), UInt8(ascii: "`"): throw ValidationError("the shell would replace a part of it")
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      throw ValidationError("it has brackets of the shell")
    case UInt8(ascii: "!"): throw ValidationError("it has an exclamation mark")
    case UInt8(ascii: "#") where word == nil: throw ValidationError("it has a comment")
    case UInt8(ascii: "~") where word == nil: throw ValidationError("it names a home folder")
    default:
      append(byte)
      place += 1
    }
  }

  private mutating func readSingleQuotes() throws(ValidationError) {
    word = word ?? Word(text: "")
    place += 1
    while let byte = byte(0), byte != UInt8(ascii: "'") {
      append(byte)
      place += 1
    }
    try closeQuotes()
  }

  private mutating func readDoubleQuotes() throws(ValidationError) {
    word = word ?? Word(text: "")
    place += 1
    while let byte = byte(0), byte != UInt8(ascii: "\"") {
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "`"): throw ValidationError("the shell would replace a part of it")
      case UInt8(ascii: "!"): throw ValidationError("it has an exclamation mark")
      case UInt8(ascii: "\\"):
        // Before another sign it stands for itself.
        guard let next = self.byte(1), !"$`\"\\".utf8.contains(next) else {
          throw ValidationError("it has a backslash")
        }
      default: break
      }
      append(byte)
      place += 1
    }
    try closeQuotes()
  }

  private mutating func closeQuotes() throws(ValidationError) {
    guard byte(0) != nil else { throw ValidationError("its quotes are not closed") }
    place += 1
  }

  /// What goes to nobody, or where the rest goes: `2>/dev/null`, `2>&1`. Any other redirection writes or reads a file.
  private mutating func skipRedirection() throws(ValidationError) {
    let rest = bytes[place...]
    for redirection in [">/dev/null", "> /dev/null", ">&1", ">&2", "</dev/null", "< /dev/null", "&>/dev/null"] {
      guard rest.starts(with: redirection.utf8) else { continue }
      let end = place + redirection.utf8.count
      guard end == bytes.count || " ;|&".utf8.contains(bytes[end]),
        word == nil || isDescriptor && !redirection.hasPrefix("&")
      else { continue }
      word = nil
      place = end
      return
    }
    throw ValidationError("it has a redirection")
  }

  /// Whether the word before a redirection is the number of an output.
  private var isDescriptor: Bool {
    guard let word, word.text == "1" || word.text == "2", byte(-1) == word.text.utf8.first else { return false }
    // A number behind quotes, even empty ones, is a word.
    return place < 2 || " ;|&".utf8.contains(bytes[place - 2])
  }
}
