import Testing
import VoiceCore

@testable import VoiceConfiguration

/// What a configuration file may say, and the one clear error for each thing that it may not.
struct ConfigurationFileTests {
  private func error(in text: String) -> String? {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.layer(of: text, named: "my.json5")
      return nil
    } catch { return error.message }
  }

  @Test func everyPartOfJSON5IsRead() throws {
    let layer = try ConfigurationFile.layer(
      of: """
        // A line.
        { /* a comment, with { braces */
          'interaction': { mode: 'direct', "readBack": false, },
          live: { silenceMilliseconds: 0x320, model: null, endpoint: "ws://127.0.0.1:8000/a{b" },
          agent: { environment: ['HOME_A', "B",], agent: "it's \\"mine\\"" },
        }
        """, named: "my.json5")
    #expect(layer.interaction.mode == .direct)
    #expect(layer.interaction.readBack == false)
    #expect(layer.live.silenceMilliseconds == 800)
    #expect(layer.live.model == .some(nil))
    #expect(layer.live.voice == nil)
    #expect(layer.live.endpoint == .fixed(.server(address: "ws://127.0.0.1:8000/a{b")))
    #expect(layer.agent.environment == ["HOME_A", "B"])
    #expect(layer.agent.agent == "it's \"mine\"")
    #expect(layer.audio.pace == nil)
  }

  @Test func anEmptyObjectSaysNothing() throws {
    #expect(try ConfigurationFile.layer(of: "{}", named: "my.json5") == PlanLayer())
  }

  @Test(arguments: [
    // Unknown names.
    (
      "{\n  interaction: {\n    mod: \"direct\" } }",
      "my.json5, line 3: interaction.mod is not a setting. Did you mean interaction.mode?"
    ),
    (
      "{ interaction: { silenceMilliseconds: 500 } }",
      "my.json5, line 1: interaction.silenceMilliseconds is not a setting. Did you mean live.silenceMilliseconds?"
    ),
    (
      "{ live: { endpiont: \"local\" } }",
      "my.json5, line 1: live.endpiont is not a setting. Did you mean live.endpoint?"
    ),
    ("{ lives: {} }", "my.json5, line 1: lives is not a setting. Did you mean live?"),
    ("{ mode: \"direct\" }", "my.json5, line 1: mode is not a setting. Did you mean interaction.mode?"),
    ("{ zebra: 1 }", "my.json5, line 1: zebra is not a setting. config/parley.json5 shows all of them."),
    ("{ live: { zebra: 1 } }", "my.json5, line 1: live.zebra is not a setting. config/parley.json5 shows all of them."),
    // Wrong types and values.
    (
      "{ interaction: { mode: \"fast\" } }",
      "my.json5, line 1: interaction.mode must be \"direct\" or \"review\" (it is \"fast\")."
    ),
    (
      "{ interaction: { interruptedBy: 3 } }",
      "my.json5, line 1: interaction.interruptedBy must be \"auto\", \"gate\" or \"model\" (it is the number 3)."
    ),
    (
      "{ interaction: { readBack: \"yes\" } }",
      "my.json5, line 1: interaction.readBack must be true or false (it is \"yes\")."
    ),
    (
      "{ interaction: { readBack: null } }",
      "my.json5, line 1: interaction.readBack must be true or false (it is null)."
    ),
    (
      "{ live: { silenceMilliseconds: 1.5 } }",
      "my.json5, line 1: live.silenceMilliseconds must be a whole number (it is the number 1.5)."
    ),
    (
      "{ live: { silenceMilliseconds: 50 } }",
      "my.json5, line 1: live.silenceMilliseconds must be between 200 and 5000 (it is 50)."
    ),
    (
      "{ live: { endpoint: \"http://x\" } }",
      "my.json5, line 1: live.endpoint must be \"auto\", \"local\", \"gemini\", \"openai\", or an address that begins with ws:// or wss:// (it is \"http://x\")."
    ),
    ("{ live: { model: [] } }", "my.json5, line 1: live.model must be a text, or null (it is a list)."),
    ("{ agent: { environment: [1] } }", "my.json5, line 1: agent.environment must be a list of texts (it is a list)."),
    (
      "{ agent: { environment: [\"A B\"] } }",
      "my.json5, line 1: agent.environment must be the name of an environment variable, such as GEMINI_API_KEY."
    ),
    ("{ agent: { agent: \"  \" } }", "my.json5, line 1: agent.agent must not be empty."),
    (
      "{ interaction: \"direct\" }",
      "my.json5, line 1: interaction must be an object with the keys mode, readBack, interruptedBy."
    ),
    ("[]", "my.json5 must hold one object with the groups interaction, audio, live, agent, recording, display."),
    // Spelling.
    (
      "{\n  live: {\n    model: \"a\"\n    voice: \"b\"\n  }\n}",
      "my.json5, line 4, column 5: a comma or \"}\" is missing."
    ),
    ("{ live: { model \"a\" } }", "my.json5, line 1, column 17: a colon is missing after model."),
    ("{ live: { model: \"a } }", "my.json5, line 1, column 18: the text that begins here has no closing quote."),
    ("{ live: {\n model: \"a\"\n", "my.json5, line 1, column 9: the \"{\" that begins here is not closed."),
    ("{ live: { model: , } }", "my.json5, line 1, column 18: a value is missing before \",\"."),
    ("{ /* live: {} }", "my.json5, line 1, column 3: the comment that begins here has no end."),
    ("{} {}", "my.json5, line 1, column 4: nothing may follow the closing brace."),
    ("", "my.json5, line 1, column 1: a value is missing."),
    ("{ live: {},\n live: {} }", "my.json5, line 2, column 2: live was said before, in line 1."),
    ("{ live: { model: yes } }", "my.json5 is not JSON5. Compare it with config/parley.json5."),
  ])
  func aMistakeIsNamedWithItsPlace(_ text: String, _ message: String) { #expect(error(in: text) == message) }

  @Test(arguments: [
    ("{ live: { keyVariable: \"AIzaSyA1234567890abcdefghijklmnopqrstuv\" } }", "looks like a key itself"),
    ("{ agent: { keyVariable: \"sk-proj-abcdefghijklmnop\" } }", "looks like a key itself"),
    ("{ agent: { keyVariable: \"hunter2!\" } }", "must be the name of an environment variable"),
    ("{ live: { model: \"AIzaSyA1234567890abcdefghijklmnopqrstuv\" } }", "looks like a key"),
    ("{ agent: { agent: \"agent --key=sk-proj-abcdefghijklmnop\" } }", "looks like a key"),
    ("{ live: { endpoint: \"wss://example.org/?key=hunter2\" } }", "must not hold a key or a password"),
    ("{ live: { endpoint: \"wss://ann:hunter2@example.org/\" } }", "must not hold a key or a password"),
    ("{ interaction: { mode: \"sk-proj-abcdefghijklmnop\" } }", "it is a text"),
  ])
  func aKeyInTheFileIsRefusedAndNotRepeated(_ text: String, _ part: String) throws {
    let message = try #require(error(in: text))
    #expect(message.contains(part), "\(message)")
    for secret in ["hunter2", "AIza", "sk-proj"] { #expect(!message.contains(secret), "\(message)") }
  }

  /// Whatever stands in a file, reading it ends with a layer or with one error.
  @Test func cuttingTheShippedFileAnywhereGivesOneErrorAtMost() throws {
    let text = try Shipped.text()
    for length in stride(from: 0, to: text.count, by: 7) {
      let cut = String(text.prefix(length))
      if let message = error(in: cut) { #expect(message.hasPrefix("my.json5"), "\(message)") }
    }
    #expect(error(in: text) == nil)
  }
}
