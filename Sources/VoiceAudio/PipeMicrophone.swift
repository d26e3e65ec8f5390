import VoiceCore
package import VoiceSound

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe as the microphone: mono 16-bit little-endian PCM at 16 kHz from a FIFO or standard input.
///
/// A frame is posted the moment its last byte arrives. When the other end closes come `microphoneEnded`, once, and
/// frames of silence at real pace.
package final class PipeMicrophone: Microphone {
  private let descriptor: Int32
  private let path: String
  private let wiring: AudioWiring
  private let makeGate: (@Sendable () -> ActivityGate)?
  private let thread: AudioThread

  /// Open the pipe; `-` is standard input. `makeGate` is called on the microphone's own thread.
  package init(
    path: String, wiring: AudioWiring, makeGate: (@Sendable () -> ActivityGate)? = nil
  ) throws(AudioError) {
    self.path = path
    self.wiring = wiring
    self.makeGate = makeGate
    thread = try AudioThread()
    if path == "-" {
      guard isatty(STDIN_FILENO) == 0 else {
        throw AudioError.unusablePipe(path: path, reason: "standard input is a terminal; send sound into it")
      }
      descriptor = STDIN_FILENO
    } else {
      // Without blocking, or opening would wait for somebody to open the other end.
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        let reason = errno == ENOENT ? "it does not exist; make it with mkfifo" : String(cString: strerror(errno))
        throw AudioError.unusablePipe(path: path, reason: reason)
      }
      guard Self.isFIFO(descriptor) else {
        close(descriptor)
        throw AudioError.unusablePipe(path: path, reason: "it is not a pipe; make one with mkfifo")
      }
    }
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Whether a path names a FIFO.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  package func start() {
    thread.start { [self] thread in listen(on: thread) }
  }

  package func stop() { thread.stop() }

  private static let frameBytes = PCM.frameSamples * 2

  private func listen(on thread: AudioThread) {
    var feed = MicrophoneFeed(wiring: wiring, gate: makeGate?())
    var buffer = [UInt8](repeating: 0, count: 4096)
    var filled = 0
    var throttle = Throttle()
    var isOver = false
    while !isOver {
      switch thread.wait(milliseconds: nil, for: descriptor) {
      case .stopped: return
      case .look: continue
      case .ready: break
      }
      guard let count = readMore(into: &buffer, from: filled) else { continue }
      filled += count
      isOver = count == 0
      var taken = 0
      while filled - taken >= Self.frameBytes || (isOver && filled - taken > 1) {
        guard throttle.waitForTurn(on: thread, now: wiring.now) else { return }
        let frame = buffer[taken..<min(filled, taken + Self.frameBytes)]
        feed.deliver(Self.samples(frame))
        taken += frame.count
      }
      buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<filled])) }
      filled -= taken
    }
    wiring.post(.microphoneEnded)
    feed.deliverSilence(on: thread, from: wiring.now())
  }

  /// Append what is in the pipe now; the count of its bytes, nil if there is nothing after all, 0 at the end.
  private func readMore(into buffer: inout [UInt8], from start: Int) -> Int? {
    let count = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
    }
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return nil }
      wiring.post(.microphoneFailed(reason: "the pipe \(path) cannot be read: \(String(cString: strerror(errno)))"))
      return 0
    }
    return count
  }

  private static func samples(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
    }
  }

  private static func isFIFO(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

/// Holds back a pipe that is fed much faster than real time, so that the inbox need not drop frames. A pipe in step
/// with the clock never waits.
private struct Throttle {
  private var credit = burstFrames
  private var last: SessionTime?
  private static let burstFrames = 100
  private static let stepMicroseconds = Int64(PCM.frameMilliseconds * 1000 / Limits.fastestPace)

  mutating func waitForTurn(on thread: AudioThread, now: () -> SessionTime) -> Bool {
    let moment = now()
    let earned = last.map { (moment.microseconds - $0.microseconds) / Self.stepMicroseconds } ?? 0
    if last == nil || earned > 0 {
      credit = min(Self.burstFrames, credit + Int(earned))
      last = moment
    }
    if credit > 0 {
      credit -= 1
      return !thread.isStopped
    }
    return thread.wait(until: SessionTime(microseconds: moment.microseconds + Self.stepMicroseconds), on: now)
  }
}
