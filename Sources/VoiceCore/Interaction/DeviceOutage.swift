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

    /// Those whose outages are told, and those that were given up, which is always told; nil if there are none.
    package var told: Summary? { those { $0.telling == .outage || $0.stage == .tooLong } }

    /// Those of which the user has yet to be told that they keep dropping out; nil if there are none.
    package var unsteady: Summary? { those { $0.telling == .unsteadiness } }

    private func those(_ isMeant: (Device) -> Bool) -> Summary? {
      let meant = devices.filter(isMeant)
      return meant.isEmpty ? nil : Summary(devices: meant, now: now)
    }
  }

  /// A device that is or was away.
  package struct Device: Equatable, Sendable {
    package let kind: SoundDeviceKind
    package let name: String
    package let since: SessionTime
    fileprivate var telling: Telling
    fileprivate(set) var stage = Stage.new
    /// Whether it is back; the other one is not.
    fileprivate(set) var isBack = false
  }

  /// What the user is told of an outage.
  fileprivate enum Telling: Int, Equatable, Sendable {
    /// That the device is away, and that it is back.
    case outage
    /// That the device keeps dropping out. Exits: `nothing` (he was told).
    case unsteadiness
    /// Nothing: he knows that it does.
    case nothing
  }

  /// How often a device was away lately.
  private struct Past: Equatable, Sendable {
    let kind: SoundDeviceKind
    /// When its last outages began; no more of them than are told.
    var beginnings: [SessionTime] = []
    /// When the last of them ended; nil while it lasts.
    var backSince: SessionTime?
    /// Whether the user was told that it keeps dropping out.
    var isKnown = false

    /// It is away again. Returns what the user is to be told of that.
    mutating func began(at now: SessionTime) -> Telling {
      if let backSince, now.milliseconds(since: backSince) >= Limits.steadyDeviceMilliseconds {
        (beginnings, isKnown) = ([], false)
      }
      beginnings.removeAll { now.milliseconds(since: $0) >= Limits.steadyDeviceMilliseconds }
      defer { (beginnings, backSince) = (Array((beginnings + [now]).suffix(Limits.toldOutages)), nil) }
      if isKnown { return .nothing }
      return beginnings.count < Limits.toldOutages ? .outage : .unsteadiness
    }
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
  /// Of each device that was away.
  private var pasts: [Past] = []
  private var away: [Device] { devices.filter { !$0.isBack } }

  /// A device is away.
  package mutating func began(_ kind: SoundDeviceKind, _ name: String, at now: SessionTime) {
    devices.removeAll { $0.kind == kind }
    if !pasts.contains(where: { $0.kind == kind }) { pasts.append(Past(kind: kind)) }
    var telling = Telling.outage
    for index in pasts.indices where pasts[index].kind == kind { telling = pasts[index].began(at: now) }
    devices.append(Device(kind: kind, name: name, since: now, telling: telling))
  }

  /// The user is told now that these keep dropping out.
  private mutating func told(_ summary: Summary) {
    let kinds = summary.unsteady?.devices.map(\.kind) ?? []
    for index in pasts.indices where kinds.contains(pasts[index].kind) { pasts[index].isKnown = true }
    for index in devices.indices where kinds.contains(devices[index].kind) { devices[index].telling = .nothing }
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
    let summary = Summary(devices: devices.filter { kinds.contains($0.kind) }, now: now)
    told(summary)
    return (summary, next)
  }

  /// A device is back. Returns what was away, once all are back, and how far the one that was away longest had come.
  package mutating func returned(_ kind: SoundDeviceKind, at now: SessionTime) -> (summary: Summary, stage: Stage)? {
    guard let index = devices.firstIndex(where: { $0.kind == kind }) else { return nil }
    devices[index].isBack = true
    for place in pasts.indices where pasts[place].kind == kind { pasts[place].backSince = now }
    guard devices.allSatisfy(\.isBack), let stage = devices.map(\.stage).max() else { return nil }
    let summary = Summary(devices: devices, now: now)
    told(summary)
    (devices, endedAt) = ([], now)
    return (summary, stage)
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
      if device.telling != .outage { digest.fold(device.telling.rawValue) }
    }
    // Most devices are away once at most, and the digests of those are in logs.
    for past in pasts where past.isKnown || past.beginnings.count > 1 {
      digest.fold(past.kind.rawValue, past.beginnings, past.backSince, past.isKnown)
    }
  }
}
