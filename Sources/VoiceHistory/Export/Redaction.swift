import VoiceCore
import VoiceJSON
import VoiceLanguage
package import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A session without its words, which still replays: the words of its events are replaced, and the controller decides
/// again what follows from them, so that events and actions agree.
package struct Redaction {
  private var redactor = WordRedactor()
  private var callNames: [String: String] = [:]
  /// What the agent offered to be set to, in its own words.
  private var offered = AgentControls()

  /// A redaction of its own: the same word becomes another one in every redaction.
  package init() {}

  /// Made-up words may by chance be heard otherwise than the old ones, as the program's own voice for one: then others are made.
  private static let attempts = 3

  /// The session without its words. Its folder is that of the original; what is in it is not.
  ///
  /// - Throws: if without its words the session would decide differently what is held, sent, answered or stopped.
  package mutating func session(_ original: RecordedSession) throws(FileFailure) -> RecordedSession {
    for _ in 1..<Self.attempts {
      do throws(FileFailure) {
        return try attempt(original)
      } catch {
        // Others may do; the last failure is the one that is told.
        self = Redaction()
      }
    }
    return try attempt(original)
  }

  private mutating func attempt(_ original: RecordedSession) throws(FileFailure) -> RecordedSession {
    var controller = InteractionController()
    var lines: [LogLine] = []
    var lastPosition = -1
    var lastTime = SessionTime.zero
    for line in original.lines {
      // What the controller takes for impossible would be a damaged log.
      if case .microphoneFrame(let frame) = line.step.event {
        guard frame.position > lastPosition else { throw Self.disorder(line.step) }
        lastPosition = frame.position + (line.repeated - 1) * PCM.frameSamples
      }
      guard line.step.time >= lastTime, controller.outcome == nil else { throw Self.disorder(line.step) }
      lastTime = line.step.time
      var redacted = line
      redacted.step.event = try event(line.step, in: controller)
      redacted.step.actions = controller.handle(redacted.step.event, at: line.step.time)
      redacted.step.reasons = controller.takeReasons()
      redacted.step.state = line.step.event.isSound ? nil : controller.digest
      if case .microphoneFrame = line.step.event {
        for step in redacted.steps.dropFirst() {
          _ = controller.handle(step.event, at: step.time)
          _ = controller.takeReasons()
        }
      }
      guard redacted.step.actions.compactMap(Self.consequence) == line.step.actions.compactMap(Self.consequence) else {
        throw FileFailure(
          "Step \(line.step.sequence) of \(original.name) decides differently without its words, so it cannot be redacted."
        )
      }
      lines.append(redacted)
    }
    return RecordedSession(
      folder: original.folder, manifest: original.manifest.map { manifest($0) }, lines: lines, damage: original.damage)
  }

  /// Write a redacted session as a folder of its own: manifest and log; the sound stays behind.
  package static func write(_ session: RecordedSession, to path: String) throws(FileFailure) {
    let folder = try SessionFolder(creating: path)
    try session.manifest?.write(to: folder.manifest)
    let codec = LogCodec()
    let file = try AppendFile(folder.log)
    try file.append(codec.encode(LogHeader.current))
    for line in session.lines { try file.append(codec.encode(line)) }
    try file.flush()
  }

  private static func disorder(_ step: VoiceStep) -> FileFailure {
    FileFailure("The log is out of order at step \(step.sequence), so it cannot be redacted.")
  }

  // MARK: Events

  /// Names whose text tells one thing from another, and is no word.
  private static let identifiers: Set<String> = ["id", "tool", "kind"]

  /// Whether the text of a member is an agent's name of a call: it may have words, and still tells one call from another.
  private static func namesCall(_ name: String, in parent: String) -> Bool {
    name == "id" && parent.hasPrefix("tool") || name == "tool" && parent == "request"
  }

  /// A call by its number in this session.
  private mutating func callName(_ name: String) -> String {
    if callNames[name] == nil { callNames[name] = "call-\(callNames.count + 1)" }
    return callNames[name] ?? ""
  }

  private mutating func event(_ step: VoiceStep, in controller: InteractionController) throws(FileFailure) -> VoiceEvent
  {
    if step.event.isSound { return step.event }
    if case .agentControlsTold(let controls) = step.event { offered = controls }
    if case .commandGiven(.agentSession(let choice)) = step.event, controller.sessions.knows(choice) {
      // A number, or how an identifier begins: no word, as the identifier is none.
      return step.event
    }
    let value = JSON(encoding: whole(step.event))
    if let event = redacted(value, where: { _ in true }) { return event }
    // Some text is one of a few that are allowed: what cannot be replaced by itself is such a one.
    let words = Set((0..<count(value)).filter { index in redacted(value, where: { $0 == index }) != nil })
    if let event = redacted(value, where: words.contains) { return event }
    throw FileFailure("Step \(step.sequence) holds something that cannot be redacted.")
  }

  /// A setting that the user named by how it begins, by its whole name: only that becomes what the offered one becomes.
  private func whole(_ event: VoiceEvent) -> VoiceEvent {
    guard case .commandGiven(.agentSetting(let setting, let name)) = event, let choice = offered[setting],
      let value = choice.named(name)
    else { return event }
    return .commandGiven(command: .agentSetting(setting: setting, name: value))
  }

  /// How many texts there are that may be words.
  private mutating func count(_ value: JSON) -> Int {
    var index = 0
    _ = redact(value, named: "", in: "", &index) { _ in false }
    return index
  }

  /// The event with some of its texts replaced, by their number; nil if that is no event.
  private mutating func redacted(_ value: JSON, where isWords: (Int) -> Bool) -> VoiceEvent? {
    var index = 0
    let changed = redact(value, named: "", in: "", &index, where: isWords)
    do { return try changed.decoded(VoiceEvent.self) } catch { return nil }
  }

  private mutating func redact(
    _ value: JSON, named name: String, in parent: String, _ index: inout Int, where isWords: (Int) -> Bool
  ) -> JSON {
    switch value {
    case .string(let text):
      let namesCall = Self.namesCall(name, in: parent)
      guard namesCall || !Self.identifiers.contains(name) else { return value }
      defer { index += 1 }
      guard isWords(index) else { return value }
      return .string(namesCall ? callName(text) : redactor.redact(text))
    case .array(let values):
      var result: [JSON] = []
      for value in values { result.append(redact(value, named: name, in: parent, &index, where: isWords)) }
      return .array(result)
    case .object(let members):
      var result: [String: JSON] = [:]
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        result[key] = redact(value, named: key, in: name, &index, where: isWords)
      }
      return .object(result)
    case .integer, .number, .bool, .null: return value
    }
  }

  /// Settings that name a file, a folder or a device, also by one plain word, and what else they may be set to.
  private static let places: Set<String> = [
    "audio.microphone", "audio.speaker", "live.certificateAuthority", "agent.workingFolder", "agent.keyFile",
    "agent.certificateAuthority", "agent.attachments", "recording.folder",
  ]
  private static let noPlaces: Set<String> = ["", ".", "-", "default", "none", "clipboard"]

  /// Whether where a value comes from is told in the program's own words: whatever else is there is the path of a file.
  private static func isOfProgram(_ origin: String) -> Bool {
    ["built in", "command line"].contains(origin) || origin.hasPrefix("default of ") || origin.hasSuffix(" is set")
      || origin.hasSuffix(" not set")
  }

  /// Paths, commands and addresses tell of their owner.
  private mutating func manifest(_ manifest: SessionManifest) -> SessionManifest {
    var manifest = manifest
    manifest.workingFolder = manifest.workingFolder.map { redactor.redact($0) }
    for index in manifest.plan.indices {
      let setting = manifest.plan[index]
      let isPlace = Self.places.contains(setting.key) && !Self.noPlaces.contains(setting.value)
      if isPlace || setting.value.contains(where: { "/:".contains($0) }) {
        manifest.plan[index].value = redactor.redact(setting.value)
      }
      if !Self.isOfProgram(setting.origin) { manifest.plan[index].origin = redactor.redact(setting.origin) }
    }
    manifest.plan.append(.init(key: "redacted", value: "words", origin: "parley log export --redact"))
    return manifest
  }

  /// What an action does beyond showing and saying; nil for those.
  private static func consequence(_ action: VoiceAction) -> String? {
    switch action {
    case .openLink(let connection, _): "open \(connection.rawValue)"
    case .closeLink(let connection): "close \(connection.rawValue)"
    case .answerCall(let call, _): "answer \(call.id) on \(call.connection.rawValue)"
    case .enterInLedger(let run, let instruction): "enter \(instruction.id.rawValue) as \(run.rawValue)"
    case .startRun(let run, _): "start \(run.rawValue)"
    case .cancelRun(let run): "cancel \(run.rawValue)"
    case .steerRun(let run, _): "steer \(run.rawValue)"
    case .answerPermission(let run, let permission, let choice, _):
      "\(choice) \(permission.rawValue) of \(run.rawValue)"
    case .answerQuestion(let run, let question, _): "answer \(question.rawValue) of \(run.rawValue)"
    case .show(.held(let item, let position)): "hold \(item.id.rawValue) at \(position)"
    case .noteInLedger(.approved(let instruction)): "approve \(instruction.rawValue)"
    case .noteInLedger(.rejected(let instruction)): "reject \(instruction.rawValue)"
    case .noteInLedger(.amended(let instruction, _)): "amend \(instruction.rawValue)"
    case .noteInLedger(.lapsed(let instruction)): "lapse \(instruction.rawValue)"
    case .noteInLedger(.withdrawn(let instruction)): "withdraw \(instruction.rawValue)"
    case .changeAgent(let setting, _): "change \(setting.rawValue)"
    case .reopenAgent(let start), .takeBackApproval(_, let start): "reopen \(start)"
    case .end(.completed): "complete"
    case .end(.terminated): "terminate"
    case .end(.failed): "fail"
    default: nil
    }
  }
}

