import Testing
import VoiceTesting

@testable import VoiceLocal
@testable import VoiceSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where speech models would be installed.
private struct Folder {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: path + "/v1", withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + "/v1/" + name))
  }

  var environment: [String: String] { ["PARLEY_SPEECH_HOME": path] }
}

struct SpeechModelsTests {
  private func failure(_ environment: [String: String]) -> String? {
    do {
      _ = try SpeechModels(environment: environment)
      return nil
    } catch {
      return error.reason
    }
  }

  /// What the manifest must list.
  private let names = [
    "lib/libsherpa-onnx-c-api.so", "lib/libsherpa-onnx-c-api.dylib", "lib/libonnxruntime.so",
    "lib/libonnxruntime.dylib", "base-en/encoder.onnx", "base-en/decoder.onnx",
    "base-en/tokens.txt", "tiny-en/encoder.ort", "tiny-en/decoder.ort", "tiny-en/tokens.txt", "joe/voice.onnx",
    "joe/tokens.txt", "silero/weights.f32",
  ]

  private func install(in folder: Folder, bytes: Int = 3) throws {
    for name in names {
      let parent = folder.path + "/v1/" + name.prefix { $0 != "/" }
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      try folder.write("abc", to: name)
    }
    let files = names.map {
      #"{"path":"\#($0)","bytes":\#(bytes),"sha256":"\#(Self.abc)","licence":"MIT","origin":"x 1"}"#
    }
    try folder.write(#"{"layout":1,"files":[\#(files.joined(separator: ","))]}"#, to: "manifest.json")
  }

  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func whatIsNotInstalledIsNamedTogetherWithTheCommandThatInstallsIt() {
    let reason = failure(["PARLEY_SPEECH_HOME": "/nowhere"])
    #expect(
      reason
        == "the models for local speech are not installed in /nowhere/v1: run script/fetch-speech in Parley's sources")
  }

  @Test func withoutAnyFolderTheVariableToSetIsNamed() {
    #expect(failure([:])?.contains("PARLEY_SPEECH_HOME") ?? false)
  }

  @Test func aWholeInstallationIsFoundAndItsHashesAreRight() throws {
    let folder = try Folder()
    try install(in: folder)
    let models = try SpeechModels(environment: folder.environment)
    try models.verifyHashes()
    #expect(models.files.count == names.count)
  }

  @Test func aFileOfAnotherSizeIsNamed() throws {
    let folder = try Folder()
    try install(in: folder, bytes: 4)
    #expect(failure(folder.environment)?.contains("lib/libsherpa-onnx-c-api.so is damaged (its size") ?? false)
  }

  @Test func aFileOfTheRightSizeWithOtherContentIsFoundByItsHash() throws {
    let folder = try Folder()
    try install(in: folder)
    try folder.write("abd", to: "joe/voice.onnx")
    let models = try SpeechModels(environment: folder.environment)
    #expect(throws: SpeechFailure.self) { try models.verifyHashes() }
  }

  @Test(arguments: ["", "{", #"{"layout":2,"files":[]}"#, #"{"layout":1,"files":[]}"#])
  func aManifestThatMakesNoSenseIsNamed(content: String) throws {
    let folder = try Folder()
    try folder.write(content, to: "manifest.json")
    let reason = failure(folder.environment)
    #expect(reason?.contains("manifest.json") ?? false)
    #expect(reason?.contains("run script/fetch-speech") ?? false)
  }

  @Test func theDigestIsThatOfThePublishedExamples() throws {
    let folder = try Folder()
    for (text, expected) in [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), ("abc", Self.abc),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ), (String(repeating: "a", count: 100_000), "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"),
    ] {
      try folder.write(text, to: "text")
      #expect(SHA256Digest.ofFile(folder.path + "/v1/text") == expected)
    }
    #expect(SHA256Digest.ofFile(folder.path + "/missing") == nil)
  }
}
