import Dispatch
import VoiceSystem

/// A tick, for looking again at something that cannot tell by itself: the first at once.
struct Ticks {
  let stream: AsyncStream<Void>
  private let timer: any DispatchSourceTimer

  /// The first comes at once.
  init(everyMilliseconds milliseconds: Int) {
    let timer = DispatchSource.makeTimerSource()
    // A tick that nobody waited for is not made up for.
    stream = AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      timer.setEventHandler { continuation.yield() }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds))
    timer.resume()
    self.timer = timer
  }

  /// No more come.
  func stop() { timer.cancel() }
}
