import VoiceJSON
import VoiceVocabulary

extension LiveProvider {
  /// OpenAI's Realtime API, and whoever serves that protocol.
  package static let openAI = LiveProvider(
    name: "openai", url: "wss://api.openai.com", path: { "/v1/realtime?model=\($0.percentEncoded(keeping: "-._~:/"))" },
    model: "gpt-realtime-2.1", voice: "marin", keyVariable: "OPENAI_API_KEY", isTakenByKey: false,
    inputRate: OpenAISetup.rate,
    outputRate: OpenAISetup.rate, capabilities: [.serverTurnDetection, .clientTurnDetection],
    dialect: { _ in OpenAIDialect() })
}

extension OpenAIDialect {
  /// What is wrong is told by an error before the connection is closed; the codes mean little.
  package func closure(code: Int?, reason: String) -> ServerClosure {
    switch code {
    case 1008: OpenAIError.isAboutKey(reason.lowercased()) ? .keyRefused : .fault
    case 1011, 1013: .fault
    default: .ended
    }
  }
}

/// An error as the server tells it.
struct OpenAIError {
  /// The machine-readable name; some servers only have a type, and some only words.
  let code: String
  let message: String

  init(_ node: JSONNode?) {
    code = node?["code"]?.string ?? node?["type"]?.string ?? ""
    let told = node?["message"]?.string ?? node?.string ?? ""
    message = told.isEmpty ? (code.isEmpty ? "it does not say which." : code) : told
  }

  /// What it means where it comes in place of a session.
  var refusalOfSession: ServerClosure { refusal ?? .requestRefused }

  /// What it means for the connection; nil where that goes on, which faults are no reason against.
  var refusalOfAll: ServerClosure? { refusal == .fault ? nil : refusal }

  private var refusal: ServerClosure? {
    switch code {
    case "insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached", "account_deactivated":
      .accountRefused
    case "invalid_api_key", "authentication_error": .keyRefused
    case "model_not_found": .modelRefused
    case "session_limit_reached", "server_error", "rate_limit_exceeded", "overloaded", "inference_rate_limit_exceeded":
      .fault
    default: nil
    }
  }

  /// Whether it is of something that two sides did at the same moment, and of no consequence.
  var isHarmless: Bool {
    let names = ["cancel_not_active", "no active response", "already shorter"]
    return names.contains { code.contains($0) || message.contains($0) }
  }

  /// Whether a response was asked for while another goes on.
  var isOfAnotherResponse: Bool { code.contains("already_has_active_response") }

  /// Whether there was no sound in what was to be answered.
  var isOfEmptyTurn: Bool { code.contains("commit_empty") || message.contains("buffer too small") }

  /// Whether these words, in lower case, are about the key.
  static func isAboutKey(_ text: String) -> Bool {
    ["api key", "api_key", "unauthorized", "authentication"].contains(where: text.contains)
  }
}
