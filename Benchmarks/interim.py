#!/usr/bin/env python3
"""What it costs the text that somebody waits for that guesses at it are shown while it is said. Standard library only.

Plays recordings of the fixtures, with silence between them, to the program in a terminal, once with the status line, where
what is being said is shown, and once without, and reads from both logs how long after the end of each clip its text came.

Usage: interim.py PARLEY [--clips 20] [--agent echo]
"""
import argparse, array, json, os, pty, statistics, subprocess, tempfile, threading, wave
from pathlib import Path

RECORDINGS = Path(__file__).resolve().parent.parent / "audio-fixtures" / "recordings"
RATE, SILENCE = 16_000, 2.4


def sound(paths):
    """All recordings in one stream, and the time at which the speech of each ends, in seconds."""
    samples, ends = array.array("h", bytes(2 * int(RATE * 1.5))), []
    for path in paths:
        with wave.open(str(path)) as clip:
            said = array.array("h", clip.readframes(clip.getnframes()))
        last = max(index for index, sample in enumerate(said) if abs(sample) > 600)
        ends.append((len(samples) + last) / RATE)
        samples += said + array.array("h", bytes(2 * int(RATE * SILENCE)))
    return samples.tobytes(), ends


def session(parley, folder, name, samples, display):
    path = os.path.join(folder, f"{name}.wav")
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples)
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [parley, "run", "--live", "local", "--microphone", path, "--speaker", "none", "--agent", "echo", "--mode", "direct",
         "--display", display, "--session", os.path.join(folder, name), "--working-folder", folder],
        stdin=terminal, stdout=terminal, stderr=terminal, env=dict(os.environ, TERM="xterm"))
    os.close(terminal)

    def drain():
        try:
            while os.read(master, 65536):
                pass
        except OSError:  # the session is over
            pass

    threading.Thread(target=drain, daemon=True).start()
    process.wait(900)
    with open(os.path.join(folder, name, "events.jsonl")) as log:
        return [json.loads(line) for line in log][1:]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--clips", type=int, default=20)
    options = arguments.parse_args()
    paths = sorted(path for path in RECORDINGS.glob("[dth]*_*.wav") if "pink" not in path.name)
    samples, ends = sound(paths[: options.clips])
    results = {}
    with tempfile.TemporaryDirectory(prefix="parley-interim-") as folder:
        for name, display in [("without", "lines"), ("with", "status")]:
            start, texts, guesses, ended, waits = None, [], 0, None, []
            for step in session(options.parley, folder, name, samples, display):
                event, time = step["event"], step["time"] / 1e6
                if "microphoneFrame" in event and start is None:
                    start = time - event["microphoneFrame"]["frame"]["position"] / RATE - 0.02
                if "voiceEnded" in event:
                    ended = time
                guesses += "interimTranscribed" in event
                if "userTranscribed" in event:
                    texts.append((time - start, event["userTranscribed"]["text"]))
                    waits.append(time - ended)
            delays = []
            for index, end in enumerate(ends):
                limit = ends[index + 1] if index + 1 < len(ends) else float("inf")
                later = [time - end for time, _ in texts if end <= time < limit]
                if later:
                    delays.append(later[0])
            results[name] = [text for _, text in texts]
            print(f"{name:8} end of the speech to its text: median {statistics.median(delays):.2f} s, longest {max(delays):.2f} s "
                  f"({len(delays)} of {len(ends)} clips); end of the turn to its text: longest {max(waits):.2f} s; {guesses} guesses")
    print("the same texts" if results["with"] == results["without"] else "DIFFERENT TEXTS")


if __name__ == "__main__":
    main()
