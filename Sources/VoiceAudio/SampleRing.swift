import Synchronization

/// A ring of samples between a device's callback and a thread: one writer, one reader, and neither ever waits.
///
/// Indices count all samples since the start. The writer may also take back what was not read yet.
struct SampleRing: ~Copyable {
  private let memory: UnsafeMutablePointer<Int16>
  private let mask: Int
  private let writeIndex = Atomic<Int>(0)
  private let readIndex = Atomic<Int>(0)
  private let dropIndex = Atomic<Int>(0)

  /// Samples over which a sound that was taken back fades out: about 5 ms, so that it does not click.
  private static let fadeSamples = 240

  /// At least this many samples fit.
  init(capacity: Int) {
    var size = 1
    while size < capacity { size *= 2 }
    memory = .allocate(capacity: size)
    memory.initialize(repeating: 0, count: size)
    mask = size - 1
  }

  deinit { memory.deallocate() }

  /// How many samples were written; the writer's own count.
  var written: Int { writeIndex.load(ordering: .acquiring) }
  /// How many samples were read or dropped.
  var consumed: Int { readIndex.load(ordering: .acquiring) }
  /// Samples that can be read.
  var available: Int { written - consumed }

  /// The writer: append; the result is how many samples fitted.
  @_noLocks @_noAllocation
  func write(_ samples: UnsafePointer<Int16>, count: Int) -> Int {
    let end = writeIndex.load(ordering: .relaxed)
    let free = mask + 1 - (end - readIndex.load(ordering: .acquiring))
    let fitting = count < free ? count : free
    var index = 0
    while index < fitting {
      memory[(end + index) & mask] = samples[index]
      index += 1
    }
    writeIndex.store(end + fitting, ordering: .releasing)
    return fitting
  }

  /// The writer: take back what was not read yet.
  func dropUnread() { dropIndex.store(writeIndex.load(ordering: .relaxed), ordering: .releasing) }

  /// The reader: take up to `count` samples; the result is how many there were.
  @_noLocks @_noAllocation
  func read(into samples: UnsafeMutablePointer<Int16>, count: Int) -> Int {
    let start = readIndex.load(ordering: .relaxed)
    let drop = dropIndex.load(ordering: .acquiring)
    let end = writeIndex.load(ordering: .acquiring)
    let isDropping = drop > start
    var taken = (isDropping ? drop : end) - start
    if isDropping && taken > Self.fadeSamples { taken = Self.fadeSamples }
    if taken > count { taken = count }
    var index = 0
    while index < taken {
      var sample = Int(memory[(start + index) & mask])
      if isDropping { sample = sample &* (taken &- index) / (taken &+ 1) }
      samples[index] = Int16(truncatingIfNeeded: sample)
      index += 1
    }
    readIndex.store(isDropping ? drop : start + taken, ordering: .releasing)
    return taken
  }

  /// The reader: throw away up to `count` samples.
  func skip(_ count: Int) {
    let start = readIndex.load(ordering: .relaxed)
    let end = writeIndex.load(ordering: .acquiring)
    readIndex.store(max(dropIndex.load(ordering: .acquiring), min(end, start + count)), ordering: .releasing)
  }
}

/// For threads, which may allocate; a device's callback uses the pointers.
extension SampleRing {
  /// The reader: take up to `count` samples.
  func read(atMost count: Int) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = buffer.baseAddress.map { read(into: $0, count: count) } ?? 0
    }
  }

  /// The writer: append; the result is how many samples fitted.
  func write(_ samples: [Int16]) -> Int {
    samples.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { write($0, count: buffer.count) } ?? 0
    }
  }
}
