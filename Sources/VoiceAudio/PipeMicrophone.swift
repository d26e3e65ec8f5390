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
    var bytes: [UInt8] = []
    var throttle = Throttle()
    while true {
      switch thread.wait(milliseconds: nil, for: descriptor) {
      case .stopped: return
      case .look: continue
      case .ready: break
      }
      guard let more = readMore() else { continue }
      bytes += more
      while bytes.count >= Self.frameBytes || (more.isEmpty && bytes.count > 1) {
        guard throttle.waitForTurn(on: thread, now: wiring.now) else { return }
        let frame = bytes.prefix(Self.frameBytes)
        feed.deliver(Self.samples(frame))
        bytes.removeFirst(frame.count)
      }
      if more.isEmpty { break }
    }
    wiring.post(.microphoneEnded)
    feed.deliverSilence(on: thread, from: wiring.now())
  }

  /// What is in the pipe now; nil if there is nothing after all, empty at the end.
  private func readMore() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return nil }
      wiring.post(.microphoneFailed(reason: "the pipe \(path) cannot be read: \(String(cString: strerror(errno)))"))
      return []
    }
    return Array(buffer.prefix(count))
  }

  private static func samples(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
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
