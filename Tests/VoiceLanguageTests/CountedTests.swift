import Testing
import VoiceLanguage
import VoiceVocabulary

@Test func whatIsCountedHasItsNounInTheRightNumber() {
  #expect([0, 1, 2].map { Counted($0, "file").digits } == ["0 files", "1 file", "2 files"])
  #expect([0, 1, 12].map { Counted($0, "branch", "branches").spoken } == ["no branches", "one branch", "12 branches"])
  #expect([0, 1, 12].map { Counted($0, "row").spelled } == ["no rows", "one row", "twelve rows"])
  #expect(Counted(1, "file").verb("is", "are") == "is")
}

@Test func theVerbGoesWithWhatComesFirst() {
  #expect(Counted.there([Counted(1, "file"), Counted(2, "folder")]) == "There is one file and 2 folders")
  #expect(Counted.there([Counted(3, "file"), Counted(1, "folder")]) == "There are 3 files and one folder")
  #expect(Counted.there([Counted(0, "file")]) == "There are no files")
}

@Test(arguments: [
  ("It waits", "It waits."), ("It waits.", "It waits."), ("Which one?", "Which one?"), ("Stop!", "Stop!"),
  ("and so on …", "and so on …"), ("He said “no?”", "He said “no?”"), ("Run it (rm -rf.)", "Run it (rm -rf.)."),
  ("Allow “a”", "Allow “a”."), ("", ""), ("  ", ""),
])
func aSentenceGetsOneMarkAtItsEnd(text: String, sentence: String) {
  #expect(text.asSentence == sentence)
}

@Test func sentencesAreJoinedWithOneMarkEach() {
  #expect(
    ["What does it do?", "It has waited", "", "Done."].joinedAsSentences() == "What does it do? It has waited. Done.")
}
