import VoiceSystem
import VoiceVocabulary

/// What waits to be written: any thread adds, one task takes.
package final class Outbox: Sendable {
  private struct State {
    var waitingBytes = 0
    var isUrgent = false
  }

  private let state = Locked(State())
  private let stream: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let end: AsyncStream<Never>
  private let ending: AsyncStream<Never>.Continuation

  package init() {
    (stream, continuation) = AsyncStream.makeStream()
    (end, ending) = AsyncStream.makeStream()
  }

  /// Add bytes. False if the other side has not read for so long that the limit is reached, which one message alone does not
  /// show; true also after the end, when they go nowhere.
  package func send(_ bytes: [UInt8]) -> Bool {
    let hasRoom = state.withLock { state in
      guard state.waitingBytes == 0 || state.waitingBytes + bytes.count <= ConverseLimits.outboxBytes else {
        return false
      }
      state.waitingBytes += bytes.count
      return true
    }
    if hasRoom { continuation.yield(bytes) }
    return hasRoom
  }

  /// Nothing more is taken in; what waits is still written, and the other side sees the end.
  package func close() { continuation.finish() }

  /// Whether the other side gets no time to end by itself.
  var isUrgent: Bool { state.withLock { $0.isUrgent } }

  /// `close`, and nobody waits for the other side any longer.
  /// - Parameter isUrgent: because the user wants it to stop: it gets no time to end by itself.
  package func finish(isUrgent: Bool = false) {
    if isUrgent { state.withLock { $0.isUrgent = true } }
    continuation.finish()
    ending.finish()
  }

  /// Returns once `finish` was called, however much still waits, and when the task is cancelled.
  package func untilFinished() async { for await _ in end {} }

  /// The next bytes; nil at the end, and when the task is cancelled.
  package func next() async -> [UInt8]? {
    for await bytes in stream {
      state.withLock { $0.waitingBytes -= bytes.count }
      return bytes
    }
    return nil
  }
}
