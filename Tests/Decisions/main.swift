// Prints a line for each of many simulated sessions: the fixture, the seed, and a digest of every event, action and reason. Two
// programs that print the same have decided the same; see script/compare.

import VoiceRecording
import VoiceReplay
import VoiceSound
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

let seeds = UInt64(CommandLine.arguments[1]) ?? 1
let folders = CommandLine.arguments.dropFirst(2)

/// What may go wrong; the seed draws the places.
let faults = try [
  "drop:frame", "drop:command", "drop:agent", "drop:transcript", "delay:agent=900", "delay:link=400",
  "delay:transcript=700",
  "duplicate:proposal", "duplicate:transcript", "corrupt:transcript", "cut:link", "refuse:link=2", "lose:microphone",
  "lose:speaker", "kill:agent", "ignore:halt", "fill:disk", "slow:disk=1500",
  "suspend:machine=3600000",
].map { try Fault($0) }

/// FNV-1a, 64 bits: what is compared are two programs, not an attacker's text.
func digest(_ replay: WorldReplay) -> UInt64 {
  let codec = LogCodec()
  return replay.lines.reduce(0xcbf2_9ce4_8422_2325) { hash, line in
    var line = line
    // How a program keeps its state is its own affair.
    line.step.state = nil
    return codec.encode(line).reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

for path in folders {
  let folder = try FixtureFolder(path) {
    try SoundFileReader(path: $0, rate: PCM.microphoneRate).readAll()
  }
  let name = URL(filePath: path).lastPathComponent
  let base = await folder.replay()
  print(name, "-", digest(base))
  for seed in 1...seeds {
    var generator = SeededGenerator(seed: ~seed)
    var perturbation = Perturbation(seed: seed, faults: [])
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      perturbation.faults.append(faults[Int.random(in: faults.indices, using: &generator)])
    }
    print(name, seed, digest(await folder.replay(perturbation, baseline: base.counts)))
  }
}
