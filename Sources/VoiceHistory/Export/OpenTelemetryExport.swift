import VoiceFoundation
import VoiceJSON
package import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A session as OpenTelemetry traces: an `ExportTraceServiceRequest` of OTLP in its JSON form, with the names of the
/// semantic conventions for generative AI. One trace a turn; the session is the conversation.
///
/// What people said, and what the agent answered, stays out unless it is asked for: a collector is another party.
package struct OpenTelemetryExport {
  private let session: RecordedSession
  private let includesWords: Bool
  /// Nanoseconds since 1970 at which the session started.
  private let start: UInt64

  /// - Parameter includesWords: whether transcripts, instructions, titles and answers go along.
  /// - Throws: if the session's wall-clock start is not known.
  package init(_ session: RecordedSession, includesWords: Bool) throws(FileFailure) {
    // The format counts nanoseconds in 64 bits, which end in the year 2262, and a log may tell of a century.
    guard let started = session.started, (0..<6e9).contains(started.timeIntervalSince1970) else {
      throw FileFailure("\(session.folder.path) has no manifest.json that tells when the session started.")
    }
    self.session = session
    self.includesWords = includesWords
    start = UInt64(started.timeIntervalSince1970 * 1000) * 1_000_000
  }

  /// The request's body.
  package func body() -> [UInt8] {
    let version = session.manifest?.program.split(separator: " ").last.map(String.init) ?? ""
    let resource = [
      TelemetryAttribute("service.name", "parley"), .init("service.version", version),
      .init("service.instance.id", session.name),
    ]
    let request: JSON = [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource.map(\.json))],
          "scopeSpans": [
            [
              "scope": ["name": "parley", "version": .string(version)],
              "spans": .array(session.history.turns.flatMap(spans).map(\.json)),
            ]
          ],
        ]
      ]
    ]
    return request.bytes
  }

  // MARK: Spans

  private func spans(_ turn: Turn) -> [TelemetrySpan] {
    var root = span(turn, "turn", nil, "turn \(turn.number)", .internal, turn.start.time, turn.lastTime)
    root.attributes += [
      .init("gen_ai.conversation.id", session.name), .init("parley.turn.number", turn.number),
      .init("parley.turn.source", turn.source.rawValue), .init("parley.turn.decision", Self.name(turn.decision)),
    ]
    if let wait = turn.latency(.wait) { root.attributes.append(.init("parley.turn.wait", seconds(wait))) }
    root.events = turn.incidents.map { incident in
      let words = includesWords ? [TelemetryAttribute("parley.text", incident.notice.text)] : []
      return [
        "timeUnixNano": .string(time(incident.moment.time)), "name": .string("parley.\(incident.notice.label)"),
        "attributes": .array(words.map(\.json)),
      ]
    }
    if includesWords, let instruction = turn.instruction {
      root.attributes.append(.init("parley.instruction", instruction))
      root.attributes.append(.init("parley.transcript", turn.heard))
    }
    let stages = turn.steps.map { latency in
      span(turn, latency.name.rawValue, "turn", latency.name.rawValue, .internal, latency.from.time, latency.to.time)
    }
    return [root] + stages + run(turn)
  }

  private func run(_ turn: Turn) -> [TelemetrySpan] {
    guard let dispatched = turn[.dispatched] else { return [] }
    let agent = session.history.agent?.name ?? "agent"
    let end = turn[.runEnded] ?? session.history.duration
    var run = span(turn, "run", "turn", "invoke_agent \(agent)", .client, dispatched, end)
    run.attributes += [
      .init("gen_ai.operation.name", "invoke_agent"), .init("gen_ai.provider.name", agent),
      .init("gen_ai.agent.name", agent), .init("gen_ai.conversation.id", session.name),
    ]
    if let first = turn.latency(.agent) {
      run.attributes.append(.init("gen_ai.response.time_to_first_chunk", seconds(first)))
    }
    if let tokens = turn.usage?.inputTokens { run.attributes.append(.init("gen_ai.usage.input_tokens", tokens)) }
    if let tokens = turn.usage?.outputTokens { run.attributes.append(.init("gen_ai.usage.output_tokens", tokens)) }
    if let cost = turn.usage?.costInDollars { run.attributes.append(.init("parley.cost.dollars", cost)) }
    switch turn.end {
    case .completed: run.attributes.append(.init("gen_ai.response.finish_reasons", ["stop"]))
    case .cancelled: run.attributes.append(.init("gen_ai.response.finish_reasons", ["cancelled"]))
    case .stopped: run.attributes.append(.init("gen_ai.response.finish_reasons", ["stopped"]))
    case .failed(let reason), .unconfirmed(let reason, _):
      run.attributes.append(.init("error.type", "agent_failure"))
      (run.hasFailed, run.failure) = (true, includesWords ? reason : nil)
    case nil: break
    }
    if includesWords {
      run.attributes.append(.init("gen_ai.input.messages", Self.messages("user", turn.instruction ?? "", nil)))
      run.attributes.append(.init("gen_ai.output.messages", Self.messages("assistant", turn.answer, "stop")))
    }
    return [run] + turn.tools.enumerated().map { tool($0.element, $0.offset, turn) } + requests(turn)
  }

  private func tool(_ use: Turn.ToolUse, _ index: Int, _ turn: Turn) -> TelemetrySpan {
    let end = use.ended?.time ?? turn.lastTime
    var span = span(turn, "tool \(index)", "run", "execute_tool \(use.tool.kind)", .internal, use.started.time, end)
    span.attributes += [
      .init("gen_ai.operation.name", "execute_tool"), .init("gen_ai.tool.name", use.tool.kind),
      .init("gen_ai.tool.call.id", use.tool.id), .init("gen_ai.tool.type", "function"),
    ]
    if includesWords { span.attributes.append(.init("gen_ai.tool.description", use.tool.title)) }
    if let outcome = use.outcome, outcome != .completed {
      span.attributes.append(.init("error.type", outcome.rawValue))
      span.hasFailed = outcome == .failed
    }
    return span
  }

  private func requests(_ turn: Turn) -> [TelemetrySpan] {
    turn.requests.enumerated().map { index, request in
      let end = request.answered?.time ?? turn.lastTime
      var span = span(turn, "request \(index)", "run", "ask user", .internal, request.asked.time, end)
      let granted = request.isGranted.map { $0 ? "granted" : "denied" } ?? "none"
      span.attributes.append(.init("parley.request.answer", granted))
      if includesWords { span.attributes.append(.init("parley.request.title", request.title)) }
      return span
    }
  }

  // MARK: Parts

  /// - Parameter key: names the span within its turn; the identifiers are made of it, so that an export can be repeated.
  private func span(
    _ turn: Turn, _ key: String, _ parent: String?, _ name: String, _ kind: TelemetrySpan.Kind, _ from: SessionTime,
    _ to: SessionTime
  ) -> TelemetrySpan {
    TelemetrySpan(
      traceID: digest("", of: turn, length: 32), spanID: digest(key, of: turn, length: 16),
      parentSpanID: parent.map { digest($0, of: turn, length: 16) }, name: name, kind: kind,
      startNanoseconds: time(from), endNanoseconds: time(max(from, to)))
  }

  private func digest(_ key: String, of turn: Turn, length: Int) -> String {
    var digest = SHA256Digest()
    digest.update(Array("\(session.name)\n\(start)\n\(turn.number)\n\(key)".utf8)[...])
    return String(digest.finish().prefix(length))
  }

  private func time(_ time: SessionTime) -> String { String(start + UInt64(max(0, time.microseconds)) * 1000) }

  private func seconds(_ latency: Latency) -> Double { Double(latency.microseconds) / 1_000_000 }

  private static func name(_ decision: Turn.Decision?) -> String {
    switch decision {
    case .sentAtOnce: "sent at once"
    case .approved: "approved"
    case .rejected: "rejected"
    case .lapsed: "lapsed"
    case nil: "none"
    }
  }

  /// Messages in the form that the conventions give for opt-in content.
  private static func messages(_ role: String, _ text: String, _ finish: String?) -> String {
    let message: JSON = [
      "role": .string(role), "parts": [["type": "text", "content": .string(text)]],
      "finish_reason": finish.map { .string($0) },
    ]
    return String(decoding: JSON.array([message]).bytes, as: UTF8.self)
  }
}
