import ArgumentParser
import VoiceHistory

/// `parley why`: what happened in a turn and why, in sentences.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explain the last turn of a session, or any other, in plain sentences with its times."
  )

  @Argument(help: "A session folder, or a session's name; without one the newest.")
  var session: String?

  @Option(help: "The turn; turns count from 1. Without it the last one.")
  var turn: Int?

  @OptionGroup var options: SessionOptions

  func run() throws {
    let recorded = try options.read(session)
    let turns = recorded.history.turns
    guard let last = turns.last else {
      for sentence in explanationOfSilence(recorded.history) { print(sentence) }
      return
    }
    let number = turn ?? last.number
    guard let chosen = turns.first(where: { $0.number == number }) else {
      throw Exit.failure(Exit.badData, "\(recorded.name) has the turns 1 to \(last.number), and no turn \(number).")
    }
    print("Turn \(number) of \(last.number) of session \(recorded.name)")
    let explanation = Explanation(chosen, in: recorded.history)
    for sentence in explanation.sentences { print(sentence.row) }
    if let summary = explanation.summary { print(summary) }
    if let damage = recorded.damage { throw Exit.failure(Exit.badData, damage) }
  }
}
