import ArgumentParser
import VoiceAudio
import VoiceConfiguration
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// `parley check`: what a session would be, and whether each part of it is there.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Show the resolved plan with the origin of each value, and start each part of it.",
    discussion: """
      Opens the microphone and the speaker, connects to the live model, loads local speech, and starts the agent until it \
      says that it is ready; no instruction is sent, and nothing is left running or changed. Exits with 0 if a session \
      could start, 69 if a part is missing, 78 if the configuration is wrong, 64 if a flag is.
      """)

  @OptionGroup var options: PlanOptions

  @Flag(help: "Print the built-in configuration with what each key means, and nothing else.")
  var defaults = false

  @Flag(
    help: """
      Play a sound for eight seconds, listen to what the microphone hears of it, and say whether one can interrupt; nothing else.
      """)
  var echo = false

  func run() async throws {
    if defaults { return print(AnnotatedConfiguration.text, terminator: "") }
    let plan = try Exit.configuring { try options.plan() }
    if echo { return try tryEcho(plan) }
    let width = (plan.rows.map(\.key.count).max() ?? 0) + 2
    for row in plan.rows {
      let value = row.value.isEmpty ? "–" : withoutSecrets(row.value)
      printRow("\(value)   (\(row.origin))", head: row.key.padded(to: width))
    }
    print("")
    flushOutput()
    let trials = PartTrials(plan)
    var lacks: [ExitCode] = []
    for part in PartTrials.Part.allCases {
      let progress = Progress("Trying \(part.words) …")
      let findings = await trials.of(part)
      progress.clear()
      for finding in findings {
        switch finding.result {
        case .success(let seen): printRow(withoutSecrets(seen), head: "ok       \(finding.part): ")
        case .failure(let lack):
          lacks.append(lack.code)
          printRow(withoutSecrets("\(lack)"), head: "missing  \(finding.part): ")
        }
        // Some parts take a while: each is told when it is known.
        flushOutput()
      }
    }
    // What is to be set right first.
    if let code = [Exit.usage, Exit.configuration, Exit.unavailable].first(where: lacks.contains) { throw code }
  }

  /// What is being done, in a row of its own on the terminal until it is known what came of it.
  private struct Progress {
    private let columns: Int

    init(_ text: String) {
      columns = isatty(STDERR_FILENO) == 1 ? text.count : 0
      if columns > 0 { Descriptors.offer(Array(text.utf8), to: STDERR_FILENO) }
    }

    func clear() {
      guard columns > 0 else { return }
      Descriptors.offer(Array("\r\(String(repeating: " ", count: columns))\r".utf8), to: STDERR_FILENO)
    }
  }

  /// The loudspeaker and the microphone of the plan, together.
  private func tryEcho(_ plan: Plan) throws {
    let sound = SessionSound(plan)
    guard case .device(let microphone) = sound.microphone, case .device(let speaker) = sound.speaker else {
      return printRow("No echo can come in: the microphone or the speaker is a file, a pipe, or none.")
    }
    let trial = try Exit.starting {
      let trial = try DeviceTrial(try SoundSystem())
      printRow("A sound plays for eight seconds. Be quiet, and set the volume as usual …")
      flushOutput()
      return try trial.echo(microphone: microphone, speaker: speaker)
    }
    guard let trial else {
      throw Exit.failure(Exit.unavailable, "The speaker takes no sound. Try it with parley devices --test.")
    }
    for sentence in trial.sentences { printRow(sentence) }
    if !plan.cancelsEcho {
      printRow("But `echoCancelling` is off: a session removes no echo and assumes headphones.")
    }
    if trial.verdict == .deaf { throw Exit.unavailable }
  }
}
