import Subprocess
package import VoiceLanguage
import VoiceSystem
package import VoiceVocabulary

/// The program's side of the speech engine: a child process of the same executable, restarted when it crashes.
///
/// A crash costs the request that was being worked on: it fails with the reason. Those behind it are asked again of the
/// new child, and so is everything later. While a part is loading nothing is worked on, so nothing is lost then.
package final class SpeechEngine: SpeechRecogniser, SpeechSynthesiser {
  /// How the child is started.
  package struct Command: Sendable {
    package var executable: String
    package var arguments: [String]

    package init(executable: String, arguments: [String] = ["speech-engine"]) {
      self.executable = executable
      self.arguments = arguments
    }
  }

  /// Requests waiting for an answer: with a pause in every sentence, more than the sound that may wait.
  package static let longestQueue = 512
  /// What the reason of a failure for good ends with.
  package static let remedy = ": run parley check"

  private enum Work: Sendable {
    case recognition(@Sendable (Result<HeardSpeech, SpeechFailure>) -> Void)
    case synthesis(@Sendable (SynthesisEvent) -> Void)

    var part: SpeechPart {
      switch self {
      case .recognition: .recogniser
      case .synthesis: .voice
      }
    }

    func fail(_ reason: String) {
      switch self {
      case .recognition(let completion): completion(.failure(SpeechFailure(reason)))
      case .synthesis(let onEvent): onEvent(.failed(reason: reason))
      }
    }
  }

  private struct Pending: Sendable {
    var request: UInt32
    var message: SpeechEngineMessage
    var work: Work
    var isCancelled = false

    /// Whether somebody waits for it: what is shown while the user speaks is no work that the session is told of.
    var isAwaited: Bool {
      switch message {
      case .recognise(_, .interim, _), .recognise(_, .wake, _): false
      default: !isCancelled
      }
    }

    /// Samples that wait to be understood.
    var waitingSamples: Int {
      if case .recognise(_, _, let samples) = message, !isCancelled { samples.count } else { 0 }
    }
  }

  private struct State {
    var lastRequest: UInt32 = 0
    /// In the order in which they were asked; the first of each part that is loaded is the one being worked on.
    var pending: [Pending] = []
    /// Leads to the living child; nil between two children.
    var child: AsyncStream<[UInt8]>.Continuation?
    /// Whether this child has answered anything yet.
    var hasAnswered = false
    /// Parts of which the child, or between two children the next one, has not said yet whether it has them.
    var loading = Set(SpeechPart.allCases)
    /// Parts that were said to work.
    var working: Set<SpeechPart> = []
    /// The processor time that the child told last.
    var progress: UInt32 = 0
    /// What is to be expected, by every child.
    var expected: SpeechEngineMessage?
    /// Who wants to know when that is over.
    var waiting: [@Sendable () -> Void] = []
    /// Why nothing is taken in any more.
    var over: String?

    /// The child has ended, and the next one loads both parts anew. Returns what the child was working on, which is
    /// asked no more: the first request of each part that was loaded.
    mutating func takeLost() -> [Pending] {
      var lost: [Pending] = []
      for part in SpeechPart.allCases where !loading.contains(part) {
        if let index = pending.firstIndex(where: { $0.work.part == part }) { lost.append(pending.remove(at: index)) }
      }
      loading = Set(SpeechPart.allCases)
      return lost
    }
  }

  private let command: Command
  private let patience: Patience
  private let onStatus: @Sendable (SpeechEngineReport) -> Void
  private let state = OrderedEffects<State, SpeechEngineReport>(State())

  /// How long a child may have work without using the processor before it is taken for one that hangs, and how long a
  /// new child waits.
  package struct Patience: Sendable {
    package var checkMilliseconds = Limits.engineCheckMilliseconds
    /// Looks in a row without progress: counted, not measured, so that the time of a suspension is nobody's fault.
    package var checks = Limits.engineStallMilliseconds / Limits.engineCheckMilliseconds
    /// The waits before the second child, the third, and so on, while none of them has answered anything. Behind the
    /// last one the engine is given up.
    package var restartMilliseconds = Limits.engineRestartMilliseconds
  }

  /// - Parameter onStatus: Learns what happens to the child, on any thread.
  package init(
    command: Command, patience: Patience = Patience(),
    onStatus: @escaping @Sendable (SpeechEngineReport) -> Void = { _ in }
  ) {
    self.command = command
    self.patience = patience
    self.onStatus = onStatus
  }

  @discardableResult package func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose = .text,
    completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  ) -> UInt32 {
    ask(.recognition(completion)) { .recognise(request: $0, purpose: purpose, samples: samples) }
  }

  package func synthesise(
    _ text: String, rate: Float = 1, onEvent: @escaping @Sendable (SynthesisEvent) -> Void
  ) -> UInt32 {
    ask(.synthesis(onEvent)) { .synthesise(request: $0, rate: rate, text: text) }
  }

  /// Expect these words of the trade and names of the project from now on; any thread.
  package func expect(_ words: [ExpectedWord], names: [String]) {
    state.withLock { state in
      let message = SpeechEngineMessage.expect(words: words, names: names)
      state.expected = message
      state.child?.yield(message.encoded)
    }
  }

  package func cancelRecognition(_ request: UInt32) { cancel(request) }

  package func cancelSynthesis(_ request: UInt32) { cancel(request) }

  private func cancel(_ request: UInt32) {
    let work: Work? = state.withLock { state in
      guard let index = state.pending.firstIndex(where: { $0.request == request }) else { return nil }
      // Between two children nobody else can finish it; it is not asked again.
      guard let child = state.child else { return state.pending.remove(at: index).work }
      state.pending[index].isCancelled = true
      child.yield(SpeechEngineMessage.cancel(request: request).encoded)
      return nil
    }
    switch work {
    case .synthesis(let onEvent): onEvent(.finished)
    case .recognition(let completion): completion(.success(HeardSpeech("")))
    case nil: break
    }
    tellWork()
  }

  /// Tell which part has begun or ceased to have something to do: what is told last is what holds.
  private func tellWork() {
    state.step { state in
      let working = Set(state.pending.lazy.filter(\.isAwaited).map(\.work.part))
      defer { state.working = working }
      return SpeechPart.allCases.compactMap { part -> SpeechEngineReport? in
        guard working.contains(part) != state.working.contains(part) else { return nil }
        return working.contains(part) ? .working(part: part) : .idle(part: part)
      }
    } perform: { report in
      onStatus(report)
    }
  }

  /// Run the child, and after a wait a new one whenever it ends, until the task is cancelled or it fails too often. Call
  /// it once, early: the models are loaded at the start of the child. On return, every request has failed.
  package func run() async {
    var crashes = 0
    while true {
      let reason = await runChild()
      if Task.isCancelled { return end("the speech engine was stopped") }
      let (lost, hasAnswered) = state.withLock { state in (state.takeLost(), state.hasAnswered) }
      for pending in lost { pending.work.fail(reason) }
      tellWork()
      crashes = hasAnswered ? 1 : crashes + 1
      guard crashes <= patience.restartMilliseconds.count else {
        let reason = "\(reason); it ended \(crashes) times in a row\(Self.remedy)"
        onStatus(.failed(reason: reason))
        return end(reason)
      }
      onStatus(.restarting(reason: reason))
      // What ends a child, such as a lack of memory, often lasts a moment.
      do {
        try await Task.sleep(for: .milliseconds(patience.restartMilliseconds[crashes - 1]))
      } catch {
        return end("the speech engine was stopped")
      }
    }
  }

  /// Call `body` once every part is ready or known to be missing; at once if that is so already.
  package func whenReady(_ body: @escaping @Sendable () -> Void) {
    let isReady = state.withLock { state in
      if !state.loading.isEmpty { state.waiting.append(body) }
      return state.loading.isEmpty
    }
    if isReady { body() }
  }

  private func noteLoaded(_ parts: Set<SpeechPart>) {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      state.loading.subtract(parts)
      guard state.loading.isEmpty else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body() }
  }

  private func ask(_ work: Work, message: (UInt32) -> SpeechEngineMessage) -> UInt32 {
    let (request, refusal): (UInt32, String?) = state.withLock { state in
      state.lastRequest += 1
      let request = state.lastRequest
      if let over = state.over { return (request, over) }
      let pending = Pending(request: request, message: message(request), work: work)
      let waiting = state.pending.reduce(pending.waitingSamples) { $0 + $1.waitingSamples }
      if waiting > Limits.waitingSpeechSamples {
        let minutes = Limits.waitingSpeechSamples / PCM.microphoneRate / 60
        return (request, "\(minutes) minutes of speech wait to be understood already")
      }
      if state.pending.count >= Self.longestQueue { return (request, "the speech engine has too much to do") }
      state.pending.append(pending)
      state.child?.yield(pending.message.encoded)
      return (request, nil)
    }
    if let refusal { work.fail(refusal) } else { tellWork() }
    return request
  }

  private func end(_ reason: String) {
    let pending = state.withLock { state in
      state.over = reason
      defer { state.pending = [] }
      return state.pending
    }
    for pending in pending { pending.work.fail(reason) }
    tellWork()
    noteLoaded([.recogniser, .voice])
  }

  /// One child's life; why it ended.
  private func runChild() async -> String {
    let (frames, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    state.withLock { state in
      state.child = continuation
      state.hasAnswered = false
      state.progress = 0
      if let expected = state.expected { continuation.yield(expected.encoded) }
      for pending in state.pending {
        continuation.yield(pending.message.encoded)
        if pending.isCancelled { continuation.yield(SpeechEngineMessage.cancel(request: pending.request).encoded) }
      }
    }
    defer {
      continuation.finish()
      state.withLock { $0.child = nil }
    }
    for part in SpeechPart.allCases { onStatus(.loading(part: part)) }
    let hangs = Locked(false)
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(200))
    ]
    let printed = Locked<[UInt8]>([])
    do {
      let result = try await Subprocess.run(
        .path(FilePath(command.executable)), arguments: Arguments(command.arguments),
        environment: SpeechEngineEnvironment.environment, platformOptions: options, input: .inputWriter,
        output: .sequence, error: .sequence
      ) { execution in
        await withTaskGroup { group in
          group.addTask { await SpeechEngineStreams.write(frames, to: execution.standardInputWriter) }
          group.addTask { await SpeechEngineStreams.keep(execution.standardError, in: printed) }
          group.addTask {
            guard await self.hangs() else { return }
            hangs.withLock { $0 = true }
            continuation.finish()
            // It may not even listen to a request to end.
            do { try execution.send(signal: .kill, toProcessGroup: true) } catch { return }
          }
          await self.take(execution.standardOutput)
          // Nothing more is answered: what was not written is of no use, and neither is a child that still runs.
          continuation.finish()
          group.cancelAll()
        }
      }
      let words = SpeechEngineStreams.lastLine(printed.withLock { $0 })
      if hangs.withLock({ $0 }) {
        let seconds = patience.checks * patience.checkMilliseconds / 1000
        return "the speech engine was ended: it had work and did nothing for \(seconds) seconds"
      }
      return "the speech engine ended (\(result.terminationStatus))\(words.isEmpty ? "" : ": \(words)")"
    } catch {
      return "the speech engine \(command.executable) could not be run: \(error)"
    }
  }

  /// Returns true once the child has had something to do for a long time and used no processor; false when it is over.
  private func hangs() async -> Bool {
    var last: UInt32 = 0
    var idleChecks = 0
    while idleChecks < patience.checks {
      do { try await Task.sleep(for: .milliseconds(patience.checkMilliseconds)) } catch { return false }
      let (hasWork, progress) = state.withLock { state in
        (!state.loading.isEmpty || state.pending.contains { !$0.isCancelled }, state.progress)
      }
      idleChecks = hasWork && progress == last ? idleChecks + 1 : 0
      last = progress
    }
    return true
  }

  /// Take the child's messages until it closes its output or says something that makes no sense.
  private func take(_ output: SubprocessOutputSequence) async {
    var reader = SpeechEngineReader()
    do {
      for try await buffer in output {
        for message in try reader.read(buffer.withUnsafeBytes { Array($0) }) { take(message) }
      }
    } catch {
      // Ends this child, which `run` reports with what the child printed.
      return
    }
  }

  private func take(_ message: SpeechEngineMessage) {
    switch message {
    case .ready(let part):
      onStatus(.ready(part: part))
      noteLoaded([part])
    case .unavailable(let part, let reason):
      onStatus(.unavailable(part: part, reason: reason))
      noteLoaded([part])
    case .progress(let milliseconds): state.withLock { $0.progress = milliseconds }
    case .recognised(let request, let heard):
      if case .recognition(let completion) = answered(request, isLast: true) { completion(.success(heard)) }
    case .audio(let request, let samples):
      if case .synthesis(let onEvent) = answered(request, isLast: false) { onEvent(.audio(samples: samples)) }
    case .finished(let request):
      if case .synthesis(let onEvent) = answered(request, isLast: true) { onEvent(.finished) }
    case .failed(let request, let reason): answered(request, isLast: true)?.fail(reason)
    case .recognise, .synthesise, .cancel, .expect: break
    }
  }

  private func answered(_ request: UInt32, isLast: Bool) -> Work? {
    defer { if isLast { tellWork() } }
    return state.withLock { state in
      state.hasAnswered = true
      guard let index = state.pending.firstIndex(where: { $0.request == request }) else { return nil }
      defer { if isLast { state.pending.remove(at: index) } }
      return state.pending[index].work
    }
  }
}
