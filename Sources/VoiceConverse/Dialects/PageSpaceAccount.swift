import VoiceJSON
import VoiceVocabulary

/// A place at a server, such as a drive, with the agents in it.
package struct AgentPlace: Equatable, Sendable {
  package let title: String
  /// What is written behind `#` for each, and its title.
  package let agents: [(name: String, title: String)]

  package static func == (left: Self, right: Self) -> Bool {
    left.title == right.title && left.agents.map { [$0.name, $0.title] } == right.agents.map { [$0.name, $0.title] }
  }
}

extension AgentSpecification {
  /// The agents that the server offers by name; nil where it offers none so.
  package func places(in environment: AgentEnvironment) async throws(AgentError) -> [AgentPlace]? {
    guard case .http(let server) = self, let places = server.kind.places else { return nil }
    return try await places(HTTPSessions(server, environment))
  }

  /// Sign in with a password, which is kept nowhere. Returns the cookies that are the user's key from then on.
  ///
  /// - Throws: if the server knows no such way, does not let this user in, or sets cookies that could not be sent.
  package func signIn(
    _ user: String, password: String, in environment: AgentEnvironment
  ) async throws(AgentError) -> String {
    guard case .http(let server) = self, let signIn = server.kind.signIn else {
      throw AgentError("This agent has no sign-in by password. Name its token with agent.keyVariable.")
    }
    guard server.address.isEncrypted || server.address.isLocal else {
      throw AgentError("The password would go over the network unencrypted; use https.")
    }
    let cookies = try await signIn(HTTPSessions(server, environment), user, password)
    guard HTTPCredential.canBeKept(cookie: cookies) else {
      throw AgentError(
        "The server set cookies that are too long for a token, or hold characters that none has: they are not kept. "
          + "Make a token in its settings and name it with agent.keyVariable.")
    }
    return cookies
  }
}

extension HTTPSessions {
  /// Every drive of PageSpace that the user may see, with its agents.
  func pageSpaceDrives() async throws(AgentError) -> [AgentPlace] {
    let answer = try await ask("/api/ai/page-agents/multi-drive")
    let redaction = environment.credential?.redaction(of: .whole)
    func title(_ value: JSON?) -> String {
      let words = value?.string ?? ""
      return redaction?(words) ?? words
    }
    return (answer["agentsByDrive"]?.elements ?? []).map { drive in
      let agents = (drive["agents"]?.elements ?? []).compactMap { agent -> (name: String, title: String)? in
        agent["id"]?.string.map { ($0, title(agent["title"])) }
      }
      return AgentPlace(title: title(drive["driveName"]), agents: agents)
    }
  }

  /// PageSpace's sign-in, where it has one: a token against forged forms, in a cookie and in a header, and then the password.
  func pageSpaceSignIn(_ user: String, _ password: String) async throws(AgentError) -> String {
    let origin: HTTPHead
    let form: JSON
    do throws(AgentError) {
      (origin, form) = try await exchange(request(.get, "/api/auth/login-csrf"))
    } catch {
      throw AgentError(
        """
        \(server.name) has no sign-in by password: \(error.description) Make a token in its settings and name it with \
        agent.keyVariable.
        """)
    }
    guard let token = form["csrfToken"]?.string, HTTPCredential.isToken(token.utf8) else {
      throw AgentError(server.strange().reason)
    }
    var login = request(.post, "/api/auth/login", ["email": .string(user), "password": .string(password)])
    login.headers += ["X-Login-CSRF-Token: \(token)", "Cookie: \(Self.cookies(origin))"]
    let head: HTTPHead
    do throws(AgentError) {
      head = try await exchange(login).head
    } catch {
      // What a server says of a wrong password may quote it.
      guard error.description.contains(password) else { throw error }
      throw AgentError("\(server.name) did not accept the sign-in, in words that may quote the password.")
    }
    let cookies = Self.cookies(head)
    guard !cookies.isEmpty else { throw AgentError(server.strange().reason) }
    return cookies
  }

  private func request(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) -> HTTPRequest {
    var headers = ["Accept: application/json"] + specification.kind.headers(environment.newSession)
    if body != nil { headers.append("Content-Type: application/json") }
    var request = HTTPRequest(method, server.address, path, headers: headers, body: body?.bytes ?? [])
    request.silenceMilliseconds = ConverseLimits.startMilliseconds
    return request
  }

  /// What a server set, as it is sent back; what it took away is left out.
  private static func cookies(_ head: HTTPHead) -> String {
    var cookies: [String] = []
    for line in (head.headers["set-cookie"] ?? "").split(whereSeparator: \.isNewline) {
      let cookie = line.prefix { $0 != ";" }.trimmingWhitespace()
      if cookie.contains("="), !cookie.hasSuffix("=") { cookies.append(cookie) }
    }
    return cookies.joined(separator: "; ")
  }
}
