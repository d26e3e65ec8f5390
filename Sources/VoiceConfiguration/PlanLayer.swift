package import VoiceCore

/// What one source says about the plan: a file, or the command line. Nil is "says nothing".
///
/// Where a setting may be "none", its type has two marks: `.some(nil)` says "none".
package struct PlanLayer: Equatable, Sendable {
  package struct Interaction: Equatable, Sendable {
    package var mode: InteractionMode?
    package var readBack: Bool?
    package var interruptedBy: InterruptionChoice?
  }

  package struct Audio: Equatable, Sendable {
    package var microphone: String?
    package var speaker: String?
    package var pace: AudioPace?
    package var echoCancelling: Bool?
  }

  package struct Live: Equatable, Sendable {
    package var endpoint: LiveEndpointChoice?
    package var model: String??
    package var voice: String??
    package var keyVariable: String??
    package var certificateAuthority: String??
    package var turnDetection: InteractionSettings.TurnDetection?
    package var silenceMilliseconds: Int?
    package var playModelVoice: Bool?
  }

  package struct Agent: Equatable, Sendable {
    package var agent: String?
    package var workingFolder: String?
    package var environment: [String]?
    package var preferredMode: String??
    package var keyVariable: String??
  }

  package struct Recording: Equatable, Sendable {
    package var enabled: Bool?
    package var folder: String??
    package var opus: Bool?
  }

  package struct Display: Equatable, Sendable {
    package var colour: ColourChoice?
    package var thoughts: Bool?
  }

  package var interaction = Interaction()
  package var audio = Audio()
  package var live = Live()
  package var agent = Agent()
  package var recording = Recording()
  package var display = Display()

  package init() {}

  /// What the program does where nobody says anything; the same as the shipped configuration file.
  package static let builtIn: PlanLayer = {
    var layer = PlanLayer()
    layer.interaction = Interaction(mode: .review, readBack: true, interruptedBy: .auto)
    layer.audio = Audio(microphone: "default", speaker: "default", pace: .real, echoCancelling: true)
    layer.live = Live(
      endpoint: .auto, model: .some(nil), voice: .some(nil), keyVariable: "GEMINI_API_KEY",
      certificateAuthority: .some(nil), turnDetection: .server, silenceMilliseconds: 800, playModelVoice: true)
    layer.agent = Agent(
      agent: "guide", workingFolder: ".", environment: [], preferredMode: .some(nil), keyVariable: .some(nil))
    layer.recording = Recording(enabled: true, folder: .some(nil), opus: true)
    layer.display = Display(colour: .auto, thoughts: false)
    return layer
  }()
}
