import Testing
import VoiceReplay
import VoiceVocabulary

@testable import VoiceAudio

/// A pipe of 64 KB between a writer with a timetable and the reader under test, in a time of their own.
private struct SimulatedPipe {
  struct Delivered {
    var time: SessionTime
    var position: Int
    var samples: [Int16]
    var isSilence = false
  }

  static let capacity = 65_536
  var frames = PipeFrames()
  var positions = FramePositions(now: 0)
  var now = SessionTime.zero
  var delivered: [Delivered] = []
  var ended = 0
  /// What the writer still wants to write, and what is in the pipe.
  private var wanted: ArraySlice<UInt8> = []
  private var content: ArraySlice<UInt8> = []
  private var hasWriter = false

  var position: Int { Int(now.microseconds) * PCM.microphoneRate / 1_000_000 }

  /// Open the pipe, if it is not open, and write.
  mutating func write(_ samples: [Int16], oddBytes: Int = 0) {
    hasWriter = true
    wanted += samples.withUnsafeBytes { Array($0) }
    wanted += [UInt8](repeating: 9, count: oddBytes)
    pour()
  }

  /// The writer goes, once all that it wanted to write is in the pipe.
  mutating func close(mayReturn: Bool = true) {
    run(until: now) { !$0.wanted.isEmpty }
    hasWriter = false
    run(until: now) { !$0.content.isEmpty }
    frames.writerLeft(at: now, mayReturn: mayReturn)
  }

  private mutating func pour() {
    let room = Self.capacity - content.count
    content += wanted.prefix(room)
    wanted = wanted.dropFirst(room)
  }

  private mutating func receive() {
    pour()
    let count = frames.fill { [content] room in
      let count = min(room.count, content.count)
      room.copyBytes(from: content.prefix(count))
      return count
    }
    content = content.dropFirst(count)
    pour()
    if count == 0, hasWriter { frames.writerIsThere() }
  }

  /// Let the reader do what it wants until a moment, or longer while a condition holds.
  mutating func run(until end: SessionTime, while goesOn: (Self) -> Bool = { _ in false }) {
    while true {
      let wait: SessionTime?
      switch frames.next(at: now) {
      case .frame(let samples):
        let waiting = frames.waitingSamples + content.count / 2
        let place = positions.take(now: position) { waiting }
        delivered.append(Delivered(time: now, position: place, samples: samples))
        wait = now
      case .silence:
        delivered.append(
          Delivered(time: now, position: positions.take(now: position), samples: [], isSilence: true))
        wait = now
      case .ended:
        ended += 1
        wait = now
      case .hold(let moment): wait = moment
      case .look(let moment):
        wait = moment
        if moment <= end || goesOn(self) {
          now = max(now, moment)
          receive()
        }
      case .read:
        wait = content.isEmpty && wanted.isEmpty ? nil : now
        if wait != nil { receive() }
      }
      guard let wait else { break }
      if wait > end, !goesOn(self) { break }
      now = max(now, wait)
    }
    now = max(now, end)
  }
}

struct PipeFramesTests {
  @Test func aBurstAfterAStallKeepsItsPlaceAndRunsAhead() {
    var pipe = SimulatedPipe()
    pipe.write(ramp(1, 16_000))
    pipe.run(until: .milliseconds(3_000))
    pipe.write(ramp(1, 96_000))
    pipe.run(until: .milliseconds(9_000))
    let burst = pipe.delivered.filter { $0.time >= .milliseconds(3_000) }
    #expect(burst.flatMap(\.samples) == ramp(1, 96_000))
    // 64 KB of it were there at once: they were said in the two seconds before.
    #expect(burst[0].position >= 16_000 && burst[0].position <= 16_000 + 320)
    #expect(zip(burst, burst.dropFirst()).allSatisfy { $0.position + 320 == $1.position })
    // What is said much later lies there.
    pipe.write(ramp(1, 320))
    pipe.run(until: .milliseconds(9_100))
    #expect((9_000 * 16 - 960...9_000 * 16).contains(pipe.delivered.last?.position ?? 0))
  }

  @Test func afterAStallTheSessionsClockIsTheLowerBound() {
    var pipe = SimulatedPipe()
    pipe.write(ramp(1, 320))
    pipe.run(until: .milliseconds(60_000))
    pipe.write(ramp(1, 320))
    pipe.run(until: .milliseconds(60_020))
    #expect(pipe.delivered.map(\.position)[0] == 0)
    #expect((60_000 * 16 - 640...60_000 * 16).contains(pipe.delivered[1].position))
  }

