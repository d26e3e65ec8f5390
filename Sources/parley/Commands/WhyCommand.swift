import ArgumentParser
import VoiceHistory
import VoiceVocabulary

/// `parley why`: what happened in a turn and why, in sentences.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explain the last turn of a session, or any other, in plain sentences with its times."
  )

  @Argument(help: "The session: \(SessionLibrary.help); without one the newest.")
  var session: String?

  @Option(help: "The turn; turns count from 1. Without it the last one.")
  var turn: Int?

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let turn, turn < 1 { throw ValidationError("Turns count from 1.") }
  }

  func run() throws {
    let recorded = try options.read(session)
    let turns = recorded.history.turns
    guard let last = turns.last else {
      guard turn == nil else {
        throw Exit.failure(Exit.nothingFound, "There is no turn \(turn ?? 0): \(recorded.history.turnsText).")
      }
      for sentence in explanationOfSilence(recorded.history) { printRow(sentence) }
      return try Exit.requireWhole(recorded.damage)
    }
    let number = turn ?? last.number
    guard let chosen = turns.first(where: { $0.number == number }) else {
      throw Exit.failure(Exit.nothingFound, "There is no turn \(number): \(recorded.history.turnsText).")
    }
    printRow("Turn \(number) of \(last.number) of session \(recorded.name)")
    let explanation = Explanation(chosen, in: recorded.history)
    for sentence in explanation.sentences {
      printRow(sentence.text.sanitized(limit: 10_000), head: "\(sentence.moment.time.clock)  ")
    }
    if let summary = explanation.summary { printRow(summary) }
    try Exit.requireWhole(recorded.damage)
  }
}
