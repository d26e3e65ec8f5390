extension FileManager {
  /// The names in a folder, in order; none where there is no such folder, or it cannot be read.
  package func names(in folder: String) -> [String] {
    do { return try contentsOfDirectory(atPath: folder).sorted() } catch { return [] }
  }

  /// Make a folder for its owner alone, with those above it that are not there.
  package func makePrivateFolder(_ path: String) throws {
    try createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
