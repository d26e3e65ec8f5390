internal import CWebSockets
internal import VoiceCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The one owner of a libwebsockets context. Other threads leave commands in the mailbox and call
/// `lws_cancel_service`, the only call of the library that is allowed to them.
///
/// `@unchecked`: `mailbox` is locked; `context` is written before the thread starts and used by others only under the
/// mailbox's lock; everything else is touched by the service thread alone.
final class WebSocketLoop: @unchecked Sendable {
  struct Listening {
    var port: Int
    var identity: WebSocketListener.Identity?
    var handler: WebSocketHandler
  }

  private enum Command {
    case connect(WebSocketConnection, WebSocketRequest, WebSocketHandler)
    case attend(WebSocketConnection)
    case stop
  }

  private struct Mailbox {
    var commands: [Command] = []
    var isRunning = true
  }

  /// Which virtual host a client connection needs: libwebsockets keeps authorities and proxy there.
  private struct ClientKind: Hashable {
    var authorityFile: String?
    var proxy: String?
  }

  private let mailbox = Locked(Mailbox())
  private let context: OpaquePointer
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let listening: Listening?
  private let thread = ServiceThread()
  private(set) var port = 0
  private var clientHosts: [ClientKind: OpaquePointer] = [:]
  private var slots: [ObjectIdentifier: WebSocketSlot] = [:]
  private var stopDeadline: ContinuousClock.Instant?

  init(listening: Listening?) throws(WebSocketStartError) {
    self.listening = listening
    lws_set_log_level(0, nil)
    // Two entries, the second zero; the context keeps the pointer, and this object outlives it.
    protocols = .allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    let name = UnsafeRawPointer(protocolName.utf8Start).assumingMemoryBound(to: CChar.self)
    protocols[0].name = name
    protocols[0].callback = onWebSocket
    protocols[0].rx_buffer_size = 1 << 16

    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.protocols = UnsafePointer(protocols)
    info.gid = -1
    info.uid = -1
    info.pt_serv_buf_size = 1 << 16
    info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
    guard let context = lws_create_context(&info) else {
      protocols.deallocate()
      throw WebSocketStartError(
        description:
          "libwebsockets could not be started: too little memory, or too few open files are allowed (ulimit -n)")
    }
    self.context = context
    // The virtual hosts made below copy it, and every callback finds the way back through it.
    protocols[0].user = Unmanaged.passUnretained(self).toOpaque()
    if let listening {
      do {
        port = try makeListeningHost(listening)
      } catch {
        lws_context_destroy(context)
        protocols.deallocate()
        throw error
      }
    }
    guard thread.start({ [self] in run() }) else {
      lws_context_destroy(context)
      protocols.deallocate()
      throw WebSocketStartError(description: "the thread for WebSockets could not be started: too many threads run")
    }
  }

  // Any thread.

  func connect(_ request: WebSocketRequest, handler: @escaping WebSocketHandler) -> WebSocketConnection {
    let connection = WebSocketConnection { [self] in post(.attend($0)) }
    if !post(.connect(connection, request, handler)) {
      connection.finish()
      handler(connection, .closed(closure: .notOpened(status: nil, reason: "the WebSocket service was stopped")))
    }
    return connection
  }

  func stop() {
    post(.stop)
    thread.join()
  }

  @discardableResult
  private func post(_ command: Command) -> Bool {
    let isServiceThread = thread.isCurrent
    return mailbox.withLock { mailbox in
      if !mailbox.isRunning { return false }
      // Under the lock, so that the context cannot be destroyed in between. The service thread itself looks into the
      // mailbox before it waits again.
      if mailbox.commands.isEmpty, !isServiceThread { lws_cancel_service(context) }
      mailbox.commands.append(command)
      return true
    }
  }

  // The service thread, from here on.

