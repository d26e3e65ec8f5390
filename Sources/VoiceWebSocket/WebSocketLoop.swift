import CWebSockets
import VoiceSystem

/// The one owner of a libwebsockets context. Other threads leave commands in the mailbox and call
/// `lws_cancel_service`, the only call of the library that is allowed to them.
///
/// `@unchecked`: `mailbox` is locked; `context` is written before the thread starts and used by others only under the
/// mailbox's lock; everything else is touched by the service thread alone.
final class WebSocketLoop: @unchecked Sendable {
  /// Where clients are waited for.
  struct Listening {
    var port: Int
    var identity: WebSocketListener.Identity?
    var strangers: WebSocketListener.Strangers?
    var handler: WebSocketHandler
  }

  private enum Command {
    case connect(WebSocketConnection, WebSocketRequest, WebSocketHandler)
    case watch(WatchReader)
    case stop
  }

  private struct Mailbox {
    var commands: [Command] = []
    /// Connections with something to send, or to be closed.
    var waiting: [WebSocketConnection] = []
    var isRunning = true

    var isEmpty: Bool { commands.isEmpty && waiting.isEmpty }
  }

  /// Which virtual host a client connection needs: libwebsockets keeps authorities and proxy there.
  private struct ClientKind: Hashable {
    var authorityFile: String?
    var proxy: String?
  }

  private let mailbox = Locked(Mailbox())
  private let context: OpaquePointer
  private let protocols: UnsafeMutablePointer<lws_protocols>
  /// Given up at the end: what handles its connections may hold them, and they this.
  private var listening: Listening?
  private let thread = SystemThread()
  private(set) var port = 0
  private var clientHosts: [ClientKind: OpaquePointer] = [:]
  /// Few: a session has three connections at most.
  private var slots: [WebSocketSlot] = []
  private var readers: [WatchReader] = []
  /// A listener's sockets that were not admitted yet, oldest first.
  private var strangers: [OpaquePointer] = []
  private var stopDeadline: ContinuousClock.Instant?
  /// Whether the mailbox is being looked into, until nothing is left in it.
  private var isAttending = false

