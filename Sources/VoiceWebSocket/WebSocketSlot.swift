import CWebSockets

/// One socket, as the service thread sees it; the library holds an unretained pointer to it, the loop the object.
final class WebSocketSlot {
  let connection: WebSocketConnection
  let headers: [(name: String, value: String)]
  let timeoutMilliseconds: Int
  private let handler: WebSocketHandler
  private let target: String
  /// Whether nothing is taken in before the connection was admitted.
  private let isGuarded: Bool
  /// Why the other side's certificate was refused.
  private var distrust: String?
  var wsi: OpaquePointer?
  private(set) var isOver = false
  private var isOpen = false
  private var incoming: [UInt8] = []
  private var closeFrame: WebSocketClosure?

  /// - Parameters:
  ///   - timeoutMilliseconds: how long the handshake may take, for a client.
  ///   - isGuarded: whether nothing is taken in before the connection was admitted.
  init(
    connection: WebSocketConnection, handler: @escaping WebSocketHandler, target: String,
    headers: [(name: String, value: String)] = [], timeoutMilliseconds: Int = 0, isGuarded: Bool = false
  ) {
    self.connection = connection
    self.handler = handler
    self.target = target
    self.headers = headers
    self.timeoutMilliseconds = timeoutMilliseconds
    self.isGuarded = isGuarded
  }

  /// The handshake is done.
  func open(_ wsi: OpaquePointer, headers: [String: String] = [:]) {
    self.wsi = wsi
    isOpen = true
    parley_tune_socket(wsi, UInt32(WebSocketLimits.unacknowledgedMilliseconds))
    handler(connection, .opened(target: target, headers: headers))
    lws_callback_on_writable(wsi)
  }

  /// Something was queued, or is to be closed; not called by a callback of the library.
  func attend() {
    guard let wsi, !isOver else { return }
    let wish = connection.wish
    if wish.isFull || (wish.isClosing && !isOpen) {
      finish(wish.isFull ? .outputFull : .local)
      lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
    } else if isOpen {
      if wish.isClosing { limitTime(milliseconds: WebSocketLimits.closeMilliseconds) }
      // Written to at once, not by way of another poll, unless the library still has something to send; `write` asks for
      // more by itself, and what the socket has no room for the library keeps.
      if !wish.isClosing, lws_partial_buffered(wsi) == 0, write(wsi) == 0 { return }
      lws_callback_on_writable(wsi)
    }
  }

  /// One write for each time the socket can take one.
  func write(_ wsi: OpaquePointer) -> Int32 {
    switch connection.takeOutput() {
    case .nothing: return 0
    case .full:
      finish(.outputFull)
      return -1
    case .close(let code, let reason):
      // A control frame holds 125 bytes, two of them the code.
      var text = Array(reason.utf8.prefix(123))
      lws_close_reason(wsi, lws_close_status(rawValue: UInt32(code)), &text, text.count)
      return -1
    case .message(var message, let isLast):
      let kind = message.kind == .text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY
      let (count, headroom) = (message.count, OutgoingMessage.headroom)
      let written = message.storage.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { lws_write(wsi, $0 + headroom, count, kind) } ?? -1
      }
      if written < 0 { return -1 }
      if !isLast { lws_callback_on_writable(wsi) }
      return 0
    }
  }

  /// A piece of a message arrived; a whole message is delivered.
  ///
  /// The library is never told to stop from here: after any result but 0, libwebsockets 4.1 goes on filling the buffer of
  /// the frame from where it was, beyond its end. What is refused is dropped, and the socket is closed from another callback.
  func receive(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) {
    if isOver || (isGuarded && !connection.isAdmitted) { return }
    let remaining = lws_remaining_packet_payload(wsi)
    // In this order no sum can overflow, whatever length the frame claims.
    let room = WebSocketLimits.messageBytes - incoming.count - bytes.count
    guard room >= 0, (0...room).contains(remaining) else { return refuse(wsi) }
    if incoming.isEmpty { incoming.reserveCapacity(bytes.count + remaining) }
    incoming.append(contentsOf: bytes)
    guard remaining == 0, lws_is_final_fragment(wsi) != 0 else { return }
    var whole: [UInt8] = []
    swap(&whole, &incoming)
    let kind: OutgoingMessage.Kind = lws_frame_is_binary(wsi) != 0 ? .binary : .text
    handler(connection, .message(message: IncomingMessage(kind: kind, bytes: whole)))
  }

  /// The message is over the limit: say so to the other side, which is given the normal time to close.
  private func refuse(_ wsi: OpaquePointer) {
    incoming = []
    connection.close(code: Int(LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE.rawValue))
    limitTime(milliseconds: WebSocketLimits.closeMilliseconds)
    finish(.messageTooLong)
    lws_callback_on_writable(wsi)
  }

  /// The other side is about to close, and says why.
  func noteCloseFrame(_ bytes: UnsafeRawBufferPointer) {
    let code = bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil
    closeFrame = .remote(code: code, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self))
  }

  /// Write the request's own headers into the handshake.
  func appendHeaders(_ wsi: OpaquePointer, _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ room: Int)
    -> Int32
  {
    let end = cursor.pointee.map { $0 + room }
    for header in headers {
      let status = "\(header.name):".withCString { name in
        header.value.withCString { value in
          lws_add_http_header_by_name(
            wsi, UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self),
            UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), Int32(header.value.utf8.count), cursor, end)
        }
      }
      if status != 0 { return -1 }
    }
    return 0
  }

  /// OpenSSL refuses the other side's certificate.
  func noteDistrust(_ verification: UnsafeMutableRawPointer) {
    distrust = String(cString: parley_certificate_refusal(verification))
  }

  /// The handshake failed, in the library's words.
  func failToOpen(_ wsi: OpaquePointer, _ text: String) {
    if let distrust {
      return finish(.notOpened(status: nil, reason: "the server's certificate was refused: \(distrust)"))
    }
    let status = Int(lws_http_client_http_response(wsi))
    finish(.notOpened(status: status == 0 ? nil : status, reason: text.isEmpty ? "the connection was closed" : text))
  }

  /// The socket is gone.
  func close() {
    if isOpen {
      finish(closeFrame ?? (connection.wish.isClosing ? .local : .lost))
    } else {
      finish(.notOpened(status: nil, reason: "the other side closed the connection before the handshake was done"))
    }
  }

  /// The socket is closed by force unless it opens, or is closed, in time.
  func limitTime(milliseconds: Int) {
    if let wsi, !isOver { lws_set_timer_usecs(wsi, Int64(milliseconds) * 1000) }
  }

  /// The timer fired. A result other than 0 closes the socket.
  func timeIsUp() -> Int32 {
    let isClosing = connection.wish.isClosing
    // The timer of the handshake goes on after it: to cancel one makes it fire at once in libwebsockets 4.1.
    if isOpen, !isClosing { return 0 }
    let reason = "no answer to the WebSocket handshake within \(timeoutMilliseconds) ms"
    finish(isClosing ? .local : .notOpened(status: nil, reason: reason))
    return -1
  }

  /// Tell the handler how it ended; only the first call does.
  func finish(_ closure: WebSocketClosure) {
    if isOver { return }
    isOver = true
    connection.finish()
    handler(connection, .closed(closure: closure))
  }
}

