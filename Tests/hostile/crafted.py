"""Recorded sessions that were crafted: numbers at their edges, lines without end, names that are none."""

import json, os
from case import case
from judge import Verdict
from planted import ALL_CODES, look_at_all, recorded


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


EVENT_NUMBERS = [
    "time",
    "sequence",
    "position",
    "repeated",
    "milliseconds",
    "run",
    "instruction",
    "id",
    "connection",
    "speech",
    "samples",
]
VALUES = ["9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e999", "-1", "1.5", "null", '"x"']
CRAFTED = {
    **{
        f"{name} of {value} everywhere": each(number(name, value))
        for place, name in enumerate(EVENT_NUMBERS)
        for at, value in enumerate(VALUES)
        if (place + at) % 3 == 0 or at < 2
    },
    "positions that go back": lambda data: "\n".join(
        step.replace('"position":', '"position":-') if place % 2 else step for place, step in enumerate(lines(data))
    )
    + "\n",
    "times that go back": lambda data: "\n".join(lines(data)[:1] + lines(data)[:0:-1]) + "\n",
    "nothing": lambda data: "",
    "no header": lambda data: "\n".join(lines(data)[1:]) + "\n",
    "only a header": lambda data: lines(data)[0] + "\n",
    "a header of version 2⁶³": lambda data: data.decode().replace('"version":1', '"version":9223372036854775808', 1),
    "a header of another kind": lambda data: '{"format":"other","version":1}\n' + data.decode(),
    "a last line cut": lambda data: data[:-40],
    "every line cut": lambda data: "\n".join(step[:-1] for step in lines(data)) + "\n",
    "lines in each other's place": lambda data: "\n".join(lines(data)[:1] + sorted(lines(data)[1:])) + "\n",
    "each line twice": lambda data: "\n".join(line for step in lines(data) for line in (step, step)) + "\n",
    "half a million lines": lambda data: "\n".join(
        lines(data) + [step for _ in range(500_000 // max(1, len(lines(data)))) for step in lines(data)[1:]]
    )
    + "\n",
    "a line of 60 MB": one(lambda step: step.replace("open the first file", "x" * (60 << 20)), "open the first file"),
    "nesting": one(
        lambda step: step.replace('"actions":[', '"actions":[' + "[" * 300_000 + "]" * 300_000 + ","), '"actions":['
    ),
    "bytes": lambda data: bytes(range(256)) * 4000,
    "nulls": lambda data: data + bytes(1 << 20),
    "no UTF-8": lambda data: data.replace(b"first", b"\xff\xfe\xfd"),
    "an unknown event": one(lambda step: step.replace('"voiceStarted"', '"martiansLanded"'), "voiceStarted"),
    "two events in one": one(
        lambda step: step.replace('"event":{', '"event":{"microphoneEnded":{},', 1), "instructionProposed"
    ),
    "actions of nobody": one(
        lambda step: step.replace('"actions":[', '"actions":[{"launch":{}},', 1), "instructionProposed"
    ),
    "escape codes": each(lambda step: step.replace("first", "\\u001b[2J\\u001b]52;c;aGk=\\u0007\\u202e")),
    "scripts": each(
        lambda step: step.replace("first", "\\u0d4e<script>alert(1)</script></style>--><img src=x onerror=alert(1)>")
    ),
    "words without end": one(
        lambda step: step.replace("open the first file", "word " * 400_000), "instructionProposed"
    ),
    "a transcript without end": lambda data: "\n".join(
        step for line in lines(data) for step in ([line] * 20_000 if "userTranscribed" in line else [line])
    )
    + "\n",
}
for place, (name, craft) in enumerate(CRAFTED.items()):

    @case("crafted logs", name, quick=place % 16 == 0 and "million" not in name, limit=300, megabytes=1200)
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
    for kind, data in {
        "bytes": bytes(range(256)) * 400,
        "nesting": b"[" * 400_000,
        "a line of 60 MB": b'{"x":"' + b"y" * (60 << 20) + b'"}\n',
        "numbers at their edges": b'{"entered":{"instruction":{"id":9223372036854775808,"text":"x","source":"voice"},"run":-9223372036854775808}}\n'
        * 50,
        "escape codes": json.dumps(
            {"proposed": {"instruction": {"id": 1, "text": "\x1b[2J\u202e", "source": "voice"}}}
        ).encode()
        + b"\n",
    }.items():

        @case("crafted logs", f"{kind} as {name}", limit=200, megabytes=900)
        def _(trial, name=name, data=data):
            folder = recorded(trial)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            look_at_all(trial, folder)


for name in (
    "",
    ".",
    "..",
    "/",
    "/dev/null",
    "/etc/passwd",
    "nobody",
    "\x1b[2J",
    "x" * 5000,
    "last/../..",
    "-",
    "%n%n",
    "two\nlines",
):

    @case("crafted logs", f"a session named {name[:20]!r}", quick=len(name) % 3 == 2, limit=120)
    def _(trial, name=name):
        recorded(trial)
        for verb in (
            ["log"],
            ["why"],
            ["ledger"],
            ["replay"],
            ["fixture", "new"],
            ["log", "export", "--as", "markdown"],
        ):
            text = trial.command(*verb, "--", name, codes=ALL_CODES, limit=15)
            if "\x1b" in text:
                raise Verdict("harm", f"{' '.join(verb)} printed the name's escape codes")
