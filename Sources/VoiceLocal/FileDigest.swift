import VoiceSystem
import VoiceVocabulary

extension SHA256Digest {
  /// The digest of a file in lower-case hexadecimal; nil when it cannot be read.
  static func ofFile(_ path: String) -> String? {
    do {
      let descriptor = try PlainFile.open(reading: path, links: .followed)
      defer { close(descriptor) }
      var digest = SHA256Digest()
      var block = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = try Descriptors.read(descriptor, into: &block)
        if count == 0 { return digest.finish() }
        digest.update(block[..<count])
      }
    } catch {
      return nil
    }
  }
}
