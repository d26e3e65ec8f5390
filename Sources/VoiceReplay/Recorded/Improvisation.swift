import VoiceCore
import VoiceVocabulary

/// What parts of the world do whose recording tells nothing of it: the shortest that lets a session go on.
struct Improvisation {
  private var samples: [SpeechID: Int] = [:]
  private var endedRuns: Set<RunID> = []

  /// What follows, and how many milliseconds later.
  mutating func answer(to action: VoiceAction, in lane: RecordedLane) -> [(milliseconds: Int, event: VoiceEvent)] {
    switch action {
    case .openAgent: return [(100, .agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel])))]
    case .openLink(let connection, let resuming): return [(40, .linkReady(connection: connection, resumed: resuming))]
    case .speak(let speech, let text, _):
      let parts = SpeechAudio.silence(of: text)
      samples[speech] = parts.reduce(0) { $0 + $1.samples.count }
      return parts.map { (180, .speechAudio(speech: speech, audio: $0)) } + [(180, .speechEnded(speech: speech))]
    case .play(let speech, _): return [(10, .playbackStarted(speech: speech))]
    case .finishPlaying(let speech):
      return [((samples[speech] ?? 0) * 1000 / PCM.speakerRate + 10, .playbackEnded(speech: speech))]
    case .clearPlayback: return lane == .clearing ? [(0, .playbackCleared(speech: nil, heardMilliseconds: 0))] : []
    case .startRun(let run, _): return [(5, .agentReported(run: run, event: .turnStarted))] + end(run, .completed)
    case .answerPermission(let run, _, _, _), .answerQuestion(let run, _, _): return end(run, .completed)
    case .cancelRun(let run), .abandonRun(let run): return end(run, .cancelled)
    case .steerRun(let run, let instruction):
      return [(10, .agentReported(run: run, event: .steered(instruction: instruction.id)))]
    case .enterInLedger(_, let instruction): return [(1, .ledgerEntered(instruction: instruction.id))]
    default: return []
    }
  }

  private mutating func end(_ run: RunID, _ end: AgentTurnEnd) -> [(milliseconds: Int, event: VoiceEvent)] {
    guard endedRuns.insert(run).inserted else { return [] }
    return [(20, .agentReported(run: run, event: .turnEnded(end: end)))]
  }
}

extension RecordedLane {
  /// What the recording does not tell once this part was treated otherwise, as a clause for people.
  func unknown(_ approach: Approach) -> String {
    switch self {
    case .run(let run):
      switch approach {
      case .begin: "what the agent would have done in run \(run.rawValue)"
      case .answer(let answer): "what the agent would have done in run \(run.rawValue) after “\(answer)”"
      case .stop, .abandon, .finish: "how the agent would have stopped run \(run.rawValue)"
      }
    case .steering: "whether the agent would have taken what was said into its work"
    case .connection(let connection): "what the live model would have made of connection \(connection.rawValue)"
    case .speech(let speech), .playback(let speech): "how piece \(speech.rawValue) would have sounded"
    case .clearing: "how much had been heard when speech was cut"
    case .ledger: "whether the disk would have taken an instruction"
    case .microphone, .user, .agent, .outside: "what would have happened around the session"
    }
  }
}
