import VoiceCore

/// One setting of the schema: its name, how it is read from a file, and how it is described.
struct PlanKey: Sendable {
  /// "group.name", as in the configuration file.
  let name: String
  /// Put a file's value into a layer; what is wrong with it otherwise, to stand after the key's name.
  let read: @Sendable (ConfigurationValue, inout PlanLayer) -> String?
  /// Check what a layer says, wherever it came from; what is wrong with it, if something is.
  let objection: @Sendable (PlanLayer) -> String?
  /// The resolved value for people, and its origin.
  let describe: @Sendable (Plan) -> (value: String, origin: PlanOrigin)

  var group: Substring { name.prefix { $0 != "." } }
  /// The name within the group.
  var leaf: Substring { name.drop { $0 != "." }.dropFirst() }

  /// Every setting, in the order of the configuration file.
  static let all: [PlanKey] = [
    key("interaction.mode", \.interaction.mode, \.interaction.mode),
    key("interaction.readBack", \.interaction.readBack, \.interaction.readBack),
    key("interaction.interruptedBy", \.interaction.interruptedBy, \.interaction.interruptedBy),

    key("audio.microphone", \.audio.microphone, \.audio.microphone, notEmpty),
    key("audio.speaker", \.audio.speaker, \.audio.speaker, notEmpty),
    key("audio.pace", \.audio.pace, \.audio.pace),
    key("audio.echoCancelling", \.audio.echoCancelling, \.audio.echoCancelling),

    key("live.endpoint", \.live.endpoint, \.live.endpoint, shown: \.description) { $0.objection },
    key("live.model", \.live.model, \.live.model, notEmptyOrNone),
    key("live.voice", \.live.voice, \.live.voice, notEmptyOrNone),
    key("live.keyVariable", \.live.keyVariable, \.live.keyVariable, isVariableOrNone),
    key("live.certificateAuthority", \.live.certificateAuthority, \.live.certificateAuthority, notEmptyOrNone),
    key("live.turnDetection", \.live.turnDetection, \.live.turnDetection),
    key("live.silenceMilliseconds", \.live.silenceMilliseconds, \.live.silenceMilliseconds) {
      (200...5_000).contains($0) ? nil : "must be between 200 and 5000 (it is \($0))"
    },
    key("live.playModelVoice", \.live.playModelVoice, \.live.playModelVoice),

    key("agent.agent", \.agent.agent, \.agent.agent, notEmpty),
    key("agent.workingFolder", \.agent.workingFolder, \.agent.workingFolder, notEmpty),
    key("agent.environment", \.agent.environment, \.agent.environment) { $0.lazy.compactMap(isVariable).first },
    key("agent.preferredMode", \.agent.preferredMode, \.agent.preferredMode, notEmptyOrNone),
    key("agent.keyVariable", \.agent.keyVariable, \.agent.keyVariable, isVariableOrNone),

    key("recording.enabled", \.recording.enabled, \.recording.enabled),
    key("recording.folder", \.recording.folder, \.recording.folder, shown: \.self, notEmptyOrNone),
    key("recording.opus", \.recording.opus, \.recording.opus),

    key("display.colour", \.display.colour, \.display.colour),
    key("display.thoughts", \.display.thoughts, \.display.thoughts),
  ]

  /// The key that somebody meant who wrote `name`: nearly the same spelling, or the same name in another group.
  static func nearest(to name: String) -> PlanKey? {
    let leaf = name.split(separator: ".").last.map(String.init) ?? name
    let ranked = all.map { key -> (key: PlanKey, distance: Int) in
      // A right name in a wrong group is one mistake.
      let elsewhere = Spelling.distance(String(key.leaf), leaf) + 1
      return (key, min(Spelling.distance(key.name, name), elsewhere))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, leaf.count / 3) ? best.key : nil
  }

  // Building the table.

  private static func key<Value: PlanValue>(
    _ name: String, _ layer: any WritableKeyPath<PlanLayer, Value?> & Sendable,
    _ plan: any KeyPath<Plan, Resolved<Value>> & Sendable,
    _ check: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) -> PlanKey {
    key(name, layer, plan, shown: \.shown, check)
  }

  private static func key<Value: PlanValue, Decided>(
    _ name: String, _ layer: any WritableKeyPath<PlanLayer, Value?> & Sendable,
    _ plan: any KeyPath<Plan, Resolved<Decided>> & Sendable, shown: any KeyPath<Decided, String> & Sendable,
    _ check: @escaping @Sendable (Value) -> String?
  ) -> PlanKey {
    PlanKey(
      name: name,
      read: { value, into in
        guard let read = Value(value) else { return "must be \(Value.allowed) (it is \(value.kind))" }
        into[keyPath: layer] = read
        return nil
      },
      objection: { said in said[keyPath: layer].flatMap(check) },
      describe: { decided in
        let resolved = decided[keyPath: plan]
        return (resolved.value[keyPath: shown], resolved.origin)
      })
  }

  // Checks.

  @Sendable private static func notEmpty(_ text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "must not be empty" }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "must not hold control characters"
    }
    return text.split(whereSeparator: { $0.isWhitespace || "=:".contains($0) }).contains { SecretText.looksLikeKey($0) }
      ? "looks like a key: put it into an environment variable, and give the variable's name in a keyVariable" : nil
  }

  @Sendable private static func notEmptyOrNone(_ text: String?) -> String? { text.flatMap(notEmpty) }

  @Sendable private static func isVariable(_ name: String) -> String? {
    if SecretText.looksLikeKey(name) {
      return "looks like a key itself: put the key into an environment variable, and give the variable's name here"
    }
    let isName =
      name.first.map { $0.isASCII && ($0.isLetter || $0 == "_") } == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    // The text is not repeated: somebody may have put a password here.
    return isName ? nil : "must be the name of an environment variable, such as GEMINI_API_KEY"
  }

  @Sendable private static func isVariableOrNone(_ name: String?) -> String? { name.flatMap(isVariable) }
}

/// How alike two words are.
enum Spelling {
  /// The number of letters to insert, remove, change or swap with their neighbour; case counts for nothing.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      (before, last) = (last, current)
    }
    return last[right.count]
  }
}
