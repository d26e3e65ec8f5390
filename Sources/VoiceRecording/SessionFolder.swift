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

/// The folder that holds one session: mode 0700, its files 0600.
package struct SessionFolder: Equatable, Sendable {
  package let path: String

  package var manifest: String { path + "/manifest.json" }
  package var log: String { path + "/events.jsonl" }
  /// What libraries wrote on standard error.
  package var diagnostics: String { path + "/diagnostics.txt" }
  package var ledger: String { path + "/ledger.jsonl" }
  /// What the microphone heard: 16 kHz, mono, as sent to the live model.
  package var microphoneSound: String { path + "/microphone.wav" }
  /// What was played: 24 kHz, mono, in its place in the session's time.
  package var speakerSound: String { path + "/speaker.wav" }

  /// An existing session folder.
  package init(reading path: String) throws(FileFailure) {
    self.path = path
    guard access(log, R_OK) == 0 else {
      throw FileFailure("\(path) is not a session folder: it has no readable events.jsonl.")
    }
  }

  /// Make a folder for a new session. One that holds a session already is refused: a recording is never overwritten.
  package init(creating path: String) throws(FileFailure) {
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FileFailure("create the session folder", path)
    }
    guard chmod(path, 0o700) == 0 else { throw FileFailure("make private the folder", path) }
    guard access(path, W_OK | X_OK) == 0 else { throw FileFailure("write in the session folder", path) }
    guard access(log, F_OK) != 0 else {
      throw FileFailure("\(path) holds a session already. Name another folder with --session.")
    }
  }

  /// Remove the folder of a session that never began.
  package func discard() {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // It stays, and holds nothing that anybody said.
    }
  }

  /// The folder below which sessions are kept when no other was named: `$XDG_STATE_HOME/parley/sessions`.
  package static func defaultRoot(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/parley/sessions" }
    return (environment["HOME"] ?? ".") + "/.local/state/parley/sessions"
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

  package init(program: String, started: String, plan: [Setting]) {
    format = Self.currentFormat
    self.program = program
    self.started = started
    self.plan = plan
  }

  package func write(to path: String) throws(FileFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(self)
    } catch {
      preconditionFailure("a manifest cannot be encoded: \(error)")
    }
    try AppendFile(path).append(data + [0x0A])
  }
}
