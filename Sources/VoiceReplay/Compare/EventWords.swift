import VoiceJSON
import VoiceRecording

extension Encodable {
  /// An event, an action or a timer in words, as a log has it.
  var words: String { JSON(encoding: self).words }
}
