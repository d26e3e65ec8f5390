import Testing
import VoiceConfiguration
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private func layer(_ text: String) throws -> PlanLayer {
  try PlanLayer(decoding: Data(text.utf8), origin: "test.json5")
}

private func message(_ text: String) -> String {
  do {
    _ = try layer(text)
    return ""
  } catch {
    return "\(error)"
  }
}

/// `parley check --defaults > config/parley.json5` makes it anew.
@Test func theShippedFileIsMadeOfTheSettings() throws {
  // As it is checked out, it may belong to anybody.
  let text = try Data(contentsOf: URL(filePath: Repository.path + "/config/parley.json5"))
  #expect(String(decoding: text, as: UTF8.self) == AnnotatedConfiguration.text)
  let shipped = try PlanLayer(decoding: text, origin: "config/parley.json5")
  #expect(shipped.values == Dictionary(uniqueKeysWithValues: PlanKey.all.map { ($0.name, $0.builtIn) }))
  #expect(Set(PlanKey.all.map(\.name)).count == PlanKey.all.count)
}

@Test func theCommandLineOverridesTheFileAndTheFileTheBuiltInValue() throws {
  let file = try layer("{ interaction: { mode: 'direct', readBack: false } }")
  var flags = PlanLayer(origin: "--mode")
  try flags.set("interaction.mode", .text("review"))
  let plan = Plan([file, flags])
  #expect(plan.mode == .review)
  #expect(plan.readsBack == false)
  #expect(plan.entries["interaction.mode"]?.origin == "--mode")
  #expect(plan.entries["interaction.readBack"]?.origin == "test.json5")
  #expect(plan.entries["audio.pace"]?.origin == "built in")
}

@Test func anUnknownKeyNamesTheNearest() {
  #expect(
    message("{ interaction: { moed: 'direct' } }")
      == "test.json5, line 1, column 18: there is no key “interaction.moed”. Did you mean “interaction.mode”?")
}

@Test(arguments: [
  ("{ interaction: { mode: 'fast' } }", "interaction.mode is “fast”, but must be review or direct."),
  ("{ interaction: { readBack: 'yes' } }", "interaction.readBack must be true or false."),
  ("{ live: { silenceMilliseconds: 5 } }", "live.silenceMilliseconds must be from 200 to 10000."),
  ("{ live: { silenceMilliseconds: '5' } }", "live.silenceMilliseconds must be a whole number from 200 to 10000."),
  ("{ live: { silenceMilliseconds: 500.5 } }", "live.silenceMilliseconds must be a whole number from 200 to 10000."),
  ("{ agent: { environment: 'HOME' } }", "agent.environment must be a list of texts."),
  ("{ agent: { environment: ['HOME', 5] } }", "agent.environment must be a list of texts."),
  (
    "{ agent: { environment: ['HOME', 'A=secret'] } }",
    "agent.environment takes names of environment variables, and no values."
  ),
  ("{ agent: { environment: [''] } }", "agent.environment takes names of environment variables, and no values."),
  (
    "{ agent: { environment: ['sk-proj-abcdefghijklmnop1234567890'] } }",
    "agent.environment takes names of environment variables, and no values."
  ),
  (
    #"{ recording: { folder: '/tmp/a\u0000/b' } }"#,
    "recording.folder has a NUL character in it: nothing that it may name has one."
  ),
  ("{ agent: { agent: 'echo', agent: 'guide' } }", "agent.agent is set a second time. Remove one of them."),
  ("{ agent: { agent: 'echo' }, agent: { agent: 'guide' } }", "agent.agent is set a second time. Remove one of them."),
  ("{ agent: { agent: null } }", "agent.agent must be a text in quotes."),
  ("{ live: { silenceMilliseconds: 10001 } }", "live.silenceMilliseconds must be from 200 to 10000."),
  (
    "{ interaction: { wakePhrase: 'parley' } }",
    "interaction.wakePhrase must be two to four words, such as “hey parley”: fewer are said by chance."
  ),
  (
    "{ interaction: { sleepPhrase: 'never mind' } }",
    "interaction.sleepPhrase is “never mind”, which decides about what is held; choose other words."
  ),
  (
    "{ interaction: { endWord: 'Yes!' } }",
    "interaction.endWord is “Yes!”, which means something of its own; choose a word such as “over”."
  ),
  (
    "{ interaction: { endWord: '…' } }",
    "interaction.endWord must be one to three words that can be spoken, such as “over”."
  ),
])
func aWrongValueSaysWhatIsAllowed(_ text: String, _ expected: String) {
  #expect(message(text).hasSuffix(": " + expected))
}

