import Foundation
import Testing
import VoiceAudio
import VoiceLoop
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

/// A session's end of the wires: a clock, and everything that was posted, recorded or played, in order.
final class Bench: @unchecked Sendable {
  // Everything is touched between lock and unlock of `condition` only.
  struct Entry {
    var time: SessionTime
    var event: VoiceEvent
  }

  private let condition = NSCondition()
  private let clock = SessionClock()
  private var entries: [Entry] = []
  private var heard: [MicrophoneFrame] = []
  private var played: [(samples: [Int16], position: Int)] = []
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  var now: SessionTime { clock.now }

  var wiring: AudioWiring {
    AudioWiring(
      now: { self.now },
      post: { event in
        self.locked { self.entries.append(Entry(time: self.now, event: event)) }
      },
      heard: { frame in self.locked { self.heard.append(frame) } },
      played: { samples, position in self.locked { self.played.append((samples, position)) } })
  }

  /// Who watches a pipe.
  enum Watcher: CaseIterable { case ownThread, connection, failing }

  func wiring(_ watcher: Watcher) -> AudioWiring {
    var wiring = wiring
    switch watcher {
    case .ownThread: break
    case .failing: wiring.watch = { _, _, failed in failed() }
    case .connection:
      wiring.watch = { descriptor, read, failed in
        Thread.detachNewThread {
          var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          repeat { _ = poll(&watched, 1, 100) } while watched.revents == 0 || read() != .over
          // The library of the connections reads on while it closes what it watched.
          for _ in 0..<10 { _ = read() }
          failed()
        }
      }
    }
    return wiring
  }

  var events: [VoiceEvent] { locked { entries.map(\.event) } }
  /// Everything but frames, and that a virtual microphone has no noise.
  var marks: [VoiceEvent] {
    events.filter {
      switch $0 {
      case .microphoneFrame, .soundLevelChanged, .muteChanged: false
      default: true
      }
    }
  }
  var frames: [MicrophoneFrame] {
    events.compactMap { if case .microphoneFrame(let frame) = $0 { frame } else { nil } }
  }
  var frameTimes: [SessionTime] {
    locked { entries.compactMap { if case .microphoneFrame = $0.event { $0.time } else { nil } } }
  }
  /// When an event first came, of those from this time on.
  func time(since start: SessionTime, where matches: (VoiceEvent) -> Bool) -> SessionTime? {
    locked { entries.first { $0.time >= start && matches($0.event) }?.time }
  }

  var recordedFrames: [MicrophoneFrame] { locked { heard } }
  var playedSound: [(samples: [Int16], position: Int)] { locked { played } }

  func time(of event: VoiceEvent) -> SessionTime? { locked { entries.first { $0.event == event }?.time } }

  /// Block until the entries fulfil a condition; a generous deadline turns a hang into a failure.
  func wait(seconds: Double = 20, for fulfilled: ([Entry]) -> Bool) -> Bool {
    waitUntil(seconds: seconds) { fulfilled(entries) }
  }

  /// Block until this many blocks were played.
  func wait(forPlayedBlocks count: Int) -> Bool { waitUntil(seconds: 20) { played.count >= count } }

  /// Block until this many samples were handed over to be played.
  func wait(forPlayedSamples count: Int) -> Bool {
    waitUntil(seconds: 20) { played.reduce(0) { $0 + $1.samples.count } >= count }
  }

  private func waitUntil(seconds: Double, _ fulfilled: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !fulfilled() {
      if !condition.wait(until: deadline) { return fulfilled() }
    }
    return true
  }

  func wait(for event: VoiceEvent) -> Bool { wait { $0.contains { $0.event == event } } }

  func wait(forFrames count: Int) -> Bool {
    wait { $0.count { if case .microphoneFrame = $0.event { true } else { false } } >= count }
  }

  func fifo(_ name: String) throws -> String {
    let file = path + "/" + name
    try #require(mkfifo(file, 0o600) == 0)
    return file
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body()
  }
}

/// Samples that count up from `first`, so that their order and number show.
func ramp(_ first: Int, _ count: Int) -> [Int16] { (first..<first + count).map { Int16(truncatingIfNeeded: $0) } }

func speech(_ number: Int) -> SpeechID { SpeechID(rawValue: number) }