  private func run() {
    while lws_service(context, 0) >= 0 {
      attendToMailbox()
      if let stopDeadline, slots.isEmpty || ContinuousClock.now >= stopDeadline { break }
    }
    let left = mailbox.withLock { mailbox in
      mailbox.isRunning = false
      return mailbox.commands
    }
    for case .connect(let connection, _, let handler) in left {
      connection.finish()
      handler(connection, .closed(closure: .notOpened(status: nil, reason: "the WebSocket service was stopped")))
    }
    for slot in slots.values { slot.finish(.local) }
    lws_context_destroy(context)
    protocols.deallocate()
    slots = [:]
  }

  private func attendToMailbox() {
    // Handlers called meanwhile may leave more commands without waking the thread: go on until nothing is left.
    while true {
      let commands = mailbox.withLock { mailbox in
        let commands = mailbox.commands
        mailbox.commands.removeAll(keepingCapacity: true)
        return commands
      }
      if commands.isEmpty { return }
      for command in commands {
        switch command {
        case .connect(let connection, let request, let handler): connect(connection, request, handler)
        case .attend(let connection): slots[ObjectIdentifier(connection)]?.attend()
        case .stop: beginToStop()
        }
      }
    }
  }

  private func beginToStop() {
    if stopDeadline != nil { return }
    stopDeadline = .now + .milliseconds(WebSocketLimits.stopMilliseconds)
    for slot in slots.values { slot.connection.close(code: 1001) }
    // The library wakes only for sockets and timers; a connection's own timer sees to the deadline.
    for slot in slots.values { slot.limitTime(milliseconds: WebSocketLimits.stopMilliseconds) }
  }

