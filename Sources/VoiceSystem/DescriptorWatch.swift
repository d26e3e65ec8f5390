/// Have a thread that waits for something anyway watch a file descriptor too: whenever there is something to read, it calls
/// `read`, until that says it is over or the thread ends; or else it calls `failed`, once, because it cannot. The descriptor
/// stays the caller's.
///
/// A frame of the microphone then reaches the connection to the live model without a change of threads.
package typealias DescriptorWatch =
  @Sendable (
    _ descriptor: Int32, _ read: @escaping @Sendable () -> DescriptorProgress, _ failed: @escaping @Sendable () -> Void
  ) -> Void

/// What a reader of a watched descriptor got.
package enum DescriptorProgress: Sendable {
  case something
  /// Nothing was there after all.
  case nothing
  /// It is not to be called any more.
  case over
}
