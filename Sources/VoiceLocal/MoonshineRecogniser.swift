import CMoonshine
import VoiceLanguage
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// The Moonshine recogniser with a search of our own: it leans towards expected words, and knows how sure it is.
///
/// One thread at a time.
final class MoonshineRecogniser {
  /// Beams of the search: eight are no better and cost twice as much.
  private static let width: Int32 = 4
  /// What a token of an expected word earns, as a logarithm: less and fewer are found, more and they are found in what they
  /// only resemble.
  private static let bonus: Float = 2

  /// What a token of a short command earns, and how much likelier than the command what is found freely may be. Chosen on
  /// `Benchmarks/hearing/make_set.py --development`.
  private static let commandBonus: Float = 1.5
  private static let commandMostBehind: Float = 5
  /// What is found in place of a command has at most so many words.
  private static let fewCommandWords = 4
  /// How much likelier than a longer act what is found freely may be, and than an act that is a verb alone.
  private static let (actMostBehind, verbMostBehind): (Float, Float) = (6.5, 4)
  /// What is found in place of a longer act has at most so many words, and bytes: no more than can be scored.
  private static let (fewActWords, fewActBytes) = (9, 100)
  /// So many verbs are looked at more closely.
  private static let fewVerbs = 3

  /// How fast a short text's sound is compared once more, and a doubtful longer one's. Chosen on the same set.
  private static let (slowerPercent, slowerPercents) = (90, [85, 75])
  /// In longer sound nothing is compared: it takes too long.
  private static let mostConsideredSamples = PCM.microphoneRate * 10

  /// Below `Limits.surePercent`.
  private static let doubtful = log(Float(Limits.surePercent - 1) / 100)

  /// At most so many words may be a decision.
  private static let fewWords = 3
  /// What is found where first nothing was is speech from this log-probability of its first word on. On pink noise, a fan,
  /// keys and music it was at most -3.9; on speech that was taken for nothing, at least -3.4 (21 of 649 clips).
  private static let leastForced: Float = -3.6

  /// In less than a tenth of a second nothing is said, and the network takes no less than some of it.
  private static let fewestSamples = PCM.microphoneRate / 10
  /// Longer sound is more than such a phrase: 2.5 s, with what is kept before and behind it.
  private static let longestPhraseSamples = PCM.microphoneRate * 5 / 2

  private let handle: OpaquePointer
  /// Phrases that are said to the program itself.
  private let phrases: [ScoredPhrase]
  private let wake: ScoredPhrase?
  private var expected = ExpectedWords()

  /// - Parameters:
  ///   - library: ONNX Runtime.
  ///   - phrases: what is scored, besides "Parley, stop".
  init(
    library: String, files: (encoder: String, decoder: String, tokens: String), phrases: SpokenPhrases = SpokenPhrases()
  ) throws(SpeechFailure) {
    self.phrases = [phrases.stop, phrases.sleep].compactMap(ScoredPhrase.named) + [.parleyStop]
    wake = ScoredPhrase.named(phrases.wake)
    try InferenceLibrary.load(library)
    guard let made = moonshine_create(files.encoder, files.decoder, files.tokens) else {
      let reason = InferenceLibrary.reason
      throw SpeechFailure(
        "the recogniser in \(files.encoder) cannot be used (\(reason)): \(SpeechModels.remedyOfDamage)")
    }
    handle = made
    Self.withCStrings(ShortCommands.texts) { _ = moonshine_lean_to_texts(made, $0, Int32($1)) }
  }

  deinit { moonshine_destroy(handle) }

  /// Lean towards these words, and no others, from now on; takes a tenth of a second for two thousand names.
  func expect(_ words: ExpectedWords) {
    expected = words
    Self.withCStrings(words.phrases) { _ = moonshine_lean(handle, $0, Int32($1)) }
  }

