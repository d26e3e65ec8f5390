import ArgumentParser
import VoiceLocal
import VoiceVocabulary

/// `parley speech-engine`: the child that recognises and synthesises speech on this machine. Not for people.
struct SpeechEngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "speech-engine", shouldDisplay: false)

  @Flag(help: "Recognise without a search.")
  var plain = false

  @Flag(help: "Load no voice.")
  var listensOnly = false

  @Option(help: "What is said to stop.")
  var stopPhrase = ""

  @Option(help: "What is said to close the microphone.")
  var sleepPhrase = ""

  @Option(help: "What is said to open it.")
  var wakePhrase = ""

  func run() throws {
    let phrases = SpokenPhrases(stop: stopPhrase, sleep: sleepPhrase, wake: wakePhrase)
    let code = SpeechEngineHost.run(searches: !plain, speaks: !listensOnly, phrases: phrases)
    if code != 0 { throw ExitCode(code) }
  }
}
