import VoiceVocabulary

/// Notices that a microphone gives nothing but zeros, which no live one does: it has noise. A pure value, used by one thread.
///
/// A device that takes noise away may give zeros in every pause: what comes and goes is told only a few times.
struct MuteWatch: Equatable {
  private var zeros = 0
  private var isMuted = false
  private var tellings = 0

  /// Take what the device gave, at so many samples a second. Returns whether it is muted, if the user is to be told.
  mutating func hear(_ samples: some Collection<Int16>, rate: Int) -> Bool? {
    if samples.isEmpty { return nil }
    guard samples.allSatisfy({ $0 == 0 }) else {
      zeros = 0
      guard isMuted else { return nil }
      isMuted = false
      return false
    }
    zeros += samples.count
    guard !isMuted, tellings < Limits.toldMutes, zeros * 1000 / rate >= Limits.muteMilliseconds else { return nil }
    isMuted = true
    tellings += 1
    return true
  }
}
