import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@Test func aDigestIsReadBackFromItsText() {
  let digest = InteractionController().digest
  #expect(digest.description.count == 16)
  #expect(StateDigest(digest.description) == digest)
  #expect(StateDigest("9f3c") == nil)
  #expect(StateDigest("not hexadecimal!") == nil)
}

private func differingParts(of one: InteractionController, and other: InteractionController) -> [String] {
  zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children).compactMap { left, right in
    "\(left.value)" == "\(right.value)" ? nil : left.label
  }
}

/// A part that somebody adds to the state and forgets in the digest is found here.
@Test func twoStatesWithOneDigestAreOneState() {
  // As a session has it: of older ones, the digest does not know what was heard.
  for settings in [
    InteractionSettings {
      $0.mode = .review
    },
    InteractionSettings {
      $0.mode = .direct
      $0.turnDetection = .client
    },
  ] {
    var seen: [StateDigest: InteractionController] = [:]
    for seed in 0..<300 as Range<UInt64> {
      // A state knows sound by its place.
      var session = RandomSession(seed: seed, settings: settings, pace: 0, samples: [])
      session.run(steps: 120) { state, _, _ in
        if let other = seen[state.digest] {
          let isSame = other == state
          #expect(isSame, "seed \(seed): \(differingParts(of: other, and: state)) is not in the digest")
        } else {
          seen[state.digest] = state
        }
      }
    }
    // As many states as that would collide if the digest were narrow.
    #expect(seen.count > 8_000)
  }
}
