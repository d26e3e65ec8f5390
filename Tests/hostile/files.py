"""Folders with planted things: links, pipes and folders in place of files, crafted logs, full disks, and settings of others."""
import json, os, shutil, signal, socket, stat, struct, subprocess, tempfile, threading, wave
from case import User, blame, case, session
from judge import Verdict
from speech import Script
from place import write_wave

SECRET = b"VICTIM-KEEPS-THIS-a8f3 "
ALL_CODES = (0, 1, 64, 65, 69, 74, 78)
FILES = ["manifest.json", "events.jsonl", "ledger.jsonl", "live.jsonl", "agent.jsonl", "microphone.wav", "microphone.opus",
         "speaker.wav", "speaker.opus", "diagnostics.txt", "running.lock"]
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


def clean():
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
    for number, arguments in enumerate([
            ["log", folder], ["why", folder], ["ledger", folder], ["replay", "--against", "log", folder], ["replay", folder],
            ["log", "export", folder, "--as", "markdown"], ["log", "export", folder, "--as", "webvtt"],
            ["log", "export", folder, "--as", "otlp", "--words"],
            ["log", "export", folder, "--as", "session", "--redact", "--output", trial.path("redacted")],
            ["report", folder, "--output", trial.path("report.html")], ["fixture", "new", folder, "--to", trial.path("fixture")],
            ["log"], ["log", "--search", "first"]]):
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
            here = os.getcwd()
            plain.bind(path) if len(path) < 100 else open(path, "w").close()
    elif kind == "a sparse file of 4 GiB":
        with open(path, "wb") as file:
            file.truncate(4 << 30)
    elif kind == "an empty file":
        open(path, "wb").close()


for place, name in enumerate(FILES):
    for number, kind in enumerate(["a link to a private file", "a link to /dev/zero", "a pipe", "a folder", "a link to itself", "a socket",
                                   "a sparse file of 4 GiB", "an empty file"]):
        if number > 2 and (place + number) % 2:
            continue
        @case("planted, read", f"{kind} as {name}", quick=(place * 3 + number) % 9 == 0, limit=120, megabytes=700)
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
        "the folder of running sessions": "parley/running", "the folder of sessions": "parley/sessions", "the index": "parley/sessions/index.sqlite",
        "the state folder": "parley"}.items():
    for kind in ("a link to a private file", "a pipe", "a folder", "a link to itself", "an empty file", "a link to /dev/zero"):
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
        "garbage": b"SQLite format 3\0" + b"\xff" * 5000, "no database": b"hello", "tables of others": None}.items():
    @case("planted, read", f"an index that is {name}", quick=True, limit=60)
    def _(trial, data=data):
        recorded(trial)
        path = trial.path("parley/sessions/index.sqlite")
        if data is None:
            import sqlite3
            base = sqlite3.connect(path)
            base.executescript("create table sessions(x); create table words(y); create view steps as select 1; pragma user_version=1;")
            base.close()
        else:
            open(path, "wb").write(data)
        text = trial.command("log", "--search", "first", codes=(0,))
        if "first" not in text:
            raise Verdict("harm", f"the search found nothing: {text[-200:]}")
        trial.command("log", codes=(0,))


# Logs that were crafted.


def lines(data):
    return data.decode().rstrip("\n").split("\n")


def each(change, having=""):
    """Every step, or every step with these words, changed as JSON text."""
    def craft(data):
        head, *steps = lines(data)
        return "\n".join([head] + [change(step) if having in step else step for step in steps]) + "\n"
    return craft


def one(change, having):
    """The first step with these words."""
    def craft(data):
        head, *steps = lines(data)
        for place, step in enumerate(steps):
            if having in step:
                steps[place] = change(step)
                break
        return "\n".join([head] + steps) + "\n"
    return craft


def number(name, value):
    import re
    return lambda step: re.sub(rf'"{name}":-?\d+', f'"{name}":{value}', step)


