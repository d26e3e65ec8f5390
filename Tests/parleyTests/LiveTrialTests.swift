import Testing
import VoiceTesting
import VoiceVocabulary

@testable import parley

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct LiveTrialTests {
  private static let ready = VoiceEvent.linkReady(connection: ConnectionID(rawValue: 1), resumed: false)
  private static let closed = VoiceEvent.linkClosed(
    connection: ConnectionID(rawValue: 1), failure: LinkFailure(remedy: .giveUp, reason: "The key is wrong."))
  private static let stopped = VoiceEvent.terminationRequested(signal: "SIGINT")
  private static let whole = "recogniser and voice are loaded, and the models are whole"

  /// What is said of local speech, and whether all was known at the last of these events, and no sooner.
  private func speech(_ events: [VoiceEvent], problems: [String] = []) -> (words: String, isKnown: Bool) {
    var trial = LiveTrial(isLocal: true)
    let known = events.map { trial.take($0) }
    let isKnown = known.last == true && !known.dropLast().contains(true)
    do { return (try trial.speech(problems), isKnown) } catch { return ("missing: \(error)", isKnown) }
  }

  private func reports(_ reports: SpeechEngineReport...) -> [VoiceEvent] {
    reports.map { .speechEngineReported(report: $0) }
  }

  private let loading: [VoiceEvent] = SpeechPart.allCases.map { .speechEngineReported(report: .loading(part: $0)) }

  @Test func aLiveModelElsewhereIsKnownOnceItAnswers() {
    var trial = LiveTrial(isLocal: false)
    let isKnown = trial.take(Self.ready)
    #expect(isKnown)
    #expect(trial.linkLack == nil)
  }

  @Test func theAnswerToTheSetupSaysNothingOfLocalSpeech() {
    let begun = speech(loading + [Self.ready])
    #expect(!begun.isKnown)
    #expect(begun.words == "missing: It was not loaded in 65 s.")
    #expect(!speech(loading + [Self.ready] + reports(.ready(part: .voice))).isKnown)
  }

  @Test func bothPartsAreWaitedForWhicheverIsFirst() {
    let parts = reports(.ready(part: .voice), .ready(part: .recogniser))
    #expect(speech(loading + [Self.ready] + parts) == (Self.whole, true))
    #expect(speech(loading + parts + [Self.ready]) == (Self.whole, true))
  }

  @Test func aPartThatCannotBeLoadedIsMissingForItsReason() {
    let parts = reports(.unavailable(part: .voice, reason: "there is no voice"), .ready(part: .recogniser))
    #expect(speech(loading + [Self.ready] + parts) == ("missing: there is no voice.", true))
    #expect(speech(loading + [Self.ready] + reports(.unavailable(part: .voice, reason: "no voice"))).isKnown == false)
  }

  @Test func whatIsToldBesideLoadedPartsIsMissing() {
    let parts = reports(.ready(part: .voice), .ready(part: .recogniser))
    let heard = speech(loading + [Self.ready] + parts, problems: ["speech is detected by loudness alone"])
    #expect(heard == ("missing: speech is detected by loudness alone.", true))
  }

  @Test func anEngineThatEndsIsWaitedForUntilItIsLoadedOrGivenUp() {
    let ends = reports(.restarting(reason: "the speech engine ended (9)"))
    let begun = loading + [Self.ready] + reports(.ready(part: .voice)) + ends + loading
    #expect(!speech(begun).isKnown)
    #expect(speech(begun).words == "missing: It was not loaded in 65 s: the speech engine ended (9).")
    let parts = reports(.ready(part: .voice), .ready(part: .recogniser))
    #expect(
      speech(begun + parts) == ("\(Self.whole), but not at the first attempt: the speech engine ended (9)", true))
    // Who reads it has run parley check.
    let reason = "the speech engine ended (9); it ended 4 times in a row"
    #expect(speech(begun + reports(.failed(reason: reason + ": run parley check"))) == ("missing: \(reason).", true))
  }

  @Test func aLiveModelThatFailsEndsTheTrial() {
    let heard = speech(loading + [Self.closed])
    #expect(heard == ("missing: It was not loaded, because the live model failed.", true))
    var trial = LiveTrial(isLocal: true)
    _ = trial.take(Self.closed)
    #expect(trial.linkLack?.description == "The key is wrong.")
  }

  @Test func whoStopsTheProgramWaitsForNothing() {
    #expect(speech(loading + [Self.ready, Self.stopped]) == ("missing: Stopped.", true))
    var trial = LiveTrial(isLocal: true)
    let isKnown = trial.take(Self.stopped)
    #expect(isKnown)
    #expect(trial.linkLack?.description == "Stopped.")
  }

  /// Files of the right names and hashes, of which none is what it should be.
  private func installNothingUseful(in home: TemporaryFolder) throws {
    let names = [
      "lib/libsherpa-onnx-c-api.so", "lib/libsherpa-onnx-c-api.dylib", "lib/libonnxruntime.so",
      "lib/libonnxruntime.dylib", "base-en/encoder.onnx", "base-en/decoder.onnx", "base-en/tokens.txt",
      "tiny-en/encoder.ort", "tiny-en/decoder.ort", "tiny-en/tokens.txt", "joe/voice.onnx", "joe/tokens.txt",
      "silero/weights.f32",
    ]
    let folder = home.path + "/speech/v1/"
    for name in names {
      try FileManager.default.createDirectory(
        atPath: folder + name.prefix { $0 != "/" }, withIntermediateDirectories: true)
      try Data("abc".utf8).write(to: URL(filePath: folder + name))
    }
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let files = names.map { #"{"path":"\#($0)","bytes":3,"sha256":"\#(digest)"}"# }
    let manifest = #"{"layout":1,"files":[\#(files.joined(separator: ","))]}"#
    try Data(manifest.utf8).write(to: URL(filePath: folder + "manifest.json"))
  }

  @Test(.timeLimit(.minutes(5))) func aCheckTellsThatLocalSpeechCannotBeLoaded() async throws {
    let home = try TemporaryFolder()
    try installNothingUseful(in: home)
    let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
    let finished = try await Program.run(
      ["check", "--live", "local", "--agent", "guide", "--microphone", recording, "--speaker", "none"], home: home,
      environment: ["PARLEY_SPEECH_HOME": home.path + "/speech"])
    #expect(finished.code == 69)
    let missing = finished.output.split(separator: "\n").filter { $0.hasPrefix("missing") }
    #expect(missing.count == 1, "\(finished.output)")
    #expect(missing.first?.hasPrefix("missing  local speech: ") == true, "\(missing)")
    #expect(missing.first?.contains("the speech library cannot be loaded") == true, "\(missing)")
  }
}
