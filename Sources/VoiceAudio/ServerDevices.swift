import CPulse
import VoiceSystem
import VoiceVocabulary

/// Tells when the sound server moves the session to another microphone or speaker: what ALSA calls "default" stays the same
/// then, and the sound just comes from somewhere else. Of a device that was chosen by its name, tells when it goes.
///
/// Only PulseAudio, and PipeWire in its place, can be asked. Without them nobody moves a device that is open.
final class ServerDevices: Sendable {
  /// What the server tells, on the thread of its library.
  private final class Listener: Sendable {
    private struct State {
      var used: [SoundDeviceKind: UsedDevice] = [:]
      var followed: [SoundDeviceKind: FollowedDevice] = [:]
      var awaited: [SoundDeviceKind: AwaitedDevice] = [:]
    }

    private let state = Locked(State())

    func isUsed(_ kind: SoundDeviceKind, _ name: String) {
      state.withLock { $0.used[kind, default: UsedDevice()].isUsed(name) }
    }

    func takeReplacement(_ kind: SoundDeviceKind, at moment: SessionTime) -> UsedDevice.Replacement? {
      state.withLock { state in
        // Another one in the place of one that was named is not used.
        state.followed[kind] == nil ? state.used[kind]?.takeReplacement(at: moment) : nil
      }
    }

    func isThere(_ kind: SoundDeviceKind, _ name: String?, _ number: UInt32) {
      state.withLock { state in
        if let name {
          state.followed[kind]?.isThere(name, number)
          state.awaited[kind]?.isThere(name, number)
        } else {
          state.followed[kind]?.wereAll()
          state.awaited[kind]?.wereAll()
        }
      }
    }

    func follow(_ kind: SoundDeviceKind, _ name: String) {
      state.withLock { $0.followed[kind] = FollowedDevice(name: name) }
    }

    func takeGone(_ kind: SoundDeviceKind) -> Bool { state.withLock { $0.followed[kind]?.takeGone() == true } }

    func awaitReturn(of kind: SoundDeviceKind, _ name: String?) {
      state.withLock { $0.awaited[kind] = AwaitedDevice(name: name) }
    }

    func takeReturn(of kind: SoundDeviceKind) -> Bool {
      state.withLock { $0.awaited[kind]?.takeReturn() == true }
    }

    func forgetNumbers() { state.withLock { for kind in $0.followed.keys { $0.followed[kind]?.forgetNumber() } } }
  }

  private struct Watch: @unchecked Sendable {
    // The library locks it by itself; freed once, by `deinit`.
    let streams: OpaquePointer
    let listener: Unmanaged<Listener>
  }

  private let watch: Watch

  /// Nil if there is nobody who could be asked.
  init?() {
    let listener = Unmanaged.passRetained(Listener())
    let streams = parley_pulse_watch(
      { context, isMicrophone, name in
        guard let context, let name else { return }
        Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
          .isUsed(isMicrophone != 0 ? .microphone : .speaker, String(cString: name))
      },
      { context, isMicrophone, name, number in
        guard let context else { return }
        Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
          .isThere(isMicrophone != 0 ? .microphone : .speaker, name.map { String(cString: $0) }, number)
      }, listener.toOpaque())
    guard let streams else {
      listener.release()
      return nil
    }
    watch = Watch(streams: streams, listener: listener)
  }

  deinit {
    parley_pulse_free(watch.streams)
    watch.listener.release()
  }

  /// A device was opened again, perhaps because the server was started anew.
  func look() {
    listener.forgetNumbers()
    parley_pulse_look(watch.streams)
  }

  /// The device of this side was chosen by this name of the server's, and is opened now. Another in its place is not
  /// told, and not used.
  func follow(_ kind: SoundDeviceKind, _ name: String) {
    listener.follow(kind, name)
    parley_pulse_look(watch.streams)
  }

  /// What the server has put in the place of a device that nobody named, if that is new and has stood for a while. Any thread.
  func takeReplacement(_ kind: SoundDeviceKind, at moment: SessionTime) -> UsedDevice.Replacement? {
    listener.takeReplacement(kind, at: moment)
  }

  /// Whether the device that is followed has gone since this was asked last, be it back already. Any thread.
  func takeGone(_ kind: SoundDeviceKind) -> Bool { listener.takeGone(kind) }

  /// The device of this side is away; it has this name of the server's, or nobody named it.
  func awaitReturn(of kind: SoundDeviceKind, named name: String?) { listener.awaitReturn(of: kind, name) }

  /// Have the server tell its devices, and connect again where it was restarted. Returns at once.
  func seek() { parley_pulse_look(watch.streams) }

  /// Whether the server has told since this was asked last that it has the device that is awaited. Any thread.
  func takeReturn(of kind: SoundDeviceKind) -> Bool { listener.takeReturn(of: kind) }

  private var listener: Listener { watch.listener.takeUnretainedValue() }
}

extension SoundDevice {
  /// Takes down what the server tells, on the thread of its library.
  private final class List: Sendable {
    let devices = Locked<[SoundDevice]>([])
  }

  /// What the sound server calls its API in a list of devices.
  static let serverAPI = "sound server"

  /// All devices of the sound server, among them those that ALSA hides behind "default"; none where nobody can be asked.
  static var ofServer: [SoundDevice] {
    let list = List()
    let code = parley_pulse_devices(
      { context, isMicrophone, name, description in
        guard let context, let name else { return }
        let known = String(cString: name)
        let shown = description.map { "\(String(cString: $0)) (\(known))" } ?? known
        Unmanaged<List>.fromOpaque(context).takeUnretainedValue().devices.withLock { devices in
          devices.append(
            SoundDevice(
              name: shown, hostAPI: SoundDevice.serverAPI, inputChannels: isMicrophone != 0 ? 1 : 0,
              outputChannels: isMicrophone != 0 ? 0 : 1, defaultRate: 48_000, serverName: known))
        }
      }, Unmanaged.passUnretained(list).toOpaque(), Int32(Limits.serverListMilliseconds))
    return withExtendedLifetime(list) { code == 0 ? list.devices.withLock { $0 } : [] }
  }
}

extension SoundDevice {
  /// Why a device that only the sound server knows cannot be used.
  static let noWayToServer =
    "ALSA has no plugin for the sound server; install it, on Debian and Ubuntu with \"apt install libasound2-plugins\""

  /// How often the library begins again, which takes some 100 ms.
  private static let newBeginnings = 2

  /// All devices of the library, and behind them all of the sound server. The library lists its way to a server only if
  /// that answered when it looked: one that is just starting may answer a moment later, and then the library is to look
  /// again.
  static func list(
    library: () -> [SoundDevice], server: () -> [SoundDevice], beginAgain: () throws(AudioError) -> Void
  ) throws(AudioError) -> [SoundDevice] {
    var own = library()
    let others = server()
    let sides = [SoundDeviceKind.microphone, .speaker].filter { side in others.contains { $0.serves(side) } }
    for _ in 0..<newBeginnings where sides.contains(where: { wayToServer($0, in: own) == nil }) {
      try beginAgain()
      own = library()
    }
    return own + others
  }

  /// The place of the library's own device for the sound server, by which all of the server's are reached; nil if it
  /// lists none for this side.
  static func wayToServer(_ kind: SoundDeviceKind, in devices: [SoundDevice]) -> Int? {
    let usable = devices.indices.filter { devices[$0].serverName == nil && devices[$0].serves(kind) }
    return ["pulse", "default"].lazy.compactMap { name in usable.first { devices[$0].name == name } }.first
  }
}
