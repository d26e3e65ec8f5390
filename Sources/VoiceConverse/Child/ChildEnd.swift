/// How a child process ended.
package enum ChildEnd: Equatable, Sendable {
  /// There is no such command on the search path.
  case notFound(command: String)
  /// It could not be started; `reason` is the system's.
  case notStarted(command: String, reason: String)
  /// It ran. The error tail is the end of what it wrote to standard error, one line.
  case exited(code: Int32, errorTail: String)
  case killed(signal: Int32, errorTail: String)
  /// Its host was killed, or could not end everything that the child had started: some of it may still be running.
  case leftRunning(errorTail: String)

  /// What the child was doing when it ended.
  enum Moment { case beforeReady, inTurn, idle }

  /// What is left of its processes; a halted run has stopped only if nothing is.
  enum Remains { case nothing, beingEnded, something }

  /// What is left now that it has ended.
  var remains: Remains { if case .leftRunning = self { .something } else { .nothing } }

  /// What failed, on what, and what to do.
  func reason(of name: String, _ moment: Moment) -> String {
    switch self {
    case .notFound(let command):
      return """
        The command “\(command)” of the coding agent was not found. Install the agent, give the full path of the \
        command, or choose another agent.
        """
    case .notStarted(let command, let reason):
      return "The command “\(command)” of the coding agent could not be started: \(reason)."
    case .exited(let code, let tail): return Self.reason(name, "exit code \(code)", tail, moment)
    case .killed(let signal, let tail): return Self.reason(name, "signal \(signal)", tail, moment)
    case .leftRunning(let tail):
      let words = "\(name), or something that it started, could not be ended and may still run."
      return "\(words) Look for it with ps before you go on.\(tail.isEmpty ? "" : " Its last words: \(tail)")"
    }
  }

  private static func reason(_ name: String, _ how: String, _ tail: String, _ moment: Moment) -> String {
    let words = tail.isEmpty ? "" : " Its last words: \(tail)"
    switch moment {
    case .beforeReady:
      return "\(name) ended before it was ready (\(how)). Start it in a terminal to see why.\(words)"
    case .idle: return "\(name) ended (\(how)). It is started again when it is needed.\(words)"
    case .inTurn:
      return "\(name) ended in the middle of its work (\(how)). It is started again when it is needed.\(words)"
    }
  }
}
