import Foundation
import Testing
import VoiceSound
import VoiceTesting

/// A folder of one test, gone when the test is over.
final class SoundScratch {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  func mode(_ file: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int)
  }

  func bytes(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }
}

/// A recording that is part of the project.
func fixture(_ name: String, as kind: String = "wav", from file: String = #filePath) -> String {
  URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name).\(kind)").path
}

/// A sine wave of half scale.
func tone(_ hertz: Double, rate: Int, seconds: Double) -> [Double] {
  (0..<Int(Double(rate) * seconds)).map { 0.5 * sin(2 * .pi * hertz * Double($0) / Double(rate)) }
}

/// How much of this frequency is in the sound: the amplitude of a sine would be its result.
func amplitude(_ samples: [Int16], of hertz: Double, rate: Int) -> Double {
  var real = 0.0
  var imaginary = 0.0
  for (index, sample) in samples.enumerated() {
    let angle = 2 * .pi * hertz * Double(index) / Double(rate)
    real += Double(sample) / 32_768 * cos(angle)
    imaginary += Double(sample) / 32_768 * sin(angle)
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
}

/// A WAV file of any sort, made by hand. `format` 1 is PCM, 3 is float; frames are repeated over all channels.
func wave(
  _ frames: [Double], rate: Int, bits: Int, format: Int = 1, channels: Int = 1, promising extraBytes: Int = 0
) -> [UInt8] {
  var data: [UInt8] = []
  for frame in frames {
    let value: Int =
      switch (format, bits) {
      case (3, _): Int(Float(frame).bitPattern)
      case (_, 8): Int((frame * 127).rounded()) + 128
      default: Int((frame * Double((1 << (bits - 1)) - 1)).rounded())
      }
    for _ in 0..<channels {
      for byte in 0..<(bits / 8) { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
  }
  var bytes: [UInt8] = []
  func number(_ value: Int, _ size: Int) { for byte in 0..<size { bytes.append(UInt8(value >> (8 * byte) & 255)) } }
  bytes += "RIFF".utf8
  number(36 + data.count + extraBytes, 4)
  bytes += "WAVEfmt ".utf8
  number(16, 4)
  number(format, 2)
  number(channels, 2)
  number(rate, 4)
  number(rate * channels * bits / 8, 4)
  number(channels * bits / 8, 2)
  number(bits, 2)
  bytes += "data".utf8
  number(data.count + extraBytes, 4)
  return bytes + data
}
