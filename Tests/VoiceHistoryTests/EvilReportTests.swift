import Subprocess
import Testing
import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `browser_check.py --words` tells of a page.
private struct Seen: Decodable {
  var loaded: Bool
  /// What a script from outside set, if any ran.
  var sprung: Int?
  var scripts: Int
  var strangers: [String]
  var handlers: [String]
  var title: String
  var text: String
  var labels: [String]
  var detail: String
  var errors: [String]
  var requests: [String]
}

private let browser = ["chromium", "chromium-browser", "google-chrome"].first(where: Program.isInstalled)

/// Ways out of wherever words stand in a page. Each is found again as text by its number.
private let payloads = [
  "</script><script>window.sprung=1</script>", "\u{0D4E}<script>window.sprung=2</script>",
  "<\u{0338}/script><\u{0338}script>window.sprung=3</script>", "\u{0D4E}</script\u{0301}><svg onload=window.sprung=4>",
  "<img src=x onerror=window.sprung=5>", "\u{0D4E}<img src=http://127.0.0.1:1/x onerror=window.sprung=6>",
  "\" onmouseover=window.sprung=7 autofocus onfocus=window.sprung=7 x=\"", "' onclick=window.sprung=8 x='",
  "\u{0D4E}\" onfocus=window.sprung=9 \"", "\"\u{0301} onfocus=window.sprung=10 \"", "<!--<script>window.sprung=11//",
  "--></style><style>*{animation:x}</style>12", "<iframe srcdoc='<script>parent.sprung=13</script>'></iframe>",
  "<a href=javascript:window.sprung=14>here</a>", "<base href=http://127.0.0.1:1/>15",
  "<meta http-equiv=refresh content=0>16",
  "</title></head><body onload=window.sprung=17>", "<template><script>window.sprung=18</script></template>",
  "&lt;script&gt;window.sprung=19&lt;/script&gt;", "\\u003cscript\\u003ewindow.sprung=20\\u003c/script\\u003e",
  "${window.sprung=21}`);window.sprung=21;//", "]]><script>window.sprung=22</script>",
  "\u{2028}window.sprung=23\u{2029}",
  "\u{202E}tpircs/<\u{2066}24\u{2069}", "\u{1B}]52;c;cm0=\u{07}\u{1B}[2J25",
  "<math><mtext></mtext><img src=x>26</math>",
  "<details open ontoggle=window.sprung=27>", "\u{FEFF}<script>window.sprung=28</script>",
  "{{constructor.constructor('29')()}}",
].enumerated().map { "word\($0.offset) \($0.element)" }.joined(separator: " | ")

/// A session in which whoever could say anything said this: the user as he was heard, the model, the agent with its name, its
/// tools, plans, questions and requests, servers with their reasons, and whoever named the folder.
private func session(_ fixture: String, in home: TemporaryFolder) throws -> RecordedSession {
  let name = "s \"><img src=x onerror=window.sprung=99> '\u{0D4E}<b>"
  let folder = try SessionFolder(creating: home.path + "/" + name)
  try SessionManifest(
    program: payloads, started: payloads, plan: [.init(key: payloads, value: payloads, origin: payloads)]
  )
  .write(to: folder.manifest)
  let log = try String(
    contentsOf: URL(filePath: "\(Repository.path)/audio-fixtures/\(fixture)/expected.jsonl"), encoding: .utf8)
  let evil = String(decoding: try JSONEncoder().encode(payloads), as: UTF8.self)
  let said = try Regex(
    #""(text|heard|delta|name|reason|title|detail|label|explanation|remark|command|question|kind)":"#
      + #""(?:[^"\\]|\\.)*""#, as: (Substring, Substring).self)
  let kinds: Set<String> = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"]
  let replaced = log.replacing(said) { match in
    let value = match.output.0.dropFirst(match.output.1.count + 4).dropLast()
    // Other kinds are words of the format itself.
    if match.output.1 == "kind", !kinds.contains(String(value)) { return String(match.output.0) }
    return "\"\(match.output.1)\":\(evil)"
  }
  try Data(replaced.utf8).write(to: URL(filePath: folder.log))
  return try RecordedSession(folder.path)
}

@Suite(.serialized, .enabled(if: browser != nil, "Chromium is not installed; script/bootstrap --report installs it"))
struct EvilReportTests {
  @Test(.timeLimit(.minutes(5)), arguments: ["permission-denied", "question", "agent-failure", "link-given-up"])
  func whateverWasSaidIsTextInABrowserAndNoScriptOfItRuns(_ fixture: String) async throws {
    let home = try TemporaryFolder()
    let session = try session(fixture, in: home)
    #expect(session.damage == nil)
    let page = home.path + "/report.html"
    try Data(try Report.page(session).utf8).write(to: URL(filePath: page))
    let result = try await Subprocess.run(
      .name("python3"),
      arguments: [Repository.path + "/Tests/servers/browser_check.py", browser ?? "", page, "--words"],
      output: .string(limit: 8 << 20), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    let seen = try JSONDecoder().decode(Seen.self, from: Data(result.standardOutput.utf8))
    #expect(seen.loaded)
    #expect(seen.sprung == nil)
    #expect(seen.scripts == 2, "the page's own, and the log lines")
    #expect(seen.strangers == [] && seen.handlers == [])
    #expect(seen.errors == [] && seen.requests == [])
    // It is all there to be read, as it was said.
    #expect(seen.title.contains("<img src=x onerror=window.sprung=99>"))
    for shown in [seen.text, seen.labels.joined()] {
      for part in ["</script><script>window.sprung=1</script>", "<img src=x onerror=window.sprung=5>", "' onclick="] {
        #expect(shown.contains(part), "\(part)")
      }
      for sign: Unicode.Scalar in ["\u{202E}", "\u{2066}", "\u{1B}", "\u{07}"] {
        #expect(!shown.unicodeScalars.contains(sign))
      }
    }
    #expect(seen.detail.hasPrefix("{\"sequence\":"))
  }
}
