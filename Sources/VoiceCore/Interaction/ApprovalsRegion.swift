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

  /// It is being taken back, if it stands; nil otherwise.
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
  package mutating func refused() { pending = nil }
}

extension ApprovalsRegion {
  /// Nothing where nothing was ever allowed from now on.
  package func fold(into digest: inout StateDigest) {
    guard last > 0 else { return }
    for approval in standing { digest.fold("\(approval.number) \(approval.title) \(approval.words)") }
    digest.fold("approvals \(last) \(pending ?? 0)")
  }
}

extension InteractionController {
  /// The user wants to see what he allowed from now on, or to take one of it back.
  mutating func agentApprovals(undo number: Int?) {
    guard let number else {
      guard !approvals.standing.isEmpty else { return show(.cannot(text: "No standing approvals.")) }
      for approval in approvals.standing {
        show(.agentListed(number: approval.number, text: "\(approval.title): \(approval.words)"))
      }
      return
    }
    let name = agent?.name ?? "The agent"
    guard approvals.standing.contains(where: { $0.number == number }) else {
      return show(.cannot(text: "There is no such number; list them first, and then say one that is shown."))
    }
    guard !run.isAtWork, run.owed.isEmpty else {
      return show(.cannot(text: "The agent is at work; stop it before you take back what it may do."))
    }
    guard let session = sessions.current, agent?.capabilities.contains(.resume) == true else {
      let way = "\(name) cannot restart in the same session, and a running agent keeps its approvals"
      return show(.cannot(text: "\(way). Begin a new session (agent-session new), or quit, and it ends with that."))
    }
    guard let approval = approvals.takeBack(number) else { return }
    act(.takeBackApproval(record: approval.record ?? ApprovalRecord(), start: .resume(session)))
  }

  /// The agent has begun again: what was taken back is told, and nothing more than is known of it.
  mutating func approvalsReopened() {
    let name = agent?.name ?? "The agent"
    for approval in approvals.reopened() {
      let doubt = "\(name) has begun again, and does not say whether it still allows this without asking"
      let words = approval.record == nil ? doubt : "Not allowed any more without being asked"
      show(.warning(text: "\(words): \(approval.title)."))
    }
  }
}
