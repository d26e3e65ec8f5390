import VoiceJSON
import VoiceVocabulary

/// How a Gemini model is to write its answer, and what it may use for that; each as a person configures it.
package struct GenerationOptions: Equatable, Sendable {
  /// Members of `generationConfig`.
  private var parameters: [String: JSON] = [:]
  /// Members of `thinkingConfig`.
  private var thinking: [String: JSON] = [:]
  /// In the words of the interface.
  private var tools: [JSON] = []

  /// The model's own way.
  package static let none = GenerationOptions()

  private init() {}

  /// Whether there is anything in it.
  package var isEmpty: Bool { parameters.isEmpty && thinking.isEmpty && tools.isEmpty }

  /// Why something was written that is none of them; one sentence with those that there are.
  ///
  /// - Parameters:
  ///   - parameters: each `NAME=VALUE`; `stopSequences` may be there several times.
  ///   - tools: `search`, `code` or `url`.
  package init(parameters: [String], tools: [String]) throws(AgentError) {
    for text in parameters {
      let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace() }
      guard parts.count == 2, let form = Self.forms[parts[0]], let value = Self.value(parts[1], form) else {
        throw AgentError(
          "“\(text.shortened(to: 80))” is no generation parameter. Write NAME=VALUE, with a number or a word of "
            + "\(Self.forms.keys.sorted().joined(separator: ", ")).")
      }
      switch form {
      case .list: self.parameters[parts[0]] = .array((self.parameters[parts[0]]?.elements ?? []) + [value])
      case .words: self.parameters[parts[0]] = .strings(parts[1].split(separator: ",").map(String.init))
      case .thinkingNumber, .thinkingWord: thinking[parts[0]] = value
      case .number, .word: self.parameters[parts[0]] = value
      }
    }
    for tool in tools {
      guard let name = Self.tools[tool] else {
        throw AgentError(
          "There is no tool “\(tool.shortened(to: 80))” of the model. "
            + "There are \(Self.tools.keys.sorted().joined(separator: ", ")).")
      }
      self.tools.append(.object([name: [:]]))
    }
  }

  /// What a request says of it.
  ///
  /// - Parameter thinks: whether the model takes a word about its thoughts; it refuses the request otherwise.
  func members(thinks: Bool) -> [String: JSON] {
    var configuration = parameters
    if thinks {
      configuration["thinkingConfig"] = .object(thinking.merging(["includeThoughts": true]) { own, _ in own })
    }
    var members: [String: JSON] = [:]
    if !configuration.isEmpty { members["generationConfig"] = .object(configuration) }
    if !tools.isEmpty { members["tools"] = .array(tools) }
    return members
  }

  private enum Form { case number, word, words, list, thinkingNumber, thinkingWord }

  private static let forms: [String: Form] = [
    "temperature": .number, "topP": .number, "topK": .number, "maxOutputTokens": .number, "seed": .number,
    "presencePenalty": .number, "frequencyPenalty": .number, "stopSequences": .list, "responseModalities": .words,
    "mediaResolution": .word, "thinkingBudget": .thinkingNumber, "thinkingLevel": .thinkingWord,
  ]

  private static let tools = ["search": "googleSearch", "code": "codeExecution", "url": "urlContext"]

  private static func value(_ text: String, _ form: Form) -> JSON? {
    switch form {
    case .number, .thinkingNumber: JSON(parsing: text.utf8).flatMap { $0.number == nil ? nil : $0 }
    case .word, .words, .list, .thinkingWord: text.isEmpty ? nil : .string(text)
    }
  }
}
