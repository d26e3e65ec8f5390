package import VoiceVocabulary

/// Why an instruction that was meant to be sent is held again, for the user to decide anew.
package struct ReturnedInstruction: Equatable, Sendable {
  /// How far it had come.
  package enum Stage: Equatable, Sendable {
    /// It could not be entered in the ledger, and so it did not leave.
    case unwritten
    /// It did not leave for another reason, or the agent did not take it.
    case unsent
    /// It left, and its work failed.
    case failed
    /// It left, and what became of it is not known.
    case unconfirmed
  }

  package let stage: Stage
  /// A sentence for people.
  package let reason: String

  package init(_ stage: Stage, _ reason: String) {
    self.stage = stage
    self.reason = reason
  }

  /// What is to be known of it where it is kept for a later session.
  var doubt: KeptDoubt? {
    switch stage {
    case .unwritten: .unwritten
    case .unsent: nil
    case .failed, .unconfirmed: .sent
    }
  }

  /// Why a session that ends with this is no success.
  func sentence(about text: String) -> String {
    let text = text.count > Limits.namingCharacters ? String(text.prefix(Limits.namingCharacters)) + "…" : text
    return switch stage {
    case .unwritten, .unsent: "“\(text)” was not sent. \(reason)"
    case .failed: "“\(text)” was sent, and not carried out. \(reason)"
    case .unconfirmed: "“\(text)” was sent. \(reason) It is not known how much of it was carried out."
    }
  }

  /// What is told of it where it is dropped.
  var lapseReason: String {
    switch stage {
    case .unwritten: "It was not sent, because it could not be written down; say it again."
    case .unsent: "It was not sent. \(reason)"
    case .failed: "It was sent and failed, and nobody approved it again."
    case .unconfirmed:
      "It was sent, and it is not known how much of it was carried out; nobody approved it again."
    }
  }
}

extension AgentTurnEnd {
  /// What this means for the instruction; nil where nothing of it is held again.
  var returns: ReturnedInstruction? {
    switch self {
    case .failed(let reason): ReturnedInstruction(.failed, reason)
    case .unconfirmed(let reason, _): ReturnedInstruction(.unconfirmed, reason)
    case .completed, .cancelled, .stopped: nil
    }
  }
}

extension ReturnedInstruction: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch stage {
    case .unwritten: digest.fold(0)
    case .unsent: digest.fold(1)
    case .failed: digest.fold(2)
    case .unconfirmed: digest.fold(3)
    }
    digest.fold(reason)
  }
}