/// Everything the library tells about a socket; runs on the service thread. A result other than 0 closes the socket, but only
/// of the callbacks that write, that answer a request or that a timer makes: what is received is refused in `receive`, and of
/// all others the result is not looked at.
func onWebSocket(
  _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
  guard let wsi, let owner = lws_get_protocol(wsi)?.pointee.user else { return 0 }
  let loop = Unmanaged<WebSocketLoop>.fromOpaque(owner).takeUnretainedValue()
  switch reason {
  case LWS_CALLBACK_ESTABLISHED:
    loop.accept(wsi)
    return 0
  case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
    loop.approach(wsi)
    return 0
  case LWS_CALLBACK_WSI_DESTROY: loop.leave(wsi)
  case LWS_CALLBACK_HTTP:
    // Somebody's browser or probe: this is no web server.
    lws_return_http_status(wsi, 426, nil)
    return -1
  default: break
  }
  guard let pointer = lws_get_opaque_user_data(wsi) else { return 0 }
  let slot = Unmanaged<WebSocketSlot>.fromOpaque(pointer).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length)
  switch reason {
  case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    guard let input else { return 0 }
    return slot.appendHeaders(wsi, input.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self), length)
  case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
    // The length tells whether OpenSSL is content.
    if length == 0, let user { slot.noteDistrust(user) }
  case LWS_CALLBACK_CLIENT_ESTABLISHED: slot.open(wsi)
  case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return slot.write(wsi)
  case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: slot.receive(wsi, bytes)
  case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: slot.noteCloseFrame(bytes)
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: slot.failToOpen(wsi, String(decoding: bytes, as: UTF8.self))
  case LWS_CALLBACK_TIMER: return slot.timeIsUp()
  // A handshake that times out or is cut off is told in this way alone.
  case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP: slot.close()
  case LWS_CALLBACK_WSI_DESTROY:
    slot.close()
    lws_set_opaque_user_data(wsi, nil)
    slot.wsi = nil
    loop.forget(slot)
  default: break
  }
  return 0
}

/// What a listener's new client asked for; readable only while the library accepts it.
struct HandshakeRequest {
  var target: String
  var headers: [String: String] = [:]

  /// What a client asked for in its handshake.
  init(of wsi: OpaquePointer) {
    let path = Self.text(lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI)) { lws_hdr_copy(wsi, $0, $1, WSI_TOKEN_GET_URI) }
    // The library takes a query apart at each ampersand.
    var query: [String] = []
    while let part = Self.text(
      lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, Int32(query.count)),
      { lws_hdr_copy_fragment(wsi, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, Int32(query.count)) })
    { query.append(part) }
    target = (path ?? "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    for name in WebSocketListener.headerNames { headers[name] = Self.header(name + ":", of: wsi) }
  }

  /// The library keeps headers that it knows apart from all others.
  private static func header(_ name: String, of wsi: OpaquePointer) -> String? {
    let known = [
      "host:": WSI_TOKEN_HOST, "authorization:": WSI_TOKEN_HTTP_AUTHORIZATION, "user-agent:": WSI_TOKEN_HTTP_USER_AGENT,
    ]
    if let token = known[name] {
      return text(lws_hdr_total_length(wsi, token)) { lws_hdr_copy(wsi, $0, $1, token) }
    }
    let length = Int32(name.utf8.count)
    return text(lws_hdr_custom_length(wsi, name, length)) { lws_hdr_custom_copy(wsi, $0, $1, name, length) }
  }

  private static func text(_ length: Int32, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String? {
    if length <= 0 { return nil }
    var text = [CChar](repeating: 0, count: Int(length) + 1)
    let copied = text.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { copy($0, Int32(buffer.count)) } ?? -1
    }
    return copied < 0 ? nil : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
