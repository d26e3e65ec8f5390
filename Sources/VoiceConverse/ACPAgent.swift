package import VoiceCore

/// A coding agent that speaks the Agent Client Protocol: a child process behind the port.
///
/// The port's calls may come from any thread. `run()` must be awaited by a task group of the composition root for as
/// long as the session lasts; it owns the child. The child is started by `openAgent`, and again by the next run after
/// it died. To end it all, call `shutDown()` or cancel the task: `run()` returns when no process is left.
package final class ACPAgent: ConverseAgent {
  private struct State {
    var session: ACPSession
    var effects = EffectQueue<ACPSession.Effect>()
    var outbox: Outbox?
    var timers: AsyncStream<Timer>.Continuation?
  }

  private struct Timer: Sendable {
    let deadline: ACPSession.Deadline
    let milliseconds: Int
  }

  private let command: ChildCommand
  private let state: Locked<State>
  private let post: @Sendable (VoiceEvent) -> Void
  private let launches: AsyncStream<Void>
  private let launch: AsyncStream<Void>.Continuation
  private let clock: any Clock<Duration>

  package init(
    command: ChildCommand, settings: ACPSession.Settings, clock: any Clock<Duration> = ContinuousClock(),
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.command = command
    self.post = post
    self.clock = clock
    state = Locked(State(session: ACPSession(settings: settings)))
    (launches, launch) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func openAgent() { step { $0.open() } }

  package func startRun(_ run: RunID, _ instruction: Instruction) { step { $0.start(run, instruction) } }

  package func cancelRun(_ run: RunID) { step { $0.cancel(run) } }

  package func abandonRun(_ run: RunID) { step { $0.abandon(run) } }

  package func answerPermission(_ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice) {
    step { $0.answer(permission, of: run, with: choice) }
  }

  package func run() async {
    await withTaskCancellationHandler {
      for await _ in launches { await liveOnce() }
    } onCancel: {
      shutDown()
    }
  }

  package func shutDown() {
    step { $0.shutDown() }
    launch.finish()
  }

  /// One child, from its start to its end.
  private func liveOnce() async {
    let outbox = Outbox()
    let (timers, continuation) = AsyncStream.makeStream(of: Timer.self)
    state.withLock { state in
      state.outbox = outbox
      state.timers = continuation
    }
    let end = await withTaskGroup(of: ChildEnd?.self) { group in
      group.addTask { [command] in
        await ChildProcess(command).run(outbox: outbox) { event in self.take(event) }
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
    case .started: step { $0.launched() }
    case .output(.line(let line)): step { $0.receive(line) }
    case .output(.overlong): step { $0.misbehaved("sent a line without an end") }
    case .outputEnded: step { $0.outputEnded() }
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

  /// Decide under the lock, do outside of it, in the order of the decisions: a receiver of an event may call the port.
  private func step(_ decide: (inout ACPSession) -> [ACPSession.Effect]) {
    let isPerformer = state.withLock { state in state.effects.add(decide(&state.session)) }
    guard isPerformer else { return }
    while let effect = state.withLock({ $0.effects.next() }) { perform(effect) }
  }

  private func perform(_ effect: ACPSession.Effect) {
    switch effect {
    case .post(let event): post(event)
    case .launch: launch.yield()
    case .hangUp: state.withLock { $0.outbox }?.finish()
    case .arm(let deadline, let milliseconds):
      _ = state.withLock { $0.timers }?.yield(Timer(deadline: deadline, milliseconds: milliseconds))
    case .send(let bytes):
      let isTaken = state.withLock { $0.outbox }?.send(bytes) ?? true
      if !isTaken { step { $0.misbehaved("does not read what it is told") } }
    }
  }
}
