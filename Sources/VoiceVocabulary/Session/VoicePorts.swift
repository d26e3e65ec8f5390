// The ports of a session. Every call is synchronous, returns at once and cannot fail: what came of it returns later as
// an event. The steps of the session are the only callers: one after the other, though not all on one thread.

/// The microphone and the speaker.
package protocol AudioPort {
  /// Frames begin to arrive as `microphoneFrame`.
  func startMicrophone()
  /// Queue sound behind what is already queued. 24 kHz.
  func play(_ audio: SpeechAudio, of speech: SpeechID)
  /// No more sound comes for this piece: `playbackEnded` follows when its last sample has played.
  func finishPlaying(_ speech: SpeechID)
  /// Drop everything queued and fall silent; `playbackCleared` follows.
  func clearPlayback()
  /// Lower what plays, at once and without a click, until `resumePlayback` or `clearPlayback`. No other piece begins.
  func duckPlayback()
  /// Go on at full level, from the beginning of the word during which playback was lowered.
  func resumePlayback()
  /// The speed of all speech that is handed over from now on; 100 is as it was spoken.
  func setSpeechRate(percent: Int)
  /// Play a short sound over, or in a gap of, what is playing.
  func play(_ earcon: Earcon)
}

/// The live-model connection that hears the microphone.
package protocol LiveModelPort {
  /// Connect and set up; `linkReady` or `linkClosed` follows. With `resuming`, offer the newest resumption handle.
  func openLink(_ connection: ConnectionID, resuming: Bool)
  /// Close a connection.
  func closeLink(_ connection: ConnectionID)
  /// Send a frame of the user's sound.
  func send(_ frame: MicrophoneFrame, on connection: ConnectionID)
  /// The user begins to speak; with client turn detection only.
  func sendActivityStart(on connection: ConnectionID)
  /// The user has spoken; with client turn detection only.
  func sendActivityEnd(on connection: ConnectionID)
  /// The one final answer to a tool call; the model is not asked to speak.
  func answer(_ call: CallID, with answer: String)
  /// Of this turn of the model the user has heard so much, and hears no more.
  func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID)
}

/// What turns text into speech: a second live session, or a local synthesiser.
package protocol ReadoutPort {
  /// Speak one piece; `speechAudio`… `speechEnded`, or `speechFailed`, follow.
  func speak(_ text: String, as speech: SpeechID)
  /// Nothing more of this piece is wanted.
  func cancelSpeech(_ speech: SpeechID)
}

/// The coding agent.
package protocol CodingAgentPort {
  /// Start the agent; `agentReady` or `agentUnavailable` follows.
  func openAgent()
  /// Send an instruction to the agent; `agentReported` follows, ending with exactly one `turnEnded`.
  func startRun(_ run: RunID, _ instruction: Instruction)
  /// Stop the work. The run still ends with `turnEnded`.
  func cancelRun(_ run: RunID)
  /// Stop the work at any price: end the agent's processes, or the way to it. The run still ends with `turnEnded`.
  func abandonRun(_ run: RunID)
  /// - Parameter reason: why the user denies it; only for an agent that hears reasons.
  func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?)
  /// The user's answer to a question of this run.
  func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer)
  /// Hand a further instruction to a run that works; `steered` or `steeringRefused` follows before the run's end. Asked
  /// only of an agent that can be steered.
  func steerRun(_ run: RunID, _ instruction: Instruction)
  /// Set the agent to one of the values that it offers. Asked only of an agent that told of such.
  func changeAgent(_ setting: AgentSetting, to value: String)
  /// Tell the agent's sessions; `agentSessionsListed` or `agentSessionRefused` follows.
  func listAgentSessions()
  /// Tell what was said in a session; `agentMessagesListed` or `agentSessionRefused` follows.
  func listAgentMessages(of session: AgentSessionID)
  /// End the agent, and begin again in this session. Asked only while it does nothing.
  func reopenAgent(_ start: AgentSessionStart)
  /// The same, without what it wrote of an approval.
  func takeBackApproval(_ record: ApprovalRecord, _ start: AgentSessionStart)
}

extension CodingAgentPort {
  /// An agent that offers nothing is not asked.
  package func changeAgent(_ setting: AgentSetting, to value: String) {}

  /// Nothing to do: it keeps no sessions.
  package func listAgentSessions() {}

  /// Nothing to do: it keeps no sessions.
  package func listAgentMessages(of session: AgentSessionID) {}

  /// Nothing to do: it keeps no sessions.
  package func reopenAgent(_ start: AgentSessionStart) {}

  /// Nothing to do: it remembers no approval.
  package func takeBackApproval(_ record: ApprovalRecord, _ start: AgentSessionStart) {}
}

/// Timers that fire as `timerFired`.
package protocol TimerPort {
  /// Arm a timer; arming an armed one replaces it.
  func startTimer(_ timer: TimerID, milliseconds: Int)
  /// Disarm a timer; it does not fire any more.
  func cancelTimer(_ timer: TimerID)
}

/// Shows the session to the user.
package protocol ConsolePort {
  /// Something happened that the user is told.
  func show(_ notice: Notice)
  /// What the session is doing has changed.
  func show(_ status: SessionStatus)
}

extension ConsolePort {
  /// Most consoles show notices only.
  package func show(_ status: SessionStatus) {}
}

/// Keeps what the session does.
package protocol RecorderPort {
  /// Append the step to the voice-event log. Called before the step's actions are performed.
  func record(_ step: VoiceStep)
  /// Write and flush; `ledgerEntered` or `ledgerFailed` follows.
  func enterInLedger(_ instruction: Instruction, as run: RunID)
  /// Append a line to the ledger; nothing waits for it.
  func noteInLedger(_ entry: LedgerEntry)
}

/// What the user taught about words, beyond one session.
package protocol WordsPort {
  /// Keep these; `wordsNotKept` follows if that fails.
  func keep(_ corrections: [Correction])
}

/// Keeps nothing: for a session that leaves no trace, and for a simulated world.
package struct ForgottenWords: WordsPort {
  package func keep(_ corrections: [Correction]) {}
}

/// Everything outside the session, one port each.
package struct VoicePorts {
  package var audio: any AudioPort
  package var liveModel: any LiveModelPort
  package var readout: any ReadoutPort
  package var agent: any CodingAgentPort
  package var timers: any TimerPort
  package var console: any ConsolePort
  package var recorder: any RecorderPort
  package var words: any WordsPort

  package init(
    audio: any AudioPort, liveModel: any LiveModelPort, readout: any ReadoutPort, agent: any CodingAgentPort,
    timers: any TimerPort, console: any ConsolePort, recorder: any RecorderPort,
    words: any WordsPort = ForgottenWords()
  ) {
    self.audio = audio
    self.liveModel = liveModel
    self.readout = readout
    self.agent = agent
    self.timers = timers
    self.console = console
    self.recorder = recorder
    self.words = words
  }
}
