/// Reads which files a repository tracks, straight from its index: no program has to be run, and ignored files are not
/// in it.
///
/// Form: the "index format" page of git's technical documentation, versions 2 to 4.
struct GitIndex {
  /// Paths relative to the top of the repository, sorted by their bytes.
  let paths: [String]

  /// - Parameter hashBytes: 20, or 32 where the repository uses SHA-256.
  /// - Returns: nil if this is no index, or one of a version that is not known.
  init?(_ bytes: [UInt8], hashBytes: Int) {
    var reader = Reader(bytes: bytes)
    guard reader.take(4) == Array("DIRC".utf8)[...], let version = reader.number(), (2...4).contains(version),
      let count = reader.number(), count < 1_000_000
    else { return nil }
    var paths: [String] = []
    var previous: [UInt8] = []
    for _ in 0..<count {
      let start = reader.index
      guard reader.take(40 + hashBytes) != nil, let flags = reader.take(2) else { return nil }
      if version > 2, flags.first.map({ $0 & 0x40 != 0 }) ?? false, reader.take(2) == nil { return nil }
      if version == 4 {
        guard let dropped = reader.offset(), dropped <= previous.count, let rest = reader.text() else { return nil }
        previous = previous.dropLast(dropped) + rest
      } else {
        guard let path = reader.text() else { return nil }
        previous = Array(path)
        // Entries are filled up to a multiple of eight; one zero byte has been read with the path.
        let length = reader.index - start
        reader.index += (8 - length % 8) % 8
      }
      paths.append(String(decoding: previous, as: UTF8.self))
    }
    self.paths = paths
  }

  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard index + count <= bytes.count else { return nil }
      defer { index += count }
      return bytes[index..<index + count]
    }

    /// Four bytes, the highest first.
    mutating func number() -> Int? { take(4)?.reduce(0) { $0 << 8 | Int($1) } }

    /// Up to a zero byte, which is taken as well.
    mutating func text() -> ArraySlice<UInt8>? {
      guard index < bytes.count, let end = bytes[index...].firstIndex(of: 0) else { return nil }
      defer { index = end + 1 }
      return bytes[index..<end]
    }

    /// Seven bits a byte, the highest first, each further byte counting one more.
    mutating func offset() -> Int? {
      var value = -1
      for _ in 0..<5 {
        guard let byte = take(1)?.first else { return nil }
        value = (value + 1) << 7 | Int(byte & 0x7F)
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }
  }
}
