import CFlite
import CSherpa
package import VoiceLanguage
import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// What a speech engine can do. Each part is loaded and used by one thread; every call takes its time.
package protocol SpeechEngines: AnyObject, Sendable {
  /// Load what most speech needs; after it, recognition works.
  func loadRecogniser() throws(SpeechFailure)
  /// Load what makes recognition better.
  func loadShortRecogniser() throws(SpeechFailure)
  /// Load what hears whether a turn is over, if there is such a thing; on the thread of `completeness`, after the recogniser.
  func loadTurns() throws(SpeechFailure)
  /// Expect these words from now on, where the recogniser can. On the recogniser's thread, after it was loaded.
  func expect(_ words: ExpectedWords)
  /// What is said in 16 kHz sound; an empty text when nothing is.
  func recognise(_ samples: [Int16]) throws(SpeechFailure) -> HeardSpeech
  /// The wake phrase, if 16 kHz sound is that; empty whatever else was said.
  func wakePhrase(in samples: [Int16]) throws(SpeechFailure) -> String
  /// What seems to be said so far in 16 kHz sound that goes on; empty where that cannot be told soon, or is not wanted any more.
  func guess(_ samples: [Int16], while isWanted: () -> Bool) throws(SpeechFailure) -> String
  /// How likely it is, from 0 to 1, that 16 kHz sound is a whole turn; nil where that cannot be told. On a thread of its own.
  func completeness(of samples: [Int16]) -> Float?
  /// Load what speaks; it may take seconds.
  func loadVoice() throws(SpeechFailure)
  /// The sound of a text, piece by piece at 24 kHz, until `deliver` returns false.
  func synthesise(_ text: String, rate: Float, deliver: ([Int16]) -> Bool) throws(SpeechFailure)
}