  private static func withCStrings(_ texts: [String], _ body: ([UnsafePointer<CChar>?], Int) -> Void) {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    body(copies.map { UnsafePointer($0) }, copies.count)
  }

  /// What is said in 16 kHz sound from -1 to 1; no words when nothing is.
  ///
  /// Few words may be a decision, and so is "yes, please do it"; nothing leans towards a decision, whatever names a project has: such
  /// words are taken as they were heard. Otherwise few words may be a short command.
  func recognise(_ sound: [Float]) throws(SpeechFailure) -> RecognisedText {
    guard sound.count >= Self.fewestSamples else { return RecognisedText(words: []) }
    try hear(sound)
    for phrase in phrases {
      if let heard = try heard(phrase, sound.count) { return heard }
    }
    let bonus = expected.phrases.isEmpty ? 0 : Self.bonus
    let found = try understand(sound.count, bonus: bonus, isSpeech: false)
    if found.words.isEmpty {
      // Short speech is taken for nothing now and then; what is then said to be there tells by its likeliness if it is.
      let forced = try understand(sound.count, bonus: 0, isSpeech: true)
      return (forced.words.first?.score ?? -.infinity) >= Self.leastForced ? try wanted(by: forced, sound) : found
    }
    if found.words.count > Self.fewWords, !Self.decidesWithoutMore(found) {
      return try wanted(by: try considered(found, sound, bonus: bonus), sound)
    }
    return try wanted(by: bonus == 0 ? found : try understand(sound.count, bonus: 0, isSpeech: true), sound)
  }

  /// A text with a doubtful word, or what is likelier. What decides or stops stays what it is, and nothing becomes that.
  private func considered(
    _ found: RecognisedText, _ sound: [Float], bonus: Float
  ) throws(SpeechFailure) -> RecognisedText {
    guard found.sureness(of: found.text).contains(where: { $0 < Limits.surePercent }), !Self.decides(found),
      sound.count <= Self.mostConsideredSamples
    else { return found }
    do {
      return try comparedWithSlower(found, sound, bonus: bonus)
    } catch {
      // A text that has no tokens cannot be compared with any other; what was heard is heard all the same.
      try hear(sound)
      return found
    }
  }

  /// The likeliest of a text and what is found in the sound spoken slower, compared in all of these sounds.
  private func comparedWithSlower(
    _ found: RecognisedText, _ sound: [Float], bonus: Float
  ) throws(SpeechFailure) -> RecognisedText {
    let sounds = [sound] + Self.slowerPercents.map { Self.slower(sound, to: $0) }
    var texts = [found]
    var heard = [Set(found.text.spelledWords)]
    for sound in sounds.dropFirst() {
      try hear(sound)
      let other = try understand(sound.count, bonus: bonus, isSpeech: true)
      heard.append(Set(other.text.spelledWords))
      if !other.words.isEmpty, !Self.decides(other), !texts.contains(where: { $0.text == other.text }) {
        texts.append(other)
      }
    }
    var sums = texts.map { $0.earned * Float(sounds.count) }
    guard texts.count > 1 else {
      try hear(sound)
      return found
    }
    // The last one is heard already, and the sound as it is comes last, for what follows.
    for index in sounds.indices.reversed() {
      if index < sounds.count - 1 { try hear(sounds[index]) }
      for (index, score) in try scores(of: texts.map(\.text)).enumerated() { sums[index] += score }
    }
    let order = texts.indices.sorted { sums[$0] > sums[$1] }
    var best = texts[order[0]]
    best.others = order.dropFirst().map { texts[$0] } + found.others + (order[0] == 0 ? [] : best.others)
    // A word that one of the sounds has alone is doubtful, however sure that is.
    for (index, word) in best.words.enumerated()
    where heard.count(where: { $0.isSuperset(of: word.text.spelledWords) }) <= 1 {
      best.words[index].score = min(word.score, Self.doubtful)
    }
    return best
  }

