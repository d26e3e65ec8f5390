import VoiceVocabulary

/// Notices that a microphone gives nothing but zeros, or always another value, which no live one does: it has noise. A pure value,
/// used by one thread.
///
/// A device that takes noise away may give zeros in every pause, and so seem to be muted and live by turns: the user is told of that
/// only `Limits.toldMutes` times.
struct MuteWatch: Equatable {
  private var last: Int16 = 0
  private var constant = 0
  private var isMuted = false
  private var tellings = 0

  /// Take what the device gave, at so many samples a second. Returns whether it is muted, if the user is to be told.
  mutating func hear(_ samples: some Collection<Int16>, rate: Int) -> Bool? {
    guard let first = samples.first else { return nil }
    defer { last = first }
    guard samples.allSatisfy({ $0 == first }), constant == 0 || first == last else {
      constant = 0
      guard isMuted else { return nil }
      isMuted = false
      return false
    }
    constant += samples.count
    guard !isMuted, tellings < Limits.toldMutes, constant * 1000 / rate >= Limits.muteMilliseconds else { return nil }
    isMuted = true
    tellings += 1
    return true
  }
}
