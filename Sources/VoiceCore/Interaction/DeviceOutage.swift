package import VoiceVocabulary

/// The time in which a sound device is away: both together, so that a sound server that is started anew is told once.
package struct DeviceOutage: Equatable, Sendable {
  /// What was away, and why the user is told of it.
  package struct Summary: Equatable, Sendable {
    /// In the order in which they went.
    package let devices: [Device]
    package let milliseconds: Int

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
    case away(since: SessionTime, Stage)
  }

  private var state = State.none(endedAt: nil)
  private var devices: [Device] = []

  /// A device is away. Returns whether it is the first, so that the time begins.
  package mutating func began(_ kind: SoundSide, _ name: String, at now: SessionTime) -> Bool {
    if !devices.contains(where: { $0.kind == kind }) { devices.append(Device(kind: kind, name: name)) }
    guard case .none = state else { return false }
    state = .away(since: now, .new)
    return true
  }

  /// It goes on into its next stage. Returns what is away, and the stage; nil if nothing is, or there is no further stage.
  package mutating func lasts(at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard case .away(let since, let stage) = state, let next = Stage(rawValue: stage.rawValue + 1) else { return nil }
    state = .away(since: since, next)
    return (summary(since: since, now), next)
  }

  /// Every device that was away is back. Returns what was away, and how far that had come; nil if nothing was.
  package mutating func ended(at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard case .away(let since, let stage) = state else { return nil }
    defer { (state, devices) = (.none(endedAt: now), []) }
    return (summary(since: since, now), stage)
  }

  /// Whether sound that is missing now is missing because a device was away.
  package func explainsGap(at now: SessionTime) -> Bool {
    guard case .none(let endedAt) = state else { return true }
    return endedAt.map { now <= $0.advanced(byMilliseconds: Limits.longOutageMilliseconds) } ?? false
  }

  private func summary(since: SessionTime, _ now: SessionTime) -> Summary {
    Summary(devices: devices, milliseconds: Int((now.microseconds - since.microseconds) / 1000))
  }
}

extension DeviceOutage: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch state {
    // A session in which no device was ever away keeps its digests.
    case .none(endedAt: nil): return
    case .none(let endedAt?): digest.fold(1, endedAt)
    case .away(let since, let stage): digest.fold(2 + stage.rawValue, since)
    }
    for device in devices {
      digest.fold(device.kind.rawValue, device.name)
    }
  }
}
