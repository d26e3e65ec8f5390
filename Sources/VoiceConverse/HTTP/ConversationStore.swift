package import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What was added to a conversation that this program keeps.
package struct ConversationRecord: Equatable, Sendable {
  package var conversation: AgentSessionID
  /// In the form of `MessageTree`.
  package var lines: [JSON]

  package init(_ conversation: AgentSessionID, _ lines: [JSON]) {
    self.conversation = conversation
    self.lines = lines
  }
}

/// The conversations with servers that keep none: one file of JSON lines each, in a folder for each kind of server. Files
/// are for their owner alone, and only ever appended to.
package struct ConversationStore: Equatable, Sendable {
  /// Such as `~/.local/state/parley/conversations/chat`.
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// A conversation that cannot be read or written: what failed, on what, and what to do.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Append to a conversation's file, which is made if there is none.
  package func append(_ record: ConversationRecord) throws(Failure) {
    try makeFolder()
    let path = try path(record.conversation)
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(writing: path, O_APPEND)
    } catch {
      throw Failure(description: "The conversation in \(path) cannot be written: \(error.reason). \(error.remedy)")
    }
    defer { close(descriptor) }
    try write(record.lines.flatMap(\.line), to: descriptor, path)
  }

  /// Write all of it; the path is for the sentence about a failure.
  func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let step = bytes.withUnsafeBytes {
        Self.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      guard step > 0 else { throw failure("cannot be written", path) }
      written += step
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// Read a conversation. A last line that was cut off is left out.
  package func read(_ conversation: AgentSessionID) throws(Failure) -> MessageTree {
    let path = try path(conversation)
    let bytes: [UInt8]
    do throws(PlainFile.Refusal) {
      bytes = try PlainFile.contents(path, limit: Limits.recordBytes)
    } catch {
      if PlainFile.isThere(path) {
        throw Failure(description: "The conversation in \(path) cannot be read: \(error.reason). \(error.remedy)")
      }
      throw Failure(
        description: "There is no conversation \(conversation.rawValue) in \(folder). parley sessions lists them.")
    }
    var tree = MessageTree()
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true)[...]
    if bytes.last != 0x0A { lines = lines.dropLast() }
    for line in lines {
      guard let value = JSON(parsing: line), tree.read(value) else {
        throw Failure(description: "The conversation in \(path) is damaged. Move the file away to go on without it.")
      }
    }
    return tree
  }

  /// All conversations, the newest first.
  package func list() -> [AgentSessionSummary] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [(name: String, seconds: Int)] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      var status = stat()
      guard name.hasSuffix(Self.suffix), lstat("\(folder)/\(name)", &status) == 0 else { continue }
      #if canImport(Glibc)
        found.append((String(name.dropLast(Self.suffix.count)), status.st_mtim.tv_sec))
      #else
        found.append((String(name.dropLast(Self.suffix.count)), status.st_mtimespec.tv_sec))
      #endif
    }
    return found.sorted { ($1.seconds, $1.name) < ($0.seconds, $0.name) }.map { entry in
      let id = AgentSessionID(rawValue: entry.name)
      return AgentSessionSummary(id: id, title: title(id), updated: Self.written(entry.seconds))
    }
  }

  /// The first words of the first message.
  private func title(_ conversation: AgentSessionID) -> String {
    do {
      let first = try read(conversation).messages.first
      return (first?.parts.lazy.compactMap { $0["text"]?.string }.first ?? "").shortened(to: 80)
    } catch {
      return "(\(error.description))"
    }
  }

  /// ISO 8601, in UTC.
  private static func written(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What the name of a conversation's file ends with.
  static let suffix = ".jsonl"

  /// A conversation's file.
  func path(_ conversation: AgentSessionID) throws(Failure) -> String {
    let name = conversation.rawValue
    let isPlain = name.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || Character(Unicode.Scalar($0)).isASCIIWord }
    guard !name.isEmpty, name.utf8.count <= 128, isPlain else {
      throw Failure(
        description: "“\(name.shortened(to: 80))” is no name of a conversation. parley sessions lists them.")
    }
    return "\(folder)/\(name)\(Self.suffix)"
  }

  /// The sentence for what the system refused just now.
  func failure(_ what: String, _ path: String) -> Failure {
    Failure(description: "The conversation in \(path) \(what) (\(String(cString: strerror(errno)))).")
  }

  /// Make the folder and those above it, for their owner alone.
  func makeFolder() throws(Failure) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      guard mkdir(path, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS || errno == EACCES else {
        throw failure("cannot be kept", path)
      }
    }
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
