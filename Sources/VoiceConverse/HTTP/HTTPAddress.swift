import VoiceSystem
import VoiceVocabulary

/// Where a server listens, and the path that all its calls are under.
package struct HTTPAddress: Equatable, Sendable {
  /// `http` or `https`, host, port and path, without a slash at the end: `http://127.0.0.1:8000/api`.
  package let base: String
  /// The path of a Unix socket to connect to instead of the host.
  package let socketPath: String?

  /// nil unless the text is `http://HOST[:PORT][/PATH]`, `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
  package init?(_ text: String) {
    if let path = text.dropping(prefix: "unix:") {
      guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 }) else { return nil }
      base = "http://localhost"
      socketPath = path
      return
    }
    guard let rest = text.dropping(prefix: "http://") ?? text.dropping(prefix: "https://") else { return nil }
    var place = rest[...]
    while place.last == "/" { place = place.dropLast() }
    let host = place.prefix { $0 != "/" }
    // No query, no fragment and no user name: what is secret in an address ends up in logs.
    guard !host.isEmpty, Self.holds(host, Self.hostMarks), Self.holds(place.dropFirst(host.count), Self.pathMarks)
    else {
      return nil
    }
    base = String(text.dropLast(rest.count)) + place
    socketPath = nil
  }

  private static let hostMarks = "-._:[]"
  private static let pathMarks = "-._~/%:"

  /// Whether a text is made of ASCII letters, digits and these marks.
  private static func holds(_ text: Substring, _ marks: String) -> Bool {
    text.utf8.allSatisfy { $0.isASCIILetterOrDigit || marks.utf8.contains($0) }
  }

  /// The part of `base` behind the host: empty, or with a slash in front.
  var path: String { base.split(separator: "/", maxSplits: 2).dropFirst(2).first.map { "/" + $0 } ?? "" }

  /// For sentences.
  var name: String { socketPath ?? base }

  /// Whether what is sent stays on this machine.
  var isLocal: Bool {
    guard socketPath == nil, let host = base.split(separator: "/").dropFirst().first else { return true }
    if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
    return host.prefix { $0 != ":" }.isLoopbackHost
  }

  /// Whether it is reached over TLS.
  var isEncrypted: Bool { base.hasPrefix("https://") }
}

extension String {
  /// What follows the prefix; nil if the text does not begin with it.
  func dropping(prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
