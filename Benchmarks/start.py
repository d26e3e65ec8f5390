#!/usr/bin/env python3
"""How soon one may speak, and how soon the local engines are loaded. Standard library only.

Starts sessions with the local live model and a microphone that hears silence, and reads from the event log, as it is written, when the
live model answered the setup (what is said from then on is kept) and when the recogniser and the voice were loaded; from the start of the
process, in seconds.

Usage: start.py PARLEY [--rounds 10] [--burners 0]
  --burners  processes that do nothing but compute meanwhile
"""
import argparse, json, statistics, subprocess, sys, tempfile, time, wave
from pathlib import Path

EVENTS = ["linkReady", "recogniser", "voice"]


def name(event):
    """Of what is waited for; nil for any other event."""
    kind, content = next(iter(event.items())) if isinstance(event, dict) else (event, {})
    if kind == "speechEngineReported":
        return content.get("report", {}).get("ready", {}).get("part")
    return kind


def start(parley, folder):
    """Seconds from the start of the process to each of the events."""
    silence = Path(folder) / "silence.wav"
    with wave.open(str(silence), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(32_000 * 30))
    begin = time.monotonic()
    child = subprocess.Popen(
        [parley, "run", "--live", "local", "--agent", "echo", "--microphone", str(silence), "--speaker", "none", "--no-record",
         "--events", "-"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
    times = {}
    for line in child.stdout:
        event = json.loads(line).get("event")
        found = name(event) if event else None
        if found in EVENTS:
            times.setdefault(found, time.monotonic() - begin)
        if len(times) == len(EVENTS):
            break
    child.terminate()
    child.wait()
    return times


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--burners", type=int, default=0)
    options = arguments.parse_args()
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.burners)]
    try:
        with tempfile.TemporaryDirectory(prefix="parley-start-") as folder:
            rounds = [start(options.parley, folder) for _ in range(options.rounds)]
    finally:
        for burner in burners:
            burner.kill()
    for event, what in zip(EVENTS, ["one may speak", "the recogniser is loaded", "the voice is loaded"]):
        times = [round[event] for round in rounds]
        print(f"{what:26} median {statistics.median(times):.2f} s, longest {max(times):.2f} s")


if __name__ == "__main__":
    main()
