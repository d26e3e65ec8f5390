import Testing
import VoiceCore

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
  for index in 0..<Limits.inboxEvents + 10 {
    inbox.post(.microphoneFrame(frame: MicrophoneFrame(position: index, samples: [])))
  }
  inbox.post(.commandGiven(command: .halt))
  inbox.finish()
  var frames = 0
  var commands = 0
  while let next = await inbox.next() {
    if case .commandGiven = next.event { commands += 1 } else { frames += 1 }
  }
  #expect(frames == Limits.inboxEvents)
  #expect(commands == 1)
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

/// Waits for one event, then for the next, and says through `taken` that it took one before it waits again.
private func take(from inbox: EventInbox, _ taken: Locked<[VoiceEvent]>) async {
  while let next = await inbox.next() { taken.withLock { $0.append(next.event) } }
}

@Test(.timeLimit(.minutes(5))) func aStepIsTakenBeforeAPostThatOffersItsThreadReturns() async {
  let inbox = EventInbox()
  let taken = Locked<[VoiceEvent]>([])
  await withTaskGroup { group in
    group.addTask(executorPreference: inbox.executor) { await take(from: inbox, taken) }
    // Until the task waits for the first time, there is nobody to run.
    inbox.post(.commandGiven(command: .quiet))
    while taken.withLock({ $0.isEmpty }) { await Task.yield() }
    var isHere = false
    for position in 1...500 {
      let before = taken.withLock { $0.count }
      inbox.postHere(.microphoneFrame(frame: MicrophoneFrame(position: position, samples: [])))
      // At first the task may still be on its way to waiting, on a thread of the pool; never again after a step here.
      let wasHere = isHere
      isHere = taken.withLock { $0.count } > before
      #expect(isHere || !wasHere)
      while taken.withLock({ $0.count }) == before { await Task.yield() }
    }
    #expect(isHere)
    inbox.finish()
  }
  #expect(taken.withLock { $0.count } == 501)
}

@Test(.timeLimit(.minutes(5))) func threadsThatOfferThemselvesLoseNothing() async {
  let inbox = EventInbox()
  let taken = Locked<[VoiceEvent]>([])
  await withTaskGroup { group in
    group.addTask(executorPreference: inbox.executor) { await take(from: inbox, taken) }
    await withTaskGroup { posters in
      for poster in 0..<8 {
        posters.addTask {
          for _ in 0..<500 {
            let event = VoiceEvent.commandGiven(command: .quiet)
            if poster.isMultiple(of: 2) { inbox.postHere(event) } else { inbox.post(event) }
          }
        }
      }
    }
    inbox.finish()
  }
  #expect(taken.withLock { $0.count } == 4_000)
}

@Test func aRecordingWaitsForALinkAndAPersonDoesNot() {
  var controller = InteractionController()
  let settings = InteractionSettings(microphoneWaits: true)
  #expect(!controller.handle(.sessionStarted(settings: settings), at: .zero).contains(.startMicrophone))
  let ready = VoiceEvent.linkReady(connection: ConnectionID(rawValue: 1), resumed: false)
  #expect(controller.handle(ready, at: .milliseconds(900)).contains(.startMicrophone))

  var another = InteractionController()
  #expect(another.handle(.sessionStarted(settings: .init()), at: .zero).contains(.startMicrophone))
  #expect(!another.handle(ready, at: .milliseconds(900)).contains(.startMicrophone))
}

@Test func theUnansweredSoundSendsAnUnansweredUtteranceAgain() {
  var sound = UnansweredSound()
  let frames = (0..<100).map { UnansweredSound.Item.frame(MicrophoneFrame(position: $0 * 320, samples: [])) }
  for frame in frames { sound.keepSent(frame) }
  sound.connectionLost()
  #expect(sound.hasUnsent)
  #expect(sound.takeAll() == frames)
}

@Test func theUnansweredSoundForgetsWhatWasAnswered() {
  var sound = UnansweredSound()
  for index in 0..<100 { sound.keepSent(.frame(MicrophoneFrame(position: index * 320, samples: []))) }
  sound.answered()
  sound.connectionLost()
  #expect(sound.takeAll().count == Limits.prerollFrames)
}

@Test func theUnansweredSoundOfAClosedUtteranceIsEmpty() {
  var sound = UnansweredSound()
  sound.keepSent(.activityStart)
  sound.keepSent(.frame(MicrophoneFrame(position: 0, samples: [])))
  sound.keepSent(.activityEnd)
  sound.answered()
  sound.connectionLost()
  #expect(sound.takeAll().isEmpty)
}

@Test func aLongSilenceWithoutAConnectionKeepsTheNewestMinute() {
  var sound = UnansweredSound()
  var dropped = false
  for index in 0..<5_000 {
    dropped = sound.keep(.frame(MicrophoneFrame(position: index * 320, samples: []))) || dropped
  }
  let items = sound.takeAll()
  #expect(dropped)
  #expect(items.count <= Limits.backlogFrames + Limits.backlogFrames / 10)
  #expect(items.last == .frame(MicrophoneFrame(position: 4_999 * 320, samples: [])))
}
