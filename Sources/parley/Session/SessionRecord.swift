import VoiceAudio
import VoiceConfiguration
import VoiceConverse
import VoiceFoundation
import VoiceLanguage
import VoiceLive
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary
import VoiceWebSocket

/// What a session leaves on disk, and what earlier ones have left for it.
struct SessionRecord {
  /// Nil for a session that keeps no record.
  let folder: SessionFolder?
  let port: any RecorderPort
  let sound: SoundRecorder?
  /// What goes over the connections to the live model.
  let live: WireRecorder?
  /// What goes between the program and the coding agent.
  let agent: WireRecorder?
  let leftOver: LeftOver
  /// Takes the secrets of this session out of what is written.
  let scrubber: Scrubber
  /// Tells later ones of this one, if it is in a place of its own.
  private let placed: PlacedSession?
  /// Whether later sessions find what this one leaves open.
  let isFoundLater: Bool

  /// - Parameters:
  ///   - path: the session folder; nil for a new one in the default folder.
  ///   - now: the session's clock.
  init(
    _ plan: Plan, folder path: String?, now: @escaping @Sendable () -> SessionTime,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws {
    leftOver = LeftOver(
      try Self.earlier(plan, isPlaced: !plan.records || path != nil), in: PlainFile.real(plan.workingFolder))
    // An agent that has the whole environment may say any of it.
    let names = plan.inheritsEnvironment ? Array(ProcessInfo.processInfo.environment.keys) : plan.agentEnvironment
    scrubber = Scrubber(
      try agentCredential(plan)?.secrets ?? [],
      secretVariables: [plan.keyVariable] + [plan.agentKeyVariable].compactMap { $0 }, others: names,
      environment: ProcessInfo.processInfo.environment, worded: SpokenWording.of)
    guard plan.records else {
      (folder, sound, live, agent, placed, isFoundLater) = (nil, nil, nil, nil, nil, false)
      port = UnrecordedSession(leftOver: leftOver, post: post)
      return
    }
    let folder = try SessionFolder(creating: path ?? Self.newFolder(plan))
    self.folder = folder
    do {
      try Self.manifest(plan).write(to: folder.manifest, scrubber: scrubber)
      port = try SessionRecorder(folder, scrubber: scrubber, leftOver: leftOver, post: post)
      placed = path == nil ? nil : Self.place(folder)
      isFoundLater = path == nil || placed != nil
      let thread = WriteBehind()
      live = try WireRecorder(folder.live, scrubber: scrubber, thread: thread, now: now, post: post)
      agent = try WireRecorder(folder.agent, scrubber: scrubber, thread: thread, now: now, post: post)
      guard let form = SoundRecorder.Form(rawValue: plan.recordedSound) else {
        preconditionFailure("the plan let the form \(plan.recordedSound) pass")
      }
      sound = SoundRecorder(folder, form: form, thread: thread, post: post)
    } catch {
      folder.discard()
      throw error
    }
  }

  /// The session is over: write everything.
  /// - Parameter reports: what the agent told later.
  /// - Returns: Why not everything could be written, as sentences; nil if everything was.
  func finish(_ outcome: SessionOutcome, _ reports: LateReports) -> String? {
    let recorder = port as? SessionRecorder
    recorder?.finish(outcome, reports)
    sound?.finish()
    if let folder, !PlainFile.isThere(folder.mark) { placed?.forget() }
    return recorder?.failure
  }

  /// The session never began.
  func discard() {
    folder?.discard()
    placed?.forget()
  }

  /// Where it is told that a session is in a place of its own.
  static var places: String? { UserFolders(ProcessInfo.processInfo.environment).state.map { $0 + "/placed" } }

  /// Nil where that cannot be told: what the session leaves open is dropped then, and the user told.
  private static func place(_ folder: SessionFolder) -> PlacedSession? {
    do throws(FileFailure) {
      return try places.map { places throws(FileFailure) in try PlacedSession(folder, in: places) }
    } catch {
      return nil
    }
  }

  /// - Parameter isPlaced: whether the session's folder was named, so that the default one need not exist.
  private static func earlier(_ plan: Plan, isPlaced: Bool) throws(ConfigurationError) -> [EarlierSession] {
    do throws(ConfigurationError) {
      return EarlierSession.all(in: try root(plan), placed: places)
    } catch {
      if isPlaced { return [] }
      throw error
    }
  }

  /// Where session folders are made when no other place was named.
  static func root(_ plan: Plan) throws(ConfigurationError) -> String {
    if let folder = plan.recordingFolder { return folder }
    do throws(FileFailure) {
      return try SessionFolder.defaultRoot(environment: ProcessInfo.processInfo.environment)
    } catch {
      throw ConfigurationError("\(error.description) Or name a folder with recording.folder or --session.")
    }
  }

  private static func manifest(_ plan: Plan) -> SessionManifest {
    var libraries = SoundLibraries.versions
    libraries["PortAudio"] = SoundSystem.version
    libraries["libwebsockets"] = WebSocketLibrary.version
    libraries["libcurl"] = HTTPLibrary.version
    return SessionManifest(
      program: "parley \(Parley.version)", started: Date().ISO8601Format(),
      plan: plan.rows.map {
        .init(key: $0.key, value: withoutSecrets($0.value), origin: $0.origin)
      }, libraries: libraries, workingFolder: PlainFile.real(plan.workingFolder))
  }

  /// A name that sorts by time and is no other session's.
  private static func newFolder(_ plan: Plan) throws(ConfigurationError) -> String {
    let time = Date().ISO8601Format().replacing(":", with: "")
    return "\(try root(plan))/\(time)-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