EVENT_NUMBERS = ["time", "sequence", "position", "repeated", "milliseconds", "run", "instruction", "id", "connection", "speech", "samples"]
VALUES = ["9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e999", "-1", "1.5", "null", "\"x\""]
CRAFTED = {
    **{f"{name} of {value} everywhere": each(number(name, value))
       for place, name in enumerate(EVENT_NUMBERS) for at, value in enumerate(VALUES) if (place + at) % 3 == 0 or at < 2},
    "positions that go back": lambda data: "\n".join(
        step.replace('"position":', '"position":-') if place % 2 else step for place, step in enumerate(lines(data))) + "\n",
    "times that go back": lambda data: "\n".join(lines(data)[:1] + lines(data)[:0:-1]) + "\n",
    "nothing": lambda data: "", "no header": lambda data: "\n".join(lines(data)[1:]) + "\n",
    "only a header": lambda data: lines(data)[0] + "\n", "a header of version 2⁶³": lambda data: data.decode().replace(
        '"version":2', '"version":9223372036854775808', 1), "a header of another kind": lambda data: '{"format":"other","version":2}\n' + data.decode(),
    "a last line cut": lambda data: data[:-40], "every line cut": lambda data: "\n".join(step[:-1] for step in lines(data)) + "\n",
    "lines in each other's place": lambda data: "\n".join(lines(data)[:1] + sorted(lines(data)[1:])) + "\n",
    "each line twice": lambda data: "\n".join(line for step in lines(data) for line in (step, step)) + "\n",
    "half a million lines": lambda data: "\n".join(lines(data) + [
        step for _ in range(500_000 // max(1, len(lines(data)))) for step in lines(data)[1:]]) + "\n",
    "a line of 60 MB": one(lambda step: step.replace("open the first file", "x" * (60 << 20)), "open the first file"),
    "nesting": one(lambda step: step.replace('"actions":[', '"actions":[' + "[" * 300_000 + "]" * 300_000 + ","), '"actions":['),
    "bytes": lambda data: bytes(range(256)) * 4000, "nulls": lambda data: data + bytes(1 << 20),
    "no UTF-8": lambda data: data.replace(b"first", b"\xff\xfe\xfd"),
    "an unknown event": one(lambda step: step.replace('"voiceStarted"', '"martiansLanded"'), "voiceStarted"),
    "two events in one": one(lambda step: step.replace('"event":{', '"event":{"microphoneEnded":{},', 1), "instructionProposed"),
    "actions of nobody": one(lambda step: step.replace('"actions":[', '"actions":[{"launch":{}},', 1), "instructionProposed"),
    "escape codes": each(lambda step: step.replace("first", "\\u001b[2J\\u001b]52;c;aGk=\\u0007\\u202e")),
    "scripts": each(lambda step: step.replace("first", "\\u0d4e<script>alert(1)</script></style>--><img src=x onerror=alert(1)>")),
    "words without end": one(lambda step: step.replace("open the first file", "word " * 400_000), "instructionProposed"),
    "a transcript without end": lambda data: "\n".join(
        step for line in lines(data) for step in ([line] * 20_000 if "userTranscribed" in line else [line])) + "\n",
}
for place, (name, craft) in enumerate(CRAFTED.items()):
    @case("crafted logs", name, quick=place % 8 == 0 and "million" not in name, limit=300, megabytes=1200)
    def _(trial, craft=craft):
        folder = recorded(trial)
        path = os.path.join(folder, "events.jsonl")
        with open(path, "rb") as file:
            data = craft(file.read())
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        said = look_at_all(trial, folder, limit=40)
        if os.path.exists(trial.path("report.html")):
            with open(trial.path("report.html"), errors="replace") as file:
                page = file.read()
            if "<script>alert(1)" in page or "<img src=x" in page:
                raise Verdict("harm", "the report has the log's own script in it")
        if any("\u202e" in text for text in said[:2]):
            raise Verdict("harm", "a sign that turns the line round was printed")
for name in ("ledger.jsonl", "live.jsonl", "agent.jsonl", "manifest.json"):
    for kind, data in {"bytes": bytes(range(256)) * 400, "nesting": b"[" * 400_000, "a line of 60 MB": b'{"x":"' + b"y" * (60 << 20) + b'"}\n',
                       "numbers at their edges": b'{"entered":{"instruction":{"id":9223372036854775808,"text":"x","source":"voice"},"run":-9223372036854775808}}\n' * 50,
                       "escape codes": json.dumps({"proposed": {"instruction": {"id": 1, "text": "\x1b[2J\u202e", "source": "voice"}}}).encode() + b"\n"}.items():
        @case("crafted logs", f"{kind} as {name}", limit=200, megabytes=900)
        def _(trial, name=name, data=data):
            folder = recorded(trial)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            look_at_all(trial, folder)
for name in ("", ".", "..", "/", "/dev/null", "/etc/passwd", "nobody", "\x1b[2J", "x" * 5000, "last/../..", "-", "%n%n", "two\nlines"):
    @case("crafted logs", f"a session named {name[:20]!r}", quick=len(name) % 3 == 2, limit=120)
    def _(trial, name=name):
        recorded(trial)
        for verb in (["log"], ["why"], ["ledger"], ["replay"], ["fixture", "new"], ["log", "export", "--as", "markdown"]):
            text = trial.command(*verb, "--", name, codes=ALL_CODES, limit=15)
            if "\x1b" in text:
                raise Verdict("harm", f"{' '.join(verb)} printed the name's escape codes")


# Sound files that lie.


def header(**fields):
    values = {"riff": 36 + 64_000, "kind": 1, "channels": 1, "rate": 16_000, "bytes": 32_000, "align": 2, "bits": 16, "size": 64_000, **fields}
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", values["riff"] & 0xFFFFFFFF, b"WAVE", b"fmt ", 16, values["kind"], values["channels"],
                       values["rate"], values["bytes"], values["align"], values["bits"], b"data", values["size"] & 0xFFFFFFFF)


SOUNDS = {
    "an empty file": b"", "half a header": header()[:20], "a header alone": header(), "a size of 4 GiB": header(size=0xFFFFFFFF) + bytes(64_000),
    "no channels": header(channels=0) + bytes(64_000), "65,535 channels": header(channels=65535) + bytes(64_000),
    "a rate of 0": header(rate=0) + bytes(64_000), "a rate of 2³²−1": header(rate=0xFFFFFFFF) + bytes(64_000), "a rate of 1": header(rate=1) + bytes(64_000),
    "0 bits": header(bits=0) + bytes(64_000), "an unknown kind": header(kind=0x7777) + bytes(64_000), "text": b"hello\n" * 1000,
    "an Ogg page that lies": b"OggS" + bytes(range(256)) * 20,
}
for place, (name, data) in enumerate(SOUNDS.items()):
    @case("sound files", f"{name} as the microphone", quick=place % 3 == 0, limit=40, megabytes=500)
    def _(trial, data=data):
        path = trial.write("said.wav", data)
        run_with(trial, path)
for kind in ("a folder", "a link to itself", "a socket", "a sparse file of 4 GiB", "a link to /dev/zero"):
    @case("sound files", f"{kind} as the microphone", quick="GiB" in kind, limit=40)
    def _(trial, kind=kind):
        plant(trial.path("planted"), kind, trial)
        run_with(trial, trial.path("planted"))
for kind in ("a link to a private file", "a folder", "a link to itself", "a socket"):
    @case("sound files", f"{kind} as the speaker", quick=True, limit=40)
    def _(trial, kind=kind):
        victim(trial)
        plant(trial.path("planted.wav"), kind, trial)
        run_with(trial, Script(1).write(trial.path("said.wav")), speaker=trial.path("planted.wav"))
        untouched(trial.path("private/victim.txt"))


def run_with(trial, microphone, speaker="none"):
    server, address = trial.serve(Script(0))
    child = trial.start("run", "--session", trial.path("session"), "--working-folder", trial.home.work, "--live", address, "--mode", "direct",
                        "--agent", "echo", "--microphone", microphone, "--speaker", speaker, "--display", "json", stdin=subprocess.PIPE)
    stop = lambda child: child.signal(signal.SIGTERM) if child.seconds > 6 else None
    code = trial.finish(child, each=stop)
    from judge import Evidence
    evidence = Evidence(None, output=child.printed(), notices=child.notices, code=code, seconds=child.lasted,
                        ended_by_us=child.lasted > 6)
    blame(trial, evidence.verdicts())


# Settings.


SETTINGS = {
    "a pipe": None, "a folder": None, "a link to itself": None, "a link to /dev/zero": None, "a sparse file of 4 GiB": None,
    "nesting": b"[" * 500_000, "nested members": b"{a:" * 100_000, "bytes": bytes(range(256)) * 1000, "80 MB of a comment": b"//" + b"x" * (80 << 20),
    "a number of 1e999": b"{ live: { silenceMilliseconds: 1e999 } }", "a number of 2^63": b"{ live: { silenceMilliseconds: 9223372036854775808 } }",
    "a negative number": b"{ interaction: { shownMilliseconds: -9223372036854775808 } }", "a wrong type": b"{ live: [1] }",
    "an unknown key": b"{ live: { nobody: 1 } }", "escape codes": b"{ live: { '\x1b[2J': 1 } }", "a string without end": b"{ live: { model: 'x",
    "a comment without end": b"{ /* ", "hexadecimal": b"{ live: { silenceMilliseconds: 0xFFFFFFFFFFFFFFFFF } }", "infinity": b"{ live: { silenceMilliseconds: Infinity } }",
    "NaN": b"{ interaction: { answerLimitSeconds: NaN } }", "the largest integer of seconds": b"{ interaction: { answerLimitSeconds: 9223372036854775807 } }",
}
for place, (name, data) in enumerate(SETTINGS.items()):
    @case("settings", name, quick=place % 3 == 0, limit=40, megabytes=600)
    def _(trial, name=name, data=data):
        path = trial.path("parley/parley.json5")
        if data is None:
            plant(path, name, trial)
        else:
            open(path, "wb").write(data)
        text = trial.command("run", "--live", "ws://127.0.0.1:1/", "--microphone", "none.wav", "--agent", "echo", codes=(65, 69, 74, 78), limit=15)
        if "\x1b" in text:
            raise Verdict("harm", "escape codes of the configuration were printed")
for mode in (0o666, 0o622, 0o777, 0o660):
    @case("settings", f"a configuration of mode {mode:o}", quick=mode == 0o666, limit=30)
    def _(trial, mode=mode):
        os.chmod(trial.path("parley/parley.json5"), mode)
        text = trial.command("run", "--live", "ws://127.0.0.1:1/", "--microphone", "none.wav", "--agent", "echo", codes=None, limit=15)
        code = trial.children[-1].code
        if mode & 0o002 and code != 78:
            raise Verdict("harm", f"a configuration that anybody can write is read: exit code {code}: {text[-200:]}")
for unset in (["HOME", "XDG_CONFIG_HOME"], ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]):
    @case("settings", f"without {', '.join(unset)}, in a folder of others", quick=True, limit=30)
    def _(trial, unset=unset):
        for place in (".config/parley", "parley", ".config"):
            trial.write(f"work/{place}/parley.json5", "{ live: { nobody: 'the folder of others was read' } }")
        for name in unset:
            trial.home.environment.pop(name, None)
        text = trial.command("run", "--live", "ws://127.0.0.1:1/", "--microphone", "none.wav", "--agent", "echo", codes=None, limit=15)
        if "nobody" in text:
            raise Verdict("harm", f"without HOME the current folder's configuration is read: {text[-200:]}")


# Disks.


for kilobytes in (0, 1, 4, 16, 64):
    for mode in ("direct", "review"):
        @case("disks", f"files that may have {kilobytes} KiB, {mode}", quick=kilobytes in (1, 16) and mode == "direct", limit=60)
        def _(trial, kilobytes=kilobytes, mode=mode):
            limited(trial, f"ulimit -f {kilobytes}; trap '' XFSZ; ", mode)


def limited(trial, prelude, mode):
    """A session behind a shell's prelude. Its output goes through a pipe: it is not what has no room."""
    trial.wrap(f"exec > >(cat) 2>&1; {prelude}")
    return session(trial, script=Script(2), mode=mode)


for megabytes in (1, 64):
    @case("disks", f"a full disk of {megabytes if megabytes > 1 else 0} KiB", quick=True, limit=60)
    def _(trial, megabytes=megabytes):
        place = trial.path("small")
        os.mkdir(place)
        size = "4k" if megabytes == 1 else "64k"
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", place], capture_output=True)
        if made.returncode:
            # Without the right to mount: a file that may not grow.
            return limited(trial, "ulimit -f 16; trap '' XFSZ; ", "direct")
        trial.closing.callback(subprocess.run, ["umount", "-l", place], capture_output=True)
        os.symlink(place, trial.path("session-place"))
        original = trial.path
        trial.path = lambda name: original("small/session") if name == "session" else original(name)
        session(trial, script=Script(2))
for name, path in (("/proc", "/proc/session"), ("/dev/null", "/dev/null/session"), ("a file", None)):
    @case("disks", f"a session in {name}", quick=True, limit=40)
    def _(trial, path=path):
        original = trial.path
        if path is None:
            path = trial.write("file", "x") + "/session"
        trial.path = lambda name: path if name == "session" else original(name)
        evidence = session(trial, script=Script(1), judged=False)
        if evidence.code == 0 or not evidence.error_lines():
            raise Verdict("silent", f"exit code {evidence.code}: {evidence.output[-200:]}")
for seconds in (0.8, 1.5, 2.5):
    for mode in ("direct", "review"):
        @case("disks", f"the session's folder is removed after {seconds} s, {mode}", quick=seconds == 1.5, limit=60)
        def _(trial, seconds=seconds, mode=mode):
            state = {}
            def during(child):
                if child.seconds > seconds and "gone" not in state:
                    state["gone"] = True
                    shutil.rmtree(trial.path("session"))
            evidence = session(trial, script=Script(2, behind=4), mode=mode, during=during, judged=False)
            # The ledger is gone with the folder: only what the agent got, and what the user was told, can be judged.
            blame(trial, [pair for pair in evidence.verdicts() if pair[0] in ("crash", "doubled", "truncated")])
            told = [str(value) for moment, notice in evidence.notices for name, value in notice.items() if name in ("warning", "error")]
            if not any(word in " ".join(told).lower() for word in ("record", "folder", "written", "disk")):
                raise Verdict("silent", f"the folder went, and nobody was told: {told}")


# A repository that names programs.


PLANTED = {
    "a filter": ("[filter \"evil\"]\n\tclean = touch {mark}; cat\n\tsmudge = touch {mark}; cat\n\tprocess = touch {mark}\n\trequired = true\n", "* filter=evil\n"),
    "an external diff": ("[diff]\n\texternal = touch {mark}\n", ""), "a text converter": ("[diff \"evil\"]\n\ttextconv = touch {mark}\n\tcommand = touch {mark}\n", "* diff=evil\n"),
    "a file-system monitor": ("[core]\n\tfsmonitor = touch {mark}\n", ""), "a pager": ("[core]\n\tpager = touch {mark}\n[pager]\n\tlog = touch {mark}\n\tdiff = touch {mark}\n", ""),
    "a signature's program": ("[gpg]\n\tprogram = {script}\n[gpg \"ssh\"]\n\tprogram = {script}\n[log]\n\tshowSignature = true\n[commit]\n\tgpgSign = true\n", ""),
    "hooks": ("[core]\n\thooksPath = hooks\n", ""), "an editor": ("[core]\n\teditor = touch {mark}\n\taskPass = touch {mark}\n\tsshCommand = touch {mark}\n", ""),
    "a merge driver": ("[merge \"evil\"]\n\tdriver = touch {mark}\n", "* merge=evil\n"), "aliases": ("[alias]\n\tlog = !touch {mark}\n\tstatus = !touch {mark}\n\tdiff = !touch {mark}\n\tshow = !touch {mark}\n", ""),
    "an included file": ("[include]\n\tpath = evil.config\n", ""), "a credential's program": ("[credential]\n\thelper = !touch {mark}\n", ""),
}
QUESTIONS = ["what changed", "show me the diff", "git status", "git log", "what was the last commit", "who changed readme", "what branch is this",
             "search for hello", "how many files are there", "what did I change today", "create a branch called test", "show the last commit"]
for place, (name, (configuration, attributes)) in enumerate(PLANTED.items()):
    @case("repositories", f"{name} is named by the repository", quick=place % 2 == 0, limit=90)
    def _(trial, name=name, configuration=configuration, attributes=attributes):
        work, mark = trial.home.work, trial.path("a-program-ran")
        script = trial.write("evil.sh", f"#!/bin/sh\ntouch {mark}\nexit 1\n")
        os.chmod(script, 0o755)
        git = lambda *words: subprocess.run(["git", "-C", work, "-c", "user.name=x", "-c", "user.email=x@y", *words], capture_output=True,
                                            env={"PATH": os.environ["PATH"], "HOME": work})
        git("init", "-q")
        trial.write("work/readme.md", "hello\n")
        git("add", "readme.md")
        git("commit", "-q", "-m", "first")
        if name == "a signature's program":
            # A commit that says it is signed.
            raw = subprocess.run(["git", "-C", work, "cat-file", "commit", "HEAD"], capture_output=True, text=True).stdout
            head, _, rest = raw.partition("\n\n")
            signed = head + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n" + rest
            made = subprocess.run(["git", "-C", work, "hash-object", "-t", "commit", "-w", "--stdin"], input=signed, capture_output=True, text=True)
            git("update-ref", "HEAD", made.stdout.strip())
        trial.write("work/readme.md", "hello again\n")
        trial.write("work/new.md", "new\n")
        trial.write("work/.gitattributes", attributes)
        words = configuration.replace("{mark}", mark).replace("{script}", script)
        if name == "an included file":
            trial.write("work/.git/evil.config", f"[core]\n\tfsmonitor = touch {mark}\n[diff]\n\texternal = touch {mark}\n")
        with open(os.path.join(work, ".git/config"), "a") as file:
            file.write(words)
        for hook in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"):
            for folder in ("work/hooks", "work/.git/hooks") if name == "hooks" else ():
                os.chmod(trial.write(f"{folder}/{hook}", f"#!/bin/sh\ntouch {mark}\n"), 0o755)
        for question in QUESTIONS:
            trial.command("ask", question, "--agent", "guide", "--working-folder", work, codes=(0, 69, 75))
            if os.path.exists(mark):
                raise Verdict("harm", f"“{question}” ran a program that the repository names")
