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

@Test(arguments: letters.indices) func everyWordOfSixControlEventsKeepsThePromises(_ first: Int) {
  var words = 0
  func walk(_ walk: Walk, _ word: [Int]) {
    guard word.count < 6 else {
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
      walk_(next, word + [letter])
    }
  }
  func walk_(_ next: Walk, _ word: [Int]) { walk(next, word) }
  var start = Walk.open()
  letters[first].make(&start)
  walk(start, [first])
  print("\(words) words of length 6 that begin with “\(letters[first].name)”: no rule broken")
  #expect(words == 59_049)
}
