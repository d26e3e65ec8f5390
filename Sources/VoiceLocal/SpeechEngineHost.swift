import Dispatch
import VoiceLanguage
import VoiceSystem
package import VoiceVocabulary

/// The speech engine's side of the pipe: reads requests from standard input, answers on standard output.
///
/// One thread reads; one recognises; one listens for the end of a turn; one speaks. So a long answer being spoken does not delay
/// what the user says next.
/// The end of standard input ends the process at once, so it never outlives the program that started it.
package final class SpeechEngineHost: Sendable {
  private let engines: any SpeechEngines
  private let output: Int32
  private let writeLock = Locked(())
  private let cancelled = Locked(Set<UInt32>())
  /// Why a part cannot be used.
  private let unavailable = Locked([SpeechPart: String]())
  private let recogniserQueue = DispatchQueue(label: "parley.recogniser")
  private let turnQueue = DispatchQueue(label: "parley.turns")
  private let voiceQueue = DispatchQueue(label: "parley.voice")

  private let pulse = Pulse()

  /// A stretch of sound in one message: half a second, so that the first of a long sentence is not held up.
  private static let chunkSamples = PCM.speakerRate / 2

  private init(engines: any SpeechEngines, output: Int32) {
    self.engines = engines
    self.output = output
  }

  /// Be the speech engine of the program at the other end of standard input and output; the exit code.
  /// - Parameters: see `OnnxEngines`.
  package static func run(
    searches: Bool = true, speaks: Bool = true, phrases: SpokenPhrases = SpokenPhrases()
  ) -> Int32 {
    var environment: [String: String] = [:]
    for name in ["PARLEY_SPEECH_HOME", "XDG_DATA_HOME", "HOME"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    // Before anything of the library runs: what it prints must not get between the messages.
    let output = takeStandardOutput()
    return run(
      engines: OnnxEngines(environment: environment, searches: searches, speaks: speaks, phrases: phrases),
      output: output)
  }

  /// The same with other engines.
  package static func run(engines: any SpeechEngines) -> Int32 {
    run(engines: engines, output: takeStandardOutput())
  }

  private static func takeStandardOutput() -> Int32 {
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    signal(SIGPIPE, SIG_IGN)
    return output
  }

  private static func run(engines: any SpeechEngines, output: Int32) -> Int32 {
    let host = SpeechEngineHost(engines: engines, output: output)
    host.pulse.start { host.send(.progress(processorMilliseconds: $0)) }
    host.pulse.begin(3)
    host.recogniserQueue.async {
      host.load(.recogniser) { () throws(SpeechFailure) in try engines.loadRecogniser() }
      host.turnQueue.async { host.loadTurns() }
    }
    host.recogniserQueue.async {
      host.load(nil) { () throws(SpeechFailure) in try engines.loadShortRecogniser() }
    }
    host.voiceQueue.async {
      host.load(.voice) { () throws(SpeechFailure) in try engines.loadVoice() }
    }
    let code = host.readRequests()
    // Without the library's clean-up, which would race with its threads.
    _exit(code)
  }

  /// - Parameter part: What is ready then; nil when it was before.
  private func load(_ part: SpeechPart?, with body: () throws(SpeechFailure) -> Void) {
    defer { pulse.end() }
    do {
      try body()
      if let part { send(.ready(part: part)) }
    } catch {
      if let part { unavailable.withLock { $0[part] = error.reason } }
      send(.unavailable(part: part ?? .recogniser, reason: error.reason))
    }
  }

  /// Where that fails, the text alone tells whether a turn is over.
  private func loadTurns() {
    do {
      try engines.loadTurns()
    } catch {
      // Standard error is kept by the program, for the reason of an end.
      _ = Descriptors.offer(Array("\(error); turns end by their text\n".utf8), to: STDERR_FILENO)
    }
  }

  private func readRequests() -> Int32 {
    var reader = SpeechEngineReader()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do { count = try Descriptors.read(STDIN_FILENO, into: &block) } catch { return 0 }
      if count == 0 { return 0 }
      do {
        for message in try reader.read(block[..<count]) { take(message) }
      } catch {
        return 65
      }
    }
  }

  private func take(_ message: SpeechEngineMessage) {
    switch message {
    case .recognise(let request, let purpose, let samples):
      pulse.begin()
      let completeness = purpose == .pause ? listenForEnd(request, samples) : nil
      recogniserQueue.async { [self] in
        defer {
          cancelled.withLock { _ = $0.remove(request) }
          pulse.end()
        }
        // Nobody wants to know any more: it is worth no time.
        if cancelled.withLock({ $0.contains(request) }) {
          return send(.recognised(request: request, heard: HeardSpeech("")))
        }
        if let reason = unavailable.withLock({ $0[.recogniser] }) {
          return send(.failed(request: request, reason: reason))
        }
        do {
          var heard =
            switch purpose {
            case .interim: HeardSpeech(try engines.guess(samples) { cancelled.withLock { !$0.contains(request) } })
            case .wake: HeardSpeech(try engines.wakePhrase(in: samples))
            case .text, .pause: try engines.recognise(samples)
            }
          heard.completeness = completeness?.value
          send(.recognised(request: request, heard: heard))
        } catch {
          send(.failed(request: request, reason: "\(error)"))
        }
      }
    case .synthesise(let request, let rate, let text):
      pulse.begin()
      voiceQueue.async { [self] in
        defer { pulse.end() }
        speak(request, text, rate)
      }
    case .cancel(let request): cancelled.withLock { _ = $0.insert(request) }
    case .expect(let words, let names):
      pulse.begin()
      recogniserQueue.async { [self] in
        engines.expect(ExpectedWords(words, names: names))
        pulse.end()
      }
    case .ready, .unavailable, .recognised, .audio, .finished, .failed, .progress: break
    }
  }

  /// Begin to find out, beside the recogniser, whether the sound is a whole turn.
  private func listenForEnd(_ request: UInt32, _ samples: [Int16]) -> Completeness {
    let completeness = Completeness()
    turnQueue.async { [self] in
      let isWanted = cancelled.withLock { !$0.contains(request) }
      completeness.found(isWanted ? engines.completeness(of: samples) : nil)
    }
    return completeness
  }

  private func speak(_ request: UInt32, _ text: String, _ rate: Float) {
    defer { cancelled.withLock { _ = $0.remove(request) } }
    func isCancelled() -> Bool { cancelled.withLock { $0.contains(request) } }
    if isCancelled() { return send(.finished(request: request)) }
    if let reason = unavailable.withLock({ $0[.voice] }) { return send(.failed(request: request, reason: reason)) }
    do {
      try engines.synthesise(text, rate: max(0.5, min(2, rate))) { samples in
        for start in stride(from: 0, to: samples.count, by: Self.chunkSamples) where !isCancelled() {
          let chunk = samples[start..<min(start + Self.chunkSamples, samples.count)]
          send(.audio(request: request, samples: Array(chunk)))
        }
        return !isCancelled()
      }
      send(.finished(request: request))
    } catch {
      send(.failed(request: request, reason: "\(error)"))
    }
  }

  /// Write a message whole; any thread. A reader that is gone ends the process through standard input.
  private func send(_ message: SpeechEngineMessage) {
    let bytes = message.encoded
    writeLock.withLock { _ in _ = Descriptors.offer(bytes, to: output) }
  }
}

