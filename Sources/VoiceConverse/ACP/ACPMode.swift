import VoiceJSON

/// How an ACP agent decides what it may do unasked: its session mode (sections 2.2 and 9, rule 6, of the notes).
struct ACPMode: Equatable {
  /// How the mode is changed: the old call, or the newer option that some agents offer instead or as well.
  enum Route: Equatable {
    case setMode
    case setOption(id: String)
  }

  var current: String
  var offered: [String]
  var route: Route

  /// Modes that are known to ask before they act, the best first. `read-only` is last: it asks, or refuses outright.
  static let asking = ["ask", "always-ask", "default", "manual", readOnly]
  static let readOnly = "read-only"

  /// What a session offers in the answer to `session/new`; nil if it has no modes.
  init?(session: JSON) {
    let option = session["configOptions"]?.elements.first { $0["category"]?.string == "mode" }
    if let option, let id = option["id"]?.string, let current = option["currentValue"]?.string {
      // The choices may stand in groups.
      let choices = (option["options"]?.elements ?? []).flatMap { $0["options"]?.elements ?? [$0] }
      self.init(current: current, offered: choices.compactMap { $0["value"]?.string }, route: .setOption(id: id))
    } else if let modes = session["modes"], let current = modes["currentModeId"]?.string {
      let offered = (modes["availableModes"]?.elements ?? []).compactMap { $0["id"]?.string }
      self.init(current: current, offered: offered, route: .setMode)
    } else {
      return nil
    }
  }

  private init(current: String, offered: [String], route: Route) {
    self.current = current
    self.offered = offered
    self.route = route
  }

  /// The mode to be in: the configured one if it is offered, else the best one that asks.
  func target(preferred: String?) -> String? {
    if let preferred { return offered.contains(preferred) ? preferred : nil }
    return Self.asking.first { offered.contains($0) }
  }

  /// The request that changes the mode.
  func request(_ mode: String, session: String) -> (method: String, parameters: JSON) {
    switch route {
    case .setMode:
      ("session/set_mode", ["sessionId": .string(session), "modeId": .string(mode)])
    case .setOption(let id):
      (
        "session/set_config_option",
        ["sessionId": .string(session), "configId": .string(id), "value": .string(mode)]
      )
    }
  }
}
