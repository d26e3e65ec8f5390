import VoiceAudio
import VoiceConfiguration
import VoiceConverse
import VoiceCore
import VoiceLive
import VoiceLocal
import VoiceRecording
import VoiceSound

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One real session: the parts that the plan names, behind the ports of `VoiceSession`.
struct LiveSession {
  private let plan: Plan
  private let inbox = EventInbox()
  private let screen: Screen
  private let folder: SessionFolder?
  private let recorder: any RecorderPort
  private let soundRecorder: SoundRecorder?
  private let audio: SessionAudio
  private let settings: InteractionSettings
  private let live: LiveParts
  private let agent: any ConverseAgent

  /// Open everything that can be opened before the session starts.
  ///
  /// - Parameter path: the session folder; nil for a new one in the usual place.
  init(_ plan: Plan, folder path: String?) throws {
    self.plan = plan
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    // Where standard output carries sound, the lines go to standard error.
    screen = Screen(descriptor: plan.speaker == "-" ? 2 : 1)

    // What can be wrong in the plan comes before anything is made on disk.
    agent = try makeAgent(plan, post: post)
    live = try LiveParts(
      plan, report: { [screen] in screen.line("speech", $0) }, post: { [inbox] in inbox.postHere($0) })
    do {
      folder = plan.records ? try SessionFolder(creating: path ?? Self.newFolder(plan)) : nil
      do {
        (recorder, soundRecorder) = try Self.record(plan, in: folder, post: post)
        let sound = SessionSound(plan)
        settings = InteractionSettings(
          mode: plan.mode, turnDetection: plan.turnDetection,
          interruptedBy: plan.interruptedBy ?? (sound.usesDevice ? .gate : .model), readsBack: plan.readsBack,
          playsModelVoice: plan.playsModelVoice, takesCommands: Keyboard.isOpen && plan.microphone != "-",
          microphoneWaits: sound.isRecording)
        let needsGate = settings.turnDetection == .client || settings.interruptedBy == .gate
        var wiring = AudioWiring(
          now: { [inbox] in inbox.now }, post: post, postHere: { [inbox] in inbox.postHere($0) })
        if let soundRecorder {
          wiring.heard = { soundRecorder.heard($0) }
          wiring.played = { soundRecorder.played($0, $1) }
        }
        audio = try sound.open(wiring, models: needsGate ? Self.installedModels() : nil, needsGate: needsGate)
      } catch {
        folder?.discard()
        throw error
      }
    } catch {
      live.stop()
      throw error
    }
  }

  /// The recorders of a session; in memory only where there is no folder.
  private static func record(
    _ plan: Plan, in folder: SessionFolder?, post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws -> (any RecorderPort, SoundRecorder?) {
    guard let folder else { return (UnrecordedSession(post: post), nil) }
    try SessionManifest(
      program: "parley \(Parley.version)", started: Date().ISO8601Format(),
      plan: plan.rows.map { .init(key: $0.key, value: $0.value, origin: $0.origin) }
    ).write(to: folder.manifest)
    return (
      try SessionRecorder(folder, post: post), try SoundRecorder(folder, keepsOpus: plan.keepsOpus, post: post)
    )
  }

  /// Run it to its end, and close everything again.
  func run() async -> SessionOutcome {
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    for warning in audio.warnings { screen.line("warning", warning) }
    if let folder { screen.line("session", folder.path) }
    inbox.post(.sessionStarted(settings: settings))
    Signals.watch(post: post)
    let keyboard = Keyboard(screen, mode: plan.mode, post: post)
    if settings.takesCommands { keyboard.start() }
    let ports = VoicePorts(
      audio: audio, liveModel: live.listener, readout: live.readout, agent: agent, timers: RealTimers(post: post),
      console: RealConsole(screen: screen, keyboard: keyboard), recorder: recorder)
    let (agent, live) = (agent, live)
    let outcome = await withTaskGroup { group in
      group.addTask { await agent.run() }
      group.addTask { await live.run() }
      let outcome = await withTaskExecutorPreference(inbox.executor) {
        await VoiceSession(events: inbox, ports: ports).run()
      }
      // The last step may have been taken on a thread that is now to be stopped.
      await Task.yield()
      audio.stop()
      live.stop()
      agent.shutDown()
      group.cancelAll()
      return outcome
    }
    (recorder as? SessionRecorder)?.finish()
    soundRecorder?.finish()
    return outcome
  }

  /// Nil if there are none, which only the local live model minds.
  private static func installedModels() -> SpeechModels? {
    do {
      return try SpeechModels(environment: ProcessInfo.processInfo.environment)
    } catch {
      return nil
    }
  }

  /// A name that sorts by time and is no other session's.
  private static func newFolder(_ plan: Plan) -> String {
    let environment = ProcessInfo.processInfo.environment
    let root = plan.recordingFolder ?? SessionFolder.defaultRoot(environment: environment)
    let time = Date().ISO8601Format().replacing(":", with: "")
    return "\(root)/\(time)-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
