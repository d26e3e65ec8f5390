import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Test(arguments: [
  "drop:frame@2%", "delay:agent@3=1500", "duplicate:proposal", "corrupt:transcript@1", "cut:link@120", "refuse:link=2",
  "lose:microphone@7", "lose:speaker", "kill:agent@9", "ignore:halt@0", "fill:disk@40", "slow:disk@0=2000",
  "suspend:machine@12",
])
func aFaultIsWrittenAsItIsRead(_ text: String) throws {
  let written = try Fault(text).description
  #expect(try Fault(written) == Fault(text))
  #expect(try JSONDecoder().decode([Fault].self, from: JSONEncoder().encode([Fault(text)])) == [Fault(text)])
  // Defaults are written out.
  #expect(written.hasPrefix(text))
}

@Test(arguments: [
  "", "drop", "drop:", "drop:everything", "drop:frame@", "drop:frame@0", "drop:frame@-1", "drop:frame@101%",
  "drop:frame=3", "duplicate:frame", "corrupt:command", "cut:agent", "cut:link@5%", "cut:link=4", "delay:agent=0",
  "delay:agent=soon", "delay:agent=99999999999999999999", "slow:disk=-1", "refuse:link=1000", "any",
])
func aFaultThatIsNoneIsNamed(_ text: String) {
  let failure = #expect(throws: FixtureFailure.self) { try Fault(text) }
  #expect(failure?.description.hasPrefix("“\(text)” is no fault") == true)
}

@Test func whatIsLeftOutOfAFaultIsTheBuiltInValue() throws {
  #expect(try Fault("delay:agent@3") == Fault("delay:agent@3=500"))
  #expect(try Fault("refuse:link") == Fault("refuse:link=1"))
  #expect(try Fault("refuse:link=100").description.hasPrefix("refuse:link=100"))
  #expect(throws: FixtureFailure.self) { try Fault("refuse:link=101") }
  #expect(throws: FixtureFailure.self) { try Fault("refuse:link=0") }
}

/// The numbers that the authors of SplitMix64 give for this seed.
@Test func randomNumbersAreThoseOfTheirAlgorithm() {
  var generator = SeededGenerator(seed: 1_234_567)
  #expect(
    (0..<5).map { _ in generator.next() } == [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ])
}

@Test func faultsOfAFileAreReadALineEach() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/faults"
  try Data("# a bad evening\ndrop:frame@2%   # the network\n\n cut:link\n".utf8).write(to: URL(filePath: path))
  #expect(try Fault.list(inFile: path) == [Fault(.drop(.frame), .percent(2)), Fault(.cutLink)])
  try Data("cut:link\n\ncut:rope\n".utf8).write(to: URL(filePath: path))
  let failure = #expect(throws: FixtureFailure.self) { try Fault.list(inFile: path) }
  #expect(failure?.description.contains("line 3") == true)
}

/// Some, because this is a test; `parley replay --seeds` looks further.
private let someSlugs = slugs.enumerated().filter { $0.offset % 8 == 0 }.map(\.element)

@Test(arguments: someSlugs) func noFaultBreaksARule(_ slug: String) async throws {
  let outcome = try await ReplayRunner(.perturbed(seeds: 1..<5, faults: [], random: true), jobs: 1)
    .run([.fixture(load(slug))])[0]
  #expect(outcome.runs == 5)
  #expect(outcome.broken.isEmpty, "\(outcome.broken.first.map { "\($0.breach.text), \($0.faults)" } ?? "")")
}

@Test func theSameSeedGivesTheSameBytesAndAnotherSeedOthers() async throws {
  let folder = try load("barge-in")
  let baseline = await folder.replay().counts
  func log(_ seed: UInt64) async -> [UInt8] {
    await folder.replay(Perturbation(seed: seed, faults: [Fault(.drop(.frame), .percent(3))]), baseline: baseline).log
  }
  let first = await log(7)
  #expect(await log(7) == first)
  #expect(await log(8) != first)
}

@Test(arguments: 1..<20 as Range<UInt64>) func aChanceIsFromNeverToAlways(_ seed: UInt64) async throws {
  let folder = try load("two-turns")
  let plain = await folder.replay()
  func proposals(_ percent: Int) async -> Int {
    let faults = [Fault(.drop(.proposal), .percent(percent))]
    return await folder.replay(Perturbation(seed: seed, faults: faults), baseline: plain.counts).handedOn.count
  }
  #expect(await proposals(0) == plain.handedOn.count)
  #expect(await proposals(100) == 0)
}

@Test func aFaultWithItsPlaceGivesTheRunThatDrewIt() async throws {
  let folder = try load("queued-instruction")
  let baseline = await folder.replay().counts
  let drawn = await folder.replay(
    Perturbation(seed: 5, faults: [Fault(.cutLink), Fault(.drop(.transcript))]), baseline: baseline)
  #expect(drawn.faults.allSatisfy { $0.place != .anywhere })
  let again = await folder.replay(Perturbation(seed: 5, faults: drawn.faults), baseline: baseline)
  #expect(again.log == drawn.log)
}

@Test func aBrokenRuleIsFound() async throws {
  // An agent that is started anew by its own death would be handed the instruction twice, if the session did that; here
  // the world itself breaks the promise, to see that somebody looks.
  var rules = SessionRules()
  rules.check(.sessionStarted(settings: .init { $0.mode = .direct }), [], at: .zero)
  let instruction = Instruction(id: .init(rawValue: 1), text: "run the tests", heard: nil, source: .keyboard)
  rules.check(.commandsEnded, [.startRun(run: .init(rawValue: 1), instruction: instruction)], at: .zero)
  #expect(rules.violations.contains { $0.contains("before it is in the ledger") })
}
