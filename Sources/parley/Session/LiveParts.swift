import VoiceConfiguration
import VoiceCore
import VoiceFoundation
import VoiceLanguage
import VoiceLive
import VoiceLocal
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary
import VoiceWebSocket

/// The live model behind the ports: the listener, the readout, and the local server where the plan names it.
struct LiveParts {
  let listener: LiveModelClient
  let readout: LiveReadout
  private let service: WebSocketService
  private let local: LocalSpeech?
  /// The local live model, where it is that.
  private let server: LocalLiveServer?

  /// - Parameters:
  ///   - turns: who finds where the user's turns end; nil for what the plan says, or the live model.
  ///   - record: keeps what goes over the wires; nil keeps nothing.
  ///   - report: takes a line for the user.
  ///   - guesses: whether the local live model tells what the user seems to be saying, while he speaks.
  ///   - waitsForEngines: whether the local live model lets nobody begin before its engines are loaded, for who measures
  ///     its times. By default what is said before that is kept for them.
  init(
    _ plan: Plan, turns: TurnFinding? = nil,
    record: WireRecorder?, report: @escaping @Sendable (String) -> Void, guesses: Bool = false,
    waitsForEngines: Bool = false,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws {
    let turnDetection = turns?.detection ?? plan.turnDetection ?? .server
    let pauses = turns.flatMap { $0.weighsPauses ? $0.limit : nil }
    let endpoint: LiveEndpoint
    if plan.endpoint == "local" {
      var speech = try LocalSpeech(plan.phrases, report: report, onStatus: { post(.speechEngineReported(report: $0)) })
      {
        post(.wakePhraseHeard)
      }
      if let pauses { speech.listenForPauses(plan, pauses, report: report) }
      let engine = speech.engine
      let server = try LocalLiveServer(
        models: speech.models, recogniser: engine, synthesiser: engine, guesses: guesses,
        phrases: plan.phrases, whenReady: { waitsForEngines ? engine.whenReady($0) : $0() }, onProblem: report)
      (local, self.server) = (speech, server)
      endpoint = try LiveEndpoint(
        LocalLiveServer.provider, url: server.url, key: Secret(server.key), model: "local")
    } else {
      endpoint = try Self.endpoint(plan, turnDetection)
      server = nil
      local = try pauses.map { pauses in
        var speech = try LocalSpeech(plan.phrases, listensOnly: true, report: report) { status in
          guard case .failed(let reason) = status else { return }
          report("every pause of \(plan.silenceMilliseconds) ms ends a turn, and no wake phrase is detected: \(reason)")
        } onWake: {
          post(.wakePhraseHeard)
        }
        speech.listenForPauses(plan, pauses, report: report)
        return speech
      }
    }
    service = try WebSocketService()
    let listener = LiveModelClient(
      service: service, endpoint: endpoint,
      listening: .init(turnDetection: turnDetection, silenceMilliseconds: plan.silenceMilliseconds),
      tap: record?.tap("listener"), post: post)
    self.listener = listener
    readout = LiveReadout(
      service: service, endpoint: endpoint, listener: { listener.currentConnection }, tap: record?.tap("readout"),
      post: post)
  }

  /// A live model elsewhere.
  private static func endpoint(
    _ plan: Plan, _ turnDetection: InteractionSettings.TurnDetection
  ) throws -> LiveEndpoint {
    let environment = ProcessInfo.processInfo.environment
    let (provider, url) = LiveProvider.named(plan.endpoint)
    let key = environment[plan.keyVariable].flatMap { Secret($0) }
    guard key != nil || url != nil else {
      throw ConfigurationError(
        "The live model needs a key: put it into the environment variable \(plan.keyVariable), or use --live local.")
    }
    guard provider.offers(turnDetection) else {
      throw plan.refusal(
        of: \.turnDetection,
        "\(provider.name) does not take turnDetection as “\(turnDetection.rawValue)”; choose the other one.")
    }
    do {
      return try LiveEndpoint(
        provider, url: url, key: key, authorityFile: plan.certificateAuthority, model: plan.model, voice: plan.voice,
        environment: environment)
    } catch {
      throw plan.refusal(of: \.endpoint, "The live model “\(plan.endpoint)” is not an address: \(error.reason).")
    }
  }

  /// Words of the trade and names of the project that will be said: for the local recogniser at once, for another live model
  /// the names with its next setup.
  func expect(_ words: [ExpectedWord], names: [String]) {
    if let local { local.engine.expect(words, names: names) }
    if !names.isEmpty { listener.expect(names) }
  }

  /// What listens by this machine's own recogniser, where that is loaded.
  var listeners: SpeechListeners { local?.listeners ?? SpeechListeners() }

  /// The work that belongs to it; returns after `stop`.
  func run() async { await local?.engine.run() }

  /// Watches a descriptor on the thread of the connections.
  var watch: DescriptorWatch {
    { [service] descriptor, read, failed in service.watch(descriptor, read: read, failed: failed) }
  }

  /// Close all connections, and end the local server.
  func stop() {
    readout.stop()
    service.stop()
    server?.stop()
  }
}

/// What hears the microphone beside the live model.
struct SpeechListeners {
  /// Hears a closed one for the wake phrase; nil where no phrase opens it.
  var wake: WakeListener?
  /// Hears an open one for the pauses that end turns; nil where the live model finds them.
  var pauses: PauseListener?
}

/// Speech on this machine: the child process with the engines, and what listens by it beside the live model.
private struct LocalSpeech {
  let models: SpeechModels
  let engine: SpeechEngine
  private(set) var listeners = SpeechListeners()

  init(
    _ phrases: SpokenPhrases, listensOnly: Bool = false, report: @escaping @Sendable (String) -> Void,
    onStatus: @escaping @Sendable (SpeechEngineReport) -> Void, onWake: @escaping @Sendable () -> Void
  ) throws {
    let models = try SpeechModels(environment: ProcessInfo.processInfo.environment)
    let engine = SpeechEngine(
      command: .init(
        executable: ownExecutable,
        arguments: ["speech-engine"] + (listensOnly ? ["--listens-only"] : []) + phrases.arguments),
      onStatus: onStatus)
    (self.models, self.engine) = (models, engine)
    guard !phrases.wake.isEmpty else { return }
    listeners.wake = WakeListener(
      recogniser: engine,
      detector: {
        Self.detector(models, silence: SpeechRule.shortSilenceMilliseconds, report, "the wake phrase is listened for")
      },
      onWake: onWake)
  }

  /// Find out which pauses end turns, too.
  mutating func listenForPauses(_ plan: Plan, _ limit: PauseLimit, report: @escaping @Sendable (String) -> Void) {
    let (models, silence) = (models, plan.silenceMilliseconds)
    listeners.pauses = PauseListener(
      recogniser: engine, detector: { Self.detector(models, silence: silence, report, "pauses are found") },
      preferring: silence, phrases: plan.phrases, limit: limit)
  }

  /// - Parameter purpose: what goes on by loudness alone where the network cannot be used.
  private static func detector(
    _ models: SpeechModels, silence: Int, _ report: (String) -> Void, _ purpose: String
  ) -> VoiceActivityDetector {
    do {
      return try VoiceActivityDetector(models: models, silenceMilliseconds: silence)
    } catch {
      report("\(purpose) by loudness alone: \(error)")
      return VoiceActivityDetector(silenceMilliseconds: silence)
    }
  }
}
