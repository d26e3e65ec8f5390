import Testing
import VoiceSystem
import VoiceTesting

@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who decides about what is printed has to have been able to read it.
struct OutputQueueTests {
  @Test func aReaderWhoTakesNothingIsTold() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer {
      close(reader)
      close(writer)
    }
    let output = OutputQueue()
    let stalls = Journal<Bool>()
    output.watchStalls(of: writer) { stalls.append($0) }
    output.put(Array("a line\n".utf8), to: writer)
    // More than a pipe holds.
    output.put([UInt8](repeating: UInt8(ascii: "x"), count: 400_000), to: writer)
    #expect(try await stalls.next { $0 })
    output.put(Array("a request\n".utf8), to: writer)
    let taken = Task.detached {
      var (count, buffer) = (0, [UInt8](repeating: 0, count: 65_536))
      while count < 400_017 { count += try Descriptors.read(reader, into: &buffer) }
      return count
    }
    _ = try await stalls.next { $0 ? nil : true }
    #expect(try await taken.value == 400_017)
    #expect(stalls.all == [true, false])
  }
}
