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
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One real session: the parts that the plan names, behind the ports of `VoiceSession`.
struct LiveSession {
  private let plan: Plan
  private let inbox = EventInbox()
  private let screen: Screen
  private let record: SessionRecord
  private let audio: SessionAudio
  private let settings: InteractionSettings
  private let live: LiveParts
  private let agent: any ConverseAgent

  /// Open everything that can be opened before the session starts.
  ///
  /// - Parameters:
  ///   - path: the session folder; nil for a new one in the usual place.
  ///   - start: the session that the agent begins with.
  init(_ plan: Plan, folder path: String?, start: AgentSessionStart = .new) throws {
    self.plan = plan
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    // Where standard output carries sound, the lines go to standard error.
    screen = Screen(descriptor: plan.speaker == "-" ? 2 : 1)

    record = try SessionRecord(plan, folder: path, now: { [inbox] in inbox.now }, post: post)
    do {
      agent = try makeAgent(
        plan, start: start, traffic: record.agent.map { AgentTraffic.tap(into: $0.tap("agent")) }, post: post)
      live = try LiveParts(
        plan, record: record.live, report: { [screen] in screen.line("speech", $0) },
        post: { [inbox] in inbox.postHere($0) })
      do {
        let sound = SessionSound(plan)
        settings = InteractionSettings(
          mode: plan.mode, turnDetection: plan.turnDetection,
          interruptedBy: plan.interruptedBy ?? (sound.usesDevice ? .gate : .model), readsBack: plan.readsBack,
          playsModelVoice: plan.playsModelVoice, takesCommands: Keyboard.isOpen && plan.microphone != "-",
          microphoneWaits: sound.isRecording)
        let needsGate = settings.turnDetection == .client || settings.interruptedBy == .gate
        var wiring = AudioWiring(
          now: { [inbox] in inbox.now }, post: post, postHere: { [inbox] in inbox.postHere($0) })
        if let sound = record.sound {
          wiring.heard = { sound.heard($0) }
          wiring.played = { sound.played($0, $1) }
        }
        audio = try sound.open(wiring, models: needsGate ? Self.installedModels() : nil, needsGate: needsGate)
      } catch {
        live.stop()
        throw error
      }
    } catch {
      record.discard()
      throw error
    }
  }

  /// Run it to its end, and close everything again.
  func run() async -> SessionOutcome {
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    for warning in audio.warnings { screen.line("warning", warning) }
    if let folder = record.folder { screen.line("session", folder.path) }
    inbox.post(.sessionStarted(settings: settings))
    tellWhatIsLeftOver()
    Signals.watch(post: post)
    let keyboard = Keyboard(screen, mode: plan.mode, post: post)
    if settings.takesCommands { keyboard.start() }
    let ports = VoicePorts(
      audio: audio, liveModel: live.listener, readout: live.readout, agent: agent, timers: RealTimers(post: post),
      console: RealConsole(screen: screen, keyboard: keyboard), recorder: record.port)
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
    record.finish()
    return outcome
  }

  /// What earlier sessions left open is told, and offered to somebody who can decide; it is never sent by itself.
  private func tellWhatIsLeftOver() {
    for line in record.leftOver.sessions.flatMap(LedgerText.lines) { screen.line("earlier", line) }
    let events = record.leftOver.events
    if settings.takesCommands, isatty(STDIN_FILENO) == 1 {
      for event in events { inbox.post(event) }
    } else if !events.isEmpty {
      screen.line("earlier", "Nothing is sent again by itself. To decide, start parley run in a terminal.")
    }
    for session in record.leftOver.sessions { session.closeIfSettled() }
  }

  /// Nil if there are none, which only the local live model minds.
  private static func installedModels() -> SpeechModels? {
    do {
      return try SpeechModels(environment: ProcessInfo.processInfo.environment)
    } catch {
      return nil
    }
  }
}
