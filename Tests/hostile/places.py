"""Sound files that lie, settings of others, and disks that are full, gone, or none."""

import os, shutil, struct, subprocess
from case import blame, case, ended_after, session
from judge import Evidence, Verdict
from planted import plant, untouched, victim
from speech import Script

# Sound files that lie.


def header(**fields):
    values = {
        "riff": 36 + 64_000,
        "kind": 1,
        "channels": 1,
        "rate": 16_000,
        "bytes": 32_000,
        "align": 2,
        "bits": 16,
        "size": 64_000,
        **fields,
    }
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        values["riff"] & 0xFFFFFFFF,
        b"WAVE",
        b"fmt ",
        16,
        values["kind"],
        values["channels"],
        values["rate"],
        values["bytes"],
        values["align"],
        values["bits"],
        b"data",
        values["size"] & 0xFFFFFFFF,
    )


SOUNDS = {
    "an empty file": b"",
    "half a header": header()[:20],
    "a header alone": header(),
    "a size of 4 GiB": header(size=0xFFFFFFFF) + bytes(64_000),
    "no channels": header(channels=0) + bytes(64_000),
    "65,535 channels": header(channels=65535) + bytes(64_000),
    "a rate of 0": header(rate=0) + bytes(64_000),
    "a rate of 2³²−1": header(rate=0xFFFFFFFF) + bytes(64_000),
    "a rate of 1": header(rate=1) + bytes(64_000),
    "0 bits": header(bits=0) + bytes(64_000),
    "an unknown kind": header(kind=0x7777) + bytes(64_000),
    "text": b"hello\n" * 1000,
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
    child = trial.start(
        "run",
        "--session",
        trial.path("session"),
        "--working-folder",
        trial.home.work,
        "--live",
        address,
        "--mode",
        "direct",
        "--agent",
        "echo",
        "--microphone",
        microphone,
        "--speaker",
        speaker,
        "--display",
        "json",
        stdin=subprocess.PIPE,
    )
    stop = ended_after(6)
    code = trial.finish(child, each=stop)
    evidence = Evidence(
        None,
        output=child.printed(),
        notices=child.notices,
        code=code,
        seconds=child.lasted,
        ended_by_us=child.lasted > 6,
    )
    blame(trial, evidence.verdicts())


# Settings.


SETTINGS = {
    "a pipe": None,
    "a folder": None,
    "a link to itself": None,
    "a link to /dev/zero": None,
    "a sparse file of 4 GiB": None,
    "nesting": b"[" * 500_000,
    "nested members": b"{a:" * 100_000,
    "bytes": bytes(range(256)) * 1000,
    "80 MB of a comment": b"//" + b"x" * (80 << 20),
    "a number of 1e999": b"{ live: { silenceMilliseconds: 1e999 } }",
    "a number of 2^63": b"{ live: { silenceMilliseconds: 9223372036854775808 } }",
    "a negative number": b"{ interaction: { shownMilliseconds: -9223372036854775808 } }",
    "a wrong type": b"{ live: [1] }",
    "an unknown key": b"{ live: { nobody: 1 } }",
    "escape codes": b"{ live: { '\x1b[2J': 1 } }",
    "a string without end": b"{ live: { model: 'x",
    "a comment without end": b"{ /* ",
    "hexadecimal": b"{ live: { silenceMilliseconds: 0xFFFFFFFFFFFFFFFFF } }",
    "infinity": b"{ live: { silenceMilliseconds: Infinity } }",
    "NaN": b"{ interaction: { answerLimitSeconds: NaN } }",
    "the largest integer of seconds": b"{ interaction: { answerLimitSeconds: 9223372036854775807 } }",
}
for place, (name, data) in enumerate(SETTINGS.items()):

    @case("settings", name, quick=place % 3 == 0, limit=40, megabytes=600)
    def _(trial, name=name, data=data):
        path = trial.path("parley/parley.json5")
        if data is None:
            plant(path, name, trial)
        else:
            open(path, "wb").write(data)
        text = trial.command(
            "run",
            "--live",
            "ws://127.0.0.1:1/",
            "--microphone",
            "none.wav",
            "--agent",
            "echo",
            codes=(65, 69, 74, 78),
            limit=15,
        )
        if "\x1b" in text:
            raise Verdict("harm", "escape codes of the configuration were printed")


for mode in (0o666, 0o622, 0o777, 0o660):

    @case("settings", f"a configuration of mode {mode:o}", quick=mode == 0o666, limit=30)
    def _(trial, mode=mode):
        os.chmod(trial.path("parley/parley.json5"), mode)
        text = trial.command(
            "run", "--live", "ws://127.0.0.1:1/", "--microphone", "none.wav", "--agent", "echo", codes=None, limit=15
        )
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
        text = trial.command(
            "run", "--live", "ws://127.0.0.1:1/", "--microphone", "none.wav", "--agent", "echo", codes=None, limit=15
        )
        if "nobody" in text:
            raise Verdict("harm", f"without HOME the current folder's configuration is read: {text[-200:]}")


# Disks.


for kilobytes in (0, 1, 4, 16, 64):
    for mode in ("direct", "review"):

        @case(
            "disks",
            f"files that may have {kilobytes} KiB, {mode}",
            quick=kilobytes in (1, 16) and mode == "direct",
            limit=60,
        )
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
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", place], capture_output=True
        )
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


# At once is while it starts, as is any of the others on a machine that is slow.
for seconds in (0, 0.8, 1.5, 2.5):
    for mode in ("direct", "review"):

        @case("disks", f"the session's folder is removed after {seconds} s, {mode}", quick=seconds in (0, 1.5), limit=60)
        def _(trial, seconds=seconds, mode=mode):
            folder, gone = trial.path("session"), []

            def during(child):
                # A machine that is slow makes it later, and it writes while it is removed.
                if not gone and child.seconds > seconds and os.path.isdir(folder):
                    shutil.rmtree(folder, ignore_errors=True)
                    if not os.path.isdir(folder):
                        gone.append(child.seconds)

            evidence = session(trial, script=Script(2, behind=4), mode=mode, during=during, judged=False)
            # The ledger is gone with the folder: only what the agent got, and what the user was told, can be judged.
            blame(trial, [pair for pair in evidence.verdicts() if pair[0] in ("crash", "doubled", "truncated")])
            # What does not start says so in its last line.
            told = evidence.error_lines() + [str(notice["warning"]) for _, notice in evidence.notices if "warning" in notice]
            if not any(word in " ".join(told).lower() for word in (folder.lower(), "record", "folder", "written", "disk")):
                raise Verdict("silent", f"the folder went, and nobody was told: {told}")
