import VoiceVocabulary

/// The device to which the sound server has connected one side of the session, which nobody chose by its name. A pure value, used
/// by one thread at a time.
///
/// A server that starts, and one that has lost a device, may try several in a row: another device counts once it has stood for a
/// while.
struct UsedDevice: Equatable {
  /// Another device has taken the place of the one before.
  struct Replacement: Equatable {
    let name: String
    let formerName: String
  }

  /// What the server told last.
  private var newest: String?
  /// Since when that is known to be another than before.
  private var since: SessionTime?
  /// What the session knows of.
  private var known: String?

  /// The server told what is used: at first, and whenever anything has changed.
  mutating func isUsed(_ name: String) {
    if newest != name { since = nil }
    newest = name
    if known == nil { known = name }
  }

  /// What the session is to be told now, once.
  mutating func takeReplacement(at moment: SessionTime) -> Replacement? {
    guard let newest, let known, newest != known else { return nil }
    guard let since else {
      since = moment
      return nil
    }
    guard since.advanced(byMilliseconds: Limits.replacedDeviceMilliseconds) <= moment else { return nil }
    self.known = newest
    self.since = nil
    return Replacement(name: newest, formerName: known)
  }
}
