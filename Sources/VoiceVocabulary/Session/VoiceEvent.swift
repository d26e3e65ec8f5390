/// Something that happened, in the past tense. Everything that the session knows came to it as one of these.
package enum VoiceEvent: Equatable, Sendable, Codable {
  // The session.

  /// Always the first event.
  case sessionStarted(settings: InteractionSettings)
  /// An armed timer fired; a timer that was cancelled in the meantime never fires.
  case timerFired(timer: TimerID)
  /// The user decided something, by key or by line.
  case commandGiven(command: UserCommand)
  /// Standard input is over: no decision can come any more.
  case commandsEnded
  /// Another program has the terminal: what is to be told is shown only when that gives it back. Where the output cannot be written
  /// any more, it never does.
  case screenLent
  /// The terminal is ours again, and what was to be told meanwhile is being shown. Without `screenLent` before it, the process was
  /// stopped, as by Ctrl-Z, and somebody else may have written on the screen.
  case screenReturned
  /// The process was asked to end (SIGINT, SIGTERM, SIGHUP).
  case terminationRequested(signal: String)

  /// Another session runs in the same working folder; `since` is its start, in words for people.
  case otherSessionFound(name: String, since: String)

  // The project's words.

  /// The names of the project are known, and what the user taught before. Comes some time after the start.
  case wordsLearned(words: ProjectWords)
  /// What the user taught could not be kept; it holds for this session.
  case wordsNotKept(reason: String)

  // The microphone.

  case microphoneFrame(frame: MicrophoneFrame)
  /// The recording or pipe behind the microphone is over. Frames of silence go on, so that a server can hear the end.
  case microphoneEnded
  /// The microphone failed for good; `reason` says what failed, on what, and what to do.
  case microphoneFailed(reason: String)
  /// The user began to speak, as decided by the given detector.
  case voiceStarted(detector: VoiceDetector)
  /// The user, who began to speak just now, is silent for a moment: it may have been a cough. At most once an utterance.
  case voicePaused(detector: VoiceDetector)
  /// The user paused long enough to have ended an utterance.
  case voiceEnded(detector: VoiceDetector)
  /// Of who is noticed at this moment, the beginning was not let through: he spoke while the program did, and could not be told from it.
  /// Comes from devices only.
  case beginningLost
  /// It became louder or quieter at the microphone, whoever made the sound.
  case soundLevelChanged(level: SoundLevel)
  /// A microphone's device began to give always the same value, as a muted one does, or gives sound again. Comes from devices only,
  /// and not of one that does it in every pause.
  case muteChanged(name: String, isMuted: Bool)
  /// A microphone's device is too loud: the loudest parts are cut off. Comes from devices only, and once of each.
  case microphoneClips(name: String)
  /// The wake phrase was heard at the closed microphone. Of what else is heard there, nothing is told.
  case wakePhraseHeard
  /// Whether the microphone can hear the user while the program speaks. Comes from devices only, with the first sound that the
  /// microphone might hear, and whenever it changes.
  case duplexChanged(duplex: Duplex)

  // The listener: the live-model connection that hears the microphone.

  /// The connection is set up and accepts audio; `resumed` tells whether the conversation goes on.
  case linkReady(connection: ConnectionID, resumed: Bool)
  /// The connection is over, however it ended. Sent exactly once for each opened connection.
  case linkClosed(connection: ConnectionID, failure: LinkFailure)
  /// The server announced that it will cut this connection.
  case linkExpiring(connection: ConnectionID, milliseconds: Int)
  /// Whether the session could be resumed on a new connection from here.
  case resumptionChanged(connection: ConnectionID, isPossible: Bool)
  /// A piece of the transcript of the user's words. A final piece ends the utterance. Few servers tell more of it than its text.
  case userTranscribed(connection: ConnectionID, text: String, isFinal: Bool, hearing: Hearing? = nil)
  /// What the user seems to have said so far of what is not transcribed yet; takes the place of the one before. Shown while he
  /// speaks, and nothing else: it decides nothing and is sent to nobody.
  case interimTranscribed(connection: ConnectionID, text: String)
  /// The live model called `converse`.
  case instructionProposed(call: CallID, text: String)
  /// The live model called `stop`.
  case stopRequested(call: CallID)
  /// The live model called something that is not a tool of ours, or with arguments that make no sense.
  case callRejected(call: CallID, reason: String)
  /// The live model withdrew these calls: they must not be answered.
  case callsWithdrawn(calls: [CallID])
  /// The listener's own voice: a question back, or small talk. A simulated model names no turn.
  case modelAudio(connection: ConnectionID, audio: SpeechAudio, turn: ModelTurnID? = nil)
  /// What the listener's own voice says.
  case modelTranscribed(connection: ConnectionID, text: String)
  /// All sound of the listener's current turn has been sent.
  case modelAudioEnded(connection: ConnectionID)
  /// The server heard the user speak over the model: what is playing must fall silent.
  case modelInterrupted(connection: ConnectionID)
  /// The listener's turn is over.
  case modelTurnEnded(connection: ConnectionID)
  /// The server tells of an error, in its own words, and the connection goes on.
  case linkErred(connection: ConnectionID, reason: String)
  /// Tokens that the live model reports, summed over this connection.
  case modelUsage(connection: ConnectionID, inputTokens: Int, outputTokens: Int)

  // The readout: what speaks the agent's text.

  /// Sound of a requested piece of speech. Comes in order, faster than it plays.
  case speechAudio(speech: SpeechID, audio: SpeechAudio)
  /// All sound of this piece has arrived. Sent once for each piece that was neither cancelled nor failed.
  case speechEnded(speech: SpeechID)
  /// This piece cannot be spoken; its text is on the screen. Sent instead of `speechEnded`.
  case speechFailed(speech: SpeechID, reason: String)

  /// Tokens that the readout has used, summed over the session.
  case readoutUsage(inputTokens: Int, outputTokens: Int)

  // The speaker.

  /// The first sample of this piece was handed to the device.
  case playbackStarted(speech: SpeechID)
  /// The last sample of this piece has played.
  case playbackEnded(speech: SpeechID)
  /// Playback was cleared; `heardMilliseconds` is how much of the piece that was playing had played, if one was.
  case playbackCleared(speech: SpeechID?, heardMilliseconds: Int)
  /// The speaker failed for good; the session goes on without sound.
  case speakerFailed(reason: String)

  // Both sound devices.

  /// A device gives or takes no sound any more, and is being opened again for as long as it takes.
  case soundDeviceSilent(kind: SoundDeviceKind, name: String)
  /// A device that was opened again gives or takes sound.
  case soundDeviceReturned(kind: SoundDeviceKind, name: String)
  /// The sound server has moved us to another device, because the one before is gone or another became the default.
  case soundDeviceReplaced(kind: SoundDeviceKind, name: String, formerName: String)

  // The coding agent.

  case agentReady(agent: AgentDescription)
  /// What the agent is set to and what it offers: once it is ready, and whenever that changes.
  case agentControlsTold(controls: AgentControls)
  /// The agent did not take a change; answers one `changeAgent`.
  case agentSettingRefused(setting: AgentSetting, value: String, reason: String)
  /// The agent's sessions in the working folder, the newest first; answers `listAgentSessions`.
  case agentSessionsListed(sessions: [AgentSessionSummary])
  /// What was said in a session, the oldest first; answers `listAgentMessages`.
  case agentMessagesListed(session: AgentSessionID, messages: [AgentSessionMessage])
  /// The sessions cannot be listed, or the agent cannot go on in that one.
  case agentSessionRefused(reason: String)
  /// The agent cannot be reached at all; `reason` says what failed, on what, and what to do.
  case agentUnavailable(reason: String)
  /// The agent takes unusually long to be ready; `reason` says how to see why. `agentReady` or `agentUnavailable` follows.
  case agentDelayed(reason: String)
  case agentReported(run: RunID, event: AgentEvent)
  /// The agent began a run by itself, because a command in the background ended or it has a goal; the text says why. What becomes
  /// of it is reported as of any run. Its number is the agent's and below zero, so that it is none of the controller's.
  case agentStartedRun(run: RunID, text: String)
  /// What the agent will come back to by itself, such as a command in the background, in its own words; all of it each time.
  case agentOwes(work: [String])
  /// The agent ended while nothing was asked of it; the next run starts it again, and `reason` says why it ended.
  case agentClosed(reason: String)

  // The local speech engine.

  /// Only where the live model is the local one.
  case speechEngineReported(report: SpeechEngineReport)

  // The record.

  /// The instruction stands in the ledger, flushed to disk: it may leave.
  case ledgerEntered(instruction: InstructionID)
  /// The ledger could not be written: the instruction must not leave.
  case ledgerFailed(instruction: InstructionID, reason: String)
  /// The log or a sound file can no longer be written, which is sent once, or sound is missing in one because the disk stalled,
  /// which is sent when that begins and when it is over.
  case recordingFailed(reason: String)
  /// An earlier session ended before this instruction was confirmed, and the user is here to decide what shall become
  /// of it.
  case instructionRecovered(
    text: String, origin: Instruction.Origin, isUnheard: Bool? = nil, wasSpoken: Bool? = nil)
}

