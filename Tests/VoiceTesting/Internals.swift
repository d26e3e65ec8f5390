/// What only a programmer should ever see, in a text that a person reads.
package enum Internals {
  /// The first piece of the text that is no word for people; nil if there is none: a type with its module, an optional, a
  /// raw value, the name of a case with its labels, an agent's own identifier.
  package static func found(in text: String) -> String? {
    let patterns: [Regex<Substring>] = [
      #/Optional\(/#, #/\b(?:Voice[A-Z][A-Za-z]*|Swift|Foundation)\.[A-Z][A-Za-z.]*/#, #/rawValue/#,
      #/\b[A-Z][A-Za-z]+ID\(/#, #/\bcall-[0-9]+/#,
      #/\b[a-z]+[A-Za-z]*\((?:text|reason|mode|id|item|run|isOn|numbers): /#, #/Error Domain=/#, #/DecodingError/#,
      #/debugDescription/#,
    ]
    for pattern in patterns {
      if let match = text.firstMatch(of: pattern) { return String(match.output) }
    }
    return nil
  }
}