  /// Whether it is a decision that names nothing, as a change of what is held does.
  private static func decidesWithoutMore(_ text: RecognisedText) -> Bool {
    if case .amend = SpokenDecision(utterance: text.text) { return false }
    return decides(text)
  }

  private static func decides(_ text: RecognisedText) -> Bool {
    SpokenDecision(utterance: text.text) != nil || StopPhrase.matches(text.text)
  }

  /// The short command or the act that was nearly heard as likely as the text; otherwise the text. What decides or stops stays what it
  /// is.
  private func wanted(by heard: RecognisedText, _ sound: [Float]) throws(SpeechFailure) -> RecognisedText {
    guard !Self.decides(heard) else { return heard }
    do {
      if let command = try command(like: heard, sound) { return command }
      return try act(like: heard, sound) ?? heard
    } catch {
      // A text that has no tokens cannot be compared with any other; what was heard is heard all the same.
      return heard
    }
  }

  /// The short command that was nearly heard as likely as a text of a few words; nil if there is none.
  ///
  /// In the place of what is a command itself there may be an act, if the verb was hardly heard and the act is likelier.
  private func command(like heard: RecognisedText, _ sound: [Float]) throws(SpeechFailure) -> RecognisedText? {
    let isCommand = ShortCommands.contains(heard.text)
    guard heard.words.count <= Self.fewCommandWords,
      !isCommand || (heard.sureness(of: heard.text)[0] < Limits.surePercent && !ShortCommands.isAct(heard.text))
    else { return nil }
    let slower = Self.slower(sound, to: Self.slowerPercent)
    var commands = try nearestCommands(sound.count)
    try hear(slower)
    commands += try nearestCommands(slower.count)
    commands.removeAll { isCommand ? !ShortCommands.isAct($0.text) : !ShortCommands.contains($0.text) }
    let mostBehind = isCommand ? 0 : Self.commandMostBehind
    var found = try likeliest(of: commands, like: heard, sound) { _ in mostBehind }
    if let text = found?.text { found?.isSoughtAct = ShortCommands.isAct(text) }
    return found
  }

  /// The likeliest of the texts, if it is so much behind what was heard at the most; nil if none is. They are compared in the sound as
  /// it is and spoken slower, which was heard last: either alone misses more.
  private func likeliest(
    of texts: [RecognisedText], like heard: RecognisedText, _ sound: [Float], mostBehind: (RecognisedText) -> Float
  ) throws(SpeechFailure) -> RecognisedText? {
    guard !texts.isEmpty else {
      try hear(sound)
      return nil
    }
    let all = [heard.text] + texts.map(\.text)
    let slowScores = try scores(of: all)
    try hear(sound)
    let means = zip(try scores(of: all), slowScores).map { ($0 + $1) / 2 }
    guard let best = texts.indices.max(by: { means[$0 + 1] < means[$1 + 1] }),
      means[best + 1] >= means[0] - mostBehind(texts[best])
    else { return nil }
    var found = texts[best]
    found.others = [heard] + heard.others
    return found
  }

  /// What is found when commands are looked for, and what else.
  private func nearestCommands(_ count: Int) throws(SpeechFailure) -> [RecognisedText] {
    let found = try understand(count, bonus: Self.commandBonus, isSpeech: true, leansToTexts: true)
    return [found] + found.others
  }

  /// The likeliest of the candidates in the sound that was heard last.
  private func best(_ count: Int, of candidates: [SoughtActs.Candidate]) throws(SpeechFailure) -> [SoughtActs.Candidate]
  {
    let scores = try scores(of: candidates.map(\.text))
    return zip(scores, candidates).sorted { $0.0 > $1.0 }.prefix(count).map(\.1)
  }

