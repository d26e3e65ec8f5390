import Subprocess
import VoiceSystem
import VoiceVocabulary

/// What goes into the speech engine's process, and what it prints.
enum SpeechEngineStreams {
  /// How much of what the child prints is kept for the reason of its end.
  private static let keptErrorBytes = 2_000

  /// Writes message after message until there are no more.
  static func write(_ frames: AsyncStream<[UInt8]>, to writer: StandardInputWriter) async {
    for await frame in frames {
      do { _ = try await writer.write(frame) } catch { return }
    }
  }

  /// Keeps the end of what the child prints.
  static func keep(_ output: SubprocessOutputSequence, in printed: Locked<[UInt8]>) async {
    do {
      for try await buffer in output {
        let bytes = buffer.withUnsafeBytes { Array($0) }
        printed.withLock { printed in
          printed.append(contentsOf: bytes)
          printed.removeFirst(max(0, printed.count - keptErrorBytes))
        }
      }
    } catch {
      // The pipe of a child that ended: its reason is told by its exit.
      return
    }
  }

  /// The last thing that was printed.
  static func lastLine(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.lines.last { !$0.isEmpty }.map { String($0.prefix(300)) } ?? ""
  }
}