  private func connect(
    _ connection: WebSocketConnection, _ request: WebSocketRequest, _ handler: @escaping WebSocketHandler
  ) {
    let slot = WebSocketSlot(
      connection: connection, handler: handler, target: request.address.target, headers: request.headers,
      timeoutMilliseconds: request.timeoutMilliseconds)
    let host: OpaquePointer
    switch clientHost(for: ClientKind(authorityFile: request.authorityFile, proxy: request.proxy)) {
    case .success(let found): host = found
    case .failure(let error): return slot.finish(.notOpened(status: nil, reason: error.description))
    }
    slots[ObjectIdentifier(connection)] = slot
    let address = request.address
    let name = address.host
    let isDefaultPort = address.port == (address.isSecure ? 443 : 80)
    let shownHost = (name.contains(":") ? "[\(name)]" : name) + (isDefaultPort ? "" : ":\(address.port)")
    let target = address.target.isEmpty ? "/" : address.target
    let wsi = name.withCString { name in
      shownHost.withCString { shownHost in
        target.withCString { target in
          var info = lws_client_connect_info()
          info.context = context
          info.vhost = host
          info.address = name
          info.port = Int32(address.port)
          info.path = target
          info.host = shownHost
          info.ssl_connection =
            (address.isSecure ? Int32(LCCSCF_USE_SSL.rawValue) : 0) | Int32(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
          info.ietf_version_or_minus_one = -1
          info.local_protocol_name = UnsafePointer(protocols[0].name)
          info.opaque_user_data = Unmanaged.passUnretained(slot).toOpaque()
          return lws_client_connect_via_info(&info)
        }
      }
    }
    // nil may come with or without a callback; either way there is no connection any more.
    guard let wsi else {
      slot.finish(.notOpened(status: nil, reason: "the name was not found, or the address cannot be reached"))
      slots[ObjectIdentifier(connection)] = nil
      return
    }
    if slot.isOver { return }
    slot.wsi = wsi
    slot.limitTime(milliseconds: request.timeoutMilliseconds)
    if stopDeadline != nil { connection.close() }
  }

  private func clientHost(for kind: ClientKind) -> Result<OpaquePointer, WebSocketStartError> {
    if let host = clientHosts[kind] { return .success(host) }
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.protocols = UnsafePointer(protocols)
    info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
    if let file = kind.authorityFile {
      guard access(file, R_OK) == 0 else {
        return .failure(
          WebSocketStartError(description: "the certificate authority file \(file) cannot be read: check its name"))
      }
      info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
    }
    let host = withOptionalCString(kind.authorityFile) { file in
      // An empty proxy keeps the library from taking one out of the environment by itself.
      (kind.proxy ?? "").withCString { proxy in
        info.client_ssl_ca_filepath = file
        info.http_proxy_address = proxy
        return lws_create_vhost(context, &info)
      }
    }
    guard let host else {
      let what = kind.authorityFile.map { "the certificate authority file \($0) holds no usable certificate" }
      return .failure(WebSocketStartError(description: what ?? "TLS could not be set up"))
    }
    clientHosts[kind] = host
    return .success(host)
  }

  // Before the thread starts.

  private func makeListeningHost(_ listening: Listening) throws(WebSocketStartError) -> Int {
    var info = lws_context_creation_info()
    info.port = Int32(listening.port)
    info.protocols = UnsafePointer(protocols)
    info.options = UInt64(LWS_SERVER_OPTION_DISABLE_IPV6)
    if let identity = listening.identity {
      for file in [identity.certificateFile, identity.privateKeyFile] where access(file, R_OK) != 0 {
        throw WebSocketStartError(description: "the file \(file) cannot be read: check its name and permissions")
      }
      info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
    }
    let host = "127.0.0.1".withCString { address in
      withOptionalCString(listening.identity?.certificateFile) { certificate in
        withOptionalCString(listening.identity?.privateKeyFile) { key in
          info.iface = address
          info.ssl_cert_filepath = certificate
          info.ssl_private_key_filepath = key
          return lws_create_vhost(context, &info)
        }
      }
    }
    guard let host, case let port = Int(lws_get_vhost_listen_port(host)), port > 0 else {
      let place = listening.port == 0 ? "127.0.0.1" : "127.0.0.1:\(listening.port)"
      throw WebSocketStartError(
        description:
          "cannot listen on \(place): another program may use the port, or the certificate does not fit its key")
    }
    return port
  }

  // Called by the library, through `onWebSocket`.

  /// A listener's new connection.
  fileprivate func accept(_ wsi: OpaquePointer) {
    guard let listening else { return }
    let connection = WebSocketConnection { [self] in post(.attend($0)) }
    let arguments = header(WSI_TOKEN_HTTP_URI_ARGS, of: wsi)
    let path = header(WSI_TOKEN_GET_URI, of: wsi) ?? "/"
    let slot = WebSocketSlot(
      connection: connection, handler: listening.handler, target: arguments.map { "\(path)?\($0)" } ?? path)
    slots[ObjectIdentifier(connection)] = slot
    lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(slot).toOpaque())
    var headers: [String: String] = [:]
    for name in WebSocketListener.headerNames { headers[name] = customHeader(name, of: wsi) }
    headers["host"] = header(WSI_TOKEN_HOST, of: wsi)
    headers["authorization"] = header(WSI_TOKEN_HTTP_AUTHORIZATION, of: wsi)
    headers["user-agent"] = header(WSI_TOKEN_HTTP_USER_AGENT, of: wsi)
    slot.open(wsi, headers: headers)
  }

  fileprivate func forget(_ slot: WebSocketSlot) { slots[ObjectIdentifier(slot.connection)] = nil }
}

/// One socket, as the service thread sees it; the library holds an unretained pointer to it, the loop the object.
private final class WebSocketSlot {
  let connection: WebSocketConnection
  let headers: [(name: String, value: String)]
  let timeoutMilliseconds: Int
  private let handler: WebSocketHandler
  private let target: String
  var wsi: OpaquePointer?
  private(set) var isOver = false
  private var isOpen = false
  private var incoming: [UInt8] = []
  private var closeFrame: WebSocketClosure?

