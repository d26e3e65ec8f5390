#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The image that was copied last, as a program on the search path gives it: there is no other way that every desktop has.
extension AgentAttachment {
  /// What stands for it where a file may be named; a file of that name is `./clipboard`.
  package static let clipboard = "clipboard"

  /// What reads a clipboard, and how it is asked for an image: Wayland, X11, macOS.
  private static let readers = [
    (program: "wl-paste", arguments: "--no-newline --type image/png"),
    (program: "xclip", arguments: "-selection clipboard -target image/png -out"),
    (program: "pngpaste", arguments: "-"), (program: "pbpaste", arguments: "-Prefer png"),
  ]

  /// Ask each program that is there until one has an image.
  /// - Parameter searchPath: where they are looked for, as `PATH` has it.
  package init(clipboardBy searchPath: String) throws(Failure) {
    let folders = searchPath.split(separator: ":")
    let found = Self.readers.compactMap { reader -> (String, String)? in
      let path = folders.lazy.map { "\($0)/\(reader.program)" as String }.first { access($0, X_OK) == 0 }
      return path.map { ($0, reader.arguments) }
    }
    guard !found.isEmpty else {
      throw Failure(
        description: "No program here reads the clipboard. Install wl-clipboard, xclip or pngpaste, or name a file.")
    }
    for (path, arguments) in found {
      let content = try Self.output(
        of: "'\(path.split(separator: "'").joined(separator: "'\\''"))' \(arguments) 2>/dev/null")
      if let mediaType = Self.mediaType(of: content) {
        self.init(name: Self.clipboard, mediaType, content)
        return
      }
    }
    throw Failure(description: "There is no image in the clipboard. Copy one, or name a file.")
  }

  /// What a command of the shell prints.
  private static func output(of command: String) throws(Failure) -> Data {
    guard let pipe = popen(command, "r") else { return Data() }
    defer { pclose(pipe) }
    var content = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, pipe), count > 0 {
      content += part.prefix(count)
      guard content.count <= ConverseLimits.attachmentBytes else {
        let limit = ConverseLimits.attachmentBytes >> 20
        throw Failure(description: "The image in the clipboard is larger than \(limit) MiB. Copy a smaller one.")
      }
    }
    return content
  }
}
