import VoiceFoundation
import VoiceJSON
import VoiceSystem

/// Why local speech cannot be used: what failed, on what, and what to do.
package struct SpeechFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package var reason: String
  package var description: String { reason }

  package init(_ reason: String) { self.reason = reason }
}

/// The installed models and libraries of local speech, as `script/fetch-speech` left them.
package struct SpeechModels: Equatable, Sendable {
  /// One installed file, as the manifest names it.
  package struct File: Equatable, Sendable, Codable {
    /// Relative to `folder`.
    package var path: String
    package var bytes: Int
    /// Lower-case hexadecimal.
    package var sha256: String
  }

  private struct Manifest: Codable {
    var layout: Int
    var files: [File]
  }

  /// The arrangement of files that this program reads; the script writes it below a folder of this number.
  private static let layout = 1
  /// The program does not know where it was built.
  static let remedy = "run script/fetch-speech in Parley's sources"
  static let remedyOfDamage = "run script/fetch-speech --verify in Parley's sources"

  /// The folder with the manifest.
  package let folder: String
  package let files: [File]

  /// Find the installed set and compare every file's size, which takes no noticeable time.
  /// - Parameter environment: Names the folder in `PARLEY_SPEECH_HOME`, or else in `XDG_DATA_HOME` or `HOME`.
  package init(environment: [String: String]) throws(SpeechFailure) {
    folder = try Self.home(environment) + "/v\(Self.layout)"
    let name = folder + "/manifest.json"
    guard let bytes = FileManager.default.contents(atPath: name) else {
      throw SpeechFailure("the models for local speech are not installed in \(folder): \(Self.remedy)")
    }
    guard let manifest = Self.manifest(bytes), manifest.layout == Self.layout else {
      throw SpeechFailure("\(name) is damaged, or of another version: \(Self.remedy)")
    }
    files = manifest.files
    let needed = [
      sherpaLibrary, inferenceLibrary, baseRecogniser.encoder, baseRecogniser.decoder, baseRecogniser.tokens,
      tinyRecogniser.encoder,
      tinyRecogniser.decoder, tinyRecogniser.tokens, voice.model, voice.tokens, detectorWeights,
    ]
    let listed = Set(files.map { folder + "/" + $0.path })
    if let missing = needed.first(where: { !listed.contains($0) }) {
      throw SpeechFailure("\(name) does not list \(missing): \(Self.remedy)")
    }
    for file in files {
      var status = stat()
      guard stat(folder + "/" + file.path, &status) == 0 else {
        throw SpeechFailure("\(folder)/\(file.path) is missing: \(Self.remedy)")
      }
      guard Int(status.st_size) == file.bytes else {
        throw SpeechFailure("\(folder)/\(file.path) is damaged (its size is wrong): \(Self.remedy)")
      }
    }
  }

  private static func manifest(_ bytes: Data) -> Manifest? {
    do { return try JSON.decode(Manifest.self, from: bytes) } catch { return nil }
  }

  /// Compare every file's SHA-256; reads 265 MB.
  package func verifyHashes() throws(SpeechFailure) {
    for file in files {
      let path = folder + "/" + file.path
      guard let digest = SHA256Digest.ofFile(path) else {
        throw SpeechFailure("\(path) cannot be read: check its owner")
      }
      guard digest == file.sha256 else {
        throw SpeechFailure("\(path) is damaged (its hash is wrong): \(SpeechModels.remedyOfDamage)")
      }
    }
  }

  /// sherpa-onnx, for this machine.
  package var sherpaLibrary: String { library("libsherpa-onnx-c-api") }
  /// ONNX Runtime, which runs the networks.
  package var inferenceLibrary: String { library("libonnxruntime") }

  private func library(_ name: String) -> String {
    #if canImport(Darwin)
      folder + "/lib/\(name).dylib"
    #else
      folder + "/lib/\(name).so"
    #endif
  }
  /// The files of the large recogniser.
  package var baseRecogniser: (encoder: String, decoder: String, tokens: String) {
    (folder + "/base-en/encoder.onnx", folder + "/base-en/decoder.onnx", folder + "/base-en/tokens.txt")
  }
  /// The files of the small recogniser, for short clips.
  package var tinyRecogniser: (encoder: String, decoder: String, tokens: String) {
    (folder + "/tiny-en/encoder.ort", folder + "/tiny-en/decoder.ort", folder + "/tiny-en/tokens.txt")
  }
  /// The files of the voice.
  package var voice: (model: String, tokens: String) { (folder + "/joe/voice.onnx", folder + "/joe/tokens.txt") }
  /// The network that hears whether a turn is over; nil where an older installation lacks it.
  package var turnNetwork: String? {
    let path = "turn/smart-turn.onnx"
    return files.contains { $0.path == path } ? folder + "/" + path : nil
  }
  /// The weights of the voice activity detector.
  package var detectorWeights: String { folder + "/silero/weights.f32" }

  private static func home(_ environment: [String: String]) throws(SpeechFailure) -> String {
    if let chosen = environment["PARLEY_SPEECH_HOME"], !chosen.isEmpty { return chosen }
    guard let data = UserFolders(environment).data else {
      throw SpeechFailure("neither PARLEY_SPEECH_HOME nor HOME is set, so local speech cannot be found: set one")
    }
    return data + "/speech"
  }
}
