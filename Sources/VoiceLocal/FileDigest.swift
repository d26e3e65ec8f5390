import VoiceSystem
import VoiceVocabulary

extension SHA256Digest {
  /// The digest of a file in lower-case hexadecimal; nil when it cannot be read.
  static func ofFile(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var digest = SHA256Digest()
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count: Int
      do { count = try Descriptors.read(descriptor, into: &block) } catch { return nil }
      if count == 0 { return digest.finish() }
      digest.update(block[..<count])
    }
  }
}
