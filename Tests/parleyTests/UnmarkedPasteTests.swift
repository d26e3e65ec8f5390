import Testing

@testable import parley

/// What is pressed when a terminal gives these pieces of text, one read each, at these times in milliseconds, and nothing more.
/// - Parameter isOpen: whether an input line was open before.
private func pressed(_ pieces: [(String, Int)], isOpen: Bool) -> [Key] {
  var decoder = KeyDecoder()
  var paste = UnmarkedPaste()
  var all: [Key] = []
  var isOpen = isOpen
  var now = Duration.zero
  func take(_ keys: [Key], isPasted: Bool) {
    for key in keys {
      if !isOpen, isPasted {
        isOpen = true
        paste.openedLine()
      }
      all.append(key)
    }
  }
  for (text, time) in pieces {
    // The keyboard looks when it is due, and finds nothing.
    if let due = paste.due, due < .milliseconds(time) { take(paste.elapse(to: due), isPasted: false) }
    now = .milliseconds(time)
    let keys = decoder.keys(Array(text.utf8))
    for key in keys { take(paste.press(key, at: now, isPasted: keys.count > 1), isPasted: keys.count > 1) }
  }
  if let due = paste.due { take(paste.elapse(to: due), isPasted: false) }
  #expect(paste.due == nil)
  return all
}

private func text(_ keys: [Key]) -> String {
  keys.map { if case .character(let character) = $0 { "\(character)" } else { $0 == .lineEnd ? "/" : "!" } }.joined()
}

struct UnmarkedPasteTests {
  /// However it is cut.
  @Test(arguments: ["remove\rthe cache\rand build", "remove\rthe cache\r", "\rremove it", "a\rb\r\r"], [true, false])
  func ofSeveralLinesNoneIsSentByItself(_ paste: String, _ isOpen: Bool) {
    let characters = Array(paste)
    for first in 0..<characters.count {
      for second in first..<characters.count {
        let cuts = [characters[..<first], characters[first..<second], characters[second...]].filter { !$0.isEmpty }
        // A single key is none of a paste, and nothing tells it from one.
        guard cuts[0].count > 1 else { continue }
        for gap in [0, 5, 99] {
          let pieces = cuts.enumerated().map { (String($1), 1_000 + $0 * gap) }
          #expect(
            text(pressed(pieces, isOpen: isOpen)) == paste.replacing("\r", with: "/"), "\(pieces), open \(isOpen)")
        }
      }
    }
  }

  /// As who pastes a command into a shell, or a program that types.
  @Test func ofOneLineItsEndIsEnterInALineThatIsOpen() {
    for pieces in [[("run it\r", 0)], [("run it", 0), ("\r", 5)], [("run", 0), (" it", 50), ("\r", 140)]] {
      #expect(text(pressed(pieces, isOpen: true)) == "run it!", "\(pieces)")
      #expect(text(pressed(pieces, isOpen: false)) == "run it/", "\(pieces)")
    }
    #expect(text(pressed([("run it\r", 0), ("now\r", 101)], isOpen: true)) == "run it!now!")
  }

  @Test func whatIsTypedIsEnteredAtOnce() {
    var paste = UnmarkedPaste()
    for key in [Key.character("a"), .enter] { #expect(paste.press(key, at: .zero, isPasted: false) == [key]) }
    #expect(paste.due == nil)
    // A machine that was busy has read two at once: Enter waits, and what is no text settles it.
    #expect(paste.press(.character("b"), at: .seconds(2), isPasted: true) == [.character("b")])
    #expect(paste.press(.enter, at: .seconds(2), isPasted: true) == [])
    #expect(paste.due == .milliseconds(2_100))
    #expect(paste.elapse(to: .milliseconds(2_099)) == [])
    #expect(paste.press(.escape, at: .milliseconds(2_099), isPasted: false) == [.enter, .escape])
  }
}
