import VoiceFoundation
package import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// What an agent wants done to a file of the working folder.
package struct FileRequest: Equatable, Sendable {
  /// What is to be done with the file.
  package enum Operation: Equatable, Sendable {
    /// From this line, counted from 1, at most so many lines.
    case read(line: Int?, limit: Int?)
    case write(content: String)
  }

  /// The agent's own identifier of its request, echoed in the answer.
  package var request: JSON
  package var path: String
  package var operation: Operation
  /// The files, or folders, that the user did not allow to be changed in this run, or has not allowed yet.
  package var denied: Set<String> = []
}

/// The files that an agent may read and write through us: those of its working folder, links followed. What leads out of
/// it is refused.
struct WorkingFolderFiles: Sendable {
  private let folder: String

  /// - Parameter folder: absolute.
  init(_ folder: String) { self.folder = folder }

  /// Do what is asked, and say what came of it. Blocks for as long as the file system does.
  func answer(_ request: FileRequest) -> Result<JSON, RPCError> {
    guard let path = inside(request.path) else {
      let words = "\(request.path) is outside the working folder, and is neither read nor written"
      return .failure(RPCError(code: RPCError.invalidParameters, message: words))
    }
    switch request.operation {
    case .read(let line, let limit): return read(path, line: line, limit: limit)
    case .write(let content):
      // Of a folder, all that is in it.
      let denied = request.denied.compactMap(inside)
      guard !denied.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
        let words = "\(request.path) is not written: the user has not allowed it"
        return .failure(RPCError(code: RPCError.invalidParameters, message: words))
      }
      return write(content, to: path)
    }
  }

  private func read(_ path: String, line: Int?, limit: Int?) -> Result<JSON, RPCError> {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        return .failure(RPCError(code: RPCError.invalidParameters, message: "\(path) is not a file"))
      }
      guard (attributes[.size] as? Int ?? 0) <= ConverseLimits.fileBytes else {
        return .failure(RPCError(code: RPCError.invalidParameters, message: "\(path) is too large"))
      }
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      guard line != nil || limit != nil else { return .success(["content": .string(text)]) }
      let lines = text.lines
      let part = lines.dropFirst(max(1, line ?? 1) - 1).prefix(max(0, limit ?? lines.count))
      return .success(["content": .string(part.joined(separator: "\n"))])
    } catch {
      return .failure(RPCError(code: RPCError.notFound, message: "\(path) cannot be read"))
    }
  }

  private func write(_ content: String, to path: String) -> Result<JSON, RPCError> {
    // A pipe would be waited for, and a device is nobody's text.
    guard [.nothing, .file].contains(PlainFile.kind(path)) else {
      return .failure(RPCError(code: RPCError.invalidParameters, message: "\(path) is not a file"))
    }
    do {
      let parent = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try Data(content.utf8).write(to: URL(filePath: path))
      return .success([:])
    } catch {
      return .failure(RPCError(code: RPCError.invalidParameters, message: "\(path) cannot be written"))
    }
  }

  /// The real path of a file in the folder, which need not be there; nil if it is, or leads, outside.
  private func inside(_ path: String) -> String? {
    guard let root = PlainFile.real(folder) else { return nil }
    let absolute = path.hasPrefix("/") ? path : root + "/" + path
    // What exists of the path is followed to where it really is; what does not exist must not climb.
    var missing: [Substring] = []
    var existing = absolute.split(separator: "/")
    while !PlainFile.isThere("/" + existing.joined(separator: "/")) {
      guard let last = existing.popLast(), last != ".." else { return nil }
      missing.insert(last, at: 0)
    }
    // A link that leads nowhere exists, but has no real path: to write to it would write outside.
    guard let base = PlainFile.real("/" + existing.joined(separator: "/")) else { return nil }
    guard base == root || base.hasPrefix(root == "/" ? "/" : root + "/") else { return nil }
    return ([base] + missing.filter { $0 != "." }.map(String.init)).joined(separator: "/")
  }
}
