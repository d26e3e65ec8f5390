#!/usr/bin/env python3
"""Names of projects that nobody here wrote: whether they are heard, and written as they are written there.

Takes types, functions and files at random from the sources of packages of PyPI and Debian, speaks a request with each in two voices
unlike each other (see hearing/make_set.py, which has the same voices), and transcribes it with that project as the working folder. A
name is *heard* if its letters are there, in one word or in several, and *written* if it stands in the instruction as it does in the
project. With --development the project and the voices are others: what is chosen by it is measured on the rest.

Usage: project_names.py PARLEY [--development] [--plain] [--show] [--again]
"""
import argparse, re, subprocess, sys, wave, zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "hearing"), str(HERE)]
import hearing, make_set

HOME = make_set.HOME / ("names-development" if make_set.IS_DEVELOPMENT else "names")
# Where a project's sources come from, which folder they are in, and the ending of their files.
PROJECTS = {
    "httpx": ("pypi", "httpx==0.28.1", "httpx", ".py"),
    "flask": ("pypi", "flask==3.1.0", "flask", ".py"),
    "gin": ("debian", "golang-github-gin-gonic-gin-dev", "usr/share/gocode/src/github.com/gin-gonic/gin", ".go"),
    "hyper": ("debian", "librust-hyper-dev", "usr/share/cargo/registry", ".rs"),
} if make_set.IS_DEVELOPMENT else {
    "starlette": ("pypi", "starlette==0.41.3", "starlette", ".py"),
    "viper": ("debian", "golang-github-spf13-viper-dev", "usr/share/gocode/src/github.com/spf13/viper", ".go"),
    "clap": ("debian", "librust-clap-dev", "usr/share/cargo/registry", ".rs"),
    "undici": ("debian", "node-undici", "usr/share/nodejs/undici", ".js"),
}
# What declares a type, and a function.
DECLARATIONS = {
    ".py": (r"class (\w+)", r"def (\w+)"),
    ".go": (r"type (\w+) (?:struct|interface)", r"func (?:\([^)]*\) )?(\w+)"),
    ".rs": (r"(?:struct|enum|trait) (\w+)", r"fn (\w+)"),
    ".js": (r"class (\w+)", r"(?:function (\w+)|^ +(?:async )?(?!if|for|while|switch|catch)(\w+) ?\([^()\n]*\) {$)"),
}
# How many of each kind are taken of each project.
COUNTS = {"type": 14, "function": 6, "file": 4}
REQUESTS = {
    "type": ["rename {} to something shorter", "what calls the {}", "write a test for {}", "why does {} fail on Windows",
             "explain how {} works", "add a comment to the class {}", "move {} into its own file", "where is {} used",
             "the {} should not block", "print the type of {} when it starts", "make {} public",
             "does {} know about the timeout"],
    "function": ["rename the function {}", "what does the function {} return", "call {} twice", "add a parameter to the method {}",
                 "the function {} is too long"],
    "file": ["open {}", "sort the imports in {}", "what is in the file {}", "delete the last line of {}"],
}
ENDINGS = {".py": "dot P Y", ".go": "dot go", ".rs": "dot R S", ".js": "dot J S"}


def sources(name, origin, package, folder):
    """The folder with a project's sources, fetched once."""
    home = HOME / "projects" / name
    if not home.exists():
        home.mkdir(parents=True)
        if origin == "pypi":
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", home,
                            package], check=True)
            zipfile.ZipFile(next(home.glob("*.whl"))).extractall(home)
        else:
            subprocess.run(["apt-get", "download", "--quiet", package], cwd=home, check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["dpkg", "-x", next(home.glob("*.deb")), home], check=True)
    return home / folder


