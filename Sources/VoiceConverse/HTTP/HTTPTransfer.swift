import CCurl
import VoiceSystem
import VoiceVocabulary

/// One easy handle and what belongs to it; the owner thread only.
final class HTTPTransfer {
  /// What of the answer was told, or is kept.
  private enum Answer {
    case waiting
    case taken
    /// It will be told at the end, with the start of its body.
    case refused(HTTPHead, body: [UInt8])
  }

  let id: HTTPStream.Transfer
  let handle: UnsafeMutableRawPointer
  /// Takes what comes of it.
  let receive: @Sendable (HTTPEvent) -> Void
  let silenceMilliseconds: Int
  private(set) var lastSign = ContinuousClock.now
  /// Whether the connection was there, so that the library may have sent some of the request.
  fileprivate(set) var hasLeft = false
  private var answer = Answer.waiting
  private var received: [String: String] = [:]
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let body: UnsafeMutableBufferPointer<CChar>
  private let errorText: UnsafeMutablePointer<CChar>

  /// A transfer that is ready to be started. Throws why it cannot be made.
  init(
    _ id: HTTPStream.Transfer, _ request: HTTPRequest, authority: String?,
    _ receive: @escaping @Sendable (HTTPEvent) -> Void
  ) throws(HTTPFailure) {
    let credential = try request.credentialLine()
    guard let handle = curl_easy_init() else {
      throw HTTPFailure(kind: .other, detail: "libcurl could not make a handle")
    }
    self.id = id
    self.handle = handle
    self.receive = receive
    silenceMilliseconds = request.silenceMilliseconds
    body = .allocate(capacity: request.body.count)
    _ = body.initialize(from: request.body.lazy.map { CChar(bitPattern: $0) })
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    for header in request.headers + [credential?.text ?? "", "Expect:"] where !header.isEmpty {
      headers = curl_slist_append(headers, header)
    }

    parley_curl_set_text(handle, CURLOPT_URL, request.address.base + request.path)
    parley_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    if let path = request.address.socketPath { parley_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, path) }
    // A proxy of the environment has no business between two programs of one machine.
    if request.address.isLocal { parley_curl_set_text(handle, CURLOPT_PROXY, "") }
    if let authority { parley_curl_set_text(handle, CURLOPT_CAINFO, authority) }
    parley_curl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    parley_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    parley_curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
    parley_curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    parley_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, request.connectMilliseconds)
    // On a used connection that dies without an answer the library sends a request a second time by itself. Only
    // a request that changes nothing may take one. And a connection that nobody else may use closes at once when its
    // transfer is cancelled, which every server notices.
    if request.method != .get {
      parley_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1)
      parley_curl_set_number(handle, CURLOPT_FORBID_REUSE, 1)
    }
    if request.method == .post || !request.body.isEmpty {
      parley_curl_set_number(handle, CURLOPT_POST, 1)
      parley_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      parley_curl_set_pointer(handle, CURLOPT_POSTFIELDS, body.baseAddress)
    }
    if request.method != .get { parley_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    parley_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    parley_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    // Not retained: the owner thread keeps the transfer until it has removed the handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    parley_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION, receiveHTTPBytes)
    parley_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    parley_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION, receiveHTTPHeader)
    parley_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    parley_curl_set_announcer(handle, CURLOPT_PREREQFUNCTION, announceHTTPRequest)
    parley_curl_set_pointer(handle, CURLOPT_PREREQDATA, context)
  }

  /// The handle must have been removed from its multi handle.
  func free() {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
    body.deallocate()
    errorText.deallocate()
  }

  /// Some of the body came.
  func take(_ bytes: UnsafeRawBufferPointer) {
    lastSign = .now
    switch answer {
    case .waiting, .taken: receive(.bytes(Array(bytes)))
    case .refused(let head, var body):
      // The old value goes first, so that appending does not copy what is there.
      answer = .waiting
      body += bytes.prefix(ConverseLimits.errorBodyBytes - body.count)
      answer = .refused(head, body: body)
    }
  }

  /// A line of the head came.
  func takeHeader(_ line: String) {
    lastSign = .now
    // What comes behind the body is of no interest.
    guard case .waiting = answer else { return }
    let text = line.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if text.lowercased().hasPrefix("http/") {
      received = [:]
    } else if text.isEmpty {
      var status = 0
      parley_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
      // An interim answer (1xx) announces another one.
      guard status >= 200 else { return }
      let head = HTTPHead(status: status, headers: received)
      if (200..<300).contains(status) {
        answer = .taken
        receive(.head(head))
      } else {
        answer = .refused(head, body: [])
      }
    } else if let colon = text.firstIndex(of: ":"), received.count < ConverseLimits.headers {
      let (name, value) = (text[..<colon].lowercased(), text[text.index(after: colon)...].trimmingWhitespace())
      let others = name == "set-cookie" ? received[name].map { $0 + "\n" } ?? "" : ""
      if others.utf8.count < ConverseLimits.credentialBytes { received[name] = others + value }
    }
  }

  /// libcurl is done with it: the last event, by what the head and this code say.
  func end(_ code: CURLcode) -> HTTPEnd {
    // Whatever happened after an error's head, the head tells more.
    if case .refused(let head, let body) = answer { return .refused(head, body: body) }
    var kind: HTTPFailure.Kind
    switch code {
    case CURLE_OK: return .complete
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: kind = .nameNotFound
    case CURLE_COULDNT_CONNECT: kind = .refused
    case CURLE_OPERATION_TIMEDOUT: kind = .connectTimeout
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE: kind = .untrusted
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      kind = .brokenOff
    default: kind = .other
    }
    var proxyStatus = 0
    parley_curl_get_number(handle, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    // The connection that broke was only the one to the proxy, which refused; the library's words say so.
    if proxyStatus >= 300 { kind = .other }
    let words = String(cString: errorText)
    let detail = words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
    return .failed(HTTPFailure(kind: kind, detail: detail.shortened(to: ConverseLimits.reasonCharacters)))
  }
}

// The connection, with whatever proxy and TLS take, is made: the request is sent from now on.
private func announceHTTPRequest(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  if let context { Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().hasLeft = true }
  return CURL_PREREQFUNC_OK
}

// Both take everything: any other count ends the transfer from inside the library, whose handle must not be freed in here. Who
// wants no more cancels, and the owner thread ends it between two calls of the library.

private func receiveHTTPBytes(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let context else { return 0 }
  let raw = UnsafeRawBufferPointer(start: bytes, count: size * count)
  Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().take(raw)
  return size * count
}

private func receiveHTTPHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let context else { return 0 }
  let raw = UnsafeRawBufferPointer(start: bytes, count: size * count)
  Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().takeHeader(String(decoding: raw, as: UTF8.self))
  return size * count
}
