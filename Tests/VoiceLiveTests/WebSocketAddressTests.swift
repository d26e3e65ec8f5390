import Testing
import VoiceLive

@testable import VoiceWebSocket

@Suite
struct WebSocketAddressTests {
  @Test(arguments: [
    ("ws://127.0.0.1:9/", WebSocketAddress(isSecure: false, host: "127.0.0.1", port: 9, target: "/")),
    ("wss://a.example", WebSocketAddress(isSecure: true, host: "a.example", port: 443, target: "")),
    ("ws://a.example?x=1", WebSocketAddress(isSecure: false, host: "a.example", port: 80, target: "/?x=1")),
    ("wss://[::1]:8443/p?q#f", WebSocketAddress(isSecure: true, host: "::1", port: 8443, target: "/p?q")),
  ])
  func aURLIsTakenApart(text: String, address: WebSocketAddress) throws {
    #expect(try WebSocketAddress(parsing: text) == address)
  }

  @Test(arguments: [
    "", "http://a", "ws://", "ws://:80", "ws://a:0", "ws://a:65536", "ws://a:x", "ws://user:sesame@a/", "ws://[::1",
    "ws://[::1]x",
    "ws://a b/", "ws://a/\r\nX: y", "ws://127.0.0.1/x?key=sesame", "wss://a?API_Key=sesame",
    "wss://a?subscription-key=sesame", "wss://a?x=1&pwd=sesame",
    "wss://a/p?x=1&access-token=sesame",
  ])
  func aURLThatMakesNoSenseIsRefusedWithoutRepeatingIt(text: String) {
    let error = #expect(throws: WebSocketAddressError.self) { try WebSocketAddress(parsing: text) }
    #expect(error?.reason.isEmpty == false && error?.reason.contains("sesame") == false)
  }

  /// A key goes there without encryption. Digits of other scripts are a name, which somebody may own.
  @Test(arguments: [
    ("ws://localhost/", true), ("ws://127.0.0.2:9/", true), ("ws://[::1]/", true), ("ws://127.example.com/", false),
    ("ws://127.\u{660}.\u{660}.1/", false), ("ws://10.0.0.1/", false),
  ])
  func whatIsOnThisMachineIsKnown(_ text: String, _ isLoopback: Bool) throws {
    #expect(try WebSocketAddress(parsing: text).isLoopback == isLoopback)
  }

  @Test func aDescriptionLeavesOutTheQuery() throws {
    #expect("\(try WebSocketAddress(parsing: "wss://[::1]/p?session=abc"))" == "wss://[::1]:443/p")
  }

  /// One environment, and the proxy that it means for a URL.
  struct ProxyCase: Sendable {
    var url = "wss://live.example/"
    var environment: [String: String]
    var proxy: String?
  }

  static let proxyCases: [ProxyCase] = [
    ProxyCase(environment: ["https_proxy": "http://proxy:3128/"], proxy: "proxy:3128"),
    ProxyCase(environment: ["HTTPS_PROXY": "u:p@proxy:3128"], proxy: "u:p@proxy:3128"),
    ProxyCase(environment: ["http_proxy": "proxy:3128"], proxy: nil),
    ProxyCase(url: "ws://live.example/", environment: ["http_proxy": "a:1", "https_proxy": "b:1"], proxy: "a:1"),
    ProxyCase(url: "ws://live.example/", environment: ["HTTP_PROXY": "a:1"], proxy: nil),
    ProxyCase(environment: ["https_proxy": "a:1", "no_proxy": "other, .example"], proxy: nil),
    ProxyCase(environment: ["https_proxy": "a:1", "NO_PROXY": "ample"], proxy: "a:1"),
    ProxyCase(environment: ["https_proxy": "a:1", "no_proxy": "*"], proxy: nil),
    ProxyCase(url: "wss://localhost/", environment: ["https_proxy": "a:1"], proxy: nil),
    ProxyCase(url: "ws://127.0.0.1:80/", environment: ["http_proxy": "a:1"], proxy: nil),
    ProxyCase(environment: ["https_proxy": ""], proxy: nil),
  ]

  @Test(arguments: proxyCases)
  func theProxyIsTheOneTheEnvironmentNamesForThisAddress(expected: ProxyCase) throws {
    #expect(try WebSocketAddress(parsing: expected.url).proxy(in: expected.environment) == expected.proxy)
  }

  @Test func anEndpointAddsThePathOfTheGeminiAPIOnlyWhereThereIsNone() throws {
    #expect(try LiveEndpoint(.gemini).address.target.hasSuffix("v1beta.GenerativeService.BidiGenerateContent"))
    #expect(try LiveEndpoint(.gemini, url: "ws://127.0.0.1:1/").address.target.hasPrefix("/ws/google"))
    #expect(try LiveEndpoint(.gemini, url: "ws://127.0.0.1:1/mine").address.target == "/mine")
  }

  @Test func aKeyIsNotSentInClearTextToAnotherMachine() throws {
    let key = try #require(Secret("k"))
    #expect(throws: WebSocketAddressError.self) { try LiveEndpoint(.gemini, url: "ws://live.example/", key: key) }
    #expect(try LiveEndpoint(.gemini, url: "ws://127.0.0.1:1/", key: key).key == key)
    #expect(try LiveEndpoint(.gemini, url: "ws://live.example/").key == nil)
  }
}
