import Testing
import VoiceLanguage
import VoiceVocabulary

/// The names of an imaginary project, with many that tempt: "ErrorMessage", "UserSettings", "Limits".
private let names = """
  Package.swift README.md InteractionController InteractionController.swift SessionController SentenceChunker
  SentenceChunker.swift VoiceCore VoiceSession VoiceSession.swift SimulatedWorld SimulatedWorld.swift WebSocketLoop
  LiveModelClient EventInbox CapturePump PlaybackQueue EchoCanceller PortAudio RetryLoop TokenBucket RateLimiter
  RateLimiter.swift HTTPClient HTTPClient.swift JSONParser JSONParser.swift GeminiDialect GeminiSetup OpusWriter
  SoundKey Lexicon Limits Limits.swift AppendFile ErrorMessage TestResult UserSettings SearchResult LogLine TextFile
  FileReader TimeLine MainView UserName runTests openLink readFile saveSession fetchUser fetch_user_name user_id
  max_retries parseHeader didFinishLoading startRun cancelRun isReady feature/dark-mode fix-retry-loop release/2.0
  main origin/main swift-argument-parser swift-subprocess libwebsockets libopus sherpa-onnx parley VoiceLocal
  moonshine silero piper portaudio docker-compose.yml config.json5 events.jsonl settings.py test_utils.py
  app.component.ts index.html webpack.config.js tsconfig.json Makefile Dockerfile .gitignore ThreadPool LRUCache
  CacheEntry UserRepository OrderService PaymentGateway AuthMiddleware useEffect useAuth kubectl Kubernetes redis
  postgres grafana terraform nginx numpy pytest asyncio XCTest SwiftUI AppDelegate ContentView NavigationStack
  script/bootstrap audio-fixtures VoiceConverse AgentSpecification ConverseClient DuckTalkAgent _CookieCompatResponse
  RouterGroup routergroup MakeConnection make_connection _api.py pool.rs
  """.split(whereSeparator: \.isWhitespace).map(String.init)

private let repair = WordRepair(ProjectWords(names: names))

