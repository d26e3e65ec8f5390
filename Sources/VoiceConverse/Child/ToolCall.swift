import VoiceCore

/// One tool call of an agent, as far as it has been told. The field names are those of ACP; `toolName`, `shownCommand` and a
/// diff's `unified` text are ours, for agents that tell those.
///
/// Agents spread what they know over several messages, or put all of it into the title, or only into the input
/// (section 2.4 of the protocol notes), so the fields are merged here and described from whatever there is.
struct ToolCall: Equatable, Sendable {
  let id: String
  private(set) var kind = "other"
  private var title = ""
  private var input: JSON?
  private var content: [JSON] = []
  private var place: String?
  /// The agent's name of the tool, if it tells one beside the title.
  private var name: String?
  /// The part of a command that is worth saying, where the agent tells it apart from the shell around it.
  private var shown: String?

  init(id: String) { self.id = id }

  /// Take over what a message says; fields that it lacks stay, arrays are replaced.
  mutating func merge(_ fields: JSON) {
    if let kind = fields["kind"]?.string { self.kind = kind }
    if let title = fields["title"]?.string { self.title = title }
    if let input = fields["rawInput"], input != .null { self.input = input }
    if let content = fields["content"], content != .null { self.content = content.elements }
    if let name = fields["toolName"]?.string { self.name = name }
    if let shown = fields["shownCommand"]?.string { self.shown = shown }
    if let place = fields["locations"]?.elements.first?["path"]?.string { self.place = place }
  }

  /// An agent may leave the kind out of a permission request that it gave with the call.
  mutating func adoptKind(of other: ToolCall) {
    if kind == "other" { kind = other.kind }
  }

  /// Whether more than a name is known, so that a person can judge what is going to happen.
  var isTelling: Bool { input != nil || !content.isEmpty || place != nil }

  var event: AgentTool { AgentTool(id: id, title: spokenTitle, kind: kind) }

  /// One line to be shown and spoken, such as "Run swift test".
  var spokenTitle: String {
    let words = title.replacing("`", with: "").shortened(to: ConverseLimits.titleCharacters)
    let isReadable = !words.isEmpty && !words.contains("{\"")
    guard let subject else { return isReadable ? words : "Use a tool" }
    let name = kind == "execute" ? subject : String(subject.split(separator: "/").last ?? "/")
    if isReadable, kind == "other" || words.contains(name) { return words }
    return "\(verb) \(name)".shortened(to: ConverseLimits.titleCharacters)
  }

  /// The exact command, path or change; empty if the title says it all.
  var detail: String {
    var parts: [String] = []
    // What is said may be the agent's own reading of a command; what is shown is the command.
    if let subject = command ?? subject { parts.append(subject) }
    for item in content where item["type"]?.string == "diff" {
      if let path = item["path"]?.string, path != subject { parts.append(path) }
      if let old = item["oldText"]?.string, !old.isEmpty { parts.append(Self.marked(old, "- ")) }
      if let new = item["newText"]?.string { parts.append(Self.marked(new, "+ ")) }
      if let unified = item["unified"]?.string { parts.append(unified) }
    }
    if parts.count <= 1 {
      // Without a diff, the change stands in the input under one of a few names.
      if let old = field(Self.oldNames) { parts.append(Self.marked(old, "- ")) }
      if let new = field(Self.newNames) {
        parts.append(Self.marked(new, "+ "))
      }
    }
    if parts.isEmpty, let input {
      parts.append(String(decoding: input.bytes.prefix(ConverseLimits.detailCharacters * 4), as: UTF8.self))
    }
    if parts.isEmpty { parts = content.compactMap { $0["content"]?["text"]?.string } }
    let whole = parts.joined(separator: "\n").prefix(ConverseLimits.detailCharacters)
    return spokenTitle.contains(whole) ? "" : String(whole)
  }

