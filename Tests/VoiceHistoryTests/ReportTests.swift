import Subprocess
import Testing
import VoiceHistory
import VoiceRecording
import VoiceSound
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a person who opens a report sees, as `browser_check.py` tells it.
private struct Seen: Decodable {
  var loaded: Bool
  var rows: [String]
  var marks: Int
  var filledLanes: [String]
  var tracks: Int
  var ready: Bool
  var focused: Bool
  var detail: String
  var line: String
  var otherLane: Bool
  var clock: String
  var plays: Bool
  var pauses: Bool
  var zooms: Bool
  var schemesDiffer: Bool
  var errors: [String]
  var requests: [String]
}

private let browser = ["chromium", "chromium-browser", "google-chrome"].first(where: Program.isInstalled)

/// A session folder with both sound tracks, out of a fixture's log and the recordings of the project.
private func recorded(_ fixture: String, in home: TemporaryFolder) throws -> RecordedSession {
  let folder = try Histories.folder(fixture, at: home.path + "/session")
  let recordings = Repository.path + "/audio-fixtures/recordings/"
  let microphone = try WaveWriter(path: folder.wave(.microphone), rate: PCM.microphoneRate)
  try microphone.append([Int16](repeating: 0, count: PCM.microphoneRate * 4 / 5))
  try microphone.append(try WaveFile.samples(recordings + "d06_flite_slt.wav"))
  try microphone.close()
  let speaker = try WaveWriter(path: folder.wave(.speaker), rate: PCM.speakerRate)
  try speaker.append([Int16](repeating: 0, count: PCM.speakerRate * 5))
  let answer = try SoundFileReader(path: recordings + "d16_piper_joe.wav", rate: PCM.speakerRate)
  try speaker.append(try answer.readAll())
  try speaker.close()
  return try RecordedSession(folder.path)
}

@Test(
  .enabled(if: browser != nil, "Chromium is not installed; script/bootstrap --report installs it"),
  .timeLimit(.minutes(5)))