@Test(
  arguments: [
    ("rename interaction controller to session controller", "rename InteractionController to session controller"),
    ("Open package dot swift and read it.", "Open Package.swift and read it."),
    ("look at the interaction control her", "look at the InteractionController"),
    ("what does the sentence chunker do", "what does the SentenceChunker do"),
    ("why does router group fail", "why does router group fail"),
    ("the router group class", "the RouterGroup class"),
    ("rename the function make connection", "rename the function make_connection"),
    ("rename the class make connection", "rename the class MakeConnection"),
    ("Openpool.rs.", "Open pool.rs."), ("Showapi.py", "Show _api.py"), ("Openother.rs", "Openother.rs"),
    ("print the cookie compat response", "print the _CookieCompatResponse"),
    ("call the function append file", "call the function AppendFile"),
    ("parse the Jason file", "parse the JSON file"),
    ("Is the Jason response valid?", "Is the JSON response valid?"),
    ("show me read me dot md", "show me README.md"),
    ("open a poll request", "open a pull request"),
    ("What is in voice session dot swift?", "What is in VoiceSession.swift?"),
    ("check out feature dark mode", "check out feature/dark-mode"),
    ("rename fetch underscore user underscore name", "rename fetch_user_name"),
    ("bump swift argument parser to the next version", "bump swift-argument-parser to the next version"),
    ("the port audio library crashes", "the PortAudio library crashes"),
    ("the poor audio library crashes", "the PortAudio library crashes"),
    ("is the web socket loop leaking", "is the WebSocketLoop leaking"),
    ("lib web sockets does not build", "libwebsockets does not build"),
    ("open voicecore", "open VoiceCore"),
    ("fix simulated word dot swift", "fix SimulatedWorld.swift"),
    ("where is the rate limiter struct", "where is the RateLimiter struct"),
    ("open rate limiter dot swift", "open RateLimiter.swift"),
    ("the class live model client is too long", "the class LiveModelClient is too long"),
    ("the token bucket class needs a test", "the TokenBucket class needs a test"),
    ("call the method start run twice", "call the method startRun twice"),
    ("call our parse header again", "call our parseHeader again"),
    ("what does the function fetch user return", "what does the function fetchUser return"),
    ("rename the variable user id", "rename the variable user_id"),
    ("set the constant max retries to five", "set the constant max_retries to five"),
    ("read config dot json five", "read config.json5"),
    ("read events dot jsonl", "read events.jsonl"),
    ("open settings dot py", "open settings.py"),
    ("run test underscore utils dot py", "run test_utils.py"),
    ("open index dot html", "open index.html"),
    ("change web pack dot config dot js", "change webpack.config.js"),
    ("open t s config dot json", "open tsconfig.json"),
    ("look into docker compose dot yml", "look into docker-compose.yml"),
    ("add it to the git ignore", "add it to the .gitignore"),
    ("the docker file is broken", "the Dockerfile is broken"),
    ("the make file target fails", "the Makefile target fails"),
    ("push it to git hub", "push it to GitHub"),
    ("clear the image cash", "clear the image cache"),
    ("why is the cash invalidation slow", "why is the cache invalidation slow"),
    ("git poll fails", "git pull fails"),
    ("get rebase onto main", "git rebase onto main"),
    ("write a type script interface", "write a TypeScript interface"),
    ("convert it to java script", "convert it to JavaScript"),
    ("the node js server hangs", "the Node.js server hangs"),
    ("use a web socket here", "use a WebSocket here"),
    ("return an h t t p error", "return an HTTP error"),
    ("the c l i prints twice", "the CLI prints twice"),
    ("make it an e num", "make it an enum"),
    ("the reg ex is wrong", "the regex is wrong"),
    ("the class user repository leaks", "the class UserRepository leaks"),
    ("the thread pool class deadlocks", "the ThreadPool class deadlocks"),
    ("refactor order service", "refactor OrderService"),
    ("merge the branch fix retry loop", "merge the branch fix-retry-loop"),
    ("the package sherpa onnx is missing", "the package sherpa-onnx is missing"),
    ("update moon shine", "update moonshine"),
    ("why does sillero fail", "why does silero fail"),
    ("open gemini set up", "open GeminiSetup"),
    ("the gemini dialect drops words", "the GeminiDialect drops words"),
    ("look at the echo cancel her class", "look at the EchoCanceller class"),
    ("the capture pump file is new", "the CapturePump file is new"),
    ("the play back queue class", "the PlaybackQueue class"),
    ("check interaction controller's tests", "check InteractionController's tests"),
    ("open package.swift", "open Package.swift"),
    ("parse the J-S-O-N file", "parse the JSON file"),
    ("run the C-I again", "run the CI again"),
    ("read Readme.md", "read README.md"),
    ("the http client dot swift file", "the HTTPClient.swift file"),
    (
      "Open sentence chunker dot swift, then voice session dot swift.",
      "Open SentenceChunker.swift, then VoiceSession.swift."
    ),
    ("is the sound key type hashable", "is the SoundKey type hashable"),
    ("the L R U cache struct evicts too early", "the LRUCache struct evicts too early"),
    ("the nav gation stack type is missing", "the NavigationStack type is missing"),
    ("what is duck talk agent", "what is DuckTalkAgent"),
    ("the auth middleware type rejects me", "the AuthMiddleware type rejects me"),
    ("the payment gateway type times out", "the PaymentGateway type times out"),
    ("Is Piper in docker compose dot yml?", "Is Piper in docker-compose.yml?"),
    ("rename use auth to use effect", "rename useAuth to use effect"),
    ("call did finish loading function", "call didFinishLoading function"),
    ("(see package dot swift)", "(see Package.swift)"),
    ("the \"event inbox\" type", "the \"EventInbox\" type"),
    ("what does rate limiter dot swift, I mean retry loop, do", "what does RateLimiter.swift, I mean retry loop, do"),
  ] as [(String, String)])
