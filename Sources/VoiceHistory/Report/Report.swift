import VoiceFoundation
import VoiceJSON
import VoiceLanguage
package import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A session as one HTML page that needs nothing else: lanes on a time axis, sound, latencies, transcript, and the log
/// line behind each mark. Its own policy forbids it the network.
package struct Report {
  private let session: RecordedSession
  private let sounds: [ReportSound]
  /// What is not in the page, as sentences.
  private let missing: [String]
  /// The length of the time axis.
  private let duration: SessionTime
  private var html = ""

  /// The page of a session.
  ///
  /// - Throws: if there is sound that cannot be read.
  package static func page(_ session: RecordedSession) throws(FileFailure) -> String {
    var report = try Report(session)
    report.write()
    return report.html
  }

  private init(_ session: RecordedSession) throws(FileFailure) {
    self.session = session
    var sounds: [ReportSound] = []
    var missing: [String] = []
    for (title, path, rate) in [
      ("Microphone", session.folder.sound(.microphone), PCM.microphoneRate),
      ("Speaker", session.folder.sound(.speaker), PCM.speakerRate),
    ] {
      do {
        if let sound = try ReportSound(title, sound: path, rate: rate) { sounds.append(sound) }
      } catch {
        guard case .noSound(let reason) = error else { throw FileFailure(error.description) }
        missing.append(reason)
      }
    }
    (self.sounds, self.missing) = (sounds, missing)
    let longest = sounds.map { SessionTime.milliseconds(Int64($0.milliseconds)) }.max() ?? .zero
    duration = max(session.history.duration, longest, .milliseconds(1))
  }

  private mutating func add(_ text: String) { html += text + "\n" }

  private mutating func write() {
    add(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'sha256-\(Self.scriptDigest)'; media-src data:; img-src data:; base-uri 'none'; form-action 'none'">
      <link rel="icon" href="data:,">
      <title>Session \(escape(session.name))</title>
      <style>
      \(ReportStyle.css)
      </style>
      </head>
      <body>
      """)
    head()
    controls()
    lanes()
    add(#"<div class="detail" role="status" aria-live="polite"><p>Choose a mark.</p><pre></pre></div>"#)
    latencies()
    reasons()
    transcript()
    for (index, sound) in sounds.enumerated() {
      add(#"<audio id="track\#(index)" preload="auto" src="\#(sound.address)"></audio>"#)
    }
    add(#"<script type="application/json" id="lines">\#(logLines())</script>"#)
    add("<script>\(Self.script)</script>\n</body>\n</html>")
  }

  private static let script = "\n\(ReportScript.javascript)\n"

  /// The page's own script is the only one that runs: whatever is smuggled in among the words of others does not.
  private static var scriptDigest: String {
    var digest = SHA256Digest()
    digest.update(Array(script.utf8)[...])
    return Data(digest.finishBytes()).base64EncodedString()
  }

  // MARK: Parts, top to bottom

  private mutating func head() {
    let history = session.history
    let turns = Counted(history.turns.count, "turn").digits
    let outcome =
      switch history.outcome {
      case .completed: "completed"
      case .terminated(let signal): "ended by \(signal)"
      case .failed(let reason): "failed: \(reason)"
      case nil: "its log has no end"
      }
    let facts = [
      session.manifest?.started, durationText(microseconds: history.duration.microseconds), turns,
      history.settings.map { "\($0.mode.rawValue) mode" }, history.agent?.name, session.manifest?.program, outcome,
    ]
    add("<h1>Session \(escape(session.name))</h1>")
    add("<p class=\"facts\">\(escape(facts.compactMap { $0 }.joined(separator: " · ")))</p>")
    for damage in [session.damage].compactMap(\.self) + missing { add("<p class=\"damage\">\(escape(damage))</p>") }
  }

  private mutating func controls() {
    let mutes = sounds.enumerated().map { index, sound in
      #"<label><input type="checkbox" data-mute="track\#(index)" checked> \#(sound.title)</label>"#
    }
    add(
      """
      <div class="controls">
      <button id="play"\(sounds.isEmpty ? " disabled" : "")>Play</button><output id="clock">00:00.000</output>
      \(sounds.isEmpty ? "<span>no sound was recorded</span>" : mutes.joined())
      <button id="wider" aria-label="Show more time">−</button><button id="closer" aria-label="Show less time">+</button>
      <span class="keys"><kbd>p</kbd> play · <kbd>←</kbd><kbd>→</kbd> next mark · <kbd>↑</kbd><kbd>↓</kbd> other lane · \
      <kbd>,</kbd><kbd>.</kbd> a second · <kbd>+</kbd><kbd>-</kbd> zoom</span>
      </div>
      """)
  }

  private mutating func lanes() {
    let marks = session.history.marks
    let rows = Lane.allCases.map { lane in (lane: lane, rows: Self.packed(marks.filter { $0.lane == lane })) }
    add(#"<div class="lanes"><div class="names"><div class="axis">Time</div>"#)
    for sound in sounds { add(#"<div style="height:3.4rem">\#(sound.title)</div>"#) }
    for (lane, rows) in rows { add(#"<div style="height:\#(Self.height(rows.count))">\#(lane.title)</div>"#) }
    add(#"</div><div class="scroll"><div class="rows" data-seconds="\#(duration.seconds)"><div class="axis"></div>"#)
    for sound in sounds { wave(sound) }
    for (lane, rows) in rows {
      add(#"<div class="row" data-row="\#(lane.rawValue)" style="height:\#(Self.height(rows.count))">"#)
      for (index, row) in rows.enumerated() {
        for mark in row { add(button(mark, row: index)) }
      }
      add("</div>")
    }
    add(#"<div class="head"></div></div></div></div>"#)
  }

  private mutating func wave(_ sound: ReportSound) {
    let width = Double(sound.milliseconds) / 1000 / duration.seconds
    add(
      """
      <div class="row wave" data-row="\(sound.title.lowercased())" style="height:3.4rem"><svg role="img" \
      aria-label="\(sound.title): how loud it was" preserveAspectRatio="none" style="width:\(percent(width))" \
      viewBox="0 0 \(max(1, sound.waveform.peaks.count)) 200"><path d="\(sound.waveform.path)"/></svg></div>
      """)
  }

  /// Rows of one lane: what more overlaps than a page can show stands in the last.
  private static let mostRows = 60

  /// Marks that overlap stand below each other.
  private static func packed(_ marks: [Mark]) -> [[Mark]] {
    var rows: [[Mark]] = []
    for mark in marks {
      let free = rows.firstIndex { row in
        guard let last = row.last else { return true }
        return (last.end ?? last.start) <= mark.start && last.start < mark.start
      }
      if let free {
        rows[free].append(mark)
      } else if rows.count < mostRows {
        rows.append([mark])
      } else {
        rows[mostRows - 1].append(mark)
      }
    }
    return rows
  }

  private static func height(_ rows: Int) -> String { "\(Double(max(1, rows)) * 1.6 + 0.3)rem" }

  private func button(_ mark: Mark, row: Int) -> String {
    let start = mark.start.seconds / duration.seconds
    let width = mark.end.map { ($0.seconds - mark.start.seconds) / duration.seconds }
    let until = mark.end.map { "–\($0.clock), \($0.duration(since: mark.start))" } ?? ""
    let turn = mark.turn.map { ", turn \($0)" } ?? ""
    let label = "\(mark.lane.title)\(turn), \(mark.start.clock)\(until): \(mark.text)"
    let place = "left:\(percent(start));top:\(Double(row) * 1.6 + 0.25)rem"
    return """
      <button class="mark lane-\(mark.lane.rawValue) \(mark.lane.rawValue)-\(escape(mark.kind))\
      \(width == nil ? " point" : "")" tabindex="-1" data-start="\(mark.start.seconds)" \
      data-lane="\(mark.lane.rawValue)" data-step="\(mark.step)" style="\(place)\
      \(width.map { ";width:\(percent($0))" } ?? "")" title="\(escape(label))" aria-label="\(escape(label))">\
      \(escape(mark.text))</button>
      """
  }

  private mutating func latencies() {
    let turns = session.history.turns
    guard !turns.isEmpty else {
      for sentence in explanationOfSilence(session.history) { add("<p>\(escape(sentence))</p>") }
      return
    }
    let names = Latency.Name.allCases
    add("<h2>Latencies</h2><div class=\"tables\"><table><thead><tr><th>Turn</th>")
    add(
      names.map { "<th title=\"\(escape($0.words))\">\($0.rawValue)</th>" }.joined()
        + "<th>Instruction</th></tr></thead><tbody>")
    for turn in turns {
      let cells = names.map { name in
        "<td>\(turn.latency(name).map { durationText(microseconds: $0.microseconds) } ?? "–")</td>"
      }
      add("<tr><td>\(turn.number)</td>\(cells.joined())<td>\(escape(turn.instruction ?? turn.heard))</td></tr>")
    }
    add("</tbody></table></div>")
  }

  private mutating func reasons() {
    for turn in session.history.turns {
      let explanation = Explanation(turn, in: session.history)
      add("<details class=\"why\"><summary>Why turn \(turn.number) went as it did</summary>")
      for sentence in explanation.sentences {
        add("<p><time>\(sentence.moment.time.clock)</time>\(escape(sentence.text))</p>")
      }
      if let summary = explanation.summary { add("<p>\(escape(summary))</p>") }
      add("</details>")
    }
  }

  private mutating func transcript() {
    add("<h2>Transcript</h2><ol class=\"talk\">")
    for entry in session.history.entries {
      add(
        """
        <li class="\(escape(entry.text.label))"><button data-start="\(entry.moment.time.seconds)">\
        \(entry.moment.time.clock)</button><span class="label">\(escape(entry.text.label))</span>\
        <span>\(escape(entry.text.text))</span></li>
        """)
    }
    add("</ol>")
  }

  /// The log lines behind the marks, by the number of their first step, as JSON that cannot end its element.
  private func logLines() -> String {
    let wanted = Set(session.history.marks.map(\.step))
    let codec = LogCodec()
    var texts: [String: JSON] = [:]
    for line in session.lines where wanted.contains(line.step.sequence) {
      let text = Self.visible(String(decoding: codec.encode(line), as: UTF8.self).trimmingWhitespace())
      texts[String(line.step.sequence)] = .string(text)
    }
    return String(decoding: JSON.object(texts).bytes, as: UTF8.self).escapedForScript()
  }

  /// A line of JSON in which nothing is hidden and nothing turns the direction of writing: what would, stands there by its
  /// number, which to JSON is the same.
  private static func visible(_ line: String) -> String {
    var result = ""
    for scalar in line.unicodeScalars {
      if !String(scalar).sanitized().isEmpty {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() {
          result += "\\u" + String(unit, radix: 16).zeroPadded(to: 4)
        }
      }
    }
    return result
  }

  // MARK: Text

  private func percent(_ share: Double) -> String {
    let hundredThousandths = Int64((share * 10_000_000).rounded())
    return "\(Double(hundredThousandths) / 100_000)%"
  }

  /// Words of others as text of the page, escaped for elements and in quoted attributes.
  private func escape(_ text: String) -> String {
    text.sanitized(limit: 20_000).escapedForMarkup()
  }
}
