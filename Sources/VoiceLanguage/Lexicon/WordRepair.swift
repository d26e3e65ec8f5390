package import VoiceVocabulary

/// Puts right what a recogniser made of the project's own words: "interaction controller" is `InteractionController`,
/// "package dot swift" is `Package.swift`.
///
/// Careful before clever: an ordinary word alone is never changed for its sound, a name made of ordinary words is only
/// recognised when it is long or something beside it says that a name is meant, and what is not certain is marked.
/// Pure: the same words and the same lessons give the same text.
package struct WordRepair: Equatable, Sendable {
  private let lexicon: Lexicon
  /// What the user taught, oldest first.
  package private(set) var lessons: [Correction] {
    didSet { lessonsByHeard = Dictionary(grouping: lessons, by: \.heard) }
  }
  /// Up to eight windows begin at each word of a text, and each looks for its lessons.
  private var lessonsByHeard: [String: [Correction]]

  package init(_ words: ProjectWords = ProjectWords()) {
    lexicon = words.index as? Lexicon ?? Lexicon(words.names)
    lessons = words.corrections
    lessonsByHeard = Dictionary(grouping: lessons, by: \.heard)
  }

  /// How many names are known.
  package var nameCount: Int { lexicon.entries.count }

  /// What the user has just taught counts from now on.
  package mutating func learn(_ corrections: [Correction]) {
    lessons = Array((lessons + corrections).suffix(Limits.corrections))
  }

  /// Repair a text that was spoken.
  ///
  /// - Parameters:
  ///   - unsure: the words that may have been misheard, in order; what is put right is not noted besides.
  ///   - spelled: words that were spelled letter by letter, in small letters. None of them is changed for its sound.
  package func repair(_ text: String, unsure: [UnsureWord] = [], spelled: Set<String> = []) -> RepairedText {
    let tokens = text.split(separator: " ", omittingEmptySubsequences: false).map { HeardToken($0) }
    let doubts = Self.places(of: unsure, in: tokens)
    var parts: [String] = []
    var notes: [WordNote] = []
    var index = 0
    /// Words that stay, up to this one.
    func leave(_ end: Int) {
      for place in index..<end {
        if doubts.contains(place) { notes.append(.unsure(heard: tokens[place].core, place: parts.count)) }
        parts.append(tokens[place].whole)
      }
    }
    for finding in findings(in: tokens, spelled: spelled) {
      leave(finding.range.lowerBound)
      let window = tokens[finding.range]
      let heard = window.map(\.core).joined(separator: " ")
      switch finding.trust {
      case .certain: notes.append(.repaired(heard: heard, written: finding.written))
      case .likely: notes.append(.guessed(heard: heard, written: finding.written))
      case .doubt: notes.append(.doubtful(heard: heard, perhaps: finding.written))
      }
      if finding.trust == .doubt {
        parts += window.map(\.whole)
      } else {
        parts.append((window.first?.opening ?? "") + finding.written + (window.last?.suffix ?? ""))
      }
      index = finding.range.upperBound
    }
    leave(tokens.count)
    return RepairedText(text: parts.joined(separator: " "), notes: notes)
  }

  /// Where the unsure words stand, each behind the one before it; where one is not found, it was changed.
  private static func places(of unsure: [UnsureWord], in tokens: [HeardToken]) -> Set<Int> {
    var places: Set<Int> = []
    var start = 0
    for doubt in unsure {
      let (word, before) = (HeardToken(doubt.word[...]).word, HeardToken(doubt.before[...]).word)
      guard !word.isEmpty,
        let place = tokens.indices[start...].first(where: {
          tokens[$0].word == word && ($0 == 0 ? "" : tokens[$0 - 1].word) == before
        })
      else { continue }
      places.insert(place)
      start = place + 1
    }
    return places
  }

  private enum Trust: Equatable { case certain, likely, doubt }

  /// What can be done about a few words.
  private struct Finding {
    /// The surest evidence first.
    enum Evidence: Int { case spelled, sound, likeness }

    var range: Range<Int>
    var written: String
    var trust: Trust
    var evidence: Evidence
    /// How far the letters are from the name's, in thousandths of its length.
    var distance = 0

    /// What counts most first; the lowest is the best.
    var rank: [Int] { [evidence.rawValue, distance, -range.count, range.lowerBound] }
  }

  /// What is best done, in the order of the text: sure before likely, near before far, long before short.
  private func findings(in tokens: [HeardToken], spelled: Set<String>) -> [Finding] {
    // Nobody dictates more names than that in one breath; a longer text keeps its end as it is.
    let end = min(tokens.count, Limits.repairedWords)
    var candidates: [Finding] = []
    for start in 0..<end {
      for count in 1...max(1, min(8, end - start)) {
        let window = tokens[start..<start + count]
        // A name has no pause in its middle.
        guard window.allSatisfy({ !$0.word.isEmpty && $0.word.utf8.count <= Limits.repairedWordBytes }),
          window.dropLast().allSatisfy({ $0.ending.isEmpty }),
          window.dropFirst().allSatisfy({ $0.opening.isEmpty })
        else { break }
        let place = RepairPlace(tokens, start, count)
        let isSpelled = window.contains { spelled.contains($0.word) }
        let found = isSpelled ? namedAsSpelled(place) : taught(place) ?? known(place) ?? named(place)
        if let found { candidates.append(found) }
      }
    }
    candidates.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
    var chosen: [Finding] = []
    for candidate in candidates where !chosen.contains(where: { $0.range.overlaps(candidate.range) }) {
      chosen.append(candidate)
    }
    return chosen.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  // MARK: Lessons and rules

  /// What the user taught, as far as it is safe.
  private func taught(_ place: RepairPlace) -> Finding? {
    guard let about = lessons(about: place) else { return nil }
    // Once left as it was, or a word of this project: never again by itself.
    guard !about.contains(where: \.leavesAlone), !place.isName(in: lexicon),
      let lesson = about.last, about.allSatisfy({ $0.meant == lesson.meant })
    else { return nil }
    let isOrdinary = place.words.allSatisfy { OrdinaryWords.contains($0) }
    let isAlike = about.contains {
      (!$0.before.isEmpty && $0.before == place.before) || (!$0.after.isEmpty && $0.after == place.after)
    }
    // An ordinary word may be meant this time: whoever decides, and the agent, are told.
    return Finding(
      range: place.range, written: lesson.meant, trust: !isOrdinary ? .certain : isAlike ? .likely : .doubt,
      evidence: .spelled)
  }

  /// What every program of this kind knows of its trade.
  private func known(_ place: RepairPlace) -> Finding? {
    if isLeftAlone(place) { return nil }
    if let spelled = place.spelledOut {
      return Finding(range: place.range, written: spelled, trust: .certain, evidence: .spelled)
    }
    if let number = HeardNumber.joined(place.words, before: place.before, after: place.after) {
      return Finding(range: place.range, written: number, trust: .likely, evidence: .spelled)
    }
    guard let rules = HeardRules.byFirstWord[place.words[0]] else { return nil }
    guard
      let rule = rules.first(where: { $0.heard == place.words && $0.applies(before: place.before, after: place.after) })
    else { return nil }
    if rule.force == .ordinary, place.count == 1, lexicon.knows(place.words[0]) { return nil }
    // A name of the project in the same letters is the better one.
    return named(place, onlySpelled: true)
      ?? Finding(range: place.range, written: rule.meant, trust: .certain, evidence: .spelled)
  }

  private func isLeftAlone(_ place: RepairPlace) -> Bool {
    lessons(about: place)?.contains(where: \.leavesAlone) ?? false
  }

  /// Oldest first.
  private func lessons(about place: RepairPlace) -> [Correction]? { lessonsByHeard[place.words.joined(separator: " ")] }

  // MARK: Names

  /// A name in the very letters that were spelled; what only sounds like it is worth a mark.
  private func namedAsSpelled(_ place: RepairPlace) -> Finding? {
    guard var finding = named(place) else { return nil }
    if finding.evidence != .spelled { finding.trust = .doubt }
    return finding
  }

  private func named(_ place: RepairPlace, onlySpelled: Bool = false) -> Finding? {
    guard !lexicon.isEmpty, !isLeftAlone(place) else { return nil }
    let letters = place.letters
    if let entry = spelled(by: place) {
      if entry.written == place.asWritten { return nil }
      return Finding(range: place.range, written: entry.written, trust: .certain, evidence: .spelled)
    }
    guard !onlySpelled, letters.count >= 5, lexicon.spelled(letters).isEmpty else { return nil }
    if let file = fileBehindVerb(place) { return file }
    let isOrdinary = place.words.allSatisfy { OrdinaryWords.contains($0) || lexicon.knows($0) }
    // An ordinary word, a word of the project, or a number may sound like anything: it stays.
    if place.count == 1, isOrdinary || place.hasDigit { return nil }
    if place.hasFillerAtEdge || KeptSense.areNegated(place.words) { return nil }
    let candidates = lexicon.sounding(SoundKey(letters)).map { entry in
      (entry, EditDistance.between(Array(entry.letters), Array(letters)))
    }.filter { entry, distance in
      distance * 3 <= entry.letters.count && canSound(entry, like: place, isOrdinary: isOrdinary)
        && place.hasSigns(of: entry)
    }.sorted { $0.1 < $1.1 }
    guard let (entry, distance) = candidates.first else { return nearlyNamed(place) }
    let isClear = candidates.count == 1 || candidates[1].1 > distance
    let isClose = distance * 5 <= entry.letters.count && (!isOrdinary || place.hasCue)
    let isOther = entry.form != .file && !place.hasCue && KeptSense.isOther(entry.words, than: place.words)
    // Two names that fit equally well, or another word in the place of one that was heard: the user has to say which.
    return Finding(
      range: place.range, written: entry.written, trust: !isClear || isOther ? .doubt : isClose ? .certain : .likely,
      evidence: .sound, distance: distance * 1_000 / entry.letters.count)
  }

  /// The name with exactly the letters of these words, if they mean one.
  private func spelled(by place: RepairPlace) -> Lexicon.Entry? {
    let entries = lexicon.spelled(place.letters)
    // "Router group" is RouterGroup or nothing, but not the folder "routergroup".
    let isInWords = entries.contains { $0.words == place.words }
    let meant = entries.filter { entry in
      (!isInWords || entry.words == place.words) && isMeant(entry, by: place) && place.hasSigns(of: entry)
    }
    return meant.first { $0.form == place.announced } ?? meant.first
  }

  /// A file that the recogniser wrote in one with the verb before it: "Openpool.rs".
  private func fileBehindVerb(_ place: RepairPlace) -> Finding? {
    let letters = place.letters
    guard place.count == 1, place.range.lowerBound == 0, place.words[0].contains("."), letters.count > 8 else {
      return nil
    }
    for length in 3...8 where OrdinaryWords.contains(letters.prefix(length)) {
      guard let file = lexicon.spelled(String(letters.dropFirst(length))).first(where: { $0.form == .file }) else {
        continue
      }
      let written = "\(place.asWritten.prefix(length)) \(file.written)"
      return Finding(range: place.range, written: written, trust: .likely, evidence: .spelled)
    }
    return nil
  }

  /// A name that shares a word with these and sounds much like them: worth a mark, but no change.
  private func nearlyNamed(_ place: RepairPlace) -> Finding? {
    guard place.count > 1, place.count <= 6, !place.isEveryday else { return nil }
    let letters = Array(place.letters)
    let sound = SoundKey(place.letters)
    let isFile = place.words.dropLast().last == "dot"
    let near = lexicon.sharing(place.words).compactMap { entry -> (entry: Lexicon.Entry, distance: Int)? in
      let stem = entry.words.prefix { $0 != "dot" }.reduce(0) { $0 + $1.count }
      guard (entry.form == .file) == isFile, entry.form != .member, stem >= 9,
        !isFile || entry.words.last == place.words.last,
        place.hasSigns(of: entry), abs(entry.words.count - place.count) <= 1,
        sound.distance(to: entry.sound) <= (stem >= 14 ? 2 : 1),
        entry.words.count != place.count || zip(entry.words, place.words).allSatisfy({ Self.areAlike($0, $1) })
      else { return nil }
      let distance = EditDistance.between(Array(entry.letters), letters)
      return distance * 3 <= stem ? (entry, distance) : nil
    }
    guard let best = near.min(by: { $0.distance < $1.distance }) else { return nil }
    // Whoever says "dot swift" means a file: if only one is like it, it is that one.
    let trust: Trust = isFile && near.allSatisfy { $0.entry == best.entry } ? .likely : .doubt
    return Finding(
      range: place.range, written: best.entry.written, trust: trust, evidence: .likeness,
      distance: best.distance * 1_000 / best.entry.letters.count)
  }

  /// Whether one word may be misheard for the other.
  private static func areAlike(_ left: String, _ right: String) -> Bool {
    left == right || EditDistance.between(Array(left), Array(right)) * 2 <= max(left.count, right.count)
  }

  /// Whether words with exactly the letters of a name mean that name.
  private func isMeant(_ entry: Lexicon.Entry, by place: RepairPlace) -> Bool {
    if place.count == 1 {
      // One word: only its capitals and signs can be missing, and "timeline" need not be TimeLine.
      if entry.words.count == 1 { return false }
      return entry.form == .file || !OrdinaryWords.contains(place.words[0])
    }
    if place.hasSeparator { return true }
    switch entry.form {
    case .file: return true
    case .type:
      return place.hasCue
        || (!place.isAnyOne && (entry.words.count > 2 || (entry.letters.count >= 9 && !place.isEveryday)))
    case .member: return place.hasCue && !place.hasFillerAtEdge
    case .joined: return place.hasCue || (!place.isAnyOne && (entry.words.count > 2 || !place.isOrdinary))
    case .plain:
      return !OrdinaryWords.contains(entry.letters) && (place.hasCue || !place.isOrdinary || entry.letters.count >= 9)
    }
  }

  /// Whether words that only sound like a name may mean it.
  private func canSound(_ entry: Lexicon.Entry, like place: RepairPlace, isOrdinary: Bool) -> Bool {
    if entry.form != .file, !place.hasCue, KeptSense.isSentence(entry.words) { return false }
    // A name that is an ordinary word itself was more likely not said at all.
    if entry.words.count == 1, OrdinaryWords.contains(entry.letters) { return false }
    switch entry.form {
    case .file: return place.words.contains("dot")
    case .plain: return !isOrdinary && entry.letters.count >= 5 && place.count <= 3
    case .type, .joined:
      if isOrdinary, !place.hasCue { return entry.letters.count >= 14 && place.sharesWord(with: entry) }
      return entry.letters.count >= 8
    case .member: return entry.letters.count >= 8 && place.hasCue
    }
  }
}
