/// What a session is doing, as a person wants to know it at a glance. Follows from the controller's state; nothing is
/// decided by it, and no log holds it.
package struct SessionStatus: Equatable, Sendable {
  /// What the session is doing.
  package enum Activity: String, Sendable {
    case connecting, speaking, working, stopping
    /// The microphone is open, and there is nothing else to do.
    case listening
    /// The user speaks.
    case hearing
    /// Something is held.
    case waiting
    /// Nothing is heard: the user closed the microphone, or it is over.
    case deaf
  }

  package var activity = Activity.connecting
  package var mode = InteractionMode.review
  /// The mode and the model that the agent is in, as far as it tells.
  package var agentMode: String?
  package var agentModel: String?
  /// Items that wait for a decision.
  package var held = 0
  /// Whether the current one of them is a question.
  package var asksQuestion = false
  /// What the user allowed from now on, and can take back.
  package var approvals = 0
  /// Approved instructions that wait for the run before them.
  package var queued = 0
  /// Whether the agent works.
  package var isWorking = false
  /// Whether the agent will come back to something by itself.
  package var owesWork = false
  /// Whether work that nobody watches any more may go on.
  package var mayWorkUnseen = false
  /// Whether the user has the microphone open, though it may be away.
  package var isMicrophoneOpen = true
  /// Whether what the user says is heard, whatever else goes on.
  package var isListening = true
  /// What the user is saying, as far as it was transcribed, and what seems to come behind that.
  package var transcript = ""
  /// What was said so far of an instruction that is not complete.
  package var draft = ""
  package var usage: SessionUsage?
  /// Whether the user is heard while the program speaks; nil where nothing but the user can be heard.
  package var duplex: Duplex?
  /// Parts of the local speech engine that are being loaded.
  package var loading: [SpeechPart] = []

  package init() {}
}
