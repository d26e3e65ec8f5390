/// One thing that can be configured: its key, its form, its built-in value, and what is said of it. `Settings` has them all.
package struct Setting<Value: Sendable>: Sendable {
  package let key: PlanKey
  /// What a value of the key's form means.
  let meaning: @Sendable (PlanValue) -> Value

  private init(
    _ name: String, _ form: PlanKey.Form, _ builtIn: PlanValue, _ help: String,
    _ meaning: @escaping @Sendable (PlanValue) -> Value
  ) {
    key = PlanKey(name: name, form: form, builtIn: builtIn, help: help)
    self.meaning = meaning
  }
}

/// What is configured: a key with all that the readers and writers of configurations need to know of it.
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
  /// Sentences for the annotated configuration; the first of them is for the flag, where there is one.
  package let help: String

  /// The group's name, and the key's own.
  var parts: (group: Substring, key: Substring) {
    let group = name.prefix { $0 != "." }
    return (group, name.dropFirst(group.count + 1))
  }

  /// Every key, in the order of `Settings`.
  package static let all: [PlanKey] = Mirror(reflecting: Settings.all).children.map { child in
    guard let setting = child.value as? any KeyedSetting else {
      preconditionFailure("\(child.label ?? "") is no setting")
    }
    return setting.key
  }

  /// The names of the groups, each once.
  static let groups: [String] = all.reduce(into: []) { groups, key in
    if groups.last != String(key.parts.group) { groups.append(String(key.parts.group)) }
  }
}

/// A setting of whatever value.
private protocol KeyedSetting {
  var key: PlanKey { get }
}

extension Setting: KeyedSetting {}

extension Setting where Value == Bool {
  init(_ name: String, _ builtIn: Bool, _ help: String) {
    self.init(name, .flag, .flag(builtIn), help) { $0 == .flag(true) }
  }

  /// One of two words, of which the second means true.
  init(_ name: String, _ builtIn: String, or other: String, _ help: String) {
    self.init(name, .choice([builtIn, other]), .text(builtIn), help) { $0 == .text(other) }
  }
}

extension Setting where Value == Int {
  init(_ name: String, _ builtIn: Int, _ range: ClosedRange<Int>, _ help: String) {
    self.init(name, .number(range), .number(builtIn), help) { value in
      guard case .number(let number) = value else { preconditionFailure("\(name) is no number") }
      return number
    }
  }
}

extension Setting where Value == String {
  init(_ name: String, _ builtIn: String, _ help: String) {
    self.init(name, .text, .text(builtIn), help) { $0.description }
  }

  init(_ name: String, of choices: [String], _ help: String) {
    self.init(name, .choice(choices), .text(choices[0]), help) { $0.description }
  }
}

extension Setting where Value == String? {
  /// A text that is nil while it is empty, as it is built in.
  init(_ name: String, _ help: String) {
    self.init(name, .text, .text(""), help) { $0.description.isEmpty ? nil : $0.description }
  }
}

extension Setting where Value == [String] {
  init(_ name: String, _ builtIn: [String], _ help: String) {
    self.init(name, .list, .list(builtIn), help) { if case .list(let items) = $0 { items } else { [] } }
  }
}

extension Setting where Value: CaseIterable & RawRepresentable<String> {
  init(_ name: String, _ builtIn: Value, _ help: String) {
    let choices = [builtIn.rawValue] + Value.allCases.map(\.rawValue).filter { $0 != builtIn.rawValue }
    self.init(name, .choice(choices), .text(builtIn.rawValue), help) { Value(rawValue: $0.description) ?? builtIn }
  }
}

extension Setting {
  /// One of some cases, or this word, which is built in and leaves it open.
  init<Choice: CaseIterable & RawRepresentable<String>>(_ name: String, open: String, _ help: String)
  where Value == Choice? {
    self.init(name, .choice([open] + Choice.allCases.map(\.rawValue)), .text(open), help) {
      Choice(rawValue: $0.description)
    }
  }
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

extension PlanValue {
  /// What a flag of the command line says; nil where it is not given.
  package static func ofFlag(_ text: String?) -> PlanValue? { text.map { .text($0) } }
  /// The same of one that is on or off.
  package static func ofFlag(_ isOn: Bool?) -> PlanValue? { isOn.map { .flag($0) } }
  /// The same of one that may be repeated.
  package static func ofFlag(_ items: [String]) -> PlanValue? { items.isEmpty ? nil : .list(items) }
}

/// Why a configuration cannot be used: what is wrong, where, and what to do.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// Whether the wrong value was given by a flag: that is a fault of the call, not of the configuration.
  package let isOfFlag: Bool

  package init(_ description: String, isOfFlag: Bool = false) {
    self.description = description
    self.isOfFlag = isOfFlag
  }
}
