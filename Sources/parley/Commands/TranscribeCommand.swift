import ArgumentParser
import VoiceCore
import VoiceLocal
import VoiceSound

/// `parley transcribe`: what the local recogniser hears in a sound file.
struct TranscribeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe", abstract: "Print what the local recogniser hears in a sound file.")

  @Argument(help: "A sound file.")
  var file: String

  /// The recogniser takes segments, not recordings; speech of any length is heard in parts of at most this.
  private static let segmentSamples = PCM.microphoneRate * 20

  func run() async throws {
    let samples = try Exit.starting { try SoundFileReader(path: file, rate: PCM.microphoneRate).readAll() }
    let engine = SpeechEngine(command: .init(executable: ownExecutable))
    let results = await withTaskGroup { group in
      group.addTask { await engine.run() }
      var results: [Result<String, SpeechFailure>] = []
      for start in stride(from: 0, to: samples.count, by: Self.segmentSamples) {
        let segment = Array(samples[start..<min(start + Self.segmentSamples, samples.count)])
        results.append(
          await withCheckedContinuation { continuation in
            engine.recognise(segment, precision: .full) { continuation.resume(returning: $0) }
          })
      }
      group.cancelAll()
      return results
    }
    printRow(try Exit.starting { try results.map { try $0.get() }.joined(separator: " ") })
  }
}
