import Dispatch
package import VoiceCore
import VoiceSystem
package import VoiceVocabulary

/// The real, bounded inbox: any thread posts, and a session or one task takes. Events are stamped as they enter; what was
/// overtaken has the time of what went before it, so that order and time agree.
///
/// What the user does, and what the system asks of the process, goes before everything else: a halt is not to wait until
/// all is read that an agent has written. Among themselves both keep their order, or a halt would overtake the very
/// approval that it is to take back. A flood of commands from a pipe still lets sound through.
///
/// When too much sound waits, microphone frames are dropped (their positions show the gap) and every other event is still
/// taken: sound can be missed, a decision cannot. Whatever reads the output of an agent waits for room before it reads on, so that
/// the inbox is bounded by the session's pace and not by the agent's.
package final class EventInbox: EventSource, Sendable {
  /// Events in the order in which they came.
  private struct Line {
    private var events: [StampedEvent] = []
    private var taken = 0

    /// Events that were not taken yet.
    var count: Int { events.count - taken }

    mutating func append(_ event: StampedEvent) { events.append(event) }

    mutating func popFirst() -> StampedEvent? {
      guard count > 0 else { return nil }
      defer {
        if taken == events.count {
          events.removeAll(keepingCapacity: taken <= Limits.waitingFrames)
          taken = 0
        } else if taken > Limits.waitingFrames, taken > events.count / 2 {
          // A poster that never pauses is never caught up with; what was taken is not to be kept all that time.
          events.removeFirst(taken)
          taken = 0
        }
      }
      taken += 1
      return events[taken - 1]
    }
  }

  /// Who waits for room.
  private enum Poster {
    case thread(DispatchSemaphore)
    case task(UnsafeContinuation<Void, Never>)
  }

  private struct State {
    var urgent = Line()
    var ordinary = Line()
    /// How many urgent events were taken since an ordinary one was.
    var urgentInARow = 0
    /// How many microphone frames were not taken yet.
    var waitingFrames = 0
    /// The time of the newest event that was taken.
    var lastTime = SessionTime.zero
    /// Resumed exactly once: whoever resumes it takes it out first.
    var waiter: UnsafeContinuation<Void, Never>?
    /// A session that waits: the next event is its next step, which whoever posts it has to see to.
    var waitingRun: Run?
    var isFinished = false
    /// What was not taken yet of what agents told: an event counts once, and once more for each kilobyte of text.
    var waitingReports = 0
    /// Who waits for room. Signalled exactly once: whoever does takes it out first.
    var posters: [Poster] = []
    /// Whether steps are taken, or will be, so that waiting for room makes sense.
    var makesRoom = true

    /// Events that were not taken yet.
    var count: Int { urgent.count + ordinary.count }

    mutating func append(_ event: StampedEvent) {
      if case .microphoneFrame = event.event { waitingFrames += 1 }
      waitingReports += event.event.weight
      if event.event.overtakes { urgent.append(event) } else { ordinary.append(event) }
    }

    mutating func next() -> StampedEvent? {
      let givesWay = urgentInARow >= Limits.urgentInARow && ordinary.count > 0
      guard let next = (givesWay ? nil : urgent.popFirst()) ?? ordinary.popFirst() else { return nil }
      urgentInARow = next.event.overtakes ? urgentInARow + 1 : 0
      if case .microphoneFrame = next.event { waitingFrames -= 1 }
      waitingReports -= next.event.weight
      if waitingReports <= Limits.waitingReports / 2 { wakePosters() }
      return inOrder(next)
    }

    /// Whether nobody has to wait before more is read from an agent.
    var hasRoom: Bool { !makesRoom || waitingReports <= Limits.waitingReports }

    mutating func wakePosters() {
      for poster in posters {
        switch poster {
        case .thread(let room): room.signal()
        case .task(let room): room.resume()
        }
      }
      posters = []
    }

    /// The event that is taken now: never before the one that was taken last.
    mutating func inOrder(_ event: StampedEvent) -> StampedEvent {
      lastTime = max(lastTime, event.time)
      return StampedEvent(time: lastTime, event: event.event)
    }
  }

  /// A session that takes its steps in here.
  private final class Run: @unchecked Sendable {
    // Touched by whoever took the run out of `state`, until it is put back there: one thread after the other.
    var session: VoiceSession
    let ended: UnsafeContinuation<SessionOutcome, Never>

    init(_ session: VoiceSession, _ ended: UnsafeContinuation<SessionOutcome, Never>) {
      self.session = session
      self.ended = ended
    }
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "parley.session")
  private let clock = SessionClock()

  package init() {}

  /// The time since the inbox was made; any thread.
  package var now: SessionTime { clock.now }

  /// Whether something waits that the user or the system wants, which goes before everything else; any thread.
  package var hasUrgent: Bool { state.withLock { $0.urgent.count > 0 } }

  /// Append an event; any thread, never blocks for long.
  ///
  /// A session takes its steps on a thread of its own, but for sound: where nothing else waits, that step is taken right here,
  /// before this returns. Sound comes a hundred times a second, and waking a thread costs more than the step, which waits for
  /// no disk. So whoever brings sound holds no lock that a port may want. What came meanwhile is not its business.
  package func post(_ event: VoiceEvent) {
    guard let (run, stamped) = accept(event) else { return }
    guard event.isSound else { return queue.async { [self] in steps(run, from: stamped) } }
    if let next = step(run, stamped) { queue.async { [self] in steps(run, from: next) } }
  }

  /// Waits while so much that agents told is not taken yet that nobody should read on.
  package var pace: ReadingPace {
    ReadingPace(onThread: { [self] in waitForRoom() }, inTask: { [self] in await room() })
  }

  private func waitForRoom() {
    let room = DispatchSemaphore(value: 0)
    let waits = state.withLock { state in
      if state.hasRoom { return false }
      state.posters.append(.thread(room))
      return true
    }
    if waits { room.wait() }
  }

  private func room() async {
    await withUnsafeContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.hasRoom { return true }
        state.posters.append(.task(continuation))
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// No step is taken any more: nobody waits for room from now on.
  package func stopPacing() {
    state.withLock { state in
      state.makesRoom = false
      state.wakePosters()
    }
  }

  /// Take an event in. The result is the next step of a session that waited for one.
  private func accept(_ event: VoiceEvent) -> (Run, StampedEvent)? {
    let (step, waiter) = state.withLock { state -> ((Run, StampedEvent)?, UnsafeContinuation<Void, Never>?) in
      if state.isFinished { return (nil, nil) }
      if case .microphoneFrame = event, state.waitingFrames >= Limits.waitingFrames { return (nil, nil) }
      let stamped = StampedEvent(time: now, event: event)
      if let run = state.waitingRun.take() { return ((run, state.inOrder(stamped)), nil) }
      state.append(stamped)
      return (nil, state.waiter.take())
    }
    waiter?.resume()
    return step
  }

  /// Take this step, and all for which events came meanwhile. On `queue` alone.
  private func steps(_ run: Run, from first: StampedEvent) {
    var following: StampedEvent? = first
    while let next = following { following = step(run, next) }
  }

  /// Take one step. One thread at a time is in here: the one that ended the session's wait. Returns the next step;
  /// nil if there is none yet, or the session ended.
  private func step(_ run: Run, _ event: StampedEvent) -> StampedEvent? {
    if let outcome = run.session.step(event) {
      stopPacing()
      run.ended.resume(returning: outcome)
      return nil
    }
    return nextStep(of: run)
  }

  /// What to do next; nil if the session waits from now on.
  private func nextStep(of run: Run) -> StampedEvent? {
    state.withLock { state in
      let next = state.next()
      if next == nil { state.waitingRun = run }
      return next
    }
  }

  /// Take every event as a step of this session, until it ends. To be called once; nothing else may use the session's
  /// ports meanwhile but what any thread may.
  package func run(_ session: VoiceSession) async -> SessionOutcome {
    await withUnsafeContinuation { ended in
      let run = Run(session, ended)
      if let first = nextStep(of: run) { queue.async { [self] in steps(run, from: first) } }
    }
  }

  /// Nothing more is taken in; `next()` returns what is left and then nil.
  package func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      state.makesRoom = false
      state.wakePosters()
      return state.waiter.take()
    }
    waiter?.resume()
  }

  package func next() async -> StampedEvent? {
    while true {
      let (next, isOver) = state.withLock { state in
        let next = state.next()
        return (next, next == nil && state.isFinished)
      }
      if next != nil || isOver { return next }
      await withUnsafeContinuation { continuation in
        let isOneThere = state.withLock { state in
          precondition(state.waiter == nil, "two tasks take from one inbox")
          if state.count > 0 || state.isFinished { return true }
          state.waiter = continuation
          return false
        }
        if isOneThere { continuation.resume() }
      }
    }
  }
}

extension VoiceEvent {
  /// How much of the room for what agents tell it takes.
  fileprivate var weight: Int {
    guard case .agentReported(_, let event) = self else { return 0 }
    switch event {
    case .text(let delta), .thought(let delta): return 1 + delta.utf8.count / 1_024
    default: return 1
    }
  }
}
