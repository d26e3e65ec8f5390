import Testing
import VoiceCore
import VoiceLive
import VoiceSound
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceLanguage
@testable import VoiceLocal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What was spoken, at the microphone's rate.
private func asHeard(_ spoken: [Int16]) -> [Int16] {
  let resampler = Resampler(from: PCM.speakerRate, to: PCM.microphoneRate)
  return resampler.process(spoken) + resampler.drain()
}

/// A recording of `audio-fixtures/recordings` with what is said in it.
struct SpokenRecording: Sendable {
  let name: String
  let kind: String
  let text: String
  let voice: String
  /// 16 kHz, mono.
  let samples: [Int16]

  /// The sound with a pause in it, at the quietest 60 ms of its middle third.
  func samples(pausing milliseconds: Int) -> [Int16] {
    let width = PCM.microphoneRate * 6 / 100
    let middle = stride(from: samples.count / 3, to: samples.count * 2 / 3 - width, by: width / 4)
    func loudness(_ start: Int) -> Int { samples[start..<start + width].reduce(0) { $0 + abs(Int($1)) } }
    guard let place = middle.min(by: { loudness($0) < loudness($1) }) else { return samples }
    let cut = place + width / 2
    let pause = [Int16](repeating: 0, count: milliseconds * PCM.microphoneRate / 1000)
    return Array(samples[..<cut]) + pause + Array(samples[cut...])
  }

  static let folder =
    String(#filePath.dropLast("Tests/VoiceLocalTests/RealSpeechTests.swift".count))
    + "audio-fixtures/recordings/"

  static func all() throws -> [SpokenRecording] {
    let table = String(decoding: try Data(contentsOf: URL(filePath: folder + "transcripts.tsv")), as: UTF8.self)
    return try table.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return SpokenRecording(
        name: fields[0], kind: fields[1], text: fields[2], voice: fields[4], samples: try samples(of: fields[0]))
    }
  }

  static func samples(of name: String) throws -> [Int16] {
    let bytes = Array(try Data(contentsOf: URL(filePath: folder + name)).dropFirst(44))
    return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
    }
  }
}

/// Why the tests with real models cannot run; nil when they can.
let missing: String? = {
  do {
    _ = try models()
    return nil
  } catch {
    return "\(error)"
  }
}()

func models() throws -> SpeechModels { try SpeechModels(environment: ProcessInfo.processInfo.environment) }

@Suite(.serialized, .enabled(if: missing == nil, Comment(rawValue: missing ?? "")))
struct RealSpeechTests {
  /// The error rates of each kind of recording, and of each voice within it.
  private func errorRates(
    _ recordings: [SpokenRecording], of running: RunningEngine
  ) async throws -> [String: WordErrorRate] {
    var rates: [String: WordErrorRate] = [:]
    for (index, recording) in recordings.enumerated() {
      running.ask(index, recording.samples)
      let text = try await running.text().result.get()
      let rate = WordErrorRate(recognised: text, spoken: recording.text)
      for key in [recording.kind, "\(recording.kind) by \(recording.voice)"] {
        rates[key] = (rates[key] ?? WordErrorRate(recognised: "", spoken: "")) + rate
      }
    }
    return rates
  }

  @Test func recordingsAreUnderstood() async throws {
    let recordings = try SpokenRecording.all().filter { !$0.kind.hasPrefix("aec") && $0.kind != "nonspeech" }
    let rates = try await RunningEngine.with(arguments: []) { try await errorRates(recordings, of: $0) }
    for (key, rate) in rates.sorted(by: { $0.key < $1.key }) {
      print("word error rate, \(key): \(rate.errors) of \(rate.words)")
    }
    // Two words in three recordings; which, depends on the processor.
    #expect(try #require(rates["human_speech"]).errors <= 2)
    #expect(try #require(rates["command_sentence"]).rate <= 0.1)
    #expect(try #require(rates["approval"]).rate <= 0.25)
    #expect(try #require(rates["noisy"]).rate < 1)
  }

  @Test func mostWholeSentencesSoundDone() throws {
    let models = try models()
    let file = try #require(models.turnNetwork, "script/fetch-speech adds it")
    let network = try TurnNetwork(library: models.inferenceLibrary, file: file)
    let quiet = [Int16](repeating: 0, count: PCM.microphoneRate * 3 / 10)
    let recordings = try SpokenRecording.all().filter { $0.kind == "human_speech" || $0.kind == "command_sentence" }
    let found = recordings.map { recording in
      network.completeness(of: (quiet + recording.samples + quiet).map(PCM.value)) ?? -1
    }
    print("\(found.count) sentences: \(found.count { $0 >= 0.5 }) sound done")
    #expect(found.allSatisfy { 0...1 ~= $0 })
    #expect(found.count { $0 >= 0.5 } * 10 >= found.count * 6)
  }

