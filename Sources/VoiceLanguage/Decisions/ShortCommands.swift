import VoiceVocabulary

/// What people say to a coding agent in a few words, for a recogniser that hears too little in so short a sound to tell.
///
/// Nothing here decides or stops: a recogniser that leans towards these never leans towards an approval. What only a key approves is
/// set apart, since one that was found by leaning is not to be carried out unseen.
package enum ShortCommands {
  /// As a recogniser writes them, with and without the sign at their end.
  package static let texts: [String] =
    (commands + acts).map { $0 + "." } + questions.map { $0 + "?" } + commands + acts + questions

  private static let words = Set(texts.map { SpokenWords($0).words })
  private static let wordsOfActs = Set(acts.map { SpokenWords($0).words })

  /// Whether a text is one of these and nothing else.
  package static func contains(_ text: String) -> Bool { words.contains(SpokenWords(text).words) }

  /// Whether a text is one of those that only a key approves, and nothing else.
  package static func isAct(_ text: String) -> Bool { wordsOfActs.contains(SpokenWords(text).words) }

  private static let commands = sentences(of: verbs, others)

  /// What `KeyboardOnlyActs` keeps to the keyboard by default.
  private static let acts = sentences(
    of: SoughtActs.verbs.sorted(),
    SoughtActs.verbs.sorted().flatMap { verb in actObjects.map { "\(verb) \($0)" } } + [
      "clean up", "force push", "roll back",
    ])

  private static func sentences(of verbs: [String], _ others: [String]) -> [String] {
    (verbs.flatMap { verb in [verb] + objects.map { "\(verb) \($0)" } } + others)
      .filter { SpokenDecision(utterance: $0) == nil }.map(\.capitalised)
  }

  private static let questions = [
    "What changed", "What happened", "What failed", "What broke", "What else", "What now", "What next", "What's next",
    "What's left", "What is left", "What's wrong", "What's new", "Which one", "Which file", "Which line",
    "Who calls it", "Who wrote it", "Where is it", "Where are we", "How long", "How many", "How much", "How come",
    "Why not", "Why now",
  ]

  private static let verbs =
    CommandVerbs.all.filter { !excluded.contains($0) && !SoughtActs.verbs.contains($0) } + [
      "benchmark", "compile", "cut", "finish", "follow", "indent", "lint", "paste", "profile", "redo", "shorten",
      "stash", "translate", "watch",
    ]

  /// What decides or stops, and what a question begins with.
  private static let excluded: Set<String> = [
    "accept", "approve", "cancel", "drop", "halt", "reject", "send", "stop", "wait",
    "do", "how", "let", "what", "where", "which", "who", "why",
  ]

  private static let objects = [
    "it", "that", "this", "them", "both", "the test", "the tests", "the file", "the files", "the build", "the change",
    "the changes", "the class", "the code", "the diff", "the error", "the errors", "the folder", "the function",
    "the line", "the lines", "the list", "the log", "the logs", "the name", "the names", "the output", "the result",
    "the warnings",
  ]

  private static let actObjects = [
    "everything", "the branch", "the comment", "the comments", "the commit", "the last change", "the last commit",
    "my change", "my changes", "to main", "to production", "what you did",
  ]

  private static let others = [
    "add a comment", "add a test", "add tests", "all of them", "be quiet", "both", "both of them", "build it again",
    "carry on", "correct", "done", "enough", "exactly", "faster", "fetch", "first one", "go back", "go on", "good",
    "good idea", "keep going", "last one", "later", "less", "list the files", "log in", "log out", "look again",
    "looks good", "louder", "make it faster", "make it shorter", "make it work", "more", "neither", "next",
    "next file", "next one", "next step", "none of them", "not now", "not that", "not that one", "page down",
    "page up", "perfect", "previous one", "run all tests", "run it again", "scroll down", "scroll up", "show me",
    "show me more", "show me the code", "show me the diff", "skip this one", "slower", "start again", "start over",
    "tell me more", "tell me why", "that one", "that's all", "that's enough", "that's it", "that's right",
    "that's wrong", "the first", "the first one", "the last", "the last one", "the other file", "the other one",
    "the second", "the second one", "the third", "the third one", "this one", "try again", "try it again",
    "turn it off", "turn it on", "use that one", "use this one", "write it down", "wrong",
  ]
}
