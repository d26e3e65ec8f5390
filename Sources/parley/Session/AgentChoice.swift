import CTerminal
import VoiceConfiguration
import VoiceConverse
import VoiceFoundation
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// The coding agent that the plan names.
///
/// - Parameters:
///   - traffic: gets everything that passes between this program and the agent.
///   - pace: how fast is read what the agent writes.
func makeAgent(
  _ plan: Plan, start: AgentSessionStart = .new, traffic: WireTap? = nil,
  pace: ReadingPace = .unlimited, post: @escaping @Sendable (VoiceEvent) -> Void
) throws -> any ConverseAgent {
  try needOpenFiles()
  let (specification, environment) = try agentChoice(plan)
  do {
    let files = ApprovalFiles(workingFolder: environment.workingFolder)
    return try SwitchableAgent(
      start: start, sessions: specification.sessions(in: environment), pace: pace, post: post,
      forget: files.remove
    ) {
      (start, chosen, post) throws(AgentError) in
      var environment = environment
      environment.begin(start, chosen)
      environment.traffic = traffic
      environment.pace = pace
      environment.server.newSession = newSessionName()
      return try specification.makeAgent(in: environment, post: post)
    }
  } catch {
    throw plan.refusal(by: error)
  }
}

extension Plan {
  /// What an agent refuses before it is started: the call's fault if a flag has asked for it.
  fileprivate func refusal(by error: AgentError) -> ConfigurationError {
    switch error.subject {
    case .mode: refusal(of: \.preferredAgentMode, error.description)
    case .model: refusal(of: \.agentModel, error.description)
    case .attachments: refusal(of: \.attachments, error.description)
    // No key of the configuration names one.
    case .session: ConfigurationError(error.description, isOfFlag: true)
    case nil: ConfigurationError(error.description)
    }
  }
}

/// A session of everything has some 70 descriptors open; one that runs out of them fails in places that cannot say so.
private func needOpenFiles() throws(ConfigurationError) {
  let needed = 96
  let allowed = parley_open_files(needed)
  guard allowed < needed else { return }
  throw ConfigurationError(
    "Only \(allowed) files may be open at once, and a session needs \(needed): raise the limit (ulimit -n \(needed)).")
}

/// The earlier sessions of the agent that the plan names; nil if it keeps none.
func agentSessions(_ plan: Plan) throws -> (any AgentSessions)? {
  let (specification, environment) = try agentChoice(plan)
  return specification.sessions(in: environment)
}

/// The agents that the server of the plan offers by name; nil where it offers none so.
func agentPlaces(_ plan: Plan) async throws -> [AgentPlace]? {
  let (specification, environment) = try agentChoice(plan)
  return try await specification.places(in: environment)
}

/// Sign in at the server of the plan. Returns the cookies.
func signIn(_ plan: Plan, _ user: String, password: String) async throws -> String {
  let (specification, environment) = try agentChoice(plan)
  return try await specification.signIn(user, password: password, in: environment)
}

/// The agent that the plan names, and what it is started with; a fault of the plan is thrown.
func agentChoice(_ plan: Plan) throws -> (AgentSpecification, AgentEnvironment) {
  let specification: AgentSpecification
  do {
    specification = try AgentSpecification(parsing: plan.agent)
  } catch {
    throw plan.refusal(of: \.agent, error.description)
  }
  guard let folder = PlainFile.real(plan.workingFolder) else {
    throw plan.refusal(of: \.workingFolder, WorkingFolderFlag.refusal(plan.workingFolder))
  }
  var environment = AgentEnvironment(
    workingFolder: folder, environmentNames: plan.agentEnvironment, executablePath: ownExecutable,
    preferredMode: plan.preferredAgentMode,
    // The guide takes every word for an instruction; an agent that thinks is told how the words came.
    voiceNote: specification == .guide ? nil : spokenNote, server: try serverEnvironment(plan, specification))
  environment.model = plan.agentModel
  environment.host = ownExecutable
  environment.withheldNames = Set([plan.keyVariable] + [plan.agentKeyVariable].compactMap { $0 })
  environment.isNarrow = !plan.inheritsEnvironment
  return (specification, environment)
}

/// What an agent is told of a spoken instruction.
private let spokenNote = """
  This instruction was spoken and written down by a speech recogniser: names and terms may be misheard. Take the nearest \
  name of the project where one fits, and ask if that matters.
  """

/// For a server that lets its sessions be named; no two have one name.
private func newSessionName() -> AgentSessionID { AgentSessionID(rawValue: UUID().uuidString.lowercased()) }

/// What the plan says about agents behind HTTP.
private func serverEnvironment(_ plan: Plan, _ agent: AgentSpecification) throws -> ServerEnvironment {
  let state = plan.records ? UserFolders(ProcessInfo.processInfo.environment).state : nil
  guard state != nil || !plan.records || !agent.keepsConversationsHere else {
    throw ConfigurationError(
      "There is no place to keep the conversation with this server. \(UserFolders.remedy) Or set recording.enabled to "
        + "false, and none is kept.")
  }
  var server = ServerEnvironment(
    certificateAuthorityFile: plan.agentCertificateAuthority,
    conversationsFolder: state.map { $0 + "/conversations" },
    newSession: newSessionName())
  for path in plan.attachments {
    do {
      let isCopied = path == AgentAttachment.clipboard
      server.attachments.append(
        isCopied
          ? try AgentAttachment(clipboardBy: SearchPath())
          : try AgentAttachment(readingFile: path))
    } catch {
      throw plan.refusal(of: \.attachments, error.description)
    }
  }
  server.systemPrompt = plan.systemPrompt
  do {
    server.generation = try GenerationOptions(parameters: plan.generation, tools: plan.modelTools)
  } catch {
    throw ConfigurationError(error.description)
  }
  server.credential = try agentCredential(plan)
  return server
}

/// Where the agent's token is; nil where it has none.
func agentCredential(_ plan: Plan) throws -> HTTPCredential? {
  let form: HTTPCredential.Form = plan.agentKeyIsCookie ? .cookie : .bearer
  switch (plan.agentKeyVariable, plan.agentKeyFile) {
  case (nil, nil): return nil
  case (let variable?, nil): return HTTPCredential(.variable(variable), as: form)
  case (nil, let file?): return HTTPCredential(.file(file), as: form)
  case (_?, _?):
    throw ConfigurationError("Both agent.keyVariable and agent.keyFile are set; leave one of them empty.")
  }
}
