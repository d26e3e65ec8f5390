package import VoiceHistory
import VoiceRecording
import VoiceVocabulary

/// A search without an index: reads every log. What the index is measured against, and what works in a folder that cannot
/// be written to.
package struct LibraryScan {
  private let library: SessionLibrary

  package init(_ library: SessionLibrary) { self.library = library }

  /// As `SessionIndex.search`, and whether all of the sessions that were looked into could be read.
  package func search(
    _ words: String, kinds: [String] = [], since: String? = nil, limit: Int = 200
  ) -> (findings: [SessionIndex.Finding], isWhole: Bool) {
    let wanted = Self.words(words)
    guard !wanted.isEmpty else { return ([], true) }
    var findings: [SessionIndex.Finding] = []
    var isWhole = true
    for place in library.places().reversed() {
      let session: RecordedSession
      do {
        session = try RecordedSession(place.path)
      } catch {
        isWhole = false
        continue
      }
      if let since, session.manifest?.started ?? "" < since { continue }
      if session.damage != nil { isWhole = false }
      for entry in session.history.entries.reversed() {
        guard kinds.isEmpty || kinds.contains(entry.text.label) else { continue }
        let found = Self.words(entry.text.text)
        guard wanted.allSatisfy({ word in found.contains { $0.hasPrefix(word) } }) else { continue }
        findings.append(
          .init(
            session: place.name, turn: entry.turn, time: entry.moment.time, kind: entry.text.label,
            text: entry.text.text))
        if findings.count == limit { return (findings, isWhole) }
      }
    }
    return (findings, isWhole)
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}
