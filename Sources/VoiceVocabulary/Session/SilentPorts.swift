extension VoicePorts {
  /// Nothing behind the ports but what takes the steps.
  package static func silent(recorder: any RecorderPort) -> VoicePorts {
    let silent = SilentPorts()
    return VoicePorts(
      audio: silent, liveModel: silent, readout: silent, agent: silent, timers: silent, console: silent,
      recorder: recorder)
  }
}

/// Sound and speech of a session that nobody hears: what is not implemented does nothing.
package protocol SilentSound: AudioPort, LiveModelPort, ReadoutPort {}

extension SilentSound {
  package func startMicrophone() {}
  package func play(_ audio: SpeechAudio, of speech: SpeechID) {}
  package func finishPlaying(_ speech: SpeechID) {}
  package func clearPlayback() {}
  package func duckPlayback() {}
  package func resumePlayback() {}
  package func setSpeechRate(percent: Int) {}
  package func play(_ earcon: Earcon) {}
  package func openLink(_ connection: ConnectionID, resuming: Bool) {}
  package func closeLink(_ connection: ConnectionID) {}
  package func send(_ frame: MicrophoneFrame, on connection: ConnectionID) {}
  package func sendActivityStart(on connection: ConnectionID) {}
  package func sendActivityEnd(on connection: ConnectionID) {}
  package func answer(_ call: CallID, with answer: String) {}
  package func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID) {}
  package func speak(_ text: String, as speech: SpeechID) {}
  package func cancelSpeech(_ speech: SpeechID) {}
}

private struct SilentPorts: SilentSound, CodingAgentPort, TimerPort, ConsolePort {
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
