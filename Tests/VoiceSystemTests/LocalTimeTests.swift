import Testing
import VoiceSystem

/// Whatever the time zone of the machine is.
struct LocalTimeTests {
  /// Noon, when no clock is put forward or back.
  @Test(arguments: [1, 4, 7, 10]) func whatTheClockSaysIsTheMomentThatItIsOf(_ month: Int) {
    let noon = LocalTime(year: 2026, month: month, day: 15, hour: 12, minute: 30, second: 7)
    #expect(LocalTime(secondsSince1970: noon.secondsSince1970) == noon)
    let utc = 1_768_480_207
    if month == 1 { #expect(abs(noon.secondsSince1970 - utc) <= 14 * 3_600) }
  }

  @Test func aDayIsAsLongAsItIs() {
    let first = LocalTime(year: 2028, month: 2, day: 28, hour: 12, minute: 0, second: 0)
    let second = LocalTime(year: 2028, month: 2, day: 29, hour: 12, minute: 0, second: 0)
    #expect(second.secondsSince1970 - first.secondsSince1970 == 86_400)
  }
}