func namesOfTheProjectAreRecognised(_ heard: String, _ meant: String) { #expect(repair.repair(heard).text == meant) }

@Test func ordinarySentencesStayAsTheyAreAndUnmarked() {
  var count = 0
  for sentence in ordinarySentences {
    #expect(repair.repair(sentence) == RepairedText(text: sentence, notes: []))
    count += 1
  }
  print("ordinary sentences unchanged: \(count)")
  #expect(count >= 200)
}

@Test(
  arguments: [
    ("go to line 300 and 7", "go to line 307"), ("Error 500 and 3 comes back.", "Error 503 comes back."),
    ("read page 1,300 and 40", "read page 1,340"), ("build 2000 and 26 fails", "build 2026 fails"),
    ("lines 300 and 7", nil), ("line 300, and 7 more", nil), ("line 307 and 7", nil), ("line 300 and 700", nil),
    ("line 300 and 07", nil), ("line 0 and 7", nil), ("line 300 or 7", nil), ("delete customers 100 and 20", nil),
    ("allow 443, 8000 and 80", nil), ("replace 100 with 500 and 20 with 10", nil), ("kill 200 and 9", nil),
    ("set permissions to 700 and 77", nil), ("from line 300 and 7 to line 12", nil), ("300 and 7", nil),
    ("return error 500 and 3 retries", nil), ("close issue 100 and 20", nil), ("build 100 and 2 tests failed", nil),
  ] as [(String, String?)])
func aNumberSaidWithAnAndIsOne(_ heard: String, _ meant: String?) {
  let repaired = repair.repair(heard)
  #expect(repaired.text == meant ?? heard)
  #expect(repaired.notes.allSatisfy { if case .guessed = $0 { true } else { false } })
  #expect(repaired.notes.count == (meant == nil ? 0 : 1))
}

/// Whoever names a folder or a branch has no say in what is asked for.
@Test(
  arguments: [
    ("don't touch the database", "do-and-touch-the-database"), ("read the database", "write-the-database"),
    ("do not deploy the database", "do-now-deploy-the-database"),
    ("keep the database table", "copy-the-database-table"),
    ("don't push the production branch", "do-and-push-the-production-branch"),
    ("drop the database", "trip-the-database"),
    ("delete database folder", "dilute-database-folder"), ("undo the migration", "AndTheMigration"),
    ("run the tests", "run-the>tests"), ("run the tests", "run-the;tests"), ("run the tests", "$(run-the-tests)"),
  ])
func noNameTurnsWhatWasSaid(_ said: String, _ name: String) {
  #expect(WordRepair(ProjectWords(names: [name])).repair(said).text == said)
}

@Test func aGuessIsToldFromACertainty() {
  #expect(
    repair.repair("look at the interaction control her").notes
      == [.guessed(heard: "interaction control her", written: "InteractionController")])
  #expect(
    repair.repair("open the git ignore").notes == [.repaired(heard: "git ignore", written: ".gitignore")])
}

@Test(arguments: ["", "   ", "\u{1F600}", "\u{202E}abc", "...", "a", "日本語のテキスト", "\u{1B}[31mred"])
func anyTextIsTakenAsItIs(_ text: String) { #expect(repair.repair(text).text == text) }

@Test func aLongTextIsRepairedAtItsBeginning() {
  let text = Array(repeating: "open package dot swift", count: 2_000).joined(separator: " ")
  let repaired = repair.repair(text).text
  #expect(repaired.hasPrefix("open Package.swift open"))
  #expect(repaired.hasSuffix("open package dot swift"))
}

@Test func aNameOfAnyLengthThatCanBeSaidIsKnown() {
  let name = { (letters: Int) in "Zigzag" + String(repeating: "x", count: letters - 6) }
  #expect((repairOf(name(60)).nameCount, repairOf(name(61)).nameCount) == (1, 0))
  #expect((repairOf("abc").nameCount, repairOf("ab").nameCount) == (1, 0))
}

private func repairOf(_ name: String) -> WordRepair { WordRepair(ProjectWords(names: [name])) }

/// The recogniser tells how sure it is of each word.
@Test(arguments: [([10, 90, 90], [0]), ([90, 90, 10], [2]), ([10, 90, 10], [0, 2]), ([90, 90, 90], [])])
func aWordIsDoubtfulWhereItStands(_ sureness: [Int], _ places: [Int]) {
  let text = "blorbs like blorbs"
  let notes = WordRepair().repair(text, unsure: Hearing(sureness: sureness).unsureWords(of: text)).notes
  #expect(notes == places.map { .unsure(heard: "blorbs", place: $0) })
}

@Test func withoutNamesOnlyTheWordsOfTheTradeAreRepaired() {
  let plain = WordRepair()
  #expect(
    plain.repair("open a poll request for the interaction controller").text
      == "open a pull request for the interaction controller")
}

