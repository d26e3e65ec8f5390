import VoiceJSON
import VoiceVocabulary

/// What is open in one turn of an agent: tools, permission requests, a question, a paragraph. Every dialect tells it what
/// happened and gets the events that say so; it sees to it that everything that was opened is closed once.
///
/// Pure: no clock, no process.
struct AgentTurn: Equatable, Sendable {
  /// What is allowed by an answer to a request.
  enum Allowed: Equatable {
    /// The call that it names, whatever the agent tells of that by then.
    case call
    /// What stands in the request itself: what is told of the call besides changes nothing of that.
    case request
  }

  /// A permission request that nobody has answered yet.
  struct OpenPermission: Equatable {
    /// As the user was asked.
    var asked: PermissionRequest
    /// How it was named first, and how often it has changed since.
    let name: PermissionID
    var changes = 0
    /// What the agent says that it is about, in the field names of ACP.
    var fields: JSON
    /// The agent's own identifier of its request, echoed in the answer.
    var request: JSON
    /// What an answer allows.
    var allows: Allowed
    /// What to answer for each meaning; where two mean the same, the first.
    var options: [PermissionRequest.Choice: JSON]
    /// The call that waits for the answer: the one that the agent names, if it was announced, else the one that is shown for it.
    var tool: String?

    /// How the user's answer names it.
    var id: PermissionID { asked.id }
    /// The call that the agent names; it may not have been told yet.
    var call: String? { fields["toolCallId"]?.string }
  }

  private var tools: [String: ToolCall] = [:]
  /// What the turn before told of the calls that its requests are about, if they are still open, and what requests told of calls before
  /// these were.
  private var earlier: [String: ToolCall] = [:]
  /// Calls that are not over, oldest first.
  private var openTools = OpenCalls()
  private var declinedTools: Set<String> = []
  /// Of each file that was to be changed, whether the user allowed that last.
  private var decidedPaths: [String: Bool] = [:]
  /// The files of changes that the user refused last, or has not decided about yet.
  var unallowedPaths: Set<String> {
    let asked = permissions.flatMap { Self.changed(by: $0.asked.subject) }
    return Set(asked + decidedPaths.keys).filter { decidedPaths[$0] != true }
  }
  private(set) var permissions: [OpenPermission] = []
  private(set) var forms: [QuestionForm] = []
  private var paragraph = Paragraph.none
  /// The messages of which text was told; empty for one without a name.
  private var messages: Set<String> = []

  /// Of so many calls at most it is kept what a request told before they were told.
  private static let mostRequested = 64

  private enum Paragraph: Equatable {
    case none
    /// Text was sent and may go on; a message of another name is another paragraph.
    case open(message: String?)
  }

  /// A piece of the answer. A message of another name begins another paragraph.
  mutating func text(_ delta: String, of message: String?) -> [AgentEvent] {
    guard !delta.isEmpty else { return [] }
    let isNewParagraph = if case .open(let before) = paragraph { before != message } else { false }
    paragraph = .open(message: message)
    messages.insert(message ?? "")
    return isNewParagraph ? [.paragraphEnded, .text(delta: delta)] : [.text(delta: delta)]
  }

  /// Whether nothing was said, done or asked in it.
  var isEmpty: Bool { messages.isEmpty && tools.isEmpty && permissions.isEmpty && forms.isEmpty }

  /// Whether any text of this message was told, or may have been.
  func hasTold(message: String) -> Bool { messages.contains(message) || messages.contains("") }

  /// The paragraph that is being written is complete; nothing where there is none.
  mutating func endParagraph() -> [AgentEvent] {
    guard paragraph != .none else { return [] }
    paragraph = .none
    return [.paragraphEnded]
  }

  /// Whether a message of this name is the one that was written last.
  func isWriting(_ message: String) -> Bool { paragraph == .open(message: message) }

  /// Whether it waits for a tool or for the user.
  var isOpen: Bool { !openTools.isEmpty || !permissions.isEmpty || !forms.isEmpty }

  // MARK: Tools

  /// Whether a tool call of this name was told.
  func hasTold(_ tool: String) -> Bool { tools[tool] != nil }

