import VoiceJSON
import VoiceVocabulary

/// Takes out of texts that come in pieces what a secret goes on with, as an agent's answer brings one: a few letters at a time, of which
/// none is a secret by itself. How it began is written by then, and too little to be of use.
struct PieceScrubber {
  private let scrubber: Scrubber
  /// How the text of a member ended so far: as it is written, and, once anything in it was hidden, in each way in which it is shown.
  private var endings: [Member: [[UInt8]]] = [:]
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
      if endings.count == Self.mostTexts, endings[member] == nil { endings = [:] }
      var ending = endings[member] ?? [[]]
      let (rest, beginning) = goOn(&ending, text)
      endings[member] = ending
      if rest == 0, beginning == 0 { return nil }
      let between = text.dropFirst(rest).dropLast(beginning)
      return (rest > 0 ? Scrubber.mark : []) + between + (beginning > 0 && rest < text.count ? Scrubber.mark : [])
    }
    if let whole = scrubber.scrubbed(json: rest) { return whole }
    return rest == line ? nil : rest
  }

  /// How much at the start of a piece belongs to a secret that the text before it began, and how much at its end begins one. What is
  /// not seen when it is shown counts to neither, and parts none.
  private func goOn(_ endings: inout [[UInt8]], _ text: ArraySlice<UInt8>) -> (rest: Int, beginning: Int) {
    let written = endings[0] + text
    var (rest, isToken) = scrubber.rest(of: endings[0], in: text)
    var beginning = scrubber.lengthOfBeginning(in: text)
    let isHidden = endings.count > 1 || !ShownText.ways(of: text).isEmpty
    if isHidden {
      let before = endings.count > 1 ? Array(endings.dropFirst()) : [endings[0], endings[0]]
      let ways = before.enumerated().map { way, ending in goOn(ending, text, way: way) }
      endings = [endings[0]] + ways.map(\.ending)
      rest = max(rest, ways.map(\.rest).max() ?? 0)
      beginning = max(beginning, ways.map(\.beginning).max() ?? 0)
    }
    // Of a token that goes on and on, the beginning says that it is one.
    if !isToken || rest < text.count || written.count <= mostEnding { endings[0] = Array(written.suffix(mostEnding)) }
    return (rest, beginning)
  }

  /// The same for one of the ways in which it is shown, and how it ended so far in that.
  private func goOn(
    _ ending: [UInt8], _ text: ArraySlice<UInt8>, way: Int
  ) -> (rest: Int, beginning: Int, ending: [UInt8]) {
    let written = ending + text
    guard let shown = ShownText.way(way, of: written) else {
      let (rest, isToken) = scrubber.rest(of: ending, in: text)
      let isFull = isToken && rest == text.count && written.count > mostEnding
      return (rest, scrubber.lengthOfBeginning(in: text), isFull ? ending : Array(written.suffix(mostEnding)))
    }
    // A sequence that is not complete is no letter behind which a secret cannot go on; it is seen as one once more of it comes.
    let seen = shown.bytes[..<shown.count(before: shown.openEnd)]
    let known = min(shown.count(before: ending.count), seen.count)
    let piece = seen[known...]
    let (length, isToken) = scrubber.rest(of: Array(seen[..<known]), in: piece)
    let rest = length == 0 ? 0 : shown.whole(known..<(known + length)).upperBound - ending.count
    let end = scrubber.lengthOfBeginning(in: piece)
    let beginning = end == 0 ? 0 : written.count - shown.places[seen.count - end]
    if isToken, length == piece.count, seen.count > mostEnding { return (rest, beginning, ending) }
    return (rest, beginning, Array(seen.suffix(mostEnding)) + written[shown.openEnd...])
  }
}
