extension VoicePorts {
  /// Nothing behind the ports but what takes the steps.
  package static func silent(recorder: any RecorderPort) -> VoicePorts {
    let silent = SilentPorts()
    return VoicePorts(
      audio: silent, liveModel: silent, readout: silent, agent: silent, timers: silent, console: silent,
      recorder: recorder)
  }
}

private struct SilentPorts: AudioPort, LiveModelPort, ReadoutPort, CodingAgentPort, TimerPort, ConsolePort {
  func startMicrophone() {}
  func play(_ audio: SpeechAudio, of speech: SpeechID) {}
  func finishPlaying(_ speech: SpeechID) {}
  func clearPlayback() {}
  func duckPlayback() {}
  func resumePlayback() {}
  func setSpeechRate(percent: Int) {}
  func play(_ earcon: Earcon) {}
  func openLink(_ connection: ConnectionID, resuming: Bool) {}
  func closeLink(_ connection: ConnectionID) {}
  func send(_ frame: MicrophoneFrame, on connection: ConnectionID) {}
  func sendActivityStart(on connection: ConnectionID) {}
  func sendActivityEnd(on connection: ConnectionID) {}
  func answer(_ call: CallID, with answer: String) {}
  func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID) {}
  func speak(_ text: String, as speech: SpeechID) {}
  func cancelSpeech(_ speech: SpeechID) {}
  func openAgent() {}
  func startRun(_ run: RunID, _ instruction: Instruction) {}
  func cancelRun(_ run: RunID) {}
  func abandonRun(_ run: RunID) {}
  func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {}
  func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {}
  func steerRun(_ run: RunID, _ instruction: Instruction) {}
  func startTimer(_ timer: TimerID, milliseconds: Int) {}
  func cancelTimer(_ timer: TimerID) {}
  func show(_ notice: Notice) {}
}
