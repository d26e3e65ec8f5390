import VoiceJSON
import VoiceSystem

/// A short conversation with a child process: question, answer, question, answer, and the child is ended.
struct RPCDialogue: Sendable {
  let command: ChildCommand
  let form: RPCForm
  /// How the agent is called in sentences.
  let name: String

  /// Run the child for as long as `talk` lasts, and at most `ConverseLimits.slowStartMilliseconds`.
  func run<Answer: Sendable>(
    _ talk: @escaping @Sendable (RPCTalk) async throws(AgentError) -> Answer
  ) async throws(AgentError) -> Answer {
    let outbox = Outbox()
    let (lines, arriving) = AsyncStream.makeStream(of: [UInt8].self)
    let ended = Locked<ChildEnd?>(nil)
    let conversation = RPCTalk(form: form, name: name, outbox: outbox, lines: lines)
    let result = await withTaskGroup(of: Result<Answer, AgentError>?.self) { group in
      group.addTask {
        let end = await ChildProcess(command).run(outbox: outbox) { event in
          if case .output(.line(let line)) = event { arriving.yield(line) }
          if case .outputEnded = event { arriving.finish() }
        }
        ended.withLock { $0 = end }
        arriving.finish()
        return nil
      }
      group.addTask {
        do throws(AgentError) {
          return .success(try await talk(conversation))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        do {
          try await ContinuousClock().sleep(for: .milliseconds(ConverseLimits.slowStartMilliseconds))
        } catch {
          return nil
        }
        return .failure(AgentError("\(name) did not answer. Start it in a terminal to see why."))
      }
      var result: Result<Answer, AgentError>?
      while result == nil, let next = await group.next() { result = next }
      outbox.finish()
      group.cancelAll()
      return result
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let error):
      // A child that died says more than the question that it did not answer.
      switch ended.withLock({ $0 }) {
      case .notFound, .notStarted, .killed, .leftRunning:
        throw AgentError(ended.withLock { $0 }?.reason(of: name, .beforeReady) ?? error.description)
      case .exited, nil: throw error
      }
    case nil: throw AgentError("\(name) ended before it answered. Start it in a terminal to see why.")
    }
  }
}

/// The asking side of a dialogue. One task asks, one question at a time.
struct RPCTalk: Sendable {
  private struct State {
    var lastRequest = 0
    var notifications: [(method: String, parameters: JSON)] = []
  }

  let form: RPCForm
  let name: String
  let outbox: Outbox
  let lines: AsyncStream<[UInt8]>
  private let state = Locked(State())

  /// What went wrong, as a sentence that begins with the agent's name.
  func failure(_ words: String) -> AgentError { AgentError("\(name) \(words)") }

  /// The answer to a request.
  func ask(_ method: String, _ parameters: JSON) async throws(AgentError) -> JSON {
    let id = state.withLock { state in
      state.lastRequest += 1
      return state.lastRequest
    }
    send(form.request(id, method, parameters))
    for await line in lines {
      switch RPCMessage(line: line) {
      case .answer(id, .success(let result)): return result
      case .answer(id, .failure(let error)):
        throw failure("reported an error: \(error.message.shortened(to: ConverseLimits.reasonCharacters))")
      case .request(let request, _, _):
        send(form.error(of: request, code: RPCError.methodNotFound, "nothing is being worked on"))
      case .notification(let method, let parameters):
        state.withLock { $0.notifications.append((method, parameters)) }
      case .answer, nil: break
      }
    }
    throw failure("ended before it answered. Start it in a terminal to see why.")
  }

  /// The entries of a list that comes in pages.
  func list(_ method: String, _ parameters: [String: JSON], of name: String) async throws(AgentError) -> [JSON] {
    var (found, parameters, pages) = ([JSON](), parameters, ListedPages())
    while found.count < ConverseLimits.listedSessions, pages.admits(parameters["cursor"].map { "\($0)" } ?? "") {
      let answer = try await ask(method, .object(parameters))
      found += answer[name]?.elements ?? []
      guard let next = answer["nextCursor"], next != .null else { break }
      parameters["cursor"] = next
    }
    return found
  }

  /// Tell the agent something that needs no parameters and no answer.
  func notify(_ method: String) { send(form.notification(method)) }

  /// What arrived unasked since the last call, in order.
  func takeNotifications() -> [(method: String, parameters: JSON)] {
    state.withLock { state in
      defer { state.notifications = [] }
      return state.notifications
    }
  }

  private func send(_ bytes: [UInt8]) { _ = outbox.send(bytes) }
}
