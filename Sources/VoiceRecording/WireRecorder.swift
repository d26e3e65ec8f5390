import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// Writes what goes over the wires of a session into a file: a line for each message, with its time. Any thread hands
/// over, and never waits; one thread writes.
package final class WireRecorder: @unchecked Sendable {
  // `file` and `sound` are touched on the thread of `thread` alone.
  private struct Entry: Sendable {
    var time: SessionTime
    var wire: String
    var frame: WireFrame
  }

  private struct Waiting {
    var entries: [Entry] = []
    var bytes = 0
    var dropped = 0
  }

  private let waiting = Locked(Waiting())
  private let thread: WriteBehind
  private let scrubber: Scrubber
  private let now: @Sendable () -> SessionTime
  private let post: @Sendable (VoiceEvent) -> Void
  private var file: AppendFile?
  private var sound = SoundPlaces()
  /// Of what each wire brings, the one that brought something last at the end.
  private var pieces: [(wire: String, scrubber: PieceScrubber)] = []
  /// Every connection is a wire of its own, and a session may make thousands; of these no more are open at once.
  private static let openWires = 16

  /// - Parameters:
  ///   - now: the session's clock.
  ///   - post: is told once if the file cannot be written any more.
  package init(
    _ path: String, scrubber: Scrubber, thread: WriteBehind, now: @escaping @Sendable () -> SessionTime,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws(FileFailure) {
    file = try AppendFile(path)
    self.scrubber = scrubber
    self.thread = thread
    self.now = now
    self.post = post
    thread.add { [weak self] in self?.write() }
  }

  /// What to give to the owner of a wire.
  package func tap(_ wire: String) -> WireTap {
    WireTap(wire) { [self] wire, frame in take(wire, frame) }
  }

  private func take(_ wire: String, _ frame: WireFrame) {
    let entry = Entry(time: now(), wire: wire, frame: frame)
    let isFirst = waiting.withLock { waiting in
      guard waiting.bytes + frame.count <= Limits.waitingWireBytes else {
        waiting.dropped += 1
        return false
      }
      waiting.bytes += frame.count
      waiting.entries.append(entry)
      return waiting.entries.count == 1
    }
    if isFirst { thread.wake() }
  }

  private func write() {
    let taken = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    guard let file, !taken.entries.isEmpty || taken.dropped > 0 else { return }
    var bytes: [UInt8] = []
    for entry in Self.joined(taken.entries) { bytes += line(entry) }
    if taken.dropped > 0 { bytes += Array("{\"dropped\":\(taken.dropped)}\n".utf8) }
    do throws(FileFailure) {
      try file.append(bytes)
    } catch {
      self.file = nil
      post(.recordingFailed(reason: "\(error.description) What goes over the wire is not recorded from here on."))
    }
  }

  /// With frames of sound that follow one another as one.
  private static func joined(_ entries: [Entry]) -> [Entry] {
    entries.reduce(into: []) { joined, entry in
      if case .sentSound(let position, let count) = entry.frame, let last = joined.last, last.wire == entry.wire,
        case .sentSound(let start, let before) = last.frame, start + before == position
      {
        joined[joined.count - 1].frame = .sentSound(position: start, count: before + count)
      } else {
        joined.append(entry)
      }
    }
  }

  private func line(_ entry: Entry) -> [UInt8] {
    let start = "{\"time\":\(entry.time.microseconds),\"wire\":\"\(entry.wire)\","
    switch entry.frame {
    case .sentSound(let position, let count):
      return Array((start + "\"sound\":{\"position\":\(position),\"samples\":\(count)}}\n").utf8)
    case .sent(let message):
      return Array((start + "\"sent\":\"").utf8) + JSONTexts.escaped(plain(message, entry.wire)) + Array("\"}\n".utf8)
    case .received(let message):
      let short = sound.named(in: message, of: entry.wire)
      // First what an earlier one began: how this one goes on is seen in the message as it came.
      var rest = withoutPieces(short, of: entry.wire)
      rest = scrubber.scrubbed(rest[...]) ?? rest
      return Array((start + "\"received\":\"").utf8) + JSONTexts.escaped(rest) + Array("\"}\n".utf8)
    }
  }

  /// The message without what an earlier one of the same wire began.
  private func withoutPieces(_ message: [UInt8], of wire: String) -> [UInt8] {
    var pieces = PieceScrubber(scrubber)
    if let place = self.pieces.firstIndex(where: { $0.wire == wire }) {
      pieces = self.pieces.remove(at: place).scrubber
    } else if self.pieces.count == Self.openWires {
      self.pieces.removeFirst()
    }
    defer { self.pieces.append((wire, pieces)) }
    return pieces.scrubbed(json: message) ?? message
  }

  /// The message without sound and secrets.
  private func plain(_ message: [UInt8], _ wire: String) -> [UInt8] {
    let short = sound.named(in: message, of: wire)
    return scrubber.scrubbed(short[...]) ?? short
  }
}

/// Replaces the sound in messages by its place: samples are counted from the start of each wire.
private struct SoundPlaces {
  /// A longer text of nothing but base64 is sound, or other data that nobody reads.
  private static let shortestSound = 256
  /// Fields whose text lets whoever has it go on with a conversation.
  private static let handles = ["handle", "newHandle"].map { Array($0.utf8) }

  private var positions: [String: Int] = [:]

  mutating func named(in message: [UInt8], of wire: String) -> [UInt8] {
    var position = positions[wire] ?? 0
    let result = JSONTexts.rewrite(message) { place, text in
      if Self.handles.contains(where: { $0.elementsEqual(place.name) }) { return Scrubber.mark }
      guard text.count >= Self.shortestSound, text.allSatisfy(Self.isBase64) else { return nil }
      let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
      let count = (text.count / 4 * 3 - padding) / 2
      defer { position += count }
      return Array("(samples \(position)..<\(position + count))".utf8)
    }
    positions[wire] = position
    return result
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "+/-_=".utf8.contains(byte)
  }
}
