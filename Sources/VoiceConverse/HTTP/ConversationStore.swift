import VoiceFoundation
package import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// What was added to a conversation that this program keeps.
package struct ConversationRecord: Equatable, Sendable {
  package var conversation: AgentSessionID
  /// In the form of `MessageTree`.
  package var lines: [JSON]
}

/// The conversations with servers that keep none: one file of JSON lines each, in a folder for each kind of server. Files
/// are for their owner alone, and only ever appended to, but for a last line that was cut off.
package struct ConversationStore: Equatable, Sendable {
  /// Such as `~/.local/state/parley/conversations/chat`.
  package let folder: String

  /// Append to a conversation's file, which is made if there is none: all of the record, or nothing.
  package func append(_ record: ConversationRecord) throws(AgentError) {
    try makeFolder()
    let path = try path(record.conversation)
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(writing: path, O_APPEND)
    } catch {
      throw AgentError("The conversation in \(path) cannot be written: \(error.reason). \(error.remedy)")
    }
    defer { close(descriptor) }
    try dropCutLine(in: descriptor, path)
    let size = lseek(descriptor, 0, SEEK_END)
    do {
      try write(record.lines.flatMap(\.line), to: descriptor, path)
    } catch {
      // Where even this fails, a line that was cut off is dropped before the next.
      if size >= 0 { _ = ftruncate(descriptor, size) }
      throw error
    }
  }

  /// A line that a full disk or a crash has cut off goes: what is written behind it would be damaged with it.
  private func dropCutLine(in descriptor: Int32, _ path: String) throws(AgentError) {
    let bytes: [UInt8]
    do throws(PlainFile.Refusal) {
      let reading = try PlainFile.open(reading: path)
      defer { close(reading) }
      var last: UInt8 = 0x0A
      // What is whole, as nearly always, is not read again for every answer.
      guard pread(reading, &last, 1, lseek(reading, -1, SEEK_END)) == 1, last != 0x0A else { return }
      guard lseek(reading, 0, SEEK_SET) == 0 else { throw .system(errno) }
      bytes = try PlainFile.contents(reading, limit: Limits.recordBytes)
    } catch {
      throw AgentError("The conversation in \(path) cannot be read: \(error.reason). \(error.remedy)")
    }
    let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard ftruncate(descriptor, off_t(whole)) == 0 else { throw failure("cannot be written", path) }
  }

  /// Write all of it; the path is for the sentence about a failure.
  func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(AgentError) {
    do throws(Descriptors.Failure) {
      try Descriptors.write(bytes, to: descriptor)
    } catch {
      throw failure("cannot be written", path, error.reason)
    }
  }

  /// Whether anything was kept of a conversation.
  func has(_ conversation: AgentSessionID) throws(AgentError) -> Bool { PlainFile.isThere(try path(conversation)) }

  /// Keep a conversation for this process: two that add to it would each take the other's words for damage.
  ///
  /// - Throws: if there is no such conversation, or another process has it.
  package func lock(_ conversation: AgentSessionID) throws(AgentError) -> ConversationLock {
    let path = try path(conversation)
    let lock: ConversationLock?
    do throws(PlainFile.Refusal) {
      lock = try ConversationLock(path)
    } catch {
      throw unreadable(conversation, path, error)
    }
    guard let lock else {
      throw AgentError(
        """
        The conversation \(conversation.rawValue) is in use by another parley, so nothing was sent. End that one first, or \
        begin a new conversation.
        """)
    }
    return lock
  }

  private func unreadable(_ conversation: AgentSessionID, _ path: String, _ refusal: PlainFile.Refusal) -> AgentError {
    guard PlainFile.isThere(path) else {
      let words = "There is no conversation \(conversation.rawValue) in \(folder). parley sessions lists them."
      return AgentError(words, about: .session)
    }
    return AgentError("The conversation in \(path) cannot be read: \(refusal.reason). \(refusal.remedy)")
  }

  /// Read a conversation. A last line that was cut off is left out.
  package func read(_ conversation: AgentSessionID) throws(AgentError) -> MessageTree {
    let path = try path(conversation)
    let bytes: [UInt8]
    do throws(PlainFile.Refusal) {
      bytes = try PlainFile.contents(path, limit: Limits.recordBytes)
    } catch {
      throw unreadable(conversation, path, error)
    }
    var tree = MessageTree()
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true)[...]
    if bytes.last != 0x0A { lines = lines.dropLast() }
    for line in lines {
      guard let value = JSON(parsing: line), tree.read(value) else {
        throw AgentError("The conversation in \(path) is damaged. Move the file away to go on without it.")
      }
    }
    return tree
  }

  /// Remove a conversation's file for good, unless another process goes on with it.
  package func delete(_ conversation: AgentSessionID) throws(AgentError) {
    let held = try lock(conversation)
    let path = try path(conversation)
    let isGone = withExtendedLifetime(held) { unlink(path) == 0 }
    guard isGone else { throw failure("cannot be deleted", path) }
  }

  /// All conversations, the newest first.
  package func list() -> [AgentSessionSummary] {
    let names = FileManager.default.names(in: folder).filter { $0.hasSuffix(Self.suffix) }
    let found = names.compactMap { name in FileStatus("\(folder)/\(name)").map { (name: name, time: $0.modified) } }
    return found.sorted { ($1.time, $1.name) < ($0.time, $0.name) }.map { name, time in
      let id = AgentSessionID(rawValue: String(name.dropLast(Self.suffix.count)))
      return AgentSessionSummary(id: id, title: title(id), updated: time.formatted(.iso8601))
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

  /// What the name of a conversation's file ends with.
  static let suffix = ".jsonl"

  /// A conversation's file.
  func path(_ conversation: AgentSessionID) throws(AgentError) -> String {
    let name = conversation.rawValue
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
    guard !name.isEmpty, name.utf8.count <= 128, isPlain else {
      let words = "“\(name.shortened(to: 80))” is no name of a conversation. parley sessions lists them."
      throw AgentError(words, about: .session)
    }
    return "\(folder)/\(name)\(Self.suffix)"
  }

  /// The sentence for what the system refused just now.
  func failure(
    _ what: String, _ path: String, _ reason: String = String(cString: strerror(errno))
  ) -> AgentError {
    AgentError("The conversation in \(path) \(what) (\(reason)).")
  }

  /// Make the folder and those above it, for their owner alone.
  func makeFolder() throws(AgentError) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      guard mkdir(path, 0o700) != 0 else { continue }
      let number = errno
      guard Self.isThere(path, after: number) else {
        throw failure("cannot be kept", path, String(cString: strerror(number)))
      }
    }
  }

  /// Whether a folder is there though it could not be made. What is refused may be; if it is not, that is the cause, and not what is
  /// missing below it.
  static func isThere(_ path: String, after number: Int32) -> Bool {
    [EEXIST, EISDIR].contains(number) || [EROFS, EACCES].contains(number) && access(path, F_OK) == 0
  }
}
