"""Links, pipes and folders planted in place of files, where a session is read and where one is written."""

import os, shutil, socket, stat, tempfile, threading
from case import case, session
from judge import Verdict
from speech import Script

SECRET = b"VICTIM-KEEPS-THIS-a8f3 "
ALL_CODES = (0, 1, 64, 65, 69, 74, 78)
FILES = [
    "manifest.json",
    "events.jsonl",
    "ledger.jsonl",
    "live.jsonl",
    "agent.jsonl",
    "microphone.wav",
    "microphone.opus",
    "speaker.wav",
    "speaker.opus",
    "diagnostics.txt",
    "running.lock",
]
lock, kept = threading.Lock(), {}


def recorded(trial):
    """A copy of a session that was really recorded, with two turns."""
    with lock:
        if "session" not in kept:
            session(trial, script=Script(2, behind=1.0))
            place = tempfile.mkdtemp(prefix="parley-hostile-session-")
            kept["session"] = shutil.copytree(trial.path("session"), os.path.join(place, "session"))
            shutil.rmtree(trial.path("session"))
    folder = trial.path("parley/sessions/2026-01-01T000000Z-1")
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    shutil.copytree(kept["session"], folder)
    return folder


def forget():
    """Remove what was recorded for all cases."""
    if "session" in kept:
        shutil.rmtree(os.path.dirname(kept["session"]), ignore_errors=True)


def victim(trial):
    return trial.write("private/victim.txt", SECRET * 100)


def untouched(path):
    try:
        with open(path, "rb") as file:
            if file.read() == SECRET * 100:
                return
    except OSError:
        pass
    raise Verdict("harm", f"{os.path.basename(path)}, to which a planted link leads, was changed")


def secret_kept(trial, *texts, but=()):
    for text in texts:
        if SECRET.decode().strip() in text:
            raise Verdict("harm", "what a planted link leads to was printed")
    for folder, _, names in os.walk(trial.home.path):
        for name in names:
            path = os.path.join(folder, name)
            if folder.endswith("private") or not stat.S_ISREG(os.lstat(path).st_mode) or path in but:
                continue
            with open(path, "rb") as file:
                if SECRET.strip() in file.read(64 << 20):
                    raise Verdict("harm", f"what a planted link leads to was copied to {name}")


def look_at_all(trial, folder, *, codes=ALL_CODES, limit=25):
    """Every command that reads a session. Returns what they printed."""
    said = []
    for number, arguments in enumerate(
        [
            ["log", folder],
            ["why", folder],
            ["ledger", folder],
            ["replay", "--against", "log", folder],
            ["replay", folder],
            ["log", "export", folder, "--as", "markdown"],
            ["log", "export", folder, "--as", "webvtt"],
            ["log", "export", folder, "--as", "otlp", "--words"],
            ["log", "export", folder, "--as", "session", "--redact", "--output", trial.path("redacted")],
            ["report", folder, "--output", trial.path("report.html")],
            ["fixture", "new", folder, "--to", trial.path("fixture")],
            ["log"],
            ["log", "--search", "first"],
        ]
    ):
        text = trial.command(*arguments, codes=codes, limit=limit)
        if "\x1b" in text:
            raise Verdict("harm", f"{' '.join(arguments[:3])} printed escape codes")
        said.append(text)
    return said


# Planted in a session folder that is read.


