/// What a tool call did, for the user who asks what was done.
package struct AgentToolResult: Equatable, Sendable, Codable {
  /// One line for people, such as "Edit main.c".
  package var title: String
  /// What sort of act, in the words of `AgentTool.kind`.
  package var kind: String
  /// The files that it was about, as the agent names them.
  package var paths: [String]
  /// How much changed, if files did and the agent tells how.
  package var change: ChangeSummary?
  /// The command, or the lines that changed, each with its mark; only the beginning of a long one.
  package var detail: String
  /// What the tool answered or printed; only the end of a long one. Nil if the agent does not tell.
  package var output: String?

  package init(
    title: String, kind: String, paths: [String] = [], change: ChangeSummary? = nil, detail: String = "",
    output: String? = nil
  ) {
    self.title = title
    self.kind = kind
    self.paths = paths
    self.change = change
    self.detail = detail
    self.output = output
  }
}
