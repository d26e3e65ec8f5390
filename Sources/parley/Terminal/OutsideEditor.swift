import CTerminal
import VoiceFoundation
import VoiceSystem
import VoiceVocabulary

/// The user's own editor, on a file that only he can read and that is gone afterwards.
enum OutsideEditor {
  /// Why nothing came of it.
  struct Failure: Error { let reason: String }

  /// Edit a text, and wait for the end of that. The calling thread must be the only one that reads the keyboard.
  static func edit(_ text: String) -> Result<String, Failure> {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    // Made with mode 0600, and under a name that nobody else has.
    var template = Array("\(folder)/parley-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard file >= 0 else { return .failure(Failure(reason: "No file for the editor can be made in \(folder).")) }
    defer { unlink(path) }
    let isWritten = Descriptors.offer(Array((text + "\n").utf8), to: file)
    close(file)
    guard isWritten else { return .failure(Failure(reason: "The file \(path) for the editor cannot be written.")) }
    switch parley_terminal_edit(path) {
    case 0: break
    case 126, 127: return .failure(Failure(reason: "The editor could not run; set $EDITOR. Nothing was changed."))
    default: return .failure(Failure(reason: "The editor failed; nothing was changed."))
    }
    let bytes: [UInt8]
    do throws(PlainFile.Refusal) {
      // Indented, a text may be longer than it is as an instruction.
      bytes = try PlainFile.contents(path, limit: 4 * Limits.instructionCharacters)
    } catch {
      return .failure(Failure(reason: "What the editor left cannot be read: \(error.reason). Nothing was changed."))
    }
    // One instruction is one text: its lines are joined.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return .success(lines.map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }.joined(separator: " "))
  }
}
