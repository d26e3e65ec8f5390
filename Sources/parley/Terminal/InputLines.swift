import VoiceSystem
import VoiceVocabulary

/// The lines of standard input, for those who read it as lines.
enum InputLines {
  /// A command word, and an instruction that is as long as it may be.
  private static let longest = Limits.instructionCharacters + 100

  /// Read them to the end, on a thread that may wait for it; those that are not blank are obeyed, and what is too long is told.
  static func read(obey: (String) -> Void, refuse: (String) -> Void) {
    var lines = LineSplitter(limit: longest)
    func take(_ piece: LineSplitter.Piece) {
      switch piece {
      case .overlong: refuse("A line on standard input is too long; it was dropped.")
      case .line(let bytes):
        let line = String(decoding: bytes, as: UTF8.self)
        if !line.trimmingWhitespace().isEmpty { obey(line) }
      }
    }
    while let bytes = next() { lines.append(bytes).forEach(take) }
    if let last = lines.finish() { take(last) }
  }

  /// What comes next; nil where nothing more can.
  private static func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    do throws(Descriptors.Failure) {
      let count = try Descriptors.read(STDIN_FILENO, into: &buffer)
      return count > 0 ? Array(buffer[..<count]) : nil
    } catch {
      return nil
    }
  }
}
