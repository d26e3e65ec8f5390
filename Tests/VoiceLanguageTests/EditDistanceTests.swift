import Testing

@testable import VoiceLanguage

@Test(arguments: [
  ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "bc", 1), ("bc", "abc", 1), ("abc", "ac", 1),
  ("abc", "axc", 1), ("abcd", "d", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2),
])
func aDistanceIsTheFewestChanges(_ left: String, _ right: String, _ distance: Int) {
  #expect(EditDistance.between(Array(left), Array(right)) == distance)
}
