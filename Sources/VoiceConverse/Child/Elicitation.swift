import VoiceJSON
import VoiceVocabulary

/// What an MCP server asks the user through its agent: the fields of a form, whether he agrees, or to open an address.
struct Elicitation: Equatable, Sendable {
  /// One thing to be filled in.
  private struct Field: Equatable {
    var name: String
    var schema: JSON
    var isRequired: Bool
    /// What can be chosen, each with its name; empty if any words may answer.
    var options: [(value: JSON, label: String)]
    var takesSeveral: Bool

    static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.schema == other.schema }
  }

  /// The agent's own identifier of its request.
  let request: JSON
  private let server: String
  private let message: String
  /// To be opened by the user himself; nil for a form.
  private let address: String?
  private let fields: [Field]

  /// - Parameters:
  ///   - message: what the server says to the user.
  ///   - schema: of the object that is the answer; MCP allows flat ones only.
  ///   - order: of its members, as the server lists them; nil where that is not known.
  init(request: JSON, server: String?, message: String?, address: String?, schema: JSON?, order: [String]? = nil) {
    self.request = request
    self.server = server ?? "An MCP server"
    self.message = message ?? ""
    self.address = address
    let required = schema?["required"]?.elements.compactMap(\.string) ?? []
    let members = schema?["properties"]?.members ?? [:]
    let sorted = members.keys.sorted()
    // What must be there is asked first.
    let byNeed = sorted.filter(required.contains) + sorted.filter { !required.contains($0) }
    let names =
      order.map { order in order.filter { members[$0] != nil } + byNeed.filter { !order.contains($0) } } ?? byNeed
    fields = names.map { name in
      let field = schema?["properties"]?[name] ?? .null
      let (options, takesSeveral) = Self.options(field)
      return Field(
        name: name, schema: field, isRequired: required.contains(name), options: options, takesSeveral: takesSeveral)
    }
  }

  private static func options(_ field: JSON) -> ([(value: JSON, label: String)], Bool) {
    let isArray = field["type"]?.string == "array"
    let choices = isArray ? field["items"] ?? .null : field
    if let titled = choices["oneOf"] ?? choices["anyOf"] {
      return (
        titled.elements.compactMap { one in one["const"].map { ($0, one["title"]?.string ?? words($0)) } }, isArray
      )
    }
    if let values = choices["enum"]?.elements {
      let names = choices["enumNames"]?.elements.map(words) ?? []
      return (values.enumerated().map { ($1, names.indices.contains($0) ? names[$0] : words($1)) }, isArray)
    }
    return field["type"]?.string == "boolean" ? ([(true, "Yes"), (false, "No")], false) : ([], isArray)
  }

  private static func words(_ value: JSON) -> String { value.string ?? String(decoding: value.bytes, as: UTF8.self) }

  /// Whether it says more than is shown whole: nobody consents to what he cannot see.
  private var isTooLong: Bool { message.count > ConverseLimits.formCharacters }

  /// What the user is asked, one after the other.
  /// - Parameter id: names a question.
  private func questions(_ id: () -> QuestionID) -> [AgentQuestion] {
    let head = "\(server) asks through the agent: \(message)"
    if isTooLong {
      let beginning = head.shortened(to: ConverseLimits.reasonCharacters)
      let text = "\(beginning) This is too long to be shown whole, so it can only be declined."
      return [AgentQuestion(id: id(), text: text, options: [.init(label: Self.no)])]
    }
    if let address {
      let text = "\(head) Open this address yourself: \(address)"
      return [AgentQuestion(id: id(), text: text, options: [.init(label: Self.yes), .init(label: Self.no)])]
    }
    if fields.isEmpty {
      return [AgentQuestion(id: id(), text: head, options: [.init(label: Self.yes), .init(label: Self.no)])]
    }
    return fields.enumerated().map { index, field in
      let name = field.schema["title"]?.string ?? field.name
      let more = field.schema["description"]?.string.map { ": \($0)" } ?? ""
      let skip = field.isRequired ? "" : " (“\(Self.skip)” leaves it out)"
      return AgentQuestion(
        id: id(), text: (index == 0 ? "\(head) " : "") + name + more + skip,
        options: field.options.map { .init(label: $0.label) }, selection: field.takesSeveral ? .several : .one)
    }
  }

  /// The same, to be asked together.
  func form(_ id: () -> QuestionID) -> QuestionForm {
    QuestionForm(request: request, questions: questions(id), elicitation: self)
  }

  private static let yes = "Yes"
  private static let no = "No"
  private static let skip = "skip"

  /// What an answer comes to.
  enum Outcome: Equatable {
    case accepted(JSON)
    case declined
    /// This cannot be the answer to a question of it; the rest of a sentence.
    case unusable(String)
  }

  /// The answer to all of it.
  /// - Parameter answers: the words to each question; nil where the user did not want to answer.
  func outcome(_ answers: [String?]) -> Outcome {
    guard !answers.contains(nil), !isTooLong else { return .declined }
    let answers = answers.compactMap(\.self)
    if address != nil || fields.isEmpty {
      switch answers.first?.lowercased() {
      case "yes": return .accepted([:])
      case "no": return .declined
      default: return .unusable("“\(answers.first ?? "")” is neither yes nor no")
      }
    }
    var content: [String: JSON] = [:]
    for (field, words) in zip(fields, answers) {
      if !field.isRequired, words.lowercased() == Self.skip { continue }
      guard let value = Self.value(words, of: field) else {
        return .unusable("“\(words)” is no answer to “\(field.schema["title"]?.string ?? field.name)”")
      }
      content[field.name] = value
    }
    return .accepted(.object(content))
  }

  private static func value(_ words: String, of field: Field) -> JSON? {
    if field.takesSeveral {
      var rest = Substring(words)
      var values: [JSON] = []
      // Labels may hold a comma themselves, so they are taken as they are.
      while !rest.isEmpty {
        guard let option = field.options.first(where: { rest.hasPrefix($0.label) }) else { return nil }
        values.append(option.value)
        rest = rest.dropFirst(option.label.count)
        if rest.hasPrefix(", ") { rest = rest.dropFirst(2) } else if !rest.isEmpty { return nil }
      }
      return .array(values)
    }
    if !field.options.isEmpty {
      return field.options.first { $0.label.lowercased() == words.lowercased() }?.value
        ?? field.options.first { Self.words($0.value) == words }?.value
    }
    switch field.schema["type"]?.string {
    case "integer": return Int(words).map { .integer($0) }
    case "number": return Double(words).flatMap { $0.isFinite ? .number($0) : nil }
    default: return .string(words)
    }
  }
}