  /// The act that was nearly heard as likely as a text that begins strangely; nil if there is none.
  private func act(like heard: RecognisedText, _ sound: [Float]) throws(SpeechFailure) -> RecognisedText? {
    guard heard.words.count <= Self.fewActWords, heard.text.utf8.count <= Self.fewActBytes,
      !ShortCommands.contains(heard.text), SoughtActs.mayBeMeant(by: heard.text)
    else { return nil }
    // Each takes some milliseconds: first the verbs that it may be are found, and then how many words stand for one.
    let verbs = try best(Self.fewVerbs, of: SoughtActs.likeliest(for: heard.text)).map(\.verb)
    let texts = try best(2, of: SoughtActs.candidates(for: heard.text, by: Set(verbs))).map(\.text).map { text in
      // The rest was heard as it was; how sure the verb is, nobody asks.
      let words = text.split(separator: " ").map(String.init)
      return RecognisedText(words: [.init(text: words[0], score: 0)] + heard.words.suffix(words.count - 1))
    }
    guard !texts.isEmpty else { return nil }
    try hear(Self.slower(sound, to: Self.slowerPercent))
    let act = try likeliest(of: texts, like: heard, sound) {
      $0.words.count > 1 ? Self.actMostBehind : Self.verbMostBehind
    }
    guard var act else { return nil }
    act.isSoughtAct = true
    return act
  }

  /// The sound at so many percent of its speed, and lower.
  private static func slower(_ sound: [Float], to percent: Int) -> [Float] {
    let resampler = Resampler(from: percent, to: 100)
    return (resampler.process(sound.map(PCM.sample)) + resampler.drain()).map(PCM.value)
  }

  private func hear(_ sound: [Float]) throws(SpeechFailure) {
    guard moonshine_hear(handle, sound, Int32(sound.count)) == 0 else { throw failure(sound.count) }
  }

  /// What seems to be said so far in sound that goes on: without a search, in half the time. Empty once it is not wanted any more.
  func guess(_ sound: [Float], while isWanted: () -> Bool) throws(SpeechFailure) -> RecognisedText {
    guard isWanted(), sound.count >= Self.fewestSamples else { return RecognisedText(words: []) }
    try hear(sound)
    let found = withoutActuallyEscaping(isWanted) { isWanted in
      var question = Question(isWanted: isWanted)
      return withUnsafeMutablePointer(to: &question) { question in
        moonshine_understand(
          handle,
          moonshine_search(
            width: 1, bonus: expected.phrases.isEmpty ? 0 : Self.bonus, leans_to_texts: 0, is_speech: 0,
            is_unwanted: { $0?.assumingMemoryBound(to: Question.self).pointee.isWanted() == false ? 1 : 0 },
            context: question))
      }
    }
    guard let found else {
      if !isWanted() { return RecognisedText(words: []) }
      throw failure(sound.count)
    }
    defer { moonshine_text_free(found) }
    return Self.words(of: found.pointee)
  }

  /// Whether a text is still wanted, for the search to ask.
  private struct Question { let isWanted: () -> Bool }

  /// The wake phrase, if 16 kHz sound is that and nothing else; otherwise no words, whatever was said.
  func wakePhrase(in sound: [Float]) throws(SpeechFailure) -> RecognisedText {
    guard let wake, (Self.fewestSamples...Self.longestPhraseSamples).contains(sound.count) else {
      return RecognisedText(words: [])
    }
    try hear(sound)
    return try heard(wake, sound.count) ?? RecognisedText(words: [])
  }

  /// The phrase, if the sound that was heard last is it: it is scored, so that noise hides it less.
  private func heard(_ phrase: ScoredPhrase, _ count: Int) throws(SpeechFailure) -> RecognisedText? {
    guard count <= Self.longestPhraseSamples else { return nil }
    // The first spelling is near enough to tell whether the others are worth a look.
    guard let first = try scores(of: [phrase.texts[0]]).first, first > phrase.least - 12 else { return nil }
    guard let best = try scores(of: phrase.texts).max(), best >= phrase.least else { return nil }
    let found = try understand(count, bonus: 0, isSpeech: true)
    let heard = found.text.spelledWords
    // Its beginning alone is no rival: a noise has drowned the rest.
    if !phrase.texts.contains(where: { $0.spelledWords.starts(with: heard) }) {
      guard let rival = try scores(of: [found.text]).first, best >= rival - phrase.mostBehind else { return nil }
    }
    return RecognisedText(words: phrase.texts[0].split(separator: " ").map { .init(text: String($0), score: 0) })
  }

