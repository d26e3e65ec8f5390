package import VoiceVocabulary

/// When something happened, and which step of the log says so.
package struct Moment: Equatable, Sendable {
  package var time: SessionTime
  /// The sequence number of the step.
  package var step: Int
}

/// What a turn goes through, in the usual order. Each is the moment at which it happened.
package enum Stage: String, CaseIterable, Sendable {
  case speechStarted, speechEnded
  /// The transcript was complete.
  case transcribed
  /// The live model proposed an instruction, or the user typed one.
  case proposed
  /// It was held for a decision.
  case held
  /// The first sample of it being read back.
  case readBack
  /// It was approved, rejected, sent at once, or given up.
  case decided
  /// It left for the coding agent.
  case dispatched
  /// The agent said that it began.
  case acknowledged
  /// The first text of the agent's answer.
  case answered
  /// The first sample of the answer that was played.
  case spoken
  /// The agent ended its run.
  case runEnded
  /// The last sample of the answer was played, or the rest was dropped.
  case spokenToEnd
}

/// One wish of the user and everything that came of it: from speech (or a typed line) to the end of the spoken answer.
package struct Turn: Equatable, Sendable {
  /// What became of the wish.
  package enum Decision: Equatable, Sendable {
    /// Direct mode.
    case sentAtOnce
    case approved(By)
    /// The reason that the user gave, if one.
    case rejected(reason: String?)
    /// Nobody decided; the reason is a sentence.
    case lapsed(reason: String)

    /// How the user decided.
    package enum By: String, Sendable { case command, voice }
  }

  /// What the turn led to.
  package enum Wish: Equatable, Sendable {
    /// Nothing was proposed: the words led to nothing, or to a decision on something held.
    case none
    case instruction
    /// The spoken wish to stop.
    case stop
  }

  /// A tool that the agent used.
  package struct ToolUse: Equatable, Sendable {
    package var tool: AgentTool
    package var started: Moment
    package var ended: Moment?
    package var outcome: AgentTool.Outcome?
  }

  /// Something that the agent asked: for permission, or to know.
  package struct Request: Equatable, Sendable {
    /// What the agent asked.
    package enum Content: Equatable, Sendable {
      case permission(PermissionRequest)
      case question(AgentQuestion)
    }

    /// What it was answered.
    package enum Answer: Equatable, Sendable {
      case choice(PermissionRequest.Choice)
      /// The words of the answer; nil if the user declined.
      case words(String?)
    }

    package var content: Content
    package var asked: Moment
    /// The first sample of it being read aloud.
    package var told: Moment?
    package var answered: Moment?
    /// Nil if it was never answered.
    package var answer: Answer?

    /// What was asked, in one line.
    package var title: String {
      switch content {
      case .permission(let request): request.title
      case .question(let question): question.text
      }
    }

    /// Whether the user gave what the agent asked for; nil if nobody answered.
    package var isGranted: Bool? {
      switch answer {
      case .choice(let choice): choice.allows
      case .words(let words): words != nil
      case nil: nil
      }
    }
  }

  /// What went wrong, or cut in, during the turn: a notice as it was shown.
  package struct Incident: Equatable, Sendable {
    package var moment: Moment
    package var notice: NoticeText
  }

  /// Counts from 1 in its session.
  package let number: Int
  package var source: Instruction.Source
  package var wish: Wish = .none
  /// The turn whose run failed, or is not known to have ended well, if its instruction was offered once more by this one.
  package var again: Int?
  /// The turn that these words decided, if they were a decision on something held.
  package var decidedTurn: Int?
  /// The transcript of the user's words.
  package var heard = ""
  /// What was proposed, before any edit.
  package var proposed: String?
  /// What was sent to the agent, or would have been.
  package var instruction: String?
  package var decision: Decision?
  package var stages: [Stage: Moment] = [:]
  package var tools: [ToolUse] = []
  /// Where those stand that are not over, by the agent's name for the call; the newest of one name last.
  var openTools: [String: [Int]] = [:]
  package var requests: [Request] = []
  /// The whole text of the agent's answer.
  package var answer = ""
  package var end: AgentTurnEnd?
  /// As the agent reported it last.
  package var usage: AgentUsage?
  package var incidents: [Incident] = []
  /// The reasons that the log names for its decisions in this turn, in order.
  package var reasons: [Reason] = []

  /// Why the controller did what it did, as the log has it.
  package struct Reason: Equatable, Sendable {
    package var moment: Moment
    package var text: String
  }

  /// Where the turn begins.
  package let start: Moment

  /// When the turn came to this stage.
  package subscript(stage: Stage) -> SessionTime? { stages[stage]?.time }

  /// Where the turn ends, as far as it came.
  package var lastTime: SessionTime { stages.values.map(\.time).max() ?? start.time }

  /// Note the first moment of a stage.
  mutating func reach(_ stage: Stage, _ moment: Moment) {
    if stages[stage] == nil { stages[stage] = moment }
  }
}

/// The time from one stage to the next that a person would ask for.
package struct Latency: Equatable, Sendable {
  /// What is measured: a step from one stage to the next, or a sum of several.
  package enum Name: String, CaseIterable, Sendable {
    case speech, transcript, proposal, decision, dispatch, agent, voice
    /// From the end of the user's speech to the first spoken sample: what the user waited.
    case wait
    /// From dispatch to the end of the run.
    case run
  }

  package var name: Name
  package var from: Moment
  package var to: Moment

  /// How long it took.
  package var microseconds: Int64 { to.time.microseconds - from.time.microseconds }
}

extension Turn {
  /// The latencies of the stages that the turn went through, in order; `wait` and `run` last.
  package var latencies: [Latency] {
    func between(_ name: Latency.Name, _ from: Stage..., to end: Stage) -> Latency? {
      guard let to = stages[end] else { return nil }
      // The latest of the stages before it that was reached: a turn may skip some.
      let before = from.compactMap { stages[$0] }.filter { $0.time <= to.time }
      guard let from = before.max(by: { $0.time < $1.time }) else { return nil }
      return Latency(name: name, from: from, to: to)
    }
    return [
      between(.speech, .speechStarted, to: .speechEnded),
      between(.transcript, .speechEnded, to: .transcribed),
      between(.proposal, .transcribed, .speechEnded, to: .proposed),
      between(.decision, .proposed, .held, to: .decided),
      between(.dispatch, .decided, to: .dispatched),
      between(.agent, .dispatched, to: .answered),
      between(.voice, .answered, .dispatched, to: .spoken),
      between(.wait, .speechEnded, to: .spoken),
      between(.run, .dispatched, to: .runEnded),
    ].compactMap { $0 }
  }

  /// The latencies from one stage to the next, without the sums of several.
  package var steps: [Latency] { latencies.filter { ![.wait, .run].contains($0.name) } }

  /// One latency, if the turn came so far.
  package func latency(_ name: Latency.Name) -> Latency? { latencies.first { $0.name == name } }
}
