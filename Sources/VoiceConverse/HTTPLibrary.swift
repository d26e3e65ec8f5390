import CCurl

/// The library below the HTTP agents.
package enum HTTPLibrary {
  /// Its version and those of the libraries it uses, as it says them itself.
  package static var version: String { curl_version().map { String(cString: $0) } ?? "unknown" }
}
