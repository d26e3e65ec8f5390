import VoiceVocabulary

/// Why the user denied what the agent asked, and how the agent learns of it: with the answer, where its protocol has a place
/// for that; else into its running work; else with the next instruction, which the user is told. It is never dropped.
extension InteractionController {
  /// Whether the agent takes a reason together with a denial.
  var hearsReasons: Bool { agent?.capabilities.contains(.hearReason) ?? false }

  /// Tell the agent the reason of a denial that it was sent without one.
  mutating func tellReason(_ reason: String, of title: String) {
    let reason = Self.shortened(reason)
    if reasonNotToSteer == nil {
      because("The reason goes into the running work: this agent takes none together with a denial.")
      var instruction = Instruction(id: numbering.instruction(), text: reason, heard: nil, source: .keyboard)
      instruction.remark = "This is why the user did not allow: “\(title)”."
      note(.proposed(instruction: instruction))
      note(.approved(instruction: instruction.id))
      return steer(instruction)
    }
    because("The reason waits for the next instruction: this agent takes none together with a denial.")
    remarks.denied(title, because: reason)
    show(.warning(text: "This agent cannot take a reason with a denial; it gets it with your next instruction."))
  }

  /// A reason, cut to the length that an agent is told.
  static func shortened(_ reason: String) -> String {
    reason.count <= Limits.reasonCharacters ? reason : reason.prefix(Limits.reasonCharacters) + "…"
  }
}
