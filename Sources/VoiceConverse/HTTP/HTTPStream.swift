internal import CCurl
import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Streaming HTTP over libcurl: any number of transfers on one thread of its own.
///
/// HTTP/1.1 and, over TLS, HTTP/2; certificates are verified; redirects are not followed, so that a token goes nowhere
/// else. Bytes are handed over on the owner thread as they arrive and are never stored: a slow receiver slows the
/// server. A request that may change something never goes out twice.
package final class HTTPStream: Sendable {
  /// Names one transfer.
  package struct Transfer: Hashable, Sendable {
    let number: Int
  }

  private let owner: HTTPThread

  /// Start the owner thread. `certificateAuthorityFile` replaces the system's trusted certificates.
  package init(certificateAuthorityFile: String? = nil) {
    owner = HTTPThread(certificateAuthorityFile: certificateAuthorityFile)
    owner.start()
  }

  /// Begin a transfer; events come on the owner thread, in order, the last one is `ended`. Any thread.
  package func start(_ request: HTTPRequest, receive: @escaping @Sendable (HTTPEvent) -> Void) -> Transfer {
    owner.add(request, receive)
  }

  /// End a transfer now; `ended(.cancelled)` follows unless it had ended. Any thread, any number of times.
  package func cancel(_ transfer: Transfer) { owner.cancel(transfer) }

  /// Cancel everything and end the thread; returns when it is gone. Later requests end as cancelled.
  package func close() async { await owner.close() }
}

/// The multi handle, as far as other threads may use it.
private struct Waker: @unchecked Sendable {
  // libcurl allows `curl_multi_wakeup` from any thread; the owner thread frees the handle after it took the waker away.
  let multi: UnsafeMutableRawPointer
}

private final class HTTPThread: @unchecked Sendable {
  // `inbox` is for any thread; `multi`, `transfers` and `authority` are touched by the owner thread only, once started.
  private struct Inbox: Sendable {
    enum Command: Sendable {
      case add(HTTPStream.Transfer, HTTPRequest, @Sendable (HTTPEvent) -> Void)
      case cancel(HTTPStream.Transfer)
    }

    enum State: Sendable {
      case open(Waker)
      case closing(Waker)
      case closed
    }

    var state: State
    var commands: [Command] = []
    var lastTransfer = 0
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox: Locked<Inbox>
  private let multi: UnsafeMutableRawPointer
  private let authority: String?
  private var transfers: [HTTPStream.Transfer: HTTPTransfer] = [:]

  /// Once for the process, before any thread uses the library.
  private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(certificateAuthorityFile: String?) {
    precondition(Self.isInitialised, "libcurl could not be initialised")
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl could not make a multi handle") }
    self.multi = multi
    authority = certificateAuthorityFile
    inbox = Locked(Inbox(state: .open(Waker(multi: multi))))
  }

  func start() {
    let context = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let status = pthread_create(&thread, &attributes, runHTTPThread, context)
    precondition(status == 0, "no thread for HTTP could be started (error \(status))")
  }

  // Any thread.

  func add(_ request: HTTPRequest, _ receive: @escaping @Sendable (HTTPEvent) -> Void) -> HTTPStream.Transfer {
    let (transfer, isTaken) = inbox.withLock { inbox in
      inbox.lastTransfer += 1
      let transfer = HTTPStream.Transfer(number: inbox.lastTransfer)
      return (transfer, Self.push(.add(transfer, request, receive), to: &inbox))
    }
    if !isTaken { receive(.ended(.cancelled)) }
    return transfer
  }

  func cancel(_ transfer: HTTPStream.Transfer) {
    _ = inbox.withLock { Self.push(.cancel(transfer), to: &$0) }
  }

  private static func push(_ command: Inbox.Command, to inbox: inout Inbox) -> Bool {
    guard case .open(let waker) = inbox.state else { return false }
    inbox.commands.append(command)
    curl_multi_wakeup(waker.multi)
    return true
  }

  func close() async {
    await withCheckedContinuation { continuation in
      let isClosed = inbox.withLock { inbox in
        switch inbox.state {
        case .closed: return true
        case .open(let waker), .closing(let waker):
          inbox.state = .closing(waker)
          inbox.closers.append(continuation)
          curl_multi_wakeup(waker.multi)
          return false
        }
      }
      if isClosed { continuation.resume() }
    }
  }

  // The owner thread.

  fileprivate func loop() {
    while takeCommands() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishTransfers()
      let wait = endSilentTransfers(now: ContinuousClock.now)
      curl_multi_poll(multi, nil, 0, wait, nil)
    }
    for transfer in transfers.values { end(transfer, .cancelled) }
    let closers = inbox.withLock { inbox in
      inbox.state = .closed
      defer { inbox.closers = [] }
      return inbox.closers
    }
    curl_multi_cleanup(multi)
    for closer in closers { closer.resume() }
  }

