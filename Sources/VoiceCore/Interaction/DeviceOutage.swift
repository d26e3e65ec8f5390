package import VoiceVocabulary

/// The time in which a sound device is away: both together, so that a sound server that is started anew is told once.
package struct DeviceOutage: Equatable, Sendable {
  /// What was away, and why the user is told of it.
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
    package let kind: SoundSide
    package let name: String
    package let since: SessionTime
  }

  /// How far an outage has come.
  package enum Stage: Int, Sendable {
    /// Not told yet: the other device may follow, and both may be back in a moment. Next: `told`.
    case new
    /// The user knows. Next: `long`.
    case told
    /// It is over neither soon nor by itself. Next: `tooLong`.
    case long
    /// Nothing waits for the devices any more; they are used again once they are there.
    case tooLong
  }

  private enum State: Equatable, Sendable {
    /// Exits: `away`.
    case none(endedAt: SessionTime?)
    /// Exits: `none` (all are back).
    case away(Stage)
  }

  private var state = State.none(endedAt: nil)
  private var devices: [Device] = []

  /// A device is away. Returns whether the time until the user is told begins: not if it runs already, for the other one.
  package mutating func began(_ kind: SoundSide, _ name: String, at now: SessionTime) -> Bool {
    devices.removeAll { $0.kind == kind && state != .away(.new) }
    if !devices.contains(where: { $0.kind == kind }) { devices.append(Device(kind: kind, name: name, since: now)) }
    guard state != .away(.new) else { return false }
    state = .away(.new)
    return true
  }

  /// It goes on into its next stage. Returns what is away, and the stage; nil if nothing is, or there is no further stage.
  package mutating func lasts(at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard case .away(let stage) = state, let next = Stage(rawValue: stage.rawValue + 1) else { return nil }
    state = .away(next)
    return (Summary(devices: devices, now: now), next)
  }

  /// Every device that was away is back. Returns what was away, and how far that had come; nil if nothing was.
  package mutating func ended(at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard case .away(let stage) = state else { return nil }
    defer { (state, devices) = (.none(endedAt: now), []) }
    return (Summary(devices: devices, now: now), stage)
  }

  /// Whether sound that is missing now is missing because a device was away.
  package func explainsGap(at now: SessionTime) -> Bool {
    guard case .none(let endedAt) = state else { return true }
    return endedAt.map { now <= $0.advanced(byMilliseconds: Limits.longOutageMilliseconds) } ?? false
  }
}

extension DeviceOutage: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch state {
    case .none(let endedAt): digest.fold(0, endedAt)
    case .away(let stage): digest.fold(1 + stage.rawValue)
    }
    digest.fold(devices.count)
    for device in devices { digest.fold(device.kind.rawValue, device.name, device.since) }
  }
}
