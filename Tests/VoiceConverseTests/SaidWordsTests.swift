import Testing

@testable import VoiceConverse

/// The forms in which servers that were not written here say one answer. The names tell which.
struct SaidWordsTests {
  private func told(_ pieces: [(String, String?, SaidWords.Form)]) -> [String] {
    var (said, paragraphs, last) = (SaidWords(), [String](), String?.none)
    for (words, name, form) in pieces {
      guard let new = said.take(words, of: name, in: form) else { continue }
      if paragraphs.isEmpty || new.paragraph != last { paragraphs.append("") }
      paragraphs[paragraphs.count - 1] += new.text
      last = new.paragraph
    }
    return paragraphs
  }

  private let words = ["I ", "have ", "have ", "deleted ", "nothing."]
  private let whole = "I have have deleted nothing."

  /// agno: messages of one name, each only what is new.
  @Test func messagesOfOneNameMayBePieces() {
    #expect(told(words.map { ($0, "m", .message) }) == [whole])
  }

  @Test func messagesOfOneNameMayGrow() {
    #expect(told([("I ", "m", .message), ("I have ", "m", .message), (whole, "m", .message)]) == [whole])
  }

  /// strands: each token a status of its own name, and all of it as an artifact.
  @Test func tokensAreOneParagraphAndTheArtifactIsNotNew() {
    let tokens = words.enumerated().map { ($1, Optional("m\($0)"), SaidWords.Form.status) }
    #expect(told(tokens + [(whole, "a", .artifact(isMore: false))]) == [whole])
    let leading = ["I", " have", " have", " deleted", " nothing."].enumerated()
      .map { ($1, Optional("m\($0)"), SaidWords.Form.status) }
    #expect(told(leading + [(whole, "a", .artifact(isMore: false)), (whole, "e", .end)]) == [whole])
  }

  /// google-adk: the whole as a status, and as an artifact.
  @Test func aStatusAndAnArtifactWithTheSameWordsAreOne() {
    #expect(told([(whole, "m", .status), (whole + "\n", "a", .artifact(isMore: false))]) == [whole])
  }

  /// a2acode: an artifact in pieces, and the whole at the end.
  @Test func theEndRepeatsWhatTheArtifactSaid() {
    let pieces = words.map { ($0, Optional("a"), SaidWords.Form.artifact(isMore: true)) }
    #expect(told(pieces + [(whole, "e", .end)]) == [whole])
  }

  /// a2akit: progress, and then the answer.
  @Test func progressIsAParagraphOfItsOwn() {
    #expect(told([("Thinking…", "m1", .status), ("Echo: red", "m2", .status)]) == ["Thinking…", "Echo: red"])
    #expect(told([("Thinking…", "m1", .status), (whole, "a", .artifact(isMore: false))]) == ["Thinking…", whole])
  }

  @Test func whatIsNewIsToldWhateverWasSaidBefore() {
    #expect(told([("At the casino", "m", .status), ("no", "a", .artifact(isMore: false))]) == ["At the casino", "no"])
    #expect(told([("2 and 2 is 14", "m", .status), ("4", "e", .end)]) == ["2 and 2 is 14", "4"])
    #expect(
      told([("Yes.", "a", .artifact(isMore: false)), ("No.", "b", .artifact(isMore: false))]) == ["Yes.", "No."])
    #expect(
      told([("One.", "a", .artifact(isMore: false)), ("One. Two.", "a", .artifact(isMore: false))]) == ["One. Two."])
    #expect(told([("ha", nil, .status), ("ha", nil, .status)]) == ["haha"])
  }
}
