import Testing
import VoiceCore
import VoiceVocabulary

/// What takes a key takes it in the words of somebody who speaks, too.
struct SpokenPathTests {
  private let acts = KeyboardOnlyActs(workingFolder: "/home/me/project")

  @Test(arguments: [
    "Copy it to slash temp slash build.", "Read the file slash etc slash hosts.",
    "Read the final slash etc slash hosts.",
    "Look at Dot dot slash other project!", "Open tilde slash dot bashrc.",
    "open forward slash etc forward slash hosts",
    "Open slash data slash keys dot txt.", "copy it to slash data", "Copy all of it to slash data now.",
    "show slash et cetera slash hosts", "read slash E T C slash hosts", "cd slash", "list the contents of slash",
    "look into dot dot", "cd dot dot", "List dot dot, then stop.", "copy it to dot dot", "copy the logs to tilde",
    "list tilde", "Open tilde.", "read dot dot", "move src slash dot dot slash dot dot slash secret here",
    "open sources slash dot dot slash dot dot slash x",
    "open dot dot back slash other", "open dot dot backslash other", "read dollar home slash dot netrc",
    "read $HOME slash .netrc", "Read the file slash hosts.", "Please write it into slash data slash out.",
    "use the config in slash opt slash tool", "compare it with slash usr slash share slash dict",
    "Open the slash etc folder.", "open dot-dot-slash other", "open dot dot/other",
    "read \u{201C}slash etc slash hosts\u{201D}",
    "set output equals slash data slash out", "slash etc slash hosts is wrong", "read slash user slash local slash x",
    "Look in tilde slash documents.", "read .. slash other", "open forward slash home slash you slash notes",
    "open slash home slash me slash project slash dot dot slash other", "read the data and slash etc slash hosts",
    "add logs to slash data", "edit double dot slash other", "edit two dots slash other",
    "edit period period slash other", "edit slash, etc, slash, hosts", "edit / etc / hosts", "edit home slash dot rc",
    "edit the file at root slash dot ssh", "edit C colon backslash windows", "put it in slash dev slash sda",
    "chroot slash data", "and chroot slash data", "Let's chroot slash data.", "make a link called slash data",
    "list the slash folder", "open the tilde directory", "open dot dot dot slash other", "open src slash slash data",
    "open \u{201C}src, slash data\u{201D}", "sync dollar target slash data", "slash", "slash data", "tilde", "dot dot",
    "open src slash etc slash hosts", "Slash the build time, then read slash data.",
  ])
  func aPathThatIsSaidIsOutside(_ said: String) { #expect(acts.match([said]) == "<outside>") }

  @Test(arguments: [
    "open sources slash parley slash main dot swift", "open tests slash hello dot py",
    "read dot slash script slash test", "open dot gitignore", "open docs slash dot gitignore", "run dot slash build",
    "why is sources slash core slash main dot swift wrong",
    "see docs slash words dot md, then see docs slash agents dot md", "Open src slash bin slash main dot rs.",
  ])
  func aPathInsideIsNot(_ said: String) { #expect(acts.match([said]) == nil) }

  @Test(arguments: [
    "fix the dot product", "a dash of colour", "slash the build time", "and so on, dot dot dot",
    "Please slash the memory use by half.", "the client slash server model", "use and slash or", "Use him slash her.",
    "the read slash write lock is held", "Add a show slash hide button.", "add support for slash commands",
    "What does slash compact do?", "the slash command fails", "Add a slash at the end.",
    "What is the trailing slash for?", "replace the backslash with a slash", "escape the backslash n",
    "split at backslash n", "why is there a tilde in it", "change dot to dash", "draw a dot, a dash and a slash",
    "see example dot com slash docs", "open https colon slash slash example dot com",
    "open https://example.com slash docs", "it is open 24 slash 7", "run it on 3 slash 4", "connect the dots",
    "add three dots, dot dot dot, here", "dash to the end", "what is a dot env file", "read slash write",
    "Search slash replace is slow.", "print a tilde", "dot by dot", "how much does it cost in dollars slash month",
    "the input slash output module", "A slash B testing", "a dot and a slash in a name", "take a and b", "I O is slow",
    "use version two point one", "show head tilde one",
  ])
  func ordinaryWordsAreNoPath(_ said: String) { #expect(acts.match([said]) == nil) }

  @Test(arguments: [
    "Run R M dash R F build.", "run r m minus r f", "R M the build folder", "R. M. the folder", "run S U D O make",
    "run sudo dash S", "git branch dash D topic", "git branch dash capital D topic", "git branch minus d topic",
    "find all objects dash delete", "git checkout dash dash main", "C H mod it", "run S U", "D D of=disk",
  ])
  func anActThatIsSpelledIsThatAct(_ said: String) { #expect(acts.match([said]) != nil) }

  @Test func ownPatternsAreFoundInWhatIsSaid() {
    let own = KeyboardOnlyActs(patterns: ["make -B", "deploy --prod", "tool --all"], workingFolder: "")
    #expect(own.match(["make dash B"]) == "make -B")
    #expect(own.match(["make it, B"]) == nil)
    #expect(own.match(["tool dash dash all"]) == "tool --all")
    #expect(own.match(["tool dash all"]) == nil)
  }
}
