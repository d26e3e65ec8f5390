import Foundation
import Testing
import VoiceSound

struct SoundFileWriterTests {
  let scratch: SoundScratch
  init() throws { scratch = try SoundScratch() }

  private var speech: [Int16] { tone(440, rate: 24_000, seconds: 1).map { Int16($0 * 32_767) } }

  @Test func whatIsWrittenIsReadAgain() throws {
    let path = scratch.path + "/a.wav"
    let writer = try WaveWriter(path: path)
    try writer.append([1, -2, 3])
    try writer.appendSilence(30_000)
    try writer.append([4])
    try writer.close()
    try writer.close()
    let samples = try SoundFileReader(path: path, rate: 24_000).readAll()
    #expect(samples == [1, -2, 3] + [Int16](repeating: 0, count: 30_000) + [4])
    #expect(try scratch.mode(path) == 0o600)
  }

  @Test func aFileLeftBehindByACrashIsValid() throws {
    let path = scratch.path + "/a.wav"
    let writer = try WaveWriter(path: path)
    for _ in 0..<5 { try writer.append(speech) }
    try writer.append([1, 2, 3])
    // Not closed: this is what a crash would leave.
    let reader = try SoundFileReader(path: path, rate: 24_000)
    #expect(reader.warning == nil)
    #expect(try reader.readAll().count >= 5 * 24_000)
    withExtendedLifetime(writer) {}
  }

  @Test func anOldFileIsReplacedAndClosedToOthers() throws {
    let path = try scratch.file("a.wav", [UInt8](repeating: 7, count: 100_000))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try WaveWriter(path: path, replaces: true).close()
    #expect(try scratch.bytes(path).count == 44)
    #expect(try scratch.mode(path) == 0o600)
  }

  @Test func anOldFileStaysAsItIsUnlessItIsToBeReplaced() throws {
    let path = try scratch.file("a.wav", [UInt8](repeating: 7, count: 100))
    let error = #expect(throws: SoundFileError.self) { try WaveWriter(path: path) }
    #expect(error == .exists(path: path))
    #expect(error?.description.contains("--overwrite") == true)
    #expect(throws: SoundFileError.exists(path: path)) { try OpusWriter(path: path) }
    #expect(try scratch.bytes(path) == [UInt8](repeating: 7, count: 100))
  }

  @Test func aFullDiskIsAnErrorWithARemedy() throws {
    try #require(FileManager.default.fileExists(atPath: "/dev/full"))
    let error = #expect(throws: SoundFileError.self) { try WaveWriter(path: "/dev/full") }
    #expect(error?.description == "the sound file /dev/full cannot be written: the disk is full; free some space")
    #expect(throws: SoundFileError.self) { try OpusWriter(path: "/dev/full") }
  }

  @Test func aFolderThatDoesNotExistIsNamed() {
    let error = #expect(throws: SoundFileError.self) { try WaveWriter(path: "/nowhere/at/all/a.wav") }
    #expect(error?.description.contains("its folder does not exist") == true)
  }

  @Test func opusIsSmallPrivateAndReadAgain() throws {
    let path = scratch.path + "/a.opus"
    let writer = try OpusWriter(path: path)
    let source = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    for start in stride(from: 0, to: source.count, by: 320) {
      try writer.append(Array(source[start..<min(start + 320, source.count)]))
    }
    try writer.close()
    try writer.close()
    #expect(try scratch.mode(path) == 0o600)
    let bitsPerSecond = try scratch.bytes(path).count * 8 * 16_000 / source.count
    #expect((8_000...36_000).contains(bitsPerSecond), "\(bitsPerSecond)")
    let decoded = try SoundFileReader(path: path).readAll()
    #expect(abs(decoded.count - source.count) < 400)
    #expect(correlation(source, decoded) > 0.8)
  }

  @Test func opusWithoutSoundIsToldFromABrokenFile() throws {
    let path = scratch.path + "/a.opus"
    let writer = try OpusWriter(path: path)
    // Not closed, and nothing was heard yet: what a crash in the first second would leave.
    #expect(throws: SoundFileError.noSamples(path: path)) { try SoundFileReader(path: path) }
    try writer.close()
    #expect(throws: SoundFileError.noSamples(path: path)) { try SoundFileReader(path: path) }
  }

  @Test func opusIsWrittenWhileItComes() throws {
    let path = scratch.path + "/a.opus"
    let writer = try OpusWriter(path: path, rate: 24_000)
    for _ in 0..<6 { try writer.append(speech) }
    // Not closed: this is what a crash would leave.
    #expect(try SoundFileReader(path: path, rate: 24_000).readAll().count >= 4 * 24_000)
    withExtendedLifetime(writer) {}
  }
}

/// How alike two sounds are, at the best shift within 20 ms at 16 kHz.
func correlation(_ first: [Int16], _ second: [Int16]) -> Double {
  var best = 0.0
  for shift in -320...320 {
    var product = 0.0
    var left = 0.0
    var right = 0.0
    for index in stride(from: max(0, shift), to: min(first.count, second.count + shift), by: 3) {
      let (a, b) = (Double(first[index]), Double(second[index - shift]))
      product += a * b
      left += a * a
      right += b * b
    }
    if left > 0 && right > 0 { best = max(best, product / (left * right).squareRoot()) }
  }
  return best
}
