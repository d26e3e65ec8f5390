import VoiceSystem

/// Keeps a conversation's file for this process for as long as anybody in it has such a lock. It is gone with the process, however that
/// ends.
package final class ConversationLock: Sendable {
  /// What this process has locked. An agent that takes the place of another goes on with its lock.
  private static let held = Locked<[String: (descriptor: Int32, owners: Int)]>([:])

  private let path: String

  /// nil if another process has it.
  init?(_ path: String) throws(PlainFile.Refusal) {
    self.path = path
    let result = Self.held.withLock { held -> Result<Bool, PlainFile.Refusal> in
      if held[path] != nil {
        held[path]?.owners += 1
        return .success(true)
      }
      do throws(PlainFile.Refusal) {
        let descriptor = try PlainFile.open(reading: path)
        guard FileLock.take(descriptor) else {
          close(descriptor)
          return .success(false)
        }
        held[path] = (descriptor, 1)
        return .success(true)
      } catch {
        return .failure(error)
      }
    }
    guard try result.get() else { return nil }
  }

  deinit {
    Self.held.withLock { held in
      guard let lock = held[path] else { return }
      if lock.owners > 1 {
        held[path]?.owners -= 1
      } else {
        held[path] = nil
        FileLock.release(closing: lock.descriptor)
      }
    }
  }
}
