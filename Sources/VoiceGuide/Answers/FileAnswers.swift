import VoiceLanguage
import VoiceSystem
import VoiceVocabulary

// What the guide says about files: their names, their number, and what stands in them.

extension GuideTurn {
  /// Tell the files of a folder.
  func listFiles(in name: String?, language: Language?) async throws {
    let listing = try await withTool("read", "List files" + (name.map { " in \($0)" } ?? "")) { report in
      let listing = try await folder.files()
      report.text = listing.paths.prefix(200).joined(separator: "\n")
      return listing
    }
    var prefix = ""
    if let name {
      guard let found = folderNamed(name, in: listing.paths) else {
        say("There is no folder called \(name) with files in it.")
        return
      }
      prefix = found + "/"
    }
    var paths = listing.paths.filter { $0.hasPrefix(prefix) }
    if let language { paths = paths.filter { Language.of($0) == language } }
    let place = prefix.isEmpty ? "here" : "in \(prefix.dropLast())"
    if let language {
      say("\(Counted.there([Counted(paths.count, "\(language.name) file")])) \(place).")
      if !paths.isEmpty { say("\(Speakable.list(paths.map(fileName))).") }
      return
    }
    if paths.isEmpty {
      say("The folder is empty.")
      return
    }
    let inside = paths.map { $0.dropFirst(prefix.count) }
    let files = inside.filter { !$0.contains("/") }.map(String.init)
    var folders: [String] = []
    for path in inside {
      if let slash = path.firstIndex(of: "/"), folders.last != String(path[..<slash]) {
        folders.append(String(path[..<slash]))
      }
    }
    folders = Array(Set(folders)).sorted()
    let things = [Counted(files.count, "file"), Counted(folders.count, "folder")]
    say(
      "\(Counted.there(things.filter { $0.number > 0 })) \(place)"
        + (folders.isEmpty ? "." : ", with \(Speakable.count(paths.count, "file")) in all."))
    for (thing, names) in zip(things, [files, folders]).reversed() where !names.isEmpty {
      say("The \(thing.noun) \(thing.verb("is", "are")) \(Speakable.list(names)).")
    }
    if !listing.isComplete { say("There are more files than I look at.") }
  }

  /// Tell where files of this name are.
  func findFiles(_ name: String) async throws {
    let listing = try await withTool("search", "Find files named \(name)") { report in
      let listing = try await folder.files()
      let found = FileNames.matching(name, in: listing.paths)
      report.locations = found.map { .init(path: $0, line: nil) }
      return found
    }
    if listing.isEmpty {
      say("I found no file called \(name).")
    } else {
      say("I found \(Speakable.count(listing.count, "file")): \(Speakable.list(listing.map(spokenPath))).")
    }
  }

  /// Read a file out, or these lines of it.
  func readFile(_ name: String, lines: LineSpan?) async throws {
    let listing = try await folder.files()
    switch FileNames.best(name, in: listing.paths) {
    case .none:
      if let found = folderNamed(name, in: listing.paths) {
        try await listFiles(in: found, language: nil)
      } else {
        say("I found no file called \(name).")
      }
    case .several(let paths):
      say("I found several: \(Speakable.list(paths.map(spokenPath))). Say which one.")
    case .one(let path):
      let result = try await withTool("read", "Read \(path)") { report in
        report.locations = [.init(path: path, line: nil)]
        let result = contents(of: path)
        if case .success(let contents) = result, !contents.isBinary {
          report.text = excerpt(contents, lines ?? .from(1, through: 40)).joined(separator: "\n")
        } else {
          report.failed = true
        }
        return result
      }
      switch result {
      case .failure(let obstacle): say(sentence(obstacle, path))
      case .success(let contents): speak(contents, of: path, lines: lines)
      }
    }
  }

