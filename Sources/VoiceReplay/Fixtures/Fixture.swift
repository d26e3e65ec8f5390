package import VoiceVocabulary

/// A recording with its script: what the user does, and how the world around the session answers.
///
/// The file `fixture.json5` in the fixture's folder. Scripts are causal: each of the user's steps waits for something that
/// the session did.
package struct Fixture: Equatable, Sendable, Codable {
  /// What must hold, as a sentence.
  package var title: String
  /// In the file, only what differs from the defaults has to be named.
  package var settings: InteractionSettings
  /// What the user does and what befalls the world, in order.
  package var user: [UserStep]
  /// What the live model makes of each utterance that it hears, in order.
  package var model: [ModelAnswer]
  /// What the coding agent does in each run, in order.
  package var agent: [[AgentStep]]
  /// What goes wrong besides: see `Fault`. Each has its place; nothing is left to chance.
  package var faults: [Fault]?

  /// One thing that the user does or that happens to the world.
  package struct UserStep: Equatable, Sendable, Codable {
    /// Wait for this; without it, for the step before.
    package var await: Trigger?
    /// Wait for it to happen this often; once, if absent.
    package var times: Int?
    /// Milliseconds to wait after that.
    package var after: Int?
    package var `do`: UserAction
  }

  /// What is done in a fixture, and what is waited for.
  package enum UserAction: Equatable, Sendable, Codable {
    /// Play a sound file into the microphone. `whole`: all of it counts as one utterance, however loud it is.
    case say(recording: String, whole: Bool?)
    /// Give a command, as a line of text.
    case command(line: String)
    /// Standard input is over.
    case endCommands
    /// Cut the connection to the live model. Without a remedy, it can be resumed.
    case cutLink(remedy: LinkFailure.Remedy?)
    /// The server announces a cut.
    case expireLink(milliseconds: Int)
    /// The next attempts to connect fail.
    case refuseLink(times: Int)
    /// The microphone's recording is over.
    case endMicrophone
    case loseMicrophone
    case loseSpeaker
    /// A device is away until it is plugged in again; the person speaks on meanwhile.
    case unplug(device: SoundDeviceKind)
    case plugIn(device: SoundDeviceKind)
    /// The agent's process dies; it is started again for the next instruction.
    case killAgent
    /// The disk takes nothing more, or again something.
    case fillDisk
    case freeDisk
    /// The process is asked to end.
    case terminate
    /// Anything else that may happen, such as an event that comes late.
    case happen(event: VoiceEvent)
  }

  /// Something that the session did, or that its speaker did.
  package enum Trigger: String, Sendable, Codable, CaseIterable {
    case agentReady, linkOpening, listening, linkLost, rotating
    case saying, said, heard, drafting, held, approved, rejected, amended, permissionAnswered, queued, lapsed
    case duplicateIgnored
    case ledgerAsked, runStarted, agentText, toolStarted, halting, haltUnconfirmed, runEnded
    case asked, speechStarted, speechEnded, bargedIn, falseInterruption, quieted
    case warning, error, cannot
  }

  /// What the live model makes of one utterance.
  package struct ModelAnswer: Equatable, Sendable, Codable {
    /// The transcript; empty if nothing was understood.
    package var heard: String
    /// What it tells of the transcript besides.
    package var hearing: Hearing?
    package var call: Call?
    /// The instruction that it proposes, if that is not the transcript.
    package var instruction: String?
    /// How often it proposes; a model that repeats itself has 2 here.
    package var times: Int?
    /// How long it thinks beyond what a quick model does, in milliseconds; meanwhile the user may speak on.
    package var thinks: Int?
    /// What it says itself; it takes 55 ms a character to speak.
    package var says: String?

    /// Which tool the live model calls.
    package enum Call: String, Sendable, Codable { case converse, stop }
  }

  /// One thing that the coding agent does.
  package enum AgentStep: Equatable, Sendable, Codable {
    case wait(milliseconds: Int)
    case text(delta: String)
    case tool(title: String, kind: String)
    /// Ask, and go on with one or the other list. Without `choices`: once, or not.
    case permission(
      title: String, detail: String, choices: [PermissionRequest.Choice]? = nil, allowed: [AgentStep],
      denied: [AgentStep])
    /// Ask, and go on with what stands beside the chosen option, or with `otherwise`.
    case question(text: String, options: [Option], otherwise: [AgentStep])
    /// Anything else that an agent reports.
    case report(event: AgentEvent)
    case fail(reason: String)
    /// End, as one that refuses or has reached a limit of its own.
    case stop(reason: String)
    /// The way to the agent breaks.
    case die(reason: String)
    /// Say nothing more, and do not end either, before it is halted.
    case hang
  }

  /// An option of a question, and what the agent does once it is chosen.
  package struct Option: Equatable, Sendable, Codable {
    package var label: String
    package var steps: [AgentStep]
  }
}

/// Why a fixture cannot be used.
package struct FixtureFailure: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
