import Testing
import VoiceTesting

@testable import VoiceSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct OrderedEffectsTests {
  /// Two who perform at once would not keep the order.
  @Test func onePerformsWhateverOthersDecide() {
    let effects = OrderedEffects<[Int], Int>([])
    let done = Locked<[Int]>([])
    let didOtherPerform = Locked(false)
    effects.step({ _ in [1, 2] }) { effect in
      if effect == 1 {
        onAnotherThread { effects.step({ _ in [3] }) { _ in didOtherPerform.withLock { $0 = true } } }
      }
      done.withLock { $0.append(effect) }
    }
    #expect(done.withLock { $0 } == [1, 2, 3])
    #expect(!didOtherPerform.withLock { $0 })
  }

  @Test func whatAnEffectDecidesIsPerformedBehindWhatWasDecidedBefore() {
    let effects = OrderedEffects<[Int], Int>([])
    let done = Locked<[Int]>([])
    @Sendable func perform(_ effect: Int) {
      if effect < 3 { effects.step(by: effect == 1 ? .reader : .caller, { _ in [effect + 10] }, perform: perform) }
      done.withLock { $0.append(effect) }
    }
    effects.step({ _ in [1, 2, 3] }, perform: perform)
    effects.step({ _ in [4] }, perform: perform)
    #expect(done.withLock { $0 } == [1, 2, 3, 11, 12, 4])
  }

  /// Otherwise the caller would be kept by whatever is read meanwhile, which would wait in here without a bound.
  @Test func aReaderWaitsForAnotherThreadThatPerforms() {
    let effects = OrderedEffects<[String], String>([])
    let reader = SystemThread()
    effects.step({ _ in ["of the caller", "of the caller"] }) { effect in
      if effects.withLock({ $0.isEmpty }), effects.waitingReaders == 0 {
        #expect(
          reader.start {
            effects.step(by: .reader) { state in
              state.append("decision of the reader")
              return ["of the reader"]
            } perform: { effect in
              effects.withLock { $0.append(effect) }
            }
          })
        while effects.waitingReaders == 0, effects.withLock({ $0.isEmpty }) { sched_yield() }
      }
      effects.withLock { $0.append(effect) }
    }
    reader.join()
    #expect(
      effects.withLock { $0 } == ["of the caller", "of the caller", "decision of the reader", "of the reader"])
    #expect(effects.waitingReaders == 0)
  }

  @Test func aCallerNeverWaitsForAReaderThatPerforms() {
    let effects = OrderedEffects<[Int], Int>([])
    effects.step(by: .reader, { _ in [1] }) { effect in
      if effect == 1 { onAnotherThread { effects.step({ _ in [2] }) { _ in } } }
      effects.withLock { $0.append(effect) }
    }
    #expect(effects.withLock { $0 } == [1, 2])
  }

  /// Many threads, each effect in the order of its decision.
  @Test func theOrderHoldsUnderContention() {
    let effects = OrderedEffects<Int, Int>(0)
    let done = Locked<[Int]>([])
    let threads = (0..<4).map { _ in SystemThread() }
    for (index, thread) in threads.enumerated() {
      #expect(
        thread.start {
          for _ in 0..<2_000 {
            effects.step(by: index == 0 ? .reader : .caller) { count in
              count += 1
              return [count]
            } perform: { effect in
              done.withLock { $0.append(effect) }
            }
          }
        })
    }
    for thread in threads { thread.join() }
    #expect(done.withLock { $0 } == Array(1...8_000))
  }
}
