import VoiceFoundation
import VoiceSystem
import VoiceVocabulary

/// A file in an answer, such as an image that the model drew.
package struct AnswerFile: Equatable, Sendable {
  /// As the server calls it, such as `image/png`; one line without anything that could drive a terminal.
  package let mediaType: String
  /// The content in Base64.
  package let base64: String

  package init(mediaType: String, base64: String) {
    self.mediaType = mediaType.sanitized(limit: 80)
    self.base64 = base64
  }

  /// What its name ends with; of a type that is not known here, `bin`.
  fileprivate var suffix: String {
    [
      "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif", "image/heic": "heic",
      "audio/wav": "wav", "audio/mpeg": "mp3", "application/pdf": "pdf", "text/plain": "txt", "text/csv": "csv",
    ][mediaType.lowercased()] ?? "bin"
  }
}

extension ConversationStore {
  /// Write a file of an answer beside the conversation, for its owner alone; none that is there is replaced.
  ///
  /// - Returns: the path.
  func save(_ file: AnswerFile, beside conversation: AgentSessionID) throws(AgentError) -> String {
    guard let content = Data(base64Encoded: file.base64), !content.isEmpty else {
      throw AgentError("The answer has a file (\(file.mediaType)) that cannot be read: it is no Base64.")
    }
    try makeFolder()
    let beginning = String(try path(conversation).dropLast(Self.suffix.count))
    for number in 1...ConverseLimits.answerFiles {
      let path = "\(beginning)-\(number).\(file.suffix)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw failure("has a file that cannot be written", path) }
      defer { close(descriptor) }
      try write(Array(content), to: descriptor, path)
      return path
    }
    throw AgentError(
      "The conversation \(conversation.rawValue) has \(ConverseLimits.answerFiles) files; no more are kept.")
  }
}
