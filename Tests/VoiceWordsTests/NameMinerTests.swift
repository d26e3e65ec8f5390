import Testing
import VoiceVocabulary

@testable import VoiceWords

private func source(_ files: [String: String], branches: [String] = [], isOver: Bool = false) -> NameMiner.Source {
  NameMiner.Source(
    paths: files.keys.sorted(), branches: branches, read: { files[$0].map { Array($0.utf8) } }, isOver: { isOver })
}

@Test func filesTypesFunctionsBranchesAndDependenciesAreNames() {
  let names = NameMiner.names(
    source(
      [
        "Package.swift": #".package(url: "https://example.org/someone/swift-argument-parser.git", from: "1.0.0"),"#,
        "Sources/VoiceCore/EventInbox.swift":
          "final class EventInbox {\n  func post(_ e: Int) {}\n  func takeAll() {}\n}",
        "tools/run_all.py": "def build_index(path):\n  maxRetries = 1\n",
        "sound.wav": "",
      ], branches: ["feature/dark-mode"]))
  for name in [
    "Package.swift", "swift-argument-parser", "EventInbox.swift", "EventInbox", "takeAll", "build_index", "VoiceCore",
    "run_all.py", "feature/dark-mode", "sound.wav",
  ] {
    #expect(names.contains(name), "\(name)")
  }
  #expect(names.first == "EventInbox")
  #expect(!names.contains("post") && !names.contains("tools"))
}

@Test func theSameProjectGivesTheSameNamesInTheSameOrder() {
  let files = Dictionary(uniqueKeysWithValues: (0..<300).map { ("a/File\($0).swift", "struct Type\($0) {}") })
  #expect(NameMiner.names(source(files)) == NameMiner.names(source(files)))
}

@Test func thereAreNeverMoreNamesThanTheLimit() {
  let files = Dictionary(uniqueKeysWithValues: (0..<3_000).map { ("a/File\($0).swift", "struct Type\($0) {}") })
  #expect(NameMiner.names(source(files)).count == Limits.projectWords)
}

@Test func whenTheTimeIsOverTheFileNamesAreStillThere() {
  let names = NameMiner.names(source(["Inbox.swift": "struct Hidden {}"], isOver: true))
  #expect(names.contains("Inbox.swift") && !names.contains("Hidden"))
}

@Test func whatLooksLikeAKeyIsNoName() {
  #expect(NameMiner.names(source(["sk-abcdefghijklmnopqrstuv0123456789.swift": ""])) == [])
}

@Test(
  arguments: [
    (
      "package.json", #"{\n  "dependencies": {\n    "@scope/left-pad": "1",\n    "react": "2"\n  },\n  "name": "x"\n}"#,
      ["left-pad", "react"]
    ),
    (
      "Cargo.toml", "[package]\nname = \"x\"\n[dependencies]\nserde = \"1\"\ntokio = { version = \"1\" }\n",
      ["serde", "tokio"]
    ),
    ("go.mod", "module x\nrequire (\n\tgithub.com/gorilla/mux v1.8.0\n\texample.org/a/b/v2 v2.0.0\n)\n", ["mux", "b"]),
    ("requirements.txt", "# no\nnumpy>=1.2\npytest[cov] == 7\n-r other\n", ["numpy", "pytest"]),
    ("pyproject.toml", "[project]\ndependencies = [\n  \"httpx>=1\",\n  \"rich\",\n]\n", ["httpx", "rich"]),
    ("Gemfile", "source 'x'\ngem \"rails\", \"7\"\n", ["rails"]),
    (
      "Package.swift", ".product(name: \"ArgumentParser\", package: \"swift-argument-parser\")",
      ["ArgumentParser", "swift-argument-parser"]
    ),
    ("other.txt", "numpy", []),
  ] as [(String, String, [String])])
func dependenciesAreReadWhereTheyAreNamed(_ path: String, _ text: String, _ names: [String]) {
  let lines = path == "package.json" ? text.replacing("\\n", with: "\n") : text
  #expect(Dependencies.names(in: Array(lines.utf8), of: path) == names)
}

@Test func declarationsOfManyLanguagesAreFound() {
  let text = """
    struct Point { let xPosition: Int }
    interface HttpClient {}
    fn parse_header(text: &str) {}
    // the class that reads
    def load_all(self): pass
    enum class Color { red }
    """
  let names = Declarations.names(in: Array(text.utf8), of: "any.py").map(\.0)
  #expect(names == ["Point", "xPosition", "HttpClient", "parse_header", "load_all", "Color"])
}

@Test(
  arguments: [
    (
      "list.go", "func (list *List[T]) PushBack(value T) {\n}\nfunc newList() *List {\n\treturn makeList(3)\n}",
      "PushBack newList"
    ),
    (
      "store.ts",
      """
      export class UserStore {
        async fetchUser(id: string): Promise<User | null> {
          if (this.isCached(id)) { return this.fromCache(id); }
          items.forEach((item) => { save(item) })
          for (const itemName of allItems()) { check(itemName) }
        }
      }
      """, "UserStore fetchUser itemName"
    ),
    (
      "Store.java",
      """
      public final class Store {
        @Override public String readLine(int count) throws IOException, TimeoutException
        {
          synchronized (lock) { return super.readLine(Math.max(count, 3)); }
        }
      }
      """, "Store readLine"
    ),
    (
      "ring.c",
      "static int ring_push(struct ring_buffer *ring, int value)\n{\n  while (ring_full(ring)) { wait_for(ring); }\n}",
      "ring_buffer ring_push"
    ),
    ("call.py", "push_all(x)\n{ 1 }", ""), ("odd.js", "open((((", ""), ("end.js", "openAll()", ""),
  ] as [(String, String, String)])
func functionsWithoutAKeywordAndMethodsOfGoAreFound(path: String, text: String, expected: String) {
  let names = Declarations.names(in: Array(text.utf8), of: path).map(\.0)
  #expect(Set(names) == Set(expected.split(separator: " ").map(String.init)), "\(names)")
}

@Test func anyBytesAreScanned() {
  var generator = SystemRandomNumberGenerator()
  for _ in 0..<200 {
    let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
    _ = Declarations.names(in: bytes, of: "any.js")
    #expect(GitIndex(bytes, hashBytes: 20) == nil)
    #expect(GitIndex(Array("DIRC".utf8) + [0, 0, 0, 2, 0, 0, 0, 9] + bytes, hashBytes: 20)?.paths.count ?? 9 == 9)
  }
}
