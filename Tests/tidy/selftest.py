"""Each rule on small trees that break it, and on their tidy twins; and the reader of Swift on what is hard to read."""

import json

import judge, swift
from tree import RULES, Tree

LONG = "func long() {\n" + "  work()\n" * 59 + "}\n"
SETTINGS = """
struct Settings {
  let mode = Setting("interaction.mode", "review")
  let pace = Setting(
    "audio.pace", "real")
}
"""
DEFAULTS = '{\n  interaction: {\n    mode: "review",\n  },\n  audio: {\n    pace: "real",\n  },\n}\n'
README = """# Parley
## Verbs
| verb | what |
|---|---|
| `parley run` | one session; `--mode` |
| `parley log` | sessions; `--since` |
## Configuration
| group | keys |
|---|---|
| `interaction` | `mode` |
| `audio` | `pace` |
"""
ARROWS = "## What may be imported\n| target | may import |\n|---|---|\n"


def verb(name, *flags, **more):
    arguments = [{"names": [{"kind": "long", "name": flag}]} for flag in flags]
    return {"commandName": name, "arguments": arguments, **more}


HELP = {"command": {"subcommands": [verb("run", "mode", "help"), verb("log", "since"), verb("x", shouldDisplay=False)]}}
CONFIGURATION = "Sources/VoiceConfiguration/"
AGREED = {
    CONFIGURATION + "Settings.swift": SETTINGS,
    "config/parley.json5": DEFAULTS,
    "README.md": README,
    "Sources/parley/A.swift": "let a = plan.mode + plan.pace\n",
}


def but(**changes):
    """The tree in which all agree, with other words in one place."""
    texts = dict(AGREED)
    for name, (old, new) in changes.items():
        path = next(path for path in texts if path.lower().replace("/", "_").replace(".", "_").endswith(name))
        assert old in texts[path], (path, old)
        texts[path] = texts[path].replace(old, new)
    return texts


def a(text):
    return {"Sources/A/A.swift": text}


