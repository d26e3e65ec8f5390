import Foundation
import Testing
import VoiceSound

struct SoundFileReaderTests {
  let scratch: SoundScratch
  init() throws { scratch = try SoundScratch() }

  @Test(arguments: [
    (16_000, 16, 1, 1), (48_000, 16, 1, 2), (44_100, 24, 1, 2), (8_000, 8, 1, 1), (22_050, 32, 1, 1),
    (16_000, 32, 3, 1),
    (96_000, 24, 1, 6),
  ])
  func everyOrdinaryWaveFileIsRead(rate: Int, bits: Int, format: Int, channels: Int) throws {
    let frames = tone(440, rate: rate, seconds: 0.5)
    let path = try scratch.file("a.wav", wave(frames, rate: rate, bits: bits, format: format, channels: channels))
    let reader = try SoundFileReader(path: path)
    let samples = try reader.readAll()
    #expect(samples.count == 8_000)
    #expect(reader.milliseconds == 500)
    #expect(reader.warning == nil)
    #expect(abs(amplitude(samples, of: 440, rate: 16_000) - 0.5) < 0.02)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sox"), "sox is not installed"),
    arguments: ["flac", "ogg", "opus", "aiff"])
  func compressedFilesAreRead(kind: String) throws {
    let source = try scratch.file("a.wav", wave(tone(440, rate: 48_000, seconds: 1), rate: 48_000, bits: 16))
    let path = scratch.path + "/a." + kind
    if kind == "opus" {
      let writer = try OpusWriter(path: path)
      try writer.append(try SoundFileReader(path: source).readAll())
      try writer.close()
    } else {
      let sox = try Process.run(URL(fileURLWithPath: "/usr/bin/sox"), arguments: [source, path])
      sox.waitUntilExit()
      try #require(sox.terminationStatus == 0)
    }
    let samples = try SoundFileReader(path: path).readAll()
    #expect(abs(samples.count - 16_000) < 200)
    #expect(abs(amplitude(samples, of: 440, rate: 16_000) - 0.5) < 0.05)
  }

  @Test func sixteenBitAtTheWantedRatePassesBitForBit() throws {
    let reader = try SoundFileReader(path: fixture("d07_piper_joe"))
    let bytes = try scratch.bytes(fixture("d07_piper_joe"))
    let samples = try reader.readAll()
    #expect(samples.map(\.littleEndian).withUnsafeBytes { Array($0) }.elementsEqual(bytes.dropFirst(44)))
  }

  @Test func readingInPiecesGivesTheSameAsReadingAtOnce() throws {
    let path = try scratch.file("a.wav", wave(tone(440, rate: 44_100, seconds: 1), rate: 44_100, bits: 16))
    let whole = try SoundFileReader(path: path).readAll()
    let reader = try SoundFileReader(path: path)
    var pieces: [Int16] = []
    while case let piece = try reader.read(320), !piece.isEmpty { pieces += piece }
    #expect(pieces == whole)
    #expect(try reader.read(320).isEmpty)
  }

  @Test func aRawFileIsTakenAtTheWantedRate() throws {
    #expect(
      try SoundFileReader(path: try scratch.file("a.raw", [1, 0, 255, 255, 0, 128])).readAll() == [1, -1, -32_768])
  }

  @Test func aTruncatedFileIsUsedAndSaysSo() throws {
    let bytes = wave(tone(440, rate: 16_000, seconds: 0.5), rate: 16_000, bits: 16, promising: 32_000)
    let path = try scratch.file("cut.wav", bytes)
    let reader = try SoundFileReader(path: path)
    #expect(
      reader.warning == "the sound file \(path) is cut short: 0.5 s of the promised 1.5 s are there; they are used")
    #expect(try reader.readAll().count == 8_000)
  }

  @Test func aFloatFileFullOfNonsenseGivesSilence() throws {
    let frames = [Double.nan, .infinity, 5, -5, 0.25]
    let path = try scratch.file("a.wav", wave(frames, rate: 16_000, bits: 32, format: 3))
    #expect(try SoundFileReader(path: path).readAll() == [0, 0, 32_767, -32_768, 8_192])
  }

  @Test func eachUnusableFileGivesItsOwnError() throws {
    func error(_ path: String) -> SoundFileError? {
      #expect(throws: SoundFileError.self) { try SoundFileReader(path: path) }
    }
    let missing = scratch.path + "/none.wav"
    #expect(error(missing) == .missing(path: missing))
    #expect(error(scratch.path) == .isFolder(path: scratch.path))
    let empty = try scratch.file("empty.wav", [])
    #expect(error(empty) == .empty(path: empty))
    let headerOnly = try scratch.file("header.wav", wave([], rate: 16_000, bits: 16))
    #expect(error(headerOnly) == .noSamples(path: headerOnly))
    let text = try scratch.file("text.wav", Array("Dear diary, today I recorded nothing at all.".utf8))
    guard case .notSound(text, _) = error(text) else {
      Issue.record("text was taken for sound")
      return
    }
    guard case .unreadable("/dev/zero", _) = error("/dev/zero") else {
      Issue.record("a device was taken for a file")
      return
    }
  }

  @Test func everyErrorIsOneLineThatNamesTheFile() {
    let errors: [SoundFileError] = [
      .missing(path: "a.wav"), .isFolder(path: "a.wav"), .empty(path: "a.wav"), .noSamples(path: "a.wav"),
      .notSound(path: "a.wav", reason: "r"), .unreadable(path: "a.wav", reason: "r"),
      .unwritable(path: "a.wav", reason: "r"),
    ]
    for error in errors {
      #expect(error.description.contains("a.wav"))
      #expect(!error.description.contains("\n"))
    }
  }

  /// Headers that lie in every byte: whatever happens is an error or some sound, never a crash or a huge allocation.
  @Test func noDamagedHeaderCrashesTheReader() throws {
    let good = wave(tone(440, rate: 16_000, seconds: 0.01), rate: 16_000, bits: 16)
    for index in 0..<44 {
      for value: UInt8 in [0, 1, 0x7f, 0xff] {
        var bytes = good
        bytes[index] = value
        let path = try scratch.file("damaged.wav", bytes)
        do throws(SoundFileError) {
          let reader = try SoundFileReader(path: path)
          let samples = try reader.read(16_000)
          #expect(samples.count <= 16_000)
        } catch {
          #expect(error.description.contains("damaged.wav"))
        }
      }
    }
  }
}
