import VoiceVocabulary

/// The bytes of a pipe on their way to become frames. A pure value: bytes and times go in, and what to do comes out.
///
/// A writer that goes away from a FIFO may be followed by another; until then the microphone is silent, as one is into
/// which nobody speaks. Bytes of a frame that its writer left unfinished are filled up with silence.
struct PipeFrames {
  /// What to do next.
  enum Step: Equatable {
    /// Deliver this frame; the last one of a writer may be short.
    case frame([Int16])
    /// Deliver a frame of silence.
    case silence
    /// Say that the input is over. Once; silence follows.
    case ended
    /// Wait for more bytes.
    case read
    /// Wait until this moment, then look whether another writer has come.
    case look(at: SessionTime)
    /// Wait until this moment, and read nothing meanwhile.
    case hold(until: SessionTime)
  }

  private enum Writer {
    /// Somebody writes, or will. Exits: `gone`, `over`.
    case there
    /// The writer went; another may come until then. Exits: `there`, `over`.
    case gone(until: SessionTime, FramePace)
    /// Nothing comes any more. No exits.
    case over(isTold: Bool, FramePace)
  }

  private var writer = Writer.there
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private var filled = 0
  private var throttle = Throttle()

  private static let frameBytes = PCM.frameSamples * 2

  /// Samples that came and were not delivered yet.
  var waitingSamples: Int { filled / 2 }

  /// Whether somebody writes, as far as is known.
  var hasWriter: Bool { if case .there = writer { true } else { false } }

  /// Have bytes put where there is room for them; the result is how many there were.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    let start = filled
    let count = buffer.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    if count > 0 {
      filled += count
      writerIsThere()
    }
    return count
  }

  /// Somebody writes, though nothing has come yet.
  mutating func writerIsThere() { if case .gone = writer { writer = .there } }

  /// Nobody writes. `mayReturn`: another may open the pipe.
  mutating func writerLeft(at moment: SessionTime, mayReturn: Bool) {
    guard case .there = writer else { return }
    let pace = FramePace(start: moment, speed: 1)
    writer =
      mayReturn
      ? .gone(until: moment.advanced(byMilliseconds: Limits.pipeWriterMilliseconds), pace)
      : .over(isTold: false, pace)
  }

  /// Nothing can be read any more, which somebody else tells.
  mutating func fail(at moment: SessionTime) { writer = .over(isTold: true, FramePace(start: moment, speed: 1)) }

  /// What is to be done now: deliver a frame, wait for more, or hold what has come.
  mutating func next(at moment: SessionTime) -> Step {
    if let taken = sizeOfNextFrame {
      if let later = throttle.takeTurn(at: moment) { return .hold(until: later) }
      let frame = PCM.samples(of: buffer[..<taken])
      buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<filled])) }
      filled -= taken
      return .frame(frame)
    }
    switch writer {
    case .there: return .read
    case .gone(let until, var pace):
      // Half a sample is none.
      filled = 0
      if moment >= until {
        writer = .over(isTold: true, pace)
        return .ended
      }
      let due = pace.take(at: moment)
      writer = .gone(until: until, pace)
      return due.map { .look(at: $0) } ?? .silence
    case .over(isTold: false, let pace):
      filled = 0
      writer = .over(isTold: true, pace)
      return .ended
    case .over(isTold: true, var pace):
      let due = pace.take(at: moment)
      writer = .over(isTold: true, pace)
      return due.map { .hold(until: $0) } ?? .silence
    }
  }

  /// In bytes; nil if none is whole, and its rest may still come.
  private var sizeOfNextFrame: Int? {
    if filled >= Self.frameBytes { return Self.frameBytes }
    if case .there = writer { return nil }
    return filled > 1 ? filled & ~1 : nil
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
