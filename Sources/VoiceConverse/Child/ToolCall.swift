import VoiceJSON
import VoiceVocabulary

/// One tool call of an agent, as far as it has been told. The field names are those of ACP; `toolName`, `shownCommand` and a
/// diff's `unified` text and `operation` are ours, for agents that tell those, and `extraInput`, which is added to the input.
///
/// Agents spread what they know over several messages, or put all of it into the title, or only into the input
/// (section 2.4 of the protocol notes), so the fields are merged here and described from whatever there is.
struct ToolCall: Equatable, Sendable {
  let id: String
  private(set) var kind = "other"
  private var title = ""
  private var input: JSON?
  private var content: [JSON] = []
  private var places: [String] = []
  /// The agent's name of the tool, if it tells one beside the title.
  private var name: String?
  /// What it answered or printed, where the agent tells that.
  private var output: String?
  /// The part of a command that is worth saying, where the agent tells it apart from the shell around it.
  private var shown: String?
  /// What the user has to know of it besides.
  private var remark = ""

  init(id: String) { self.id = id }

  /// Take over what a message says; fields that it lacks stay, arrays are replaced.
  mutating func merge(_ fields: JSON) {
    if let kind = fields["kind"]?.string { self.kind = kind }
    if let title = fields["title"]?.string { self.title = title }
    if let input = fields["rawInput"], input != .null { self.input = input }
    if case .object(let extra)? = fields["extraInput"], !extra.isEmpty {
      var members = extra
      if case .object(let known)? = input { members.merge(known) { extra, _ in extra } }
      input = .object(members)
    }
    if let output = Self.output(fields["rawOutput"]) { self.output = output }
    if let content = fields["content"], content != .null { self.content = content.elements }
    if let name = fields["toolName"]?.string { self.name = name }
    if let shown = fields["shownCommand"]?.string { self.shown = shown }
    let places = (fields["locations"]?.elements ?? []).compactMap { $0["path"]?.string }
    if !places.isEmpty { self.places = places }
  }

  /// An agent may leave the kind out of a permission request that it gave with the call.
  mutating func adoptKind(of other: ToolCall) {
    if kind == "other" { kind = other.kind }
  }

  /// This call, shown for a request that does not say which call it is about, with what that says instead.
  func guessed(for request: ToolCall) -> ToolCall {
    var call = self
    call.remark = "The agent does not say which of its calls it asks for."
    if !request.title.isEmpty, request.title != title { call.remark += " It says: \(request.title)" }
    return call
  }

  /// Whether both are about the same act, though they have different names; a call that tells nothing may be of any.
  func isAct(of other: ToolCall) -> Bool {
    guard other.isDescriptive else { return true }
    guard let command = permissionSubject.command else { return spokenTitle == other.spokenTitle }
    return other.permissionSubject.command == command || other.spokenTitle.contains(command)
  }

  /// Whether a person would judge both alike.
  func isSame(as other: ToolCall) -> Bool {
    permissionSubject == other.permissionSubject && detail == other.detail && spokenTitle == other.spokenTitle
  }

  /// Whether more than a name is known, so that a person can judge what is going to happen.
  var isDescriptive: Bool { input != nil || !content.isEmpty || !places.isEmpty }

  /// The call as it is reported.
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

  /// The exact command, paths, changes and whatever else the tool is given, to the end; empty if the title says it all.
  var detail: String {
    let whole = wholeDetail
    return String(whole.unicodeScalars.prefix(ConverseLimits.detailCharacters))
  }

  /// How much of the detail is too much to be carried; nil if nothing is.
  var unseenCharacters: Int? {
    let count = wholeDetail.unicodeScalars.count - ConverseLimits.detailCharacters
    return count > 0 ? count : nil
  }

  private var wholeDetail: String {
    var parts: [String] = []
    // A title that is cut to be spoken, or cannot be, may be all that is told.
    let words = title.replacing("`", with: "")
    let isUnsaid = words.contains("{\"") ? !isDescriptive : words.count > ConverseLimits.titleCharacters
    if isUnsaid { parts.append(words) }
    // What is said may be the agent's own reading of a command; what is shown is the command.
    let acted = command ?? subject
    if let acted { parts.append(acted) }
    let changes = self.changes
    for change in changes {
      if let path = change.path, path != acted { parts.append(path) }
      parts.append(change.text)
    }
    parts += places.filter { place in place != acted && !changes.contains { $0.path == place } }
    for argument in arguments where argument.value != acted && !(kind == "execute" && argument.name == "description") {
      parts.append("\(argument.name): \(argument.value)")
    }
    for text in content.compactMap({ $0["content"]?["text"]?.string }) where text != acted { parts.append(text) }
    parts.append(remark)
    let whole = parts.filter { !$0.isEmpty }.joined(separator: "\n")
    return spokenTitle.contains(whole) ? "" : whole
  }