  @Test func aWriterThatIsALittleLateLeavesNoGap() {
    var pipe = SimulatedPipe()
    for step in 0..<50 {
      pipe.run(until: .milliseconds(Int64(step * 20 + step % 7 * 100)))
      pipe.write(ramp(1, 320))
    }
    pipe.run(until: .milliseconds(3_000))
    #expect(pipe.delivered.map(\.position) == (0..<50).map { $0 * 320 })
  }

  @Test func theEndOfStandardInputIsToldAtOnceAndThatOfAWriterLater() {
    var pipe = SimulatedPipe()
    pipe.write(ramp(1, 400), oddBytes: 1)
    pipe.close(mayReturn: false)
    pipe.run(until: pipe.now)
    #expect(pipe.ended == 1)
    #expect(pipe.delivered.map(\.samples.count) == [320, 80])
    pipe.run(until: .milliseconds(400))
    #expect(pipe.delivered.filter(\.isSilence).count == 20, "silence follows at real pace")

    var other = SimulatedPipe()
    other.write(ramp(1, 400), oddBytes: 1)
    other.close()
    other.run(until: .milliseconds(Int64(Limits.pipeWriterMilliseconds) - 1))
    #expect(other.ended == 0)
    other.run(until: .milliseconds(Int64(Limits.pipeWriterMilliseconds)))
    #expect(other.ended == 1)
  }

  /// Writers that come, stall, burst, and go, at random: nothing is lost, positions increase, lie no earlier than they
  /// may, and being ahead never adds up.
  @Test(arguments: UInt64(0)..<24) func anyTimetable(_ seed: UInt64) {
    var random = Draws(seed)
    var pipe = SimulatedPipe()
    var written: [[Int16]] = []
    for _ in 0..<random.next(1...4) {
      var said: [Int16] = []
      pipe.write([])
      for _ in 0..<random.next(1...12) {
        let pause = random.next(0...3) == 0 ? random.next(1_000...20_000) : random.next(0...60)
        pipe.run(until: pipe.now.advanced(byMilliseconds: pause))
        // Never zero, so that what is said can be told from silence.
        let count = random.next(0...2) == 0 ? random.next(1...70_000) : random.next(1...900)
        let samples = (0..<count).map { Int16(truncatingIfNeeded: $0 % 30_000 + 1) }
        pipe.write(samples)
        said += samples
      }
      pipe.write([], oddBytes: random.next(0...1))
      pipe.close()
      written.append(said)
      pipe.run(until: pipe.now.advanced(byMilliseconds: random.next(0...Limits.pipeWriterMilliseconds - 20)))
    }
    pipe.run(until: pipe.now.advanced(byMilliseconds: Limits.pipeWriterMilliseconds))
    #expect(pipe.ended == 1)
    // Not compared in the expectation, which would print, and compare in detail, millions of samples.
    let isWhole = pipe.delivered.flatMap(\.samples) == written.flatMap { $0 }
    #expect(isWhole)
    #expect(zip(pipe.delivered, pipe.delivered.dropFirst()).allSatisfy { $0.position + 320 <= $1.position })
    // Lateness that is no stall, and a frame on each side of it.
    let tolerance = (Limits.microphoneStallMilliseconds + 40) * PCM.microphoneRate / 1000
    var ahead = 0
    var behind = 0
    for frame in pipe.delivered {
      let clock = Int(frame.time.microseconds) * PCM.microphoneRate / 1_000_000
      behind = max(behind, clock - frame.position)
      ahead = max(ahead, frame.position - clock)
    }
    // What waits in the pipe is at most 64 KB, and a few frames in the reader's hand.
    #expect(behind <= tolerance + (SimulatedPipe.capacity + 4_096) / 2)
    // However often it stalled and burst: after as much silence as it had run ahead it is in step again.
    let pause = ahead * 1_000 / PCM.microphoneRate + Limits.microphoneStallMilliseconds + 100
    var later = pipe
    later.frames = PipeFrames()
    later.now = pipe.now.advanced(byMilliseconds: pause)
    later.write(ramp(1, 320))
    later.run(until: later.now)
    let last = later.delivered.last
    let clock = Int(later.now.microseconds) * PCM.microphoneRate / 1_000_000
    #expect((clock - tolerance...clock).contains(last?.position ?? -1))
  }
}

/// Numbers that a seed decides.
struct Draws {
  private var generator: SeededGenerator

  init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
}
