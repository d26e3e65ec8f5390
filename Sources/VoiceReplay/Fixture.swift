package import VoiceCore

/// A recording with its script: what the user does, and how the world around the session answers.
///
/// The file `fixture.json5` in the fixture's folder. Scripts are causal: each of the user's steps waits for something that
/// the session did.
package struct Fixture: Equatable, Sendable, Codable {
  /// What the fixture shows, as a sentence.
  package var title: String
  package var settings: InteractionSettings
  /// What the user does and what befalls the world, in order.
  package var user: [UserStep]
  /// What the live model makes of each utterance that it hears, in order.
  package var model: [ModelAnswer]
  /// What the coding agent does in each run, in order.
  package var agent: [[AgentStep]]
  /// Faults that hold from the start.
  package var faults: Faults?

  /// One thing that the user does or that happens to the world.
  package struct UserStep: Equatable, Sendable, Codable {
    /// Wait for this; without it, for the step before.
    package var await: Trigger?
    /// Milliseconds to wait after that.
    package var after: Int?
    package var `do`: Deed
  }

  package enum Deed: Equatable, Sendable, Codable {
    /// Play a sound file into the microphone.
    case say(recording: String)
    /// Give a command, as a line of text.
    case command(line: String)
    /// Cut the connection to the live model.
    case cutLink
    /// The server announces a cut.
    case expireLink(milliseconds: Int)
    /// The microphone's recording is over.
    case endMicrophone
  }

  /// Something that the session did, or that its speaker did.
  package enum Trigger: String, Sendable, Codable {
    case listening, heard, held, approved, queued, runStarted, agentText, toolStarted, runEnded, bargedIn, linkLost
    case halting, saying, said, speechStarted, speechEnded, error
  }

  /// What the live model makes of one utterance.
  package struct ModelAnswer: Equatable, Sendable, Codable {
    /// The transcript; empty if nothing was understood.
    package var heard: String
    package var call: Call?
    /// The instruction that it proposes, if that is not the transcript.
    package var instruction: String?
    /// How often it proposes; a model that repeats itself has 2 here.
    package var times: Int?

    package enum Call: String, Sendable, Codable { case converse, stop }
  }

  /// One thing that the coding agent does.
  package enum AgentStep: Equatable, Sendable, Codable {
    case wait(milliseconds: Int)
    case text(delta: String)
    case tool(title: String, kind: String)
    /// Ask, and go on with one or the other list.
    case permission(title: String, detail: String, allowed: [AgentStep], denied: [AgentStep])
    /// Ask, and go on with what stands beside the chosen option, or with `otherwise`.
    case question(text: String, options: [Option], otherwise: [AgentStep])
    case fail(reason: String)
  }

  /// An option of a question, and what the agent does once it is chosen.
  package struct Option: Equatable, Sendable, Codable {
    package var label: String
    package var steps: [AgentStep]
  }

  package struct Faults: Equatable, Sendable, Codable {
    /// The ledger cannot be written.
    package var ledgerIsFull: Bool?
    /// The agent ignores a halt.
    package var agentIgnoresHalt: Bool?
  }
}

/// Why a fixture cannot be used.
package struct FixtureFailure: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