/// A number on its way from one thread to another.
private final class Completeness: Sendable {
  private let group = DispatchGroup()
  private let number = Locked<Float?>(nil)

  init() { group.enter() }

  /// To be called once.
  func found(_ number: Float?) {
    self.number.withLock { $0 = number }
    group.leave()
  }

  /// Waits until it is there.
  var value: Float? {
    group.wait()
    return number.withLock { $0 }
  }
}

/// Tells every second how much processor time this process has used, while it has something to do: the other side can
/// tell a slow machine from a process that hangs. Silent, and asleep, while there is nothing to do.
private final class Pulse: @unchecked Sendable {
  // `timer` is touched under the lock of `jobs`, but for its handler, which is set before anything begins.
  private let queue = DispatchQueue(label: "parley.pulse")
  private let timer: any DispatchSourceTimer
  private let jobs = Locked(0)

  init() { timer = DispatchSource.makeTimerSource(queue: queue) }

  func start(_ tell: @escaping @Sendable (UInt32) -> Void) {
    timer.setEventHandler {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      tell(UInt32(truncatingIfNeeded: Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000))
    }
  }

  func begin(_ count: Int = 1) {
    jobs.withLock { jobs in
      jobs += count
      guard jobs == count else { return }
      timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(100))
      timer.resume()
    }
  }

  func end() {
    jobs.withLock { jobs in
      jobs -= 1
      if jobs == 0 { timer.suspend() }
    }
  }
}