  private func speak(_ contents: WorkingFolder.Contents, of path: String, lines: LineSpan?) {
    let name = fileName(path)
    if contents.size == 0 {
      say("\(name) is empty.")
      return
    }
    if contents.isBinary {
      say("\(name) is not text. It has \(Speakable.size(contents.size)).")
      return
    }
    if let lines {
      let wanted = excerpt(contents, lines)
      if wanted.isEmpty {
        say("\(name) has only \(Speakable.count(contents.lines, "line")).")
      } else {
        for line in wanted.prefix(10) where line.contains(where: \.isLetter) {
          say(Speakable.line(line, limit: 120).asSentence)
        }
      }
      return
    }
    let language = Language.of(path)
    let isProse = language?.name == "Markdown" || language == nil
    let size = (contents.isWhole ? "" : "more than ") + Speakable.count(contents.lines, "line")
    let kind = isProse || language == nil ? "" : " of \(language?.name ?? "")"
    say("\(name) has \(size)\(kind).")
    if isProse {
      let outline = Outline(prose: contents.beginning)
      if let title = outline.title { say("Its title is: \(Speakable.line(title).asSentence)") }
      if let opening = outline.opening { say(Speakable.line(opening).asSentence) }
    } else {
      let outline = Outline(code: contents.beginning)
      if let opening = outline.opening { say("It begins: \(Speakable.line(opening).asSentence)") }
      if !outline.types.isEmpty {
        say(
          "It declares \(Speakable.list(outline.types)), with \(Speakable.count(outline.functions.count, "function")).")
      } else if !outline.functions.isEmpty {
        say("Its functions are \(Speakable.list(outline.functions)).")
      } else if outline.opening == nil {
        let first = contents.beginning.lines.first { $0.contains(where: \.isLetter) } ?? ""
        if !first.isEmpty { say("It begins: \(Speakable.line(first, limit: 120).asSentence)") }
      }
    }
    if !contents.isWhole { say("It is large, \(Speakable.size(contents.size)), and I read only its beginning.") }
  }

  /// Tell how many files there are.
  func countFiles(in folderName: String?, _ language: Language?) async throws {
    let listing = try await withTool("read", "Count files") { _ in try await folder.files() }
    guard let place = place(folderName, in: listing.paths) else { return sayNoPlace(folderName) }
    let paths = place.paths.filter { language == nil || Language.of($0) == language }
    let noun = language.map { "\($0.name) file" } ?? "file"
    let files = Counted(paths.count, noun)
    let number = (listing.isComplete ? "" : "more than ") + files.spoken
    let counts = Dictionary(paths.compactMap { Language.of($0)?.name }.map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
      .map { Speakable.count($0.value, "\($0.key) file") }
    let among = language == nil && paths.count > 1 && !most.isEmpty ? ", among them \(Speakable.list(most))" : ""
    say("There \(files.verb("is", "are")) \(number)\(place.name)\(among).")
  }

  /// Tell how many lines a file or a folder has.
  func countLines(in placeName: String?, _ language: Language?) async throws {
    let listing = try await folder.files()
    let match = placeName.map { FileNames.best($0, in: listing.paths) } ?? .none
    if case .one(let path) = match, folderNamed(placeName ?? "", in: listing.paths) == nil {
      switch contents(of: path) {
      case .failure(let obstacle): say(sentence(obstacle, path))
      case .success(let contents):
        say("\(fileName(path)) has \(contents.isWhole ? "" : "more than ")\(Speakable.count(contents.lines, "line")).")
      }
      return
    }
    guard let place = place(placeName, in: listing.paths) else {
      if case .several(let paths) = match {
        return say("I found several: \(Speakable.list(paths.map(spokenPath))). Say which one.")
      }
      return sayNoPlace(placeName)
    }
    let title = language.map { "Count lines of \($0.name)" } ?? "Count lines"
    let counts = try await withTool("read", title) { report in
      var counts: [String: LineCount] = [:]
      try await eachText(of: place.paths.filter { language == nil || Language.of($0) == language }) { path, contents in
        let name = Language.of(path)?.name ?? "other text"
        let before = counts[name] ?? LineCount(name: name, files: 0, lines: 0)
        counts[name] = LineCount(name: name, files: before.files + 1, lines: before.lines + contents.lines)
      }
      let sorted = counts.values.sorted { ($1.lines, $0.name) < ($0.lines, $1.name) }
      report.text = sorted.map {
        "\($0.name): \(Counted($0.lines, "line").digits) in \(Counted($0.files, "file").digits)"
      }.joined(separator: "\n")
      return sorted
    }
    let lines = counts.map(\.lines).reduce(0, +)
    let files = counts.map(\.files).reduce(0, +)
    let ofWhat = language.map { " of \($0.name)" } ?? ""
    say("\(Counted.there([Counted(lines, "line")]))\(ofWhat) in \(Speakable.count(files, "file"))\(place.name).")
    if language == nil, counts.count > 1 {
      let parts = counts.prefix(3).map { "\(Speakable.count($0.lines, "line")) of \($0.name)" }
      say("Most are \(Speakable.list(parts)).")
    }
  }

  private struct LineCount: Sendable {
    var name: String
    var files: Int
    var lines: Int
  }

  /// Tell what the folder is about, by its readme and its files.
  func describeRepository() async throws {
    let listing = try await folder.files()
    let readme = listing.paths.filter { !$0.contains("/") && $0.lowercased().hasPrefix("readme") }.first
    guard let readme, case .success(let contents) = contents(of: readme), !contents.isBinary else {
      say("There is no readme that would say what this is.")
      try await countFiles(in: nil, nil)
      return
    }
    let outline = try await withTool("read", "Read \(readme)") { report in
      report.locations = [.init(path: readme, line: nil)]
      return Outline(prose: contents.beginning)
    }
    if let title = outline.title { say("The readme calls it \(Speakable.line(title).asSentence)") }
    if let opening = outline.opening {
      say(Speakable.line(opening).asSentence)
    } else {
      say("The readme has no paragraph that I could read out.")
    }
  }

  // Shared with the other answers.

  /// Visit the text of each file, within the limits; links, binary files and files with keys are left out.
  func eachText(of paths: [String], _ visit: (String, WorkingFolder.Contents) -> Void) async throws {
    var total = 0
    for path in paths {
      // Let a cancellation through also where one thread serves everything.
      await Task.yield()
      try Task.checkCancellation()
      guard total < GuideLimits.totalBytes, PlainFile.kind(folder.absolute(path)) == .file,
        case .success(let contents) = contents(of: path), !contents.isBinary
      else { continue }
      total += contents.bytes.count
      visit(path, contents)
    }
  }

  /// The last part of a path, as it can be spoken.
  func fileName(_ path: String) -> String { Speakable.line(path.split(separator: "/").last ?? "", limit: 80) }

  /// "login.swift in Sources".
  func spokenPath(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return fileName(path) }
    return "\(fileName(path)) in \(Speakable.line(path[..<slash], limit: 80))"
  }

