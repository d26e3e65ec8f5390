import FuzzReaders
import Testing
import VoiceReplay
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The readers that the fuzzer tries, over its seeds and over changed ones; each traps when a rule is broken.
struct FuzzReaderTests {
  private static func seeds(_ reader: FuzzReader) throws -> [[UInt8]] {
    let folder = Fixtures.tests + "/Fuzz/seeds/" + reader.name
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      Array(try #require(FileManager.default.contents(atPath: folder + "/" + name)))
    }
  }

  @Test(arguments: FuzzReader.allCases)
  func everySeedKeepsTheRulesWhereverItEnds(_ reader: FuzzReader) throws {
    let seeds = try Self.seeds(reader)
    #expect(!seeds.isEmpty)
    for seed in seeds {
      for end in stride(from: 0, to: seed.count, by: 1 + seed.count / 300) { reader.read(Array(seed[..<end])) }
      reader.read(seed)
    }
  }

  @Test(arguments: FuzzReader.allCases)
  func changedSeedsKeepTheRules(_ reader: FuzzReader) throws {
    var generator = SeededGenerator(seed: 7)
    let seeds = try Self.seeds(reader)
    for _ in 1...300 {
      var bytes = try #require(seeds.randomElement(using: &generator))
      for _ in 1...Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.insert(0xFF, at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
        default:
          // A part twice: ends, tools and requests that come again.
          let part = bytes[place..<min(bytes.count, place + Int.random(in: 1...200, using: &generator))]
          bytes.insert(contentsOf: part, at: place)
        }
      }
      reader.read(bytes)
    }
  }
}
