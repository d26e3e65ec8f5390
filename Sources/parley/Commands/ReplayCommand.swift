import ArgumentParser
import VoiceConfiguration
import VoiceFoundation
import VoiceHistory
import VoiceRecording
import VoiceReplay
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// `parley replay`: run fixtures and recorded sessions again, and compare.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run fixtures and recorded sessions again, faster than real time, and compare what they do.",
    discussion: """
      Gears: “log” gives the recorded events to the session and compares its actions; “world” runs the script in a \
      simulated world and compares the log to the byte, or a recorded session in the world that its recording tells of, and \
      compares what was decided; “live”, for fixtures alone, runs the script in real time with the real live model, the \
      recordings as microphone, and holds its words and its times against budgets.

      A fault is written ACT:TARGET@PLACE=VALUE, such as drop:frame@2%, delay:agent@3=1500, duplicate:proposal, \
      corrupt:transcript, cut:link@120, refuse:link=2, lose:microphone, lose:speaker, kill:agent, ignore:halt, fill:disk, \
      slow:disk=2000, suspend:machine=3600000. Without a place the seed draws one. “any” is one to three of any kind; \
      @FILE reads a line a fault. With faults or seeds the rules of a session are checked after every step, and the log is \
      not compared.

      Exits with 0 if all is as expected, 1 if something differs or breaks a rule, 65 if something cannot be used.
      """)

  /// What stands behind the session.
  enum Gear: String, ExpressibleByArgument, CaseIterable { case log, world, live }

  @Argument(
    help: ArgumentHelp(
      "Fixtures, folders of fixtures, or sessions: \(SessionLibrary.help).", valueName: "folder-or-session"))
  var paths: [String]

  @Option(help: "What stands behind the session: log, world or live.")
  var against: Gear = .world

  @Option(help: "The first seed.")
  var seed: UInt64?

  @Option(help: "How many seeds to try.")
  var seeds: Int?

  @Option(help: ArgumentHelp("Something that goes wrong; may be repeated.", valueName: "fault"))
  var fault: [String] = []

  @Option(name: .customLong("repeat"), help: "Run each this often; every run must give the same bytes.")
  var repeats = 1

  @Option(help: "Replays at once; as many as there are processors, if not given.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp("One machine's part of all, such as 2/5; CI systems tell it by themselves.", valueName: "k/n"))
  var shard: String?

  @Option(
    help: ArgumentHelp(
      "Write a report in JUnit's form; an earlier report of that name is replaced, any other file is not.",
      valueName: "file"))
  var junit: String?

  @Option(help: "With the gear live: percent of the words that may be wrong (default: 15).")
  var wordBudget: Int?

  @Option(help: "With the gear live: milliseconds from the end of a recording to the instruction (default: 3000).")
  var answerBudget: Int?

  @Option(help: "With the gear live: milliseconds from a text to its first sound (default: 2000).")
  var soundBudget: Int?

  @Option(help: .liveModel)
  var live: String?

  @Option(help: ArgumentHelp("With the gear live: a configuration file (JSON5).", valueName: "file"))
  var config: String?

  @Flag(help: "Make what a session gives now the expected log, after showing the difference.")
  var accept = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let seeds, !(1...10_000_000).contains(seeds) { throw ValidationError("--seeds must be from 1 to 10000000.") }
    if !(1...1_000_000).contains(repeats) { throw ValidationError("--repeat must be from 1 to 1000000.") }
    if let jobs, !(1...1_000).contains(jobs) { throw ValidationError("--jobs must be from 1 to 1000.") }
    if isPerturbed, accept || repeats > 1 || against != .world {
      throw ValidationError("Seeds and faults go with the gear “world”, and not with --accept or --repeat.")
    }
    if against != .world, accept || repeats > 1 {
      throw ValidationError("--accept and --repeat go with the gear “world”.")
    }
    let isOfLive = wordBudget != nil || answerBudget != nil || soundBudget != nil || live != nil || config != nil
    if isOfLive, against != .live {
      throw ValidationError("--live, --config and the budgets go with the gear “live”.")
    }
    do {
      _ = try variation
      _ = try ownShard
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private var isPerturbed: Bool { seed != nil || seeds != nil || !fault.isEmpty }

  private var variation: ReplayRunner.Variation {
    get throws {
      guard isPerturbed else { return .none(repeats: repeats) }
      var faults: [Fault] = []
      for text in fault where text != "any" {
        if text.hasPrefix("@") {
          faults += try Fault.list(inFile: String(text.dropFirst()))
        } else {
          faults.append(try Fault(text))
        }
      }
      let first = seed ?? 1
      let (end, overflows) = first.addingReportingOverflow(UInt64(seeds ?? 1))
      guard !overflows else { throw FixtureFailure("--seed is too great") }
      return .perturbed(seeds: first..<end, faults: faults, random: fault.contains("any"))
    }
  }

  private var ownShard: Shard {
    get throws {
      try shard.map { try Shard($0) } ?? Shard(environment: ProcessInfo.processInfo.environment)
    }
  }

  func run() async throws {
    let (shard, named) = (try ownShard, paths.flatMap(\.fixturesInside))
    let part = shard.part(of: named)
    if shard != .whole { print("shard \(shard.number) of \(shard.count): \(part.count) of \(named.count)") }
    let start = ContinuousClock.now
    var tally = ReplayTally()
    for link in paths.flatMap(\.linkedFixtures) {
      tally.addUnusable(link, "\(link): \(PlainFile.Refusal.link.reason).")
    }
    let folders = try resolved(part, &tally)
    switch against {
    case .log: await replayLogs(folders, &tally)
    case .world: try await replayWorlds(folders, &tally)
    case .live: try await replayLive(folders, &tally)
    }
    tally.printSummary(seconds: start.secondsAgo)
    if let junit { try write(tally.report, to: junit) }
    if tally.unusable > 0 { throw Exit.badData }
    if tally.failed > 0 { throw Exit.differed }
  }

  /// The folders that were named: what is there is taken as it is, anything else is a session by its name.
  private func resolved(_ paths: [String], _ tally: inout ReplayTally) throws -> [String] {
    var folders: [String] = []
    let isNamed = { (path: String) in
      path == "last" || !(path.contains("/") || FileManager.default.fileExists(atPath: path))
    }
    guard paths.contains(where: isNamed) else { return paths }
    let library = try options.library()
    for path in paths {
      do {
        folders.append(isNamed(path) ? try library.folder(path) : path)
      } catch {
        tally.addUnusable(path, "\(error)")
      }
    }
    return folders
  }

  private func replayLogs(_ paths: [String], _ tally: inout ReplayTally) async {
    for path in paths {
      let path = path.withoutFixtureFile
      let start = ContinuousClock.now
      do {
        let isFixture = FileManager.default.fileExists(atPath: path + "/fixture.json5")
        let log = isFixture ? path + "/expected.jsonl" : path + "/events.jsonl"
        let (verdict, duration) = try await LogReplay(log).run()
        tally.add(path, verdict, virtualSeconds: duration.seconds, seconds: start.secondsAgo)
      } catch {
        tally.addUnusable(path, "\(error)")
      }
    }
  }

  private func replayLive(_ paths: [String], _ tally: inout ReplayTally) async throws {
    let sounds = SoundCache()
    let budget = LiveReplay.Budget(
      wordErrors: wordBudget ?? 15, answerMilliseconds: answerBudget ?? 3_000,
      soundMilliseconds: soundBudget ?? 2_000)
    for path in paths.map(\.withoutFixtureFile) {
      let folder: FixtureFolder
      do {
        folder = try FixtureFolder(path) { try sounds.read($0) }
      } catch {
        tally.addUnusable(path, "\(error)")
        continue
      }
      let plan = try Exit.configuring {
        var layer = PlanLayer(origin: "fixture")
        try layer.set(\.turnDetection, .text(folder.fixture.settings.turnDetection.rawValue))
        try layer.set(\.endpoint, .ofFlag(live))
        return try Plan.resolve(file: config, commandLine: layer)
      }
      let start = ContinuousClock.now
      let result = try await LiveReplay(folder: folder, plan: plan, budget: budget).run()
      tally.add(
        "\(path): \(result.text)", result.verdict, virtualSeconds: result.duration.seconds,
        seconds: start.secondsAgo)
    }
  }

  private func replayWorlds(_ paths: [String], _ tally: inout ReplayTally) async throws {
    let sounds = SoundCache()
    var names: [String] = []
    var scripts: [ReplayRunner.Script] = []
    for path in paths.map(\.withoutFixtureFile) {
      do {
        if !FileManager.default.fileExists(atPath: path + "/events.jsonl") {
          scripts.append(.fixture(try FixtureFolder(path) { try sounds.read($0) }))
        } else if isPerturbed {
          // What goes wrong besides is not in a recording: a script is made of it, in which things follow their causes.
          scripts.append(.fixture(try SessionScript(path) { try sounds.read($0) }.folder))
        } else {
          scripts.append(.session(try SessionReplay(path)))
        }
        names.append(path)
      } catch {
        tally.addUnusable(path, "\(error)")
      }
    }
    let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let outcomes = try await ReplayRunner(variation, jobs: jobs).run(scripts)
    for ((name, script), outcome) in zip(zip(names, scripts), outcomes) {
      if isPerturbed {
        tally.add(name, perturbed: outcome, command: "parley replay \(name)")
      } else {
        tally.add(
          name, outcome.verdict, runs: outcome.runs, virtualSeconds: outcome.virtualSeconds, seconds: outcome.seconds,
          isAccepted: accept)
        guard accept, outcome.verdict.isAcceptable, case .fixture(let folder) = script else { continue }
        do {
          try folder.accept(outcome.base)
        } catch {
          throw Exit.failure(Exit.inputOutput, error)
        }
      }
    }
  }

  private func write(_ report: JUnitReport, to path: String) throws {
    // A report is made to be written anew; anything else of that name is somebody's own.
    let before: [UInt8]
    do {
      before = PlainFile.isMissing(path) ? [] : try PlainFile.beginning(path, limit: 4_096).bytes
    } catch {
      throw Exit.failure(
        Exit.inputOutput, "Cannot write the report \(path): \(error.reason). Choose another place with --junit.")
    }
    guard before.isEmpty || JUnitReport.isReport(before) else {
      throw Exit.failure(
        Exit.inputOutput, "\(path) already exists and is not a JUnit report. Name another file.")
    }
    do {
      try PlainFile.replace(path, with: Array(report.xml.utf8))
    } catch {
      throw Exit.failure(Exit.inputOutput, "\(error)")
    }
  }
}

extension ReplayVerdict {
  /// Whether it can be made the expected one.
  var isAcceptable: Bool {
    switch self {
    case .differs, .nothingExpected: true
    case .same, .sameExcept, .broken, .unsteady, .deviates: false
    }
  }
}

extension String {
  /// The folder, where its fixture.json5 was named.
  fileprivate var withoutFixtureFile: String {
    var path = hasSuffix("/fixture.json5") ? String(dropLast("/fixture.json5".count)) : self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The fixtures in a folder of them, in order; otherwise what was named, be it there or not.
  fileprivate var fixturesInside: [String] {
    let inside = foldersInside
    return inside.isEmpty ? [self] : inside.filter(PlainFile.isFolder)
  }

  /// Links to fixtures in a folder of them: that may have come from somebody else, and what they lead to is not in it.
  fileprivate var linkedFixtures: [String] { foldersInside.filter { !PlainFile.isFolder($0) } }

  /// What holds fixtures in a folder of them; nothing in what is a fixture or a session itself.
  private var foldersInside: [String] {
    if hasSuffix("/fixture.json5") { return [] }
    let (folder, files) = (withoutFixtureFile, FileManager.default)
    func holds(_ file: String, _ folder: String) -> Bool { files.fileExists(atPath: "\(folder)/\(file)") }
    if holds("fixture.json5", folder) || holds("events.jsonl", folder) { return [] }
    return files.names(in: folder).map { "\(folder)/\($0)" }.filter { holds("fixture.json5", $0) }
  }
}

/// Recordings that several fixtures share are read once. A fixture may have come from somebody else, so links are not
/// followed.
final class SoundCache {
  private var sounds: [String: [Int16]] = [:]

  /// The samples of a file, at the microphone's rate.
  func read(_ path: String) throws -> [Int16] {
    let path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    if let samples = sounds[path] { return samples }
    let reader = try SoundFileReader(path: path, rate: PCM.microphoneRate, links: .refused)
    if let warning = reader.warning { throw FixtureFailure(warning) }
    let samples = try reader.readAll()
    sounds[path] = samples
    return samples
  }
}
