import ArgumentParser
import VoiceAudio
import VoiceConfiguration
import VoiceHistory
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// The program's exit codes, after sysexits.h where it has one.
enum Exit {
  /// A replay differed from its expected log.
  static let differed = ExitCode(1)
  /// A search found nothing, as with grep.
  static let nothingFound = ExitCode(1)
  static let usage = ExitCode(64)
  static let badData = ExitCode(65)
  static let unavailable = ExitCode(69)
  static let inputOutput = ExitCode(74)
  /// The work was stopped before it was done.
  static let stopped = ExitCode(75)
  static let configuration = ExitCode(78)

  /// Print one line on standard error and end with this code.
  static func failure(_ code: ExitCode, _ message: some CustomStringConvertible) -> ExitCode {
    complain(message)
    return code
  }

  /// Print one line on standard error.
  static func complain(_ message: some CustomStringConvertible) {
    // An address or a command that is no good is told, but not the password that made it so.
    let text = withoutSecrets(message.description).sanitized(limit: 4_000).beginningAsSentence
    let columns = TerminalRows.columns(of: STDERR_FILENO)
    let rows = columns.map { TerminalRows.rows("parley: ", text, columns: $0) } ?? ["parley: " + text]
    Descriptors.offer(Array((rows.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
  }

  /// See that what was printed has gone out. A reader that has seen enough and went away is no failure.
  static func requirePrinted() throws {
    flushOutput()
    if let failure = StandardOutput.failure, !failure.isEnough { throw unprinted(failure) }
  }

  /// Not all that was printed went out.
  static func unprinted(_ reason: Descriptors.Failure) -> ExitCode {
    failure(inputOutput, "\(reason.sentences("Standard output")) What was printed is not complete.")
  }

  /// See that all of a session could be read: what was shown or written of a damaged one is not all of it.
  static func requireWhole(_ damage: String?) throws {
    guard let damage else { return }
    // Where both go to one place, the reason is a line of its own.
    flushOutput()
    throw failure(badData, damage)
  }

  /// See that everything could be looked at: what was shown is not all there is.
  static func requireUnobstructed(_ obstacle: String?) throws {
    guard let obstacle else { return }
    flushOutput()
    throw failure(inputOutput, obstacle)
  }

  /// Do something whose failure is a fault of the configuration.
  static func configuring<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ConfigurationError {
      throw failure(code(error), error)
    } catch {
      throw failure(configuration, "\(error)")
    }
  }

  /// Do something whose failure means that what was given cannot be read.
  static func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ExitCode {
      throw error
    } catch {
      throw failure(badData, "\(error)")
    }
  }

  /// Do something whose failure means that somebody else does not do what he is asked.
  static func asking<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      throw failure(unavailable, "\(error)")
    }
  }

  /// Do something whose failure means that a session cannot start.
  static func starting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw failure(code(error), "\(error)")
    }
  }

  /// The code of an error because of which a session, or a part of it, cannot start. A wrong value is the call's fault if a flag has
  /// given it, whichever verb finds out.
  static func code(_ error: any Error) -> ExitCode {
    switch error {
    case let error as ConfigurationError: error.isOfFlag ? usage : configuration
    case is FileFailure: inputOutput
    case AudioError.unusableFile(let error): code(ofSound: error)
    case let error as SoundFileError: code(ofSound: error)
    default: unavailable
    }
  }

  private static func code(ofSound error: SoundFileError) -> ExitCode {
    switch error {
    case .unwritable, .exists: inputOutput
    case .missing, .isFolder, .empty, .noSamples, .notSound, .unreadable: badData
    }
  }
}
