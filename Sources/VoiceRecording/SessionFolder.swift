package import VoiceFoundation
import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// The folder that holds one session: mode 0700, its files 0600.
package struct SessionFolder: Equatable, Sendable {
  package let path: String

  /// What the session was, written when it starts and when it ends.
  package var manifest: String { path + "/manifest.json" }
  /// The voice-event log.
  package var log: String { path + "/events.jsonl" }
  /// What libraries wrote on standard error.
  package var diagnostics: String { path + "/diagnostics.txt" }
  /// What became of each instruction.
  package var ledger: String { path + "/ledger.jsonl" }
  /// What went over the connections to the live model.
  package var live: String { path + "/live.jsonl" }
  /// What went between the program and the coding agent.
  package var agent: String { path + "/agent.jsonl" }
  /// There, and locked, while the session runs.
  package var mark: String { path + "/running.lock" }
  /// One of the two things that are heard in a session.
  package enum Track: String, CaseIterable, Sendable {
    /// What the microphone heard: 16 kHz, mono, as sent to the live model.
    case microphone
    /// What was played: 24 kHz, mono, in its place in the session's time.
    case speaker
  }

  /// A track's lossless file.
  package func wave(_ track: Track) -> String { "\(path)/\(track.rawValue).wav" }
  /// A track's Ogg Opus file.
  package func opus(_ track: Track) -> String { "\(path)/\(track.rawValue).opus" }
  /// The best there is of a track: the lossless file, or else the Ogg Opus file.
  package func sound(_ track: Track) -> String {
    PlainFile.isThere(wave(track)) || !PlainFile.isThere(opus(track)) ? wave(track) : opus(track)
  }

  /// Every file with sound that a session may write.
  private var sounds: [String] { Track.allCases.flatMap { [wave($0), opus($0)] } }

  /// An existing session folder.
  package init(reading path: String) throws(FileFailure) {
    self.path = path
    guard access(log, R_OK) == 0 else {
      guard Self.isSession(path) else {
        throw FileFailure("\(path) is not a session folder: it has no readable events.jsonl.")
      }
      throw FileFailure(
        "The session \(path) is damaged: it has no readable events.jsonl. Its ledger may still tell what became of each "
          + "instruction: parley ledger \(path)")
    }
  }

  /// A folder that may be a session's.
  package init(unchecked path: String) { self.path = path }

  /// Whether there is something in a folder that only a session leaves there, whole or damaged.
  package static func isSession(_ path: String) -> Bool {
    let folder = SessionFolder(unchecked: path)
    return [folder.log, folder.manifest, folder.ledger, folder.mark].contains(where: PlainFile.isThere)
  }

  /// Whether a file of it says that it is a session's: other programs, too, have files of these names.
  package var isParleys: Bool {
    do {
      _ = try SessionManifest(reading: manifest)
      return true
    } catch {
      let entry = #"{"proposed":{"instruction":{""#
      return Self.begins(log, with: LogHeader.current.format) || Self.begins(ledger, with: entry)
    }
  }

  /// Whether this stands near the beginning of a file.
  private static func begins(_ file: String, with text: String) -> Bool {
    do {
      return String(decoding: try PlainFile.beginning(file, limit: 100).bytes, as: UTF8.self).contains(text)
    } catch {
      return false
    }
  }

  /// Make a folder for a new session, or take an empty one. One that holds a session already is refused: a recording is never
  /// overwritten. So is one with anything else in it, which is somebody's own, and to be neither filled nor closed to others.
  package init(creating path: String) throws(FileFailure) {
    self.path = path
    if let other = firstOther {
      throw FileFailure("There are other files in \(path): \(other). Name a new folder, or an empty one.")
    }
    try PlainFile.makeFolder(path)
    guard chmod(path, 0o700) == 0 else { throw FileFailure("make private the folder", path) }
    guard access(path, W_OK | X_OK) == 0 else { throw FileFailure("write in the session folder", path) }
    // A link that leads nowhere counts: what would be written through it is not in the folder.
    guard !PlainFile.isThere(log) else {
      throw FileFailure("There is a session in \(path) already. Name another folder.")
    }
    for sound in sounds where PlainFile.isThere(sound) {
      throw FileFailure("There is a recording in \(path) already: \(sound). Name another folder.")
    }
  }

  /// The first name in the folder that is none of a session's; nil if there is none, or no folder.
  private var firstOther: String? {
    FileManager.default.names(in: path).first { !$0.hasPrefix(".") && !files.contains("\(path)/\($0)") }
  }

  /// Every file that a session may write.
  private var files: [String] { [manifest, log, diagnostics, ledger, live, agent, mark] + sounds }

  /// Remove what a session has left, and what was made of it there: its page, and fixtures of its turns. A folder that holds anything
  /// else stays: it may be the user's own. Returns the names of that.
  @discardableResult package func discard() -> [String] {
    for name in FileManager.default.names(in: path) where name.hasPrefix("fixture-") {
      let fixture = "\(path)/\(name)"
      guard PlainFile.isFolder(fixture) else { continue }
      for name in FileManager.default.names(in: fixture) where Self.isOfFixture(name) { unlink("\(fixture)/\(name)") }
      rmdir(fixture)
    }
    let page = "report.html"
    for name in FileManager.default.names(in: path) where PlainFile.name(ofDraft: name) == page {
      unlink("\(path)/\(name)")
    }
    // By the manifest it is known to be Parley's: that goes last.
    for file in ["\(path)/\(page)"] + files.reversed() { unlink(file) }
    rmdir(path)
    return PlainFile.isFolder(path) ? FileManager.default.names(in: path) : []
  }

  private static func isOfFixture(_ name: String) -> Bool {
    let whole = PlainFile.name(ofDraft: name) ?? name
    let isSound = whole.hasPrefix("utterance-") && whole.hasSuffix(".wav")
    return isSound || ["fixture.json5", "expected.jsonl"].contains(whole)
  }

  /// See that the names of the files are on disk, without which their contents are of no use.
  func flushNames() {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The folder below which sessions are kept when no other was named: `$XDG_STATE_HOME/parley/sessions`.
  package static func defaultRoot(environment: [String: String]) throws(FileFailure) -> String {
    guard let state = UserFolders(environment).state else {
      throw FileFailure("There is no place for sessions: HOME is not set, or no absolute path. \(UserFolders.remedy)")
    }
    return state + "/sessions"
  }
}

/// What a session was: the first thing written into its folder.
package struct SessionManifest: Equatable, Sendable, Codable {
  package static let currentFormat = 1

  /// One resolved value of the plan; secrets are named by their environment variable, never held.
  package struct Setting: Equatable, Sendable, Codable {
    package var key: String
    package var value: String
    package var origin: String

    package init(key: String, value: String, origin: String) {
      self.key = key
      self.value = value
      self.origin = origin
    }
  }

  package var format: Int
  package var program: String
  /// Wall-clock start, ISO 8601, UTC.
  package var started: String
  package var plan: [Setting]
  /// The versions of the libraries that the program runs with, by name.
  package var libraries: [String: String]
  /// The agent's working folder, absolute and without links; nil if it is not known.
  package var workingFolder: String?

  package init(
    program: String, started: String, plan: [Setting], libraries: [String: String] = [:], workingFolder: String? = nil
  ) {
    format = Self.currentFormat
    self.workingFolder = workingFolder
    self.program = program
    self.started = started
    self.plan = plan
    self.libraries = libraries
  }

  /// Read the manifest at a path.
  package init(reading path: String) throws(FileFailure) {
    try self.init(try PlainFile.data(path, limit: Limits.documentBytes), from: path)
  }

  package init(_ data: Data, from path: String) throws(FileFailure) {
    do {
      self = try JSON.decode(Self.self, from: data)
    } catch {
      throw FileFailure("\(path) is not a session's manifest, or it is damaged.")
    }
    guard format == Self.currentFormat else {
      throw FileFailure("\(path) has format \(format) of session folders, which needs a newer parley.")
    }
  }

  /// Append it to the file, without what is secret.
  package func write(to path: String, scrubber: Scrubber = Scrubber()) throws(FileFailure) {
    let bytes = JSON(encoding: self).indented
    try AppendFile(path).append((scrubber.scrubbed(json: bytes) ?? bytes) + [0x0A])
  }
}

extension SessionFolder {
  /// Why not all sessions below a folder can be looked at, as a sentence: it, or one of them, is somebody else's. Nil if all can, or
  /// nothing is there.
  package static func obstacle(in root: String) -> String? {
    let files = FileManager.default
    let isClosed = { (path: String) in !files.isReadableFile(atPath: path) || !files.isExecutableFile(atPath: path) }
    // A link may lead to it; what is no folder is somebody else's to tell.
    guard PlainFile.isFolder(URL(filePath: root).resolvingSymlinksInPath().path) else { return nil }
    let closed =
      isClosed(root)
      ? [root] : files.names(in: root).map { "\(root)/\($0)" }.filter { PlainFile.isFolder($0) && isClosed($0) }
    guard let first = closed.first else { return nil }
    let others = closed.count > 1 ? ", nor can \(closed.count - 1) more" : ""
    return "\(first) cannot be read\(others): only the owner may."
  }
}
