import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceFoundation
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// `parley agents`: the known agents, and which of them are installed.
struct AgentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agents",
    abstract: "The known coding agents that are installed here, and what they can do.",
    discussion: """
      An agent of the Agent Client Protocol tells what it can do only when it is started: name it to have it started \
      and asked. Of a server that has several agents, all are listed. Where one signs in with a password, --sign-in does \
      that and writes the cookie into a file that only its owner may read, for agent.keyFile and agent.keyForm: "cookie".
      """)

  @Argument(help: "An agent to be started and asked what it can do.")
  var name: String?

  @Option(help: ArgumentHelp("Sign in as this user.", valueName: "e-mail"))
  var signIn: String?

  @Option(help: ArgumentHelp("A file with the password; without it, it is asked for.", valueName: "file"))
  var passwordFile: String?

  @Option(help: ArgumentHelp("Where the cookie is written; it must not be there yet.", valueName: "file"))
  var cookieFile: String?

  @OptionGroup var options: AgentOptions

  func validate() throws {
    guard signIn == nil || name != nil && cookieFile != nil else {
      throw ValidationError("Say where: parley agents page-space:https://HOST --sign-in E-MAIL --cookie-file FILE")
    }
    guard signIn != nil || passwordFile == nil && cookieFile == nil else {
      throw ValidationError("Say --sign-in, too.")
    }
  }

  func run() async throws {
    if let name, let signIn, let cookieFile { return try await enter(name, signIn, cookieFile) }
    if let name { return try await ask(name) }
    let searchPath = SearchPath()
    print(Self.row("guide", "built in", [.ask, .cancel]))
    var missing: [String] = []
    for preset in ChildAgentSpecification.presets {
      if let path = searchPath.executable(preset.executable) {
        let capabilities = preset.language == .acp ? nil : preset.knownCapabilities
        print(Self.row(preset.name, path, capabilities))
      } else {
        missing.append(preset.name)
      }
    }
    if !missing.isEmpty {
      printRow("")
      printRow("not installed: \(missing.joined(separator: ", "))")
    }
    printRow("others: acp:COMMAND, claude:COMMAND, codex:COMMAND, codex-exec:COMMAND, echo")
    printRow("servers: \(HTTPAgentKind.all.map(\.form).joined(separator: ", "))")
  }

  private static func row(_ name: String, _ place: String, _ capabilities: AgentCapabilities?) -> String {
    let abilities = capabilities.map { $0.inOrder.map(\.rawValue).joined(separator: " ") } ?? "known once it is started"
    return [name.padded(to: max(16, name.count + 1)), abilities.padded(to: 44), place].joined()
  }

  /// Open the agent as a session would, and end it again.
  private func ask(_ name: String) async throws {
    var options = options
    options.agent = name
    let plan = try Exit.configuring { try options.plan() }
    let description: AgentDescription
    do {
      description = try await AgentTrial.open(plan)
    } catch {
      throw Exit.failure(Exit.code(error), "\(error)")
    }
    printRow(Self.row(description.name, plan.shownAgent, description.capabilities))
    if let remark = description.unaskedRemark { printRow(remark) }
    for place in try await Exit.asking({ try await agentPlaces(plan) }) ?? [] {
      printRow(place.title)
      let address = plan.shownAgent.prefix { $0 != "#" }
      for agent in place.agents { printRow("  \(agent.title.padded(to: 30))\(address)#\(agent.name)") }
    }
  }

  /// Sign in, and keep the cookie.
  private func enter(_ name: String, _ user: String, _ file: String) async throws {
    var options = options
    options.agent = name
    let plan = try Exit.configuring { try options.plan() }
    guard !PlainFile.isThere(file) else {
      throw Exit.failure(
        Exit.inputOutput, "The file \(file) already exists. Remove it, or name another with --cookie-file.")
    }
    let password = try password()
    guard !password.isEmpty else { throw Exit.failure(Exit.badData, "The password is empty.") }
    // Before anybody signs in, so that no cookie is lost for want of a place. Nothing stays there meanwhile: whoever is interrupted
    // would leave a file without a cookie, which is in the way of the next try.
    close(try Self.make(file))
    unlink(file)
    let cookie = try await Exit.asking { try await parley.signIn(plan, user, password: password) }
    let descriptor = try Self.make(file)
    defer { close(descriptor) }
    guard Descriptors.offer(Array((cookie + "\n").utf8), to: descriptor) else {
      unlink(file)
      throw Exit.failure(Exit.inputOutput, "\(file) cannot be written, so that the cookie is not kept.")
    }
    printRow("Signed in. Set agent.keyFile to \(file), and agent.keyForm to \"cookie\".")
  }

  /// The password, from its file or the terminal, without a line end.
  private func password() throws -> String {
    if let passwordFile {
      do throws(PlainFile.Refusal) {
        let bytes = try PlainFile.contents(passwordFile, limit: 4096)
        return Self.password(inFile: bytes)
      } catch {
        throw Exit.failure(Exit.inputOutput, FileFailure("read", passwordFile, error))
      }
    }
    guard let typed = getpass("Password: ") else {
      throw Exit.failure(Exit.usage, "There is no terminal to ask for the password; name a --password-file.")
    }
    return String(cString: typed)
  }

  /// Without the line end that editors put behind it. Blanks are part of a password, as they are where it is typed.
  static func password(inFile bytes: [UInt8]) -> String {
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Only its owner may read it from its first moment on.
  private static func make(_ file: String) throws -> Int32 {
    do throws(PlainFile.Refusal) {
      return try PlainFile.open(writing: file, O_EXCL)
    } catch {
      throw Exit.failure(Exit.inputOutput, FileFailure("create", file, error))
    }
  }
}
