"""The copy of the package that the changes are compiled into."""

import fcntl, os, re, subprocess, sys

from sites import changed, sites
from switch import switch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, ".build-mutants")
# Only the targets wanted with their tests, and the program where agents run below it.
REDUCED = """
let wanted = (Context.environment["MUTANTS_OF"] ?? "").split(separator: ",").map(String.init)
var kept = Set(wanted.map { $0 + "Tests" })
if wanted.contains("VoiceConverse") { kept.insert("parley") }
if wanted.contains("VoiceCore") || wanted.contains("VoiceLanguage") { kept.insert("VoiceReplayTests") }
for _ in package.targets {
  for target in package.targets where kept.contains(target.name) {
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): kept.insert(name)
      default: break
      }
    }
  }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
"""


class Package:
    def __init__(self, targets):
        # A warning about a change is no news.
        self.environment = {**os.environ, "MUTANTS_OF": ",".join(targets)}
        self.environment.pop("CI", None)
        self.targets, self.texts = targets, {}
        for target in targets:
            for folder, _, files in sorted(os.walk(os.path.join(ROOT, "Sources", target))):
                for file in sorted(file for file in files if file.endswith(".swift")):
                    path = os.path.relpath(os.path.join(folder, file), ROOT)
                    with open(os.path.join(ROOT, path)) as text:
                        self.texts[path] = text.read()

    def claim(self):
        """One at a time: another would take the changes out of the copy while its tests run."""
        os.makedirs(COPY, exist_ok=True)
        self.lock = open(os.path.join(COPY, "lock"), "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"mutants: {COPY} is in use by another run")

    def copy(self):
        """What git knows, as it stands, without the sources that are changed; files that are the same keep their times, so that
        little is built anew."""
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
        names = {name for name in listed.split("\0") if name and os.path.isfile(os.path.join(ROOT, name))}
        for name in names - self.texts.keys() - {"Package.swift"}:
            with open(os.path.join(ROOT, name), "rb") as file:
                put(name, file.read())
        kept = names | {f"Sources/{target}/Mutant.swift" for target in self.targets}
        for folder in ("Sources", "Tests"):
            for path, _, files in os.walk(os.path.join(COPY, folder)):
                for file in files:
                    name = os.path.relpath(os.path.join(path, file), COPY)
                    if name not in kept and "__pycache__" not in name:
                        os.remove(os.path.join(COPY, name))
        with open(os.path.join(ROOT, "Package.swift")) as file:
            put("Package.swift", (file.read() + REDUCED).encode())

    def sites(self, target):
        """Every place of a target that can be changed."""
        return [
            site
            for path, text in self.texts.items()
            if path.startswith(f"Sources/{target}/")
            for site in sites(path, text)
        ]

    def build(self, chosen):
        """Compile all changes in, by target a list of (number, site). Result: the same without those that do not compile."""
        self.claim()
        self.copy()
        for _ in range(20):
            for path, text in self.texts.items():
                here = [(number, site) for number, site in chosen[path.split("/")[1]] if site.path == path]
                put(path, changed(text, here).encode())
            for target, numbered in chosen.items():
                put(f"Sources/{target}/Mutant.swift", switch(numbered).encode())
            errors = self.errors()
            if not errors:
                return chosen
            every = [pair for numbered in chosen.values() for pair in numbered]
            wrong = {number for path, line in errors for number in blamed(every, path, line)}
            if not wrong:
                sys.exit(f"mutants: the copy does not compile: {errors}")
            chosen = {
                target: [(number, site) for number, site in numbered if number not in wrong]
                for target, numbered in chosen.items()
            }
        sys.exit("mutants: too many changes do not compile")

    def errors(self):
        """Where the compiler finds faults: (path, line)."""
        command = ["swift", "build", "--build-tests", "-Xswiftc", "-suppress-warnings"]
        built = subprocess.run(command, cwd=COPY, env=self.environment, capture_output=True, text=True)
        if built.returncode == 0:
            return set()
        found = re.findall(r"^(\S+\.swift):(\d+):\d+: error:", built.stdout + built.stderr, re.MULTILINE)
        if not found:
            sys.exit(f"mutants: the copy cannot be built:\n{(built.stdout + built.stderr)[-3000:]}")
        return {(os.path.relpath(path, COPY), int(line)) for path, line in found}


def blamed(chosen, path, line):
    """The changes on a line; if there is none, those of its function."""
    here = [(number, site) for number, site in chosen if site.path == path]
    exact = {number for number, site in here if site.line <= line <= site.last}
    return exact or {number for number, site in here if line in site.lines}


def put(name, content):
    path = os.path.join(COPY, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    with open(path, "wb") as file:
        file.write(content)
    if content.startswith(b"#!"):
        os.chmod(path, 0o755)
