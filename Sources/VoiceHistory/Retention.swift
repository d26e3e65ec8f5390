package import VoiceFoundation
package import VoiceRecording

/// How long sessions are kept, and how much space they may take.
package struct Retention: Sendable {
  /// A session that is not kept, and why.
  package struct Condemned: Sendable {
    package var place: SessionLibrary.Place
    package var bytes: Int64
    package var reason: String
  }

  private static let day = 86_400.0

  private let keepDays: Int?
  private let keepBytes: Int64?

  package init(keepDays: Int?, keepBytes: Int64?) {
    self.keepDays = keepDays
    self.keepBytes = keepBytes
  }

  /// The sessions that are not kept, oldest first.
  package func condemned(in library: SessionLibrary, now: Date) -> [Condemned] {
    var kept: Int64 = 0
    var condemned: [Condemned] = []
    let places = library.places().filter { SessionFolder(unchecked: $0.path).isParleys }
    for place in places.sorted(by: { $0.modified > $1.modified }) {
      let age = now.timeIntervalSince(place.modified)
      let bytes = SessionLibrary.size(of: place.path)
      if let keepDays, age > Double(keepDays) * Self.day {
        if !isOpen(place, age) {
          condemned.append(Condemned(place: place, bytes: bytes, reason: "\(Int(age / Self.day)) days old"))
          continue
        }
      } else if let keepBytes, kept + bytes > keepBytes, !isOpen(place, age) {
        condemned.append(Condemned(place: place, bytes: bytes, reason: "over \(sizeText(bytes: keepBytes))"))
        continue
      }
      kept += bytes
    }
    return condemned.reversed()
  }

  /// Whether the session may still be running, or has left something that a later one offers.
  private func isOpen(_ place: SessionLibrary.Place, _ age: Double) -> Bool {
    if FileStatus(place.path + "/running.lock") != nil { return true }
    guard age < Self.day else { return false }
    do {
      return try RecordedSession(place.path).history.outcome == nil
    } catch {
      return false
    }
  }

  /// Delete a session, and its folder if nothing else is in it. What is a link by now is left alone. Returns the names of what stays, as
  /// it is none of Parley's.
  @discardableResult package func delete(_ session: Condemned) throws(FileFailure) -> [String] {
    let path = session.place.path
    guard SessionLibrary.place(path) != nil else { return [] }
    let others = SessionFolder(unchecked: path).discard()
    guard SessionLibrary.place(path) == nil else {
      throw FileFailure("\(path) cannot be deleted. Change its permissions, or delete it yourself.")
    }
    return others
  }
}