/// The real engines: a Moonshine recogniser with a search of our own, and a Piper voice with flite's pronunciation. Where the
/// search cannot be used, the recognisers are sherpa-onnx's, which expect no words.
///
/// Only for the child process: the inference library ends its process on some bad inputs.
package final class OnnxEngines: SpeechEngines, @unchecked Sendable {
  // `searching`, `base` and `tiny` are touched by the recogniser's thread alone; `voice` by the voice's alone; `turns` by its own.
  private var turns: TurnNetwork?
  private var searching: MoonshineRecogniser?
  private var base: OpaquePointer?
  private var tiny: OpaquePointer?
  private var voice: PiperVoice?

  private let models: Result<SpeechModels, SpeechFailure>
  private let searches: Bool
  private let speaks: Bool
  private let phrases: SpokenPhrases

  /// A clip shorter than this goes to the tiny recogniser when the base one hears nothing in it.
  private static let shortSamples = PCM.microphoneRate * 3 / 2

  /// Loads nothing yet. What is missing is thrown when it is wanted.
  /// - Parameters:
  ///   - searches: whether the recogniser may search; if not, it is the one for machines where it cannot.
  ///   - speaks: whether there is to be a voice.
  ///   - phrases: what the user says to the program itself: heard by their sound, where the recogniser may search.
  package init(
    environment: [String: String], searches: Bool = true, speaks: Bool = true, phrases: SpokenPhrases = SpokenPhrases()
  ) {
    self.searches = searches
    self.speaks = speaks
    self.phrases = phrases
    do {
      models = .success(try SpeechModels(environment: environment))
    } catch {
      models = .failure(error)
    }
  }

  package func loadRecogniser() throws(SpeechFailure) {
    let models = try models.get()
    if searches {
      do {
        searching = try MoonshineRecogniser(
          library: models.inferenceLibrary, files: models.baseRecogniser, phrases: phrases)
        return
      } catch {
        Self.note("\(error); without a search")
      }
    }
    if let reason = sherpa_load(models.sherpaLibrary) {
      throw SpeechFailure("the speech library cannot be loaded: \(String(cString: reason))")
    }
    base = try Self.recogniser(models.baseRecogniser)
  }

  package func expect(_ words: ExpectedWords) { searching?.expect(words) }

  package func loadShortRecogniser() throws(SpeechFailure) {
    // With a search the large one needs no help with short clips.
    guard base != nil else { return }
    tiny = try Self.recogniser(try models.get().tinyRecogniser)
  }

  package func loadTurns() throws(SpeechFailure) {
    let models = try models.get()
    guard let file = models.turnNetwork else { return }
    turns = try TurnNetwork(library: models.inferenceLibrary, file: file)
  }

  package func completeness(of samples: [Int16]) -> Float? {
    turns?.completeness(of: samples.map(PCM.value))
  }

  package func recognise(_ samples: [Int16]) throws(SpeechFailure) -> HeardSpeech {
    let sound = samples.map(PCM.value)
    if let searching { return searching.written(try searching.recognise(sound)) }
    let text = try Self.decode(sound, with: base)
    // The base model returns nothing for a third of one-word clips; the tiny one always returns something.
    return HeardSpeech(text.isEmpty && samples.count < Self.shortSamples ? try Self.decode(sound, with: tiny) : text)
  }

  package func wakePhrase(in samples: [Int16]) throws(SpeechFailure) -> String {
    if let searching { return try searching.wakePhrase(in: samples.map(PCM.value)).text }
    let text = try recognise(samples).text
    return SpokenWords(text) == SpokenWords(phrases.wake) ? text : ""
  }

  package func guess(_ samples: [Int16], while isWanted: () -> Bool) throws(SpeechFailure) -> String {
    // Another recogniser cannot be interrupted, and the text that somebody waits for would come later.
    guard let searching else { return "" }
    let found = try searching.guess(samples.map(PCM.value), while: isWanted)
    return searching.rewritten(Filler.removed(from: found.text))
  }

  package func loadVoice() throws(SpeechFailure) {
    guard speaks else { throw SpeechFailure("this engine only listens") }
    try Phonemes.load()
    guard case .success(let models) = models else { return }
    do {
      voice = try PiperVoice(library: models.inferenceLibrary, files: models.voice)
    } catch {
      Self.note("\(error); with the voice of flite")
    }
  }

  package func synthesise(_ text: String, rate: Float, deliver: ([Int16]) -> Bool) throws(SpeechFailure) {
    for piece in SpokenPieces.of(SpokenText.words(for: text)) {
      guard deliver(try sound(of: piece, rate: rate)) else { return }
    }
  }

  /// The sound of one piece at 24 kHz: with the Piper voice, or with flite's own where there is none or it fails.
  private func sound(of piece: String, rate: Float) throws(SpeechFailure) -> [Int16] {
    if let voice {
      do {
        return Self.spoken(try voice.sound(of: Phonemes.of(piece), rate: rate).map(PCM.sample), at: PiperVoice.rate)
      } catch {
        Self.note("\(error); with the voice of flite")
      }
    }
    var count: Int32 = 0
    var inputRate: Int32 = 0
    guard let samples = flite_engine_speak(piece, 1 / rate, &count, &inputRate) else {
      throw SpeechFailure("flite could not speak a piece of \(piece.count) characters")
    }
    defer { flite_engine_samples_free(samples) }
    return Self.spoken(Array(UnsafeBufferPointer(start: samples, count: Int(count))), at: Int(inputRate))
  }

  /// A whole piece of a voice at the speaker's rate.
  private static func spoken(_ samples: [Int16], at rate: Int) -> [Int16] {
    let resampler = Resampler(from: rate, to: PCM.speakerRate)
    return resampler.process(samples) + resampler.drain()
  }

  /// Standard error is kept by the program, for the reason of an end.
  private static func note(_ text: String) { _ = Descriptors.offer(Array("\(text)\n".utf8), to: STDERR_FILENO) }

  private static func recogniser(
    _ files: (encoder: String, decoder: String, tokens: String)
  ) throws(SpeechFailure) -> OpaquePointer {
    guard let made = sherpa_recogniser_create(files.encoder, files.decoder, files.tokens) else {
      throw SpeechFailure("the recogniser in \(files.encoder) cannot be used: \(SpeechModels.remedyOfDamage)")
    }
    return made
  }

  private static func decode(_ sound: [Float], with recogniser: OpaquePointer?) throws(SpeechFailure) -> String {
    guard let recogniser else { throw SpeechFailure("the recogniser is not loaded") }
    guard let text = sherpa_recogniser_decode(recogniser, sound, Int32(sound.count)) else {
      throw SpeechFailure("\(sound.count) samples could not be recognised")
    }
    defer { sherpa_text_free(text) }
    return Filler.removed(from: String(cString: text))
  }
}

/// What a recogniser says when there is nothing to hear.
enum Filler {
  private static let words: Set<String> = [
    "you", "uh", "um", "umm", "hmm", "hm", "mm", "mhm", "ah", "oh", "er", "huh", "the", "a", "i", "and", "so",
  ]

  /// What a recogniser that learned from films says to music: nobody says it to a coding agent.
  private static let phantoms: Set<[String]> = [
    ["thank", "you", "for", "watching"], ["thanks", "for", "watching"],
    ["thank", "you", "so", "much", "for", "watching"],
    ["thank", "you", "very", "much", "for", "watching"], ["please", "subscribe"], ["see", "you", "next", "time"],
  ]

  /// The text without white space around it; empty when it is one word that means nothing, or what is said to music.
  static func removed(from text: String) -> String {
    let words = text.spelledWords
    if words.isEmpty || (words.count == 1 && Self.words.contains(words[0])) { return "" }
    // Notes, or half of one: each of its bytes is a token of its own.
    if phantoms.contains(words) || text.contains(where: { "\u{266A}\u{266B}\u{FFFD}".contains($0) }) { return "" }
    return text.trimmingWhitespace()
  }
}
