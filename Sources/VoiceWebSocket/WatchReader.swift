import CWebSockets
import VoiceSystem

/// A watched descriptor, and what reads it; the library holds an unretained pointer to it, the loop the object.
final class WatchReader: Sendable {
  /// The library finds `onWatched` by it.
  static let protocolName: StaticString = "parley-watch"

  let descriptor: Int32
  let read: @Sendable () -> DescriptorProgress
  let failed: @Sendable () -> Void

  init(
    descriptor: Int32, read: @escaping @Sendable () -> DescriptorProgress, failed: @escaping @Sendable () -> Void
  ) {
    self.descriptor = descriptor
    self.read = read
    self.failed = failed
  }
}

/// Everything the library tells about a watched descriptor; a result other than 0 ends the watch.
func onWatched(
  _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
  guard let wsi, let pointer = lws_get_opaque_user_data(wsi), let owner = lws_get_protocol(wsi)?.pointee.user else {
    return 0
  }
  let reader = Unmanaged<WatchReader>.fromOpaque(pointer).takeUnretainedValue()
  switch reason {
  case LWS_CALLBACK_RAW_RX_FILE: return reader.read() == .over ? -1 : 0
  case LWS_CALLBACK_RAW_CLOSE_FILE:
    // The library closes at once what nobody writes to any more, with whatever is still in it.
    while reader.read() == .something {}
    lws_set_opaque_user_data(wsi, nil)
    Unmanaged<WebSocketLoop>.fromOpaque(owner).takeUnretainedValue().forget(reader)
  default: break
  }
  return 0
}
