package import VoiceFoundation
import VoiceHistory
import VoiceRecording

/// A session of a library of which nothing can be read.
package struct UnreadableSession: Equatable, Sendable {
  package let name: String
  /// As a sentence.
  package let reason: String
  /// When its log was last written, or the folder, if it has none.
  package let modified: Date

  init(_ place: SessionLibrary.Place, _ error: FileFailure) {
    (name, reason, modified) = (place.name, "\(error)", place.modified)
  }
}
