import Subprocess
import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(System)
  import System
#else
  import SystemPackage
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One session that was killed, or ran on a full disk.
private struct Remains {
  let folder: SessionFolder
  /// The instructions that reached the agent, in order.
  let sent: [Int]

  static func run(_ slug: String, _ act: String, _ number: Int, in home: String) async throws -> Remains {
    let own = CommandLine.arguments[0]
    let program = own[...(own.lastIndex(of: "/") ?? own.startIndex)] + "CrashingSession"
    let path = "\(home)/\(slug)-\(act)-\(number)"
    let witness = path + ".sent"
    let result = try await Subprocess.run(
      .path(.init(String(program))),
      arguments: [Repository.path + "/audio-fixtures/" + slug, path, witness, act, "\(number)"],
      output: .discarded, error: .string(limit: 1 << 16))
    let isKilled = result.terminationStatus == .signaled(9)
    #expect(isKilled || result.terminationStatus == .exited(0), "\(slug) \(act) \(number): \(result.standardError)")
    let text = try String(contentsOf: URL(filePath: witness), encoding: .utf8)
    return Remains(folder: try SessionFolder(reading: path), sent: text.split(separator: "\n").compactMap { Int($0) })
  }
}

@Suite struct CrashTests {
  /// Whether the session is killed after every line of its log, and not only after every fourth.
  private static let isThorough = ProcessInfo.processInfo.environment["PARLEY_EVERY_LINE"] != nil

  /// The ledger's promise, for a session that was killed after any line of its log. The log that is left is the beginning
  /// of the whole one, which tells what stood in it.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "review-approve", "two-turns", "queued-instruction", "steered", "ledger-full", "agent-dies", "agent-failure",
    ])
  func afterAKillTheLedgerTellsTheTruth(_ slug: String) async throws {
    let home = try TemporaryFolder()
    let whole = try await Remains.run(slug, "kill", -1, in: home.path)
    let log = try Data(contentsOf: URL(filePath: whole.folder.log))
    let lines = try LogReader(whole.folder.log).lines
    #expect(lines.count > 20)
    var instructions = 0
    var offered = 0
    let chosen = lines.enumerated()
      .filter { Self.isThorough || $0.offset % 4 == 0 || $0.element.step.actions.contains(where: \.endsRun) }.map(
        \.element)
    for line in chosen {
      let remains = try await Remains.run(slug, "kill", line.step.sequence, in: home.path)
      let place = "\(slug), killed after step \(line.step.sequence)"
      #expect(Set(remains.sent).count == remains.sent.count, "\(place): sent twice")
      guard let session = EarlierSession(remains.folder) else {
        Issue.record("\(place): not recognised as broken off")
        continue
      }
      for record in session.records {
        let wasSent = remains.sent.contains(record.instruction.id.rawValue)
        switch record.certainty {
        case .notSent: #expect(!wasSent, "\(place): \(record.stage) is said not to have been sent")
        case .confirmed: #expect(wasSent, "\(place): \(record.stage) is said to have been taken")
        case .unconfirmed, .over: break
        }
      }
      // Nor is what comes back offered beside itself, or as if it were new.
      let open = session.records.filter(\.isOpen)
      #expect(Set(open.map(\.instruction.text)).count == open.count, "\(place): offered twice")
      let sentTexts = session.records.filter { remains.sent.contains($0.instruction.id.rawValue) }.map(
        \.instruction.text)
      for record in open where record.certainty == .notSent {
        #expect(!sentTexts.contains(record.instruction.text), "\(place): said not to have been sent")
      }
      // What stands in the log is not forgotten.
      let rest = try Data(contentsOf: URL(filePath: remains.folder.log))
      #expect(log.starts(with: rest), "\(place): the log is not the beginning of the whole one")
      let told = lines.prefix(rest.count { $0 == 0x0A }).flatMap(\.step.actions).compactMap(\.proposal)
      let known = session.records.map(\.instruction.id)
      for id in told { #expect(known.contains(id), "\(place): instruction \(id.rawValue) is forgotten") }
      for id in remains.sent { #expect(known.contains(.init(rawValue: id)), "\(place): \(id) is forgotten") }
      // What is open is offered, and nothing leaves by itself, not even in direct mode.
      let events = LeftOver([session]).events
      #expect(events.count == session.records.count(where: \.isOpen))
      var controller = InteractionController()
      _ = controller.handle(.sessionStarted(settings: .init { $0.mode = .direct }), at: .zero)
      for event in events {
        let actions = controller.handle(event, at: .zero)
        #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } }, "\(place)")
      }
      #expect(controller.held.count == events.count)
      instructions += known.count
      offered += events.count
    }
    print(
      "\(slug): killed after \(chosen.count) of \(lines.count) lines; \(instructions) instructions told, \(offered) offered again"
    )
  }

  /// At first there is no room in the log, at last in neither: what the ledger cannot take does not leave.
  @Test(.timeLimit(.minutes(5)), arguments: [300, 500, 1_000, 10_000])
  func aFullDiskStopsTheRecordAndWhatIsThereIsRead(_ bytes: Int) async throws {
    let home = try TemporaryFolder()
    let remains = try await Remains.run("two-turns", "limit", bytes, in: home.path)
    let reader = try LogReader(remains.folder.log)
    #expect(reader.damage == nil)
    #expect(reader.lines.isEmpty == (bytes == 300))
    let ledger = try LedgerReader(remains.folder.ledger)
    #expect(ledger.damage == nil)
    for id in remains.sent { #expect(ledger.records.contains { $0.instruction.id.rawValue == id }) }
    #expect(remains.sent.isEmpty == (bytes == 300))
  }
}

extension VoiceAction {
  fileprivate var endsRun: Bool { if case .noteInLedger(.ended) = self { true } else { false } }

  fileprivate var proposal: InstructionID? {
    switch self {
    case .noteInLedger(.proposed(let instruction)), .enterInLedger(_, let instruction): instruction.id
    default: nil
    }
  }
}
