package import VoiceVocabulary

/// A time in which sound devices are away. Two that go together are told together, so that the user is told once of a sound server that
/// restarts.
package struct DeviceOutage: Equatable, Sendable {
  /// What was away, and for how long.
  package struct Summary: Equatable, Sendable {
    /// In the order in which they went.
    package let devices: [Device]
    let now: SessionTime

    /// For how long the first has been away.
    package var milliseconds: Int { devices.first.map(milliseconds) ?? 0 }

    /// For how long one has.
    package func milliseconds(_ device: Device) -> Int { now.milliseconds(since: device.since) }

    /// The devices in words, such as: microphone “Headset” and the speaker “default”.
    package var names: String {
      devices.map { "\($0.kind.rawValue) “\($0.name)”" }.joined(separator: " and the ")
    }

    /// Whether it is one device.
    package var isOne: Bool { devices.count == 1 }
  }

  /// A device that is or was away.
  package struct Device: Equatable, Sendable {
    package let kind: SoundDeviceKind
    package let name: String
    package let since: SessionTime
    fileprivate(set) var stage = Stage.new
    /// Whether it is back; the other one is not.
    fileprivate(set) var isBack = false
  }

  /// How far an outage has come.
  package enum Stage: Int, Comparable, Sendable {
    /// Not told yet: the other device may follow, and both may be back in a moment. Next: `told`.
    case new
    /// The user knows. Next: `long`.
    case told
    /// It is over neither soon nor by itself. Next: `tooLong`.
    case long
    /// Nothing waits for the device any more; it is used again once it is there.
    case tooLong

    /// How long a device has been away when it comes to this stage.
    fileprivate var milliseconds: Int {
      switch self {
      case .new: 0
      case .told: Limits.toldOutageMilliseconds
      case .long: Limits.longOutageMilliseconds
      case .tooLong: Limits.deviceAwayMilliseconds
      }
    }

    fileprivate var next: Stage? { Stage(rawValue: rawValue + 1) }

    package static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  /// What is away, and what was since the first of them went; empty while nothing is.
  private var devices: [Device] = []
  private var endedAt: SessionTime?
  private var away: [Device] { devices.filter { !$0.isBack } }

  /// A device is away.
  package mutating func began(_ kind: SoundDeviceKind, _ name: String, at now: SessionTime) {
    devices.removeAll { $0.kind == kind }
    devices.append(Device(kind: kind, name: name, since: now))
  }

  /// When a device comes to its next stage; nil if none does.
  package var next: SessionTime? {
    away.compactMap { device in
      device.stage.next.map { device.since.advanced(byMilliseconds: $0.milliseconds) }
    }.min()
  }

  /// Devices come to their next stage. Returns which, and the stage; nil if none does. What is new is told together.
  package mutating func advance(at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    let due = away.filter { device in
      guard let next = device.stage.next else { return false }
      return now.milliseconds(since: device.since) >= next.milliseconds
    }
    guard let stage = due.map(\.stage).min(), let next = stage.next else { return nil }
    let kinds = (stage == .new ? away : due).filter { $0.stage == stage }.map(\.kind)
    for index in devices.indices where kinds.contains(devices[index].kind) { devices[index].stage = next }
    return (Summary(devices: devices.filter { kinds.contains($0.kind) }, now: now), next)
  }

  /// A device is back. Returns what was away, once all are back, and how far the one that was away longest had come.
  package mutating func returned(_ kind: SoundDeviceKind, at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard let index = devices.firstIndex(where: { $0.kind == kind }) else { return nil }
    devices[index].isBack = true
    guard devices.allSatisfy(\.isBack), let stage = devices.map(\.stage).max() else { return nil }
    defer { (devices, endedAt) = ([], now) }
    return (Summary(devices: devices, now: now), stage)
  }

  /// Whether sound that is missing now is missing because a device was away.
  package func explainsGap(at now: SessionTime) -> Bool {
    guard devices.isEmpty else { return true }
    return endedAt.map { now <= $0.advanced(byMilliseconds: Limits.longOutageMilliseconds) } ?? false
  }
}

extension DeviceOutage: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(endedAt, devices.count)
    for device in devices {
      digest.fold(device.kind.rawValue, device.name, device.since, device.stage.rawValue, device.isBack)
    }
  }
}
