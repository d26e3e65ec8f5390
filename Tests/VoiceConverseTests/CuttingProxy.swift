import VoiceSystem
import VoiceVocabulary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stands between an agent and its server, lets so many bytes of what the server answers through, and breaks the connection then. The
/// server gets all that it is asked, and can say all that it has to say.
final class CuttingProxy: Sendable {
  /// How a connection is broken.
  enum Break: CaseIterable { case closed, reset }

  private struct Pair {
    let client: Int32
    let server: Int32
    /// Nothing more goes to the client.
    var isCut = false
  }

  private struct State {
    var passed = 0
    var wasCut = false
    var isOver = false
  }

  let port: Int
  private let listener: Int32
  private let upstream: Int
  private let limit: Int
  private let form: Break
  private let state = Locked(State())
  private let thread = SystemThread()

  /// Bytes of the server's answers that were let through.
  var passed: Int { state.withLock { $0.passed } }
  /// Whether anything was cut.
  var wasCut: Bool { state.withLock { $0.wasCut } }

  /// - Parameters:
  ///   - upstream: the server's port on this machine.
  ///   - limit: bytes that go through, over all connections together.
  init(to upstream: Int, limit: Int, _ form: Break) {
    (self.upstream, self.limit, self.form) = (upstream, limit, form)
    listener = socket(AF_INET, Self.stream, 0)
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(
          bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
    precondition(thread.start { [self] in serve() })
  }

  /// Break what is open, and wait until that is done.
  func stop() {
    state.withLock { $0.isOver = true }
    // Wakes the thread, and is closed by it.
    if let last = connectTo(port) { close(last) }
    thread.join()
  }

  private func serve() {
    var pairs: [Pair] = []
    while !state.withLock({ $0.isOver }) {
      var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      for pair in pairs {
        // One that was cut has nothing more to say.
        polled += [pair.isCut ? -1 : pair.client, pair.server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      var gone: Set<Int> = []
      for index in pairs.indices {
        let isReadable = { (place: Int) in polled[1 + 2 * index + place].revents != 0 }
        if isReadable(0), !fromClient(&pairs[index]) { gone.insert(index) }
        if !gone.contains(index), isReadable(1), !fromServer(&pairs[index]) { gone.insert(index) }
      }
      for index in gone.sorted(by: >) { end(pairs.remove(at: index)) }
      if polled[0].revents != 0 { accept(&pairs) }
    }
    pairs.forEach(end)
    close(listener)
  }

  private func accept(_ pairs: inout [Pair]) {
    let client = systemAccept(listener, nil, nil)
    guard client >= 0 else { return }
    guard !state.withLock({ $0.isOver }), let server = connectTo(upstream) else {
      close(client)
      return
    }
    pairs.append(Pair(client: client, server: server))
  }

  /// False once the pair is of no use.
  private func fromClient(_ pair: inout Pair) -> Bool {
    guard !pair.isCut else { return true }
    guard let bytes = read(pair.client) else { return false }
    return write(bytes[...], pair.server)
  }

  private func fromServer(_ pair: inout Pair) -> Bool {
    guard let bytes = read(pair.server) else { return false }
    guard !pair.isCut else { return true }
    // Once: another connection is another answer.
    let left = state.withLock { $0.wasCut ? .max : limit - $0.passed }
    let part = bytes.prefix(left)
    state.withLock { $0.passed += part.count }
    guard write(part, pair.client) else { return false }
    if bytes.count > left { cut(&pair) }
    return true
  }

  private func cut(_ pair: inout Pair) {
    state.withLock { $0.wasCut = true }
    pair.isCut = true
    if form == .reset {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(pair.client, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      // The descriptor stays ours until the end; what it stands for does not.
      let nothing = open("/dev/null", O_RDWR)
      dup2(nothing, pair.client)
      close(nothing)
    } else {
      shutdown(pair.client, Int32(SHUT_RDWR))
    }
  }

  private func end(_ pair: Pair) {
    close(pair.client)
    close(pair.server)
  }

  private func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private func write(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func connectTo(_ port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Self.stream, 0)
    var address = Self.address(port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif
}

/// The call of this name, which a type here has another one of.
private func systemAccept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(descriptor, address, size) }
