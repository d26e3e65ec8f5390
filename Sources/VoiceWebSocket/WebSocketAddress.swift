import VoiceSystem

/// Where a WebSocket is: the parts of a `ws://` or `wss://` URL.
package struct WebSocketAddress: Equatable, Sendable, CustomStringConvertible {
  package var isSecure: Bool
  /// A name, an IPv4 address, or an IPv6 address without its brackets.
  package var host: String
  package var port: Int
  /// Path and query; empty if the URL had none.
  package var target: String
}

extension WebSocketAddress {
  /// - Throws: With one sentence that says what is wrong with the text.
  package init(parsing text: String) throws(WebSocketAddressError) {
    let rest: Substring
    if text.hasPrefix("wss://") {
      (isSecure, rest) = (true, text.dropFirst(6))
    } else if text.hasPrefix("ws://") {
      (isSecure, rest) = (false, text.dropFirst(5))
    } else {
      throw WebSocketAddressError(reason: "it does not begin with ws:// or wss://")
    }
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    let tail = rest[end...].prefix { $0 != "#" }
    target = tail.hasPrefix("?") ? "/" + tail : String(tail)
    if authority.contains("@") {
      throw WebSocketAddressError(reason: "it holds a user name or password, which would end up in logs")
    }
    if Self.holdsCredential(target) {
      throw WebSocketAddressError(
        reason:
          "its query holds a key, which would end up in logs: put the key into the provider's environment variable")
    }
    if authority.hasPrefix("[") {
      guard let bracket = authority.firstIndex(of: "]") else {
        throw WebSocketAddressError(reason: "the [ of its IPv6 address is not closed")
      }
      host = String(authority[authority.index(after: authority.startIndex)..<bracket])
      authority = authority[authority.index(after: bracket)...]
      if !authority.isEmpty, !authority.hasPrefix(":") {
        throw WebSocketAddressError(reason: "its IPv6 address is followed by something other than a port")
      }
    } else {
      host = String(authority.prefix { $0 != ":" })
      authority = authority.dropFirst(host.count)
    }
    if host.isEmpty { throw WebSocketAddressError(reason: "it names no host") }
    if host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) || target.utf8.contains(where: { $0 <= 0x20 }) {
      throw WebSocketAddressError(reason: "it holds a space or a control character")
    }
    if authority.isEmpty {
      port = isSecure ? 443 : 80
    } else if let number = Int(authority.dropFirst()), (1...65_535).contains(number) {
      port = number
    } else {
      throw WebSocketAddressError(reason: "its port is not a number from 1 to 65535")
    }
  }

  /// Whether a parameter of the query is named as keys are.
  private static func holdsCredential(_ target: String) -> Bool {
    let names = target.split(separator: "?", maxSplits: 1).dropFirst().joined().lowercased().split(separator: "&").map {
      $0.prefix { $0 != "=" }.filter { $0.isLetter }
    }
    return names.contains { name in credentials.contains { name.hasSuffix($0) } }
  }

  /// How such names end.
  private static let credentials = [
    "key", "token", "secret", "password", "passwd", "pwd", "auth", "authorization", "signature", "sig", "credential",
    "credentials", "jwt",
  ]

  /// The URL without its query, which may hold something secret.
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let path = target.prefix { $0 != "?" }
    return "\(isSecure ? "wss" : "ws")://\(name):\(port)\(path)"
  }

  /// Whether the other side is on this machine, as far as the name tells.
  package var isLoopback: Bool { host.isLoopbackHost }

  /// The proxy that the environment names for this address, as `host:port`; nil for a direct connection.
  ///
  /// libwebsockets by itself takes `http_proxy` for every connection, even one to this machine, and knows no
  /// `no_proxy`; so the choice is made here. `https_proxy` is for `wss`, `http_proxy` for `ws`, both also in capitals
  /// (except `HTTP_PROXY`, which a CGI request could set). An entry of `no_proxy` is a host, a domain, or `*`.
  package func proxy(in environment: [String: String]) -> String? {
    if isLoopback { return nil }
    let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let value = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
    let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    for entry in exceptions.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let domain = entry.hasPrefix(".") ? entry.dropFirst() : entry
      if entry == "*" || host == domain || host.hasSuffix("." + domain) { return nil }
    }
    let address = value.hasPrefix("http://") ? value.dropFirst(7) : value[...]
    return String(address.prefix { $0 != "/" })
  }
}

/// What is wrong with a URL, as the end of a sentence; never repeats the URL.
package struct WebSocketAddressError: Error, Equatable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
