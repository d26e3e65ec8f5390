import Testing
import VoiceCore
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session that was not made by talking: the log of a fixture with something in it that no program writes.
struct CraftedLog: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let fixture: String
  let change: @Sendable (inout [String]) -> Void
  var started = "2026-11-21T10:00:00Z"

  init(_ description: String, of fixture: String = "direct", _ change: @escaping @Sendable (inout [String]) -> Void) {
    (testDescription, self.fixture, self.change) = (description, fixture, change)
  }

  init(startedAt started: String) {
    self.init("the session started at \(started)") { _ in }
    self.started = started
  }

  /// With another number wherever this field stands.
  static func field(_ name: String, _ number: String, of fixture: String) -> CraftedLog {
    CraftedLog("\(name) is \(number)", of: fixture) { rows in
      rows = rows.map { row in
        var parts = row.components(separatedBy: "\"\(name)\":")
        for index in parts.indices.dropFirst() {
          parts[index] = number + parts[index].drop { $0.isNumber || "-+.eE".contains($0) }
        }
        return parts.joined(separator: "\"\(name)\":")
      }
    }
  }

  static let edges = ["-9223372036854775808", "9223372036854775807", "-1", "1e999", "1e300", "4503599627370496"]

  static let all =
    edges.flatMap { edge in
      [("heardMilliseconds", "barge-in"), ("milliseconds", "permission-allowed"), ("position", "direct")].map {
        field($0.0, edge, of: $0.1)
      }
    } + [
      field("position", "0", of: "permission-allowed"),
      CraftedLog("the session starts again") { rows in
        rows.insert(rows[1].replacing("\"sequence\":0,\"time\":0", with: "\"sequence\":9,\"time\":900000"), at: 9)
      },
      CraftedLog("sound was sent from before the start") { rows in
        rows = rows.map {
          $0.replacing(#""connection":1,"frame":{"position":"#, with: #""connection":1,"frame":{"position":-"#)
        }
      },
      CraftedLog("something comes after the end") { rows in
        rows.append(#"{"sequence":100000,"time":9000000000,"event":{"commandsEnded":{}},"actions":[]}"#)
      },
      CraftedLog("an event that nobody knows") {
        $0[3] = #"{"sequence":2,"time":2,"event":{"dream":{}},"actions":[]}"#
      },
      CraftedLog("brackets without an end") { $0[3] = String(repeating: "[", count: 1_000_000) },
      CraftedLog("objects without an end") { $0[3] = String(repeating: #"{"a":"#, count: 200_000) },
      CraftedLog("a cost beyond all bounds") { rows in
        rows.insert(
          #"{"sequence":1,"time":1,"event":{"agentReported":{"event":{"usage":{"usage":{"costInDollars":1e300}}},"#
            + #""run":1}},"actions":[]}"#, at: 2)
      },
      CraftedLog("no line but the first") { $0 = [$0[0]] },
    ] + ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "never"].map { CraftedLog(startedAt: $0) }
}

/// Whatever verb reads a session gives what can be told, or one line and the exit code of bad data.
@Test(.timeLimit(.minutes(5)), arguments: CraftedLog.all)
func aSessionThatWasCraftedStopsNoVerb(_ crafted: CraftedLog) async throws {
  let home = try TemporaryFolder()
  let folder = home.path + "/session"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let log = try String(
    contentsOfFile: "\(Repository.path)/audio-fixtures/\(crafted.fixture)/expected.jsonl", encoding: .utf8)
  var rows = log.split(separator: "\n").map(String.init)
  crafted.change(&rows)
  try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + "/events.jsonl"))
  try Data(#"{"format":1,"program":"parley 1.0","started":"\#(crafted.started)","plan":[],"libraries":{}}"#.utf8).write(
    to: URL(filePath: folder + "/manifest.json"))
  let export = ["log", "export", folder, "--as"]
  for arguments in [
    ["log", folder], export + ["markdown"], export + ["webvtt"], export + ["otlp", "--words"],
    export + ["session", "--redact", "--output", home.path + "/redacted"], ["why", folder],
    ["report", folder, "--output", home.path + "/report.html"], ["replay", "--against", "log", folder],
    ["replay", folder], ["ledger", folder], ["log", "index", "--sessions", home.path],
  ] {
    let done = try await Program.run(arguments, home: home)
    #expect([0, 1, 65, 74].contains(done.code), "\(arguments): \(done.code) \(done.errors)")
    if done.code > 1 {
      #expect(done.errors.split(separator: "\n").count == 1, "\(arguments): \(done.errors)")
      #expect(done.errors.utf8.count < 1_000)
    }
  }
}

@Test func aLogOfFourGibibytesIsRefusedUnread() async throws {
  let home = try TemporaryFolder()
  let folder = home.path + "/session"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let done = try await Program.run(
    ["log", folder], home: home, shell: "truncate -s 4G \"$2/events.jsonl\"; ulimit -v 2000000; exec \"$0\" \"$@\"")
  #expect(done.code == 65)
  #expect(done.errors.contains("it has more than"))
}
