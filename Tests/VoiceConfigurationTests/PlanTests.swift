import Testing
import VoiceCore

@testable import VoiceConfiguration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The configuration file that comes with the program.
enum Shipped {
  /// Found from this source file: Tests/VoiceConfigurationTests/PlanTests.swift.
  static let path =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/config/parley.json5"

  static func text() throws -> String { String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) }
}

/// How the sources of a plan are laid over each other.
struct PlanTests {
  private let home = ["HOME": "/home/ann"]

  /// A home folder whose configuration file holds the text; gone with it.
  private final class Home {
    let path: String
    init(_ text: String) throws {
      path = FileManager.default.temporaryDirectory.path + "/parley-plan-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path + "/.config/parley", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    var file: String { path + "/.config/parley/parley.json5" }
    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }
  }

  private func message(_ body: () throws(ConfigurationError) -> Plan) -> String? {
    do throws(ConfigurationError) {
      _ = try body()
      return nil
    } catch { return error.message }
  }

  @Test func theShippedFileSaysWhatTheProgramDoesByItself() throws {
    #expect(try ConfigurationFile.layer(of: Shipped.text(), named: "shipped") == .builtIn)
    let shipped = try Plan.resolve(file: Shipped.path, environment: home, currentFolder: "/work").described()
    let builtIn = try Plan.resolve(environment: home, currentFolder: "/work").described()
    #expect(shipped.map(\.key) == builtIn.map(\.key))
    #expect(shipped.map(\.value) == builtIn.map(\.value))
    #expect(shipped.filter { $0.origin == .builtIn } == [])
  }

  @Test func theShippedFileHasExactlyTheKeysOfTheSchema() throws {
    let places = try ConfigurationText(Shipped.text())
    let settings = places.lines.keys.filter { $0.contains(".") }
    #expect(settings.sorted() == PlanKey.all.map(\.name).sorted())
    // And in the same order.
    #expect(settings.sorted { places.lines[$0, default: 0] < places.lines[$1, default: 0] } == PlanKey.all.map(\.name))
  }

  @Test func theCommandLineLiesOverTheFileAndTheFileOverTheDefaults() throws {
    let user = try Home("{ interaction: { mode: 'direct', readBack: false }, audio: { pace: 'fast' } }")
    var flags = PlanLayer()
    flags.interaction.readBack = true
    flags.live.voice = "Kore"
    let plan = try Plan.resolve(commandLine: flags, environment: ["HOME": user.path], currentFolder: "/work")
    #expect(plan.interaction.mode == Resolved(.direct, .file(user.file)))
    #expect(plan.interaction.readBack == Resolved(true, .commandLine))
    #expect(plan.audio.pace == Resolved(.fast, .file(user.file)))
    #expect(plan.live.voice == Resolved("Kore", .commandLine))
    #expect(plan.interaction.interruptedBy == Resolved(.auto, .builtIn))
  }

  @Test func anOptionCanSayNone() throws {
    let user = try Home("{ live: { endpoint: 'gemini', voice: 'Kore' } }")
    var flags = PlanLayer()
    flags.live.voice = .some(nil)
    let plan = try Plan.resolve(commandLine: flags, environment: ["HOME": user.path], currentFolder: "/work")
    #expect(plan.live.voice == Resolved(nil, .commandLine))
  }

  @Test func aNamedFileReplacesTheUsersOwn() throws {
    let user = try Home("{ interaction: { mode: 'direct' } }")
    let other = try Home("{ audio: { pace: 'fast' } }")
    let plan = try Plan.resolve(file: other.file, environment: ["HOME": user.path], currentFolder: "/work")
    #expect(plan.interaction.mode.value == .review)
    #expect(plan.audio.pace.origin == .file(other.file))
  }

