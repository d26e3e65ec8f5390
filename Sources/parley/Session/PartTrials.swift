import VoiceAudio
import VoiceConfiguration
import VoiceConverse
import VoiceFoundation
import VoiceHistory
import VoiceLanguage
import VoiceLive
import VoiceLocal
import VoiceLoop
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// Tries each part that a plan names as a session would start it, and ends it again.
struct PartTrials {
  /// What is tried, in this order.
  enum Part: CaseIterable {
    case microphone, speaker, live, agent, recording, index, words

    /// As a part of a sentence.
    var words: String {
      switch self {
      case .microphone: "the microphone"
      case .speaker: "the speaker"
      case .live: "the live model, and local speech if it is needed"
      case .agent: "the agent"
      case .recording: "the recording"
      case .index: "the search index"
      case .words: "the taught words"
      }
    }
  }

  /// What came of one trial.
  struct Finding {
    let part: String
    /// What was seen, or what is missing and what to do.
    let result: Result<String, Lack>
  }

  private let plan: Plan
  private let environment = ProcessInfo.processInfo.environment

  init(_ plan: Plan) { self.plan = plan }

  /// Try a part.
  func of(_ part: Part) async -> [Finding] {
    switch part {
    case .microphone: [finding("microphone") { try microphone() }]
    case .speaker: [finding("speaker") { try speaker() }]
    case .live: await live()
    case .agent: [await agent()]
    case .recording: [finding("recording") { try recording() }]
    case .index: [finding("search index") { try index() }]
    case .words: [finding("taught words") { try words() }]
    }
  }

  private func finding(_ part: String, _ body: () throws -> String) -> Finding {
    do {
      return Finding(part: part, result: .success(try body()))
    } catch {
      return Finding(part: part, result: .failure(Lack(error)))
    }
  }

  // MARK: Sound

  private var wiring: AudioWiring { AudioWiring(now: { .zero }, post: { _ in }) }

  private func microphone() throws -> String {
    let choice = SessionSound(plan).microphone
    switch choice {
    case .pipe("-"): return "standard input, as raw PCM"
    case .pipe(let path): return "the pipe \(path), opened when the session starts"
    case .file(let path, _):
      let reader = try SoundFileReader(path: path, rate: PCM.microphoneRate)
      let seconds = Counted(try reader.readAll().count / PCM.microphoneRate, "second").digits
      return "the recording \(path), \(seconds)" + (reader.warning.map { "; \($0)" } ?? "")
    case .device(let fragment):
      let device = try Self.device(.microphone, fragment)
      try SessionAudio.open(microphone: choice, speaker: .none, wiring: wiring).stop()
      return "\(device.name) can be opened"
    }
  }

  private func speaker() throws -> String {
    let choice = SessionSound(plan).speaker
    switch choice {
    case .none: return "none: answers are shown only"
    case .pipe("-", _): return "standard output, as raw PCM"
    case .pipe(let path, _) where PipeMicrophone.isPipe(path): return "the pipe \(path), opened when it is read"
    case .pipe(let path, let replaces), .file(let path, let replaces):
      try Self.checkNewFile(path, replaces: replaces)
      return "the file \(path) can be written"
    case .device(let fragment):
      let device = try Self.device(.speaker, fragment)
      try DeviceSpeaker(named: fragment, in: SoundSystem(), wiring: wiring).stop()
      return "\(device.name) can be opened"
    }
  }

  private static func device(_ kind: SoundDeviceKind, _ fragment: String?) throws -> SoundDevice {
    let devices = try SoundSystem().devices
    return devices[try SoundDevice.choose(kind, named: fragment, from: devices)]
  }

  /// Whether a file can be made, without making it.
  private static func checkNewFile(_ path: String, replaces: Bool) throws {
    let files = FileManager.default
    if let status = FileStatus(path) {
      if status.isFolder { throw SoundFileError.isFolder(path: path) }
      if status.isFile, !replaces { throw SoundFileError.exists(path: path) }
      guard files.isWritableFile(atPath: path) else {
        throw SoundFileError.unwritable(path: path, reason: "permission denied; check who owns it")
      }
      return
    }
    let place = PlainFile.folder(of: path)
    guard files.fileExists(atPath: place) else {
      throw SoundFileError.unwritable(path: path, reason: "its folder does not exist; create it first")
    }
    guard files.isWritableFile(atPath: place) else {
      throw SoundFileError.unwritable(path: path, reason: "nothing can be written in its folder; choose another")
    }
  }

