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