/// Replaces words by made-up ones of the same length and form. The same word gives the same one, whatever its case, so
/// that what is compared word by word still agrees; without the salt nothing leads back.
struct WordRedactor {
  private let salt: [UInt8]
  private var digests: [String: [UInt8]] = [:]

  /// With a salt of its own, unless one is given.
  init(salt: [UInt8] = (0..<32).map { _ in UInt8.random(in: .min ... .max) }) { self.salt = salt }

  /// What people say to decide: a decision must stay one. And of what only a key approves, the words that tell it from the rest.
  private static let kept: Set<String> = SpokenDecision.words.union(wordsOfActs).union([
    "yeah", "yep", "ok", "okay", "sure", "please", "confirm", "stop", "halt", "quiet", "on", "don", "t", "edit",
    "change", "rolled", "rolling", "always", "the", "a", "i", "mean", "and", "also", "then", "uh", "huh", "hm", "mhm",
  ])

  /// The patterns that are the beginning of a word, and what an ordinary word may end in behind it: "delet*", "ion". What is longer is
  /// somebody's name.
  private static let stems = KeyboardOnlyActs.defaults.filter { $0.hasSuffix("*") && !$0.contains(" ") }.map {
    $0.dropLast()
  }
  private static let endings: Set<String> = [
    "", "e", "ed", "es", "s", "d", "ing", "ion", "ions", "al", "als", "ment", "ments", "ure", "er", "ers", "ation",
    "ting", "ted", "ate",
    "ates", "ated", "ating", "able", "ped", "ping", "ten", "or", "ors",
  ]
  /// The short words of its default patterns, such as "get rid": what is longer and tells an act matches a pattern by itself.
  private static let wordsOfActs = Set(
    KeyboardOnlyActs.defaults.flatMap { SpokenWords($0).words }.filter { $0.count <= longestOfActs })
  private static let longestOfActs = 5