extension VoiceEvent {
  /// Whether this only brings sound, as a hundred events a second do.
  package var isSound: Bool {
    switch self {
    case .microphoneFrame, .speechAudio: true
    default: false
    }
  }

  /// Whether this is acted on before all that waits: what the user does, what the system asks of the process, and the start,
  /// which comes before either.
  package var overtakes: Bool {
    switch self {
    case .sessionStarted, .commandGiven, .commandsEnded, .screenLent, .screenReturned, .terminationRequested: true
    default: false
    }
  }
}

/// Who noticed that the user speaks.
package enum VoiceDetector: String, Sendable, Codable, CaseIterable {
  /// The voice activity detection at the microphone, behind the echo canceller.
  case vad
  /// The live model's server.
  case model
}

/// How a connection ended.
package struct LinkFailure: Equatable, Sendable, Codable {
  /// What can be done about it.
  package enum Remedy: String, Sendable, Codable {
    /// We closed it ourselves.
    case none
    /// Connect again and resume.
    case resume
    /// Connect again, but without the old conversation, which the server does not accept any more.
    case newSession
    /// Trying again would fail again: a wrong key, a refused setup, a model that does not exist.
    case giveUp
  }

  package var remedy: Remedy
  /// What failed, on what, and what to do, with the server's own reason; never holds a key.
  package var reason: String

  package init(remedy: Remedy, reason: String) {
    self.remedy = remedy
    self.reason = reason
  }
}

/// How a microphone listens beside a loudspeaker, while that can be heard.
package enum Duplex: String, Sendable, Codable {
  /// As half duplex, and it has not been found yet how late the echo comes, or it comes at no steady time: nobody can say of what is
  /// heard around the program's own voice whose it is.
  case unknown
  /// It hears only who is clearly louder than the echo can be: the echo canceller has not shown yet that it holds.
  case half
  /// It hears the user at any loudness: the echo canceller has shown that it holds.
  case full
  /// It hears the user at any loudness: of several seconds of playback nothing arrived, as with headphones.
  case noEcho
  /// It may miss the user, or mishear him, whatever the canceller does: the echo is louder at the microphone than he is.
  case drowned
}
