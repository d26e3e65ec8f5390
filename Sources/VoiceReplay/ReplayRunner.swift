import VoiceCore
import VoiceSystem
import VoiceVocabulary

/// Replays many scripts, each as often as wanted, on as many threads as wanted.
package struct ReplayRunner: Sendable {
  /// How the runs of a script differ.
  package enum Variation: Equatable, Sendable {
    /// Not at all: each must give the same bytes.
    case none(repeats: Int)
    /// Each seed gives a run of its own, in which these faults happen. With `random`, one to three of any kind besides.
    case perturbed(seeds: Range<UInt64>, faults: [Fault], random: Bool)
  }

  /// What became of one script.
  package struct Outcome: Sendable {
    package let base: WorldReplay
    package internal(set) var verdict: ReplayVerdict
    package internal(set) var runs = 1
    package internal(set) var virtualSeconds: Double
    /// Real time, summed over threads.
    package internal(set) var seconds: Double
    /// Perturbed runs that broke a rule.
    package internal(set) var broken: [BrokenRun] = []
  }

  /// A run that broke a rule, so that it can be run again.
  package struct BrokenRun: Sendable {
    package let perturbation: Perturbation
    /// With the places that were drawn.
    package let faults: [Fault]
    package let breach: SimulatedWorld.Breach
  }

  private let variation: Variation
  private let jobs: Int

  /// - Parameter jobs: replays that run at once.
  package init(_ variation: Variation, jobs: Int) {
    self.variation = variation
    self.jobs = jobs
  }

  /// What is run again.
  package enum Script: Sendable {
    case fixture(FixtureFolder)
    /// Only without variation that goes wrong: what its world would make of a fault is not in a recording.
    case session(SessionReplay)

    /// Run it once, as it is.
    func replay() async -> WorldReplay {
      switch self {
      case .fixture(let folder): await folder.replay()
      case .session(let session): await session.replay()
      }
    }

    /// Hold what came of it against what is expected.
    func compare(_ replay: WorldReplay) -> ReplayVerdict {
      switch self {
      case .fixture(let folder): folder.compare(replay)
      case .session(let session): session.compare(replay)
      }
    }
  }

  /// Run all, several at once. The outcomes are in the order of the scripts.
  package func run(_ scripts: [Script]) async -> [Outcome] {
    var outcomes = await parallel(scripts) { script in
      let start = ContinuousClock.now
      let replay = await script.replay()
      return Outcome(
        base: replay, verdict: script.compare(replay), virtualSeconds: replay.duration.seconds,
        seconds: start.secondsAgo)
    }
    let pieces = outcomes.indices.flatMap { index in chunks.map { (index, $0) } }
    let bases = outcomes.map(\.base)
    let results = await parallel(pieces) { index, chunk in
      return switch (variation, scripts[index]) {
      case (.none, let script): await Self.repeated(bases[index], chunk, script.replay)
      case (.perturbed(_, let faults, let random), .fixture(let folder)):
        await perturbed(folder, bases[index].counts, chunk, faults, random: random)
      case (.perturbed, .session): preconditionFailure("faults were asked for of a recorded session")
      }
    }
    for ((index, _), result) in zip(pieces, results) {
      outcomes[index].runs += result.runs
      outcomes[index].virtualSeconds += result.virtualSeconds
      outcomes[index].seconds += result.seconds
      outcomes[index].broken += result.broken
      if let run = result.unsteadyRun, outcomes[index].verdict.isSame {
        outcomes[index].verdict = .unsteady(run: run)
      }
    }
    return outcomes
  }

  private static let chunkRuns = 20

  /// The runs behind the first, as numbers of runs or as seeds, in pieces for the threads.
  private var chunks: [Range<UInt64>] {
    let all: Range<UInt64> =
      switch variation {
      case .none(let repeats): 1..<UInt64(max(1, repeats))
      case .perturbed(let seeds, _, _): seeds
      }
    return stride(from: all.lowerBound, to: all.upperBound, by: Self.chunkRuns).map {
      $0..<min($0 + UInt64(Self.chunkRuns), all.upperBound)
    }
  }

  /// What came of some runs of a script.
  struct Piece: Sendable {
    var runs = 0
    var virtualSeconds = 0.0
    var seconds = 0.0
    /// Which run was the first with another log; counted from 1.
    var unsteadyRun: Int?
    var broken: [BrokenRun] = []
  }

  /// Run a script again, and hold each log against that of its first run, which is number 0.
  static func repeated(
    _ base: WorldReplay, _ runs: Range<UInt64>, _ replay: () async -> WorldReplay
  ) async -> Piece {
    var piece = Piece()
    let start = ContinuousClock.now
    let expected = base.log
    for run in runs {
      let replay = await replay()
      piece.runs += 1
      piece.virtualSeconds += replay.duration.seconds
      if replay.log != expected, piece.unsteadyRun == nil { piece.unsteadyRun = Int(run) + 1 }
    }
    piece.seconds = start.secondsAgo
    return piece
  }

  private func perturbed(
    _ folder: FixtureFolder, _ baseline: EventCounts, _ seeds: Range<UInt64>, _ faults: [Fault], random: Bool
  ) async -> Piece {
    var piece = Piece()
    let start = ContinuousClock.now
    for seed in seeds {
      var perturbation = Perturbation(seed: seed, faults: faults)
      if random { perturbation.faults += Fault.some(drawnBy: seed) }
      let replay = await folder.replay(perturbation, baseline: baseline)
      piece.runs += 1
      piece.virtualSeconds += replay.duration.seconds
      if let breach = replay.breaches.first {
        let faults = Array(replay.faults.dropFirst(folder.fixture.faults?.count ?? 0))
        piece.broken.append(BrokenRun(perturbation: perturbation, faults: faults, breach: breach))
      }
    }
    piece.seconds = start.secondsAgo
    return piece
  }

  /// The results in the order of the items, which are worked on side by side.
  private func parallel<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async -> Result
  ) async -> [Result] {
    let nextIndex = Locked(0)
    return await withTaskGroup(of: [(Int, Result)].self) { group in
      for _ in 0..<min(jobs, items.count) {
        group.addTask {
          var results: [(Int, Result)] = []
          while true {
            let index = nextIndex.withLock { index in
              defer { index += 1 }
              return index
            }
            guard index < items.count else { return results }
            results.append((index, await work(items[index])))
          }
        }
      }
      var all: [Int: Result] = [:]
      for await results in group {
        for (index, result) in results { all[index] = result }
      }
      return items.indices.compactMap { all[$0] }
    }
  }
}

extension ContinuousClock.Instant {
  /// The time since then, as a number for people.
  package var secondsAgo: Double { duration(to: .now) / .seconds(1) }
}
