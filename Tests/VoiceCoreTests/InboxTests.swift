import Testing
import VoiceLoop
import VoiceSystem
import VoiceVocabulary

@testable import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Test func eventsComeOutInTheOrderInWhichTheyEntered() async {
  let inbox = EventInbox()
  for index in 0..<100 { inbox.post(.microphoneFrame(frame: MicrophoneFrame(position: index, samples: []))) }
  inbox.finish()
  var positions: [Int] = []
  var lastTime = SessionTime.zero
  while let next = await inbox.next() {
    guard case .microphoneFrame(let frame) = next.event else { continue }
    positions.append(frame.position)
    #expect(next.time >= lastTime)
    lastTime = next.time
  }
  #expect(positions == Array(0..<100))
}

@Test func aFullInboxDropsSoundButNeverADecision() async {
  let inbox = EventInbox()
  for index in 0..<Limits.waitingFrames + 10 {
    inbox.post(.microphoneFrame(frame: MicrophoneFrame(position: index, samples: [])))
  }
  inbox.post(.commandGiven(command: .halt))
  inbox.finish()
  var frames = 0
  var commands = 0
  while let next = await inbox.next() {
    if case .commandGiven = next.event { commands += 1 } else { frames += 1 }
  }
  #expect(frames == Limits.waitingFrames)
  #expect(commands == 1)
}

@Test func aFloodOfWhatIsNoSoundDropsNoSound() async {
  let inbox = EventInbox()
  for _ in 0..<3 * Limits.waitingFrames { inbox.post(.commandGiven(command: .quiet)) }
  // Frames that were taken make room for others.
  var frames = 0
  for round in 0..<3 {
    for index in 0..<Limits.waitingFrames / 2 {
      inbox.post(.microphoneFrame(frame: MicrophoneFrame(position: round * 100_000 + index, samples: [])))
    }
    if round == 2 { inbox.finish() }
    while frames < (round + 1) * (Limits.waitingFrames / 2), let next = await inbox.next() {
      if case .microphoneFrame = next.event { frames += 1 }
    }
  }
  #expect(frames == 3 * (Limits.waitingFrames / 2))
}

@Test func manyThreadsMayPostWhileOneTaskTakes() async {
  let inbox = EventInbox()
  await withTaskGroup(of: Int.self) { group in
    for _ in 0..<8 {
      group.addTask {
        for _ in 0..<500 { inbox.post(.commandGiven(command: .quiet)) }
        return 0
      }
    }
    group.addTask {
      var taken = 0
      while taken < 4_000, await inbox.next() != nil { taken += 1 }
      return taken
    }
    var total = 0
    for await count in group { total += count }
    #expect(total == 4_000)
  }
}

/// Keeps the steps that were taken, each with its thread.
private struct Steps: RecorderPort {
  let taken = Locked<[(step: VoiceStep, thread: pthread_t)]>([])
  /// Called in the middle of each step.
  var during: @Sendable (VoiceEvent) -> Void = { _ in }

  func record(_ step: VoiceStep) {
    taken.withLock { $0.append((step, pthread_self())) }
    during(step.event)
  }