func aReportWorksInABrowserByKeyboardWithoutNetwork() async throws {
  let home = try TemporaryFolder()
  let page = home.path + "/report.html"
  try Data(try Report.page(try recorded("review-approve", in: home)).utf8).write(to: URL(filePath: page))
  let pictures = Repository.path + "/.build/artefacts/report"
  let result = try await Subprocess.run(
    .name("python3"),
    arguments: [Repository.path + "/Tests/servers/browser_check.py", browser ?? "", page, pictures],
    output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
  #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
  let seen = try JSONDecoder().decode(Seen.self, from: Data(result.standardOutput.utf8))
  #expect(seen.loaded)
  #expect(seen.errors == [])
  #expect(seen.requests == [])
  #expect(seen.rows == ["microphone", "speaker"] + Lane.allCases.map(\.rawValue))
  #expect(seen.filledLanes == Lane.allCases.map(\.rawValue).sorted())
  #expect(seen.marks >= 15)
  #expect(seen.tracks == 2 && seen.ready)
  #expect(seen.focused && seen.otherLane)
  #expect(seen.detail.contains("00:"))
  #expect(seen.line.hasPrefix("{\"sequence\":"))
  #expect(seen.plays && seen.pauses)
  #expect(seen.zooms)
  #expect(seen.schemesDiffer)
  for picture in ["light.png", "dark.png"] {
    #expect(try Data(contentsOf: URL(filePath: "\(pictures)/\(picture)")).count > 20_000)
  }
}

@Test(arguments: Histories.all) func aReportHoldsTheLineBehindEachMark(_ fixture: String) throws {
  let home = try TemporaryFolder()
  let session = try RecordedSession(try Histories.folder(fixture, at: home.path + "/session").path)
  let page = try Report.page(session)
  for mark in session.history.marks {
    #expect(page.contains("data-step=\"\(mark.step)\""))
    #expect(page.contains("\"\(mark.step)\":\"{\\\"sequence\\\":\(mark.step),"), "\(fixture), step \(mark.step)")
  }
  #expect(page.contains("default-src 'none'"))
  // What the agent said may name an address; nothing is loaded from one.
  for place in ["src=\"http", "href=\"http", "url(http", "@import"] { #expect(!page.contains(place), "\(place)") }
  #expect(page.contains("no sound was recorded"))
}

/// Words that want to be markup, hidden in characters of several scalars, too.
private let evil =
  "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)> \u{0D4E}<img src=x> <\u{0338}/script>"
  + "<\u{0338}script>\u{0D4E}\"\u{0301} onfocus=alert(1) autofocus \u{1B}]52;c;cm0=\u{07} \u{202E}desrever"

private func evilSession(in home: TemporaryFolder) throws -> RecordedSession {
  let folder = try SessionFolder(creating: home.path + "/session")
  var writer = try LogWriter(folder.log)
  let instruction = Instruction(id: InstructionID(rawValue: 1), text: evil, heard: evil, source: .keyboard)
  let run = RunID(rawValue: 1)
  let steps: [(VoiceEvent, [VoiceAction])] = [
    (
      .userTranscribed(connection: ConnectionID(rawValue: 1), text: evil, isFinal: true),
      [.startRun(run: run, instruction: instruction), .show(notice: .warning(text: evil))]
    ),
    (.agentReported(run: run, event: .text(delta: evil)), [.show(notice: .agentText(delta: evil))]),
  ]
  for (index, (event, actions)) in steps.enumerated() {
    try writer.append(VoiceStep(sequence: index, time: .zero, event: event, actions: actions))
  }
  try writer.writeGathered()
  return try RecordedSession(folder.path)
}

/// Whether these very scalars stand in a text, whatever characters they are part of.
private func hasScalars(_ text: String, _ part: String) -> Bool {
  Array(text.unicodeScalars).firstRange(of: Array(part.unicodeScalars)) != nil
}

@Test func wordsInAReportCannotBecomeMarkup() throws {
  let page = try Report.page(try evilSession(in: try TemporaryFolder()))
  for part in ["<script>alert", "<img", "<\u{0338}", "\u{1B}"] {
    #expect(!hasScalars(page, part), "\(part.unicodeScalars.map(\.value))")
  }
  // The log lines are JSON, in which a quotation mark is quoted otherwise.
  let start = try #require(page.firstRange(of: #"<script type="application/json""#)).lowerBound
  for part in ["\"\u{0301} onfocus", "\u{202E}"] {
    #expect(!hasScalars(String(page[..<start]), part), "\(part.unicodeScalars.map(\.value))")
  }
  #expect(Array(page.utf8).split(separator: Array("</script".utf8), omittingEmptySubsequences: false).count == 3)
  #expect(page.contains("script-src 'sha256-"), "no script but the page's own runs")
  #expect(!page.contains("script-src 'unsafe-inline'"))
}

@Test func wordsInCaptionsAndMarkdownStayWords() throws {
  let session = try evilSession(in: try TemporaryFolder())
  let captions = WebVTTExport.captions(session)
  let page = MarkdownExport.page(session)
  for text in [captions, page] {
    for part in ["\u{1B}", "\u{07}", "\u{202E}"] { #expect(!hasScalars(text, part)) }
  }
  #expect(!hasScalars(captions, "<img") && !hasScalars(captions, "<\u{0338}"))
  // What the agent wrote stands between two fences, as it is; what others said is escaped.
  let parts = page.split(separator: "```")
  #expect(parts.count == 3)
  let own = parts[0] + parts[2]
  let scalars = Array(own.unicodeScalars)
  for index in scalars.indices where scalars[index] == "<" { #expect(scalars[index - 1] == "\\") }
}

@Test func aReportWithoutADamagedSoundSaysSo() throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  try Data("this is no sound\n".utf8).write(to: URL(filePath: folder.wave(.microphone)))
  let page = try Report.page(try RecordedSession(folder.path))
  #expect(page.contains("microphone.wav") && page.contains("class=\"damage\""), "\(page.prefix(3_000))")
}

/// A full disk, or a machine that lost power: the file ends in the middle of a page, and tells no length.
@Test func aSoundThatWasCutIsInTheReportAsFarAsItGoes() throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  let path = folder.opus(.microphone)
  let writer = try OpusWriter(path: path, rate: PCM.microphoneRate)
  try writer.append((0..<10 * PCM.microphoneRate).map { Int16(truncatingIfNeeded: $0 &* 7_919) / 8 })
  try writer.close()
  let whole = try Data(contentsOf: URL(filePath: path))
  for count in [1_000, whole.count / 3, whole.count - 100] {
    try whole.prefix(count).write(to: URL(filePath: path))
    let page = try Report.page(try RecordedSession(folder.path))
    #expect(page.contains("data:audio/ogg") != page.contains("class=\"damage\""), "\(count) of \(whole.count) bytes")
    #expect(page.contains("data:audio/ogg") || count == 1_000)
  }
}