  @Test func speechIsFoundInEveryRecordingOfItAndInNoNoise() throws {
    for recording in try SpokenRecording.all() where !recording.kind.hasPrefix("aec") {
      var endpointer = Endpointer(detector: try VoiceActivityDetector(models: try models()))
      let quiet = [Int16](repeating: 0, count: 16_000)
      var events: [Endpointer.Event] = []
      let sound = quiet + recording.samples + quiet
      for start in stride(from: 0, to: sound.count, by: 320) {
        events += endpointer.process(sound[start..<min(start + 320, sound.count)])
      }
      let segments = events.count { if case .speechEnded = $0 { true } else { false } }
      #expect(segments == (recording.text.isEmpty ? 0 : 1), "\(recording.name)")
    }
  }

  /// The network grows deaf where it is not made to forget: these were not found.
  @Test(arguments: ["cmd_no_flite_rms.wav", "cmd_edit_piper_joe.wav"])
  func speechIsFoundBehindALongNoise(name: String) throws {
    let typing = try SpokenRecording.samples(of: "nonspeech_keyboard_fan.wav")
    let said = try SpokenRecording.samples(of: name).map { $0 / 4 }
    let begin = 12 * PCM.microphoneRate
    let sound = (0..<begin + said.count + PCM.microphoneRate).map { index in
      typing[index % typing.count] + (said.indices.contains(index - begin) ? said[index - begin] : 0)
    }
    var endpointer = Endpointer(detector: try VoiceActivityDetector(models: try models()))
    let starts = endpointer.process(sound).compactMap { event in
      if case .speechStarted(let position) = event { position } else { nil }
    }
    #expect(starts.count == 1 && starts.allSatisfy { $0 > begin - Endpointer.prerollSamples }, "\(starts)")
  }

