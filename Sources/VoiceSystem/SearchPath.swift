/// The folders in which a program is looked up by its name.
package struct SearchPath {
  private let folders: [Substring]

  /// - Parameter path: as `PATH` has it; nil where it is not set.
  package init(_ path: String? = getenv("PATH").map { String(cString: $0) }) {
    folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
  }

  /// The path of the first executable file of this name; nil if there is none.
  package func executable(_ name: String) -> String? {
    folders.lazy.map { "\($0)/\(name)" }.first { path in
      var status = stat()
      return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }
}
