import VoiceVocabulary

/// A session's speech as captions (WebVTT), in the time of its sound files: what the user said, and what was spoken.
package enum WebVTTExport {
  private struct Cue {
    var start: SessionTime
    var end: SessionTime
    var voice: String
    var text: String
  }

  /// The shortest time that a caption is shown.
  private static let shortestMilliseconds = 500

  /// The whole file.
  package static func captions(_ session: RecordedSession) -> String {
    let history = session.history
    var cues = history.turns.compactMap { turn -> Cue? in
      // What is offered again was said once: where its words were heard first.
      guard turn.again == nil else { return nil }
      guard !turn.heard.trimmingWhitespace().isEmpty, let heard = turn[.transcribed] ?? turn[.proposed] else {
        return nil
      }
      let start = turn[.speechStarted] ?? heard
      return Cue(start: start, end: turn[.speechEnded] ?? heard, voice: "You", text: turn.heard)
    }
    cues += history.pieces.compactMap { piece in
      guard let started = piece.started, !piece.text.trimmingWhitespace().isEmpty else { return nil }
      let voice = piece.purpose == .model ? "Live model" : "Parley"
      return Cue(
        start: started.time, end: piece.ended?.time ?? history.duration, voice: voice, text: piece.text)
    }
    cues.sort { $0.start < $1.start }
    let blocks = cues.enumerated().map { index, cue in
      let end = max(cue.end, cue.start.advanced(byMilliseconds: shortestMilliseconds))
      return "\(index + 1)\n\(time(cue.start)) --> \(time(end))\n<v \(cue.voice)>\(escape(cue.text))\n"
    }
    return (["WEBVTT\n"] + blocks).joined(separator: "\n")
  }

  /// With hours, which are optional, so that a long session stays valid.
  private static func time(_ time: SessionTime) -> String {
    let hour: Int64 = 3_600_000_000
    return String(time.microseconds / hour).zeroPadded(to: 2) + ":"
      + SessionTime(microseconds: time.microseconds % hour).clock
  }

  private static func escape(_ text: String) -> String {
    text.sanitized(limit: 100_000).trimmingWhitespace().escapedForMarkup()
  }
}