  /// A tool started, or more is known of it. The field names are those of ACP.
  mutating func tool(_ id: String, _ fields: JSON) -> [AgentEvent] {
    if var tool = tools[id] {
      // A call that is over stays over: nobody speaks of it twice, but for a request that came afterwards.
      guard openTools.contains(id) else { return askedAnew(about: id, fields) }
      let before = tool
      tool.merge(fields)
      tools[id] = tool
      let isRenamed = tool.spokenTitle != before.spokenTitle
      let asked = tool.isSame(as: before) ? [] : askedAnew(about: id, fields)
      return (isRenamed ? [.toolUpdated(id: id, title: tool.spokenTitle)] : []) + asked
    }
    var tool = earlier.removeValue(forKey: id) ?? ToolCall(id: id)
    tool.merge(fields)
    tools[id] = tool
    openTools.append(id)
    return endParagraph() + [.toolStarted(tool: tool.event)] + askedAnew(about: id, fields)
  }

  /// A running tool tells how far it is.
  func progress(_ id: String, _ words: String) -> [AgentEvent] {
    openTools.contains(id) && !words.isEmpty ? [.toolUpdated(id: id, title: words)] : []
  }

  /// A tool call is over; nothing where it was not open.
  /// - Parameter output: What the tool answered: a text, or blocks of text.
  mutating func finish(_ id: String, _ outcome: AgentTool.Outcome, output: JSON? = nil) -> [AgentEvent] {
    guard openTools.contains(id), var tool = tools[id] else { return [] }
    openTools.remove(id)
    if let output { tool.merge(["rawOutput": output]) }
    // Only the identifier is still needed; contents may be whole files.
    tools[id] = ToolCall(id: id)
    // An agent that goes on with the call waits for no answer: it took the time as a no, or asked somebody else.
    let lapsed = permissions.filter { $0.tool == id }.map { AgentEvent.permissionWithdrawn(id: $0.id) }
    permissions.removeAll { $0.tool == id }
    let outcome = declinedTools.remove(id) == nil ? outcome : .declined
    let did = tool.result(outcome).map { [AgentEvent.toolResult(id: id, result: $0)] } ?? []
    return lapsed + did + [.toolFinished(id: id, outcome: outcome)]
  }

  /// Whether a call that is not over has told more than its name.
  func isDescribed(_ tool: String) -> Bool { openTools.contains(tool) && tools[tool]?.isDescriptive == true }

  // MARK: Permissions

  /// The agent asks. nil if it offers nothing that could be chosen.
  /// - Parameters:
  ///   - once: which answer allows it once, if several would.
  ///   - always: what would be allowed from now on, if that is offered and the agent says what it covers.
  ///   - allows: what an answer allows.
  mutating func ask(
    _ id: PermissionID, request: JSON, options: [(choice: PermissionRequest.Choice, answer: JSON)], about fields: JSON,
    once: String? = nil, always: String? = nil, record: ApprovalRecord? = nil, allows: Allowed = .call
  ) -> [AgentEvent]? {
    // What would be allowed from now on is shown whole, or not offered.
    let isShown = (always?.count ?? 0) <= ConverseLimits.reasonCharacters
    let options = options.filter { isShown || $0.choice != .allowAlways }
    let byMeaning = Dictionary(options.map { ($0.choice, $0.answer) }) { first, _ in first }
    guard !byMeaning.isEmpty else { return nil }
    var choices: [PermissionRequest.Choice] = []
    for option in options where !choices.contains(option.choice) { choices.append(option.choice) }
    let (tool, waiting, isGuessed) = described(fields)
    if let call = fields["toolCallId"]?.string, tools[call] == nil {
      // What it may hold is shown to the user: of so many he has had enough.
      if earlier[call] == nil, earlier.count < Self.mostRequested { earlier[call] = ToolCall(id: call) }
      earlier[call]?.merge(fields)
    }
    var asked = PermissionRequest(
      id: id, title: "", detail: "", choices: choices, once: once?.shortened(to: ConverseLimits.reasonCharacters),
      always: isShown ? always : nil, record: isShown ? record : nil)
    asked.describe(tool, isGuessed: isGuessed)
    permissions.append(
      OpenPermission(
        asked: asked, name: id, fields: fields, request: request, allows: allows, options: byMeaning, tool: waiting))
    return endParagraph() + [.permissionRequested(request: asked)]
  }

