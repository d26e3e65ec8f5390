import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sessions in places of their own, where nobody would look for what they left.
struct PlacedSessionTests {
  private let home: TemporaryFolder
  private let places: String

  init() throws {
    home = try TemporaryFolder()
    places = home.path + "/placed"
  }

  private static func brokenOff(_ path: String) throws -> SessionFolder {
    let folder = try SessionFolder(creating: path)
    let recorder = try SessionRecorder(folder) { _ in }
    recorder.noteInLedger(
      .proposed(instruction: Instruction(id: .init(rawValue: 1), text: "push it", heard: nil, source: .voice)))
    return folder
  }

  private func found() -> [EarlierSession] { EarlierSession.all(in: home.path + "/sessions", placed: places) }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: places) }

  @Test func oneIsFoundUntilItIsSettled() throws {
    _ = try Self.brokenOff(home.path + "/sessions/two")
    let folder = try Self.brokenOff(home.path + "/elsewhere/one")
    _ = try PlacedSession(folder, in: places)
    do {
      let sessions = found()
      #expect(sessions.count == 2 && sessions[0].name == "two" && sessions[1].name.hasSuffix("/elsewhere/one"))
      #expect(LeftOver(sessions).events.count == 2)
      try sessions[1].settle(.init(rawValue: 1))
    }
    #expect(found().map(\.name) == ["two"])
    #expect(try files().isEmpty)
  }

  @Test func oneBelowTheUsualPlaceIsFoundOnce() throws {
    let folder = try Self.brokenOff(home.path + "/sessions/two")
    _ = try PlacedSession(folder, in: places)
    #expect(found().map(\.name) == ["two"])
  }

  @Test func oneThatRunsIsLeftAlone() throws {
    let folder = try SessionFolder(creating: home.path + "/one")
    let recorder = try SessionRecorder(folder) { _ in }
    let placed = try PlacedSession(folder, in: places)
    #expect(try found().isEmpty && files().count == 1)
    recorder.finish(.completed)
    placed.forget()
    #expect(try files().isEmpty)
  }

  @Test func whatIsNoPlaceIsPassedOver() throws {
    try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
    try Data("no path".utf8).write(to: URL(filePath: places + "/1.place"))
    try Data((home.path + "/gone").utf8).write(to: URL(filePath: places + "/2.place"))
    #expect(found().isEmpty)
    #expect(try files() == ["1.place"])
  }
}
