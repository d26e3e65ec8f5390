import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// Lines of several sessions in an order that none ever had: each reader of a log gets through them, or refuses them.
struct DisorderTests {
  private static let fixtures = [
    "review", "permission-allowed", "barge-in", "direct", "halt", "amend-while-read", "client-turn-detection",
    "link-rotated", "steer", "end-word", "question-asked",
  ].filter { slugs.contains($0) }

  /// The start of one session, and then anything of any of them, in numbers and times that only grow.
  private func lines(_ seed: UInt64, _ pool: [LogLine], starts: Bool) -> [LogLine] {
    var chance = SeededGenerator(seed: seed)
    var lines = [pool[0]]
    var step = pool[0].step
    var position = -PCM.frameSamples
    for _ in 0..<150 {
      guard var line = pool.randomElement(using: &chance) else { break }
      if !starts, case .sessionStarted = line.step.event { continue }
      step.sequence += lines.last?.repeated ?? 1
      step.time = step.time.advanced(byMilliseconds: [0, 20, 1_000, 20_000].randomElement(using: &chance) ?? 0)
      (line.step.sequence, line.step.time) = (step.sequence, step.time)
      if case .microphoneFrame(var frame) = line.step.event {
        frame.position = position + PCM.frameSamples
        position = frame.position + (line.repeated - 1) * PCM.frameSamples
        line.step.event = .microphoneFrame(frame: frame)
      }
      if Bool.random(using: &chance) { line.step.actions = [] }
      lines.append(line)
    }
    return lines
  }

  @Test(arguments: 0..<40) func noOrderOfLinesStopsAReplay(_ seed: UInt64) async throws {
    let pool = try Self.fixtures.flatMap { try LogReader(load($0).expectedPath).lines }
    let lines = lines(seed, pool, starts: seed.isMultiple(of: 4))
    let folder = try TemporaryFolder()
    let session = try SessionReplay(lines, "crafted")
    _ = session.compare(await session.replay())
    let path = folder.path + "/events.jsonl"
    let file = try AppendFile(path)
    let codec = LogCodec()
    try file.append(codec.encode(LogHeader.current))
    for line in lines { try file.append(codec.encode(line)) }
    #expect(try LogReader(path).damage == nil)
    _ = try await LogReplay(path).run()
  }

  @Test func soundThatGoesBackIsNoSession() throws {
    var lines = try LogReader(load("direct").expectedPath).lines
    let index = try #require(lines.lastIndex { if case .microphoneFrame = $0.step.event { true } else { false } })
    lines[index].step.event = .microphoneFrame(frame: MicrophoneFrame(position: 0, samples: []))
    #expect(throws: FixtureFailure.self) { try SessionReplay(lines, "crafted") }
  }
}
