import VoiceFoundation
import VoiceSystem

/// An image or a PDF that goes with an instruction.
package struct AgentAttachment: Equatable, Sendable {
  /// The file's name without its folder.
  package let name: String
  /// Such as `image/png`; known from the content, not from the name.
  package let mediaType: String
  /// The content in Base64.
  package let base64: String

  /// A file that is an image or a PDF by its first bytes, and not too large.
  package init(readingFile path: String) throws(AgentError) {
    let content: Data
    do throws(PlainFile.Refusal) {
      content = Data(try PlainFile.contents(path, links: .followed, limit: ConverseLimits.attachmentBytes))
    } catch .tooLarge(let limit) {
      throw AgentError("The attachment \(path) is larger than \(limit >> 20) MiB. Send a smaller one.")
    } catch {
      throw AgentError("The attachment \(path) cannot be read: \(error.reason). Name a file that is there.")
    }
    guard let mediaType = Self.mediaType(of: content) else {
      throw AgentError(
        "The attachment \(path) is no PNG, JPEG, WebP, GIF or HEIC image and no PDF. Convert it to one of them.")
    }
    self.init(name: path.split(separator: "/").last.map(String.init) ?? path, mediaType, content)
  }

  init(name: String, _ mediaType: String, _ content: Data) {
    self.name = name
    self.mediaType = mediaType
    base64 = content.base64EncodedString()
  }

  /// The file as a `data:` URL.
  var dataAddress: String { "data:\(mediaType);base64,\(base64)" }

  /// What a file is by its first bytes; nil for one that cannot be attached.
  static func mediaType(of content: Data) -> String? {
    if content.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if content.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if content.starts(with: "GIF8".utf8) { return "image/gif" }
    if content.starts(with: "%PDF".utf8) { return "application/pdf" }
    if content.starts(with: "RIFF".utf8), content.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
    // A box of this type comes first, with the brand of what the file holds.
    if content.dropFirst(4).starts(with: "ftyp".utf8) {
      switch String(decoding: content.dropFirst(8).prefix(4), as: UTF8.self) {
      case "heic", "heix", "hevc", "hevx": return "image/heic"
      case "mif1", "msf1", "heim", "heis": return "image/heif"
      default: return nil
      }
    }
    return nil
  }
}