# A rule; a tree that breaks it; what it says then; and a tree that does not.
CASES = [
    ("top-level", {**a(""), "trial.log": ""}, "trial.log", {**a(""), "Sources/trial.log": ""}),
    ("file-length", a("x()\n" * 401), "401 lines", a("x()\n" * 400)),
    ("file-length", {"Sources/C/c.c": "x;\n" * 401}, "401 lines", {"docs/a.md": "x\n" * 401}),
    ("function-length", a(LONG.replace("{", "{\n  work()", 1)), "long has 62 lines", a(LONG.replace("  work()\n", "", 1))),
    ("function-length", {"Tests/A/A.swift": f"struct A {{\n{LONG}}}\n"}, "A.long has 61", a("struct A {\n" + "\n" * 99 + "}\n")),
    ("function-length", a("var a: Int {\n" + "  work()\n" * 60 + "}\n"), "a has 62", a("var a = 1\n" + "work()\n" * 60)),
    ("lines-of-texts", a('a.split(separator: "\\n")\n'), "use `lines`", a('a.lines\nb.split(separator: "\\t")\n')),
    ("errors-are-told", a("let a = try? read()\n"), "try? in Sources", a("let a = try read() // try?\n")),
    (
        "one-flag",
        {"Sources/VoiceCore/A.swift": "struct A {\n  var isOn = false\n  private(set) var isOld: Bool\n}\n"},
        "A stores isOn and isOld",
        {"Sources/VoiceCore/A.swift": "struct A {\n  var isOn = false\n  var isOff: Bool { !isOn }\n}\n"},
    ),
    (
        "one-flag",
        {"Sources/VoiceCore/A.swift": "final class A {\n  let isOn: Bool\n  var isOld: Bool?\n}\n"},
        "A stores isOn and isOld",
        {"Sources/VoiceCore/A.swift": "final class A {\n  let isOn: Bool\n  static let isOld = true\n}\n"},
    ),
    (
        "one-flag",
        {"Sources/VoiceCore/A.swift": "enum A {\n  case open(isOn: Bool, isOld: Bool)\n}\n"},
        "A.open stores isOn and isOld",
        {"Sources/VoiceCore/A.swift": "enum A {\n  case open(isOn: Bool)\n  case shut(isOld: Bool)\n}\n"},
    ),
    (
        "one-flag",
        {"Sources/VoiceCore/A.swift": "enum A {\n  case open(Bool, Bool?)\n}\n"},
        "A.open stores a Bool and a Bool",
        {"Sources/VoiceCore/A.swift": "enum A {\n  case open(Bool, [Bool])\n}\n"},
    ),
    (
        "one-name",
        {**a("struct Lane {}\n"), "Sources/B/B.swift": "enum Lane {}\n"},
        "Lane is in A, too",
        {**a("struct Lane {}\n"), "Sources/B/B.swift": "private struct Lane {}\nstruct B { struct Lane {} }\n"},
    ),
    (
        "one-name",
        {**a("struct Lane { enum Kind {} }\n"), "Tests/B/B.swift": "extension Lane { enum Kind {} }\n"},
        "Lane.Kind is in A, too",
        {**a("struct Lane { enum Kind {} }\n"), "Tests/B/B.swift": "extension Lane { fileprivate enum Kind {} }\n"},
    ),
    ("documented", a("package func go() {}\n"), "go has no", a("/// Goes.\npackage func go() {}\n")),
    ("documented", a("/// An A.\nstruct A {\n  var b: Int { 1 }\n}\n"), "A.b has no", a("/// An A.\nstruct A {\n  var b = 1\n}\n")),
    ("documented", a("// An A.\nstruct A {}\n"), "A has no", a("/// An A.\n@frozen\nstruct A {}\n")),
    (
        "documented",
        a("/// A.\nstruct A {\n  let b: Int\n  init(b: Int, c: Int) {}\n}\n"),
        "A.init has no",
        a("/// A.\nstruct A {\n  let b: Int\n  init(b: Int) {}\n}\n"),
    ),
    (
        "documented",
        a("/// P.\nprotocol P {\n  func go()\n}\n"),
        "P.go has no",
        a("/// P.\nprotocol P {\n  /// Goes.\n  func go()\n}\n/// A.\nstruct A: P {\n  func go() {}\n}\n"),
    ),
    (
        "imports",
        {**a("import Foundation\nimport B\n"), "docs/architecture.md": ARROWS + "| `A` | `B` |\n"},
        "A must not import Foundation",
        {**a("import B\nimport Synchronization\n"), "docs/architecture.md": ARROWS + "| `A` | `B` |\n"},
    ),
    (
        "imports",
        {**a("import CCurl\n"), "Sources/B/B.swift": "internal import CCurl\n"}
        | {"docs/architecture.md": ARROWS + "| `A` | `CCurl` |\n| `B` | `CCurl` |\n"},
        "CCurl is imported by A, too",
        {**a("import CCurl\n"), "docs/architecture.md": ARROWS + "| `A` | `CCurl` |\n"},
    ),
    ("written-input", a("run(a, input: .string(b))\n"), "use .inputWriter", a("run(a, input: .inputWriter)\n")),
    ("imports", a("import B\n"), "A is not in docs/architecture.md", {}),
    ("imports", {"docs/architecture.md": ARROWS + "| `A` | `B` |\n"}, "A does not import B, but may", {}),
    ("keys-are-read", but(a_swift=(" + plan.pace", "")), "nobody reads audio.pace", AGREED),
    ("keys-are-read", but(a_swift=("plan.pace", "Flag.of(\\.pace)")), "nobody reads audio.pace", AGREED),
    ("keys-are-read", but(a_swift=("plan.pace", "Settings { $0.pace = 1 }")), "nobody reads audio.pace", AGREED),
    ("keys-agree", but(parley_json5=("pace", "place")), "audio.pace is not in config/parley.json5", AGREED),
    ("keys-agree", but(readme_md=("`pace`", "`pace`, `speaker`")), "audio.speaker is not in " + CONFIGURATION, AGREED),
    ("help-agrees", but(readme_md=("| `parley log` | sessions; `--since` |\n", "")), "parley log is in --help", AGREED),
    ("help-agrees", but(readme_md=("parley log", "parley logs")), "there is no parley logs", AGREED),
    ("help-agrees", but(readme_md=("`--since`", "`--since`, `--until`")), "parley log has no --until", AGREED),
    ("help-agrees", but(readme_md=("; `--since`", "")), "--since of parley log is in --help", AGREED),
    ("help-agrees", AGREED | {"docs/a.md": "see `parley run --fast`\n"}, "no verb of parley has --fast", AGREED),
    ("cited-files", a("// See B.swift.\n"), "B.swift is not there", {**a("// See B.swift.\n"), "Sources/B/B.swift": ""}),
    ("cited-files", {"docs/a.md": "[b](b.md)\n"}, "b.md is not there", {"docs/a.md": "[b](b.md)\n", "docs/b.md": ""}),
    ("cited-files", {"script/a": "# Tests/b is gone.\n"}, "Tests/b is not there", {"script/a": 'b = "Tests/b"\n'}),
    ("retired-phrases", a("// It is handed on.\n"), "handed on", a('let reason = "Handed on"  // It is sent.\n')),
    ("retired-names", a("let wakeBell = 1\n"), "wakeBell: bell is wake pipe", a('let label = "bell" // bell\n')),
    ("retired-names", a("func hangUp() {}\n"), "hangUp: hangUp is", a("func hang(upTo: Int) {}\n")),
    ("retired-names", a("let a = b.harmless()\n"), "harmless: harmless is", a("let a = HarmlessActs()\n")),
    ("retired-names", {"Sources/A/Mistake.swift": ""}, "Mistake: mistake is", {"Tests/A/Mistake.swift": ""}),
]