  /// A call is told, or changes, while the user is asked about it: what was shown is not what would be allowed any more. It gets
  /// another name, so that an answer that is on its way is none to it.
  private mutating func askedAnew(about id: String, _ fields: JSON) -> [AgentEvent] {
    var events: [AgentEvent] = []
    for index in permissions.indices where permissions[index].tool == id || permissions[index].call == id {
      // What is told of a call is no word about one that is only shown as it.
      if permissions[index].call == id {
        let isOwn = permissions[index].allows == .request
        permissions[index].fields = .object(
          permissions[index].fields.members.merging(fields.members) { isOwn ? $0 : $1 })
      }
      let (tool, waiting, isGuessed) = described(permissions[index].fields, shownAs: permissions[index].tool)
      permissions[index].tool = waiting ?? permissions[index].tool
      var asked = permissions[index].asked
      asked.describe(tool, isGuessed: isGuessed)
      guard asked != permissions[index].asked else { continue }
      let before = asked.id
      permissions[index].changes += 1
      asked.id = PermissionID(rawValue: "\(permissions[index].name.rawValue)/\(permissions[index].changes)")
      permissions[index].asked = asked
      events += [.permissionWithdrawn(id: before), .permissionRequested(request: asked)]
    }
    return events
  }

  /// Forget an open request and return it; nil if it is not open any more.
  mutating func close(_ id: PermissionID, choosing choice: PermissionRequest.Choice?) -> OpenPermission? {
    guard let index = permissions.firstIndex(where: { $0.id == id }) else { return nil }
    let permission = permissions.remove(at: index)
    guard let choice else { return permission }
    for path in Self.changed(by: permission.asked.subject) { decidedPaths[path] = choice.allows }
    if !choice.allows, let tool = permission.tool { declinedTools.insert(tool) }
    return permission
  }

  /// Of any other act, such as a command, its paths do not tell what it changes.
  private static func changed(by subject: PermissionSubject) -> [String] {
    ["edit", "delete", "move"].contains(subject.kind) ? subject.paths : []
  }

  // MARK: Questions

  /// The agent asks one or more questions together; the first is asked now.
  mutating func ask(_ form: QuestionForm) -> [AgentEvent]? {
    guard let first = form.current else { return nil }
    forms.append(form)
    return endParagraph() + [.questionAsked(question: first)]
  }

  /// The user answered. The next question of the form, or the form, once all of it is answered or the user declined.
  mutating func answer(
    _ id: QuestionID, _ answer: AgentQuestion.Answer
  ) -> (events: [AgentEvent], finished: QuestionForm?) {
    guard let index = forms.firstIndex(where: { $0.current?.id == id }) else { return ([], nil) }
    forms[index].take(answer)
    if let next = forms[index].current { return ([.questionAsked(question: next)], nil) }
    return ([], forms.remove(at: index))
  }

  // MARK: The end

  /// What waits for the user, to be asked in the run that the turn is of from now on.
  var asked: [AgentEvent] {
    permissions.map { .permissionRequested(request: $0.asked) }
      + forms.compactMap(\.current).map { .questionAsked(question: $0) }
  }

  /// Whether this request of the agent waits for the user.
  func asks(_ request: JSON) -> Bool {
    permissions.contains { $0.request == request } || forms.contains { $0.request == request }
  }

  /// The turn that follows this one, with those of its requests that still wait for the user. They keep their names, and what was
  /// answered of them; this turn asks them no more.
  mutating func successor(keeping isKept: (JSON) -> Bool) -> AgentTurn {
    var next = AgentTurn()
    next.permissions = permissions.filter { isKept($0.request) }
    next.forms = forms.filter { isKept($0.request) }
    let about = next.permissions.compactMap(\.tool)
    next.earlier = tools.filter { about.contains($0.key) && openTools.contains($0.key) }
    permissions.removeAll { isKept($0.request) }
    forms.removeAll { isKept($0.request) }
    return next
  }

