/// How whoever reads from an agent waits until what was read before is dealt with: a slow session slows the agent, instead of
/// remembering all that it writes.
package struct ReadingPace: Sendable {
  /// Waits on a thread of the reader's own. Not one that takes a step, or holds a lock that a step may want.
  package var onThread: @Sendable () -> Void
  /// Waits in a task, whose thread is needed meanwhile.
  package var inTask: @Sendable () async -> Void

  package init(onThread: @escaping @Sendable () -> Void, inTask: @escaping @Sendable () async -> Void) {
    self.onThread = onThread
    self.inTask = inTask
  }

  /// Waits for nobody.
  package static let unlimited = ReadingPace(onThread: {}, inTask: {})
}
