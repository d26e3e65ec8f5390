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
    /// Told of the first failure at each descriptor.
    var watcher: (@Sendable (Int32, Descriptors.Failure) -> Void)?
    /// What is being written, by its number; nil between two writings.
    var writing: Int?
    var writings = 0
    /// Who is told when this descriptor takes nothing, and when it has taken all there is.
    var stallWatcher: (descriptor: Int32, tell: @Sendable (Bool) -> Void)?
    var isStalled = false
  }

  /// What a reader has not taken by then, he does not see.
  private static let stallMilliseconds = 250

  /// With so much unread, what only repeats itself is not worth printing.
  private static let backlogBytes = 65_536

  /// What is printed within this time is written together: to wake the thread costs more than to print.
  private static let gatheringMicroseconds: UInt32 = 1000

  private let queue = DispatchQueue(label: "parley.output")
  /// Tells of stalls, in their order.
  private let stalls = DispatchQueue(label: "parley.output.stalls")
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
      begin(descriptor)
      var failure: Descriptors.Failure?
      do throws(Descriptors.Failure) {
        try Descriptors.write(bytes, to: descriptor)
      } catch {
        failure = error
      }
      let watcher = state.withLock { state in
        state.count -= bytes.count
        guard let failure, state.failures[descriptor] == nil else { return nil as Watcher? }
        state.failures[descriptor] = failure
        return state.watcher
      }
      if let failure { watcher?(descriptor, failure) }
      end()
    }
  }

  /// Something is about to be written, which may take as long as its reader likes.
  private func begin(_ descriptor: Int32) {
    let number = state.withLock { state -> Int? in
      state.writings += 1
      state.writing = state.writings
      return state.stallWatcher?.descriptor == descriptor && !state.isStalled ? state.writings : nil
    }
    guard let number else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.stallMilliseconds)) { [state, stalls] in
      state.withLock { state in
        guard state.writing == number, !state.isStalled, let tell = state.stallWatcher?.tell else { return }
        state.isStalled = true
        stalls.async { tell(true) }
      }
    }
  }

  /// It is written, or never will be.
  private func end() {
    state.withLock { state in
      state.writing = nil
      guard state.isStalled, let (descriptor, tell) = state.stallWatcher,
        !state.waiting.contains(where: { $0.descriptor == descriptor })
      else { return }
      state.isStalled = false
      stalls.async { tell(false) }
    }
  }

  /// Be told when a reader has not taken within 250 ms what is written there, and when he has taken all.
  func watchStalls(of descriptor: Int32, _ tell: @escaping @Sendable (Bool) -> Void) {
    state.withLock { $0.stallWatcher = (descriptor, tell) }
  }

  private typealias Watcher = @Sendable (Int32, Descriptors.Failure) -> Void

  /// Be told once of each descriptor at which something cannot be written, of those where that is known already as well.
  func watch(_ watcher: @escaping @Sendable (Int32, Descriptors.Failure) -> Void) {
    let known = state.withLock { state in
      state.watcher = watcher
      return state.failures
    }
    for (descriptor, failure) in known { watcher(descriptor, failure) }
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

  /// Do something once all that was put before is written, or could not be; a reader that does not read holds it up for a second
  /// at the most.
  func afterwards(_ act: @escaping @Sendable () -> Void) {
    let isDone = Locked(false)
    let once: @Sendable () -> Void = {
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { act() }
    }
    queue.async(execute: once)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1), execute: once)
  }

  /// Returns once everything is written; where it is urgent, after a second at the latest.
  func finish(isUrgent: Bool) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: isUrgent ? .now() + .seconds(1) : .distantFuture)
  }
}
