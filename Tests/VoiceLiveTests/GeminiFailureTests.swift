import Testing
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceLive

/// What the end of a connection means, for every close that has been reported from the field.
@Suite
struct GeminiFailureTests {
  private static let place = "wss://live.example:443/ws"

  private func failure(_ closure: WebSocketClosure, _ progress: LinkProgress = .proven) -> LinkFailure {
    LiveRecovery(place: Self.place, canResume: true).failure(
      of: closure, at: progress, meaning: GeminiDialect(model: LiveProvider.gemini.model).closure)
  }

  struct CloseCase: Sendable {
    var code: Int
    var reason: String
    var progress = LinkProgress.proven
    var remedy: LinkFailure.Remedy

    init(
      _ code: Int, _ reason: String, _ remedy: LinkFailure.Remedy, at progress: LinkProgress = .proven
    ) {
      (self.code, self.reason, self.progress, self.remedy) = (code, reason, progress, remedy)
    }
  }

  static let closeCases: [CloseCase] = [
    CloseCase(1007, "Request contains an invalid argument.", .giveUp, at: .settingUp(isResuming: false)),
    CloseCase(1007, "Request contains an invalid argument.", .newSession, at: .settingUp(isResuming: true)),
    CloseCase(1007, "Request contains an invalid argument.", .newSession),
    CloseCase(1007, "API key expired. Please renew the API key.", .giveUp, at: .settingUp(isResuming: false)),
    CloseCase(1007, "API key not valid.", .giveUp),
    CloseCase(1008, "models/x is not found for API version v1beta", .giveUp, at: .settingUp(isResuming: false)),
    CloseCase(1008, "models/x is not supported for bidiGenerateContent", .giveUp, at: .settingUp(isResuming: false)),
    CloseCase(1008, "Your API key was reported as leaked.", .giveUp, at: .settingUp(isResuming: false)),
    CloseCase(1008, "Operation is not implemented, or supported, or enabled.", .resume),
    CloseCase(1008, "Requested entity was not found.", .resume),
    CloseCase(1008, "Requested entity was not found.", .newSession, at: .settingUp(isResuming: true)),
    CloseCase(1011, "Deadline expired before operation could complete.", .resume),
    CloseCase(1011, "Internal error encountered.", .newSession, at: .settingUp(isResuming: true)),
    CloseCase(1011, "Internal error encountered.", .newSession, at: .accepted(isResuming: true)),
    CloseCase(1011, "The service is currently unavailable.", .resume, at: .settingUp(isResuming: false)),
    CloseCase(1000, "", .resume),
    CloseCase(1001, "", .resume),
    CloseCase(4242, "odd", .resume),
  ]

  @Test(arguments: closeCases)
  func aCloseCodeIsReadTogetherWithItsReason(expected: CloseCase) {
    let failure = failure(.remote(code: expected.code, reason: expected.reason), expected.progress)
    #expect(failure.remedy == expected.remedy)
    #expect(failure.reason.contains("\(expected.code)") && failure.reason.contains(expected.reason))
    #expect(failure.reason.contains(Self.place))
  }

  static let otherEnds: [(WebSocketClosure, LinkFailure.Remedy)] = [
    (WebSocketClosure.local, LinkFailure.Remedy.none), (.lost, .resume), (.outputFull, .resume),
    (.remote(code: nil, reason: ""), .resume),
    (.notOpened(status: 401, reason: "x"), .giveUp), (.notOpened(status: 404, reason: "x"), .giveUp),
    (.notOpened(status: 429, reason: "x"), .resume), (.notOpened(status: 503, reason: "x"), .resume),
    (.notOpened(status: nil, reason: "no answer within 8000 ms"), .resume),
    (.notOpened(status: nil, reason: "server's cert didn't look good, self signed certificate"), .giveUp),
  ]

  @Test(arguments: otherEnds)
  func everyOtherEndHasARemedyAndASentence(closure: WebSocketClosure, remedy: LinkFailure.Remedy) {
    let failure = failure(closure)
    #expect(failure.remedy == remedy)
    #expect(failure.reason.contains(Self.place) && failure.reason.hasSuffix("."))
  }

  @Test func aSecretCannotBePrinted() throws {
    let secret = try #require(Secret(" AIza-very-secret\n"))
    #expect(secret.reveal() == "AIza-very-secret")
    let endpoint = try LiveEndpoint(.gemini, key: secret)
    for text in ["\(secret)", String(reflecting: secret), "\(endpoint)", String(reflecting: endpoint)] {
      #expect(!text.contains("AIza"))
    }
    #expect(secret.redacted(from: "key AIza-very-secret, AIza-very-secret!") == "key (secret), (secret)!")
    #expect(Secret(" \n") == nil)
    let headers = GeminiDialect(model: "m").headers(key: secret)
    #expect(headers.count == 1 && headers[0] == ("x-goog-api-key", "AIza-very-secret"))
  }
}
