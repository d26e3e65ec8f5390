/// Whether the loudspeaker is louder at the microphone than whoever speaks there: a canceller that takes such an echo away takes
/// who speaks over it away with it, and no score of the canceller tells that.
///
/// The loudest tenth of what comes in while something plays, against that of what the detector took for the user while nothing
/// could be heard; before he has spoken for a second, against most people at arm's length. Blocks of 10 ms. A pure value.
package struct EchoLoudness: Equatable, Sendable {
  /// As loud as a person is at arm's length from most microphones, in dBFS.
  package static let person = -28
  /// What plays below this tells nothing, in dBFS: the end of a word, or a voice that was lowered for the user.
  package static let leastPlayed = -36
  /// Two seconds of echo, or one of the user, tell.
  private static let leastEcho = 200
  private static let leastUser = 100
  private static let remembered = 500
  /// Who interrupts is noticed up to 400 ms late; what came in meanwhile is not the echo's.
  private static let doubtedBlocks = 40
  /// It is over when the echo is softer than the user by this, in dB, so that it does not come and go.
  private static let margin = 3

  private var echo = LevelHistory(capacity: remembered)
  private var user = LevelHistory(capacity: remembered)
  /// What came in while something played, and may yet turn out to be the user.
  private var doubted: [Int] = []
  /// Whether who speaks over it is likely to be missed, or misheard.
  package private(set) var drowns = false

  /// The echo comes another way than before; the user is who he was.
  package mutating func learnAgain() {
    echo = LevelHistory(capacity: Self.remembered)
    doubted = []
    drowns = false
  }

  /// Take the levels of one block, in dBFS; `isAudible`: an echo may be in it, `isUser`: the detector hears somebody.
  package mutating func hear(captured: Int, played: Int, isAudible: Bool, isUser: Bool) {
    if isUser {
      doubted = []
      if !isAudible { user.add(captured) }
      return
    }
    guard isAudible, played > Self.leastPlayed else { return }
    doubted.append(captured)
    guard doubted.count > Self.doubtedBlocks else { return }
    echo.add(doubted.removeFirst())
    guard echo.count >= Self.leastEcho, let level = echo.quantile(percent: 90) else { return }
    let voice = user.count >= Self.leastUser ? user.quantile(percent: 90) ?? Self.person : Self.person
    drowns = level > (drowns ? voice - Self.margin : voice)
  }
}
