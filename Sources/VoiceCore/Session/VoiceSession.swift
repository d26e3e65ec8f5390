package import VoiceVocabulary

/// One run of the loop: takes events in their one serial order, lets the controller decide, writes the step to the log,
/// and only then performs it.
///
/// A step is a plain call: it waits for nothing, and whoever makes it makes one after the other. A live session and a
/// replay differ in where the events come from and in `ports` alone.
package struct VoiceSession {
  private let ports: VoicePorts
  private var controller = InteractionController()
  private var sequence = 0
  private var status = SessionStatus()

  package init(ports: VoicePorts) { self.ports = ports }

  /// Take one step; the first event is `sessionStarted`. The result is how the session ended, if it did: nothing may come
  /// after that.
  package mutating func step(_ next: StampedEvent) -> SessionOutcome? {
    let actions = controller.handle(next.event, at: next.time)
    ports.recorder.record(
      VoiceStep(
        sequence: sequence, time: next.time, event: next.event, actions: actions, reasons: controller.takeReasons(),
        state: next.event.isSound ? nil : controller.digest))
    sequence += 1
    for action in actions { perform(action) }
    showStatus(after: next.event)
    return controller.outcome
  }

  private mutating func showStatus(after event: VoiceEvent) {
    // Nothing that is shown follows from what the microphone hears, fifty times a second.
    if case .microphoneFrame = event { return }
    guard controller.status != status else { return }
    status = controller.status
    ports.console.show(status)
  }

  /// Take the events of a source until the controller ends the session.
  package mutating func run(_ events: any EventSource) async -> SessionOutcome {
    while let next = await events.next() {
      if let outcome = step(next) { return outcome }
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
    case .truncateModelTurn(let connection, let turn, let milliseconds):
      ports.liveModel.truncate(turn, heardMilliseconds: milliseconds, on: connection)
    case .speak(let speech, let text, _): ports.readout.speak(text, as: speech)
    case .cancelSpeech(let speech): ports.readout.cancelSpeech(speech)
    case .play(let speech, let audio): ports.audio.play(audio, of: speech)
    case .finishPlaying(let speech): ports.audio.finishPlaying(speech)
    case .clearPlayback: ports.audio.clearPlayback()
    case .duckPlayback: ports.audio.duckPlayback()
    case .resumePlayback: ports.audio.resumePlayback()
    case .setSpeechRate(let percent): ports.audio.setSpeechRate(percent: percent)
    case .playEarcon(let earcon): ports.audio.play(earcon)
    case .openAgent: ports.agent.openAgent()
    case .startRun(let run, let instruction): ports.agent.startRun(run, instruction)
    case .cancelRun(let run): ports.agent.cancelRun(run)
    case .abandonRun(let run): ports.agent.abandonRun(run)
    case .answerPermission(let run, let permission, let choice, let reason):
      ports.agent.answerPermission(permission, of: run, with: choice, because: reason)
    case .answerQuestion(let run, let question, let answer):
      ports.agent.answerQuestion(question, of: run, with: answer)
    case .steerRun(let run, let instruction): ports.agent.steerRun(run, instruction)
    case .changeAgent(let setting, let value): ports.agent.changeAgent(setting, to: value)
    case .listAgentSessions: ports.agent.listAgentSessions()
    case .listAgentMessages(let session): ports.agent.listAgentMessages(of: session)
    case .reopenAgent(let start): ports.agent.reopenAgent(start)
    case .takeBackApproval(let record, let start): ports.agent.takeBackApproval(record, start)
    case .enterInLedger(let run, let instruction): ports.recorder.enterInLedger(instruction, as: run)
    case .noteInLedger(let entry): ports.recorder.noteInLedger(entry)
    case .show(let notice): ports.console.show(notice)
    case .keepCorrections(let corrections): ports.words.keep(corrections)
    case .startTimer(let timer, let milliseconds): ports.timers.startTimer(timer, milliseconds: milliseconds)
    case .cancelTimer(let timer): ports.timers.cancelTimer(timer)
    case .end: break
    }
  }
}
