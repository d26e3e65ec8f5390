import VoiceSystem

/// What a verb prints, gathered and written to standard output, or line by line to a terminal. Any thread may call it. A stream of
/// the C library forgets why a write failed that it made by itself; here the first reason is kept, and nothing is tried behind it.
enum StandardOutput {
  private struct State {
    var waiting: [UInt8] = []
    var failure: Descriptors.Failure?
  }

  private static let gatheredBytes = 16_384
  private static let isTerminal = isatty(STDOUT_FILENO) == 1
  private static let state = Locked(State())

  /// Print this behind everything before it.
  static func put(_ text: String) {
    state.withLock { state in
      state.waiting += text.utf8
      if isTerminal || state.waiting.count >= gatheredBytes { write(&state) }
    }
  }

  /// Hand what is gathered to whoever reads it, also through a pipe.
  static func flush() { state.withLock { write(&$0) } }

  /// Why not all of it went out; nil if it did. Meant for the end, once it is flushed.
  static var failure: Descriptors.Failure? { state.withLock { $0.failure } }

  private static func write(_ state: inout State) {
    defer { state.waiting.removeAll(keepingCapacity: true) }
    guard state.failure == nil, !state.waiting.isEmpty else { return }
    do throws(Descriptors.Failure) {
      try Descriptors.write(state.waiting, to: STDOUT_FILENO)
    } catch {
      state.failure = error
    }
  }
}

/// Print text on standard output. Stands before the standard library's, whose failures nobody learns.
func print(_ text: String, terminator: String = "\n") { StandardOutput.put(text + terminator) }

/// Hand what `print` has kept back to whoever reads it, also through a pipe.
func flushOutput() { StandardOutput.flush() }

extension Descriptors.Failure {
  /// Whether the reader of a pipe went away, who had enough: that is no failure of whoever writes.
  var isEnough: Bool { number == EPIPE }

  /// What failed, and what to do about it, as sentences.
  /// - Parameter name: of what cannot be written, at the beginning of a sentence.
  func sentences(_ name: String) -> String {
    switch number {
    case EBADF: "\(name) cannot be written: it is closed. Leave it open, or send it to a file."
    case ENOSPC, EDQUOT, EFBIG: "\(name) cannot be written: \(reason). Free some space there, or send it elsewhere."
    default: "\(name) cannot be written: \(reason). Send it elsewhere."
    }
  }
}
