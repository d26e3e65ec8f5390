import Testing
import VoiceVocabulary

@testable import VoiceReplay

/// A frame in which each sample is as loud as the next.
private func frame(_ loudness: Int16) -> [Int16] {
  (0..<PCM.frameSamples).map { $0.isMultiple(of: 2) ? loudness : -loudness }
}

@Test func aFrameIsSpeechFromItsMeanLoudnessOn() {
  #expect(!LoudnessEndpointer.isLoud(frame(250)))
  #expect(LoudnessEndpointer.isLoud(frame(251)))
  // Every sample counts.
  for place in [0, PCM.frameSamples - 1] {
    var samples = frame(250)
    samples[place] = 251
    #expect(LoudnessEndpointer.isLoud(samples))
  }
}

@Test func aSpeechThatNobodyRecordedPlaysAsLongAsItsSound() {
  var improvisation = Improvisation()
  let speech = SpeechID(rawValue: 1)
  let spoken = improvisation.answer(
    to: .speak(speech: speech, text: "three tests failed", purpose: .report), in: .speech(speech))
  let samples = spoken.reduce(0) { sum, later in
    if case .speechAudio(_, let audio) = later.event { sum + audio.samples.count } else { sum }
  }
  #expect(samples > 0)
  let played = improvisation.answer(to: .finishPlaying(speech: speech), in: .playback(speech))
  #expect(played.map(\.milliseconds) == [samples * 1000 / PCM.speakerRate + 10])
}
