/// What the session did that the real world would have refused: each is a defect of the session.
final class Refusals {
  private(set) var texts: [String] = []

  /// Note what the real thing would refuse.
  func add(_ text: String) { texts.append(text) }

  /// What was refused since this was asked last.
  func take() -> [String] {
    defer { texts = [] }
    return texts
  }
}