  init(
    connection: WebSocketConnection, handler: @escaping WebSocketHandler, target: String,
    headers: [(name: String, value: String)] = [], timeoutMilliseconds: Int = 0
  ) {
    self.connection = connection
    self.handler = handler
    self.target = target
    self.headers = headers
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  func open(_ wsi: OpaquePointer, headers: [String: String] = [:]) {
    self.wsi = wsi
    isOpen = true
    parley_tune_socket(wsi, UInt32(WebSocketLimits.unacknowledgedMilliseconds))
    handler(connection, .opened(target: target, headers: headers))
    attend()
  }

  /// Something was queued, or is to be closed.
  func attend() {
    guard let wsi, !isOver else { return }
    let wish = connection.wish
    if wish.isFull || (wish.isClosing && !isOpen) {
      finish(wish.isFull ? .outputFull : .local)
      lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
    } else if isOpen {
      if wish.isClosing { limitTime(milliseconds: WebSocketLimits.closeMilliseconds) }
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

  func receive(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    if isOver { return -1 }
    let remaining = lws_remaining_packet_payload(wsi)
    if incoming.count + bytes.count + remaining > WebSocketLimits.messageBytes {
      finish(.messageTooLong)
      lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, nil, 0)
      return -1
    }
    if incoming.isEmpty { incoming.reserveCapacity(bytes.count + remaining) }
    incoming.append(contentsOf: bytes)
    guard remaining == 0, lws_is_final_fragment(wsi) != 0 else { return 0 }
    var whole: [UInt8] = []
    swap(&whole, &incoming)
    let kind: OutgoingMessage.Kind = lws_frame_is_binary(wsi) != 0 ? .binary : .text
    handler(connection, .message(message: IncomingMessage(kind: kind, bytes: whole)))
    return 0
  }

  func noteCloseFrame(_ bytes: UnsafeRawBufferPointer) {
    let code = bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil
    closeFrame = .remote(code: code, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self))
  }

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

  func failToOpen(_ wsi: OpaquePointer, _ text: String) {
    let status = Int(lws_http_client_http_response(wsi))
    finish(.notOpened(status: status == 0 ? nil : status, reason: text.isEmpty ? "the connection was closed" : text))
  }

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

  func timeIsUp() -> Int32 {
    let isClosing = connection.wish.isClosing
    // The timer of the handshake goes on after it: to cancel one makes it fire at once in libwebsockets 4.1.
    if isOpen, !isClosing { return 0 }
    let reason = "no answer to the WebSocket handshake within \(timeoutMilliseconds) ms"
    finish(isClosing ? .local : .notOpened(status: nil, reason: reason))
    return -1
  }

  func finish(_ closure: WebSocketClosure) {
    if isOver { return }
    isOver = true
    connection.finish()
    handler(connection, .closed(closure: closure))
  }
}

/// Everything the library tells about a socket; runs on the service thread. A result other than 0 closes the socket.
private func onWebSocket(
  _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
  guard let wsi, let owner = lws_get_protocol(wsi)?.pointee.user else { return 0 }
  let loop = Unmanaged<WebSocketLoop>.fromOpaque(owner).takeUnretainedValue()
  switch reason {
  case LWS_CALLBACK_ESTABLISHED:
    loop.accept(wsi)
    return 0
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
  case LWS_CALLBACK_CLIENT_ESTABLISHED: slot.open(wsi)
  case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return slot.write(wsi)
  case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: return slot.receive(wsi, bytes)
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

private let protocolName: StaticString = "parley"

private func header(_ token: lws_token_indexes, of wsi: OpaquePointer) -> String? {
  let length = Int(lws_hdr_total_length(wsi, token))
  if length <= 0 { return nil }
  var text = [CChar](repeating: 0, count: length + 1)
  guard lws_hdr_copy(wsi, &text, Int32(text.count), token) >= 0 else { return nil }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func customHeader(_ name: String, of wsi: OpaquePointer) -> String? {
  let key = name + ":"
  let length = Int(lws_hdr_custom_length(wsi, key, Int32(key.utf8.count)))
  if length <= 0 { return nil }
  var text = [CChar](repeating: 0, count: length + 1)
  guard lws_hdr_custom_copy(wsi, &text, Int32(text.count), key, Int32(key.utf8.count)) >= 0 else { return nil }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