  private func contents(of path: String) -> Result<WorkingFolder.Contents, WorkingFolder.Obstacle> {
    do throws(WorkingFolder.Obstacle) { return .success(try folder.read(path)) } catch { return .failure(error) }
  }

  private func sentence(_ obstacle: WorkingFolder.Obstacle, _ path: String) -> String {
    let name = fileName(path)
    return switch obstacle {
    case .missing: "\(name) is not there any more."
    case .outside: "\(name) points outside the working folder, so I do not read it."
    case .notAFile: "\(name) is not a file that can be read."
    case .secret: "\(name) usually holds keys or passwords, so I do not read it."
    case .unreadable: "I am not allowed to read \(name)."
    }
  }

  private func excerpt(_ contents: WorkingFolder.Contents, _ span: LineSpan) -> [String] {
    let all = contents.text.lines.prefix(contents.lines)
    return switch span {
    case .from(let first, let last): all.prefix(last).dropFirst(first - 1).map(String.init)
    case .last(let count): all.suffix(count).map(String.init)
    }
  }

  /// The files in a folder and " in Sources" to speak of it; everything if no folder is named, nil if there is none.
  private func place(_ name: String?, in paths: [String]) -> (name: String, paths: [String])? {
    guard let name else { return ("", paths) }
    guard let found = folderNamed(name, in: paths) else { return nil }
    return (" in \(Speakable.line(found, limit: 80))", paths.filter { $0.hasPrefix(found + "/") })
  }

  private func sayNoPlace(_ name: String?) { say("I found no file or folder called \(name ?? "that").") }

  private func folderNamed(_ name: String, in paths: [String]) -> String? {
    let wanted = FileNames.squashed(name)
    var folders: Set<String> = []
    for path in paths {
      var path = path[...]
      while let slash = path.lastIndex(of: "/") {
        path = path[..<slash]
        folders.insert(String(path))
      }
    }
    return folders.filter { folder in
      FileNames.squashed(folder) == wanted || FileNames.squashed(folder.split(separator: "/").last ?? "") == wanted
    }.min { ($0.count, $0) < ($1.count, $1) }
  }
}
