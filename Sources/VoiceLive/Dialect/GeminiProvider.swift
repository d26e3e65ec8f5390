extension LiveProvider {
  /// The Gemini API. The local live model speaks its protocol, too.
  package static let gemini = LiveProvider(
    name: "gemini", url: "wss://generativelanguage.googleapis.com",
    path: { _ in "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent" },
    model: "gemini-3.8-live", voice: "Kore", keyVariable: "GEMINI_API_KEY",
    capabilities: [.resumption, .serverTurnDetection, .clientTurnDetection], dialect: { GeminiDialect(model: $0) })
}

/// The close codes of a Gemini Live server are few and mean many things; the reason text tells them apart.
extension GeminiDialect {
  package func closure(code: Int?, reason: String) -> ServerClosure {
    let reason = reason.lowercased()
    func tells(_ words: String...) -> Bool { words.contains { reason.contains($0) } }
    let isAboutKey = tells("api key", "api_key", "apikey", "credential", "unauthenticated", "permission", "leaked")
    switch code {
    case 1007: return isAboutKey ? .keyRefused : .requestRefused
    case 1008 where isAboutKey: return .keyRefused
    case 1008 where tells("not found for api version", "not supported for"): return .modelRefused
    case 1008, 1011: return .fault
    default: return isAboutKey ? .keyRefused : .ended
    }
  }
}
