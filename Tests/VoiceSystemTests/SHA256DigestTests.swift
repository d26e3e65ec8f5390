import Testing
import VoiceSystem

struct SHA256DigestTests {
  /// The examples of FIPS 180-4, and texts whose length is at the edge of a block.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func theDigestIsThatOfThePublishedExamples(_ text: String, _ times: Int, _ expected: String) {
    let bytes = Array(String(repeating: text, count: times).utf8)
    // In whatever pieces it comes.
    for size in [bytes.count + 1, 63, 64, 65, 1_000] {
      var digest = SHA256Digest()
      for start in stride(from: 0, to: bytes.count, by: size) {
        digest.update(bytes[start..<min(start + size, bytes.count)])
      }
      let found = digest.finish()
      #expect(found == expected, "in pieces of \(size)")
    }
  }
}
