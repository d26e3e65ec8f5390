import ArgumentParser
import VoiceLocal

/// `parley speech-engine`: the child that recognises and synthesises speech for the local live model. Not for people.
struct SpeechEngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "speech-engine", shouldDisplay: false)

  @Flag(help: "Recognise without a search.")
  var plain = false

  func run() throws {
    let code = SpeechEngineHost.run(searches: !plain)
    if code != 0 { throw ExitCode(code) }
  }
}
