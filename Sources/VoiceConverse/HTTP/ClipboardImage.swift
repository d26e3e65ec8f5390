import VoiceFoundation
package import VoiceSystem

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
  /// - Parameters:
  ///   - searchPath: where they are looked for.
  ///   - milliseconds: how long each may take; it is ended then, with what it started.
  package init(
    clipboardBy searchPath: SearchPath, within milliseconds: Int = ConverseLimits.clipboardMilliseconds
  ) throws(AgentError) {
    let found = Self.readers.compactMap { reader in
      searchPath.executable(reader.program).map { ($0, reader.arguments) }
    }
    guard !found.isEmpty else {
      throw AgentError("No program here reads the clipboard. Install wl-clipboard, xclip or pngpaste, or name a file.")
    }
    var late: String?
    for (path, arguments) in found {
      guard let content = try Self.output(of: path, arguments, within: milliseconds) else {
        late = late ?? path
        continue
      }
      if let mediaType = Self.mediaType(of: content) {
        self.init(name: Self.clipboard, mediaType, content)
        return
      }
    }
    if let late {
      throw AgentError(
        "\(late) was asked for the clipboard and has not answered in \(milliseconds) ms, so it was ended. "
          + "Name a file instead.")
    }
    throw AgentError("There is no image in the clipboard. Copy one, or name a file.")
  }

  /// What a program prints, in a group of its own; nil if it has not closed its output in time. None of it is left in any case.
  private static func output(of path: String, _ arguments: String, within milliseconds: Int) throws(AgentError) -> Data?
  {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return Data() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let program = start(path, arguments.split(separator: " ").map(String.init), output: ends[1])
    close(ends[1])
    defer {
      close(ends[0])
      if let program {
        kill(-program, SIGKILL)
        while waitpid(program, nil, 0) == -1, errno == EINTR {}
      }
    }
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    var content = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let rest = Int32((deadline - ContinuousClock.now) / .milliseconds(1))
      var awaited = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      guard rest > 0 else { return nil }
      guard poll(&awaited, 1, rest) > 0 else { continue }
      let count = read(ends[0], &part, part.count)
      guard count > 0 else { return content }
      content += part.prefix(count)
      guard content.count <= ConverseLimits.attachmentBytes else {
        let limit = ConverseLimits.attachmentBytes >> 20
        throw AgentError("The image in the clipboard is larger than \(limit) MiB. Copy a smaller one.")
      }
    }
  }

  /// Start a program that writes here, and reads and complains nowhere; nil if that cannot be.
  private static func start(_ path: String, _ arguments: [String], output: Int32) -> pid_t? {
    #if canImport(Darwin)
      var (attributes, files): (posix_spawnattr_t?, posix_spawn_file_actions_t?)
    #else
      var (attributes, files) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawn_file_actions_init(&files)
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&files)
      for word in words { free(word) }
    }
    var program: pid_t = 0
    return posix_spawn(&program, path, &files, &attributes, &words, environ) == 0 ? program : nil
  }
}
