"""script/mutants: changes random places of a target, one at a time, and prints which changes its tests do not notice.

All changes are compiled in at once, in a copy of the package below .build-mutants; a number in the environment switches one
on. A change that does not compile is not counted, and another is drawn.
"""

import argparse, os, random, re, signal, subprocess, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import selftest  # noqa: E402
from explained import EXPLAINED  # noqa: E402
from sites import changed, runtime, sites  # noqa: E402

TARGETS = ("VoiceLanguage", "VoiceCore", "VoiceRecording", "VoiceReplay", "VoiceConverse")
COPY = os.path.join(ROOT, ".build-mutants")
# What goes through thousands of sessions is tried on those that the others let live.
SLOW = "noOrderOfEvents|everyWordOf|MatrixTests|CrashTests"
# A package of one target with its tests: the others need not be built, but for the program, below which agents run.
REDUCED = """
let wanted = Context.environment["MUTANTS_OF"] ?? ""
var kept: Set<String> = wanted == "VoiceConverse" ? [wanted + "Tests", "parley"] : [wanted + "Tests"]
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


def copy_package():
    """What git knows, as it stands; files that are the same keep their times, so that little is built anew."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    names = {name for name in listed.split("\0") if name and os.path.isfile(os.path.join(ROOT, name))}
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            put(name, file.read())
    for folder in ("Sources", "Tests"):
        for path, _, files in os.walk(os.path.join(COPY, folder)):
            for file in files:
                name = os.path.relpath(os.path.join(path, file), COPY)
                if name not in names and "__pycache__" not in name:
                    os.remove(os.path.join(COPY, name))
    with open(os.path.join(ROOT, "Package.swift")) as file:
        put("Package.swift", (file.read() + REDUCED).encode())


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


