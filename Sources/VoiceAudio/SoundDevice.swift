package import VoiceVocabulary

/// One sound device as the sound system lists it.
package struct SoundDevice: Equatable, Sendable {
  /// The name, which stays the same when other devices come and go.
  package var name: String
  /// The sound system that offers it, such as ALSA or Core Audio.
  package var hostAPI: String
  package var inputChannels: Int
  package var outputChannels: Int
  /// Samples a second.
  package var defaultRate: Int
  package var isDefaultMicrophone = false
  package var isDefaultSpeaker = false
  /// What the sound server calls it, for a device that only the server knows.
  package var serverName: String?

  /// Whether it can be used as this.
  func serves(_ kind: SoundDeviceKind) -> Bool { (kind == .microphone ? inputChannels : outputChannels) > 0 }
  /// Whether it is the one that is used unless another is named.
  func isDefault(_ kind: SoundDeviceKind) -> Bool { kind == .microphone ? isDefaultMicrophone : isDefaultSpeaker }

  /// The index of the device meant by a fragment of its name, in any case of letters; nil means the default device.
  ///
  /// A whole name beats a fragment, and where several sound systems offer the same name, the first in the list counts. A
  /// device that only the sound server knows is meant where no other is.
  package static func choose(
    _ kind: SoundDeviceKind, named fragment: String?, from devices: [SoundDevice]
  ) throws(AudioError) -> Int {
    let usable = devices.indices.filter { devices[$0].serves(kind) }
    guard let first = usable.first else { throw AudioError.noDevice(kind, fragment: fragment) }
    guard let fragment else {
      return usable.first { devices[$0].isDefault(kind) } ?? first
    }
    let wanted = fragment.lowercased()
    var matching = usable.filter { devices[$0].name.lowercased() == wanted }
    if matching.isEmpty { matching = usable.filter { devices[$0].name.lowercased().contains(wanted) } }
    let own = matching.filter { devices[$0].serverName == nil }
    if !own.isEmpty { matching = own }
    // The server's own names are exact.
    let exact = matching.filter { devices[$0].serverName?.lowercased() == wanted }
    if !exact.isEmpty { matching = exact }
    guard let chosen = matching.first else {
      throw AudioError.noSuchDevice(kind, fragment: fragment, available: names(usable, devices))
    }
    guard matching.allSatisfy({ devices[$0].name == devices[chosen].name }) else {
      throw AudioError.ambiguousDevice(kind, fragment: fragment, matching: names(matching, devices))
    }
    return chosen
  }

  /// Whether the card by whose number the device is opened, as in "HDA Intel: ALC257 Analog (hw:0,0)", is still that card
  /// in the list of `/proc/asound/cards`. True for what is not opened by a number.
  func isListed(in cards: String) -> Bool {
    guard let place = name.ranges(of: " (hw:").last,
      let number = name[place.upperBound...].split(separator: ",").first.flatMap({ Int($0) })
    else { return true }
    let card = name[..<place.lowerBound].split(separator: ":").first ?? ""
    return cards.lines.contains { line in
      line.split(separator: " ").first == "\(number)" && line.hasSuffix(" - \(card)")
    }
  }

  private static func names(_ indices: [Int], _ devices: [SoundDevice]) -> [String] {
    indices.reduce(into: []) { names, index in
      if !names.contains(devices[index].name) { names.append(devices[index].name) }
    }
  }
}