def words(name):
    """A name as it is said."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return " ".join(re.split(r"[_\-./\s]+", name)).strip()


def pick(folder, ending):
    """Names of at least two words, or of a file, in an order that nobody chose."""
    files = sorted(path for path in folder.rglob(f"*{ending}") if "test" not in path.name and "bundle" not in path.name)
    text = "\n".join(path.read_text(errors="replace") for path in files)
    names = {}
    for kind, pattern in zip(["type", "function"], DECLARATIONS[ending]):
        found = {next(filter(None, match.groups())) for match in re.finditer(pattern, text, re.MULTILINE)}
        names[kind] = {name for name in found if " " in words(name) and not name.startswith("__")}
    # A function's name in capitals is a type's elsewhere.
    names["function"] -= names["type"]
    names["file"] = {path.name for path in files if not path.name.startswith("__") and words(path.stem)}
    for kind, found in names.items():
        yield from ((kind, name) for name in sorted(found, key=make_set.number)[:COUNTS[kind]])


def spoken(name, kind):
    stem, ending = (Path(name).stem, ENDINGS[Path(name).suffix]) if kind == "file" else (name, "")
    return f"{words(stem)} {ending}".strip()


def requests():
    """A request for each name: its project, kind, name, text as it is said."""
    for project, (origin, package, folder, ending) in PROJECTS.items():
        for place, (kind, name) in enumerate(pick(sources(project, origin, package, folder), ending)):
            request = REQUESTS[kind][place % len(REQUESTS[kind])]
            yield project, kind, name, request.format(spoken(name, kind))


def save(np, path, sound):
    level = 0.08 / max(1e-9, np.sqrt(np.mean(sound ** 2)))
    quiet = [np.zeros(make_set.RATE * milliseconds // 1000) for milliseconds in (300, 400)]
    sound = np.concatenate([quiet[0], make_set.trim(np, sound) * level, quiet[1]])
    sound += np.random.default_rng(make_set.number(path.name)).normal(size=len(sound)) * 10 ** (-65 / 20)
    with wave.open(str(path), "w") as file:
        file.setparams((1, 2, make_set.RATE, 0, "NONE", ""))
        file.writeframes((np.clip(sound, -1, 1) * 32_767).astype("<i2").tobytes())


def clips():
    """Every request in two voices, spoken once: project, kind, name, text, file."""
    import numpy as np
    voices = make_set.Voices()
    for project, kind, name, text in requests():
        seed = make_set.number(text)
        for index, voice in enumerate([make_set.NEAR_HUMAN[seed % 6], make_set.OTHERS[seed // 6 % 4]]):
            path = HOME / f"{project}_{kind}_{name}_{voice}.wav"
            if not path.exists():
                save(np, path, voices.speak(voice, text, 0.9 + (seed >> (8 + index)) % 26 / 100))
            yield project, kind, name, text, path


def run(parley, *arguments, given=None):
    done = subprocess.run([parley, *arguments], input=given, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    for flag in ["development", "plain", "show", "again"]:
        arguments.add_argument(f"--{flag}", action="store_true")
    options = arguments.parse_args()
    make_set.prepare()
    HOME.mkdir(parents=True, exist_ok=True)
    if options.again:
        for path in HOME.glob("*.wav"):
            path.unlink()
    rows = list(clips())
    print(f"{'project':10} {'kind':10} {'names':>5} {'heard':>8} {'written':>8} {'other words wrong':>20}")
    for project, (origin, package, folder, *_) in PROJECTS.items():
        mine = [row for row in rows if row[0] == project]
        home = ["--working-folder", str(sources(project, origin, package, folder))]
        lines = run(options.parley, "transcribe", *home, *(["--plain"] if options.plain else []), *(str(row[4]) for row in mine))
        heard = [line[len(str(row[4])) + 1:].strip() for row, line in zip(mine, lines, strict=True)]
        made = run(options.parley, "words", "repair", *home, given="\n".join(heard) + "\n")
        counts = {}
        for (_, kind, name, text, path), before, after in zip(mine, heard, made, strict=True):
            isHeard = hearing.has(re.sub(r"^_+", "", name), before)
            isWritten = name in re.sub(r"[,;:!?\"()']|\.(?=\s|$)", " ", after).split()
            said = hearing.normal(text)
            wrong = hearing.errors(said, hearing.normal(re.sub(re.escape(name), spoken(name, kind), after)))
            for place, more in enumerate([1, isHeard, isWritten, wrong if isWritten else 0, len(said) if isWritten else 0]):
                counts.setdefault(kind, [0] * 5)[place] += more
            if options.show and not isWritten:
                print(f"  {'heard ' if isHeard else '      '} {path.stem.split('_')[-1]}: “{text}” was heard as “{before}”, "
                      f"written “{after}” [{name}]")
        for kind, (count, found, written, wrong, said) in counts.items():
            print(f"{project:10} {kind:10} {count:5} {100 * found / count:6.0f} % {100 * written / count:6.0f} % "
                  f"{100 * wrong / max(1, said):14.1f} % of {said}")


if __name__ == "__main__":
    main()
