internal import CWebSockets

/// The library below the WebSockets.
package enum WebSocketLibrary {
  /// Its version, as it says it itself.
  package static var version: String { lws_get_library_version().map { String(cString: $0) } ?? "unknown" }
}
