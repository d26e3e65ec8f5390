import VoiceJSON
import VoiceVocabulary

/// What an interrupted turn leaves running.
///
/// Codex ends a turn that is interrupted, and lets its command run on as a terminal in the background. What was to be stopped is
/// the command, so it is ended before the turn is said to have stopped; terminals of earlier turns stay.
extension CodexDialect {
  /// What is asked about terminals behind an interrupt.
  struct Terminals: Equatable {
    /// Our request for the list of them, and those to end each.
    var list: Int?
    /// The pages of it that were asked for.
    var pages = 1
    var ending: Set<Int> = []
  }

  private static let mostPages = 100

  /// An item of the turn began or ended.
  mutating func noteCommand(_ item: JSON) {
    guard item["type"]?.string == "commandExecution", let id = item["id"]?.string,
      commands.count < ConverseLimits.toolsInRun
    else { return }
    // One that was never allowed runs nowhere.
    if item["status"]?.string == "declined" { commands.remove(id) } else { commands.insert(id) }
  }

  /// The turn was interrupted, and is over once its commands are.
  mutating func endTerminals() {
    terminals = Terminals(list: request("thread/backgroundTerminals/list", inThread([:])))
  }

  /// A request was answered, perhaps one about terminals.
  mutating func terminalsAnswered(_ request: Int, _ result: Result<JSON, RPCError>) {
    guard var open = terminals else { return }
    if open.list == request {
      open.list = nil
      switch result {
      case .success(let answer):
        let left = (answer["data"]?.elements ?? []).filter { commands.contains($0["itemId"]?.string ?? "") }
        for terminal in left {
          open.ending.insert(
            self.request(
              "thread/backgroundTerminals/terminate", inThread(["processId": terminal["processId"] ?? .null])))
        }
        if let cursor = answer["nextCursor"]?.string {
          // A list without an end tells nothing of what is left.
          guard open.pages < Self.mostPages else { return effects.append(.stopChild) }
          open.pages += 1
          open.list = self.request("thread/backgroundTerminals/list", inThread(["cursor": .string(cursor)]))
        }
      // Releases that have no terminals end a turn's command with it.
      case .failure(let error) where [RPCError.methodNotFound, RPCError.invalidRequest].contains(error.code): break
      // What runs on is not known: nothing but the end of Codex itself ends it then, with all that it started.
      case .failure: return effects.append(.stopChild)
      }
    } else if open.ending.remove(request) != nil {
      if case .failure = result { return effects.append(.stopChild) }
    } else {
      return
    }
    terminals = open
    if open.list == nil, open.ending.isEmpty {
      terminals = nil
      endTurn(.cancelled)
    }
  }
}
