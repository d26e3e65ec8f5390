import Testing
import VoiceConfiguration
import VoiceCore
import VoiceTesting

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

@Test func theShippedFileHoldsEveryKeyWithItsBuiltInValue() throws {
  let shipped = try PlanLayer(readingFile: ProjectFolder.path + "/config/parley.json5")
  for key in PlanKey.all { #expect(shipped.values[key.name] == key.builtIn, "\(key.name)") }
  #expect(shipped.values.count == PlanKey.all.count)
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
      == "test.json5: there is no key “interaction.moed”. Did you mean “interaction.mode”?")
}

@Test(arguments: [
  ("{ interaction: { mode: 'fast' } }", "test.json5: interaction.mode is “fast”, but must be review or direct."),
  ("{ interaction: { readBack: 'yes' } }", "test.json5: interaction.readBack must be true or false."),
  ("{ live: { silenceMilliseconds: 5 } }", "test.json5: live.silenceMilliseconds must be from 200 to 10000."),
  (
    "{ live: { silenceMilliseconds: '5' } }",
    "test.json5: live.silenceMilliseconds must be a whole number from 200 to 10000."
  ),
  (
    "{ live: { silenceMilliseconds: 10001 } }", "test.json5: live.silenceMilliseconds must be from 200 to 10000."
  ),
  (
    "{ interaction: { endWord: 'Yes!' } }",
    "test.json5: interaction.endWord is “Yes!”, which means something of its own; choose a word such as “over”."
  ),
  (
    "{ interaction: { endWord: '…' } }",
    "test.json5: interaction.endWord must be one to three words that can be spoken, such as “over”."
  ),
  ("{ agent: { environment: 'HOME' } }", "test.json5: agent.environment must be a list of texts."),
])
func aWrongValueSaysWhatIsAllowed(_ text: String, _ expected: String) { #expect(message(text) == expected) }

@Test(arguments: ["{", "[]", "{ interaction: 5 }", "{ interaction: { mode: {} } }", "", "\u{0}"])
func aFileThatIsNoConfigurationIsOneClearError(_ text: String) {
  #expect(message(text).hasPrefix("test.json5"))
}

@Test func aKeyInPlaceOfItsVariableIsRefusedAndNotRepeated() {
  let key = "AIzaSyD-made-up-Key_1234567890abcdEFGH"
  let text = message("{ live: { keyVariable: '\(key)' } }")
  #expect(text.contains("must be the name of an environment variable"))
  #expect(!text.contains(key))
}

@Test(arguments: [("", "local", "GEMINI_API_KEY is not set"), ("k", "gemini", "GEMINI_API_KEY is set")])
func withoutAKeyTheLiveModelIsTheLocalOne(_ key: String, _ endpoint: String, _ origin: String) throws {
  let plan = try Plan.resolve(
    file: nil, commandLine: PlanLayer(origin: "flags"), environment: ["GEMINI_API_KEY": key]
  ) { _ in false }
  #expect(plan.endpoint == endpoint)
  #expect(plan.entries["live.endpoint"]?.origin == origin)
}

@Test func aMissingFileIsNamed() {
  #expect(throws: ConfigurationError.self) { try PlanLayer(readingFile: "/nowhere/parley.json5") }
}
