import Testing
import VoiceLanguage
import VoiceVocabulary

private func meant(_ said: String) -> String { MeantText(said: said).text }

struct SpellingTests {
  @Test(arguments: [
    ("create a branch, spell P A R L E Y", "create a branch parley"),
    ("create a branch, spell P-A-R-L-E-Y.", "create a branch parley."),
    ("Create a branch. Spell P. A. R. L. E. Y. Then push it.", "Create a branch. parley. Then push it."),
    ("create a branch, spell: p, a, r, l, e, y, and push it", "create a branch parley, and push it"),
    ("spell papa alpha romeo lima echo yankee", "parley"),
    ("spell, Papa, Alfa, Romeo, Lima, Echo, Yankee.", "parley."),
    ("spell XYZ42", "xyz42"), ("spell X YZ 42", "xyz42"), ("spell x-ray yankee x ray", "xyx"),
    ("spell it P A R", "par"), ("spell P uh A um R", "par"),
    ("rename it to, spell P A R L I", "rename it to parli"),
    ("spell F O O and spell B A R", "foo and bar"),
    ("spell-p-a-r and run it", "par and run it"),
    ("spell P A R L E Y's first test", "parley's first test"),
    ("Spell “Capital Sierra Echo Romeo”.", "Ser."),
    ("spell P - A - R", "par"), ("spell X.R.A.Y", "xray"),
  ])
  func lettersBehindSpellAreAWord(_ said: String, _ written: String) { #expect(meant(said) == written) }

  @Test(arguments: [
    ("spell see S H A R P", "csharp"), ("spell are oh B O T", "robot"), ("spell pea are X", "prx"),
    ("spell bee dee", "bd"), ("spell double u X", "wx"), ("spell double you X why", "wxy"), ("spell L double-u", "lw"),
    ("spell zed zee aitch", "zzh"), ("spell Q U eye tea", "quit"), ("spell P one two", "p12"), ("spell T 2", "t2"),
    ("spell P A double L", "pall"), ("spell I A M", "iam"), ("spell A I D", "aid"),
    ("spell B as in bravo, A as in apple, T as in tango", "bat"),
    ("spell D as in bravo A R as in the docs", "bar as in the docs"),
  ])
  func lettersHaveNames(_ said: String, _ letters: String) { #expect(meant(said) == letters) }

  @Test(arguments: [
    ("spell capital P A capital R", "PaR"), ("spell upper case P A R", "Par"),
    ("spell all caps F O O lower case B", "FOOb"),
    ("spell all caps M A X underscore R O W S", "MAX_ROWS"), ("spell capital sierra echo", "Se"),
    ("spell F O O dash B A R", "foo-bar"), ("spell F hyphen B", "f-b"), ("spell F under score B", "f_b"),
    ("open spell dot E N V", "open .env"), ("open spell S R C slash A B", "open src/ab"),
    ("spell D B forward slash X", "db/x"), ("spell F O O space B A R", "foo bar"), ("spell D B point I O", "db.io"),
    ("spell M A I N dot swift and read it", "main.swift and read it"), ("spell DB-1.io", "db-1.io"),
    ("spell l-o-w-e-r underscore m-a-p", "lower_map"), ("spell V W underscore T2", "vw_t2"),
  ])
  func signsAndCapitalsAreSaid(_ said: String, _ written: String) { #expect(meant(said) == written) }

  @Test(arguments: [
    ("name it spell F O O end spell and use it", "name it foo and use it"),
    ("spell F O O stop spelling a new one", "foo a new one"), ("spell F O end of spelling", "fo"),
    ("spell F O O. End spell. A new one", "foo. A new one"), ("spell F O O are end spelling now", "foor now"),
    ("spell F O O and spell and open it", "foo and open it"), ("spell k y s n spell and open it", "kys and open it"),
    ("spell F O O and spell it out", "foo and spell it out"),
    ("name it spell F O O, and spell the other one B A R", "name it foo, and spell the other one B A R"),
    ("rename it spell F O O and spell everything in lower case", "rename it foo and spell everything in lower case"),
    ("name the branch, spell A B C, I see B is taken", "name the branch abc, I see B is taken"),
    ("create the file, spell F O O dot C, a C file", "create the file foo.c, a C file"),
    ("create a class for the parser, spell P A R S E", "create a class for the parser parse"),
  ])
  func endSpellEndsThem(_ said: String, _ written: String) {
    #expect(meant(said) == written)
  }

  @Test(arguments: [
    ("spell P A R L E Y are you sure", "parley are you sure"), ("spell F O O I think", "foo I think"),
    ("spell F O O a new file", "foo a new file"), ("spell F-dash-8 it is", "f-8 it is"),
    ("spell P-A-R-L-E-Y, I see", "parley, I see"), ("spell P A R, I see", "par, I see"),
    ("spell F O O capital letters", "foo capital letters"),
  ])
  func wordsBehindThemStay(_ said: String, _ written: String) { #expect(meant(said) == written) }

  @Test(arguments: [
    "spell you are right", "spell see you", "spell why are you", "fix the spell checker", "spell out the name", "spell",
    "spelled", "spell P", "spell A", "spell A I", "spell a", "spell oh be a", "does it spell November",
    "spell charlie and mike", "fix the spelled words", "check whether it is spelled e-mail or email",
    "make sure it is spelled URL everywhere", "it is spelled with an E", "don't spell out I or you",
    "spell-check the docs",
    "open P A R", "fix the spill over", "spill P A R", "spell November 12th in the November x-ray",
    "a spell of bad luck", "spell 42 words", "spell 4 2", "dispel P A R", "the spelling P A R", "spell end spell",
    "spell Tangle Mike, pop the underscore too", "spell dash dash", "spell capital", "", " ",
    "spell \u{442}\u{435}\u{441}\u{442}",
  ])
  func whatMayBeWordsStays(_ said: String) { #expect(meant(said) == said) }

  /// Half a word is worse than all that was heard.
  @Test(arguments: [
    "name the package, spell, November, Ralph, India, November, x-ray.", "spelled Victor, India, Kildore.",
    "spell papa alpha blubber lima echo", "spell kilo, India, ask her, dot, Lima", "spell F O O dash it is",
    "spell a U-Dash W-E-S-T-Dash to",
  ])
  func aMisheardLetterLeavesAllAsItWasHeard(_ said: String) { #expect(meant(said) == said) }

  @Test(arguments: [
    ("create a branch, spell papa, alpha, Romino, Lima, echo", "create a branch parle"),
    ("spill papa, alpha, Romeo", "par"), ("spell November, Gulf, India", "ngi"),
  ])
  func aMisheardWordAmongOthersOfTheAlphabetIsRead(_ said: String, _ written: String) {
    #expect(meant(said) == written)
  }

  @Test(arguments: [
    ("open the file parly, spelled P A R L E Y", "open the file parley"),
    ("open the file partly, spelt P-A-R-L-E-Y, and run it", "open the file parley, and run it"),
    ("open the file Parley, that's spelled P A R L E Y", "open the file parley"),
    ("name it foobar, which is spelled F U B A R", "name it fubar"),
    ("Open the file partly. Spelled P-A-R-L-E-Y.", "Open the file parley."),
    ("rename \"q-bit\", spelled Q U B I T", "rename qubit"),
    (
      "the class interaction control her, spelled I N T E R A C T I O N C O N T R O L L E R",
      "the class interactioncontroller"
    ),
    ("import num pie, spelled N U M P Y", "import numpy"),
    // Nothing like it: then the word that says so stays.
    ("rename it to food, spelled F U B A R", "rename it to food, spelled fubar"),
    ("the host is spelled D B dash 1", "the host is spelled db-1"),
    ("name it to, spelled T O O", "name it to, spelled too"),
    ("add a function spelled F O O", "add a function spelled foo"),
    // A question may be about the spelling.
    ("Is parley spelled P-A-R-L-E-Y?", "Is parley spelled parley?"),
    ("how do you spell P-A-R?", "how do you spell par?"),
    ("we need to spell P A R right", "we need to spell par right"),
    ("check whether parly is spelled P A R L Y", "check whether parly is spelled parly"),
  ])
  func aNameSaidBeforeIsReplacedIfItIsLikeIt(_ said: String, _ written: String) { #expect(meant(said) == written) }

  /// An agent's own command is nothing that letters make.
  @Test(arguments: ["spell slash C L E A R", "clear, spelled slash C L E A R"])
  func noCommandOfTheAgentComesOfIt(_ said: String) { #expect(meant(said) == said) }

  /// To decide takes the words themselves.
  @Test(arguments: [
    "spell A P P R O V E", "spell Y E S", "yes, spell S E N D", "spell alpha papa papa romeo oscar victor echo",
    "spelled N O", "spell R E J E C T",
  ])
  func nothingSpelledDecides(_ said: String) {
    #expect(SpokenDecision(utterance: said) == nil)
    #expect(meant(said) != said)
  }

  @Test func anAmendmentMayBeSpelled() {
    let amendment = SpokenAmendment(utterance: "Change partly to, spell P A R L E Y.")
    #expect(amendment?.applied(to: "Open the file partly.") == "Open the file parley.")
    #expect(SpokenAmendment(utterance: "add and run spell F O O")?.applied(to: "Build it.") == "Build it and run foo")
  }

  @Test func aSpelledWordIsNeverChangedForItsSound() {
    let repair = WordRepair(ProjectWords(names: ["parley", "HTTPClient", "README.md", "SentenceChunker"]))
    #expect(repair.repair("open parly").text == "open parley")
    #expect(repair.repair(MeantText(said: "open spell P A R L Y")).text == "open parly")
    #expect(repair.repair(MeantText(said: "the class, spell H T T P C L I E N T")).text == "the class HTTPClient")
    #expect(repair.repair(MeantText(said: "open spell R E A D M E dot md")).text == "open README.md")
  }

  @Test func aTextThatEndsAmongLettersMayGoOn() {
    #expect(TextCompleteness(of: "Open the file, spelled P-A-R.") == .open)
    #expect(TextCompleteness(of: "Open the file, spelled P-A-R, end spell.") == .complete)
    #expect(TextCompleteness(of: "Open the file, spelled P-A-R, and read it.") == .complete)
  }

  @Test(arguments: [(Limits.repairedWords, true), (Limits.repairedWords + 1, false)])
  func nobodySpellsInAParagraph(_ count: Int, _ isSpelled: Bool) {
    let text = String(repeating: "it ", count: count - 3) + "spell A B"
    #expect(text.split(separator: " ").count == count)
    #expect(meant(text).hasSuffix("it ab") == isSpelled)
  }

  @Test func aWordHasALimit() {
    let long = "spell " + Array(repeating: "b", count: Limits.repairedWordBytes + 1).joined(separator: " ")
    #expect(meant(long) == long)
    #expect(!meant(String(long.dropLast(2))).contains(" "))
  }

  /// A late piece of a sentence has all of it worded again.
  @Test(arguments: [
    "open parly, spelled P A R L E Y", "the host is spelled DB-1.io", "add a function spelled capital F O O",
    "spelled all caps F B I", "create a branch, spell papa alpha romeo, and run it",
  ])
  func whatIsWrittenStaysAsItIs(_ said: String) { #expect(meant(meant(said)) == meant(said)) }

  /// How something is to be written is no spelling, nor is a spell that is cast; and nobody speaks lines.
  @Test(arguments: [
    "Spell out API, CLI and SDK on first use.", "Please spell GPG consistently.",
    "Spell out x, y and z in the plot labels.",
    "Spell HTTP, TLS and TCP in capitals in the docs.", "Please spell UTF-8 with a hyphen in the readme.",
    "Replace the abbreviations and spell out i.e. and e.g. everywhere.", "spell out P A R",
    "Give the wizard a new spell, A O E, with three levels.",
    "Write:\n    if a:\n        b()\nand name it, spell F O O",
    "spell space slash C L E A R", "Spell U.S. with dots.", "Please spell I O in capital letters.",
  ])
  func whatIsNotSpelledStays(_ said: String) { #expect(meant(said) == said) }
}
