import VoiceJSON
import VoiceVocabulary

/// Whose turn goes on: Claude Code also begins turns by itself, when a command or a helper in the background ends.
extension ClaudeDialect {
  /// An `init`: a turn begins, which is ours unless our message is known to wait.
  mutating func turnBegan() {
    announcesTurns = true
    isOfBackground = false
    guard owner == .nobody else { return }
    guard let prompt, prompt.hasBegun || !followsPrompts else { return ownTurnBegan(because: background.reason) }
    owner = .user
  }

  private mutating func ownTurnBegan(because reason: String) {
    // Before anything was asked of it, a session tells about itself.
    guard phase == .open else { return }
    (owner, state, turn) = (.agent, .working, AgentTurn())
    usage.startRun()
    effects.append(.began(reason))
  }

  /// A helper in the background asks while no turn goes on: a run of its own, until its end is spoken of or it is gone.
  mutating func backgroundAsks() {
    guard state == .none else { return }
    isOfBackground = true
    ownTurnBegan(because: backgroundReason)
  }

  /// Why a run goes on that is only what a helper in the background asks.
  var backgroundReason: String {
    background.work.first.map { "“\($0)” goes on in the background." } ?? background.reason
  }

  /// What became of a message.
  mutating func promptFollowed(_ message: JSON) {
    guard let current = prompt, message["command_uuid"]?.string == current.name else { return }
    followsPrompts = true
    switch message["state"]?.string {
    case "started":
      prompt?.hasBegun = true
      // It was taken into what went on.
      if owner == .agent {
        owner = .user
        effects.append(.endedAsking(.joined, turn.asked, because: ""))
      }
      if current.isWithdrawn {
        // Too late: its turn has begun.
        state = .cancelling
        control(["subtype": "interrupt"])
      }
    case "cancelled":
      prompt = nil
      if owner == .agent { return effects.append(.withdrawn(.cancelled)) }
      (state, owner) = (.none, .nobody)
      report(turn.end())
      effects.append(.ended(.cancelled))
    default: break
    }
  }
}

/// What Claude Code does in the background. When some of it ends, it begins a turn to speak of that.
struct ClaudeBackground: Equatable, Sendable {
  private var tasks: [(id: String, name: String)] = []
  /// What has ended, and how, in its own words; its turn is to come.
  private var ended: [(name: String, words: String)] = []

  /// All of it, by its names.
  var work: [String] {
    let running = tasks.map(\.name)
    return running + ended.map(\.name).filter { !running.contains($0) }
  }

  /// Why it begins a turn.
  var reason: String { ended.first?.words ?? "Claude Code goes on by itself." }

  /// Take a message about it. True if there is now more or less of it. What was ended by somebody is not spoken of.
  mutating func take(_ message: JSON) -> Bool {
    let before = work
    if message["subtype"]?.string == "task_notification" {
      guard ["completed", "failed", nil].contains(message["status"]?.string) else { return false }
      let words = message["summary"]?.string ?? "Something in the background has ended."
      let name = tasks.first { $0.id == message["task_id"]?.string }?.name
      ended.append((name ?? "what has ended", words.shortened(to: ConverseLimits.titleCharacters)))
    } else {
      tasks = (message["tasks"]?.elements ?? []).compactMap { task in
        guard let id = task["task_id"]?.string else { return nil }
        return (id, (task["description"]?.string ?? id).shortened(to: ConverseLimits.titleCharacters))
      }
    }
    return work != before
  }

  /// The model is asked, which is told what has ended. True if there was something.
  mutating func wereTold() -> Bool {
    defer { ended = [] }
    return !ended.isEmpty
  }

  static func == (left: ClaudeBackground, right: ClaudeBackground) -> Bool {
    left.ended.map(\.words) == right.ended.map(\.words) && left.tasks.map(\.id) == right.tasks.map(\.id)
  }
}

extension ChildSettings {
  /// A name for a message that no other has, in the form of a UUID: that of this program with the numbers of the child and of the
  /// message at its end.
  func name(of message: Int) -> String {
    func digits(_ number: Int, _ count: Int) -> String {
      String(String(UInt32(truncatingIfNeeded: number), radix: 16).suffix(count)).zeroPadded(to: count)
    }
    return namespace.prefix(24) + digits(child, 4) + digits(message, 8)
  }
}
