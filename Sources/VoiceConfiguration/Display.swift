/// How a session is shown.
package enum Display: String, CaseIterable, Sendable {
  /// A line for each thing that happens, never redrawn: reads well in a log and in a screen reader.
  case lines
  /// The same, with a status line below, and with text while it is still being said or written. Terminals only.
  case status
  /// Only what needs the user.
  case quiet
  /// Each notice as a JSON object, one a line.
  case json
}
