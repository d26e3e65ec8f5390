import VoiceVocabulary

/// What the tools of an agent did in a run, counted.
package struct WorkTally: Equatable, Sendable {
  package var changedFiles = 0
  package var linesAdded = 0
  package var linesRemoved = 0
  package var commands = 0
  /// Calls that did not do what they were to do.
  package var failedCommands = 0
  package var failedOthers = 0
  /// Calls that were not allowed.
  package var declined = 0

  package init(
    changedFiles: Int = 0, linesAdded: Int = 0, linesRemoved: Int = 0, commands: Int = 0, failedCommands: Int = 0,
    failedOthers: Int = 0, declined: Int = 0
  ) {
    self.changedFiles = changedFiles
    self.linesAdded = linesAdded
    self.linesRemoved = linesRemoved
    self.commands = commands
    self.failedCommands = failedCommands
    self.failedOthers = failedOthers
    self.declined = declined
  }

  /// For the ear: "2 files changed, 12 lines added and 3 removed. 3 commands run, of which one failed."
  package var sentences: String {
    var parts: [String] = []
    if changedFiles > 0 {
      var words = "\(Counted(changedFiles, "file").spoken) changed"
      if linesAdded > 0 || linesRemoved > 0 {
        words += ", \(Counted(linesAdded, "line").spoken) added and \(Counted(linesRemoved, "line").alone) removed"
      }
      parts.append(words)
    }
    if commands > 0 {
      var words = "\(Counted(commands, "command").spoken) run"
      if failedCommands > 0 {
        words += commands == 1 ? ", which failed" : ", of which \(Counted(failedCommands, "command").alone) failed"
      }
      parts.append(words)
    }
    if failedOthers > 0 { parts.append("\(Counted(failedOthers, "other step").spoken) failed") }
    if declined > 0 { parts.append("\(Counted(declined, "step").spoken) not allowed") }
    if parts.isEmpty { parts.append("Nothing that changed a file, and no command") }
    return parts.map { $0.capitalised }.joinedAsSentences()
  }
}
