package import VoiceFoundation
import VoiceJSON
import VoiceLanguage
import VoiceVocabulary

/// The values that one source sets: a file, or the command line.
package struct PlanLayer: Equatable, Sendable {
  /// Where the values come from, for people.
  package let origin: String
  package private(set) var values: [String: PlanValue] = [:]

  package init(origin: String) { self.origin = origin }

  /// The origin of what flags set.
  package static let commandLine = "command line"

  /// Set a value; the key must exist, and the value must have its form.
  package mutating func set(_ name: String, _ value: PlanValue) throws(ConfigurationError) {
    try set(name, value, from: origin)
  }

  /// Set what a flag says; nil, or no text at all, leaves it as it is.
  package mutating func set<Value>(
    _ setting: KeyPath<Settings, Setting<Value>>, _ flag: PlanValue?
  ) throws(ConfigurationError) {
    if let flag { try set(Settings.all[keyPath: setting].key.name, flag) }
  }

  /// - Parameters:
  ///   - value: nil is one of a kind that no key takes.
  ///   - origin: where the value stands, for people.
  private mutating func set(_ name: String, _ value: PlanValue?, from origin: String) throws(ConfigurationError) {
    guard let key = PlanKey.all.first(where: { $0.name == name }) else {
      let nearest = name.nearest(of: PlanKey.all.map(\.name)) ?? ""
      throw refusal("\(origin): there is no key “\(name)”. Did you mean “\(nearest)”?")
    }
    if value?.description.contains("\0") == true {
      throw refusal("\(origin): \(name) has a NUL character in it: nothing that it may name has one.")
    }
    switch (key.form, value) {
    case (.flag, .flag): break
    case (.list, .list(let items)):
      // What stands there instead may be a secret: it is not told.
      guard name == "agent.environment" else { break }
      if items.allSatisfy({ !$0.isEmpty && !$0.contains("=") && !SecretText.looksLikeKey($0) }) { break }
      throw refusal("\(origin): \(name) takes names of environment variables, and no values.")
    case (.number(let range), .number(let number)):
      guard range.contains(number) else {
        throw refusal("\(origin): \(name) must be from \(range.lowerBound) to \(range.upperBound).")
      }
    case (.choice(let choices), .text(let text)):
      guard choices.contains(text) else {
        throw refusal("\(origin): \(name) is “\(text)”, but must be \(choices.alternatives).")
      }
    case (.text, .text(let text)):
      if name == "interaction.endWord", let refusal = TurnEnding.refusal(of: text) {
        throw self.refusal("\(origin): \(name) \(refusal)")
      }
      if name.hasSuffix("Phrase"), let refusal = SpokenPhrases.refusal(of: text) {
        throw self.refusal("\(origin): \(name) \(refusal)")
      }
      guard !(name.hasSuffix("keyVariable") && looksLikeSecret(text)) else {
        throw refusal(
          "\(origin): \(name) must be the name of an environment variable. It looks like the key itself; "
            + "put the key into a variable, and only that name here.")
      }
    default: throw refusal("\(origin): \(name) must be \(key.form.inWords).")
    }
    values[name] = value
  }

  private func refusal(_ text: String) -> ConfigurationError {
    ConfigurationError(text, isOfFlag: origin == Self.commandLine)
  }

  /// The layer that a JSON5 file holds.
  package init(readingFile path: String) throws(ConfigurationError) {
    try self.init(decoding: Data(try TrustedFile.contents(path)), origin: path)
  }

  /// The layer that these bytes hold, as JSON5 in UTF-8.
  package init(decoding data: Data, origin: String) throws(ConfigurationError) {
    self.init(origin: origin)
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ConfigurationError("\(origin) is not text in UTF-8.")
    }
    let root: JSON5Reader.Node?
    do throws(JSON5Reader.Failure) {
      root = try JSON5Reader.read(text)
    } catch {
      throw ConfigurationError("\(origin), \(error.place): \(error.reason).")
    }
    // Nothing in it: everything is as it is built in.
    guard let root else { return }
    guard case .object(let groups) = root.value else {
      throw ConfigurationError(
        "\(origin), \(root.place): the file must be an object of groups, each an object of keys.")
    }
    for group in groups { try read(group) }
  }

  private mutating func read(_ group: JSON5Reader.Member) throws(ConfigurationError) {
    let known = PlanKey.groups
    guard known.contains(group.name) else {
      let nearest = group.name.nearest(of: known) ?? ""
      throw ConfigurationError(
        "\(origin), \(group.place): there is no group “\(group.name)”. Did you mean “\(nearest)”?")
    }
    guard case .object(let members) = group.node.value else {
      throw ConfigurationError(
        "\(origin), \(group.node.place): \(group.name) is a group: it takes an object of keys in braces.")
    }
    for member in members {
      let name = "\(group.name).\(member.name)"
      guard values[name] == nil else {
        throw ConfigurationError("\(origin), \(member.place): \(name) is set a second time. Remove one of them.")
      }
      try set(name, member.node.value.ofPlan, from: "\(origin), \(member.place)")
    }
  }
}

extension JSON5Reader.Value {
  /// Nil for what no key takes.
  fileprivate var ofPlan: PlanValue? {
    switch self {
    case .scalar(.bool(let flag)): return .flag(flag)
    case .scalar(.integer(let number)): return .number(number)
    case .scalar(.string(let text)): return .text(text)
    case .list(let nodes):
      let texts = nodes.compactMap(\.json.string)
      return texts.count == nodes.count ? .list(texts) : nil
    case .scalar, .object: return nil
    }
  }
}

extension PlanKey.Form {
  /// What a value of this form is, for people.
  fileprivate var inWords: String {
    switch self {
    case .flag: "true or false"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let choices): choices.alternatives
    case .text: "a text in quotes"
    case .list: "a list of texts"
    }
  }
}

extension [String] {
  /// All of them, of which one is to be chosen: `a`, `a or b`, `a, b, or c`.
  fileprivate var alternatives: String {
    guard count > 2, let last else { return joined(separator: " or ") }
    return dropLast().joined(separator: ", ") + ", or " + last
  }
}

/// Whether a text is no name of an environment variable but, by its look, a credential.
private func looksLikeSecret(_ text: String) -> Bool {
  let isName =
    text.allSatisfy { ($0.isASCII && $0.isLetter) || $0.isNumber || $0 == "_" } && text.first?.isNumber != true
  return !isName || SecretText.looksLikeKey(text)
}
