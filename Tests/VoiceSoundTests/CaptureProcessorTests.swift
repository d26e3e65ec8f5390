import Foundation
import Testing
import VoiceSound

struct CaptureProcessorTests {
  private let blocks: [(captured: [Int16], played: [Int16])]

  init() throws {
    let microphone = try SoundFileReader(path: fixture("aec_mic")).readAll()
    let far = try SoundFileReader(path: fixture("aec_far")).readAll()
    blocks = stride(from: 0, to: microphone.count - 159, by: 160).map {
      (Array(microphone[$0..<$0 + 160]), Array(far[$0..<$0 + 160]))
    }
  }

  private func decibels(_ samples: [Int16]) -> Double {
    10 * log10(samples.reduce(1) { $0 + Double($1) * Double($1) } / Double(samples.count))
  }

  /// In the recording the near talker begins at 4.2 s; before, there is nothing but echo.
  @Test func theProgramsOwnVoiceDoesNotInterruptItButTheUsersDoes() throws {
    var processor = CaptureProcessor()
    var starts: [Double] = []
    for (index, block) in blocks.enumerated() {
      let result = processor.process(block.captured, played: block.played, delayMilliseconds: 60)
      if result.changes.contains(.started) { starts.append(Double(index + 1) / 100) }
    }
    let first = try #require(starts.first)
    print("barge-in at \(starts)")
    #expect(first > 4.2)
    #expect(first < 5.5)
  }

  @Test func withoutCancellingTheEchoWouldInterrupt() {
    var vad = LocalVAD.withoutNetwork()
    let first = blocks.prefix(420).firstIndex { vad.hear($0.captured).contains(.started) }
    #expect(first != nil)
  }

  @Test func theEchoIsTakenAwayOnBothWays() {
    var processor = CaptureProcessor()
    let canceller = EchoCanceller()
    var captured: [Int16] = []
    var cleaned: [Int16] = []
    var gated: [Int16] = []
    var passed: [Int16] = []
    for (index, block) in blocks.prefix(420).enumerated() {
      let result = processor.process(block.captured, played: block.played, delayMilliseconds: 60)
      let rest = canceller.clean(block.captured, played: block.played).samples
      passed += result.samples
      guard index >= 250 else { continue }
      captured += block.captured
      cleaned += rest
      gated += result.detectorSamples
    }
    let recogniserLoss = decibels(captured) - decibels(cleaned)
    let gateLoss = decibels(captured) - decibels(gated)
    print("echo down by \(recogniserLoss) dB for the recogniser, \(gateLoss) dB for the vad")
    #expect(recogniserLoss > 8)
    #expect(gateLoss > 15)
    #expect(passed.allSatisfy { abs(Int($0)) < 100 }, "while nobody speaks, the recogniser hears nothing of the rest")
  }

  @Test func theUsersWordsSurvive() {
    var processor = CaptureProcessor()
    var near: [Int16] = []
    var cleaned: [Int16] = []
    for (index, block) in blocks.enumerated() {
      let result = processor.process(block.captured, played: block.played, delayMilliseconds: 60)
      guard index >= 430 && index < 700 else { continue }
      near += block.captured
      cleaned += result.samples
    }
    let loss = decibels(near) - decibels(cleaned)
    print("double talk down by \(loss) dB")
    #expect(loss < 12)
  }

  @Test func withoutPlaybackSpeechPassesAndIsNoticed() throws {
    var processor = CaptureProcessor()
    let source = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    let silence = [Int16](repeating: 0, count: 160)
    var cleaned: [Int16] = []
    var changes: [LocalVAD.Change] = []
    for start in stride(from: 0, to: source.count - 159, by: 160) {
      let block = processor.process(Array(source[start..<start + 160]), played: silence, delayMilliseconds: 40)
      cleaned += block.samples
      changes += block.changes
    }
    for _ in 0..<100 { changes += processor.process(silence, played: silence, delayMilliseconds: 40).changes }
    #expect(changes.first == .started)
    #expect(changes.last == .ended)
    #expect(abs(decibels(source) - decibels(cleaned)) < 3)
  }

  /// Who is noticed late is heard late; his end is told when the last of him has been heard, and not before.
  @Test func theEndComesBehindTheLastWord() throws {
    let far = try SoundFileReader(path: fixture("aec_far")).readAll()
    let reply = silence(seconds: 0.5) + far + far
    let user = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    let echo = EchoRoom(ringing: 60, volume: -6).hear(reply)
    let microphone = mix(user, into: echo, at: 8, decibels: -9)
    var processor = CaptureProcessor()
    var (last, ends): (Double, [Double]) = (0, [])
    for start in stride(from: 0, to: 16 * 16_000, by: 160) {
      let result = processor.process(
        Array(microphone[start..<start + 160]), played: Array(reply[start..<start + 160]), delayMilliseconds: 60)
      let seconds = Double(start) / 16_000
      if result.samples.contains(where: { abs(Int($0)) > 200 }) { last = seconds }
      if result.changes.contains(.ended) { ends.append(seconds) }
    }
    print("heard until \(last), ends \(ends)")
    #expect(try #require(ends.last) > last)
  }

  /// The answer comes 0.4 s behind the last word, while the detector would wait for 0.6 s.
  @Test func theAnswerIsNotHeardAsWhatTheUserGoesOnSaying() throws {
    let user = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    let far = try SoundFileReader(path: fixture("aec_far")).readAll()
    let loud = try #require(far.firstIndex { abs(Int($0)) > 300 })
    let voiced = try #require(user.lastIndex { abs(Int($0)) > 300 })
    let begin = (voiced + 6_400) / 160 * 160
    let reply = [Int16](repeating: 0, count: begin) + far[loud...]
    let microphone = mix(
      Array(user[...voiced]), into: EchoRoom(ringing: 60, volume: -6).hear(reply), at: 0, decibels: -9)
    var processor = CaptureProcessor()
    var (ends, passed): ([Int], [Int16]) = ([], [])
    for start in stride(from: 0, to: begin + 16_000, by: 160) {
      let result = processor.process(
        Array(microphone[start..<start + 160]), played: Array(reply[start..<start + 160]), delayMilliseconds: 60)
      if result.changes.contains(.ended) { ends.append(start) }
      if start >= begin { passed += result.samples }
    }
    #expect(ends.count == 1 && (begin...begin + 1_600).contains(ends[0]), "\(ends), playing from \(begin)")
    #expect(passed.allSatisfy { abs(Int($0)) < 300 })
  }
}
