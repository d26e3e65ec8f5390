import VoiceSystem

/// The right to look through the sessions below a folder, which one program has at a time, as long as this value lives.
///
/// A lock of the folder itself, so that it leaves nothing behind.
final class FolderClaim {
  private let descriptor: Int32

  /// How long another program is waited for, in milliseconds: it reads what is left of a few sessions. One that takes
  /// longer was stopped in the middle, and nobody waits for that.
  private static let patienceMilliseconds = 2_000
  private static let stepMilliseconds = 10

  /// Wait for the right. A folder that cannot be locked, or that somebody holds too long, is looked through without.
  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    for _ in 0..<Self.patienceMilliseconds / Self.stepMilliseconds {
      if FileLock.take(descriptor) || errno != EWOULDBLOCK { return }
      poll(nil, 0, Int32(Self.stepMilliseconds))
    }
  }

  deinit { if descriptor >= 0 { FileLock.release(closing: descriptor) } }
}
