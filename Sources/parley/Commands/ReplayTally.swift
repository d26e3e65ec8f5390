import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

/// What `parley replay` tells, and counts.
struct ReplayTally {
  private(set) var report = JUnitReport()
  private(set) var failed = 0
  private(set) var unusable = 0
  private var scripts = 0
  private var runs = 0
  private var virtualSeconds = 0.0

  /// A script that was run as it is.
  mutating func add(
    _ name: String, _ verdict: ReplayVerdict, runs: Int = 1, virtualSeconds: Double, seconds: Double,
    isAccepted: Bool = false
  ) {
    count(runs, virtualSeconds)
    let (word, text) = Self.words(verdict)
    Self.printRows(word.padded(to: 9), name + (text.isEmpty ? "" : ": " + text))
    let isFine = verdict.isSame || (isAccepted && verdict.isAcceptable)
    if !isFine { failed += 1 }
    report.add(name, seconds: seconds, isFine ? .passed : .failed("\(word): \(text)"))
  }

  /// A script that was run with faults.
  mutating func add(_ name: String, perturbed outcome: ReplayRunner.Outcome, command: String) {
    count(outcome.runs, outcome.virtualSeconds)
    guard let first = outcome.broken.first else {
      printRow("\(name): all rules, in \(Counted(outcome.runs, "run").digits)", head: "kept".padded(to: 9))
      return report.add(name, seconds: outcome.seconds, .passed)
    }
    failed += 1
    // The shortest way to see it again.
    let faults = first.faults.map { " --fault \($0)" }.joined()
    let text = """
      \(first.breach.text.sanitized())
      in step \(first.breach.step), at \(first.breach.time.seconds) s
      in \(outcome.broken.count) of \(Counted(outcome.runs, "run").digits), first with seed \(first.perturbation.seed); again with
      \(command) --seed \(first.perturbation.seed)\(faults)
      """
    Self.printRows("broken".padded(to: 9), "\(name): \(text)")
    report.add(name, seconds: outcome.seconds, .failed("broken: \(text)"))
  }

  /// Something that is no script, or a damaged one.
  mutating func addUnusable(_ name: String, _ reason: String) {
    unusable += 1
    Exit.complain(reason)
    report.add(name, seconds: 0, .unusable(reason))
  }

  /// Print how much was replayed in so much time, and what came of it.
  func printSummary(seconds: Double) {
    guard scripts > 0 else { return }
    let speed = Self.shown(speed: virtualSeconds / max(seconds, 0.001))
    print(
      "\(scripts) replayed, \(failed) differed; \(Counted(runs, "run").digits), "
        + "\(Counted(Int(virtualSeconds), "virtual second").digits) in "
        + "\(Double(Int(seconds * 100)) / 100) s: \(speed) times real time")
  }

  /// A low speed has a decimal: against a real model none is far from 1.
  static func shown(speed: Double) -> String {
    speed < 10 ? "\((speed * 10).rounded() / 10)" : "\(Int(speed))"
  }

  /// Several lines, each in a row of its own behind the word.
  private static func printRows(_ head: String, _ text: String) {
    var head = head
    for line in text.lines {
      printRow(String(line).sanitized(), head: head)
      head = "".padded(to: 9)
    }
  }

  private mutating func count(_ runs: Int, _ virtualSeconds: Double) {
    scripts += 1
    self.runs += runs
    self.virtualSeconds += virtualSeconds
  }

  private static func words(_ verdict: ReplayVerdict) -> (String, String) {
    switch verdict {
    case .same: ("same", "")
    case .sameExcept(let facts): ("same", "replays except: " + facts.joined(separator: "; "))
    case .nothingExpected: ("new", "there is no expected log yet (--accept writes it)")
    case .differs(let difference): ("differs", difference.description)
    case .broken(let breach): ("broken", "in step \(breach.step), at \(breach.time.seconds) s: \(breach.text)")
    case .unsteady(let run): ("unsteady", "run \(run) gave other bytes than run 1")
    case .deviates(let reasons): ("deviates", reasons.joined(separator: "\n"))
    }
  }
}
