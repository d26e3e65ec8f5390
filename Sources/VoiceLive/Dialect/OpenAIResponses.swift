import VoiceVocabulary

/// The responses of one connection: the server names them, the program numbers them. Pure.
struct OpenAIResponses {
  /// One of them.
  struct Response {
    let id: String
    let turn: ModelTurnID
    /// The item that its sound is part of.
    var item: String?
    /// Samples of its sound that came.
    var samples = 0
    var joiner = SampleJoiner()
    /// What it wants done, once it is over: what was cut off is not what was meant.
    private(set) var calls: [(id: String, tool: String, argument: String?)] = []
    var isOver = false

    /// It wants this done; told again, it is the same.
    mutating func called(_ id: String, tool: String, argument: String?) {
      guard calls.count < LiveLimits.openCalls, !calls.contains(where: { $0.id == id }) else { return }
      calls.append((id, tool, argument))
    }
  }

  /// Those that something may still be said about, the oldest first.
  private var responses: [Response] = []
  /// Turns that were asked for, and of which no response was begun yet.
  private var asked: [ModelTurnID] = []
  /// Turns that are not wanted any more.
  private var unwanted: Set<ModelTurnID> = []
  private var lastTurn = ModelTurnID(rawValue: 0)
  private static let remembered = 16

  /// A response to a turn was asked for by the program, which has numbered it.
  mutating func asked(for turn: ModelTurnID) { asked.append(turn) }

  /// The server begins a response.
  /// - Parameter named: the turn that it says it is of.
  /// - Returns: whether nobody wants it any more.
  mutating func began(_ id: String, named: Int?) -> Bool {
    guard self[id] == nil else { return false }
    let named = named.map(ModelTurnID.init(rawValue:)).flatMap { asked.contains($0) ? $0 : nil }
    let turn = named ?? asked.first ?? ModelTurnID(rawValue: lastTurn.rawValue + 1)
    asked.removeAll { $0 == turn }
    lastTurn = max(lastTurn, turn)
    responses.append(Response(id: id, turn: turn))
    if responses.count > Self.remembered { responses.removeFirst() }
    return unwanted.remove(turn) != nil
  }

  /// The one of that name; nil if nothing is known of it.
  subscript(id: String) -> Response? { responses.last { $0.id == id } }

  /// The one of a turn.
  func response(of turn: ModelTurnID) -> Response? { responses.last { $0.turn == turn } }

  /// The one that goes on; of several, the last.
  var active: Response? { responses.last { !$0.isOver } }

  /// Nothing comes of the turn that was asked for last: the server has not begun it, and will not.
  /// - Returns: that turn; nil if none was asked for.
  mutating func refuseAsked() -> ModelTurnID? {
    guard let turn = asked.popLast() else { return nil }
    unwanted.remove(turn)
    return turn
  }

  /// Change the one of that name, or the active one where it has none. Servers that tell of no beginning have begun it now.
  /// - Returns: its turn.
  @discardableResult mutating func update(_ id: String, _ change: (inout Response) -> Void) -> ModelTurnID {
    let id = id.isEmpty ? active?.id ?? id : id
    if self[id] == nil { _ = began(id, named: nil) }
    guard let index = responses.lastIndex(where: { $0.id == id }) else { preconditionFailure("it has just begun") }
    change(&responses[index])
    return responses[index].turn
  }

  /// A turn is not wanted any more.
  /// - Returns: the name of its response; nil if that is over, or has not begun, and will not be wanted when it does.
  mutating func hush(_ turn: ModelTurnID) -> String? {
    if let response = response(of: turn) { return response.isOver ? nil : response.id }
    if asked.contains(turn) { unwanted.insert(turn) }
    return nil
  }

  /// A turn of which no response came.
  mutating func emptyTurn() -> ModelTurnID {
    lastTurn = ModelTurnID(rawValue: lastTurn.rawValue + 1)
    return lastTurn
  }
}
