package import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// A pipe as the microphone: mono 16-bit little-endian PCM at 16 kHz from a FIFO or standard input.
///
/// A frame is posted the moment its last byte arrives. When the other end of standard input closes, or when nobody opens
/// that of a FIFO again in time, comes `microphoneEnded`, once, and frames of silence at real pace.
package final class PipeMicrophone: Microphone {
  /// Who reads. It goes one way only: no two threads ever read, and no thread is started twice.
  private enum Reader {
    /// Nobody yet. Exits: `watched`, `own`, `stopped`.
    case none
    /// The watching thread, when there is something. Exits: `leaving` (what is next takes time, or that thread cannot
    /// watch), `stopped`.
    case watched(PipeLine)
    /// The microphone's own thread, once it has begun. Exits: `own`, `stopped`.
    case leaving(PipeLine)
    /// The microphone's own thread. Exits: `stopped`.
    case own
    /// Nobody any more. No exits.
    case stopped
  }

  private let descriptor: Int32
  private let path: String
  private let wiring: AudioWiring
  private let makeVAD: (@Sendable () -> LocalVAD)?
  private let thread: AudioThread
  private let reader = Locked(Reader.none)

  /// Open the pipe; `-` is standard input. `makeVAD` is called on the microphone's own thread.
  package init(
    path: String, wiring: AudioWiring, makeVAD: (@Sendable () -> LocalVAD)? = nil
  ) throws(AudioError) {
    self.path = path
    self.wiring = wiring
    self.makeVAD = makeVAD
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
    // A detector takes its time, and would keep the watching thread from what else it does.
    guard let watch = wiring.watch, makeVAD == nil else {
      reader.withLock { if case .none = $0 { $0 = .own } }
      return thread.start { [self] thread in listen(line(vad: makeVAD?()), on: thread) }
    }
    reader.withLock { if case .none = $0 { $0 = .watched(line(vad: nil)) } }
    watch(descriptor, { [self] in read() }, { [self] in leaveWatch() })
  }

  private func line(vad: LocalVAD?) -> PipeLine {
    PipeLine(
      feed: MicrophoneFeed(wiring: wiring, vad: vad), descriptor: descriptor, path: path, wiring: wiring)
  }

  package func stop() {
    // Waits for a frame that is just being delivered.
    reader.withLock { $0 = .stopped }
    thread.stop()
  }

  /// Something can be read; the watching thread. Whatever takes time is left to the microphone's own thread.
  private func read() -> DescriptorProgress {
    let progress = reader.withLock { reader -> DescriptorProgress? in
      guard case .watched(var line) = reader else { return .over }
      // So that the line is not copied because it stands here as well; nobody sees it under the lock.
      reader = .stopped
      let gotSome = line.receive()
      let isKept = line.deliverWhatIsQuick()
      reader = isKept ? .watched(line) : .leaving(line)
      return isKept ? (gotSome ? .something : .nothing) : nil
    }
    if let progress { return progress }
    startOwnThread()
    return .over
  }

  /// The watching thread cannot watch.
  private func leaveWatch() {
    let leaves = reader.withLock { reader in
      guard case .watched(let line) = reader else { return false }
      reader = .leaving(line)
      return true
    }
    if leaves { startOwnThread() }
  }

  /// Called once, by whoever made the state `leaving`.
  private func startOwnThread() {
    thread.start { [self] thread in
      let line = reader.withLock { reader -> PipeLine? in
        guard case .leaving(let line) = reader else { return nil }
        reader = .own
        return line
      }
      if let line { listen(line, on: thread) }
    }
  }

  private func listen(_ line: PipeLine, on thread: AudioThread) {
    var line = line
    let silence = [Int16](repeating: 0, count: PCM.frameSamples)
    while true {
      switch line.frames.next(at: wiring.now()) {
      case .frame(let samples): line.deliver(samples)
      case .silence: line.feed.deliver(silence)
      case .ended: wiring.post(.microphoneEnded)
      case .hold(let moment): guard thread.wait(until: moment, on: wiring.now) else { return }
      case .look(let moment):
        guard thread.wait(until: moment, on: wiring.now) else { return }
        _ = line.receive()
      case .read:
        switch thread.wait(milliseconds: nil, for: descriptor) {
        case .stopped: return
        case .look: continue
        case .ready: _ = line.receive()
        }
      }
    }
  }

  private static func isFIFO(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

/// A pipe, and where its sound goes. Used by whoever reads.
private struct PipeLine {
  var frames = PipeFrames()
  var feed: MicrophoneFeed
  let descriptor: Int32
  let path: String
  let wiring: AudioWiring

  /// Take what is in the pipe now; whether anything was.
  mutating func receive() -> Bool {
    let count = frames.fill { [descriptor] in read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return true }
    switch count == 0 ? 0 : errno {
    case 0: frames.writerLeft(at: wiring.now(), mayReturn: path != "-")
    case EAGAIN: frames.writerIsThere()
    case EINTR: break
    case let error:
      wiring.post(.microphoneFailed(reason: "the pipe \(path) cannot be read: \(String(cString: strerror(error)))"))
      frames.fail(at: wiring.now())
    }
    return false
  }

  mutating func deliver(_ samples: [Int16]) {
    let waiting = frames.waitingSamples
    feed.deliver(samples) { [descriptor] in
      var inPipe: Int32 = 0
      #if canImport(Glibc)
        if ioctl(descriptor, UInt(FIONREAD), &inPipe) != 0 { inPipe = 0 }
      #endif
      return waiting + Int(inPipe) / 2
    }
  }

  /// Deliver what has come, as long as that takes no waiting; whether more bytes are what is waited for now.
  mutating func deliverWhatIsQuick() -> Bool {
    while frames.hasWriter {
      switch frames.next(at: wiring.now()) {
      case .frame(let samples): deliver(samples)
      case .read: return true
      case .hold: return false
      case .silence, .ended, .look: preconditionFailure("a pipe with a writer is not over")
      }
    }
    return false
  }
}