  /// Whether this event's step is the latest, and was taken on this thread.
  func tookHere(_ event: VoiceEvent) -> Bool {
    taken.withLock { taken in
      guard let last = taken.last else { return false }
      return last.step.event == event && pthread_equal(last.thread, pthread_self()) != 0
    }
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}

private func frame(_ position: Int) -> VoiceEvent {
  .microphoneFrame(frame: MicrophoneFrame(position: position, samples: []))
}

@Test(.timeLimit(.minutes(5))) func aStepOfSoundIsTakenBeforePostReturns() async {
  let inbox = EventInbox()
  let steps = Steps()
  inbox.post(.sessionStarted(settings: InteractionSettings()))
  let outcome = await withTaskGroup { group in
    group.addTask { await inbox.run(VoiceSession(ports: .silent(recorder: steps))) }
    // Until the session waits for the first time, on a thread of its own, there is nobody to take a step here.
    var first = 1
    inbox.post(frame(first))
    while !steps.tookHere(frame(first)) {
      await Task.yield()
      first += 1
      inbox.post(frame(first))
    }
    for position in first + 1...first + 500 {
      inbox.post(frame(position))
      #expect(steps.tookHere(frame(position)))
    }
    inbox.post(.terminationRequested(signal: "the test"))
    return await group.next()
  }
  #expect(outcome == .terminated(signal: "the test"))
  let taken = steps.taken.withLock { $0.map(\.step) }
  #expect(taken.map(\.sequence) == Array(0..<taken.count))
}

/// Sound costs its thread one step, however much comes meanwhile.
@Test(.timeLimit(.minutes(5))) func whatComesDuringAStepOfSoundIsTakenElsewhere() async {
  let inbox = EventInbox()
  let quiet = VoiceEvent.commandGiven(command: .quiet)
  let steps = Steps { if $0.isSound { inbox.post(quiet) } }
  inbox.post(.sessionStarted(settings: InteractionSettings()))
  await withTaskGroup { group in
    group.addTask { _ = await inbox.run(VoiceSession(ports: .silent(recorder: steps))) }
    var position = 1
    inbox.post(frame(position))
    while !steps.taken.withLock({
      $0.contains { $0.step.event == frame(position) && pthread_equal($0.thread, pthread_self()) != 0 }
    }) {
      await Task.yield()
      position += 1
      inbox.post(frame(position))
    }
    let here = steps.taken.withLock { $0.filter { pthread_equal($0.thread, pthread_self()) != 0 } }
    #expect(!here.isEmpty && here.allSatisfy { $0.step.event.isSound })
    inbox.post(.terminationRequested(signal: "the test"))
  }
  let taken = steps.taken.withLock { $0.map(\.step.event) }
  #expect(taken.count { $0 == quiet } == taken.count { $0.isSound })
}

@Test(.timeLimit(.minutes(5))) func whoeverPostsNothingIsLost() async {
  let inbox = EventInbox()
  let steps = Steps()
  await withTaskGroup { group in
    group.addTask { _ = await inbox.run(VoiceSession(ports: .silent(recorder: steps))) }
    inbox.post(.sessionStarted(settings: InteractionSettings()))
    await withTaskGroup { posters in
      for poster in 0..<8 {
        posters.addTask {
          for _ in 0..<500 {
            let sound = VoiceEvent.speechAudio(speech: SpeechID(rawValue: 1), audio: SpeechAudio(samples: [0]))
            inbox.post(poster.isMultiple(of: 2) ? sound : .commandGiven(command: .quiet))
          }
        }
      }
    }
    // The end overtakes nothing that was posted before it.
    inbox.post(.agentUnavailable(reason: "the test is over"))
  }
  let taken = steps.taken.withLock { $0.map(\.step) }
  #expect(taken.count == 4_002)
  #expect(taken.map(\.sequence) == Array(0..<taken.count))
  #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.time <= $1.time })
}

@Test func aRecordingWaitsForALinkAndAPersonDoesNot() {
  var controller = InteractionController()
  let settings = InteractionSettings { $0.microphoneWaits = true }
  #expect(!controller.handle(.sessionStarted(settings: settings), at: .zero).contains(.startMicrophone))
  let ready = VoiceEvent.linkReady(connection: ConnectionID(rawValue: 1), resumed: false)
  #expect(controller.handle(ready, at: .milliseconds(900)).contains(.startMicrophone))

  var another = InteractionController()
  #expect(another.handle(.sessionStarted(settings: .init()), at: .zero).contains(.startMicrophone))
  #expect(!another.handle(ready, at: .milliseconds(900)).contains(.startMicrophone))
}

@Test func theUnacknowledgedAudioSendsAnUnansweredUtteranceAgain() {
  var sound = UnacknowledgedAudio()
  let frames = (0..<100).map { UnacknowledgedAudio.Item.frame(MicrophoneFrame(position: $0 * 320, samples: [])) }
  for frame in frames { sound.keepSent(frame, at: .zero) }
  sound.connectionLost(forgetsSigns: true)
  #expect(sound.hasUnsent)
  #expect(sound.takeAll() == frames)
}

@Test func theUnacknowledgedAudioForgetsWhatWasAnswered() {
  var sound = UnacknowledgedAudio()
  for index in 0..<100 { sound.keepSent(.frame(MicrophoneFrame(position: index * 320, samples: [])), at: .zero) }
  sound.answered(isQuiet: true, at: .zero)
  sound.connectionLost(forgetsSigns: true)
  #expect(sound.takeAll().count == Limits.prerollFrames)
}

@Test func theUnacknowledgedAudioOfAClosedUtteranceIsEmpty() {
  var sound = UnacknowledgedAudio()
  sound.keepSent(.activityStart, at: .zero)
  sound.keepSent(.frame(MicrophoneFrame(position: 0, samples: [])), at: .zero)
  sound.keepSent(.activityEnd, at: .zero)
  sound.answered(isQuiet: true, at: .zero)
  sound.connectionLost(forgetsSigns: true)
  #expect(sound.takeAll().isEmpty)
}

@Test func aLongSilenceWithoutAConnectionKeepsTheNewestMinute() {
  var sound = UnacknowledgedAudio()
  var dropped = false
  for index in 0..<5_000 {
    dropped = sound.keep(.frame(MicrophoneFrame(position: index * 320, samples: [])), at: .zero) || dropped
  }
  let items = sound.takeAll()
  #expect(dropped)
  #expect(items.count <= Limits.backlogFrames + Limits.backlogFrames / 10)
  #expect(items.last == .frame(MicrophoneFrame(position: 4_999 * 320, samples: [])))
}

private func text(_ index: Int) -> VoiceEvent {
  .agentReported(run: RunID(rawValue: 1), event: .text(delta: "\(index)"))
}

@Test func aFloodOfCommandsKeepsNoSoundWaiting() async {
  let inbox = EventInbox()
  for _ in 0..<1_000 { inbox.post(.commandGiven(command: .quiet)) }
  for index in 0..<50 { inbox.post(.microphoneFrame(frame: MicrophoneFrame(position: index * 320, samples: []))) }
  inbox.finish()
  var frames = 0
  for _ in 0..<900 {
    if case .microphoneFrame = await inbox.next()?.event { frames += 1 }
  }
  #expect(frames == 50)
}

@Test func whatTheUserDoesGoesBeforeAllThatWaits() async {
  let inbox = EventInbox()
  inbox.post(.sessionStarted(settings: InteractionSettings()))
  for index in 0..<20_000 { inbox.post(text(index)) }
  inbox.post(.commandGiven(command: .approve))
  inbox.post(.commandGiven(command: .halt))
  inbox.post(.terminationRequested(signal: "SIGTERM"))
  inbox.finish()
  var taken: [StampedEvent] = []
  while let next = await inbox.next() { taken.append(next) }
  // In their own order: a halt takes back the approval before it.
  #expect(
    taken.prefix(4).map(\.event) == [
      .sessionStarted(settings: InteractionSettings()), .commandGiven(command: .approve),
      .commandGiven(command: .halt), .terminationRequested(signal: "SIGTERM"),
    ])
  #expect(taken.dropFirst(4).map(\.event) == (0..<20_000).map(text))
  #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.time <= $1.time }, "time never goes back")
}

