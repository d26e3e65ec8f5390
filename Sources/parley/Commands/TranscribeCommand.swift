import ArgumentParser
import VoiceCore
import VoiceFoundation
import VoiceLocal
import VoiceSound
import VoiceVocabulary
import VoiceWords

/// `parley transcribe`: what the local recogniser hears in sound files.
struct TranscribeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe", abstract: "Print what the local recogniser hears in a sound file.",
    discussion: "With several files, a line for each: its name, a blank, the text. One that cannot be read is told on "
      + "standard error, and the exit code is 65 then. "
      + "With --turns a line for each turn: file, end in milliseconds, text; a + before it where it is "
      + "joined with the one before.")

  @Argument(help: "Sound files.")
  var files: [String]

  @Option(help: "A project whose names are expected.")
  var workingFolder: String?

  @Flag(help: "The recogniser without its search and without words, as where the search cannot be used.")
  var plain = false

  @Option(
    help: ArgumentHelp(
      "Listen as a closed microphone does, and print how often this phrase was heard.", valueName: "phrase"))
  var wake: String?

  @Flag(
    help: ArgumentHelp(
      "Print the recogniser's confidence after each word, in percent, and the alternatives after the text, separated by bars."
    ))
  var sureness = false

  @Flag(help: "Cut the sound into turns, as a session would, and print each with its end.")
  var turns = false

  @Option(
    help: ArgumentHelp(
      "With --turns: assume that recognition takes this long instead of its real time.", valueName: "ms"))
  var work: Int?

  /// The recogniser takes segments, not recordings; speech of any length is heard in parts of at most this.
  private static let segmentSamples = PCM.microphoneRate * 20

  func validate() throws {
    if sureness, turns || wake != nil {
      throw ValidationError("--sureness goes neither with --turns nor with --wake.")
    }
    if sureness, plain { throw ValidationError("--sureness needs the search that --plain leaves out.") }
    if work != nil, !turns { throw ValidationError("--work needs --turns.") }
  }

  func run() async throws {
    if let workingFolder { try WorkingFolderFlag.require(workingFolder) }
    var phrases = SpokenPhrases.builtIn
    phrases.wake = wake ?? ""
    let engine = SpeechEngine(
      command: .init(
        executable: ownExecutable, arguments: ["speech-engine"] + (plain ? ["--plain"] : []) + phrases.arguments))
    engine.expect(
      WordsFile.expected(workingFolder: workingFolder ?? ".", environment: ProcessInfo.processInfo.environment),
      names: workingFolder.map { ProjectFolder($0).names() } ?? [])
    let running = Task { await engine.run() }
    let result: Result<Void, any Error>
    do {
      result = .success(try await transcribe(engine))
    } catch {
      result = .failure(error)
    }
    // The engine may still be starting: whoever leaves it behind leaves in the middle of that.
    running.cancel()
    await running.value
    try result.get()
  }

  private func transcribe(_ engine: SpeechEngine) async throws {
    var failure: ExitCode?
    for file in files {
      let samples: [Int16]
      do {
        samples = try SoundFileReader(path: file, rate: PCM.microphoneRate).readAll()
      } catch {
        // The others are no worse for that. Where both go to one place, the lines stay in order.
        flushOutput()
        Exit.complain("\(error)")
        failure = failure ?? Exit.code(error)
        continue
      }
      if wake != nil {
        printRow("\(file) \(try await wakings(in: samples, engine))")
        continue
      }
      if turns {
        try await printTurns(of: file, samples, engine)
        continue
      }
      var pieces: [(text: String, hearing: Hearing)] = []
      for start in stride(from: 0, to: samples.count, by: Self.segmentSamples) {
        let segment = Array(samples[start..<min(start + Self.segmentSamples, samples.count)])
        let result = await engine.recognise(segment, for: .text)
        let heard = try Exit.starting { try result.get() }
        pieces.append((heard.text, heard.hearing))
      }
      let text = sureness ? Self.marked(pieces) : pieces.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
      printRow(files.count > 1 ? "\(file) \(text)" : text)
    }
    if let failure { throw failure }
  }

  private static func marked(_ pieces: [(text: String, hearing: Hearing)]) -> String {
    let hearing = Hearing.joined(pieces)
    let words = pieces.flatMap { $0.text.split(whereSeparator: \.isWhitespace) }
    let marked = words.indices.map { place in
      hearing.sureness.count == words.count ? "\(words[place]):\(hearing.sureness[place])" : "\(words[place])"
    }
    return ([marked.joined(separator: " ")] + hearing.alternatives).joined(separator: " | ")
  }

  /// How often the wake phrase is heard. Whoever goes on behind it may still take it back, which is not waited for here.
  private func wakings(in samples: [Int16], _ engine: SpeechEngine) async throws -> Int {
    var segments = WakeSegments(detector: try detector(SpeechRule.shortSilenceMilliseconds))
    var count = 0
    // A pause ends a phrase, and a recording may end with it.
    let samples = samples + [Int16](repeating: 0, count: PCM.microphoneRate)
    for start in stride(from: 0, to: samples.count, by: PCM.frameSamples) {
      for case .ask(let segment) in segments.hear(samples[start..<min(start + PCM.frameSamples, samples.count)]) {
        let result = await engine.recognise(segment, for: .wake)
        if !(try Exit.starting { try result.get().text }).isEmpty { count += 1 }
      }
    }
    return count
  }

  private func detector(_ silenceMilliseconds: Int) throws -> VoiceActivityDetector {
    try Exit.starting {
      try VoiceActivityDetector(
        models: try SpeechModels(environment: ProcessInfo.processInfo.environment),
        silenceMilliseconds: silenceMilliseconds)
    }
  }

  private func printTurns(of file: String, _ samples: [Int16], _ engine: SpeechEngine) async throws {
    let detector = try detector(Limits.defaultSilenceMilliseconds)
    var failure: SpeechFailure?
    let found = await TurnTrial.turns(
      in: samples, detector: detector, preferredSilenceMilliseconds: Limits.defaultSilenceMilliseconds
    ) { segment, purpose in
      let begun = ContinuousClock.now
      let heard = await engine.recognise(segment, for: purpose)
      if case .failure(let reason) = heard { failure = failure ?? reason }
      return (heard, work ?? Int((ContinuousClock.now - begun) / .milliseconds(1)))
    }
    for turn in found { printRow("\(file) \(turn.endMilliseconds) \(turn.goesOn ? "+ " : "")\(turn.text)") }
    if let failure { throw Exit.failure(Exit.unavailable, failure) }
  }
}

extension SpeechEngine {
  /// What is heard in the samples.
  fileprivate func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose
  ) async -> Result<HeardSpeech, SpeechFailure> {
    await withCheckedContinuation { continuation in
      recognise(samples, for: purpose) { continuation.resume(returning: $0) }
    }
  }
}
