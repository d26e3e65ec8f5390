"""The files that the rules look at, and what a rule finds."""

import dataclasses, functools, os, re, subprocess

import swift

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
READ = (".swift", ".c", ".cpp", ".h", ".py", ".md", ".json5", ".sh", ".modulemap")


@dataclasses.dataclass(frozen=True)
class Finding:
    rule: str
    path: str
    line: int
    text: str
    key: str = ""  # What an exception names it by.

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text} ({self.rule})"


RULES = {}


def rule(function):
    """A rule by its name: a function of the tree that yields what it finds. Its first line says what must hold."""
    RULES[function.__name__.replace("_", "-")] = function
    return function


class Tree:
    """Texts by path. What has no text here, such as a recording, is there by its name."""

    def __init__(self, texts, names=(), program=None, tracked=None):
        self.texts = texts
        self.names = set(texts) | set(names)
        self.tracked = self.names if tracked is None else tracked  # Without what only lies about.
        self.folders = {folder for name in self.names for folder in above(name)}
        self.program = program  # The program's own description of its verbs: --experimental-dump-help.

    @classmethod
    def of_repository(cls, program=None):
        tracked = listed("--cached")
        names = tracked + listed("--others", "--exclude-standard")
        texts = {}
        for name in names:
            path = os.path.join(ROOT, name)
            is_script = name.startswith("script/") and "." not in name
            if (name.endswith(READ) or is_script) and not name.startswith("audio-fixtures/") and os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    texts[name] = file.read()
        return cls(texts, [name for name in names if os.path.exists(os.path.join(ROOT, name))], program, set(tracked))

    @functools.cached_property
    def swift(self):
        """Each Swift file, read."""
        found = {}
        for path, text in sorted(self.texts.items()):
            if path.endswith(".swift") and path.startswith(("Sources/", "Tests/", "Benchmarks/")):
                try:
                    found[path] = swift.Scanner(text)
                except swift.Unreadable as problem:
                    raise SystemExit(f"tidy: {path} cannot be read: {problem}")
        return found

    def declarations(self, *folders):
        for path, file in self.swift.items():
            if path.startswith(folders):
                for declaration in file.declarations:
                    yield path, declaration

    def line_of(self, path, words):
        """The first line of a text that has these words; 1 where none has."""
        for number, line in enumerate(self.texts.get(path, "").splitlines(), 1):
            if words in line:
                return number
        return 1

    def section(self, path, title):
        """The lines below a heading, up to the next, each with its number."""
        inside = False
        for number, line in enumerate(self.texts.get(path, "").splitlines(), 1):
            if line.startswith("#"):
                inside = line.strip("# ") == title
            elif inside:
                yield number, line


def listed(*which):
    """The names that git has of these."""
    command = ["git", "ls-files", "-z", *which]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return [name for name in names if name]


def above(name):
    while "/" in name:
        name = name.rsplit("/", 1)[0]
        yield name


def target(path):
    """`Sources/VoiceCore/Session/X.swift` is VoiceCore's."""
    return path.split("/")[1]


def cells(line):
    """The cells of a row of a Markdown table; none for any other line."""
    if not line.startswith("|") or re.fullmatch(r"[|\s:-]+", line):
        return []
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