  init(listening: Listening?) throws(WebSocketStartError) {
    self.listening = listening
    // Three entries, the last one zero; the context keeps the pointer, and this object outlives it.
    protocols = .allocate(capacity: 3)
    protocols.initialize(repeating: lws_protocols(), count: 3)
    protocols[0].name = UnsafeRawPointer(protocolName.utf8Start).assumingMemoryBound(to: CChar.self)
    protocols[0].callback = onWebSocket
    protocols[0].rx_buffer_size = 1 << 16
    protocols[1].name = UnsafeRawPointer(WatchReader.protocolName.utf8Start).assumingMemoryBound(to: CChar.self)
    protocols[1].callback = onWatched

    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.protocols = UnsafePointer(protocols)
    info.gid = -1
    info.uid = -1
    info.pt_serv_buf_size = 1 << 16
    info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
    guard isTLSReady, let context = lws_create_context(&info) else {
      protocols.deallocate()
      throw WebSocketStartError(
        description:
          "libwebsockets could not be started: too little memory, or too few open files are allowed (ulimit -n)")
    }
    self.context = context
    // The virtual hosts made below copy it, and every callback finds the way back through it.
    for index in 0...1 { protocols[index].user = Unmanaged.passUnretained(self).toOpaque() }
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

  /// Connect; the handler is called on the loop's thread.
  func connect(_ request: WebSocketRequest, handler: @escaping WebSocketHandler) -> WebSocketConnection {
    let connection = WebSocketConnection { [self] in attend($0) }
    if !post(.connect(connection, request, handler)) {
      connection.finish()
      handler(connection, .closed(closure: .notOpened(status: nil, reason: "the WebSocket service was stopped")))
    }
    return connection
  }

  /// Call the reader on the loop's thread whenever its descriptor has something.
  func watch(_ reader: WatchReader) {
    if !post(.watch(reader)) { reader.failed() }
  }

  /// Close everything; the thread is over when this returns.
  func stop() {
    post(.stop)
    thread.join()
  }

  private func attend(_ connection: WebSocketConnection) { leave { $0.waiting.append(connection) } }

  @discardableResult
  private func post(_ command: Command) -> Bool { leave { $0.commands.append(command) } }

  /// Put something into the mailbox; false if nobody will look into it any more.
  @discardableResult
  private func leave(_ put: (inout Mailbox) -> Void) -> Bool {
    // The library runs its timers just before it waits: what their callbacks leave here has to wake it, too.
    let isLookedInto = thread.isCurrent && isAttending
    return mailbox.withLock { mailbox in
      if !mailbox.isRunning { return false }
      // Under the lock, so that the context cannot be destroyed in between.
      if mailbox.isEmpty, !isLookedInto { lws_cancel_service(context) }
      put(&mailbox)
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
    for command in left {
      switch command {
      case .connect(let connection, _, let handler):
        connection.finish()
        handler(connection, .closed(closure: .notOpened(status: nil, reason: "the WebSocket service was stopped")))
      case .watch(let reader): reader.failed()
      case .stop: break
      }
    }
    for slot in slots { slot.finish(.local) }
    lws_context_destroy(context)
    protocols.deallocate()
    slots = []
    readers = []
    listening = nil
  }

  private func attendToMailbox() {
    // Handlers called meanwhile may leave more commands without waking the thread: go on until nothing is left.
    isAttending = true
    defer { isAttending = false }
    while true {
      let (commands, waiting) = mailbox.withLock { mailbox in
        defer { (mailbox.commands, mailbox.waiting) = ([], []) }
        return (mailbox.commands, mailbox.waiting)
      }
      if commands.isEmpty, waiting.isEmpty { return }
      for command in commands {
        switch command {
        case .connect(let connection, let request, let handler): connect(connection, request, handler)
        case .watch(let reader): adopt(reader)
        case .stop: beginToStop()
        }
      }
      for connection in waiting { slots.first { $0.connection === connection }?.attend() }
    }
  }

  private func beginToStop() {
    if stopDeadline != nil { return }
    stopDeadline = .now + .milliseconds(WebSocketLimits.stopMilliseconds)
    for slot in slots { slot.connection.close(code: 1001) }
    // The library wakes only for sockets and timers; a connection's own timer sees to the deadline.
    for slot in slots { slot.limitTime(milliseconds: WebSocketLimits.stopMilliseconds) }
  }

  private func connect(
    _ connection: WebSocketConnection, _ request: WebSocketRequest, _ handler: @escaping WebSocketHandler
  ) {
    let slot = WebSocketSlot(
      connection: connection, handler: handler, target: request.address.target,
      headers: request.headers,
      timeoutMilliseconds: request.timeoutMilliseconds)
    let host: OpaquePointer
    switch clientHost(for: ClientKind(authorityFile: request.authorityFile, proxy: request.proxy)) {
    case .success(let found): host = found
    case .failure(let error): return slot.finish(.notOpened(status: nil, reason: error.description))
    }
    slots.append(slot)
    let address = request.address
    let name = address.host
    // With TLS the library checks the certificate against this text as it is, port and all.
    let shownHost =
      address.isSecure
      ? name : (name.contains(":") ? "[\(name)]" : name) + (address.port == 80 ? "" : ":\(address.port)")
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
      return forget(slot)
    }
    if slot.isOver { return }
    slot.wsi = wsi
    slot.limitTime(milliseconds: request.timeoutMilliseconds)
    if stopDeadline != nil { connection.close() }
  }

  private func adopt(_ reader: WatchReader) {
    // The library closes what it watches, so it gets a descriptor of its own.
    let own = fcntl(reader.descriptor, F_DUPFD_CLOEXEC, 3)
    // A host of its own: those of connections read certificates, which takes longer than the rest of the start.
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.protocols = UnsafePointer(protocols)
    guard own >= 0, let host = lws_create_vhost(context, &info) else {
      close(own)
      return reader.failed()
    }
    var adoption = lws_adopt_desc_t()
    adoption.vh = host
    adoption.type = LWS_ADOPT_RAW_FILE_DESC
    adoption.fd.filefd = own
    adoption.vh_prot_name = UnsafeRawPointer(WatchReader.protocolName.utf8Start).assumingMemoryBound(to: CChar.self)
    adoption.opaque = Unmanaged.passUnretained(reader).toOpaque()
    readers.append(reader)
    if lws_adopt_descriptor_vhost_via_info(&adoption) == nil {
      forget(reader)
      reader.failed()
    }
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
      guard parley_holds_certificates(file) != 0 else {
        return .failure(
          WebSocketStartError(description: "the certificate authority file \(file) holds no certificate in PEM form"))
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
    guard let host else { return .failure(WebSocketStartError(description: "TLS could not be set up")) }
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

  /// Somebody connected to the listener, and has said nothing yet.
  func approach(_ wsi: OpaquePointer) {
    guard let limit = listening?.strangers?.limit else { return }
    strangers.removeAll { wsi in slots.contains { $0.wsi == wsi && $0.connection.isAdmitted } }
    strangers.append(wsi)
    guard strangers.count > limit else { return }
    let oldest = strangers.removeFirst()
    slots.first { $0.wsi == oldest }?.finish(.local)
    // By the library's own time, and so from no callback of that socket.
    lws_set_timeout(oldest, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
    listening?.strangers?.refused()
  }

  /// A socket is gone.
  func leave(_ wsi: OpaquePointer) { strangers.removeAll { $0 == wsi } }

  /// A listener's new connection.
  func accept(_ wsi: OpaquePointer) {
    guard let listening else { return }
    let connection = WebSocketConnection { [self] in attend($0) }
    let request = HandshakeRequest(of: wsi)
    let slot = WebSocketSlot(
      connection: connection, handler: listening.handler, target: request.target,
      isGuarded: listening.strangers != nil)
    slots.append(slot)
    lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(slot).toOpaque())
    slot.open(wsi, headers: request.headers)
  }

  /// A connection is over.
  func forget(_ slot: WebSocketSlot) {
    slots.removeAll { $0 === slot }
    // Its last connection is what a loop that stops waits for, and the library may be about to wait longer.
    if stopDeadline != nil, slots.isEmpty { lws_cancel_service(context) }
  }

  /// A reader is over.
  func forget(_ reader: WatchReader) { readers.removeAll { $0 === reader } }
}
