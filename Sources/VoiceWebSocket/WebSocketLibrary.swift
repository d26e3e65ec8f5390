import CWebSockets

/// The library below the WebSockets.
package enum WebSocketLibrary {
  /// Its version, as it says it itself.
  package static var version: String { lws_get_library_version().map { String(cString: $0) } ?? "unknown" }
}

/// OpenSSL is set up once for the whole process, by a context of no other use. Every context that sets it up replaces
/// the key under which libwebsockets finds a connection again while its certificate is checked, and a handshake that
/// was going on elsewhere would fail.
let isTLSReady: Bool = {
  lws_set_log_level(0, nil)
  var info = lws_context_creation_info()
  info.port = CONTEXT_PORT_NO_LISTEN
  info.gid = -1
  info.uid = -1
  info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
  guard let context = lws_create_context(&info) else { return false }
  lws_context_destroy(context)
  return true
}()

/// What connections are served by; the context keeps the pointer.
let protocolName: StaticString = "parley"

/// Call with the text as C has it, valid during the call; with nil where there is none.
func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
