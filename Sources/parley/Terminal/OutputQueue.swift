import Dispatch
import VoiceSystem

/// What is printed, written in order on a thread of its own: a reader that stops reading holds up nobody who prints. Any thread may
/// call it.
final class OutputQueue: Sendable {
  private struct State {
    /// What nobody writes yet, in order.
    var waiting: [(descriptor: Int32, bytes: [UInt8])] = []
    /// Bytes that are not written yet.
    var count = 0
    var isWriting = false
    var failures: [Int32: Descriptors.Failure] = [:]
  }

  /// With so much unread, what only repeats itself is not worth printing.
  private static let backlogBytes = 65_536

  /// What is printed within this time is written together: to wake the thread costs more than to print.
  private static let gatheringMicroseconds: UInt32 = 1000

  private let queue = DispatchQueue(label: "parley.output")
  private let state = Locked(State())

  /// Print this behind everything before it, whichever descriptor that went to.
  func put(_ bytes: [UInt8], to descriptor: Int32) {
    let mustWrite = state.withLock { state in
      defer { state.isWriting = true }
      state.count += bytes.count
      if let last = state.waiting.indices.last, state.waiting[last].descriptor == descriptor {
        state.waiting[last].bytes += bytes
      } else {
        state.waiting.append((descriptor, bytes))
      }
      return !state.isWriting
    }
    guard mustWrite else { return }
    queue.async { [self] in
      usleep(Self.gatheringMicroseconds)
      write()
    }
  }

  private func write() {
    while let (descriptor, bytes) = next() {
      var failure: Descriptors.Failure?
      do throws(Descriptors.Failure) {
        try Descriptors.write(bytes, to: descriptor)
      } catch {
        failure = error
      }
      state.withLock { state in
        state.count -= bytes.count
        state.failures[descriptor] = state.failures[descriptor] ?? failure
      }
    }
  }

  /// What is to be written next; nil if nothing is, and the next `put` begins again.
  private func next() -> (descriptor: Int32, bytes: [UInt8])? {
    state.withLock { state in
      state.isWriting = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }

  /// Whether a reader is far behind.
  var isBehind: Bool { state.withLock { $0.count > Self.backlogBytes } }

  /// The first failure of what was written there; nil if all went out.
  func failure(of descriptor: Int32) -> Descriptors.Failure? { state.withLock { $0.failures[descriptor] } }

  /// Returns once everything is written; where it is urgent, after a second at the latest.
  func finish(isUrgent: Bool) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: isUrgent ? .now() + .seconds(1) : .distantFuture)
  }
}

/// Hand what `print` has kept back to whoever reads it, also through a pipe.
func flushOutput() { fflush(nil) }