@Test(arguments: [
  ("{", "line 1, column 1: the “{” here is never closed."),
  ("[]", "line 1, column 1: the file must be an object of groups, each an object of keys."),
  ("{\n  interaction: 5,\n}", "line 2, column 16: interaction is a group: it takes an object of keys in braces."),
  ("{ interaction: { mode: {} } }", "line 1, column 18: interaction.mode must be review or direct."),
  ("{\n  audo: {},\n}", "line 2, column 3: there is no group “audo”. Did you mean “audio”?"),
  (
    "// what\n{\r\n  /* a\n b */ audio: {\n    pase: 'real' } }",
    "line 5, column 5: there is no key “audio.pase”. Did you mean “audio.pace”?"
  ),
  ("{\n  audio: {\n    pace: real\n  }\n}", "line 3, column 11: “real” is not a value; text needs quotes."),
  (
    "{\n  audio: {\n    pace: 'real'\n    speaker: 'none'\n  }\n}",
    "line 4, column 5: there is “s” where a comma or “}” is expected."
  ),
  ("{ audio: { pace: 'real } }", "line 1, column 18: the text that begins here has no closing quote."),
  ("{ audio { } }", "line 1, column 9: there is “{” where a “:” behind “audio” is expected."),
  ("{} {}", "line 1, column 4: there is “{” after the end."),
  ("/* no end", "line 1, column 1: the comment that begins here has no end (*/)."),
  ("\u{0}", "line 1, column 1: there is a control character where a value is expected."),
])
func aBrokenFileNamesLineAndColumn(_ text: String, _ expected: String) {
  #expect(message(text) == "test.json5, " + expected)
}

@Test(arguments: ["", " \n\n", "// nothing yet\n", "/* nothing */", "{}", "{ /* nothing */ }", "\u{FEFF}{}"])
func anEmptyFileIsTheBuiltInValues(_ text: String) throws {
  #expect(try layer(text).values.isEmpty)
}

