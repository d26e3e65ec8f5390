import CTerminal
import VoiceSystem
import VoiceVocabulary

/// Turns SIGINT, SIGTERM and SIGHUP into events, tells when the screen must be drawn anew, and sees that a broken pipe does not end the program.
enum Signals {
  /// - Parameter redraw: the terminal's size changed, or the program goes on after a suspension.
  static func watch(post: @escaping @Sendable (VoiceEvent) -> Void, redraw: @escaping @Sendable () -> Void = {}) {
    var descriptors: [Int32] = [0, 0]
    precondition(pipe(&descriptors) == 0, "a pipe for signals could not be made")
    let (readEnd, writeEnd) = (descriptors[0], descriptors[1])
    parley_signals_to(writeEnd)
    SystemThread.detach(for: "signals") {
      var byte: UInt8 = 0
      var isEnding = false
      while read(readEnd, &byte, 1) == 1 {
        switch Int32(byte) {
        case SIGWINCH, SIGCONT: redraw()
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
