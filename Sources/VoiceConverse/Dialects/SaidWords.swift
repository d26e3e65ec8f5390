/// What a task of an A2A server has said. Servers say the same in several forms: token by token in messages of a status, again as
/// an artifact, and once more in the end; each is told once.
struct SaidWords: Sendable {
  /// In what a piece came.
  enum Form: Equatable, Sendable {
    /// A message beside the task's state: progress, or a piece of the answer.
    case status
    /// A message in the task's stream. Of one name, it is as long as before and longer, or only what is new.
    case message
    /// A piece of an artifact; with `isMore`, what is new of it.
    case artifact(isMore: Bool)
    /// What stands beside the state of a task that is done.
    case end
  }

  /// By the names of messages and artifacts.
  private var said: [String: String] = [:]
  /// All pieces that were told, without blanks.
  private var pieces: [String] = []
  private var bytes = 0
  /// Whether nothing was told yet.
  var isEmpty: Bool { bytes == 0 }
  private var last = (name: String?.none, endsWithBlank: false, isArtifact: false)
  /// Of an answer longer than this nothing is recognised that is told again.
  private static let remembered = 1 << 20

  /// A piece has come. Returns what is new of it, and the name of the paragraph that it belongs to; nil if nothing is.
  mutating func take(_ words: String, of name: String?, in form: Form) -> (text: String, paragraph: String?)? {
    let before = name.flatMap { said[$0] } ?? ""
    var rest = words
    switch form {
    case .artifact(isMore: true): break
    case .message where words.utf8.count <= before.utf8.count && !before.isEmpty: break
    default: rest = words.dropping(prefix: before) ?? words
    }
    if let name { said[name] = rest == words && form.grows ? before + words : words }
    let plain = String(rest.filter { !$0.isWhitespace })
    guard !rest.isEmpty, !(form.mayRepeat && isLast(plain)) else { return nil }
    if !plain.isEmpty { remember(plain) }
    // A token is no paragraph of its own, whatever name it comes under.
    let goesOn = last.endsWithBlank || rest.first?.isWhitespace == true
    let isPiece = form.isPiece && !last.isArtifact && last.name != nil && goesOn
    let paragraph = isPiece ? last.name : name
    last = (paragraph, rest.last?.isWhitespace == true, !form.isPiece)
    return (rest, paragraph)
  }

  private mutating func remember(_ plain: String) {
    pieces.append(plain)
    bytes += plain.utf8.count
    if bytes > Self.remembered { pieces = [] }
  }

  /// Whether this is what the last pieces said, whole.
  private func isLast(_ plain: String) -> Bool {
    var rest = plain[...]
    for piece in pieces.reversed() {
      guard rest.hasSuffix(piece) else { return false }
      rest = rest.dropLast(piece.count)
      if rest.isEmpty { return true }
    }
    return false
  }
}

extension SaidWords.Form {
  /// Whether it may be all that was said before, once more.
  fileprivate var mayRepeat: Bool { self == .artifact(isMore: false) || self == .end }
  /// Whether it may be a piece of what another name began.
  fileprivate var isPiece: Bool { self == .status || self == .message }
  /// Whether it may be only what is new.
  fileprivate var grows: Bool { self == .message || self == .artifact(isMore: true) }
}
