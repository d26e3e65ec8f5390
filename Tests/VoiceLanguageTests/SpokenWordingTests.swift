import Testing
import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

/// What agents write, and what is said of it.
@Test(
  arguments: [
    ("Okay, working on it.", "Okay, working on it."),
    ("I renamed getUserName to fetch_user_name.", "I renamed get user name to fetch user name."),
    ("See Sources/VoiceCore/PCM.swift:42", "See PCM dot swift in voice core, line forty two"),
    ("See PCM.swift:42: it works.", "See PCM dot swift, line forty two: it works."),
    ("the `--no-verify` flag", "the dash dash no verify flag"),
    ("use -v and -rf", "use dash V and dash R F"),
    ("set --jobs=4", "set dash dash jobs equals four"),
    ("version 1.2.3 of v2.0", "version one point two point three of version two point zero"),
    ("upgrade to version v1.4", "upgrade to version one point four"),
    (
      "It took 1,250 ms, or 12.5%.",
      "It took one thousand two hundred fifty milliseconds, or twelve point five percent."
    ),
    ("100% of 3 files", "one hundred percent of three files"),
    ("1 ms and 1 file", "one millisecond and one file"),
    ("JSON and YAML over HTTP", "JSON and YAML over HTTP"),
    ("parseHTTPResponse() fails", "parse HTTP response fails"),
    ("commit 3e0553d is bad", "commit three E zero five is bad"),
    ("a -> b", "a to b"),
    ("https://example.com/docs", "a page on example dot com"),
    ("see https://example.com", "see example dot com"),
    ("http://localhost:8080/health", "a page on localhost port eighty eighty"),
    ("user@example.com", "user at example dot com"),
    ("issue #12 isn't fixed", "issue twelve isn't fixed"),
    ("#12 is open", "number twelve is open"),
    ("two APIs", "two APIs"),
    ("**bold** and `code`", "bold and code"),
    ("It costs $5.", "It costs five dollars."),
    (
      "$1,234.56 or $0.02 or $1.00",
      "one thousand two hundred thirty four dollars and fifty six cents or two cents or one dollar"
    ),
    ("$3.5M in all, $3 million", "three point five million dollars in all, three million dollars"),
    ("€20 and £1", "twenty euros and one pound"),
    ("At 14:30, 9:05, 3pm and 12:00.", "At fourteen thirty, nine oh five, three PM and twelve o'clock."),
    ("14:30:05", "fourteen thirty and five seconds"),
    ("13pm, 25:00, 14:60, 14:30:60", "thirteen pm, twenty five zero zero, fourteen sixty, fourteen thirty sixty"),
    ("0/5 tests, 5/0", "zero of five tests, five slash zero"),
    ("0th, 999999th", "zeroth, nine hundred ninety nine thousand nine hundred ninety ninth"),
    (
      "1.2.1234, 1.2.12345",
      "one point two point one thousand two hundred thirty four, one point two point one two three four five"
    ),
    ("$1.01, $0.01, $1.5, $2.00", "one dollar and one cent, one cent, one point five dollars, two dollars"),
    (
      "2024-12-31 and not 2024-12-32",
      "December thirty first, twenty twenty four and not two thousand twenty four twelve thirty two"
    ),
    ("March 0, March 31, March 32", "March zero, March thirty first, March thirty two"),
    (
      "in 1899, in 1900, in 2099",
      "in one thousand eight hundred ninety nine, in nineteen hundred, in twenty ninety nine"
    ),
    ("HTTPS, MEMORY, APIs, URLs", "HTTPS, memory, APIs, URLs"),
    ("[Int].self and (a)b", "Int dot self and a b"),
    ("14:30:00 to 14:59:59", "fourteen thirty to fourteen fifty nine and fifty nine seconds"),
    ("0:00:01 and 9:10", "zero o'clock and one second and nine ten"),
    ("from 12am to 12pm, at 24:00", "from twelve AM to twelve PM, at twenty four o'clock"),
    ("1/3, 1/4, 3/4 and 24/7", "one third, one quarter, three quarters and twenty four seven"),
    ("On 2024-03-15 we shipped.", "On March fifteenth, twenty twenty four we shipped."),
    ("In March 2024, on March 15.", "In March twenty twenty four, on March fifteenth."),
    ("2024-03-15T14:30:00Z", "March fifteenth, twenty twenty four at fourteen thirty"),
    ("since 1999 and until 2007", "since nineteen ninety nine and until two thousand seven"),
    ("10-20 ms", "ten to twenty milliseconds"),
    ("3–5 files", "three to five files"),
    ("1920x1080", "one thousand nine hundred twenty by one thousand eighty"),
    ("MAX_RETRIES is 5", "max retries is five"),
    ("HTTP_PORT is 8080", "HTTP port is eight thousand eighty"),
    ("port 8080, HTTP 404, status 200", "port eighty eighty, HTTP four oh four, status two hundred"),
    (
      "The `InteractionController` is a struct (see docs/architecture.md) in VoiceCore.",
      "The interaction controller is a struct, see architecture dot MD in docs, in voice core."
    ),
    ("See [the docs](https://example.org/a) and ![alt text](x.png).", "See the docs and an image: alt text."),
    ("`foo(bar:)` and `handle(_:at:)`", "foo bar and handle at"),
    ("`Array<String>` and foo?.bar", "Array of String and foo dot bar"),
    ("std::vector and @MainActor", "std vector and at main actor"),
    ("#expect and $HOME", "hash expect and dollar home"),
    ("Run `swift test --filter VoiceCore` now.", "Run swift test dash dash filter voice core now."),
    ("1/2 of it, 12/15 tests pass", "one half of it, twelve of fifteen tests pass"),
    ("550e8400-e29b-41d4-a716-446655440000", "an ID beginning five five zero E"),
    ("sk-abcdefghijklmnopqrstuv is it", "a key is it"),
    ("e.g. this, i.e. that, etc. and so on", "for example this, that is that, et cetera and so on"),
    ("file(s) and/or CI/CD, I/O", "files and or CI CD, I O"),
    ("/usr/local/bin/git", "git in bin"),
    ("~/.zshrc and ./script/test", "dot zshrc in the home folder and script slash test"),
    ("../foo.swift", "foo dot swift in the parent folder"),
    ("in Sources/VoiceCore/", "in the voice core folder in Sources"),
    ("feature/dark-mode off origin/main", "feature slash dark mode off origin slash main"),
    ("Sources/**/*.swift and *.md", "star dot swift in any folder and star dot md"),
    ("0x1F", "hex one F"),
    ("127.0.0.1:3000", "one hundred twenty seven dot zero dot zero dot one port three thousand"),
    ("1.2.3-beta.1", "one point two point three beta one"),
    (
      "x86_64, utf8, sha256, base64, H264",
      "x eighty six sixty four, UTF eight, sha two fifty six, base sixty four, h two sixty four"
    ),
    ("gpt-4 and utf-8", "gpt four and utf eight"),
    ("✅ Tests pass", "okay: Tests pass"),
    ("❌ Build fails", "failed: Build fails"),
    ("5 MB/s and 120 req/s", "five megabytes per second and one hundred twenty requests per second"),
    ("3 GB, 512 B, 0.5 s", "three gigabytes, five hundred twelve bytes, zero point five seconds"),
    ("5k users, 10M rows, 2x faster", "five thousand users, ten million rows, two times faster"),
    ("1st, 22nd, 3rd, 40th", "first, twenty second, third, fortieth"),
    ("~5 minutes", "about five minutes"),
    (">= 3 and <5%", "at least three and less than five percent"),
    ("±2, -5, +3", "plus or minus two, minus five, plus three"),
    ("1h30m and 2m5s and 45s", "one hour thirty minutes and two minutes five seconds and forty five seconds"),
    ("Line one — with a dash – and another - here.", "Line one, with a dash, and another, here."),
    ("Wait… what?", "Wait. what?"),
    ("snake_case_name *emphasis* _also_", "snake case name emphasis also"),
    ("a * b", "a times b"),
    ("__init__.py", "init dot py"),
    ("`x = y + 1`", "x equals y plus one"),
    ("if a == b && c != d", "if a equals b and c is not d"),
    ("well-known twelve-line", "well-known twelve-line"),
    ("the 4-byte header", "the four-byte header"),
    ("the 4-kB page of 3-pt dots", "the four-kilobyte page of three-pt dots"),
    ("`a *b* <br>` and *that*", "a star b star br and that"),
    (".gitignore, Package.swift, README.md", "dot gitignore, Package dot swift, read me dot MD"),
    ("config.json5 and events.jsonl", "config dot JSON five and events dot JSON L"),
    ("README says TODO: fix stdin", "read me says to do: fix standard in"),
    ("main.swift:10-20", "main dot swift, lines ten to twenty"),
    ("C++ and C#", "C plus plus and C sharp"),
    ("100,000 users and 1,000,000,000 rows", "one hundred thousand users and one billion rows"),
    ("<br>Hello<br/> <details>x</details>", "Hello x"),
    ("\"quoted\" 'single' “curly”", "quoted single curly"),
    ("(entirely aside) next", "entirely aside, next"),
    ("npm install @scope/pkg", "npm install at scope slash pkg"),
    ("Node.js v18.19.0", "Node JS version eighteen point nineteen point zero"),
    ("Swift 6.2 and iOS 17.4", "Swift six point two and iOS seventeen point four"),
    ("VAD at 16kHz, 20ms", "VAD at sixteen kilohertz, twenty milliseconds"),
    ("session.run() of VoiceSession", "session dot run of voice session"),
    ("1.5 million", "one point five million"),
    ("没有空格。", "没有空格。"),
    ("A great success 🎉", "A great success"),
    ("IMPORTANT: read this", "important: read this"),
    ("p95 < 100ms", "p ninety five less than one hundred milliseconds"),
    ("HEAD~1", "head tilde one"),
    ("key=value", "key equals value"),
    ("see (a or b) here", "see, a or b, here"),
    ("at 12pm and 3am", "at twelve PM and three AM"),
    ("see parseFooBar", "see parse foo bar"),
    ("[^1] noted", "noted"),
    ("12\u{200B}ms", "twelve milliseconds"),
    ("\\`a b\\` in snake\\_case", "a b in snake case"),
    ("March 15, 2024", "March fifteenth, twenty twenty four"),
    ("and so on, etc.", "and so on, et cetera."),
    ("a --- b, a ---- b", "a, b, a b"),
    ("0x and 2x", "zero times and two times"),
    ("the 4-k page", "the four k page"),
    ("the 1000000th row", "the one millionth row"),
    (
      "1, 12 and 123,456,789,012",
      "one, twelve and one hundred twenty three billion four hundred fifty six million seven hundred eighty nine thousand twelve"
    ),
    ("use -abc or -abcd", "use dash A B C or dash abcd"),
    ("a.swift:1-2-3", "a dot swift one two three"),
    ("at :12 and #L12", "at twelve and hash l twelve"),
    (".c files in docs/md", "dot c files in docs slash md"),
  ] as [(String, String)])
