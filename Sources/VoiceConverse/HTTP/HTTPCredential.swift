import VoiceSystem

/// A secret that goes with a request, in one header. Only the place where it is kept is known here: it is read when the
/// request leaves.
package struct HTTPCredential: Equatable, Sendable {
  /// Where the secret is; it is read when a request is made.
  package enum Place: Equatable, Sendable {
    /// The name of an environment variable.
    case variable(String)
    /// The path of a file that only its owner may read.
    case file(String)
  }

  /// Which header carries it.
  package enum Form: Equatable, Sendable {
    /// `Authorization: Bearer …`
    case bearer
    /// A header of its own, such as `x-goog-api-key`.
    case header(String)
    /// `Cookie: …`
    case cookie
  }

  package var place: Place
  package var form: Form

  /// The secret in this place, to be sent in this form.
  package init(_ place: Place, as form: Form = .bearer) {
    self.place = place
    self.form = form
  }

  /// For sentences: where the secret is, never what it is.
  var name: String {
    switch place {
    case .variable(let name): "the environment variable \(name)"
    case .file(let path): "the file \(path)"
    }
  }

  /// A header line and, apart from it, the secret that is in it.
  struct Line {
    let text: String
    fileprivate let secret: [UInt8]
    fileprivate let isCookie: Bool

    /// What takes the secret out of what a server sends.
    func redaction(of extent: TokenRedaction.Extent) -> TokenRedaction {
      TokenRedaction(secret, isCookie: isCookie, extent: extent)
    }
  }

  /// Read the secret now.
  func line() throws(HTTPFailure) -> Line {
    let bytes: [UInt8]
    switch place {
    case .variable(let variable):
      guard let value = getenv(variable), value.pointee != 0 else { throw failure("\(name) is not set") }
      bytes = Array(String(cString: value).utf8)
    case .file(let path): bytes = try read(path)
    }
    // A cookie has spaces between its parts.
    guard Self.isToken(bytes, mayHaveSpaces: form == .cookie) else {
      throw failure("\(name) holds characters that no token has")
    }
    let secret = String(decoding: bytes, as: UTF8.self)
    let text =
      switch form {
      case .bearer: "Authorization: Bearer \(secret)"
      case .header(let header): "\(header): \(secret)"
      case .cookie: "Cookie: \(secret)"
      }
    return Line(text: text, secret: bytes, isCookie: form == .cookie)
  }

  /// Whether bytes may be the value of a header: a token has no spaces, and a line end would begin another header.
  static func isToken(_ bytes: some Collection<UInt8>, mayHaveSpaces: Bool = false) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) || mayHaveSpaces && $0 == 0x20 }
  }

  /// Whether a text can be a cookie that is read from a file, in a line of its own.
  static func canBeKept(cookie: String) -> Bool {
    isToken(cookie.utf8, mayHaveSpaces: true) && cookie.utf8.count + 1 < ConverseLimits.credentialBytes
  }

  /// What is secret in it, for whoever takes secrets out of what is written: all of it and, of cookies, each value that is no word.
  /// Nothing where it cannot be read, which is told once it is to be sent.
  package var secrets: [String] {
    do throws(HTTPFailure) {
      let line = try line()
      let values = TokenRedaction.values(of: line.secret, isCookie: line.isCookie, .whole)
      return ([line.secret] + values).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      return []
    }
  }

  /// Words of a server about a failure, without any part of the secret, which is read once more for that.
  package func redacted(_ words: String) -> String { redaction(of: .part)?(words) ?? words }

  /// What takes the secret out of what a server sends; nil where it cannot be read.
  func redaction(of extent: TokenRedaction.Extent) -> TokenRedaction? {
    do throws(HTTPFailure) {
      return try line().redaction(of: extent)
    } catch {
      return nil
    }
  }

  /// The file's content without the line end that editors put behind it.
  private func read(_ path: String) throws(HTTPFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure("\(name) cannot be read") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("\(name) is not a file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw failure("\(name) may be read by others; run chmod 600 on it")
    }
    let bytes: [UInt8]
    do throws(PlainFile.Refusal) {
      bytes = try PlainFile.contents(descriptor, limit: ConverseLimits.credentialBytes - 1)
    } catch {
      if case .tooLarge = error { throw failure("\(name) is too long for a token") }
      throw failure("\(name) cannot be read")
    }
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    return Array(bytes[..<end])
  }

  private func failure(_ detail: String) -> HTTPFailure { HTTPFailure(kind: .credential, detail: detail) }
}