@Test(arguments: [
  ("Jason", "json", true), ("chunker", "junker", false), ("sillero", "silero", true), ("cache", "cash", true),
  ("write", "right", true), ("knight", "night", true), ("phase", "face", true), ("tree", "three", false),
  ("tamper", "tamer", false),
])
func wordsThatSoundAlikeHaveOneKey(_ left: String, _ right: String, _ areAlike: Bool) {
  #expect((SoundKey(left) == SoundKey(right)) == areAlike)
}

@Test(arguments: [
  "run", "Running", "stopped", "tries", "settings", "user's", "don\u{2019}t", "twenty", "quickly", "retry",
])
func anInflectedWordIsAsOrdinaryAsItsRoot(_ word: String) { #expect(OrdinaryWords.contains(word)) }

@Test(arguments: ["parley", "sherpa", "Jason", "kubectl", "moonshine", "xyzzy", "Bing", "mies", "zod", "aing"])
func aNameIsNoOrdinaryWord(_ word: String) { #expect(!OrdinaryWords.contains(word)) }

/// How long a name must be, or what must stand beside it, before a few words are taken for it.
private let tried = WordRepair(
  ProjectWords(names: [
    "CodecName", "TokenBox", "MapStore", "VoxBox", "pipeworks", "pipework", "Quillfeather", "QuillfeatherLoop",
    "OpusWriter",
    "CapturePump", "JSONParser.swift", "SentenceChunker.swift", "runTests", "startRun", "TokenDesk", "TokenDusk",
    "parser",
  ]))

@Test(
  arguments: [
    // Its letters: nine where nothing tells that a name is meant, fewer where something does.
    ("open codec name", "CodecName", "repaired"), ("open token box", nil, ""),
    ("the token box class", "TokenBox", "repaired"),
    ("open a codec name", nil, ""), ("open map store", nil, ""), ("the map store type", "MapStore", "repaired"),
    ("the vox box class", "VoxBox", "repaired"), ("open pipe works", "pipeworks", "repaired"),
    ("open pipe work", nil, ""),
    ("rename pipe work", "pipework", "repaired"), ("call run tests", "runTests", "repaired"),
    ("open run tests", nil, ""),
    // Its sound: near enough is certain, less is a guess, and two that fit are for the user to choose from.
    ("open codeck name", "CodecName", "repaired"), ("open quil feather", "Quillfeather", "repaired"),
    ("open quill father loop", "QuillfeatherLoop", "repaired"), ("open tokin disk", "TokenDesk", "doubtful"),
    ("open tokin desk", "TokenDesk", "repaired"),
    ("open sentence junker dot swift", "SentenceChunker.swift", "guessed"),
    ("open jason parse her dot swift", "JSONParser.swift", "repaired"),
    // What only shares a word with it is marked.
    ("open opus rider", "OpusWriter", "doubtful"), ("fix the opus writers", "OpusWriter", "doubtful"),
    ("open capture pumps", "CapturePump", "doubtful"), ("open capture bump", nil, ""), ("call start runs", nil, ""),
    // A name that is an ordinary word was more likely not said.
    ("open the parcer", nil, ""),
  ] as [(String, String?, String)])
func aNameIsTakenWhereItIsLikely(_ heard: String, _ name: String?, _ sureness: String) {
  let notes = tried.repair(heard).notes.map { note in
    switch note {
    case .repaired(_, let name): "repaired \(name)"
    case .guessed(_, let name): "guessed \(name)"
    case .doubtful(_, let name): "doubtful \(name)"
    case .unsure(let heard, _): "unsure \(heard)"
    }
  }
  #expect(notes == (name.map { ["\(sureness) \($0)"] } ?? []))
}

/// What is shorter, as it is written or as it was heard, sounds like too much.
@Test(
  arguments: [
    ("restart the villto service", "restart the vilto service"), ("restart the villt service", nil),
    ("restart the daxle service", "restart the daxxle service"), ("restart the gren service", nil),
  ] as [(String, String?)])
func aNameThatSoundsAlikeHasFiveLetters(_ heard: String, _ meant: String?) {
  let repair = WordRepair(ProjectWords(names: ["vilto", "vilt", "daxxle", "grren"]))
  #expect(repair.repair(heard).text == meant ?? heard)
}
