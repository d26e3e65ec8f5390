import Foundation
import Testing

@testable import VoiceAudio

struct SampleRingTests {
  private func read(_ ring: borrowing SampleRing, _ count: Int) -> [Int16] { ring.read(atMost: count) }

  @Test func samplesComeOutInOrderAcrossTheSeam() {
    let ring = SampleRing(capacity: 64)
    var next = 0
    for round in 0..<100 {
      let count = 1 + round % 40
      #expect(ring.write(ramp(next, count)) == count)
      #expect(read(ring, 64) == ramp(next, count))
      next += count
    }
    #expect(ring.written == next)
    #expect(ring.consumed == next)
    #expect(read(ring, 8).isEmpty)
  }

  @Test func whatDoesNotFitIsRefusedAndNothingIsOverwritten() {
    let ring = SampleRing(capacity: 64)
    #expect(ring.write(ramp(0, 100)) == 64)
    #expect(ring.write(ramp(0, 1)) == 0)
    #expect(read(ring, 100) == ramp(0, 64))
  }

  @Test func whatIsTakenBackFadesOutAndIsGone() {
    let ring = SampleRing(capacity: 4_096)
    _ = ring.write([Int16](repeating: 1_000, count: 2_000))
    ring.dropUnread()
    _ = ring.write(ramp(0, 100))
    let faded = read(ring, 480)
    #expect(faded.count == 240)
    #expect(zip(faded, faded.dropFirst()).allSatisfy { $0.0 >= $0.1 })
    #expect((faded.last ?? .max) < 20)
    #expect(read(ring, 480) == ramp(0, 100))
  }

  @Test func aWriterAndAReaderOnTwoThreadsAgree() {
    final class Box: @unchecked Sendable {
      // One thread writes, one reads: what the ring is for.
      let ring = SampleRing(capacity: 256)
    }
    let box = Box()
    let total = 200_000
    let writer = Thread {
      var next = 0
      while next < total { next += box.ring.write(ramp(next, min(100, total - next))) }
    }
    writer.start()
    var next = 0
    var isInOrder = true
    while next < total {
      let got = read(box.ring, 77)
      isInOrder = isInOrder && got == ramp(next, got.count)
      next += got.count
    }
    #expect(isInOrder)
  }
}