@Test(.timeLimit(.minutes(5))) func aFloodThatNeverPausesKeepsNothingThatWasTaken() async {
  let inbox = EventInbox()
  for index in 0..<1_000 { inbox.post(text(index)) }
  for index in 1_000..<300_000 {
    inbox.post(text(index))
    #expect(await inbox.next()?.event == text(index - 1_000))
  }
}

/// Halts the session once its own step has been taken, from a step in the middle of a flood.
private final class HaltingRecorder: RecorderPort, Sendable {
  let inbox: EventInbox
  let taken = Locked<[VoiceEvent]>([])

  init(_ inbox: EventInbox) { self.inbox = inbox }

  func record(_ step: VoiceStep) {
    let count = taken.withLock { taken in
      taken.append(step.event)
      return taken.count
    }
    if count == 100 { inbox.post(.terminationRequested(signal: "SIGTERM")) }
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}

@Test(.timeLimit(.minutes(5))) func aSignalInTheMiddleOfAFloodIsTheNextStep() async {
  let inbox = EventInbox()
  let recorder = HaltingRecorder(inbox)
  inbox.post(.sessionStarted(settings: InteractionSettings()))
  for index in 0..<20_000 { inbox.post(text(index)) }
  #expect(await inbox.run(VoiceSession(ports: .silent(recorder: recorder))) == .terminated(signal: "SIGTERM"))
  #expect(recorder.taken.withLock { $0.count } == 101)
}

/// Who reads from an agent waits for the session, on a thread or in a task, and reads on once half of it is dealt with.
@Test(arguments: [false, true]) func whoBringsMoreThanIsDealtWithWaits(_ isTask: Bool) async {
  let inbox = EventInbox()
  let pace = inbox.pace
  let event = VoiceEvent.agentReported(
    run: RunID(rawValue: 1), event: .text(delta: String(repeating: "x", count: 10_240)))
  // One that is being taken is not counted any more.
  let most = Limits.waitingReports / 11 + 2
  let posted = Locked(0)
  let (full, tell) = AsyncStream.makeStream(of: Void.self)
  let post: @Sendable (Int) -> Void = { number in
    inbox.post(event)
    posted.withLock { $0 = number }
    if number == most - 1 { tell.finish() }
  }
  if isTask {
    Task { for number in 1...1_000 { await pace.waitInTask(); post(number) } }
  } else {
    SystemThread.detach(for: "an agent") { for number in 1...1_000 { pace.waitOnThread(); post(number) } }
  }
  for await _ in full {}
  var taken = 0
  while taken < 1_000, await inbox.next() != nil {
    #expect(posted.withLock { $0 } - taken <= most)
    taken += 1
  }
  #expect(taken == 1_000)
}

/// A session that is over deals with nothing any more, and keeps nobody.
@Test(arguments: [false, true]) func whoWaitsWhenTheSessionEndsGoesOn(_ isFinished: Bool) async {
  let inbox = EventInbox()
  let pace = inbox.pace
  let (going, tell) = AsyncStream.makeStream(of: Int.self)
  SystemThread.detach(for: "an agent") {
    for number in 1...2 * Limits.waitingReports {
      pace.waitOnThread()
      inbox.post(.agentReported(run: RunID(rawValue: 1), event: .paragraphEnded))
      tell.yield(number)
    }
    tell.finish()
  }
  var last = 0
  for await number in going {
    last = number
    guard number == Limits.waitingReports + 1 else { continue }
    if isFinished { inbox.finish() } else { inbox.stopPacing() }
  }
  #expect(last == 2 * Limits.waitingReports)
}
