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
  /// What is read by the watching thread, as long as it is that one's.
  private let watched = Locked<PipeReading?>(nil)

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
    // A gate takes its time, and would keep the watching thread from what else it does.
    guard let watch = wiring.watch, makeGate == nil else {
      return thread.start { [self] thread in listen(reading(gate: makeGate?()), on: thread) }
    }
    watched.withLock { $0 = reading(gate: nil) }
    watch(descriptor, { [self] in read() }, { [self] in goOn() })
  }

  private func reading(gate: ActivityGate?) -> PipeReading {
    PipeReading(descriptor, path, MicrophoneFeed(wiring: wiring, gate: gate), wiring)
  }

  package func stop() {
    // Waits for a frame that is just being delivered.
    watched.withLock { $0 = nil }
    thread.stop()
  }

  /// Something can be read; the watching thread. Whatever takes time is left to the microphone's own thread.
  private func read() -> DescriptorProgress {
    let progress = watched.withLock { watched -> DescriptorProgress? in
      guard let gotSome = watched?.readMore() else { return .over }
      if watched?.isOver == true || watched?.deliver() != nil { return nil }
      return gotSome ? .something : .nothing
    }
    if let progress { return progress }
    goOn()
    return .over
  }

  /// From here on the microphone's own thread reads.
  private func goOn() {
    thread.start { [self] thread in
      if let reading = watched.withLock({ $0.take() }) { listen(reading, on: thread) }
    }
  }

  private func listen(_ reading: PipeReading, on thread: AudioThread) {
    var reading = reading
    while true {
      while let moment = reading.deliver() {
        guard thread.wait(until: moment, on: wiring.now) else { return }
      }
      if reading.isOver { break }
      switch thread.wait(milliseconds: nil, for: descriptor) {
      case .stopped: return
      case .look: continue
      case .ready: _ = reading.readMore()
      }
    }
    wiring.post(.microphoneEnded)
    reading.feed.deliverSilence(on: thread, from: wiring.now())
  }

  private static func isFIFO(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

/// The bytes of a pipe on their way to become frames.
private struct PipeReading {
  var feed: MicrophoneFeed
  /// Whether nothing more can come.
  private(set) var isOver = false
  private let descriptor: Int32
  private let path: String
  private let wiring: AudioWiring
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private var filled = 0
  private var throttle = Throttle()

  private static let frameBytes = PCM.frameSamples * 2

  init(_ descriptor: Int32, _ path: String, _ feed: MicrophoneFeed, _ wiring: AudioWiring) {
    self.descriptor = descriptor
    self.path = path
    self.feed = feed
    self.wiring = wiring
  }

  /// Take what is in the pipe now; whether anything was.
  mutating func readMore() -> Bool {
    let start = filled
    let count = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
    }
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return false }
      wiring.post(.microphoneFailed(reason: "the pipe \(path) cannot be read: \(String(cString: strerror(errno)))"))
    }
    isOver = count <= 0
    filled += max(0, count)
    return count > 0
  }

  /// Deliver the frames that are whole. The result is the moment at which to go on, if more came than may be taken yet.
  mutating func deliver() -> SessionTime? {
    var taken = 0
    var later: SessionTime?
    while filled - taken >= Self.frameBytes || (isOver && filled - taken > 1) {
      later = throttle.takeTurn(at: wiring.now())
      if later != nil { break }
      let frame = buffer[taken..<min(filled, taken + Self.frameBytes)]
      feed.deliver(PCM.samples(of: frame))
      taken += frame.count
    }
    if taken > 0 {
      buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<filled])) }
      filled -= taken
    }
    return later
  }
}

/// Holds back a pipe that is fed much faster than real time, so that the inbox need not drop frames. A pipe in step
/// with the clock never waits.
private struct Throttle {
  private var credit = burstFrames
  private var last: SessionTime?
  private static let burstFrames = 100
  private static let stepMicroseconds = Int64(PCM.frameMilliseconds * 1000 / Limits.fastestPace)

  /// nil if a frame may be delivered now, or else when it may.
  mutating func takeTurn(at moment: SessionTime) -> SessionTime? {
    let earned = last.map { (moment.microseconds - $0.microseconds) / Self.stepMicroseconds } ?? 0
    if last == nil || earned > 0 {
      credit = min(Self.burstFrames, credit + Int(earned))
      last = moment
    }
    if credit > 0 {
      credit -= 1
      return nil
    }
    return SessionTime(microseconds: moment.microseconds + Self.stepMicroseconds)
  }
}
