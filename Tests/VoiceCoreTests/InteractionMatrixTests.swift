import Foundation
import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@Test func everyEventIsTakenInEveryState() {
  var cells = 0
  for state in walkedStates {
    let walk = state.make()
    #expect(walk.rules.violations.isEmpty, "on the way to \(state.name): \(walk.rules.violations)")
    #expect(!walk.isOver, "\(state.name) is over")
    for event in walk.everyEvent {
      var next = walk
      next.give(event)
      // And it must still be able to hear, decide, and end.
      next.frame()
      next.command(.approve)
      next.give(.terminationRequested(signal: "SIGTERM"))
      #expect(next.rules.violations.isEmpty, "\(event) in \(state.name): \(next.rules.violations)")
      #expect(next.isOver)
      cells += 1
    }
  }
  print("\(walkedStates.count) states × every event: \(cells) cells, no rule broken")
  #expect(cells > 4_000)
}

/// What a person and the world around him can do about held items and runs, as one letter each.
private let letters: [(name: String, make: @Sendable (inout Walk) -> Void)] = [
  ("propose", { $0.propose("run the tests \($0.controller.held.count)") }),
  ("approve", { $0.command(.approve) }),
  ("reject", { $0.command(.reject(reason: nil)) }),
  (
    "say yes",
    {
      $0.give(.voiceStarted(detector: .model)); $0.hear("yes, send it"); $0.propose("yes, send it")
    }
  ),
  ("next", { $0.command(.next) }),
  ("halt", { $0.command(.halt) }),
  ("quiet", { $0.command(.quiet) }),
  ("ask", { $0.ask() }),
  (
    "go on",
    {
      if $0.instruction.rawValue != 99 {
        $0.give(.ledgerEntered(instruction: $0.instruction))
      } else {
        $0.report(.turnEnded(end: .completed))
      }
    }
  ),
]

/// Words of five letters; `PARLEY_EVERY_WORD=6` tries longer ones, nine times as many for each letter more.
private let wordLength = ProcessInfo.processInfo.environment["PARLEY_EVERY_WORD"].flatMap(Int.init) ?? 5

@Test(arguments: letters.indices) func everyWordOfControlEventsKeepsThePromises(_ first: Int) {
  var words = 0
  func goOn(from walk: Walk, after word: [Int]) {
    guard word.count < wordLength else {
      words += 1
      return
    }
    for letter in letters.indices {
      var next = walk
      letters[letter].make(&next)
      guard next.rules.violations.isEmpty else {
        let names = (word + [letter]).map { letters[$0].name }.joined(separator: ", ")
        Issue.record("\(names): \(next.rules.violations)")
        continue
      }
      goOn(from: next, after: word + [letter])
    }
  }
  var start = Walk.open()
  letters[first].make(&start)
  goOn(from: start, after: [first])
  print("\(words) words of length \(wordLength) that begin with “\(letters[first].name)”: no rule broken")
  #expect(words == (1..<wordLength).reduce(1) { count, _ in count * letters.count })
}
