import VoiceSystem
package import VoiceVocabulary

/// A coding agent that is a child process, behind the port.
///
/// The port's calls may come from any thread. `run()` must be awaited by a task group of the composition root for as
/// long as the session lasts; it owns the child. The child is started by `openAgent`, and again by the next run after
/// it died. To end it all, call `shutDown()` or cancel the task: `run()` returns when no process is left.
package final class ChildAgent<Dialect: ChildDialect>: ConverseAgent {
  private struct State {
    var session: ChildSession<Dialect>
    var outbox: Outbox?
    var timers: AsyncStream<Timer>.Continuation?
  }

  private struct Timer: Sendable {
    let deadline: ChildDeadline
    let milliseconds: Int
  }

  private let command: @Sendable (AgentSessionStart) -> ChildCommand
  private let files: WorkingFolderFiles
  private let traffic: WireTap?
  private let pace: ReadingPace
  private let state: OrderedEffects<State, ChildEffect>
  private let post: @Sendable (VoiceEvent) -> Void
  private let launches: AsyncStream<AgentSessionStart>
  private let launch: AsyncStream<AgentSessionStart>.Continuation
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - command: what to start for a session; some agents are told the session by their arguments.
  ///   - traffic: gets every line, in both directions.
  package init(
    settings: ChildSettings, traffic: WireTap? = nil, pace: ReadingPace = .unlimited,
    clock: any Clock<Duration> = ContinuousClock(),
    command: @escaping @Sendable (AgentSessionStart) -> ChildCommand, post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.command = command
    self.post = post
    self.clock = clock
    self.traffic = traffic
    self.pace = pace
    files = WorkingFolderFiles(settings.workingFolder)
    state = OrderedEffects(State(session: ChildSession(settings: settings)))
    (launches, launch) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func openAgent() { step { $0.open() } }

  package func startRun(_ run: RunID, _ instruction: Instruction) { step { $0.start(run, instruction) } }

  package func cancelRun(_ run: RunID) { step { $0.cancel(run) } }

  package func abandonRun(_ run: RunID) { step { $0.abandon(run) } }

  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    step { $0.answer(permission, of: run, with: choice, because: reason) }
  }

  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    step { $0.answer(question, of: run, with: answer) }
  }

  package func steerRun(_ run: RunID, _ instruction: Instruction) { step { $0.steer(run, instruction) } }

  package func changeAgent(_ setting: AgentSetting, to value: String) { step { $0.change(setting, to: value) } }

  package func run() async {
    await withTaskCancellationHandler {
      for await start in launches { await liveOnce(command(start)) }
    } onCancel: {
      shutDown()
    }
  }

  package func shutDown() {
    step { $0.shutDown() }
    launch.finish()
  }

  /// One child, from its start to its end.
  private func liveOnce(_ command: ChildCommand) async {
    let outbox = Outbox()
    let (timers, continuation) = AsyncStream.makeStream(of: Timer.self)
    state.withLock { state in
      state.outbox = outbox
      state.timers = continuation
    }
    let end = await withTaskGroup(of: ChildEnd?.self) { group in
      group.addTask {
        await ChildProcess(command).run(outbox: outbox, pace: self.pace.waitInTask) { event in self.take(event) }
      }
      group.addTask {
        await self.keep(timers)
        return nil
      }
      var end: ChildEnd?
      while end == nil, let next = await group.next() { end = next }
      group.cancelAll()
      return end
    }
    continuation.finish()
    state.withLock { state in
      state.outbox = nil
      state.timers = nil
    }
    if let end { step { $0.ended(end) } }
  }

  private func take(_ event: ChildProcess.Event) {
    switch event {
    case .started: step(by: .reader) { $0.launched() }
    case .output(.line(let line)):
      traffic?(.received(line))
      step(by: .reader) { $0.receive(line) }
    case .output(.overlong): step(by: .reader) { $0.misbehaved("sent a line without an end") }
    case .outputEnded: step(by: .reader) { $0.outputEnded() }
    }
  }

  /// Deadlines last as long as the child that they are about.
  private func keep(_ timers: AsyncStream<Timer>) async {
    await withDiscardingTaskGroup { group in
      for await timer in timers {
        group.addTask { [clock] in
          do {
            try await clock.sleep(for: .milliseconds(timer.milliseconds))
          } catch {
            return  // Cancelled: the child is gone.
          }
          self.step { $0.passed(timer.deadline) }
        }
      }
    }
  }

  /// A receiver of an event may call the port.
  private func step(by source: EffectSource = .caller, _ decide: (inout ChildSession<Dialect>) -> [ChildEffect]) {
    state.step(by: source, { decide(&$0.session) }, perform: perform)
  }

  private func perform(_ effect: ChildEffect) {
    switch effect {
    case .post(let event): post(event)
    case .launch(let start): launch.yield(start)
    case .serve(let request):
      let answer = files.answer(request)
      step { $0.served(request, answer) }
    case .closeInput: state.withLock { $0.outbox }?.close()
    case .terminate: state.withLock { $0.outbox }?.finish()
    case .terminateAtOnce: state.withLock { $0.outbox }?.finish(isUrgent: true)
    case .arm(let deadline, let milliseconds):
      _ = state.withLock { $0.timers }?.yield(Timer(deadline: deadline, milliseconds: milliseconds))
    case .send(let bytes):
      traffic?(.sent(bytes.last == 0x0A ? bytes.dropLast() : bytes))
      let isTaken = state.withLock { $0.outbox }?.send(bytes) ?? true
      if !isTaken { step { $0.misbehaved("does not read what it is told") } }
    }
  }
}
