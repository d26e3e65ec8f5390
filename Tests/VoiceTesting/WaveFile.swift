#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sound of the project's own recordings: plain 16-bit mono WAV, read without any library.
package enum WaveFile {
  package struct Unreadable: Error { package let path: String }

  /// The samples of the file's `data` chunk.
  package static func samples(_ path: String) throws -> [Int16] {
    guard let bytes = FileManager.default.contents(atPath: path).map(Array.init), bytes.count > 44 else {
      throw Unreadable(path: path)
    }
    var offset = 12
    while offset + 8 <= bytes.count {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
      if Array(bytes[offset..<offset + 4]) == Array("data".utf8) {
        let end = min(offset + 8 + size, bytes.count)
        return stride(from: offset + 8, to: end - 1, by: 2).map { Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8 }
      }
      offset += 8 + size + size % 2
    }
    throw Unreadable(path: path)
  }
}

/// Where the project's files are, seen from this source file.
package enum Repository {
  package static let path = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()
}