@Test func whatJSON5AllowsIsRead() throws {
  let values = try layer(
    #"""
    {
      "audio": { 'pace': "fast", speaker: 'it\'s \x41\u00e9\ud83d\ude00 \
    here', overwrite: true, },
      live: { silenceMilliseconds: +0x1F4, },
      interaction: { answerLimitSeconds: 1e3, keyboardOnly: ["a", 'b',], },
    }
    """#
  ).values
  #expect(values["audio.pace"] == .text("fast"))
  #expect(values["audio.speaker"] == .text("it's Aé😀 here"))
  #expect(values["audio.overwrite"] == .flag(true))
  #expect(values["live.silenceMilliseconds"] == .number(500))
  #expect(values["interaction.answerLimitSeconds"] == .number(1000))
  #expect(values["interaction.keyboardOnly"] == .list(["a", "b"]))
}

@Test func whateverAFileHoldsItIsReadOrRefused() {
  let pieces = [
    "{", "}", "[", "]", ":", ",", "'", "\"", "\\", "audio", "1", "-", "//", "/*", "\n", "é", "\u{0}", "\\u12",
  ]
  var generator = SystemRandomNumberGenerator()
  for _ in 0..<2_000 {
    let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
    }
    .joined()
    let error = message(text)
    #expect(error.isEmpty || error.hasPrefix("test.json5, line "), "\(text)")
  }
}

@Test func aKeyInPlaceOfItsVariableIsRefusedAndNotRepeated() {
  let key = "AIzaSyD-made-up-Key_1234567890abcdEFGH"
  let text = message("{ live: { keyVariable: '\(key)' } }")
  #expect(text.contains("must be the name of an environment variable"))
  #expect(!text.contains(key))
}

private let providers = [
  Plan.LiveDefaults(provider: "gemini", model: "g-1", voice: "Kore", keyVariable: "GEMINI_API_KEY"),
  Plan.LiveDefaults(provider: "other", model: "o-1", voice: "", keyVariable: "OTHER_KEY"),
  Plan.LiveDefaults(provider: "third", model: "t-1", voice: "", keyVariable: "THIRD_KEY", isTakenByKey: false),
]

private func resolve(_ settings: String, _ environment: [String: String]) throws -> Plan {
  try Plan.resolve(
    file: nil, commandLine: try layer("{ live: { \(settings) } }"), providers: providers, environment: environment
  ) { _ in false }
}

@Test(arguments: [
  ([:], "local", "GEMINI_API_KEY and OTHER_KEY are not set"), (["GEMINI_API_KEY": ""], "local", "GEMINI_API_KEY and"),
  (["GEMINI_API_KEY": "k"], "gemini", "GEMINI_API_KEY is set"), (["OTHER_KEY": "k"], "other", "OTHER_KEY is set"),
  (["OTHER_KEY": "k", "GEMINI_API_KEY": "k"], "gemini", "GEMINI_API_KEY is set"),
  (["THIRD_KEY": "k"], "local", "GEMINI_API_KEY and OTHER_KEY are not set"),
])
func withoutAKeyTheLiveModelIsTheLocalOne(
  _ environment: [String: String], _ endpoint: String, _ origin: String
) throws {
  let plan = try resolve("", environment)
  #expect(plan.endpoint == endpoint)
  #expect(plan.entries["live.endpoint"]?.origin.hasPrefix(origin) == true)
  // The local one is not said to be another's.
  #expect(plan.model.isEmpty == (endpoint == "local"))
}

@Test(arguments: [
  ("endpoint: 'gemini'", "g-1", "Kore", "GEMINI_API_KEY"), ("endpoint: 'other'", "o-1", nil, "OTHER_KEY"),
  ("endpoint: 'other:wss://host'", "o-1", nil, "OTHER_KEY"),
  ("endpoint: 'wss://host'", "g-1", "Kore", "GEMINI_API_KEY"),
  ("endpoint: 'other', model: 'o-2', voice: 'low', keyVariable: 'MINE'", "o-2", "low", "MINE"),
  ("endpoint: 'third'", "t-1", nil, "THIRD_KEY"), ("endpoint: 'others'", "g-1", "Kore", "GEMINI_API_KEY"),
])
func whatIsNotNamedIsTheProvidersOwn(_ settings: String, _ model: String, _ voice: String?, _ variable: String) throws {
  let plan = try resolve(settings, [:])
  #expect(plan.model == model && plan.voice == voice && plan.keyVariable == variable)
  let isNamed = settings.contains("model")
  #expect(plan.entries["live.model"]?.origin.hasPrefix("default of") == !isNamed)
}

@Test func aKeyVariableOfOnesOwnDecidesWhetherThereIsAKey() throws {
  #expect(try resolve("keyVariable: 'MINE'", ["MINE": "k"]).endpoint == "gemini")
  #expect(try resolve("keyVariable: 'MINE'", ["GEMINI_API_KEY": "k"]).endpoint == "local")
}

/// What is heard would mean two things. A flag may make a phrase the same as one of a file, or one that is built in.
@Test(arguments: [
  ("wakePhrase: 'Okay, stop'", "wakePhrase", "“Okay, stop”, as interaction.stopPhrase is"),
  ("wakePhrase: 'OK stop please'", "wakePhrase", "“OK stop please”, as interaction.stopPhrase is"),
  ("stopPhrase: 'stop listening'", "stopPhrase", "“stop listening”, as interaction.sleepPhrase is"),
  (
    "stopPhrase: 'stop listening', wakePhrase: 'stop listening'", "stopPhrase",
    "“stop listening”, as interaction.sleepPhrase is"
  ),
  ("sleepPhrase: 'good day', wakePhrase: 'Good day!'", "wakePhrase", "“Good day!”, as interaction.sleepPhrase is"),
  ("sleepPhrase: 'good night', endWord: 'good night'", "endWord", "“good night”, as interaction.sleepPhrase is"),
  ("wakePhrase: 'hey parley', endWord: 'hey, parley'", "endWord", "“hey, parley”, as interaction.wakePhrase is"),
  ("sleepPhrase: 'parley stop'", "sleepPhrase", "“parley stop”, which always stops speech and work"),
  ("wakePhrase: 'Parley, stop!'", "wakePhrase", "“Parley, stop!”, which always stops speech and work"),
])
func noTwoPhrasesAreTheSame(_ settings: String, _ name: String, _ reason: String) throws {
  let refused = #expect(throws: ConfigurationError.self) {
    try Plan.resolve(
      file: nil, commandLine: try layer("{ interaction: { \(settings) } }"), providers: providers, environment: [:]
    ) { _ in false }
  }
  #expect(refused?.description == "test.json5: interaction.\(name) is \(reason); choose other words.")
}

@Test(arguments: [
  "stopPhrase: '', sleepPhrase: '', wakePhrase: '', endWord: ''", "stopPhrase: 'parley, stop'",
  "wakePhrase: 'hey parley', endWord: 'over'", "stopPhrase: 'silence now', sleepPhrase: 'silence for now'",
  "stopPhrase: 'stop listening', sleepPhrase: 'okay, stop'",
])
func phrasesThatDifferAreTaken(_ settings: String) throws {
  let layer = try layer("{ interaction: { \(settings) } }")
  _ = try Plan.resolve(file: nil, commandLine: layer, providers: providers, environment: [:]) { _ in false }
}

@Test func aMissingFileIsNamed() {
  #expect(throws: ConfigurationError.self) { try PlanLayer(readingFile: "/nowhere/parley.json5") }
}

@Test(arguments: [
  ("{}", 1_000), ("{ interaction: { patience: 'quick' } }", 700), ("{ interaction: { patience: 'patient' } }", 1_600),
  ("{ interaction: { patience: 'patient' }, live: { silenceMilliseconds: 9000 } }", 10_000),
  ("{ interaction: { patience: 'quick' }, live: { silenceMilliseconds: 250 } }", 200),
])
func patienceMakesEveryPauseLongerOrShorter(_ text: String, _ milliseconds: Int) throws {
  #expect(Plan([try layer(text)]).silenceMilliseconds == milliseconds)
}

@Test func aWrongValueOfAFlagIsAFaultOfTheCallAndOneOfAFileIsNot() throws {
  var flags = PlanLayer(origin: PlanLayer.commandLine)
  let refused = #expect(throws: ConfigurationError.self) { try flags.set(\.patience, .text("endless")) }
  #expect(refused?.isOfFlag == true)
  #expect(
    refused?.description
      == "command line: interaction.patience is “endless”, but must be normal, quick, or patient.")
  let file = #expect(throws: ConfigurationError.self) { try layer("{ interaction: { patience: 'endless' } }") }
  #expect(file?.isOfFlag == false)
  try flags.set(\.agent, .text("nosuch"))
  #expect(Plan([flags]).refusal(of: \.agent, "There is none.").isOfFlag)
  #expect(!Plan([flags]).refusal(of: \.endpoint, "There is none.").isOfFlag)
}
