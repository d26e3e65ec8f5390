/// The agent asks the user before it acts.
package struct PermissionRequest: Equatable, Sendable, Codable {
  /// What an answer means. A back end maps it to its own option by kind, never by position.
  package enum Choice: String, Sendable, Codable, CaseIterable {
    case allowOnce, allowAlways, rejectOnce, rejectAlways

    /// Whether the agent may do what it asked for.
    package var allows: Bool { self == .allowOnce || self == .allowAlways }

    /// As a part of a sentence: "this was allowed once".
    package var words: String {
      switch self {
      case .allowOnce: "allowed once"
      case .allowAlways: "allowed from now on"
      case .rejectOnce: "denied"
      case .rejectAlways: "denied from now on"
      }
    }
  }

  package var id: PermissionID
  /// One line that can be spoken, such as "Run swift test".
  package var title: String
  /// The exact command, path or change, to be shown; empty if the title says it all.
  package var detail: String
  /// What the agent is about to do, as data.
  package var subject: PermissionSubject
  /// The choices that the agent offers.
  package var choices: [Choice]
  /// What allowing once means, in the agent's words, where it offers several such answers and the first would be given; nil else.
  package var once: String?
  /// What would be allowed from now on, in the agent's words, and where it is written if it is; nil if the agent does not say.
  package var always: String?
  /// Where the agent keeps such an answer; nil if it does not say.
  package var record: ApprovalRecord?
  /// How much of the act was left out because it is too long to be carried; nil if nothing was. Such an act cannot be approved.
  package var unseenCharacters: Int?

  package init(
    id: PermissionID, title: String, detail: String, subject: PermissionSubject = .init(), choices: [Choice],
    once: String? = nil, always: String? = nil, record: ApprovalRecord? = nil, unseenCharacters: Int? = nil
  ) {
    self.id = id
    self.title = title
    self.detail = detail
    self.subject = subject
    self.choices = choices
    self.once = once
    self.always = always
    self.record = record
    self.unseenCharacters = unseenCharacters
  }
}

/// What an agent asks permission for, as data, so that a rule can judge it. A field that the agent does not tell is
/// absent: it is never guessed.
package struct PermissionSubject: Equatable, Sendable, Codable {
  /// What sort of act, in the words of `AgentTool.kind`.
  package var kind: String
  /// The agent's name of its tool, such as "Bash".
  package var tool: String?
  /// The command line, if one is to be run.
  package var command: String?
  /// The files that are read or changed, as the agent names them.
  package var paths: [String]
  /// How much changes, if files do and the agent tells how.
  package var change: ChangeSummary?
  /// What else the tool is given; nil if nothing.
  package var arguments: [PermissionArgument]?
  /// True if the files get a whole new content, and the agent does not tell what they hold now.
  package var overwrites: Bool?
  /// True if the agent does not say which of its calls it asks for, and the newest is shown.
  package var isGuessed: Bool?

  package init(
    kind: String = "other", tool: String? = nil, command: String? = nil, paths: [String] = [],
    change: ChangeSummary? = nil, arguments: [PermissionArgument]? = nil, overwrites: Bool? = nil,
    isGuessed: Bool? = nil
  ) {
    self.kind = kind
    self.tool = tool
    self.command = command
    self.paths = paths
    self.change = change
    self.arguments = arguments
    self.overwrites = overwrites
    self.isGuessed = isGuessed
  }
}

/// One of the things that a tool is given.
package struct PermissionArgument: Equatable, Sendable, Codable {
  package var name: String
  /// A text as it is, anything else as JSON.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// How much a change to files changes.
package struct ChangeSummary: Equatable, Sendable, Codable {
  package var files: Int
  package var linesAdded: Int
  package var linesRemoved: Int

  package init(files: Int, linesAdded: Int, linesRemoved: Int) {
    self.files = files
    self.linesAdded = linesAdded
    self.linesRemoved = linesRemoved
  }
}
