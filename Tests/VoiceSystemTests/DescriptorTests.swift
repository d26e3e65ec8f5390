import Testing
import VoiceTesting

@testable import VoiceSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct DescriptorTests {
  private func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  /// More than a pipe holds: it is written in pieces, while somebody reads.
  @Test func allOfItIsWrittenHoweverLittleFits() throws {
    let (readEnd, writeEnd) = try makePipe()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let thread = SystemThread()
    let isWritten = Locked(false)
    let isStarted = thread.start {
      let all = Descriptors.offer(bytes, to: writeEnd)
      isWritten.withLock { $0 = all }
      close(writeEnd)
    }
    #expect(isStarted)
    var got: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while true {
      let count = try Descriptors.read(readEnd, into: &buffer)
      if count == 0 { break }
      got += buffer[..<count]
    }
    thread.join()
    close(readEnd)
    #expect(got == bytes && isWritten.withLock { $0 })
  }

  @Test func aReaderThatIsGoneIsAnErrorNumberOnAThreadOfItsOwn() throws {
    let (readEnd, writeEnd) = try makePipe()
    close(readEnd)
    let failure = Locked(Descriptors.Failure?.none)
    let thread = SystemThread()
    let isStarted = thread.start {
      do throws(Descriptors.Failure) {
        try Descriptors.write([UInt8](repeating: 1, count: 10), to: writeEnd)
      } catch {
        failure.withLock { [error] in $0 = error }
      }
    }
    #expect(isStarted)
    thread.join()
    close(writeEnd)
    #expect(failure.withLock { $0 } == Descriptors.Failure(number: EPIPE))
  }

  @Test func whatCannotBeReadSaysWhy() {
    var buffer: [UInt8] = [0]
    let failure = Descriptors.Failure(number: EBADF)
    #expect(throws: failure) { try Descriptors.read(-1, into: &buffer) }
    #expect(failure.reason == String(cString: strerror(EBADF)))
    #expect(!Descriptors.offer([1], to: -1))
  }

  @Test func theBeginningOfAFileIsReadAndOfNothingElse() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let descriptor = try PlainFile.open(writing: path, O_EXCL)
    try Descriptors.write(Array("0123456789".utf8), to: descriptor)
    try Array("01".utf8).withUnsafeBytes { try Descriptors.write($0, to: descriptor, at: 3) }
    close(descriptor)
    let beginning = try PlainFile.beginning(path, limit: 5)
    #expect(beginning.bytes == Array("01201".utf8) && beginning.size == 10)
    #expect(try PlainFile.beginning(path, limit: 100).bytes == Array("0120156789".utf8))
    try #require(symlink(path, folder.path + "/link") == 0)
    #expect(throws: PlainFile.Refusal.link) { try PlainFile.beginning(folder.path + "/link", limit: 5) }
    #expect(throws: PlainFile.Refusal.folder) { try PlainFile.beginning(folder.path, limit: 5) }
  }

  @Test func aThreadKnowsItselfAndIsWaitedForOnce() throws {
    let (readEnd, writeEnd) = try makePipe()
    let thread = SystemThread()
    let (wasCurrent, isBlocked) = (Locked(false), Locked(false))
    #expect(!thread.isCurrent)
    let isStarted = thread.start {
      wasCurrent.withLock { $0 = thread.isCurrent }
      var signals = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &signals)
      isBlocked.withLock { $0 = sigismember(&signals, SIGINT) == 1 && sigismember(&signals, SIGSEGV) == 0 }
      Descriptors.offer([1], to: writeEnd)
    }
    #expect(isStarted)
    // Whoever waits for a thread takes its name away: it has looked before that.
    var byte: [UInt8] = [0]
    #expect(try Descriptors.read(readEnd, into: &byte) == 1)
    close(readEnd)
    close(writeEnd)
    thread.join()
    thread.join()
    #expect(wasCurrent.withLock { $0 } && isBlocked.withLock { $0 } && !thread.isCurrent)
  }
}
