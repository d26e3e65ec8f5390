import Testing
import VoiceCore
import VoiceVocabulary

/// What a server repeats without anybody having spoken, without a controller.
struct SoundRegionTests {
  private func repeats(_ transcript: String, heard: Bool = false) -> Bool {
    var region = SoundRegion()
    region.heard(at: .zero)
    let first = region.newWords(in: transcript, isFirst: true, isVoiceActive: false)
    region.dealtWith(transcript)
    if heard { region.heard(at: SessionTime.zero.advanced(byMilliseconds: 1_000)) }
    return first == transcript && region.newWords(in: transcript, isFirst: true, isVoiceActive: false) == nil
  }

  @Test func theSameWordsWithNothingHeardInBetweenAreNotTaken() {
    #expect(repeats("Yes, send it."))
    #expect(!repeats("Yes, send it.", heard: true))
  }

  @Test func aLongTranscriptIsComparedUpToItsLimit() {
    #expect(repeats(String(repeating: "x", count: Limits.comparedTranscriptBytes)))
    #expect(!repeats(String(repeating: "x", count: Limits.comparedTranscriptBytes + 1)))
  }

  @Test func whatBeginsLikeTheLastOneAndGoesOnIsGivenWhole() {
    var region = SoundRegion()
    region.dealtWith("yes")
    let beginning = region.newWords(in: "yes", isFirst: true, isVoiceActive: false)
    let rest = region.newWords(in: ", but not now", isFirst: true, isVoiceActive: false)
    #expect(beginning == nil && rest == "yes, but not now")
  }

  @Test(arguments: [["yes ", " but not now"], ["yes ", "but not now"], ["yes", " ", " ", "but not now"]])
  func aBlankBehindWhatIsRepeatedIsNoWordAndLosesNone(_ pieces: [String]) {
    var region = SoundRegion()
    region.dealtWith("yes")
    let taken = pieces.map { region.newWords(in: $0, isFirst: true, isVoiceActive: false) }
    #expect(taken.dropLast().allSatisfy { $0 == nil } && taken.last == "yes but not now")
  }

  @Test func theDigestTellsWhetherAnythingWasHeardAtAll() {
    func digest(heard microseconds: Int64?) -> StateDigest {
      var (region, digest) = (SoundRegion(), StateDigest())
      if let microseconds { region.heard(at: SessionTime(microseconds: microseconds)) }
      _ = region.newWords(in: "yes", isFirst: true, isVoiceActive: false)
      region.dealtWith("yes")
      digest.fold(region)
      return digest
    }
    let digests = Set([nil, 0, 1].map(digest(heard:)))
    #expect(digests.count == 3)
  }

  @Test func whoWasHeardSinceAMoment() {
    var region = SoundRegion()
    let (before, at) = (SessionTime.zero, SessionTime.zero.advanced(byMilliseconds: 10))
    region.heard(by: .model, at: at)
    #expect(!region.wasHeard(since: before))
    region.heard(by: .vad, at: at)
    #expect(region.wasHeard(since: at) && !region.wasHeard(since: at.advanced(byMilliseconds: 1)))
  }
}
