#!/usr/bin/env python3
"""Search across many sessions: with the index, without it, and with a plain text search over the same files.

usage: log_search.py PARLEY [SESSIONS]     (1,000 sessions unless told)

Each session is a fixture's log with other words in it; the words looked for stand in 1 session of 100. The index must
answer in under 100 ms, the start of the program and the look for changed folders included. Exits with 1 if it does not.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

parley = pathlib.Path(sys.argv[1]).resolve()
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
LIMIT_MILLISECONDS = 100
WORDS = (
    "error build test branch merge deploy cache socket thread parser token index query retry budget region panel frame "
    "module target border locale digest signal header cursor filter packet buffer window button layer theme sample"
).split()
fixtures = pathlib.Path(__file__).resolve().parent.parent / "audio-fixtures"
logs = [(fixtures / name / "expected.jsonl").read_text() for name in ("review-approve", "direct", "two-turns")]
chance = random.Random(1)


def session(number):
    """A log in which every word that was said or written is another one."""
    others = {}

    def other(match):
        word = match.group(0)
        if word not in others:
            others[word] = chance.choice(WORDS) if len(word) > 3 else word
            if number % 100 == 7 and len(word) > 3 and "mongoose" not in others.values():
                others[word] = "mongoose"
        return others[word]

    def text(match):
        return match.group(1) + re.sub(r"[A-Za-z]+", other, match.group(2)) + '"'

    return re.sub(r'("(?:text|delta|heard|title)":")([^"]*)"', text, logs[number % len(logs)])


def milliseconds(command, runs):
    """The median time of a command, in milliseconds, and what it printed."""
    times, output = [], ""
    for _ in range(runs):
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        times.append((time.monotonic() - start) * 1000)
        output = done.stdout
        if done.returncode > 1:
            sys.exit(done.stderr)
    return sorted(times)[len(times) // 2], output


with tempfile.TemporaryDirectory() as home:
    root = pathlib.Path(home) / "sessions"
    for number in range(count):
        folder = root / f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T100000Z-{number:05}"
        folder.mkdir(parents=True)
        started = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T10:00:00Z"
        (folder / "manifest.json").write_text(
            f'{{"format":1,"program":"parley 0.1.0","started":"{started}","plan":[],"libraries":{{}}}}')
        (folder / "events.jsonl").write_text(session(number))
    size = sum(file.stat().st_size for file in root.rglob("*.jsonl"))
    print(f"{count} sessions, {size / 1e6:.0f} MB of logs")

    def search(*more):
        return [parley, "log", "--search", "mongoose", "--sessions", root, *more]

    build, _ = milliseconds([parley, "log", "index", "--rebuild", "--sessions", root], 1)
    index, found = milliseconds(search(), 9)
    scan, scanned = milliseconds(search("--no-index"), 1)
    grep, _ = milliseconds(["grep", "-rl", "--include=events.jsonl", "mongoose", root], 3)
    hits = len({line.split()[0] for line in found.splitlines()})
    print(f"index built                   {build:8.0f} ms")
    print(f"search with the index         {index:8.0f} ms   (at most {LIMIT_MILLISECONDS}), {hits} sessions found")
    print(f"search by reading every log   {scan:8.0f} ms   ({scan / index:.0f} times as long)")
    print(f"grep, which knows no turns    {grep:8.0f} ms")
    if found != scanned:
        sys.exit("the index and the scan found different lines")
    if index > LIMIT_MILLISECONDS or hits == 0:
        sys.exit(1)
