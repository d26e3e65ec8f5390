/// Reading and writing through descriptors that wait (no `O_NONBLOCK`), whatever signals come. Any thread.
package enum Descriptors {
  /// What the system refused.
  package struct Failure: Error, Equatable, Sendable {
    /// That of `errno`.
    package var number: Int32
    /// How many bytes were written before that.
    package var written = 0

    /// As a clause for people.
    package var reason: String { String(cString: strerror(number)) }
  }

  /// Write everything, at the end or at an offset from the start.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
  ) throws(Failure) {
    let file = FileDescriptor(rawValue: descriptor)
    var written = 0
    do {
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        if let offset {
          written += try file.write(toAbsoluteOffset: Int64(offset + written), rest)
        } else {
          written += try file.write(rest)
        }
      }
    } catch {
      throw failure(error, written)
    }
  }

  /// Write everything.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
      try write(UnsafeRawBufferPointer(bytes), to: descriptor)
    }
  }

  /// Write everything to somebody who may be gone: that is no reason to stop working.
  ///
  /// - Returns: Whether it was written.
  @discardableResult package static func offer(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    do throws(Failure) {
      try write(bytes, to: descriptor)
      return true
    } catch {
      return false
    }
  }

  /// Read what there is into the buffer, once something is there.
  ///
  /// - Returns: How many bytes; 0 at the end, and where the buffer has no room.
  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) throws(Failure) -> Int {
    do {
      return try buffer.withUnsafeMutableBytes { try FileDescriptor(rawValue: descriptor).read(into: $0) }
    } catch {
      throw failure(error)
    }
  }

  private static func failure(_ error: any Error, _ written: Int = 0) -> Failure {
    guard let number = error as? Errno else { preconditionFailure("a descriptor threw \(error)") }
    return Failure(number: number.rawValue, written: written)
  }
}