  /// Whether a word stays as it is.
  private static func isKept(_ word: String) -> Bool {
    kept.contains(word) || Rewording.weighty.contains(word) || PartedSentence.isFunctionWord(word)
      || OpeningCut.isFunctionWord(word)
      || KeyboardOnlyActs.defaults.contains(word)
      || stems.contains { word.hasPrefix($0) && endings.contains(String(word.dropFirst($0.count))) }
  }

  /// Commands that decide nothing and that no pattern of dangerous acts knows.
  private static let tameCommands = [
    "get", "how", "let", "who", "why", "find", "list", "look", "mark", "note", "scan", "sort", "build", "check",
    "count", "parse",
    "print", "define", "report", "review", "search", "verify", "compare", "measure", "mention", "describe", "document",
    "generate",
    "validate", "benchmark", "introduce", "summarise", "summarize",
  ]
  private static let commands = Set(CommandVerbs.all)

  /// The text with each word replaced; the same word is replaced by the same.
  mutating func redact(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.append(scalar)
      } else {
        append(&word, to: &result)
        result.append(scalar)
      }
    }
    append(&word, to: &result)
    return String(result)
  }

  private mutating func append(_ word: inout String.UnicodeScalarView, to result: inout String.UnicodeScalarView) {
    guard !word.isEmpty else { return }
    defer { word = String.UnicodeScalarView() }
    let plain = String(word).lowercased()
    guard !Self.isKept(plain) else {
      result.append(contentsOf: word)
      return
    }
    let bytes = digest(plain)
    let made = replacement(ofCommand: plain, bytes).map { Array($0.unicodeScalars) }
    if let made {
      for (old, new) in zip(word, made) {
        result.append(
          contentsOf: (old.properties.isUppercase ? new.properties.uppercaseMapping : String(new)).unicodeScalars)
      }
      return
    }
    for (index, scalar) in word.enumerated() { result.append(Self.replacement(scalar, bytes[index % bytes.count])) }
  }

  /// What begins a sentence of its own must still begin one, so another command takes its place; nil if it is none.
  private func replacement(ofCommand word: String, _ bytes: [UInt8]) -> String? {
    guard Self.commands.contains(word) else { return nil }
    let others = Self.tameCommands.filter { $0 != word && $0.utf8.count == word.utf8.count }
    return others.isEmpty ? nil : others[(Int(bytes[0]) * 64 + Int(bytes[1])) % others.count]
  }

  private mutating func digest(_ word: String) -> [UInt8] {
    if let known = digests[word] { return known }
    var digest = SHA256Digest()
    digest.update((salt + Array(word.utf8) + salt)[...])
    let bytes = Array(digest.finish().utf8)
    digests[word] = bytes
    return bytes
  }

  /// Another scalar of the same sort, case and length in UTF-8: limits count bytes.
  private static func replacement(_ scalar: Unicode.Scalar, _ byte: UInt8) -> Unicode.Scalar {
    // A hexadecimal digit of the digest, as a number.
    let chance = UInt32(byte < 0x40 ? byte - 0x30 : byte - 0x61 + 10)
    let first: UInt32
    switch scalar.value {
    case 0x30...0x39: return Unicode.Scalar(UInt8(0x30 + chance % 10))
    case 0x41...0x5A: first = 0x41
    case 0x61...0x7A: first = 0x61
    case ..<0x800: first = scalar.properties.isUppercase ? 0x410 : 0x430
    case ..<0x10000: first = 0x4E00
    default: first = 0x20000
    }
    return Unicode.Scalar(first + chance) ?? scalar
  }
}
