package import VoiceVocabulary

extension HTTPExchange {
  /// Something to be done, in order.
  package enum Effect: Equatable, Sendable {
    case post(VoiceEvent)
    /// What comes of the request is to be told with this number.
    case send(call: Int, HTTPRequest)
    /// The same over a WebSocket: a head once it is open, each message as `bytes`, and an end.
    case connect(call: Int, HTTPRequest, message: String)
    case cancel(call: Int)
    /// Cancel it if nothing of its request was sent; what comes is told in either case.
    case withdraw(call: Int)
    case keep(ConversationRecord, of: RunID)
    case save(AnswerFile, beside: AgentSessionID, of: RunID)
  }

  /// How far it is.
  enum Progress: Sendable {
    /// The server has not shown that it took the instruction.
    case asked, working
    /// The user wants it stopped. Nothing has shown yet that it is.
    case stopping
  }

  /// The run that goes on.
  struct Run: Sendable {
    let id: RunID
    var turn: HTTPTurn
    /// What it is to carry out, until that is begun.
    var waiting: Instruction?
    var progress = Progress.asked
    /// Whether a request with the instruction was sent.
    var hasLeft = false
    /// Whether the server has shown that it has that.
    var isTaken = false
    /// Whether the instruction goes over a socket that is not open: it has not left then, but may at any time.
    var isOpening = false
    /// The call that hands over the instruction, or what the user decided, until the server shows that it has that.
    var leaving: Int?
    /// The streams that it is told over, the newest last.
    var streams: [HTTPCall] = []
    var question: HTTPCall?
    /// Whether that hands the instruction over: what comes of it matters after a stop, too.
    var isHandingOver = false

    /// The open stream of this number; setting it to nil closes it.
    subscript(stream number: Int) -> HTTPCall? {
      get { streams.first { $0.number == number } }
      set {
        guard let index = streams.firstIndex(where: { $0.number == number }) else { return }
        if let newValue { streams[index] = newValue } else { streams.remove(at: index) }
      }
    }
  }

  /// What the run tells.
  static func report(_ event: AgentEvent, _ run: RunID) -> Effect { .post(.agentReported(run: run, event: event)) }
}
