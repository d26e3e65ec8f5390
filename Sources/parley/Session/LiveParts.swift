import VoiceConfiguration
import VoiceCore
import VoiceFoundation
import VoiceLanguage
import VoiceLive
import VoiceLocal
import VoiceRecording
import VoiceSystem
import VoiceVocabulary
import VoiceWebSocket

/// The live model behind the ports: the listener, the readout, and the local server where the plan names it.
struct LiveParts {
  let listener: LiveModelClient
  let readout: LiveReadout
  private let service: WebSocketService
  private let local: LocalParts?

  /// - Parameters:
  ///   - record: keeps what goes over the wires; nil keeps nothing.
  ///   - report: takes a line for the user.
  ///   - guesses: whether the local live model tells what the user seems to be saying, while he speaks.
  ///   - waitsForEngines: whether the local live model lets nobody begin before its engines are loaded, for who measures
  ///     its times. By default what is said before that is kept for them.
  init(
    _ plan: Plan, record: WireRecorder?, report: @escaping @Sendable (String) -> Void, guesses: Bool = false,
    waitsForEngines: Bool = false,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let endpoint: LiveEndpoint
    if plan.endpoint == "local" {
      let local = try LocalParts(
        plan.phrases, report: report, guesses: guesses, waitsForEngines: waitsForEngines, post: post)
      self.local = local
      endpoint = try LiveEndpoint(
        LocalLiveServer.provider, url: local.server.url, key: Secret(local.server.key), model: "local")
    } else {
      local = nil
      let (provider, url) = LiveProvider.named(plan.endpoint)
      let key = environment[plan.keyVariable].flatMap { Secret($0) }
      guard key != nil || url != nil else {
        throw ConfigurationError(
          "The live model needs a key: put it into the environment variable \(plan.keyVariable), or use --live local.")
      }
      guard provider.offers(plan.turnDetection) else {
        throw plan.refusal(
          of: \.turnDetection,
          "\(provider.name) does not take turnDetection as “\(plan.turnDetection.rawValue)”; choose the other one.")
      }
      do {
        endpoint = try LiveEndpoint(
          provider, url: url, key: key, authorityFile: plan.certificateAuthority, model: plan.model, voice: plan.voice,
          environment: environment)
      } catch {
        throw plan.refusal(of: \.endpoint, "The live model “\(plan.endpoint)” is not an address: \(error.reason).")
      }
    }
    service = try WebSocketService()
    let listener = LiveModelClient(
      service: service, endpoint: endpoint,
      listening: .init(turnDetection: plan.turnDetection, silenceMilliseconds: plan.silenceMilliseconds),
      tap: record?.tap("listener"), post: post)
    self.listener = listener
    readout = LiveReadout(
      service: service, endpoint: endpoint, listener: { listener.currentConnection }, tap: record?.tap("readout"),
      post: post)
  }

  /// Words of the trade and names of the project that will be said: for the local recogniser at once, for another live model
  /// the names with its next setup.
  func expect(_ words: [ExpectedWord], names: [String]) {
    if let local { local.engine.expect(words, names: names) }
    if !names.isEmpty { listener.expect(names) }
  }

  /// Hears a closed microphone for the wake phrase; nil where there is none, or no local engine that could.
  var wake: WakeListener? { local?.wake }

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
    local?.server.stop()
  }
}

/// The local live model: its server, and the child process with the speech engines.
private struct LocalParts {
  let engine: SpeechEngine
  let server: LocalLiveServer
  /// Nil where no phrase opens a closed microphone.
  let wake: WakeListener?

  init(
    _ phrases: SpokenPhrases, report: @escaping @Sendable (String) -> Void, guesses: Bool, waitsForEngines: Bool,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws {
    let models = try SpeechModels(environment: ProcessInfo.processInfo.environment)
    let engine = SpeechEngine(
      command: .init(executable: ownExecutable, arguments: ["speech-engine"] + phrases.arguments)
    ) { status in
      post(.speechEngineReported(report: status))
    }
    self.engine = engine
    server = try LocalLiveServer(
      models: models, recogniser: engine, synthesiser: engine, guesses: guesses, phrases: phrases,
      whenReady: { waitsForEngines ? engine.whenReady($0) : $0() }, onProblem: report)
    wake =
      phrases.wake.isEmpty
      ? nil
      : WakeListener(recogniser: engine) {
        do {
          return try VoiceActivityDetector(models: models, silenceMilliseconds: SpeechRule.shortSilenceMilliseconds)
        } catch {
          report("the wake phrase is listened for by loudness alone: \(error)")
          return VoiceActivityDetector(silenceMilliseconds: SpeechRule.shortSilenceMilliseconds)
        }
      } onWake: {
        post(.wakePhraseHeard)
      }
  }
}
