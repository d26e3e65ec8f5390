import CPortAudio
import Synchronization
import VoiceVocabulary

/// One open stream of a sound device, in one direction, and the line to its callback.
final class DeviceStream: @unchecked Sendable {
  // `stream` is used inside `system.withLibrary` only. `line` is shared with the callback and made for that.

  let name: String
  /// Samples a second of the device.
  let rate: Int
  /// From handing a sample over to hearing it, or from its sounding to its arrival.
  let latencyMilliseconds: Int
  let line: UnsafeMutablePointer<DeviceLine>

  private let system: SoundSystem
  private let kind: SoundDeviceKind
  private let stream: UnsafeMutableRawPointer

  /// Wanted latency: below it, a loaded machine drops out; above it, interrupting feels slow.
  private static let latencySeconds = 0.04

  /// Open the device at this place of the system's list.
  init(_ kind: SoundDeviceKind, at index: Int, in system: SoundSystem) throws(AudioError) {
    let device = system.devices[index]
    let place = try system.libraryIndex(of: index, kind)
    self.system = system
    self.kind = kind
    name = device.name
    // 48 kHz is what hardware speaks; mono is what is needed, but some hardware insists on its channels.
    let mostChannels = kind == .microphone ? device.inputChannels : device.outputChannels
    var reason = "no format is accepted"
    for rate in device.defaultRate == 48_000 ? [48_000] : [48_000, device.defaultRate] {
      for channels in mostChannels == 1 ? [1] : [1, min(2, mostChannels)] {
        switch Self.open(kind, place, rate: rate, channels: channels, system) {
        case .success(let opened):
          (stream, line, latencyMilliseconds) = (opened.stream, opened.line, opened.latencyMilliseconds)
          self.rate = rate
          return
        case .failure(let failure): reason = failure.reason
        }
      }
    }
    throw AudioError.unusableDevice(kind, name: device.name, reason: reason)
  }

  deinit {
    // A device that was pulled out may never answer again: rather leave its memory than wait for it. One whose thread has ended by itself
    // answers.
    let isDead = line.pointee.isDead.load(ordering: .acquiring)
    guard !isDead || system.withLibrary({ [stream] in Pa_IsStreamActive(stream) }) == 0 else {
      return system.abandon(stream, line)
    }
    system.withLibrary { [stream, line] in SoundSystem.endStream(stream, line) }
  }

  /// Let sound flow; the result is what is wrong, if anything.
  func start() -> String? {
    let code = system.withLibrary { [stream] in Pa_StartStream(stream) }
    guard code != paNoError.rawValue else { return nil }
    return AudioError.unusableDevice(kind, name: name, reason: SoundSystem.message(code)).description
  }

  /// How often the device has called so far.
  var callbacks: Int { line.pointee.callbacks.load(ordering: .relaxed) }

  /// Whether the device's thread has ended by itself, as it does when its server is gone.
  var hasEnded: Bool { system.withLibrary { [stream] in Pa_IsStreamActive(stream) } == 0 }

  /// Samples that the microphone's thread came too late for, so far.
  var lostSamples: Int { line.pointee.lost.load(ordering: .relaxed) }

  /// The device is gone: its callback, should it ever come again, touches no sound and ends the stream.
  func giveUp() { line.pointee.isDead.store(true, ordering: .releasing) }

  private struct Opened: @unchecked Sendable {
    // Passed on once, from the lock to the initialiser.
    var stream: UnsafeMutableRawPointer
    var line: UnsafeMutablePointer<DeviceLine>
    var latencyMilliseconds: Int
  }

  private struct Refusal: Error { var reason: String }

  private static func open(
    _ kind: SoundDeviceKind, _ index: Int32, rate: Int, channels: Int, _ system: SoundSystem
  ) -> Result<Opened, Refusal> {
    system.withLibrary {
      let line = UnsafeMutablePointer<DeviceLine>.allocate(capacity: 1)
      // One second: a thread that is later than that has other troubles.
      line.initialize(to: DeviceLine(capacity: rate, channels: channels))
      var parameters = PaStreamParameters(
        device: index, channelCount: Int32(channels), sampleFormat: PaSampleFormat(paInt16),
        suggestedLatency: latencySeconds, hostApiSpecificStreamInfo: nil)
      var stream: UnsafeMutableRawPointer?
      let frames = UInt(rate / 100)
      let code =
        switch kind {
        case .microphone:
          Pa_OpenStream(&stream, &parameters, nil, Double(rate), frames, PaStreamFlags(paNoFlag), hearBlock, line)
        case .speaker:
          Pa_OpenStream(&stream, nil, &parameters, Double(rate), frames, PaStreamFlags(paNoFlag), playBlock, line)
        }
      guard code == paNoError.rawValue, let stream else {
        line.deinitialize(count: 1)
        line.deallocate()
        return .failure(Refusal(reason: SoundSystem.message(code)))
      }
      let info = Pa_GetStreamInfo(stream)
      let seconds = (kind == .microphone ? info?.pointee.inputLatency : info?.pointee.outputLatency) ?? latencySeconds
      return .success(Opened(stream: stream, line: line, latencyMilliseconds: Int(seconds * 1000)))
    }
  }
}
