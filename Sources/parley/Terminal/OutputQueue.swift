import Dispatch
import VoiceSystem

/// What is printed, written in order on a thread of its own: a reader that stops reading holds up nobody who prints. Any thread may
/// call it.
final class OutputQueue: Sendable {
  private struct State {
    /// Bytes that are not written yet.
    var waiting = 0
    var failures: [Int32: Descriptors.Failure] = [:]
  }

  /// With so much unread, what only repeats itself is not worth printing.
  private static let backlogBytes = 65_536

  private let queue = DispatchQueue(label: "parley.output")
  private let state = Locked(State())

  init() {}

  /// Print this behind everything before it, whichever descriptor that went to.
  func put(_ bytes: [UInt8], to descriptor: Int32) {
    state.withLock { $0.waiting += bytes.count }
    queue.async { [state] in
      var failure: Descriptors.Failure?
      do throws(Descriptors.Failure) {
        try Descriptors.write(bytes, to: descriptor)
      } catch {
        failure = error
      }
      state.withLock { state in
        state.waiting -= bytes.count
        state.failures[descriptor] = state.failures[descriptor] ?? failure
      }
    }
  }

  /// Whether a reader is far behind.
  var isBehind: Bool { state.withLock { $0.waiting > Self.backlogBytes } }

  /// The first failure of what was written there; nil if all went out.
  func failure(of descriptor: Int32) -> Descriptors.Failure? { state.withLock { $0.failures[descriptor] } }

  /// Returns once everything is written; where it is urgent, after a second at the latest.
  func finish(isUrgent: Bool) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: isUrgent ? .now() + .seconds(1) : .distantFuture)
  }
}
