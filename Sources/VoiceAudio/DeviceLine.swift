import CPortAudio
import Synchronization

/// What a device's callback and a thread share; on the heap behind a plain pointer, so that the callback counts no
/// references. The callback uses nothing but this, and nothing here can make it wait.
struct DeviceLine: ~Copyable {
  /// Microphone: from the callback to the thread. Speaker: from the thread to the callback.
  let ring: SampleRing
  /// Speaker: everything that was played, silence included, for the echo canceller.
  let reference: SampleRing
  /// Channels of the device's stream; one is used, and all get the same.
  let channels: Int
  /// Callbacks so far: when this stands still, the device is gone.
  let callbacks = Atomic<Int>(0)
  /// Samples that did not fit into the ring, since its reader was late.
  let lost = Atomic<Int>(0)
  /// Set when the device was given up: a callback that comes all the same must not touch the ring any more,
  /// and ends the stream.
  let isDead = Atomic<Bool>(false)

  /// - Parameter capacity: samples in each ring.
  init(capacity: Int, channels: Int) {
    ring = SampleRing(capacity: capacity)
    reference = SampleRing(capacity: capacity)
    self.channels = channels
  }
}

/// What a callback returns to end its stream: `paAbort`. The library plays what the callback has left in the buffer all the
/// same, so it is filled first; without a context or a buffer there is nothing to end, and 0 lets the library go on.
private let endOfStream: Int32 = 2

/// The microphone's callback: the device's own thread.
@_noLocks @_noAllocation
func hearBlock(
  _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, _ frames: UInt,
  _ time: UnsafePointer<PaStreamCallbackTimeInfo>?, _ flags: PaStreamCallbackFlags,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context, let input else { return 0 }
  let line = context.assumingMemoryBound(to: DeviceLine.self)
  if line.pointee.isDead.load(ordering: .acquiring) { return endOfStream }
  line.pointee.callbacks.add(1, ordering: .relaxed)
  let samples = input.assumingMemoryBound(to: Int16.self)
  let channels = line.pointee.channels
  var fitting = 0
  if channels == 1 {
    fitting = line.pointee.ring.write(samples, count: Int(frames))
  } else {
    // The first channel: on a headset the second is often empty, and a mean would be half as loud.
    var frame = 0
    while frame < Int(frames) {
      fitting += line.pointee.ring.write(samples + frame * channels, count: 1)
      frame += 1
    }
  }
  if fitting < Int(frames) { line.pointee.lost.add(Int(frames) - fitting, ordering: .relaxed) }
  return 0
}

/// The speaker's callback: the device's own thread.
@_noLocks @_noAllocation
func playBlock(
  _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, _ frames: UInt,
  _ time: UnsafePointer<PaStreamCallbackTimeInfo>?, _ flags: PaStreamCallbackFlags,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context, let output else { return 0 }
  let line = context.assumingMemoryBound(to: DeviceLine.self)
  line.pointee.callbacks.add(1, ordering: .relaxed)
  let samples = output.assumingMemoryBound(to: Int16.self)
  let count = Int(frames)
  let isDead = line.pointee.isDead.load(ordering: .acquiring)
  var filled = isDead ? 0 : line.pointee.ring.read(into: samples, count: count)
  while filled < count {
    samples[filled] = 0
    filled += 1
  }
  let channels = line.pointee.channels
  if isDead {
    while filled < count * channels {
      samples[filled] = 0
      filled += 1
    }
    return endOfStream
  }
  _ = line.pointee.reference.write(samples, count: count)
  guard channels > 1 else { return 0 }
  // Spread from the end, so that no sample is overwritten before it was spread.
  var frame = count - 1
  while frame >= 0 {
    var channel = channels - 1
    while channel >= 0 {
      samples[frame * channels + channel] = samples[frame]
      channel -= 1
    }
    frame -= 1
  }
  return 0
}
