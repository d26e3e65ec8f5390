import CTerminal
import Dispatch
import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns SIGINT, SIGTERM and SIGHUP into events, and sees that a broken pipe does not end the program.
enum Signals {
  static func watch(post: @escaping @Sendable (VoiceEvent) -> Void) {
    var descriptors: [Int32] = [0, 0]
    precondition(pipe(&descriptors) == 0, "a pipe for signals could not be made")
    let (readEnd, writeEnd) = (descriptors[0], descriptors[1])
    parley_signals_to(writeEnd)
    DispatchQueue(label: "parley.signals").async {
      var byte: UInt8 = 0
      if read(readEnd, &byte, 1) == 1 { post(.terminationRequested(signal: name(Int32(byte)))) }
      // Who asks twice does not want to wait for an orderly end.
      if read(readEnd, &byte, 1) == 1 {
        parley_terminal_leave()
        _exit(128 + Int32(byte))
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
