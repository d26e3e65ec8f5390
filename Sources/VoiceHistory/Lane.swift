package import VoiceVocabulary

/// The rows of a report, top to bottom.
package enum Lane: String, CaseIterable, Sendable {
  case turn, voice, link, proposals, held, run, tools, speech

  /// Its name on the page.
  package var title: String {
    switch self {
    case .turn: "Turn"
    case .voice: "Voice activity"
    case .link: "Link"
    case .proposals: "Proposals"
    case .held: "Held items"
    case .run: "Run"
    case .tools: "Tools"
    case .speech: "Speech"
    }
  }
}

/// Something on a lane: a stretch of time, or a point.
package struct Mark: Equatable, Sendable {
  package var lane: Lane
  package var start: SessionTime
  /// Nil for a point in time.
  package var end: SessionTime?
  /// What sort of mark it is within its lane, as one word: decides its look.
  package var kind: String
  package var text: String
  /// The step that it begins with.
  package var step: Int
  package var turn: Int?
}

extension SessionHistory {
  /// Everything on the lanes, ordered by time. What did not end ends with the session.
  package var marks: [Mark] {
    let all =
      turns.flatMap(turnMarks) + voiceMarks + linkMarks + turns.flatMap(proposalMarks) + turns.flatMap(heldMarks)
      + turns.flatMap(runMarks) + speechMarks
    return all.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  private func stretch(
    _ lane: Lane, _ start: Moment, _ end: Moment?, _ kind: String, _ text: String, _ turn: Int?
  ) -> Mark {
    Mark(
      lane: lane, start: start.time, end: end?.time ?? max(duration, start.time), kind: kind, text: text,
      step: start.step, turn: turn)
  }

  /// One stretch for each latency: together they are the turn.
  private func turnMarks(_ turn: Turn) -> [Mark] {
    turn.steps.map { latency in
      let took = durationText(microseconds: latency.microseconds)
      return stretch(
        .turn, latency.from, latency.to, latency.name.rawValue, "\(latency.name.rawValue) \(took)", turn.number)
    }
  }

  private var voiceMarks: [Mark] {
    utterances.map {
      stretch(.voice, $0.started, $0.ended, $0.detector.rawValue, "voice (\($0.detector.rawValue))", $0.turn)
    }
  }

  private var linkMarks: [Mark] {
    connections.flatMap { connection in
      let number = connection.id.rawValue
      let opening = stretch(
        .link, connection.opened, connection.ready ?? connection.closed, "opening", "connection \(number): opening", nil
      )
      guard let ready = connection.ready else { return [opening] }
      let end = connection.reason.map { "; \($0)" } ?? ""
      return [opening, stretch(.link, ready, connection.closed, "open", "connection \(number): open\(end)", nil)]
    }
  }

  private func proposalMarks(_ turn: Turn) -> [Mark] {
    guard let moment = turn.stages[.proposed] else { return [] }
    let text = turn.wish == .stop ? "stop" : turn.proposed ?? ""
    return [
      Mark(
        lane: .proposals, start: moment.time, end: nil, kind: turn.wish == .stop ? "stop" : turn.source.rawValue,
        text: text, step: moment.step, turn: turn.number)
    ]
  }

  private func heldMarks(_ turn: Turn) -> [Mark] {
    var marks: [Mark] = []
    if let held = turn.stages[.held] {
      let (kind, words): (String, String) =
        switch turn.decision {
        case .approved, .sentAtOnce: ("approved", "approved")
        case .rejected: ("rejected", "rejected")
        case .lapsed: ("lapsed", "lapsed")
        case nil: ("open", "not decided")
        }
      // What was held again, since it could not leave, had been decided before.
      marks.append(
        stretch(
          .held, held, turn.stages[.decided].flatMap { $0.time < held.time ? nil : $0 }, kind,
          "\(words): \(turn.instruction ?? "")", turn.number))
    }
    for request in turn.requests {
      let kind = request.isGranted.map { $0 ? "approved" : "rejected" } ?? "lapsed"
      let end = request.answered ?? turn.stages[.runEnded]
      marks.append(stretch(.held, request.asked, end, kind, "the agent asks: \(request.title)", turn.number))
    }
    return marks
  }

  private func runMarks(_ turn: Turn) -> [Mark] {
    guard let dispatched = turn.stages[.dispatched] else { return [] }
    let (kind, words): (String, String) =
      switch turn.end {
      case .completed: ("completed", "completed")
      case .cancelled, .stopped: ("stopped", "stopped")
      case .failed, .unconfirmed: ("failed", "failed")
      case nil: ("open", "not ended")
      }
    let run = stretch(
      .run, dispatched, turn.stages[.runEnded], kind, "\(words): \(turn.instruction ?? "")", turn.number)
    let tools = turn.tools.map { use in
      stretch(.tools, use.started, use.ended, use.outcome?.rawValue ?? "unknown", use.tool.title, turn.number)
    }
    return [run] + tools
  }

  private var speechMarks: [Mark] {
    pieces.compactMap { piece in
      guard let started = piece.started else { return nil }
      let cut = piece.cutAfterMilliseconds.map { " (cut after \($0) ms)" } ?? ""
      return stretch(.speech, started, piece.ended, piece.purpose.rawValue, piece.text + cut, piece.turn)
    }
  }
}