  /// What the call would do, as data.
  var permissionSubject: PermissionSubject {
    var paths: [String] = []
    for path in content.compactMap({ $0["path"]?.string }) + [field(Self.pathNames), place].compactMap({ $0 })
    where !paths.contains(path) { paths.append(path) }
    return PermissionSubject(kind: kind, tool: name, command: command, paths: paths, change: change)
  }

  private static let commandNames = ["command", "cmd"]
  private static let pathNames = ["path", "file_path", "filePath", "abs_path", "notebook_path"]
  private static let oldNames = ["old_string", "old_str", "oldText"]
  private static let newNames = ["new_string", "new_str", "newText", "file_text", "content", "new_source"]

  /// An agent that calls nothing by its kind may still tell a command; an editor's `command` is none.
  private var command: String? { ["execute", "other"].contains(kind) ? field(Self.commandNames) : nil }

  private var change: ChangeSummary? {
    let diffs = content.filter { $0["type"]?.string == "diff" }
    var summary = ChangeSummary(
      files: Set(diffs.compactMap { $0["path"]?.string }).count, linesAdded: 0, linesRemoved: 0)
    if diffs.isEmpty {
      guard kind == "edit" else { return nil }
      let old = field(Self.oldNames)
      let new = field(Self.newNames)
      guard old != nil || new != nil else { return nil }
      summary.files = 1
      summary.count(from: old ?? "", to: new ?? "")
    }
    for diff in diffs {
      if let unified = diff["unified"]?.string {
        summary.count(unified: unified)
      } else {
        summary.count(from: diff["oldText"]?.string ?? "", to: diff["newText"]?.string ?? "")
      }
    }
    return summary
  }

  private static func marked(_ text: String, _ mark: String) -> String {
    text.prefix(ConverseLimits.detailCharacters).split(separator: "\n").map { mark + $0 }.joined(separator: "\n")
  }

  private var verb: String {
    switch kind {
    case "read": "Read"
    case "edit": "Edit"
    case "delete": "Delete"
    case "move": "Move"
    case "search": "Search"
    case "execute": "Run"
    case "fetch": "Fetch"
    case "think": "Think about"
    default: "Use"
    }
  }

  /// What the tool acts on: its command if it runs one, else a path, an address or a pattern.
  private var subject: String? {
    let object = Self.pathNames + ["url", "query", "pattern"]
    if kind == "execute" { return shown ?? field(Self.commandNames) ?? field(object) }
    let changed = content.lazy.compactMap { $0["path"]?.string }.first
    return field(object) ?? place ?? changed ?? field(Self.commandNames)
  }

  /// The first of these fields in the input, or in the arguments inside it.
  private func field(_ names: [String]) -> String? {
    guard let input else { return nil }
    for object in [input, input["arguments"]].compactMap({ $0 }) {
      for name in names {
        if let text = object[name]?.string, !text.isEmpty { return text }
        let words = object[name]?.elements.compactMap(\.string) ?? []
        if !words.isEmpty { return words.joined(separator: " ") }
      }
    }
    return nil
  }
}

extension ChangeSummary {
  /// Add the lines that differ between two texts, apart from what both begin and end with.
  mutating func count(from old: String, to new: String) {
    let old = old.split(separator: "\n", omittingEmptySubsequences: true)
    let new = new.split(separator: "\n", omittingEmptySubsequences: true)
    let shorter = min(old.count, new.count)
    var before = 0
    while before < shorter, old[before] == new[before] { before += 1 }
    var after = 0
    while after < shorter - before, old[old.count - 1 - after] == new[new.count - 1 - after] { after += 1 }
    linesAdded += new.count - before - after
    linesRemoved += old.count - before - after
  }

  /// Add the lines of a unified diff.
  mutating func count(unified: String) {
    for line in unified.split(separator: "\n") where !line.hasPrefix("+++") && !line.hasPrefix("---") {
      if line.hasPrefix("+") { linesAdded += 1 }
      if line.hasPrefix("-") { linesRemoved += 1 }
    }
  }
}