def plant(path, kind, trial):
    if os.path.lexists(path):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    if kind == "a link to a private file":
        os.symlink(victim(trial), path)
    elif kind == "a link to /dev/zero":
        os.symlink("/dev/zero", path)
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        os.mkdir(path)
    elif kind == "a link to itself":
        os.symlink(os.path.basename(path), path)
    elif kind == "a link to nothing":
        os.symlink(trial.path("private/made-through-a-link"), path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as plain:
            plain.bind(path) if len(path) < 100 else open(path, "w").close()
    elif kind == "a sparse file of 4 GiB":
        with open(path, "wb") as file:
            file.truncate(4 << 30)
    elif kind == "an empty file":
        open(path, "wb").close()


for place, name in enumerate(FILES):
    for number, kind in enumerate(
        [
            "a link to a private file",
            "a link to /dev/zero",
            "a pipe",
            "a folder",
            "a link to itself",
            "a socket",
            "a sparse file of 4 GiB",
            "an empty file",
        ]
    ):
        if number > 2 and (place + number) % 2:
            continue

        @case("planted, read", f"{kind} as {name}", quick=(place * 3 + number) % 13 == 0, limit=120, megabytes=700)
        def _(trial, name=name, kind=kind):
            folder = recorded(trial)
            plant(os.path.join(folder, name), kind, trial)
            said = look_at_all(trial, folder)
            if kind == "a link to a private file":
                untouched(trial.path("private/victim.txt"))
                secret_kept(trial, *said)


# Planted where it is written.


for place, name in enumerate(FILES):
    for number, kind in enumerate(["a link to a private file", "a link to nothing", "a pipe", "a folder"]):
        if number > 1 and place % 3:
            continue

        @case("planted, written", f"{kind} as {name} of a session's folder", quick=(place + number) % 9 == 0, limit=60)
        def _(trial, name=name, kind=kind):
            os.mkdir(trial.path("session"), 0o700)
            victim(trial)
            plant(trial.path("session/" + name), kind, trial)
            evidence = session(trial, script=Script(1))
            untouched(trial.path("private/victim.txt"))
            if os.path.lexists(trial.path("private/made-through-a-link")):
                raise Verdict("harm", "a file was made through a planted link")
            secret_kept(trial, evidence.output)


for name in ("report.html", "fixture-1", "fixture-2"):
    for kind in ("a link to a private file", "a link to nothing"):

        @case("planted, written", f"{kind} as {name}", quick=True, limit=60)
        def _(trial, name=name, kind=kind):
            folder = recorded(trial)
            victim(trial)
            plant(os.path.join(folder, name), kind, trial)
            trial.command("report", folder, codes=ALL_CODES)
            trial.command("fixture", "new", folder, codes=ALL_CODES)
            untouched(trial.path("private/victim.txt"))
            if os.path.lexists(trial.path("private/made-through-a-link")):
                raise Verdict("harm", "a file was made through a planted link")


for name, make in {
    "the folder of running sessions": "parley/running",
    "the folder of sessions": "parley/sessions",
    "the index": "parley/sessions/index.sqlite",
    "the state folder": "parley",
}.items():
    for kind in (
        "a link to a private file",
        "a pipe",
        "a folder",
        "a link to itself",
        "an empty file",
        "a link to /dev/zero",
    ):
        if name != "the index" and kind in ("a folder",):
            continue

        @case("planted, written", f"{kind} as {name}", quick=kind == "a pipe", limit=60)
        def _(trial, make=make, kind=kind):
            if make == "parley":
                shutil.rmtree(trial.path("parley"))
                trial.home.environment["XDG_CONFIG_HOME"] = trial.path("configuration")
                trial.write("configuration/parley/parley.json5", "{ live: { silenceMilliseconds: 400 } }")
            else:
                os.makedirs(os.path.dirname(trial.path(make)), exist_ok=True)
            victim(trial)
            plant(trial.path(make), kind, trial)
            evidence = session(trial, script=Script(1))
            trial.command("log", codes=ALL_CODES)
            trial.command("log", "--search", "first", codes=ALL_CODES)
            untouched(trial.path("private/victim.txt"))
            secret_kept(trial, evidence.output)


for name, data in {
    "garbage": b"SQLite format 3\0" + b"\xff" * 5000,
    "no database": b"hello",
    "tables of others": None,
}.items():

    @case("planted, read", f"an index that is {name}", quick=True, limit=60)
    def _(trial, data=data):
        recorded(trial)
        path = trial.path("parley/sessions/index.sqlite")
        if data is None:
            import sqlite3

            base = sqlite3.connect(path)
            base.executescript(
                "create table sessions(x); create table words(y); create view steps as select 1; pragma user_version=1;"
            )
            base.close()
        else:
            open(path, "wb").write(data)
        text = trial.command("log", "--search", "first", codes=(0,))
        if "first" not in text:
            raise Verdict("harm", f"the search found nothing: {text[-200:]}")
        trial.command("log", codes=(0,))
