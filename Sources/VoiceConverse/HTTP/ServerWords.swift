import VoiceJSON
import VoiceVocabulary

/// What a server says of an error, in whatever form: a sentence, an object around one, a list of what is wrong with a request.
enum ServerWords {
  /// The words in the body of an error; empty if there are none.
  ///
  /// - Parameter isText: whether the server calls it plain text.
  static func message(in body: [UInt8], isText: Bool = false) -> String {
    if let answer = JSON(parsing: body) { return words(answer) }
    return isText ? String(decoding: body, as: UTF8.self).trimmingWhitespace() : ""
  }

  /// The words in a value.
  static func words(_ value: JSON, depth: Int = 0) -> String {
    guard depth < levels else { return "" }
    switch value {
    case .string(let text):
      // Some put the list into a text.
      if let first = text.first, "[{".contains(first), let inner = JSON(parsing: text.utf8) {
        return words(inner, depth: depth + 1)
      }
      return text.trimmingWhitespace()
    case .array(let values):
      let all = values.map { words($0, depth: depth + 1) }.filter { !$0.isEmpty }
      let more = all.count > listed ? "; and \(all.count - listed) more" : ""
      return all.prefix(listed).joined(separator: "; ") + more
    case .object(let members): return words(members, depth)
    case .null, .bool, .integer, .number: return ""
    }
  }

  private static func words(_ members: [String: JSON], _ depth: Int) -> String {
    for key in keys {
      guard let inner = members[key] else { continue }
      let words = words(inner, depth: depth + 1)
      if !words.isEmpty { return [place(members), words].filter { !$0.isEmpty }.joined(separator: ": ") }
    }
    guard depth > 0 else { return "" }
    // Fields with what is wrong with each.
    let fields = members.sorted { $0.key < $1.key }.compactMap { name, inner -> String? in
      guard case .array = inner else { return nil }
      let words = words(inner, depth: depth + 1)
      return words.isEmpty ? nil : "\(name): \(words)"
    }
    return fields.prefix(listed).joined(separator: "; ")
  }

  /// Which part of the request it is about.
  private static func place(_ members: [String: JSON]) -> String {
    let path =
      (members["loc"] ?? members["path"])?.elements.compactMap { $0.string ?? $0.integer.map(String.init) } ?? []
    return path.filter { $0 != "body" }.joined(separator: ".")
  }

  /// Whether it is the key that the server does not take, in the words of those who call that a bad request: Google's services, and
  /// litellm's proxy, which looks for a key that is not its own in a database, and then misses that.
  static func refusesKey(_ body: [UInt8]) -> Bool {
    guard let answer = JSON(parsing: body) else { return false }
    if answer["error"]?["type"]?.string == "no_db_connection" { return true }
    return details(answer).contains {
      ["API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_MISSING"].contains($0["reason"]?.string)
    }
  }

  /// How many seconds to wait, where it says so in the body; rounded up.
  static func retrySeconds(_ body: [UInt8]) -> Int? {
    guard let answer = JSON(parsing: body) else { return nil }
    for detail in details(answer) where detail["@type"]?.string?.hasSuffix("google.rpc.RetryInfo") == true {
      guard let text = detail["retryDelay"]?.string, text.last == "s", let seconds = Double(text.dropLast()),
        (0...86_400).contains(seconds)
      else { continue }
      return Int(seconds.rounded(.up))
    }
    return nil
  }

  /// Some servers wrap the error into a list.
  private static func details(_ answer: JSON) -> [JSON] {
    (answer.elements.first ?? answer)["error"]?["details"]?.elements ?? []
  }

  /// Where the words are, the most telling first.
  private static let keys = [
    "error", "errors", "issues", "fieldErrors", "detail", "message", "msg", "errorText", "error_description", "details",
    "title", "reason", "description",
  ]
  private static let levels = 8
  private static let listed = 3
}
