"""The tests of a target, file by file: which changes each reaches, and whether one notices a change."""

import dataclasses, os, re, signal, subprocess, tempfile, threading, time

from package import COPY

BUNDLE = os.path.join(COPY, ".build", "debug", "parleyPackageTests.xctest")
# A file that takes longer is taken apart, and its tests are tried one by one when the quick ones have passed.
SLOW_SECONDS = 5


@dataclasses.dataclass
class Part:
    """The tests of a file, or one test of a slow one."""

    pattern: str
    seconds: float
    reached: set
    tests: list


# The fixtures test whatever decides, word for word, and stand with what replays them.
SHARED = {"VoiceCore": [("VoiceReplay", "FixtureTests.swift")], "VoiceLanguage": [("VoiceReplay", "FixtureTests.swift")]}


def parts(target, environment, pool):
    """The parts of a target's tests, each run once without a change, the quickest first. What fails then tells nothing."""
    own = [(target, file) for file in files(os.path.join(COPY, "Tests", target + "Tests"))]
    found = pool.map(lambda pair: parts_of(pair[1], pair[0], environment), own + SHARED.get(target, []))
    return sorted((part for some in found for part in some), key=lambda part: part.seconds)


def files(folder):
    """Those with tests in them."""
    for file in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file)) as text:
            if "@Test" in text.read():
                yield file


def parts_of(file, target, environment):
    name = rf"/{re.escape(file)}:"
    whole = tried(rf"^{target}Tests\..*{name}", environment)
    if not whole or whole.seconds < SLOW_SECONDS or len(whole.tests) == 1:
        return [whole] if whole else []
    each = [tried(rf"^{target}Tests\.(.*/)?{test}\(.*{name}", environment) for test in whole.tests]
    return [part for part in each if part]


def tried(pattern, environment):
    started = time.monotonic()
    with Reached() as reached:
        run = Run([pattern], {**environment, "MUTANTS_REACHED": reached.path}, 1200)
    if run.verdict != "passed":
        print(f"left out, has {run.verdict} without a change: {pattern}\n{''.join(run.lines[-5:])}", flush=True)
        return None
    seconds = time.monotonic() - started
    tests = [test for line in run.lines for test in re.findall(r"^✔ Test (\w+)\(", line)]
    return Part(pattern, seconds, reached.numbers, sorted(set(tests)))


class Reached:
    """The changes that tests reach, told through a pipe: some tests let no file grow, as a full disk does."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path, self.numbers = os.path.join(self.folder.name, "reached"), set()
        os.mkfifo(self.path)
        self.pipe = os.open(self.path, os.O_RDWR)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        return self

    def read(self):
        with open(self.pipe, closefd=False) as lines:
            for line in iter(lines.readline, "end\n"):
                self.numbers.add(int(line))

    def __exit__(self, *_):
        os.write(self.pipe, b"end\n")
        self.reader.join()
        os.close(self.pipe)
        self.folder.cleanup()


def verdict(number, every, environment):
    """What the tests that reach a change say of it, the quick ones first: "passed", "failed" or "hung"; and how many they are."""
    reaching = [part for part in every if number in part.reached]
    quick = [part for part in reaching if part.seconds < SLOW_SECONDS]
    for some in [quick] * bool(quick) + [[part] for part in reaching if part not in quick]:
        limit = 30 + 5 * sum(part.seconds for part in some)
        run = Run([part.pattern for part in some], {**environment, "MUTANT": str(number)}, limit)
        if run.verdict != "passed":
            return run.verdict, len(reaching)
    return "passed", len(reaching)


class Run:
    """Some tests, until the first fails: "passed", "failed", or "hung" after `limit` seconds."""

    def __init__(self, patterns, environment, limit):
        filters = [word for pattern in patterns for word in ("--filter", pattern)]
        run = subprocess.Popen(
            [BUNDLE, "--testing-library", "swift-testing", *filters],
            cwd=COPY,
            env={**environment, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self.lines, found = [], []
        clock = threading.Timer(limit, lambda: (found.append("hung"), end(run)))
        clock.start()
        for line in run.stdout:
            self.lines.append(line)
            if line.startswith("✘") and not found:
                found.append("failed")
                end(run)
        clock.cancel()
        code = run.wait()
        self.verdict = found[0] if found else "passed" if code == 0 else "failed"


def end(run):
    """Kill it with all that came of it: some tests give their children a group of their own."""
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
