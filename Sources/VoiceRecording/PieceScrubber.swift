import VoiceJSON

/// Takes out of texts that come in pieces what a secret goes on with, as an agent's answer brings one: a few letters at a time, of which
/// none is a secret by itself. How it began is written by then, and too little to be of use.
struct PieceScrubber {
  private let scrubber: Scrubber
  /// How the text of a member ended so far.
  private var endings: [Member: [UInt8]] = [:]
  private let mostEnding: Int

  /// A text that goes on from line to line, told from others by what stands before it: a thought comes between two pieces of an answer.
  private struct Member: Hashable {
    /// The kinds that its line names, the member before it, and its own name.
    let path: [UInt8]
    /// Its number among those of one line.
    let number: Int
  }

  /// The names of members that go on from line to line, besides all that end with "delta".
  private static let members = [
    "text", "thinking", "content", "reasoning_content", "reasoning", "arguments", "partial_json",
  ].map { Array($0.utf8) }
  /// What tells one kind of message, or of text, from another.
  private static let kinds = ["type", "method", "sessionUpdate", "role", "kind", "object"].map { Array($0.utf8) }
  /// As much of a token tells that it is one, and as many texts of a line are followed; of no line of a stream there are more.
  private static let (tokenEnding, mostPlaces, mostTexts) = (512, 16, 1_024)

  init(_ scrubber: Scrubber) {
    self.scrubber = scrubber
    mostEnding = max(Self.tokenEnding, scrubber.longestForm)
  }

  private static func goesOn(_ name: some Collection<UInt8>) -> Bool {
    // A name in capitals differs in one bit.
    name.suffix(5).map { $0 | 0x20 }.elementsEqual("delta".utf8) || members.contains { $0.elementsEqual(name) }
  }

  /// The line of JSON without its secrets, and without those that an earlier one began; nil if it holds none.
  mutating func scrubbed(json line: [UInt8]) -> [UInt8]? {
    var counts: [[UInt8]: Int] = [:]
    var kinds: [UInt8] = []
    let rest = JSONTexts.rewrite(line) { place, text in
      let name = place.name
      if Self.kinds.contains(where: { $0.elementsEqual(name) }) { kinds += text + [0x20] }
      guard Self.goesOn(name) else { return nil }
      let path = kinds + place.before + [0x20] + name
      let number = counts[path, default: 0]
      counts[path] = number + 1
      guard number < Self.mostPlaces else { return nil }
      let member = Member(path: path, number: number)
      let ending = endings[member] ?? []
      let (rest, isToken) = scrubber.rest(of: ending, in: text)
      let beginning = scrubber.lengthOfBeginning(in: text)
      // Of a token that goes on and on, the beginning says that it is one.
      if !isToken || rest < text.count || ending.count + text.count <= mostEnding {
        if endings.count == Self.mostTexts { endings = [:] }
        endings[member] = Array((ending + text).suffix(mostEnding))
      }
      if rest == 0, beginning == 0 { return nil }
      let between = text.dropFirst(rest).dropLast(beginning)
      return (rest > 0 ? Scrubber.mark : []) + between + (beginning > 0 && rest < text.count ? Scrubber.mark : [])
    }
    if let whole = scrubber.scrubbed(json: rest) { return whole }
    return rest == line ? nil : rest
  }
}
