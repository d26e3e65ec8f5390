import VoiceSound
import VoiceSystem
import VoiceVocabulary

extension PacedSpeaker {
  /// Nobody hears it; the events are as true as ever.
  package static func silent(wiring: AudioWiring) throws(AudioError) -> PacedSpeaker {
    try PacedSpeaker(sink: SilentSink(), wiring: wiring)
  }

  /// A WAV file, 24 kHz, in step with session time: gaps are silence.
  ///
  /// - Parameter replaces: whether a file that is there may be lost.
  package static func file(
    path: String, replaces: Bool = false, wiring: AudioWiring
  ) throws(AudioError) -> PacedSpeaker {
    let writer: WaveWriter
    do throws(SoundFileError) {
      writer = try WaveWriter(path: path, replaces: replaces)
    } catch {
      throw .unusableFile(error)
    }
    return try PacedSpeaker(sink: FileSink(writer: writer), wiring: wiring)
  }

  /// A FIFO, standard output (`-`), or a new file named `.raw` or `.pcm`: mono 16-bit little-endian PCM at 24 kHz as it
  /// comes, with no silence between pieces.
  ///
  /// A reader of a FIFO may stall, or go away and come again: what is to be played waits for it, at most for
  /// `patienceMilliseconds`.
  ///
  /// - Parameter replaces: whether a file that is there may be lost.
  package static func pipe(
    path: String, replaces: Bool = false, wiring: AudioWiring,
    patienceMilliseconds: Int = Limits.speakerStallMilliseconds
  ) throws(AudioError) -> PacedSpeaker {
    let sink = try PipeSink(
      path: path, replaces: replaces, now: wiring.now, patienceMilliseconds: patienceMilliseconds)
    return try PacedSpeaker(sink: sink, wiring: wiring)
  }
}

private struct SilentSink: AudioSink {
  func connect() -> Bool { true }
  func write(_ samples: [Int16], at position: Int) -> WriteOutcome { .written }
  func writeRest(on thread: AudioThread) -> String? { nil }
  func close() -> String? { nil }
}

/// Leaves every block to the speaker's thread: a disk may be slow.
private final class FileSink: AudioSink {
  private let writer: WaveWriter
  private let rest = Locked<(samples: [Int16], position: Int)?>(nil)

  init(writer: WaveWriter) { self.writer = writer }

  func connect() -> Bool { true }

  func write(_ samples: [Int16], at position: Int) -> WriteOutcome {
    rest.withLock { $0 = (samples, position) }
    return .left
  }

  func writeRest(on thread: AudioThread) -> String? {
    guard let (samples, position) = rest.withLock({ $0 }) else { return nil }
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

private final class PipeSink: AudioSink, @unchecked Sendable {
  // Made by one thread, then used by one at a time, as the speaker sees to.
  private let path: String
  private let now: @Sendable () -> SessionTime
  private let patienceMilliseconds: Int
  /// Anything else is written by the speaker's thread alone: a disk may be slow, and standard output may be a pipe of
  /// somebody else's that waits when it is full.
  private let isOwnPipe: Bool
  private var descriptor: Int32 = -1
  /// Whether the pipe has a reader, as far as is known. Only a FIFO can get another.
  private var reader = Reader.there
  /// What of the last block was not written yet.
  private var rest: ArraySlice<UInt8> = []

  private enum Reader {
    /// Exits: `gone`.
    case there
    /// It went away; what it had not read is kept for the next one. Exits: `there`.
    case gone
  }

  init(
    path: String, replaces: Bool, now: @escaping @Sendable () -> SessionTime, patienceMilliseconds: Int
  ) throws(AudioError) {
    self.path = path
    self.now = now
    self.patienceMilliseconds = patienceMilliseconds
    isOwnPipe = path != "-" && PipeMicrophone.isPipe(path)
    if path == "-" {
      descriptor = STDOUT_FILENO
    } else if SoundFileReader.isRaw(path) && !isOwnPipe {
      let wayOfOpening = replaces ? O_TRUNC : O_EXCL
      descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC | wayOfOpening, 0o600)
      if descriptor < 0, errno == EEXIST {
        // A device holds nothing that could be lost.
        guard Self.isDevice(path) else { throw AudioError.unusableFile(.exists(path: path)) }
        descriptor = systemOpen(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0)
      }
      guard descriptor >= 0 else { throw Self.error(path, errno) }
    } else if !isOwnPipe {
      throw access(path, F_OK) == 0
        ? AudioError.unusablePipe(path: path, reason: "it is not a pipe; make one with mkfifo")
        : AudioError.unusablePipe(path: path, reason: "it does not exist; make it with mkfifo")
    }
  }

  private static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  private static func error(_ path: String, _ number: Int32) -> AudioError {
    .unusablePipe(path: path, reason: String(cString: strerror(number)))
  }

  func write(_ samples: [Int16], at position: Int) -> WriteOutcome {
    rest = samples.withUnsafeBytes { Array($0) }[...]
    return isOwnPipe && connect() ? drain() : .left
  }

  func writeRest(on thread: AudioThread) -> String? {
    // While the program is stopped nobody can see whether somebody reads.
    var waited = AwakeTime(since: now())
    func isTooLong() -> Bool {
      waited.look(at: now())
      return waited.milliseconds >= patienceMilliseconds
    }
    while !connect() {
      guard errno == ENXIO else { return failure(String(cString: strerror(errno))) }
      guard !isTooLong() else { return failure("nobody opened its other end") }
      if thread.wait(milliseconds: Self.lookMilliseconds) == .stopped { return nil }
    }
    while true {
      // A pipe without a reader is ready at once, over and over.
      let isGone = reader == .gone
      switch thread.wait(
        milliseconds: isGone ? Self.lookMilliseconds : 100, for: isGone ? nil : descriptor, events: POLLOUT)
      {
      case .stopped: return nil
      case .look:
        guard !isTooLong() else { return failure(isGone ? "its reader went away" : "nobody reads its other end") }
        guard isGone else { continue }
        fallthrough
      case .ready:
        switch drain(pieces: 1) {
        case .written: return nil
        case .left: break
        case .failed(let reason): return reason
        }
      }
    }
  }

  /// How often somebody is looked for who opens the other end.
  private static let lookMilliseconds = 20

  /// Write until everything is gone or the pipe is full.
  private func drain(pieces: Int = .max) -> WriteOutcome {
    var pieces = pieces
    while !rest.isEmpty, pieces > 0 {
      pieces -= 1
      // Everything up to PIPE_BUF bytes is written whole or not at all (POSIX).
      let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        reader = .there
      } else if errno == EPIPE, path != "-" {
        reader = .gone
        return .left
      } else if errno == EPIPE {
        return .failed(reason: failure("its reader went away"))
      } else if errno == EAGAIN {
        return .left
      } else if errno != EINTR {
        return .failed(reason: failure(String(cString: strerror(errno))))
      }
    }
    return rest.isEmpty ? .written : .left
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
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
