import VoiceLanguage
import VoiceVocabulary

// What the guide says about words in the text of the files.

extension GuideTurn {
  /// Tell where the files have these words.
  func search(_ query: SearchQuery) async throws {
    let listing = try await folder.files()
    let wanted = query.words.joined(separator: " ")
    for attempt in SearchAttempt.all(for: query) {
      let places = try await withTool("search", "Search for \(attempt.spoken)") { report in
        var places: [SearchPlace] = []
        try await eachText(of: listing.paths) { path, contents in
          if places.count < 10_000 { places += attempt.places(in: contents.bytes, of: path) }
        }
        report.locations = places.map { .init(path: $0.path, line: $0.line) }
        report.text = places.prefix(GuideLimits.locations).map { "\($0.path):\($0.line): \($0.text)" }.joined(
          separator: "\n")
        return places
      }
      if places.isEmpty { continue }
      if attempt.spoken != wanted { say("Nothing says \(wanted), so I looked for \(attempt.spoken).") }
      speak(places, attempt)
      return
    }
    say("I found no place that says \(wanted).")
  }

  private func speak(_ places: [SearchPlace], _ attempt: SearchAttempt) {
    var files: [(path: String, lines: [Int])] = []
    for place in places {
      if files.last?.path == place.path {
        files[files.count - 1].lines.append(place.line)
      } else {
        files.append((place.path, [place.line]))
      }
    }
    let noun =
      switch attempt.focus {
      case .calls: Speakable.count(places.count, "call") + " of"
      case .declarations: Speakable.count(places.count, "declaration") + " of"
      case .mentions: Speakable.count(places.count, "place") + " with"
      }
    say("I found \(noun) \(attempt.spoken), in \(Speakable.count(files.count, "file")).")
    for file in files.prefix(GuideLimits.spokenItems) {
      let lines = Speakable.list(file.lines.map(String.init), limit: 4)
      say("\(fileName(file.path)), \(Counted(file.lines.count, "line").noun) \(lines).")
    }
    if files.count > GuideLimits.spokenItems {
      say("And \(Speakable.count(files.count - GuideLimits.spokenItems, "more file", "more files")).")
    }
    if places.count == 1 { say("It says: \(Speakable.line(places[0].text, limit: 160).asSentence)") }
  }
}
