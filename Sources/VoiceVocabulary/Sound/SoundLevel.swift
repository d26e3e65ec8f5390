/// How loud it is at the microphone, as far as utterances are told apart by it.
package enum SoundLevel: String, Sendable, Codable, CaseIterable {
  /// Louder than the room: somebody may be speaking.
  case sound
  /// No sound for a moment: longer than the stop inside a word.
  case pause
  /// No sound for nearly as long as a server needs to take the utterance for ended.
  case silence
}
