import ArgumentParser
import VoiceAudio
import VoiceConfiguration
import VoiceCore
import VoiceLocal
import VoiceRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `parley check`: what a session would be, and whether each part of it is there.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Show the resolved plan with the origin of each value, and test each part of it.",
    discussion: "Exits with 0 if a session could start, 69 if a part is missing, 78 if the configuration is wrong.")

  @OptionGroup var options: PlanOptions

  func run() async throws {
    let plan = try Exit.configuring { try options.plan() }
    let width = (plan.rows.map(\.key.count).max() ?? 0) + 2
    for row in plan.rows {
      let padding = String(repeating: " ", count: width - row.key.count)
      print("\(row.key)\(padding)\(row.value.isEmpty ? "–" : row.value)   (\(row.origin))")
    }
    print("")
    var isComplete = true
    for part in parts(plan) {
      switch part.result {
      case .success(let text): print("ok       \(part.name): \(text)")
      case .failure(let lack):
        isComplete = false
        print("missing  \(part.name): \(lack.text)".harmless())
      }
    }
    if !isComplete { throw Exit.unavailable }
  }

  private struct Part {
    let name: String
    let result: Result<String, Lack>

    init(_ name: String, _ body: () throws -> String) {
      self.name = name
      do {
        result = .success(try body())
      } catch {
        result = .failure(Lack(text: "\(error)"))
      }
    }
  }

  private struct Lack: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  private func parts(_ plan: Plan) -> [Part] {
    let environment = ProcessInfo.processInfo.environment
    let sound = SessionSound(plan)
    return [
      Part("sound") {
        // Opened and closed again; a speaker that is a file is not made.
        var choice = sound
        if case .file = sound.speaker { choice.speaker = .none }
        if case .pipe = sound.speaker { choice.speaker = .none }
        if case .pipe = sound.microphone { return "a pipe, opened when the session starts" }
        let audio = try choice.open(
          AudioWiring(now: { .zero }, post: { _ in }), models: nil, needsGate: false)
        audio.stop()
        return "the microphone and the speaker can be opened"
      },
      Part("live model") {
        guard plan.endpoint != "openai" else { throw Lack(text: "openai is not spoken yet; use local or gemini") }
        guard plan.endpoint == "local" else {
          let hasKey = environment[plan.keyVariable]?.isEmpty == false
          guard hasKey || plan.endpoint != "gemini" else {
            throw Lack(text: "\(plan.keyVariable) is not set; put the key into it, or use --live local")
          }
          return "\(plan.endpoint), \(hasKey ? "with the key in \(plan.keyVariable)" : "without a key")"
        }
        return "the local one"
      },
      Part("local speech") {
        guard plan.endpoint == "local" else { return "not needed" }
        try SpeechModels(environment: environment).verifyHashes()
        return "the models are installed and whole"
      },
      Part("agent") {
        _ = try makeAgent(plan) { _ in }
        return plan.agent
      },
      Part("recording") {
        guard plan.records else { return "switched off" }
        let root = plan.recordingFolder ?? SessionFolder.defaultRoot(environment: environment)
        let trial = try SessionFolder(creating: root + "/check-\(ProcessInfo.processInfo.processIdentifier)")
        trial.discard()
        return "sessions can be kept in \(root)"
      },
    ]
  }
}
