/// One run of the loop: takes events in their one serial order, lets the controller decide, writes the step to the log,
/// and only then performs it.
///
/// All state is the local variable of one task, which suspends only while it waits for the next event; so no step can be
/// interleaved with another. A live session and a replay differ in `events` and `ports` alone.
package struct VoiceSession {
  private let events: any EventSource
  private let ports: VoicePorts

  package init(events: any EventSource, ports: VoicePorts) {
    self.events = events
    self.ports = ports
  }

  /// Run until the controller ends the session. The event source delivers `sessionStarted` first.
  package func run() async -> SessionOutcome {
    var controller = InteractionController()
    var sequence = 0
    while let next = await events.next() {
      let actions = controller.handle(next.event, at: next.time)
      ports.recorder.record(
        VoiceStep(
          sequence: sequence, time: next.time, event: next.event, actions: actions, reasons: controller.takeReasons(),
          state: next.event.isSound ? nil : controller.digest))
      sequence += 1
      for action in actions { perform(action) }
      if let outcome = controller.outcome { return outcome }
    }
    return .failed(reason: "Nothing could happen any more, but the session was not over.")
  }

  private func perform(_ action: VoiceAction) {
    switch action {
    case .startMicrophone: ports.audio.startMicrophone()
    case .openLink(let connection, let resuming): ports.liveModel.openLink(connection, resuming: resuming)
    case .closeLink(let connection): ports.liveModel.closeLink(connection)
    case .sendAudio(let connection, let frame): ports.liveModel.send(frame, on: connection)
    case .sendActivityStart(let connection): ports.liveModel.sendActivityStart(on: connection)
    case .sendActivityEnd(let connection): ports.liveModel.sendActivityEnd(on: connection)
    case .answerCall(let call, let answer): ports.liveModel.answer(call, with: answer)
    case .speak(let speech, let text): ports.readout.speak(text, as: speech)
    case .cancelSpeech(let speech): ports.readout.cancelSpeech(speech)
    case .play(let speech, let audio): ports.audio.play(audio, of: speech)
    case .finishPlaying(let speech): ports.audio.finishPlaying(speech)
    case .clearPlayback: ports.audio.clearPlayback()
    case .duckPlayback: ports.audio.duckPlayback()
    case .resumePlayback: ports.audio.resumePlayback()
    case .playEarcon(let earcon): ports.audio.play(earcon)
    case .openAgent: ports.agent.openAgent()
    case .startRun(let run, let instruction): ports.agent.startRun(run, instruction)
    case .cancelRun(let run): ports.agent.cancelRun(run)
    case .answerPermission(let run, let permission, let choice):
      ports.agent.answerPermission(permission, of: run, with: choice)
    case .answerQuestion(let run, let question, let answer):
      ports.agent.answerQuestion(question, of: run, with: answer)
    case .steerRun(let run, let instruction): ports.agent.steerRun(run, instruction)
    case .enterInLedger(let run, let instruction): ports.recorder.enterInLedger(instruction, as: run)
    case .noteInLedger(let entry): ports.recorder.noteInLedger(entry)
    case .show(let notice): ports.console.show(notice)
    case .startTimer(let timer, let milliseconds): ports.timers.startTimer(timer, milliseconds: milliseconds)
    case .cancelTimer(let timer): ports.timers.cancelTimer(timer)
    case .end: break
    }
  }
}