  private func understand(
    _ count: Int, bonus: Float, isSpeech: Bool, leansToTexts: Bool = false
  ) throws(SpeechFailure) -> RecognisedText {
    let search = moonshine_search(
      width: Self.width, bonus: bonus, leans_to_texts: leansToTexts ? 1 : 0, is_speech: isSpeech ? 1 : 0,
      is_unwanted: nil, context: nil)
    guard let found = moonshine_understand(handle, search) else { throw failure(count) }
    defer { moonshine_text_free(found) }
    var text = Self.words(of: found.pointee)
    var next = found.pointee.next
    while let other = next {
      text.others.append(Self.words(of: other.pointee))
      next = other.pointee.next
    }
    return text
  }

  private func failure(_ count: Int) -> SpeechFailure {
    SpeechFailure("\(count) samples could not be recognised: \(InferenceLibrary.reason)")
  }

  /// The words of what was found, and how likely each is.
  private static func words(of found: moonshine_text) -> RecognisedText {
    var words: [RecognisedText.Word] = []
    var start = 0
    for index in 0..<Int(found.count) {
      let end = Int(found.ends[index])
      defer { start = end }
      let bytes = UnsafeRawBufferPointer(start: found.text + start, count: end - start)
      let beginsWord = words.isEmpty || bytes.first == UInt8(ascii: " ")
      // A character may be cut between two tokens; the words are joined as bytes would be, but for that.
      let piece = String(decoding: bytes.first == UInt8(ascii: " ") ? bytes.dropFirst() : bytes[...], as: UTF8.self)
      if beginsWord {
        words.append(.init(text: piece, score: found.scores[index]))
      } else {
        words[words.count - 1].text += piece
        words[words.count - 1].score = min(words[words.count - 1].score, found.scores[index])
      }
    }
    return RecognisedText(words: words.filter { !$0.text.isEmpty }, earned: found.earned)
  }

  /// The text with the expected words written as they should be.
  func rewritten(_ text: String) -> String { expected.rewritten(text) }

  /// What is written of what was recognised: nothing where it means nothing, the expected words as they should be, and beside
  /// it how sure each word is, and in which other words it may be meant.
  func written(_ found: RecognisedText) -> HeardSpeech {
    let text = rewritten(Filler.removed(from: found.text))
    guard !text.isEmpty else { return HeardSpeech("") }
    var seen = [text.spelledWords]
    var alternatives: [String] = []
    for other in found.others {
      let text = rewritten(Filler.removed(from: other.text))
      let words = text.spelledWords
      guard !words.isEmpty, !seen.contains(words) else { continue }
      seen.append(words)
      alternatives.append(text)
    }
    return HeardSpeech(text, hearing: Hearing(sureness: found.sureness(of: text), alternatives: alternatives))
  }

  /// How likely it is that exactly one of these was said in the sound that was recognised last, to its end: the sum of the
  /// log-probabilities of its tokens. One for each text.
  func scores(of texts: [String]) throws(SpeechFailure) -> [Float] {
    var scores = [Float](repeating: 0, count: texts.count)
    var isDone = false
    Self.withCStrings(texts) { isDone = moonshine_score(handle, $0, Int32($1), &scores) == 0 }
    guard isDone else {
      throw SpeechFailure("\(texts.count) texts could not be scored: \(InferenceLibrary.reason)")
    }
    return scores
  }
}
