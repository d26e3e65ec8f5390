/// Opens files whose names may have been planted: what is in a session's folder may have come from somebody else, and so
/// may what is in the folders of the program itself, once others could write there.
///
/// Regular files only, so that no pipe, device or socket is waited for; and no symbolic link, so that nothing outside is
/// read or written under a name inside. Whatever opens a file of a session, of a fixture, of the index or of the state
/// folder does it here.
package enum PlainFile {
  /// Why a file is not opened.
  package enum Refusal: Error, Equatable, Sendable {
    /// It is a symbolic link.
    case link
    case folder
    /// A pipe, a device, a socket.
    case special
    /// It has more bytes than are read of such a file.
    case tooLarge(limit: Int)
    /// The system refused; the number is that of `errno`.
    case system(Int32)

    /// As a clause for people, behind "Cannot read PATH: ".
    package var reason: String {
      switch self {
      case .link: "it is a symbolic link, and links are not followed here"
      case .folder: "it is a folder, not a file"
      case .special: "it is a pipe, a device or a socket, not a regular file"
      case .tooLarge(let limit): "it has more than \(limit) bytes, which no such file has"
      case .system(let number): String(cString: strerror(number))
      }
    }

    /// What to do about it, as a sentence; empty where that is clear.
    package var remedy: String {
      switch self {
      case .link, .special, .folder, .tooLarge: "Remove it, or use another folder."
      case .system(ENOSPC), .system(EDQUOT), .system(EFBIG): "Free some space, or choose another folder."
      case .system(EACCES), .system(EPERM), .system(EROFS): "Choose another folder, or change its permissions."
      case .system: ""
      }
    }
  }

  /// What a name may be of.
  package enum Kind: Sendable {
    /// Or nothing that one may see.
    case nothing
    /// A regular file.
    case file
    case folder
    /// A symbolic link, wherever it leads.
    case link
    /// A pipe, a device, a socket.
    case special
  }

  /// What becomes of a name that is a symbolic link.
  package enum Links: Sendable {
    case refused
    /// For files that the user names himself.
    case followed
  }

  /// Open a file for reading. The descriptor belongs to the caller.
  package static func open(reading path: String, links: Links = .refused) throws(Refusal) -> Int32 {
    try open(path, O_RDONLY, links)
  }

  /// Open a file for writing, and make it if it is not there: for its owner alone. The descriptor belongs to the caller.
  ///
  /// - Parameter flags: such as `O_APPEND` or `O_EXCL`.
  package static func open(writing path: String, _ flags: Int32 = 0) throws(Refusal) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | flags, .refused)
  }

  /// Everything that is in a file, which has at most so many bytes: what a file claims costs nothing, what it holds would
  /// be in the memory.
  package static func contents(
    _ path: String, links: Links = .refused, limit: Int
  ) throws(Refusal) -> [UInt8] {
    let descriptor = try open(reading: path, links: links)
    defer { close(descriptor) }
    return try contents(descriptor, limit: limit)
  }

  /// Everything that is left in an open file, which has at most so many bytes.
  package static func contents(_ descriptor: Int32, limit: Int) throws(Refusal) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) != 0 || status.st_size <= limit else { throw .tooLarge(limit: limit) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(descriptor, into: &block)
      if count == 0 { break }
      // It may have grown meanwhile.
      guard count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
      bytes += block[..<count]
    }
    return bytes
  }

  /// The first bytes of a file, at most so many, and how many it has.
  package static func beginning(
    _ path: String, links: Links = .refused, limit: Int
  ) throws(Refusal) -> (bytes: [UInt8], size: Int) {
    let descriptor = try open(reading: path, links: links)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    let size = Int(status.st_size)
    var bytes: [UInt8] = []
    while bytes.count < min(size, limit) {
      var block = [UInt8](repeating: 0, count: min(size, limit) - bytes.count)
      let count = try read(descriptor, into: &block)
      if count == 0 { break }
      if count == block.count, bytes.isEmpty { return (block, size) }
      bytes += block[..<count]
    }
    return (bytes, size)
  }

  private static func read(_ descriptor: Int32, into block: inout [UInt8]) throws(Refusal) -> Int {
    do throws(Descriptors.Failure) {
      return try Descriptors.read(descriptor, into: &block)
    } catch {
      throw .system(error.number)
    }
  }

  /// Whether anything has this name, be it a link that leads nowhere.
  package static func isThere(_ path: String) -> Bool { kind(path) != .nothing }

  /// Whether nothing has this name, as far as one may look: what is a link that leads nowhere, or lies where nobody may enter, is not
  /// known to be missing.
  package static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Whether this is the name of a folder itself, and not of a link to one.
  package static func isFolder(_ path: String) -> Bool { kind(path) == .folder }

  /// What has this name itself.
  package static func kind(_ path: String) -> Kind {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .special
    }
  }

  /// Where the symbolic link of this name leads, as it is written in it; nil if it is none.
  package static func destination(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The whole path of what is there, with every link followed; nil if nothing is. A name with a NUL in it is nobody's: the system
  /// would take its beginning for it.
  package static func real(_ path: String) -> String? {
    guard !path.utf8.contains(0), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder that a file of this path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func open(_ path: String, _ flags: Int32, _ links: Links) throws(Refusal) -> Int32 {
    // Not blocking, so that a pipe cannot hold anybody up before it is known for one.
    let all = flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (links == .refused ? O_NOFOLLOW : 0)
    let descriptor = systemOpen(path, all, 0o600)
    guard descriptor >= 0 else { throw refusal(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let refusal = Refusal.system(errno)
      close(descriptor)
      throw refusal
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw status.st_mode & S_IFMT == S_IFDIR ? .folder : .special
    }
    return descriptor
  }

  /// What is in the way, where the number alone would not tell.
  private static func refusal(_ path: String, _ number: Int32) -> Refusal {
    guard [ELOOP, ENXIO, EISDIR, EEXIST].contains(number) else { return .system(number) }
    return switch kind(path) {
    case .link: .link
    case .folder: .folder
    case .special: .special
    case .file, .nothing: .system(number)
    }
  }
}

/// `open(2)`, which a method of the same name would hide.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