  /// What the call did, once it is over; nil for one that only looked.
  func result(_ outcome: AgentTool.Outcome) -> AgentToolResult? {
    guard isDescriptive, !["read", "search", "think", "fetch"].contains(kind) else { return nil }
    let subject = permissionSubject
    let changes = self.changes
    var parts: [String] = []
    for change in changes {
      if changes.count > 1, let path = change.path { parts.append(path) }
      parts.append(change.text)
    }
    if let command { parts.append(command) }
    let limit = ConverseLimits.resultCharacters
    // That a file was written is no news.
    let isTold = ["execute", "other"].contains(kind) || outcome == .failed
    let printed = output ?? (content.compactMap { $0["content"]?["text"]?.string }.joined(separator: "\n"))
    return AgentToolResult(
      title: spokenTitle, kind: kind,
      paths: subject.paths.prefix(ConverseLimits.resultPaths).map { String($0.unicodeScalars.prefix(limit)) },
      change: subject.change,
      detail: String(parts.filter { !$0.isEmpty }.joined(separator: "\n").unicodeScalars.prefix(limit)),
      output: isTold && !printed.isEmpty ? String(printed.unicodeScalars.suffix(limit)) : nil)
  }

  /// What a tool answered, as a text: as it is, in one of the usual fields, or in blocks of text.
  static func output(_ value: JSON?) -> String? {
    guard let value else { return nil }
    if let text = value.string { return text }
    let blocks = value.elements.compactMap { $0.string ?? $0["text"]?.string }
    if !blocks.isEmpty { return blocks.joined(separator: "\n") }
    return ["output", "stdout", "formatted_output", "text", "content"].lazy.compactMap { value[$0]?.string }.first
  }

  /// What the call would do, as data.
  var permissionSubject: PermissionSubject {
    var paths: [String] = []
    for path in content.compactMap({ $0["path"]?.string }) + [field(Self.pathNames)].compactMap({ $0 }) + places
    where !paths.contains(path) { paths.append(path) }
    let arguments = self.arguments
    let overwrites = changes.contains { $0.old == nil && $0.new != nil && $0.isFromInput }
    return PermissionSubject(
      kind: kind, tool: name, command: command, paths: paths, change: change,
      arguments: arguments.isEmpty ? nil : arguments, overwrites: overwrites ? true : nil)
  }

  private static let commandNames = ["command", "cmd"]
  private static let pathNames = ["path", "file_path", "filePath", "abs_path", "notebook_path"]

  /// An agent that calls nothing by its kind may still tell a command; an editor's `command` is none.
  private var command: String? { ["execute", "other"].contains(kind) ? field(Self.commandNames) : nil }

  private var toldChanges: [ToolChange] {
    content.filter { $0["type"]?.string == "diff" }.map {
      ToolChange(
        path: $0["path"]?.string, old: $0["oldText"]?.string, new: $0["newText"]?.string,
        unified: $0["unified"]?.string, operation: $0["operation"]?.string)
    }
  }

  /// Without a diff, the change stands in the input under one of a few names.
  private var changes: [ToolChange] {
    let told = toldChanges
    return told.isEmpty ? ToolInput(input ?? .null, isEdit: kind == "edit").changes : told
  }

  private var change: ChangeSummary? {
    let changes = self.changes
    guard !changes.isEmpty, kind == "edit" || changes.contains(where: { !$0.isFromInput }) else { return nil }
    // Where a part of an edit is not understood, nobody knows how many lines it changes.
    guard !changes.contains(where: \.isPartly) else { return nil }
    var summary = ChangeSummary(files: max(1, Set(changes.compactMap(\.path)).count), linesAdded: 0, linesRemoved: 0)
    for change in changes {
      if let unified = change.unified {
        summary.count(unified: unified)
      } else {
        summary.count(from: change.old ?? "", to: change.new ?? "")
      }
    }
    return summary
  }

  /// What the tool is given besides its command, its file and the texts of its change, in the order of the names.
  private var arguments: [PermissionArgument] {
    guard case .object = input else {
      guard let input, input != .null else { return [] }
      return [PermissionArgument(name: "input", value: ToolInput.words(of: input))]
    }
    let told = toldChanges
    let rest = ToolInput(input ?? .null, isEdit: kind == "edit", isRead: told.isEmpty).rest
    let files = [field(Self.pathNames)].compactMap { $0 } + content.compactMap { $0["path"]?.string }
    return rest.filter { name, value in
      if Self.commandNames.contains(name), let command, ToolInput.wholeText(value) == command { return false }
      if Self.pathNames.contains(name), let path = value.string, files.contains(path) { return false }
      // The texts of a change that is told as a diff are in it.
      guard let text = value.string else { return true }
      if ToolInput.oldNames.contains(name), told.contains(where: { $0.old == text }) { return false }
      return !(ToolInput.newNames.contains(name) && told.contains { $0.new == text })
    }.map { PermissionArgument(name: $0.name, value: ToolInput.words(of: $0.value)) }
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
    return field(object) ?? places.first ?? changed ?? field(Self.commandNames)
  }

  /// The first of these fields in the input, or in the arguments inside it.
  private func field(_ names: [String]) -> String? {
    guard let input else { return nil }
    return [input, input["arguments"]].compactMap { $0 }.lazy.compactMap { Self.text($0, names) }.first
  }

  private static func text(_ object: JSON, _ names: [String]) -> String? {
    names.lazy.compactMap { object[$0].flatMap(ToolInput.text) }.first { !$0.isEmpty }
  }
}