# What is hard to read, and the declarations that are in it.
READINGS = [
    ('let a = "}" // {\nfunc b() {}\n', ["a", "b"]),
    ('let a = "\\(b("}"))"\nfunc c() {}\n', ["a", "c"]),
    ('let a = #"\\("#\nlet b = #"""#\nlet c = """\n  "}"\n  """\n', ["a", "b", "c"]),
    ("/* { /* } */ */ struct A { var b: Int { get { 1 } set {} }; var c = [1].map { $0 } }\n", ["A", "A.b", "A.c"]),
    ("enum A {\n  case b, c(Int)\n  #if os(Linux)\n    case d\n  #endif\n}\n", ["A", "A.b", "A.d"]),
    ("@A(b: { 1 }) private(set) var a: Int = { 2 }() { didSet {} }\nclass func b() {}\n", ["a", "b"]),
    ("protocol P {\n  func a() -> Int\n  var b: Int { get }\n}\n", ["P", "P.a", "P.b"]),
    ("let r = #/[\"{]/#\nfunc a<T>(_ b: T = { 1 }()) async throws -> Int where T: P {\n}\n", ["r", "a"]),
]


def shown(findings):
    return "; ".join(findings) or "nothing"


def main():
    failures = []
    for name, broken, words, tidy in CASES:
        found, _, _ = judge.judged(Tree(broken, program=HELP), name, {}, {})
        if not any(words in finding for finding in found):
            failures.append(f"{name}: expected “{words}”, found {shown(found)}")
        found, _, _ = judge.judged(Tree(tidy, program=HELP), name, {}, {})
        if found:
            failures.append(f"{name}: a tidy tree breaks it: {shown(found)}")
    failures += [f"{name}: no tree breaks it" for name in RULES.keys() - {case[0] for case in CASES}]
    for text, names in READINGS:
        found = [declaration.qualified for declaration in swift.Scanner(text).declarations]
        if found != names:
            failures.append(f"{json.dumps(text)}: expected {names}, found {found}")
    failures += allowances()
    for failure in failures:
        print(failure)
    print(f"tidy: {len(CASES)} trees that break {len(RULES)} rules, {len(READINGS)} readings, {len(failures)} failures")
    return 1 if failures else 0


def allowances():
    """What is let pass is let pass, no more than that, and not without need."""
    tree = Tree(a("func go() {}\nfunc come() {}\n"))
    for allowed, limits, expected in (
        ({}, {}, (2, 0, 0)),
        ({"documented": {"Sources/A": "why"}}, {}, (0, 2, 0)),
        ({"documented": {"Sources/A": "why", "Sources/B": "why"}}, {}, (1, 2, 0)),
        ({}, {"documented": {"Sources/A": 1}}, (1, 1, 0)),
        ({}, {"documented": {"Sources/A": 3}}, (0, 2, 1)),
    ):
        counts = tuple(map(len, judge.judged(tree, "documented", allowed, limits)))
        if counts != expected:
            yield f"allowances {allowed} {limits}: expected {expected}, found {counts}"
