import Testing

@testable import VoiceLanguage

@Test(arguments: [
  ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "bc", 1), ("bc", "abc", 1), ("abc", "ac", 1),
  ("abc", "axc", 1), ("abcd", "d", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2),
])
func aDistanceIsTheFewestChanges(_ left: String, _ right: String, _ distance: Int) {
  #expect(EditDistance.between(Array(left), Array(right)) == distance)
}

@Test(arguments: [
  ("", "", 0), ("", "ab", 2), ("ab", "", 2), ("model", "model", 0), ("Model", "mODEL", 0), ("mdel", "model", 1),
  ("moodel", "model", 1), ("modal", "model", 1), ("omdel", "model", 1), ("modle", "model", 1), ("lmodel", "model", 1),
  ("xyz", "model", 5), ("ab", "ba", 1), ("abc", "cba", 2), ("abcd", "badc", 2), ("ca", "abc", 3), ("agnet", "agent", 1),
])
func twoNeighboursInEachOthersPlaceAreOneSlip(_ typed: String, _ name: String, _ slips: Int) {
  #expect(typed.slips(from: name) == slips)
  #expect(name.slips(from: typed) == slips)
}

@Test func theNearestNameIsTheOneWithTheFewestChanges() {
  let names = ["direct", "review", "Reviews"]
  #expect("reviw".nearest(of: names) == "review")
  #expect("REVIEWS".nearest(of: names) == "Reviews")
  #expect("dyrekt".nearest(of: names) == "direct")
  #expect("direct".nearest(of: []) == nil)
  #expect("ab".nearest(of: ["ac", "ad", "ab c"]) == "ac", "of two that are as near it is the first")
}
