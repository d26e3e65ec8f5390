extension StringProtocol {
  /// Whether the host of this name is this machine, as far as the name tells. A name may begin like an address: one is made of
  /// ASCII digits and dots alone.
  package var isLoopbackHost: Bool {
    self == "localhost" || self == "::1"
      || (hasPrefix("127.") && utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
  }
}
