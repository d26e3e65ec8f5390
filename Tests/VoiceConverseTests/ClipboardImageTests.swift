import Testing
import VoiceConverse
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct ClipboardImageTests {
  /// A stand-in that prints this, for each program that reads a clipboard.
  @Test(arguments: ["wl-paste", "xclip", "pngpaste", "pbpaste"]) func whatWasCopiedLastIsAttached(_ program: String)
    throws
  {
    let folder = try TemporaryFolder()
    func find() throws -> AgentAttachment { try AgentAttachment(clipboardBy: "/nowhere:\(folder.path)") }
    let none = #expect(throws: AgentAttachment.Failure.self) { try find() }
    #expect(none?.description.contains("Install wl-clipboard, xclip or pngpaste, or name a file.") == true)
    for (printed, words) in [
      ("words", "There is no image in the clipboard."), ("", "There is no image in the clipboard."),
      ("\u{89}PNG", nil),
    ] as [(String, String?)] {
      let bytes = printed.unicodeScalars.map { UInt8($0.value) }
      try Data(bytes).write(to: URL(filePath: folder.path + "/copied"))
      let path = folder.path + "/" + program
      try Data("#!/bin/sh\nexec cat '\(folder.path)/copied'\n".utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      if let words {
        let refusal = #expect(throws: AgentAttachment.Failure.self) { try find() }
        #expect(refusal?.description.hasPrefix(words) == true)
      } else {
        let image = try find()
        #expect(image.mediaType == "image/png" && image.base64 == Data(bytes).base64EncodedString())
      }
    }
  }
}
