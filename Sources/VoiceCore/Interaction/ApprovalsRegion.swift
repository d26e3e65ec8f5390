import VoiceLanguage
package import VoiceVocabulary

/// What the user allowed the agent from now on, and can take back.
package struct ApprovalsRegion: Equatable, Sendable, DigestedState {
  /// One approval, by the number under which it is listed.
  package struct Approval: Equatable, Sendable {
    package let number: Int
    package let title: String
    /// What it covers, and where it is written.
    package let words: String
    /// Nil where the agent does not say where it keeps it.
    package let record: ApprovalRecord?
  }

  /// The oldest first.
  package private(set) var standing: [Approval] = []
  private var last = 0
  /// The one that is being taken back.
  private var pending: Int?

  /// The user allowed this from now on.
  package mutating func given(_ request: PermissionRequest) {
    last += 1
    standing.append(
      Approval(number: last, title: request.title, words: request.alwaysWords, record: request.record))
  }

  /// Begin to take one back. Returns nil if there is none of that number.
  package mutating func takeBack(_ number: Int) -> Approval? {
    let approval = standing.first { $0.number == number }
    if approval != nil { pending = number }
    return approval
  }

  /// The agent has begun again. Returns what does not stand any more: what was taken back, and what only it remembered.
  package mutating func reopened() -> [Approval] {
    defer { pending = nil }
    let gone = standing.filter { $0.number == pending || $0.record?.places.isEmpty == true }
    standing.removeAll { approval in gone.contains { $0.number == approval.number } }
    return gone
  }

  /// It was not taken back.
  package mutating func takeBackFailed() { pending = nil }
}

extension ApprovalsRegion {
  package func fold(into digest: inout StateDigest) {
    digest.fold(last, pending, standing.count)
    for approval in standing { digest.fold(approval.number, approval.title, approval.words) }
  }
}