  /// What the usual pause is chosen by: how often a pause within a sentence cuts it in two. Pauses of 0.5 to 1.5 s are put
  /// into the quietest place in the middle of each sentence.
  @Test func aLongerPauseCutsFewerSentences() throws {
    let recordings = try SpokenRecording.all().filter { ["human_speech", "command_sentence"].contains($0.kind) }
    var cuts: [Int: Int] = [:]
    var count = 0
    for recording in recordings {
      for pause in [500, 700, 900, 1_200, 1_500] {
        count += 1
        let quiet = [Int16](repeating: 0, count: 32_000)
        let sound = recording.samples(pausing: pause) + quiet
        let network = try SileroNetwork(weightsFile: try models().detectorWeights)
        let probabilities = stride(from: 0, to: sound.count - 512, by: 512).map {
          network.probability(of: sound[$0..<$0 + 512])
        }
        for silence in [576, 800, 1_000, 1_500] {
          var rule = SpeechRule(silenceMilliseconds: silence)
          if probabilities.count(where: { rule.take($0) == .ended }) > 1 { cuts[silence, default: 0] += 1 }
        }
      }
    }
    for (silence, cuts) in cuts.sorted(by: { $0.key < $1.key }) {
      print("an end after \(silence) ms of silence cuts \(cuts) of \(count) sentences with a pause")
    }
    let (short, chosen) = (try #require(cuts[576]), try #require(cuts[Limits.defaultSilenceMilliseconds]))
    #expect(chosen * 3 <= short * 2)
    #expect(cuts[1_500] ?? 0 <= chosen)
  }

  /// The probabilities that the maker's own network gives for the first 40 windows of this recording.
  @Test func theNetworkGivesTheProbabilitiesOfItsMakersOwn() throws {
    let expected: [Float] = [
      0.0234, 0.0175, 0.0084, 0.0077, 0.0083, 0.0082, 0.0372, 0.0141, 0.0090, 0.0075, 0.0056, 0.0276, 0.2507, 0.5051,
      0.2648, 0.9922, 0.9975, 0.9971, 0.9973, 0.9988, 0.9970, 0.9974, 0.9982, 0.9993, 0.9992, 0.9999, 0.9998, 0.9988,
      0.9999, 1.0000, 1.0000, 0.9988, 0.9971, 0.9985, 0.9936, 0.9823, 0.9580, 0.9482, 0.9996, 0.9999,
    ]
    let recording = try #require(try SpokenRecording.all().first { $0.name == "d04_flite_slt.wav" })
    let network = try SileroNetwork(weightsFile: try models().detectorWeights)
    for (index, probability) in expected.enumerated() {
      let window = recording.samples[index * 512..<(index + 1) * 512]
      #expect(abs(network.probability(of: window) - probability) < 0.001, "window \(index)")
    }
  }

  @Test func whatTheVoiceSaysIsUnderstood() async throws {
    let sentences = [
      "Okay, working on it.",
      "I changed three files and all forty-two tests pass.",
      "The parser reads the configuration from a JSON file in the home folder.",
      "I added a retry loop with exponential backoff to the HTTP client.",
      "Do you want me to delete the old database migration?",
      "The build failed because the header file is missing on line 120.",
      "I renamed the method from get user to fetch user.",
      "Running the install script took 14 seconds and reported no errors.",
      "There is a race condition between the reader thread and the writer thread.",
      "I opened a pull request against the main branch, please review it.",
    ]
    let rate = try await RunningEngine.with(arguments: []) { running in
      var sum = WordErrorRate(recognised: "", spoken: "")
      for (index, sentence) in sentences.enumerated() {
        _ = running.speak(index, sentence)
        var sound: [Int16] = []
        while case .audio(let samples) = try await running.speech().event {
          sound += samples
        }
        #expect(sound.count > PCM.speakerRate / 2, "\(sentence)")
        let quiet = [Int16](repeating: 0, count: 4_800)
        running.ask(
          index, quiet + asHeard(sound) + quiet)
        let text = try await running.text().result.get()
        let rate = WordErrorRate(recognised: text, spoken: sentence)
        print("said: \(sentence) understood: \(text) (\(rate.errors) of \(rate.words))")
        sum = sum + rate
      }
      return sum
    }
    #expect(rate.rate <= 0.12)
  }

  /// A phrase as it was said once, between silences: the local voice says it otherwise each time, and a few in a hundred ways of
  /// saying it are missed.
  private func phrase(_ name: String) throws -> [Int16] {
    try [Int16](repeating: 0, count: 4_800) + WaveFile.samples(SpokenRecording.folder + name + ".wav")
      + [Int16](repeating: 0, count: 6_400)
  }

  /// The recogniser alone writes "Parley, stop." in no voice: it is scored. Loud noise hides neither phrase.
  @Test(arguments: ["phrase_parley_stop_piper_joe", "phrase_okay_stop_piper_joe"])
  func aStopPhraseIsHeardForWhatItIs(said: String) async throws {
    let spoken = try phrase(said)
    try await RunningEngine.with(arguments: []) { running in
      var state: UInt32 = 7
      for loudness in [0, 600] {
        let heard = spoken.map { sample in
          state = state &* 1_664_525 &+ 1_013_904_223
          return Int16(clamping: Int(sample) + (Int(state >> 16) - 32_768) * loudness / 32_768)
        }
        running.ask(1, heard)
        let text = try await running.text().result.get()
        #expect(StopPhrase.matches(text), "\(text)")
      }
    }
  }

  /// Alone in a few seconds of sound; behind a command, or as part of one, it opens nothing.
  @Test(arguments: [
    ("phrase_hey_parley_piper_joe", true), ("phrase_okay_stop_piper_joe", false), ("d04_flite_slt", false),
  ])
  func theWakePhraseIsHeardAndOfAllElseNoTextComesBack(said: String, isIt: Bool) async throws {
    let heard = try phrase(said)
    try await RunningEngine.with(arguments: []) { running in
      running.ask(1, heard, for: .wake)
      let text = try await running.text().result.get()
      #expect(text == (isIt ? "Hey Parley." : ""))
    }
  }

  /// Each is likely enough by itself to be taken for the phrase, and what was said is far likelier.
  @Test(arguments: ["phrase_okay_spot_piper_joe", "phrase_okay_storm_piper_joe"])
  func whatOnlySoundsLikeAStopPhraseIsNone(said: String) async throws {
    let heard = try phrase(said)
    try await RunningEngine.with(arguments: []) { running in
      running.ask(1, heard)
      let text = try await running.text().result.get()
      #expect(!StopPhrase.matches(text), "\(said) was heard as \(text)")
    }
  }

  @Test func whatIsSaidBecomesAnInstructionAndWhatIsAnsweredBecomesSound() async throws {
    let recording = try #require(try SpokenRecording.all().first { $0.name == "d16_piper_joe.wav" })
    let models = try models()
    try await RunningEngine.with(arguments: []) { running in
      let server = try LocalLiveServer(models: models, recogniser: running.engine, synthesiser: running.engine) {
        Issue.record("\($0)")
      }
      let service = try WebSocketService()
      defer {
        service.stop()
        server.stop()
      }
      let listener = try LocalClient(server, service)
      listener.send(#"{"setup":{"model":"models/local",\#(LocalLiveServerTests.tools)}}"#)
      let quiet = [Int16](repeating: 0, count: 16_000)
      let sound = quiet + recording.samples + quiet
      for start in stride(from: 0, to: sound.count, by: 320) {
        listener.send(Array(sound[start..<min(start + 320, sound.count)]))
      }
      var call = ""
      while !call.contains("toolCall") { call = try await listener.next() }
      #expect(call.contains("converse") && call.lowercased().contains("regular expression"))

      let readout = try LocalClient(server, service)
      readout.send(#"{"setup":{"model":"models/local"}}"#)
      #expect(try await readout.next().contains("setupComplete"))
      let clock = ContinuousClock()
      for _ in 0..<3 {
        let asked = clock.now
        let turn = #"{"turns":[{"role":"user","parts":[{"text":"Okay, working on it."}]}],"turnComplete":true}"#
        readout.send(#"{"clientContent":\#(turn)}"#)
        #expect(try await readout.next().contains("modelTurn"))
        print("first sound after \(clock.now - asked)")
        while try await !readout.next().contains("turnComplete") {}
      }
    }
  }
}