  /// A request has the identifier of one that is still open: an answer could be taken for either, so neither is left to the user.
  /// - Returns: What to report; empty if the identifier is free.
  mutating func nameIsTaken(_ request: JSON, by name: String) -> [AgentEvent] {
    let lapsed = withdraw(request: request)
    guard !lapsed.isEmpty else { return [] }
    return lapsed + [.status(text: "\(name) sent two requests with the same identifier; both were refused.")]
  }

  /// The agent withdraws its request or its question.
  mutating func withdraw(request: JSON) -> [AgentEvent] {
    if let index = permissions.firstIndex(where: { $0.request == request }) {
      return [.permissionWithdrawn(id: permissions.remove(at: index).id)]
    }
    if let index = forms.firstIndex(where: { $0.request == request }) {
      return forms.remove(at: index).current.map { [.questionWithdrawn(id: $0.id)] } ?? []
    }
    return []
  }

  /// Withdraw everything that waits for the user, and return the agent's identifiers of it.
  mutating func withdrawAll() -> (events: [AgentEvent], requests: [JSON]) {
    let requests = permissions.map(\.request) + forms.map(\.request)
    return (requests.flatMap { withdraw(request: $0) }, requests)
  }

  /// The turn is over: what is still open will never be told.
  mutating func end() -> [AgentEvent] {
    let lapsed = withdrawAll().events
    let unfinished = openTools.names.map { id in
      AgentEvent.toolFinished(id: id, outcome: declinedTools.contains(id) ? .declined : .unknown)
    }
    openTools = OpenCalls()
    return lapsed + unfinished
  }

  /// What a request is about: the announced call that it names, and its own words; else those words; else the newest call that is
  /// not over. `isGuessed` if the agent itself does not say so.
  /// - Parameter shown: The call that it was shown as before, if it was.
  private func described(
    _ fields: JSON, shownAs shown: String? = nil
  ) -> (tool: ToolCall, waiting: String?, isGuessed: Bool) {
    let id = fields["toolCallId"]?.string ?? ""
    var own = openTools.contains(id) ? tools[id] ?? ToolCall(id: id) : ToolCall(id: id)
    own.merge(fields)
    if openTools.contains(id) { return (own, id, false) }
    guard let other = (shown ?? openTools.last).flatMap({ tools[$0] ?? earlier[$0] }) else { return (own, nil, false) }
    let kind = own.kind
    own.adoptKind(of: other)
    // Its own words may lack the kind alone.
    if own.isDescriptive { return (own, own.isAct(of: other) ? other.id : nil, own.kind != kind) }
    return (other.guessed(for: own), other.id, true)
  }
}

extension PermissionRequest {
  /// Say what it is about.
  fileprivate mutating func describe(_ tool: ToolCall, isGuessed: Bool) {
    (title, detail, unseenCharacters) = (tool.spokenTitle, tool.detail, tool.unseenCharacters)
    subject = tool.permissionSubject
    if isGuessed { subject.isGuessed = true }
  }
}

/// Questions that an agent asks together and wants answered together.
package struct QuestionForm: Equatable, Sendable {
  /// The agent's own identifier of its request, echoed in the answer.
  let request: JSON
  let questions: [AgentQuestion]
  /// The words of each answer so far; nil if the user declined.
  private(set) var answers: [String?] = []
  /// The form of an MCP server whose fields these are; nil for questions of the agent itself.
  var elicitation: Elicitation?

  /// The question to be asked now; nil once all are answered, or one was declined.
  var current: AgentQuestion? { isDeclined || answers.count == questions.count ? nil : questions[answers.count] }

  /// Whether the user does not want to answer.
  var isDeclined: Bool { answers.last == .some(nil) }

  /// Keep the answer to the current question; the next one is current then.
  mutating func take(_ answer: AgentQuestion.Answer) {
    guard let question = current else { return }
    answers.append(question.words(of: answer))
  }
}

extension AgentQuestion.Option {
  /// Those of a question, as Claude Code and Codex list them.
  static func list(_ options: JSON?) -> [Self] {
    (options?.elements ?? []).compactMap { option in
      option["label"]?.string.map { Self(label: $0, explanation: option["description"]?.string ?? "") }
    }
  }
}
