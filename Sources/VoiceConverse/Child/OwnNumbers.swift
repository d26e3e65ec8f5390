import VoiceVocabulary

/// Counts what gets a name of our own over the life of a child: our requests, and what the agent asks.
struct OwnNumbers: Equatable, Sendable {
  private var (lastRequest, lastPermission, lastQuestion) = (0, 0, 0)

  /// The number of the next request of ours.
  mutating func request() -> Int {
    lastRequest += 1
    return lastRequest
  }

  /// The name of the next permission that the agent asks for.
  mutating func permission() -> PermissionID {
    lastPermission += 1
    return PermissionID(rawValue: "permission-\(lastPermission)")
  }

  /// The name of the next question that the agent asks.
  mutating func question() -> QuestionID {
    lastQuestion += 1
    return QuestionID(rawValue: "question-\(lastQuestion)")
  }
}
