import VoiceFoundation
import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// Claude Code's earlier sessions, read from the files that it keeps: one a session, a line an entry. The entries of a
/// conversation form a tree, since one can go back and say something else.
package struct ClaudeSessions: AgentSessions {
  private let projects: String
  private let folder: String

  /// - Parameters:
  ///   - workingFolder: absolute; sessions belong to the folder that they worked in.
  ///   - environment: says where the files are.
  package init(
    workingFolder: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    // Without a home there are none; and those of the folder that the program runs in are not the user's.
    let root = environment["CLAUDE_CONFIG_DIR"] ?? UserFolders(environment).home.map { $0 + "/.claude" }
    projects = (root ?? "/nonexistent") + "/projects"
    folder = workingFolder
  }

  /// The folder with the sessions of a working folder is named after it: everything but letters and digits is a hyphen.
  static func slug(_ folder: String) -> String {
    String(folder.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  /// Long names are cut there and carry a hash, so the beginning decides.
  private static let slugCharacters = 200

  private func sessionFolders() -> [String] {
    let slug = Self.slug(folder)
    guard slug.count > Self.slugCharacters else { return ["\(projects)/\(slug)"] }
    return FileManager.default.names(in: projects).filter { $0.hasPrefix(slug.prefix(Self.slugCharacters)) }.map {
      "\(projects)/\($0)"
    }
  }

  // MARK: Listing

  package func list() async throws(AgentError) -> [AgentSessionSummary] {
    let files = sessionFolders().flatMap { folder in
      FileManager.default.names(in: folder).filter { $0.hasSuffix(".jsonl") }.compactMap { name in
        FileStatus("\(folder)/\(name)").map { (path: "\(folder)/\(name)", changed: $0.modified) }
      }
    }
    return files.sorted { $0.changed > $1.changed }.prefix(ConverseLimits.listedSessions).compactMap(summary)
  }

  private func summary(_ path: String, _ changed: Date) -> AgentSessionSummary? {
    // Sessions can be many MiB: the title stands near the beginning or near the end.
    let entries = Self.entries(in: Self.headAndTail(path))
    guard entries.first(where: { $0["isSidechain"] != nil })?["isSidechain"]?.bool != true else { return nil }
    func last(_ key: String) -> String? { entries.last { $0[key]?.string != nil }?[key]?.string }
    let firstPrompt = entries.first { $0["type"]?.string == "user" && $0["isMeta"]?.bool != true }.map(Self.text)
    guard let title = last("customTitle") ?? last("aiTitle") ?? last("lastPrompt") ?? firstPrompt else { return nil }
    let name = path.split(separator: "/").last.map { String($0.dropLast(".jsonl".count)) } ?? path
    return AgentSessionSummary(
      id: AgentSessionID(rawValue: name), title: title.shortened(to: ConverseLimits.titleCharacters),
      updated: changed.ISO8601Format())
  }

  private static let edgeBytes = 64 << 10

  private static func headAndTail(_ path: String) -> [UInt8] {
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      // Its owner may well keep them elsewhere, behind a link; a pipe is not waited for.
      descriptor = try PlainFile.open(reading: path, links: .followed)
    } catch {
      return []
    }
    guard let file = fdopen(descriptor, "rb") else {
      close(descriptor)
      return []
    }
    defer { fclose(file) }
    func read() -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: edgeBytes) { buffer, count in
        count = fread(buffer.baseAddress, 1, edgeBytes, file)
      }
    }
    let head = read()
    guard head.count == edgeBytes, fseek(file, 0, SEEK_END) == 0 else { return head }
    let skipped = max(0, ftell(file) - 2 * edgeBytes)
    guard fseek(file, edgeBytes + skipped, SEEK_SET) == 0 else { return head }
    // Beside a gap, a line that is cut in the middle is no JSON, and passed over.
    return head + (skipped > 0 ? [0x0A] : []) + read()
  }

  private static func entries(in bytes: [UInt8]) -> [JSON] {
    var splitter = LineSplitter(limit: ConverseLimits.lineBytes)
    return splitter.append(bytes + [0x0A]).compactMap { piece in
      if case .line(let line) = piece { JSON(parsing: line) } else { nil }
    }
  }

  /// Its files are Claude Code's, and it has no call for this.
  package func delete(_ session: AgentSessionID) async throws(AgentError) {
    guard let path = file(of: session) else { throw noSuchSession(session) }
    throw AgentError("Claude Code has no call that deletes a session. It is the file \(path): remove that.")
  }

  private func file(of session: AgentSessionID) -> String? {
    guard !session.rawValue.contains("/") else { return nil }
    return sessionFolders().map { "\($0)/\(session.rawValue).jsonl" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  private func noSuchSession(_ session: AgentSessionID) -> AgentError {
    AgentError("There is no Claude Code session \(session.rawValue) of \(folder).")
  }

  // MARK: Showing

  /// The active branch: from the newest entry of the conversation back to its beginning.
  package func messages(
    of session: AgentSessionID
  ) async throws(AgentError) -> [AgentSessionMessage] {
    guard let path = file(of: session), let data = FileManager.default.contents(atPath: path) else {
      throw noSuchSession(session)
    }
    let all = Self.entries(in: Array(data))
    let entries = all.filter { ["user", "assistant"].contains($0["type"]?.string) }
    let byName = Dictionary(
      entries.compactMap { entry in entry["uuid"]?.string.map { ($0, entry) } }, uniquingKeysWith: { _, last in last })
    // Attachments and system entries stand between messages, so parents are looked up among all lines.
    let parents = Dictionary(
      all.compactMap { entry in entry["uuid"]?.string.map { ($0, entry["parentUuid"]?.string) } },
      uniquingKeysWith: { _, last in last })
    var branch: [JSON] = []
    var next = entries.last { $0["isSidechain"]?.bool != true }?["uuid"]?.string
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted {
      if let entry = byName[name] { branch.append(entry) }
      next = parents[name] ?? nil
    }
    return branch.reversed().filter { $0["isMeta"]?.bool != true && $0["isSidechain"]?.bool != true }
      .flatMap(Self.messages)
  }

  private static func messages(_ entry: JSON) -> [AgentSessionMessage] {
    let id = entry["uuid"]?.string
    let isUser = entry["type"]?.string == "user"
    let content = entry["message"]?["content"] ?? .null
    if let text = content.string { return [AgentSessionMessage(id: id, author: isUser ? .user : .agent, text: text)] }
    return content.elements.compactMap { block in
      switch block["type"]?.string {
      case "text":
        return AgentSessionMessage(id: id, author: isUser ? .user : .agent, text: block["text"]?.string ?? "")
      case "tool_use":
        var tool = ToolCall(id: "")
        tool.merge(.object(ClaudeDecoder.fields(block["name"]?.string ?? "tool", block["input"])))
        return AgentSessionMessage(id: id, author: .tool, text: tool.spokenTitle)
      default: return nil
      }
    }
  }

  private static func text(_ entry: JSON) -> String { messages(entry).first?.text ?? "" }
}
