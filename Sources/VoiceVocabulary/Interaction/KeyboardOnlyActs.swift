/// What may be approved by a key or a line only, never by voice: what is heard wrongly must not delete anything.
///
/// Instructions are prose, and words in them decide: a pattern is a few words, and matches a text that has these words in this
/// order, whatever stands between them; a star stands for any letters. `<outside>` matches a path outside the working folder, also one
/// whose signs were said. A pattern that matches too much only costs a key press, so the rules are simple rather than clever.
///
/// What an agent is about to do is data, and judged the other way round: it is for keys only unless it is known to be harmless
/// (`HarmlessActs`), and no pattern of the user's own matches it.
package struct KeyboardOnlyActs: Equatable, Sendable, Codable {
  package var patterns: [String]
  /// Absolute; empty where it is not known, and then every absolute path is outside.
  package var workingFolder: String
  /// Command lines that the user holds for harmless besides those that are known; a last word `*` stands for any plain words,
  /// none of them an option or a setting.
  package var voiceCommands: [String]

  package init(patterns: [String] = Self.defaults, workingFolder: String = "", voiceCommands: [String] = []) {
    self.patterns = patterns
    self.workingFolder = workingFolder
    self.voiceCommands = voiceCommands
  }

  /// Deletion, lost work and history, what others get to see, other rights, the network into a shell, and what is none of the
  /// project's business.
  package static let defaults = [
    "rm", "rm-*", "rmdir", "unlink", "shred", "scrap", "scraps", "scrapped", "scrapping", "trash*", "zap*", "delet*",
    "remov*", "eras*", "wipe*", "wiping", "destroy*", "truncat*", "purg*", "nuke*", "nuking", "get rid", "throw away",
    "throw out", "blow away", "tear down", "take down", "drop", "drops", "dropped", "dropping", "discard*", "clean",
    "cleans", "cleaned", "cleaning", "cleanup", "clear out", "uninstall*", "overwrit*", "revert*", "undo", "undoes",
    "undoing", "undid", "reset*", "restor*", "roll back", "rollback", "rolled back", "rolling back", "go back to",
    "abandon*", "deploy*", "redeploy*", "publish*", "releas*", "ship", "ships", "shipped", "shipping", "go live",
    "put live", "put production", "push", "pushes", "pushed", "pushing", "repush*", "force", "forces", "forced",
    "forcing", "force-*", "rebas*", "amend the commit", "rewrite history", "find -delete", "drop table",
    "drop database", "git push", "git reset", "git clean", "git checkout --", "git branch -D", "git filter-branch",
    "sudo", "doas", "su", "chmod", "chown", "curl | *sh", "wget | *sh", "curl | python*", "wget | python*", "eval",
    "base64 | *sh", "mkfs*", "dd of=*", "shutdown", "shut down", "reboot", "kill", "kills", "killed", "killing",
    "killall", "terminat*", "npm publish", "<outside>",
  ]

  /// The pattern for a path outside the working folder.
  package static let outside = "<outside>"
}
