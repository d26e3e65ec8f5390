/// Something to be done, in the imperative. The controller returns these; the ports carry them out.
package enum VoiceAction: Equatable, Sendable, Codable {
  // The microphone and the listener.

  case startMicrophone
  case openLink(connection: ConnectionID, resuming: Bool)
  case closeLink(connection: ConnectionID)
  case sendAudio(connection: ConnectionID, frame: MicrophoneFrame)
  /// With client turn detection: the user began to speak. Audio follows.
  case sendActivityStart(connection: ConnectionID)
  case sendActivityEnd(connection: ConnectionID)
  /// The one final answer to a tool call, on the connection that asked, without asking the model to speak.
  case answerCall(call: CallID, answer: String)
  /// The listener's own voice was cut: of this turn the user has heard so much.
  case truncateModelTurn(connection: ConnectionID, turn: ModelTurnID, heardMilliseconds: Int)

  // Speaking.

  /// Ask the readout to speak a piece. At most one piece is asked for at a time.
  case speak(speech: SpeechID, text: String, purpose: SpeechPurpose)
  /// The readout must forget this piece; what still arrives of it is dropped.
  case cancelSpeech(speech: SpeechID)
  case play(speech: SpeechID, audio: SpeechAudio)
  /// No more sound comes for this piece.
  case finishPlaying(speech: SpeechID)
  /// Silence now; everything queued is dropped.
  case clearPlayback
  /// Lower what plays, until it is decided whether the user means to interrupt it.
  case duckPlayback
  /// It was nothing: go on from the same word.
  case resumePlayback
  /// The speed of all speech that is handed over from now on; 100 is as it was spoken.
  case setSpeechRate(percent: Int)
  case playEarcon(earcon: Earcon)

  // The coding agent.

  case openAgent
  case startRun(run: RunID, instruction: Instruction)
  case cancelRun(run: RunID)
  /// The agent does not confirm that it stopped: end its processes, or the way to it. The run still ends with `turnEnded`.
  case abandonRun(run: RunID)
  /// The reason is the user's own, for an agent that hears reasons; nil if there is none, or the agent takes none.
  case answerPermission(
    run: RunID, permission: PermissionID, choice: PermissionRequest.Choice, reason: String? = nil)
  case answerQuestion(run: RunID, question: QuestionID, answer: AgentQuestion.Answer)
  /// Give a further instruction to a run that works; it stands in the ledger.
  case steerRun(run: RunID, instruction: Instruction)

  /// Set the agent to one of the values that it offers. `agentControlsTold` or `agentSettingRefused` follows.
  case changeAgent(setting: AgentSetting, value: String)
  case listAgentSessions
  case listAgentMessages(session: AgentSessionID)
  /// End the agent, which does nothing just now, and begin again in this session; `agentReady` follows, or what tells why not.
  case reopenAgent(start: AgentSessionStart)
  /// End the agent, which does nothing just now, remove what it wrote of an approval, and begin again in this session;
  /// `agentReady` follows, or `agentSessionRefused`, and then nothing was done.
  case takeBackApproval(record: ApprovalRecord, start: AgentSessionStart)

  // The record and the screen.

  /// Write this instruction to the ledger and flush it to disk.
  case enterInLedger(run: RunID, instruction: Instruction)
  /// Write this to the ledger; it survives the end of the process, and need not be flushed.
  case noteInLedger(entry: LedgerEntry)
  case show(notice: Notice)
  /// Keep what the user taught about words beyond this session.
  case keepCorrections(corrections: [Correction])

  // Time and the end.

  case startTimer(timer: TimerID, milliseconds: Int)
  case cancelTimer(timer: TimerID)
  /// Always the last action.
  case end(outcome: SessionOutcome)
}

/// How a session ended.
package enum SessionOutcome: Equatable, Sendable, Codable {
  /// The input was over and everything was spoken, or the user quit.
  case completed
  /// The process was asked to end, as when its terminal is closed; the signal's name.
  case terminated(signal: String)
  /// The session could not go on; `reason` says what failed, on what, and what to do.
  case failed(reason: String)
}