class Trial:
    """The changes of one target, and what its tests say of them."""

    def __init__(self, target, options):
        self.target, self.options = target, options
        self.environment = {**os.environ, "MUTANTS_OF": target}
        # A warning about a change is no news.
        self.environment.pop("CI", None)
        self.texts, every = {}, []
        for folder, _, files in sorted(os.walk(os.path.join(ROOT, "Sources", target))):
            for file in sorted(files):
                if file.endswith(".swift"):
                    path = os.path.relpath(os.path.join(folder, file), ROOT)
                    with open(os.path.join(ROOT, path)) as text:
                        self.texts[path] = text.read()
                    every += sites(path, self.texts[path])
        print(f"{target}: {len(every)} places that can be changed", flush=True)
        self.chosen = self.draw(every)

    def draw(self, every):
        """Twice as many as wanted, of each kind as many: some will not compile."""
        chance = random.Random(f"{self.options.seed} {self.target}")
        kinds = {}
        for site in every:
            if self.options.only in str(site):
                kinds.setdefault(site.kind, []).append(site)
        for some in kinds.values():
            chance.shuffle(some)
        drawn = []
        while len(drawn) < 2 * self.options.count and any(kinds.values()):
            kind = chance.choice(sorted(kind for kind, some in kinds.items() if some))
            drawn.append(kinds[kind].pop())
        return list(enumerate(drawn))

    def build(self):
        """Compile all changes in, and leave out those that do not compile."""
        dropped = []
        for attempt in range(12):
            by_path = {}
            for number, site in self.chosen:
                by_path.setdefault(site.path, []).append((number, site))
            for path, text in self.texts.items():
                put(path, changed(text, by_path.get(path, [])).encode())
            put(f"Sources/{self.target}/Mutant.swift", runtime(self.chosen).encode())
            errors = self.errors()
            if not errors:
                print(f"{self.target}: {len(self.chosen)} changes compile, {len(dropped)} do not", flush=True)
                return
            wrong = {number for path, line in errors for number in self.blamed(path, line)}
            if not wrong:
                sys.exit(f"mutants: the copy does not compile: {errors}")
            dropped += wrong
            self.chosen = [(number, site) for number, site in self.chosen if number not in wrong]
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

    def blamed(self, path, line):
        """The changes on a line; if there is none, those of its function."""
        here = [(number, site) for number, site in self.chosen if site.path == path]
        exact = {number for number, site in here if site.line <= line <= site.last}
        return exact or {number for number, site in here if line in site.lines}

    def run_tests(self, number, limit, *selection):
        """Whether the tests notice: "passed", "failed", or "hung" after `limit` seconds."""
        command = ["swift", "test", "--skip-build", "--disable-xctest", *selection]
        environment = {**self.environment, "MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
        run = subprocess.Popen(
            command,
            cwd=COPY,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        verdict, lines = [], []
        clock = threading.Timer(limit, lambda: (verdict.append("hung"), end(run)))
        clock.start()
        for line in run.stdout:
            lines.append(line)
            if line.startswith("✘") and not verdict:
                verdict.append("failed")
                end(run)
        clock.cancel()
        code = run.wait()
        self.lines = lines
        return verdict[0] if verdict else "passed" if code == 0 else "failed"

    def judge(self):
        """Try one after the other, until as many as wanted were tried. The result: tried, survivors, explained."""
        quick = ["--filter", f"^{self.target}Tests", "--skip", SLOW]
        slow = ["--filter", f"^{self.target}Tests.*({SLOW})"]
        limits = []
        for selection in (quick, slow):
            started = time.monotonic()
            if self.run_tests(-1, 1200, *selection) != "passed":
                sys.exit(f"mutants: the tests fail without a change:\n{''.join(self.lines[-30:])}")
            limits.append(30 + 3 * (time.monotonic() - started))
        tried, survivors, explained, hung = 0, [], [], 0
        for number, site in self.chosen[: self.options.count]:
            tried += 1
            verdict = self.run_tests(number, limits[0], *quick)
            if verdict == "passed":
                verdict = self.run_tests(number, limits[1], *slow)
            hung += verdict == "hung"
            if verdict == "passed":
                reason = EXPLAINED.get(re.sub(r":\d+:", ":", str(site), count=1))
                (explained if reason else survivors).append(site)
                print(f"explained: {site} ({reason})" if reason else f"survived: {site}", flush=True)
            elif self.options.all:
                print(f"{verdict}: {site}", flush=True)
        killed = tried - len(survivors) - len(explained)
        print(
            f"{self.target}: {tried} tried, {killed} noticed ({hung} by hanging), {len(survivors)} survived, "
            f"{len(explained)} explained",
            flush=True,
        )
        return tried, len(survivors)


def end(run):
    """Kill it with all that came of it: the package manager gives the tests a group of their own."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, listed.splitlines())}
    family = {run.pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    for process in family:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def main():
    parser = argparse.ArgumentParser(prog="script/mutants", description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=10, metavar="N", help="how many changes of each target")
    parser.add_argument("--target", choices=TARGETS, help="this one alone")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same changes of the same sources")
    parser.add_argument("--only", default="", help="changes with this in what is printed of them")
    parser.add_argument("--at-most", type=float, default=15, metavar="PERCENT", help="how many may survive")
    parser.add_argument("--all", action="store_true", help="print also what was noticed")
    parser.add_argument("--list", action="store_true", help="only print what would be changed")
    parser.add_argument("--self-test", action="store_true", help="try the changes on a few lines of Swift")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(selftest.main())
    targets = [options.target] if options.target else list(TARGETS)
    if not options.list:
        copy_package()
    tried = survived = 0
    for target in targets:
        trial = Trial(target, options)
        if options.list:
            print(*[site for _, site in trial.chosen], sep="\n")
            continue
        trial.build()
        counts = trial.judge()
        tried, survived = tried + counts[0], survived + counts[1]
        # The next target is tried beside this one as it is.
        for path, text in trial.texts.items():
            put(path, text.encode())
        os.remove(os.path.join(COPY, "Sources", target, "Mutant.swift"))
    if tried:
        percent = 100 * survived / tried
        print(f"mutants: {tried} tried, {survived} survived ({percent:.0f} %, at most {options.at_most:.0f} % may)")
        sys.exit(1 if percent > options.at_most else 0)


main()
