#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of its own for one test; removed with the value.
package final class TemporaryFolder: Sendable {
  /// Without links, because an agent compares it with its own working folder.
  package let path: String

  package init() throws {
    let path = FileManager.default.temporaryDirectory.path + "/parley-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard let resolved = realpath(path, nil) else { throw CocoaError(.fileNoSuchFile) }
    defer { free(resolved) }
    self.path = String(cString: resolved)
  }

  deinit {
    // A folder that is left behind harms no test.
    do { try FileManager.default.removeItem(atPath: path) } catch {}
  }
}