  /// False when the thread is to end.
  private func takeCommands() -> Bool {
    let (commands, goesOn) = inbox.withLock { inbox in
      defer { inbox.commands = [] }
      if case .open = inbox.state { return (inbox.commands, true) }
      return (inbox.commands, false)
    }
    for command in commands {
      switch command {
      case .add(let id, let request, let receive):
        switch HTTPTransfer.make(id, request, authority: authority, receive) {
        case .success(let transfer):
          transfers[id] = transfer
          curl_multi_add_handle(multi, transfer.handle)
        case .failure(let failure): receive(.ended(.failed(failure)))
        }
      case .cancel(let id):
        if let transfer = transfers[id] { end(transfer, .cancelled) }
      }
    }
    return goesOn
  }

  private func finishTransfers() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let handle = message.pointee.easy_handle
      let code = message.pointee.data.result
      guard let transfer = transfers.values.first(where: { $0.handle == handle }) else { continue }
      end(transfer, transfer.end(code))
    }
  }

  /// Our own timer: the library's averages speed over many seconds. Returns the milliseconds until it must look again.
  private func endSilentTransfers(now: ContinuousClock.Instant) -> Int32 {
    var soonest: Int64 = 60_000
    for transfer in transfers.values {
      let left = transfer.lastSign.advanced(by: .milliseconds(transfer.silenceMilliseconds)) - now
      if left <= .zero {
        end(transfer, .failed(HTTPFailure(kind: .silent, detail: "no byte for \(transfer.silenceMilliseconds) ms")))
      } else {
        soonest = min(soonest, left.microseconds / 1000 + 1)
      }
    }
    return Int32(soonest)
  }

  private func end(_ transfer: HTTPTransfer, _ end: HTTPEnd) {
    transfers[transfer.id] = nil
    curl_multi_remove_handle(multi, transfer.handle)
    transfer.free()
    transfer.receive(.ended(end))
  }
}

#if canImport(Darwin)
  private func runHTTPThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<HTTPThread>.fromOpaque(context).takeRetainedValue().loop()
    return nil
  }
#else
  private func runHTTPThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<HTTPThread>.fromOpaque(context).takeRetainedValue().loop()
    return nil
  }
#endif

/// One easy handle and what belongs to it; the owner thread only.
private final class HTTPTransfer {
  /// What of the answer was told, or is kept.
  private enum Answer {
    case waiting
    case taken
    /// It will be told at the end, with the start of its body.
    case refused(HTTPHead, body: [UInt8])
  }

  let id: HTTPStream.Transfer
  let handle: UnsafeMutableRawPointer
  let receive: @Sendable (HTTPEvent) -> Void
  let silenceMilliseconds: Int
  private(set) var lastSign = ContinuousClock.now
  private var answer = Answer.waiting
  private var received: [String: String] = [:]
  private let secret: [UInt8]
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let body: UnsafeMutableBufferPointer<CChar>
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  static func make(
    _ id: HTTPStream.Transfer, _ request: HTTPRequest, authority: String?,
    _ receive: @escaping @Sendable (HTTPEvent) -> Void
  ) -> Result<HTTPTransfer, HTTPFailure> {
    var headers = request.headers
    var secret: [UInt8] = []
    if let credential = request.credential {
      guard request.address.isEncrypted || request.address.isLocal else {
        let detail = "the token would go over the network unencrypted; use https"
        return .failure(.init(kind: .credential, detail: detail))
      }
      switch credential.line() {
      case .success(let line):
        headers.append(line.text)
        secret = line.secret
      case .failure(let failure): return .failure(failure)
      }
    }
    guard let handle = curl_easy_init() else {
      return .failure(.init(kind: .other, detail: "libcurl could not make a handle"))
    }
    return .success(HTTPTransfer(id, handle, request, headers, secret, authority, receive))
  }

  private init(
    _ id: HTTPStream.Transfer, _ handle: UnsafeMutableRawPointer, _ request: HTTPRequest, _ headers: [String],
    _ secret: [UInt8], _ authority: String?, _ receive: @escaping @Sendable (HTTPEvent) -> Void
  ) {
    self.id = id
    self.handle = handle
    self.receive = receive
    self.secret = secret
    silenceMilliseconds = request.silenceMilliseconds
    body = .allocate(capacity: request.body.count)
    _ = body.initialize(from: request.body.lazy.map { CChar(bitPattern: $0) })
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    for header in headers + ["Expect:"] { self.headers = curl_slist_append(self.headers, header) }

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
    parley_curl_set_list(handle, CURLOPT_HTTPHEADER, self.headers)
    parley_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    // Not retained: the owner thread keeps the transfer until it has removed the handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    parley_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION, receiveHTTPBytes)
    parley_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    parley_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION, receiveHTTPHeader)
    parley_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
  }

  /// The handle must have been removed from its multi handle.
  func free() {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
    body.deallocate()
    errorText.deallocate()
  }

  fileprivate func take(_ bytes: UnsafeRawBufferPointer) {
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

  fileprivate func takeHeader(_ line: String) {
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
      received[text[..<colon].lowercased()] = text[text.index(after: colon)...].trimmingWhitespace()
    }
  }

  func end(_ code: CURLcode) -> HTTPEnd {
    // Whatever happened after an error's head, the head tells more.
    if case .refused(let head, let body) = answer {
      return .refused(head, body: secret.isEmpty ? body : body.replacing(secret, with: Array("(the token)".utf8)))
    }
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