  @Test func theUsersFileIsFoundThroughTheVariableOfTheStandard() throws {
    let user = try Home("{ interaction: { mode: 'direct' } }")
    let environment = ["HOME": "/nowhere", "XDG_CONFIG_HOME": user.path + "/.config"]
    #expect(try Plan.resolve(environment: environment, currentFolder: "/work").interaction.mode.value == .direct)
    // What is not absolute counts as unset.
    #expect(
      PlanPaths(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "x"], currentFolder: "/").userFile
        == "/h/.config/parley/parley.json5")
    #expect(PlanPaths(environment: [:], currentFolder: "/").userFile == nil)
  }

  @Test func aNamedFileThatIsMissingIsAnErrorAndTheUsersOwnIsNot() throws {
    #expect(
      message { () throws(ConfigurationError) in try Plan.resolve(environment: home, currentFolder: "/work") } == nil)
    #expect(
      message { () throws(ConfigurationError) in
        try Plan.resolve(file: "no.json5", environment: home, currentFolder: "/work")
      }
        == "There is no configuration file /work/no.json5. Check the path given with --config.")
    #expect(
      message { () throws(ConfigurationError) in try Plan.resolve(file: "/", environment: home, currentFolder: "/work")
      }
        == "/ is a folder. The configuration is one file.")
    #expect(ConfigurationError.exitCode == 78)
  }

  @Test func aFileThatIsNotTextIsRefused() throws {
    let user = try Home("")
    try Data([0x7B, 0xFF, 0xFE, 0x7D]).write(to: URL(filePath: user.file))
    #expect(
      message { () throws(ConfigurationError) in
        try Plan.resolve(environment: ["HOME": user.path], currentFolder: "/work")
      }
        == "\(user.file) is not UTF-8 text. Save it as UTF-8.")
  }

  @Test func theCommandLineIsCheckedLikeAFile() {
    var flags = PlanLayer()
    flags.live.silenceMilliseconds = 9
    #expect(
      message { () throws(ConfigurationError) in
        try Plan.resolve(commandLine: flags, environment: [:], currentFolder: "/")
      }
        == "On the command line, live.silenceMilliseconds must be between 200 and 5000 (it is 9).")
  }

  // The live model.

  @Test(
    arguments: [
      (nil, [:], LiveEndpoint.local, "auto: GEMINI_API_KEY is not set", nil),
      (nil, ["GEMINI_API_KEY": ""], .local, "auto: GEMINI_API_KEY is not set", nil),
      (nil, ["GEMINI_API_KEY": "k"], .gemini, "auto: GEMINI_API_KEY is set", "GEMINI_API_KEY"),
      ("local", ["GEMINI_API_KEY": "k"], .local, "command line", nil),
      ("gemini", [:], .gemini, "command line", "GEMINI_API_KEY"),
      ("openai", ["GEMINI_API_KEY": "k"], .openai, "command line", "OPENAI_API_KEY"),
      (
        "wss://example.org/live", ["GEMINI_API_KEY": "k"], .server(address: "wss://example.org/live"), "command line",
        nil
      ),
    ] as [(String?, [String: String], LiveEndpoint, String, String?)])
  func theEndpointAndItsKeyFollowFromWhatIsSet(
    _ choice: String?, _ environment: [String: String], _ endpoint: LiveEndpoint, _ origin: String, _ variable: String?
  ) throws {
    var flags = PlanLayer()
    flags.live.endpoint = choice.flatMap { LiveEndpointChoice($0) }
    let plan = try Plan.resolve(commandLine: flags, environment: environment, currentFolder: "/work")
    #expect(plan.live.endpoint.value == endpoint)
    #expect(plan.live.endpoint.origin.description == origin)
    #expect(plan.live.keyVariable.value == variable)
  }

  @Test func aNamedKeyVariableIsUsedForEveryEndpointButTheLocalOne() throws {
    var flags = PlanLayer()
    flags.live.keyVariable = "MY_KEY"
    flags.live.endpoint = .fixed(.server(address: "ws://127.0.0.1:1"))
    #expect(
      try Plan.resolve(commandLine: flags, environment: [:], currentFolder: "/").live.keyVariable
        == Resolved("MY_KEY", .commandLine))
    flags.live.endpoint = .auto
    let plan = try Plan.resolve(commandLine: flags, environment: ["MY_KEY": "k"], currentFolder: "/")
    #expect(plan.live.endpoint == Resolved(.gemini, .derived(because: "auto: MY_KEY is set")))
    flags.live.keyVariable = .some(nil)
    let without = try Plan.resolve(commandLine: flags, environment: ["GEMINI_API_KEY": "k"], currentFolder: "/")
    #expect(without.live.endpoint == Resolved(.local, .derived(because: "auto: no key variable is named")))
  }

  // Paths, and what is shown.

  @Test func pathsBecomeAbsolute() throws {
    var flags = PlanLayer()
    flags.agent.workingFolder = "./shop"
    flags.recording.folder = "~/talks"
    flags.live.certificateAuthority = "ca.pem"
    let plan = try Plan.resolve(commandLine: flags, environment: home, currentFolder: "/work")
    #expect(plan.agent.workingFolder.value == "/work/shop")
    #expect(plan.recording.folder.value == "/home/ann/talks")
    #expect(plan.live.certificateAuthority.value == "/work/ca.pem")
    let usual = try Plan.resolve(environment: home, currentFolder: "/work")
    #expect(usual.agent.workingFolder.value == "/work")
    #expect(usual.recording.folder.value == "/home/ann/.local/state/parley/sessions")
    #expect(usual.live.certificateAuthority.value == nil)
  }

  @Test func aPlanIsDescribedWithoutSecrets() throws {
    let environment = ["GEMINI_API_KEY": "AIzaSySecretSecretSecret", "HOME": "/home/ann"]
    let lines = try Plan.resolve(environment: environment, currentFolder: "/work").described()
    #expect(lines.map(\.key) == PlanKey.all.map(\.name))
    #expect(
      lines.contains(
        .init(key: "live.endpoint", value: "gemini", origin: .derived(because: "auto: GEMINI_API_KEY is set"))))
    #expect(lines.contains(.init(key: "live.keyVariable", value: "GEMINI_API_KEY", origin: .builtIn)))
    #expect(lines.contains(.init(key: "live.model", value: "none", origin: .builtIn)))
    #expect(!"\(lines)".contains("AIza"))
  }
}
