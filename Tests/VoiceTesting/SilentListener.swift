#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes connections, and never says a word: no TLS and no WebSocket comes about with it.
package final class SilentListener {
  /// Where it listens, on loopback.
  package let port: Int
  private let descriptor: Int32

  package init() {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(
          bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
  }

  deinit { close(descriptor) }

  /// Wait for somebody to come.
  package func wait() async throws {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try await waitUntil { poll(&polled, 1, 0) == 1 }
  }
}
