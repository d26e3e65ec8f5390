#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The executable of `SpeechEngineForTests`, which is built beside the tests.
enum TestExecutable {
  static var path: String { folder + "/SpeechEngineForTests" }

  private static var folder: String {
    #if os(Linux)
      var buffer = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/exe", &buffer, buffer.count)
      var path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      // The bundle lies in the folder of the products: …/debug/parleyPackageTests.xctest/Contents/MacOS/…
      var path = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
      while path.contains(".xctest/"), path.popLast() != nil {}
    #endif
    while let last = path.popLast(), last != "/" {}
    return path
  }
}
