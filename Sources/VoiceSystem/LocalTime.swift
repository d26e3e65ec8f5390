/// A moment on the clock and in the calendar of where the user is, as the system has them: the part of Foundation that the program
/// has knows UTC alone.
package struct LocalTime: Equatable, Sendable {
  package var year, month, day, hour, minute, second: Int

  /// What clock and calendar say: month and day count from 1.
  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// What clock and calendar say so many seconds after the beginning of 1970, in UTC.
  package init(secondsSince1970 seconds: Int) {
    var (time, parts) = (time_t(seconds), tm())
    tzset()
    localtime_r(&time, &parts)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// What it is now.
  package static var now: LocalTime { LocalTime(secondsSince1970: time(nil)) }

  /// How many seconds after the beginning of 1970, in UTC, it is; where the clock is put forward over it, a moment beside it.
  package var secondsSince1970: Int {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    // The system is to find out whether it is summer time.
    parts.tm_isdst = -1
    return Int(mktime(&parts))
  }
}
