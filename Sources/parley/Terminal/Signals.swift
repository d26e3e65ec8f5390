import CTerminal
import VoiceSystem
import VoiceVocabulary

/// Turns SIGINT, SIGTERM and SIGHUP into events, tells what becomes of the screen, and sees that a broken pipe does not end the program.
enum Signals {
  /// - Parameters:
  ///   - resized: the terminal's size changed.
  ///   - continued: the program was stopped, and goes on.
  static func watch(
    post: @escaping @Sendable (VoiceEvent) -> Void, resized: @escaping @Sendable () -> Void = {},
    continued: @escaping @Sendable () -> Void = {}
  ) {
    var descriptors: [Int32] = [0, 0]
    precondition(pipe(&descriptors) == 0, "a pipe for signals could not be made")
    let (readEnd, writeEnd) = (descriptors[0], descriptors[1])
    // No agent gets them: what it wrote there would be taken for a signal.
    for end in descriptors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    parley_signals_to(writeEnd)
    SystemThread.detach(for: "signals") {
      var byte: UInt8 = 0
      var isEnding = false
      while read(readEnd, &byte, 1) == 1 {
        switch Int32(byte) {
        case SIGWINCH: resized()
        case SIGCONT: continued()
        case let number where isEnding:
          // Who asks twice does not want to wait for an orderly end.
          parley_terminal_leave()
          _exit(128 + number)
        case let number:
          isEnding = true
          post(.terminationRequested(signal: name(number)))
        }
      }
    }
  }

  private static func name(_ number: Int32) -> String {
    switch number {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(number)"
    }
  }
}