func textIsWordedForTheEar(_ text: String, _ words: String) { #expect(SpokenWording.of(text) == words) }

@Test(arguments: [
  "Okay, working on it.", "See PCM dot swift in voice core, line forty two", "dash dash no verify", "three E zero five",
  "an ID beginning five five zero E", "March fifteenth, twenty twenty four at fourteen thirty", "I O and CI CD",
  "one hundred twenty seven dot zero dot zero dot one port three thousand", "a table of six rows: A, B.",
])
func wordsThatCanBeSaidStayAsTheyAre(_ text: String) { #expect(SpokenWording.of(text) == text) }

@Test func anyTextIsWordedOnOneLineAndWithoutControlCharacters() {
  var generator = SeededGenerator(seed: 7)
  let alphabet = Array(
    "aB1._-/:#()[]{}<>'\"`*~=+%,;!?$@^|\\ \n\t\u{1B}\u{0}\u{2014}\u{2026}\u{1F600}\u{E9}\u{65E5}\u{202E}0x")
  for _ in 0..<2_000 {
    let text = String((0..<40).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
    let words = SpokenWording.of(text)
    #expect(
      !words.contains { $0.isNewline || $0 == "\t" || $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(text.debugDescription)")
    #expect(words == words.trimmingWhitespace())
  }
}

@Test func aMegabyteIsWordedInABoundedTime() {
  let long = String(repeating: "[a](b) `c` **d** 1,000 <x ", count: 4_000)
  #expect(SpokenWording.of(long).contains("one thousand"))
  #expect(SpokenWording.of(String(repeating: "[", count: 20_000)) == "")
}
