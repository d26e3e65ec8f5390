import VoiceLocal
import VoiceSound

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The way of a device's microphone through both echo cancellers and the detector, as in a session, one block of 10 ms at a
/// time: so a simulated room can stand around it that answers to what it decides. See Benchmarks/echo.py.
///
/// Reads blocks of 641 bytes: 160 samples of the microphone, 160 of what was played, and a byte that is not 0 where the two are
/// known to have slipped. Writes 321 for each: 160 samples for the recogniser, and a byte of bits: 1 somebody began to speak, 2
/// paused, 4 ended, 8 it is full duplex, 16 the loudspeaker drowns who speaks.
///
/// Usage: EchoGate DELAY, which is what the devices state, in milliseconds
@main
struct EchoGate {
  private static let bytes = CaptureProcessor.blockSamples * 2

  static func main() throws {
    var environment: [String: String] = [:]
    for name in ["PARLEY_SPEECH_HOME", "XDG_DATA_HOME", "HOME"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    let models = try SpeechModels(environment: environment)
    guard let isSpeech = models.makeSpeechTest(),
      let delay = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) })
    else {
      print("usage: EchoGate DELAY, with the models of script/fetch-speech")
      exit(64)
    }
    var processor = CaptureProcessor(vad: LocalVAD(isSpeech: isSpeech))
    var block = [UInt8](repeating: 0, count: 2 * bytes + 1)
    while fill(&block) {
      if block[2 * bytes] != 0 { processor.learnAgain() }
      let result = processor.process(
        samples(block[..<bytes]), played: samples(block[bytes..<2 * bytes]), delayMilliseconds: delay)
      var answer = result.samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
      var bits: UInt8 = processor.isFullDuplex ? 8 : 0
      if processor.isDrowned { bits |= 16 }
      for change in result.changes {
        switch change {
        case .started: bits |= 1
        case .paused: bits |= 2
        case .ended: bits |= 4
        }
      }
      answer.append(bits)
      // Less than a pipe holds, so all of it.
      guard write(STDOUT_FILENO, answer, answer.count) == answer.count else { return }
    }
  }

  /// Read until the block is full; false at the end of the input.
  private static func fill(_ block: inout [UInt8]) -> Bool {
    block.withUnsafeMutableBytes { buffer in
      var filled = 0
      while filled < buffer.count {
        let got = read(STDIN_FILENO, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
        if got <= 0 { return false }
        filled += got
      }
      return true
    }
  }

  private static func samples(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
    }
  }
}
