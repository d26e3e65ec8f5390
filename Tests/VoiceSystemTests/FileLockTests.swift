import Testing
import VoiceTesting

@testable import VoiceSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct FileLockTests {
  /// As a child that is being started has one, for a moment.
  @Test func aLockIsReleasedThoughACopyOfItsDescriptorIsOpen() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/mark"
    let holder = try PlainFile.open(writing: path)
    let copy = dup(holder)
    defer { close(copy) }
    let other = try PlainFile.open(reading: path)
    defer { FileLock.release(closing: other) }
    #expect(!FileLock.isTaken(other))
    #expect(FileLock.take(holder))
    #expect(FileLock.isTaken(other))
    #expect(!FileLock.take(other))
    FileLock.release(closing: holder)
    #expect(!FileLock.isTaken(other))
    #expect(FileLock.take(other))
  }

  /// Whoever only asks holds nothing afterwards.
  @Test func askingLeavesNoLock() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/mark"
    let one = try PlainFile.open(writing: path)
    defer { FileLock.release(closing: one) }
    let other = try PlainFile.open(reading: path)
    defer { FileLock.release(closing: other) }
    #expect(!FileLock.isTaken(one))
    #expect(FileLock.take(other))
  }
}
