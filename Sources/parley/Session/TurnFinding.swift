import VoiceConfiguration
import VoiceFoundation
import VoiceLive
import VoiceLocal
import VoiceSound
import VoiceVocabulary

/// Who finds where the user's turns end, and what is there to find it with.
struct TurnFinding {
  let detection: InteractionSettings.TurnDetection
  /// How long a pause may last, for the detector at the microphone.
  let limit: PauseLimit
  /// Nil if none are installed, which only the local live model minds.
  let models: SpeechModels?

  /// Where the plan leaves it open, it is the client if it can recognise what is said and a device is listened to: then silence never
  /// leaves this machine. The local live model finds the turns here anyway, and of a server at an address of its own it is not known
  /// whether it takes marked turns.
  init(_ plan: Plan) {
    limit = PauseLimit(milliseconds: plan.silenceMilliseconds)
    models = Self.installedModels()
    let (provider, address) = LiveProvider.named(plan.endpoint)
    detection =
      if let chosen = plan.turnDetection {
        chosen
      } else if plan.endpoint == "local" {
        .server
      } else if !provider.offers(.server) {
        .client
      } else {
        address == nil && models != nil && provider.offers(.client) && SessionSound(plan).listensToDevice
          ? .client : .server
      }
  }

  /// Whether what was said before a pause tells how long it may last.
  var weighsPauses: Bool { detection == .client && models != nil }

  private static func installedModels() -> SpeechModels? {
    do {
      return try SpeechModels(environment: ProcessInfo.processInfo.environment)
    } catch {
      return nil
    }
  }
}
