import VoiceJSON

/// Takes out of texts that come in pieces what a secret goes on with, as an agent's answer brings one: a few letters at a time, of which
/// none is a secret by itself. How it began is written by then, and too little to be of use.
struct PieceScrubber {
  private let scrubber: Scrubber
  /// How the text of a member ended so far, by the member's name and its place among those of one line.
  private var endings: [Member: [UInt8]] = [:]

  private struct Member: Hashable {
    let name: [UInt8]
    let place: Int
  }

  private static let members = [
    "delta", "text", "thinking", "content", "reasoning_content", "reasoning", "arguments", "partial_json",
  ].map { Array($0.utf8) }
  /// No secret is longer, but for certificates, which begin as such.
  private static let mostEnding = 512

  init(_ scrubber: Scrubber) { self.scrubber = scrubber }

  /// The line of JSON without its secrets, and without those that an earlier one began; nil if it holds none.
  mutating func scrubbed(json line: [UInt8]) -> [UInt8]? {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    let rest = JSONTexts.rewrite(line) { name, text in
      guard Self.members.contains(where: { $0.elementsEqual(name) }) else { return nil }
      let place = counts[name, default: 0]
      counts[name] = place + 1
      let member = Member(name: Array(name), place: place)
      let ending = endings[member] ?? []
      endings[member] = Array((ending + text).suffix(Self.mostEnding))
      let (rest, beginning) = (scrubber.lengthOfRest(of: ending, in: text), scrubber.lengthOfBeginning(in: text))
      if rest == 0, beginning == 0 { return nil }
      let between = text.dropFirst(rest).dropLast(beginning)
      return (rest > 0 ? Scrubber.mark : []) + between + (beginning > 0 && rest < text.count ? Scrubber.mark : [])
    }
    if let whole = scrubber.scrubbed(json: rest) { return whole }
    return rest == line ? nil : rest
  }
}
