internal import VoiceCore

/// One thing that can be configured: its name, its form and its built-in value. The list below is the only place that
/// knows the keys; the reader, the check of `config/parley.json5` and `parley check` all follow it.
package struct PlanKey: Sendable {
  /// What values a key takes.
  package enum Form: Sendable {
    case flag
    case number(ClosedRange<Int>)
    case choice([String])
    case text
    /// A list of texts.
    case list
  }

  /// Group and name, such as `interaction.mode`.
  package let name: String
  package let form: Form
  package let builtIn: PlanValue

  private init(_ name: String, _ form: Form, _ builtIn: PlanValue) {
    self.name = name
    self.form = form
    self.builtIn = builtIn
  }

  /// The names of the groups, each once.
  static var groups: [String] {
    all.reduce(into: []) { groups, key in
      let group = String(key.name.prefix { $0 != "." })
      if !groups.contains(group) { groups.append(group) }
    }
  }

  package static let all: [PlanKey] = [
    PlanKey("interaction.mode", .choice(["review", "direct"]), .text("review")),
    PlanKey("interaction.readBack", .flag, .flag(true)),
    PlanKey("interaction.interruptedBy", .choice(["auto", "gate", "model"]), .text("auto")),
    PlanKey("interaction.display", .choice(["lines", "status", "quiet", "json"]), .text("lines")),
    PlanKey("interaction.spokenDecisions", .choice(["none", "instructions", "all"]), .text("instructions")),
    PlanKey("interaction.keyboardOnly", .list, .list(KeyboardOnlyActs.usual)),
    PlanKey("interaction.voiceCommands", .list, .list([])),
    PlanKey("interaction.duringRun", .choice(["queue", "steer", "halt"]), .text("queue")),
    PlanKey("interaction.tellWhatWasHeard", .flag, .flag(true)),
    PlanKey("interaction.listenFromStart", .flag, .flag(true)),
    PlanKey("interaction.answerLimitSeconds", .number(0...86_400), .number(0)),
    PlanKey("interaction.backgroundSeconds", .number(0...86_400), .number(Limits.backgroundMilliseconds / 1000)),
    PlanKey("interaction.shownMilliseconds", .number(0...10_000), .number(Limits.shownMilliseconds)),
    PlanKey("interaction.projectWords", .flag, .flag(true)),
    PlanKey("interaction.patience", .choice(Patience.allCases.map(\.rawValue)), .text(Patience.normal.rawValue)),
    PlanKey("interaction.endWord", .text, .text("")),
    PlanKey("interaction.longThought", .flag, .flag(false)),
    PlanKey("audio.microphone", .text, .text("default")),
    PlanKey("audio.speaker", .text, .text("default")),
    PlanKey("audio.overwrite", .flag, .flag(false)),
    PlanKey("audio.pace", .choice(["real", "fast"]), .text("real")),
    PlanKey("audio.echoCancelling", .flag, .flag(true)),
    PlanKey("live.endpoint", .text, .text("auto")),
    PlanKey("live.model", .text, .text("")),
    PlanKey("live.voice", .text, .text("")),
    PlanKey("live.keyVariable", .text, .text("")),
    PlanKey("live.certificateAuthority", .text, .text("")),
    PlanKey("live.turnDetection", .choice(["server", "client"]), .text("server")),
    PlanKey("live.silenceMilliseconds", .number(200...10_000), .number(Limits.defaultSilenceMilliseconds)),
    PlanKey("live.playModelVoice", .flag, .flag(true)),
    PlanKey("agent.agent", .text, .text("guide")),
    PlanKey("agent.workingFolder", .text, .text(".")),
    PlanKey("agent.environment", .list, .list([])),
    PlanKey("agent.inheritEnvironment", .flag, .flag(true)),
    PlanKey("agent.preferredMode", .text, .text("")),
    PlanKey("agent.model", .text, .text("")),
    PlanKey("agent.keyVariable", .text, .text("")),
    PlanKey("agent.keyFile", .text, .text("")),
    PlanKey("agent.keyForm", .choice(["token", "cookie"]), .text("token")),
    PlanKey("agent.certificateAuthority", .text, .text("")),
    PlanKey("agent.attachments", .list, .list([])),
    PlanKey("agent.generation", .list, .list([])),
    PlanKey("agent.modelTools", .list, .list([])),
    PlanKey("recording.enabled", .flag, .flag(true)),
    PlanKey("recording.folder", .text, .text("")),
    PlanKey("recording.sound", .choice(["opus", "lossless", "both"]), .text("opus")),
  ]
}

/// A configured value in one of the few forms there are.
package enum PlanValue: Equatable, Sendable, CustomStringConvertible {
  case flag(Bool)
  case number(Int)
  case text(String)
  case list([String])

  package var description: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): String(number)
    case .text(let text): text
    case .list(let list): list.joined(separator: " ")
    }
  }
}

/// Why a configuration cannot be used: what is wrong, where, and what to do.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