  // MARK: The live model

  private func live() async -> [Finding] {
    let inbox = EventInbox()
    let problems = Locked<[String]>([])
    let clock = ContinuousClock()
    let start = clock.now
    let parts: LiveParts
    do {
      parts = try LiveParts(
        plan, record: nil, report: { line in problems.withLock { $0.append(line) } }, post: { inbox.post($0) })
    } catch {
      return [Finding(part: "live model", result: .failure(Lack(error)))]
    }
    Signals.watch { inbox.post($0) }
    let isLocal = plan.endpoint == "local"
    let (trial, answered) = await withTaskGroup(of: Void.self) { group -> (LiveTrial, Duration) in
      group.addTask { await parts.run() }
      let connection = ConnectionID(rawValue: 1)
      parts.listener.openLink(connection, resuming: false)
      var trial = LiveTrial(isLocal: isLocal)
      var answered = Duration.zero
      _ = await inbox.first(within: Limits.trialMilliseconds) { event -> Bool? in
        if case .linkReady = event { answered = start.duration(to: clock.now) }
        return trial.take(event) ? true : nil
      }
      // As a session ends: first the connection, then what it ran on.
      parts.listener.closeLink(connection)
      _ = await inbox.first(within: Limits.trialClosingMilliseconds) { event -> Bool? in
        if case .linkClosed = event { true } else { nil }
      }
      parts.stop()
      group.cancelAll()
      return (trial, answered)
    }
    let link = finding("live model") {
      if let lack = trial.linkLack { throw lack }
      return "\(plan.endpoint) answered the setup after \(answered.words)"
    }
    let speech = finding("local speech") {
      guard isLocal else { return "not needed" }
      // What is damaged is the reason of all that fails.
      try SpeechModels(environment: environment).verifyHashes()
      return try trial.speech(problems.withLock { $0 })
    }
    return [link, speech]
  }

  // MARK: The agent

  private func agent() async -> Finding {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let agent = try await AgentTrial.open(plan)
      let asks = agent.unaskedRemark.map { ". " + $0.dropLast() } ?? ""
      let took = start.duration(to: clock.now).words
      let seen = "\(agent.name) (\(plan.shownAgent)) was ready after \(took)\(asks)"
      return Finding(part: "agent", result: .success(seen))
    } catch {
      return Finding(part: "agent", result: .failure(Lack(error)))
    }
  }

  // MARK: Files

  private func recording() throws -> String {
    guard plan.records else { return "switched off" }
    let root = try SessionRecord.root(plan)
    // What is made for the trial goes again, from the innermost outwards.
    var made: [String] = []
    var path = root
    while path != ".", !FileManager.default.fileExists(atPath: path) {
      made.append(path)
      path = PlainFile.folder(of: path)
    }
    defer { for folder in made { rmdir(folder) } }
    try SessionFolder(creating: root + "/check-\(ProcessInfo.processInfo.processIdentifier)").discard()
    return "sessions can be kept in \(root)"
  }

  private func index() throws -> String {
    let path = try SessionRecord.root(plan) + "/index.sqlite"
    guard let status = FileStatus(path) else { return "made with the first search" }
    guard status.isFile else {
      throw FileFailure("\(path) is not a file, so it cannot be the search index. Remove it.")
    }
    guard access(path, R_OK | W_OK) == 0 else { throw FileFailure("open the search index", path) }
    return path
  }

  private func words() throws -> String {
    guard let path = CorrectionFile.defaultPath(environment: environment) else { throw CorrectionFile.noPlace }
    let file = CorrectionFile(path)
    let (entries, damagedLines) = try file.read()
    let damage = damagedLines > 0 ? ", and \(Counted(damagedLines, "line").spoken) that cannot be read" : ""
    return "\(Counted(entries.count, "lesson").spoken)\(damage)"
  }
}
