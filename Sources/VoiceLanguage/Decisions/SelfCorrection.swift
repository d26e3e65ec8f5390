import VoiceVocabulary

/// What a person means who corrects himself while he speaks: the last version.
///
/// Only what is hardly ever said otherwise corrects. "No, wait", "sorry" and "actually" have too many other meanings ("no, wait a
/// second"): such a text stays as it was said, which whoever reads it understands (`mayTakeBack`).
package enum SelfCorrection {
  /// The text with "…, no, I mean …" and its like resolved; the text as it is if nothing was corrected.
  ///
  /// "Run the unit tests, no, I mean the integration tests" is "Run the integration tests": the new words take the place
  /// of the last words that begin alike; a new command takes the place of the last one.
  package static func lastVersion(of text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    // Who speaks for longer does not correct all of it at its end, and each correction looks at everything before it; and nobody
    // speaks lines.
    guard words.count <= Limits.repairedWords, !text.contains(where: \.isNewline) else { return text }
    let versions = versions(in: words)
    guard versions.count > 1 else { return text }
    var meant = versions[0]
    for version in versions.dropFirst() {
      guard let merged = merge(meant, version) else { return text }
      meant = merged
    }
    return meant.joined(separator: " ")
  }

  /// Whether the user takes back some of it, or may: by a correction that was resolved or was not ("…, no, wait, …"), or at the end
  /// ("Push it. No, don't.").
  package static func mayTakeBack(_ text: String) -> Bool {
    guard !text.contains(where: \.isNewline) else { return false }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let plain = words.map { SpokenWords($0).words.joined() }
    let isWithin = words.indices.dropFirst().dropLast().contains { index in
      doubtful.contains(Array(plain[index...index + 1]))
        && (isPaused(behind: words[index - 1]) || isPaused(behind: words[index]))
    }
    return isWithin || versions(in: words).count > 1 || isTakenBackAtEnd(text, words, plain)
  }

  /// Whether nothing but words that take something back stand behind the last pauses.
  private static func isTakenBackAtEnd(_ text: String, _ words: [String], _ plain: [String]) -> Bool {
    // "Delete all the logs, but not": the rest is still to come.
    guard words.last?.last != "?", TextCompleteness(of: text) != .unfinished else { return false }
    return words.indices.dropFirst().suffix(mostRetractingWords).contains { index in
      isPaused(behind: words[index - 1])
        && plain[index...].allSatisfy { retracting.contains($0) || besides.contains($0) }
        && plain[index...].contains { retracting.contains($0) }
    }
  }

  private static let mostRetractingWords = 5
  private static let retracting: Set<String> = [
    "no", "nope", "not", "dont", "never", "wait", "stop", "hold", "sorry", "cancel", "forget", "scratch", "undo",
    "meant",
  ]
  /// What stands beside these where something is taken back.
  private static let besides: Set<String> = [
    "actually", "and", "but", "do", "i", "it", "maybe", "mean", "mind", "oh", "okay", "on", "or", "please", "that",
    "this", "well",
    "yet",
  ]

  /// The words between the markers; a marker at either end of the text, or right behind another one, marks nothing.
  private static func versions(in words: [String]) -> [[String]] {
    let plain = words.map { SpokenWords($0).words.joined() }
    var versions: [[String]] = [[]]
    var index = 0
    while index < words.count {
      let marker = markers.first { plain[index...].starts(with: $0) }
      if let marker, versions.last?.isEmpty == false, index + marker.count < words.count,
        isMeant(marker, at: index, words, plain)
      {
        versions.append([])
        index += marker.count
      } else {
        versions[versions.count - 1].append(words[index])
        index += 1
      }
    }
    return versions
  }

  /// Longer ones first. "I mean" alone is a habit of speech, and corrects nothing.
  private static let markers = [
    ["no", "wait", "i", "mean"], ["sorry", "no", "i", "mean"], ["no", "sorry", "i", "mean"], ["no", "i", "mean"],
    ["no", "i", "meant"], ["sorry", "i", "mean"], ["sorry", "i", "meant"], ["i", "meant", "to", "say"],
    ["scratch", "that"], ["or", "rather"],
  ]

  private static let doubtful: Set<[String]> = [
    ["no", "wait"], ["wait", "no"], ["no", "sorry"], ["sorry", "no"], ["no", "actually"], ["actually", "no"],
    // The same, as it is heard.
    ["no", "weight"], ["no", "way"], ["know", "wait"],
  ]

  /// Whether a pause was heard here. Recognisers write it as a sign.
  private static func isPaused(behind word: String) -> Bool {
    word.last.map { ",.;:!?-\u{2013}\u{2014}\u{2026}".contains($0) } ?? false
  }

  /// Whether a marker is one here, and no other words of the sentence.
  private static func isMeant(_ marker: [String], at index: Int, _ words: [String], _ plain: [String]) -> Bool {
    switch marker {
    // "From scratch that handles", "in scratch. That folder".
    case ["scratch", "that"]: return isPaused(behind: words[index - 1]) && !isPaused(behind: words[index])
    // "A bug or rather a feature?"
    case ["or", "rather"]:
      return isPaused(behind: words[index - 1]) && words.last?.last != "?"
        && Set(["if", "whether"]).isDisjoint(with: plain)
    // "What I meant to say is", "in the message I meant to say".
    case ["i", "meant", "to", "say"]: return isPaused(behind: words[index - 1])
    // "Never push to main, no, I mean it."
    default:
      // "The tests say no, I mean that they fail."
      if !isPaused(behind: words[index - 1]), saying.contains(plain[index - 1]) { return false }
      return !(["it", "that"].contains(plain[index + marker.count]) && index + marker.count + 1 == words.count)
    }
  }

  /// Behind these, "no" and "sorry" are what somebody says or answers.
  private static let saying: Set<String> = [
    "say", "says", "said", "saying", "answer", "answers", "answered", "reply", "replies", "replied", "return",
    "returns",
    "is", "was", "print", "prints", "show", "shows", "with", "means", "to",
  ]

  /// Nil where it is not clear what the new words stand for: only commands are corrected, and only by what is none of these.
  private static func merge(_ old: [String], _ new: [String]) -> [String]? {
    let oldPlain = old.map { SpokenWords($0).words.joined() }
    let newPlain = new.map { SpokenWords($0).words.joined() }
    guard let verb = oldPlain.first(where: { $0 != "please" }), CommandVerbs.contains(verb) else { return nil }
    // "Push to main, no, I mean don't."
    guard let first = newPlain.first, !KeptSense.areNegated([first]) else { return nil }
    guard !CommandVerbs.contains(first) else {
      // "Delete the folder, no, I mean rename it": what is renamed stands in what it corrects.
      guard Set(["it", "them", "that", "one", "those"]).intersection(newPlain).isSubset(of: oldPlain) else {
        return nil
      }
      let sentence = old.dropLast().lastIndex { $0.last.map { ".!?".contains($0) } ?? false }.map { $0 + 1 } ?? 0
      // "Rename it and then test it, or rather run the linter": of two commands the last.
      let command = old.indices.dropFirst().last { place in
        ["and", "then"].contains(oldPlain[place - 1]) && CommandVerbs.contains(oldPlain[place])
      }
      return Array(old[..<max(sentence, command ?? 0)]) + new
    }
    if let alike = oldPlain.lastIndex(of: first) { return Array(old[..<max(1, alike)]) + new }
    // "Set it to thirty, no, I mean forty": the last words of a command, which keeps its verb.
    guard new.count < old.count, new.count <= 2 else { return nil }
    return Array(old[..<(old.count - new.count)]) + new
  }
}
