import VoiceSystem

#if os(Linux)
  import CTimer
#endif

/// A moment for which one thread waits, and which any thread may move without waking it.
final class Alarm: Sendable {
  /// Can be read (`poll`) from the moment on, until `silence` is called or another moment is set.
  let descriptor: Int32

  init() throws(AudioError) {
    #if os(Linux)
      descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    #else
      descriptor = kqueue()
    #endif
    if descriptor < 0 { throw AudioError.noSoundSystem(reason: String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Ring so much later, and not at the moment set before; nil is never.
  func set(microseconds: Int?) {
    // Nothing at all would mean never.
    let later = microseconds.map { max($0, 1) } ?? 0
    #if os(Linux)
      var moment = itimerspec()
      moment.it_value = timespec(tv_sec: later / 1_000_000, tv_nsec: later % 1_000_000 * 1000)
      timerfd_settime(descriptor, 0, &moment, nil)
    #else
      var change = kevent()
      change.ident = 1
      change.filter = Int16(EVFILT_TIMER)
      change.flags = UInt16(later == 0 ? EV_DELETE : EV_ADD | EV_ONESHOT)
      change.fflags = UInt32(NOTE_USECONDS)
      change.data = later
      kevent(descriptor, &change, 1, nil, 0, nil)
    #endif
  }

  /// Take what rang, so that the descriptor waits again.
  func silence() {
    #if os(Linux)
      var count: UInt64 = 0
      _ = read(descriptor, &count, 8)
    #else
      var event = kevent()
      var none = timespec()
      kevent(descriptor, nil, 0, &event, 1, &none)
    #endif
  }
}
