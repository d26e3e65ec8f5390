"""How fast sessions replay.

    python3 Benchmarks/replay.py PARLEY [REPEAT]

Replays every fixture, each REPEAT times (20 if not given), on one thread and on all; then makes a session of more than an
hour and replays its log. Each figure stands beside its limit; the exit code is 1 if one is missed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDINGS = ROOT / "audio-fixtures" / "recordings"
SENTENCES = [
    ("d06_flite_slt.wav", "why is the build failing on the main branch"),
    ("d04_flite_slt.wav", "show me the diff for the last commit"),
    ("d13_flite_rms.wav", "run the linter and fix any warnings"),
    ("d15_flite_slt.wav", "which files did you change in the last step"),
]
TURNS = 400


def hour_session(folder):
    """A script in which somebody talks to the agent for over an hour, a turn every ten seconds."""
    steps, answers, runs = [], [], []
    for turn in range(TURNS):
        recording, words = SENTENCES[turn % len(SENTENCES)]
        wait = "after: 300" if turn == 0 else 'await: "runEnded", after: 4000'
        sound = os.path.relpath(RECORDINGS / recording, folder)
        steps.append(f'{{ {wait}, do: {{ say: {{ recording: "{sound}" }} }} }}')
        answers.append(f'{{ heard: "{words}", call: "converse" }}')
        runs.append('[{ tool: { title: "Look", kind: "read" } }, { wait: { milliseconds: 2500 } }, '
                    '{ text: { delta: "That is done, and nothing else was changed. " } }]')
    steps.append('{ await: "runEnded", do: { endMicrophone: {} } }')
    folder.mkdir()
    (folder / "fixture.json5").write_text(
        '{ title: "Somebody talks to the agent for over an hour.", settings: { mode: "direct" },\n'
        f"user: [{', '.join(steps)}],\nmodel: [{', '.join(answers)}],\nagent: [{', '.join(runs)}] }}\n", "utf-8")


def run(arguments):
    start = time.monotonic()
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments[:4]))} …: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout, seconds


def main():
    parley = sys.argv[1]
    repeat = sys.argv[2] if len(sys.argv) > 2 else "20"
    fixtures = sorted(str(path.parent) for path in ROOT.glob("audio-fixtures/*/fixture.json5"))
    isFine = True

    def tell(what, value, limit, fine):
        nonlocal isFine
        isFine = isFine and fine
        print(f"{what:<58} {value:>12}  (limit {limit}){'' if fine else '  MISSED'}")

    _, seconds = run([parley, "replay", *fixtures])
    tell(f"{len(fixtures)} fixtures once, all threads", f"{seconds:.2f} s", "60 s", seconds < 60)
    for jobs in ["1", str(os.cpu_count())]:
        text, seconds = run([parley, "replay", "--repeat", repeat, "--jobs", jobs, *fixtures])
        last = text.strip().splitlines()[-1]
        runs = int(re.search(r"(\d+) runs", last)[1])
        speed = int(re.search(r"(\d+) times real time", last)[1])
        tell(f"runs with the same bytes, {jobs} at once, {seconds:.0f} s", runs, len(fixtures) * int(repeat),
             runs == len(fixtures) * int(repeat))
        tell(f"virtual time to real time, {jobs} at once", f"{speed} : 1", "100 : 1", speed > 100)

    with tempfile.TemporaryDirectory() as temporary:
        fixture = Path(temporary) / "hour"
        hour_session(fixture)
        run([parley, "replay", "--accept", fixture])
        session = Path(temporary) / "session"
        session.mkdir()
        shutil.copy(fixture / "expected.jsonl", session / "events.jsonl")
        text, seconds = run([parley, "replay", "--against", "log", session])
        hours = int(re.search(r"(\d+) virtual seconds", text)[1]) / 3600
        tell(f"a session of {hours:.2f} h against its log, an hour", f"{seconds / hours:.2f} s", "1 s",
             hours > 1 and seconds / hours < 1)
    sys.exit(0 if isFine else 1)


if __name__ == "__main__":
    main()
