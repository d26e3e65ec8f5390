package import VoiceCore

/// How one run of the program is to be: every setting with its value and where that comes from.
///
/// Settings by group and name are those of `config/parley.json5`, which says what each means.
package struct Plan: Equatable, Sendable {
  package struct Interaction: Equatable, Sendable {
    package var mode: Resolved<InteractionMode>
    package var readBack: Resolved<Bool>
    package var interruptedBy: Resolved<InterruptionChoice>
  }

  package struct Audio: Equatable, Sendable {
    /// "default", a device's name, or the path of a sound file.
    package var microphone: Resolved<String>
    /// "default", a device's name, or the path of a sound file.
    package var speaker: Resolved<String>
    package var pace: Resolved<AudioPace>
    package var echoCancelling: Resolved<Bool>
  }

  package struct Live: Equatable, Sendable {
    /// Decided: the setting "auto" is resolved, and the origin says why.
    package var endpoint: Resolved<LiveEndpoint>
    /// Nil is the endpoint's usual model.
    package var model: Resolved<String?>
    package var voice: Resolved<String?>
    /// The name of the environment variable that holds the key; nil if no key is sent.
    package var keyVariable: Resolved<String?>
    /// The absolute path of a PEM file with the certificates to trust; nil trusts those of the system.
    package var certificateAuthority: Resolved<String?>
    package var turnDetection: Resolved<InteractionSettings.TurnDetection>
    package var silenceMilliseconds: Resolved<Int>
    package var playModelVoice: Resolved<Bool>
  }

  package struct Agent: Equatable, Sendable {
    /// A known agent's name, or a command line.
    package var agent: Resolved<String>
    /// Absolute.
    package var workingFolder: Resolved<String>
    /// Names of variables that the agent may see, besides the usual ones.
    package var environment: Resolved<[String]>
    package var preferredMode: Resolved<String?>
    /// The name of the environment variable that holds the key of an agent that is reached over HTTP.
    package var keyVariable: Resolved<String?>
  }

  package struct Recording: Equatable, Sendable {
    package var enabled: Resolved<Bool>
    /// Absolute.
    package var folder: Resolved<String>
    package var opus: Resolved<Bool>
  }

  package struct Display: Equatable, Sendable {
    package var colour: Resolved<ColourChoice>
    package var thoughts: Resolved<Bool>
  }

  package var interaction: Interaction
  package var audio: Audio
  package var live: Live
  package var agent: Agent
  package var recording: Recording
  package var display: Display

  /// One line of `parley check` and of a session's manifest.
  package struct Line: Equatable, Sendable {
    /// "group.name".
    package var key: String
    package var value: String
    package var origin: PlanOrigin
  }

  /// Every setting, in the order of the configuration file. Secrets are not in it: a plan knows only their names.
  package func described() -> [Line] {
    PlanKey.all.map { key in
      let (value, origin) = key.describe(self)
      return Line(key: key.name, value: value, origin: origin)
    }
  }
}
