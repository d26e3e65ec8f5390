import VoiceCore
import VoiceSound

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PacedSpeaker {
  /// Nobody hears it; the events are as true as ever.
  package static func silent(wiring: AudioWiring) throws(AudioError) -> PacedSpeaker {
    try PacedSpeaker(outlet: SilentOutlet(), wiring: wiring)
  }

  /// A WAV file, 24 kHz, in step with session time: gaps are silence.
  package static func file(path: String, wiring: AudioWiring) throws(AudioError) -> PacedSpeaker {
    let writer: WaveWriter
    do throws(SoundFileError) { writer = try WaveWriter(path: path) } catch { throw .unusableFile(error) }
    return try PacedSpeaker(outlet: FileOutlet(writer: writer), wiring: wiring)
  }

  /// A FIFO, standard output (`-`), or a new file named `.raw` or `.pcm`: mono 16-bit little-endian PCM at 24 kHz as it
  /// comes, with no silence between pieces.
  package static func pipe(path: String, wiring: AudioWiring) throws(AudioError) -> PacedSpeaker {
    try PacedSpeaker(outlet: try PipeOutlet(path: path, now: wiring.now), wiring: wiring)
  }
}

private struct SilentOutlet: SpeakerOutlet {
  func connect() -> Bool { true }
  func write(_ samples: [Int16], at position: Int, on thread: AudioThread) -> String? { nil }
  func close() -> String? { nil }
}

private struct FileOutlet: SpeakerOutlet {
  let writer: WaveWriter

  func connect() -> Bool { true }

  func write(_ samples: [Int16], at position: Int, on thread: AudioThread) -> String? {
    do throws(SoundFileError) {
      try writer.appendSilence(max(0, position - writer.count))
      try writer.append(samples)
      return nil
    } catch {
      return error.description
    }
  }

  func close() -> String? {
    do throws(SoundFileError) {
      try writer.close()
      return nil
    } catch {
      return error.description
    }
  }
}

private final class PipeOutlet: SpeakerOutlet, @unchecked Sendable {
  // Made by one thread, then used by the speaker's thread only.
  private let path: String
  private let now: @Sendable () -> SessionTime
  private var descriptor: Int32 = -1

  /// Everything up to this many bytes is written whole or not at all (POSIX, PIPE_BUF).
  private static let atomicBytes = 512

  init(path: String, now: @escaping @Sendable () -> SessionTime) throws(AudioError) {
    self.path = path
    self.now = now
    if path == "-" {
      descriptor = STDOUT_FILENO
    } else if SoundFileReader.isRaw(path) && !PipeMicrophone.isPipe(path) {
      descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.error(path, errno) }
    } else if !PipeMicrophone.isPipe(path) {
      throw access(path, F_OK) == 0
        ? AudioError.unusablePipe(path: path, reason: "it is not a pipe; make one with mkfifo")
        : AudioError.unusablePipe(path: path, reason: "it does not exist; make it with mkfifo")
    }
  }

  private static func error(_ path: String, _ number: Int32) -> AudioError {
    .unusablePipe(path: path, reason: String(cString: strerror(number)))
  }

  func write(_ samples: [Int16], at position: Int, on thread: AudioThread) -> String? {
    let deadline = now().advanced(byMilliseconds: Limits.speakerStallMilliseconds)
    while !connect() {
      guard errno == ENXIO else { return failure(String(cString: strerror(errno))) }
      guard now() < deadline else { return failure("nobody opened its other end") }
      if thread.wait(milliseconds: 20) == .stopped { return nil }
    }
    var rest = samples.map { $0.littleEndian }.withUnsafeBytes { Array($0) }[...]
    while !rest.isEmpty {
      switch thread.wait(milliseconds: 100, for: descriptor, events: POLLOUT) {
      case .stopped: return nil
      case .look:
        guard now() < deadline else { return failure("nobody reads its other end") }
        continue
      case .ready: break
      }
      let piece = Array(rest.prefix(Self.atomicBytes))
      let count = systemWrite(descriptor, piece, piece.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        return failure("its reader went away")
      } else if errno != EAGAIN && errno != EINTR {
        return failure(String(cString: strerror(errno)))
      }
    }
    return nil
  }

  func close() -> String? {
    if descriptor >= 0 && descriptor != STDOUT_FILENO { systemClose(descriptor) }
    descriptor = -1
    return nil
  }

  /// A FIFO can be opened only when somebody reads it, which may be a little later; but then at once, since a reader
  /// waits for its writer, too.
  func connect() -> Bool {
    if descriptor < 0 { descriptor = systemOpen(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0) }
    return descriptor >= 0
  }

  private func failure(_ reason: String) -> String {
    "the speaker pipe \(path) takes no sound: \(reason); the session goes on without sound"
  }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int { write(descriptor, bytes, count) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
