#!/usr/bin/env python3
"""Where the local model takes a pause for the end of a turn (see hearing/make_set.py), and how long it waits for that.

Each clip is cut into turns as a session would cut it, with the time that recognition really takes. A clip with an inner pause
is cut if more than one turn comes of it, and leaves in two if these are not joined; for the others the time from the end of the
speech to the end of the turn counts.

Usage: turns.py PARLEY [--sets pause,pause_held] [--show] [--work MS]
  --work  how long recognition is taken to last, for a machine that does other things as well
"""
import argparse, collections, csv, statistics, subprocess, sys, wave
from pathlib import Path

SET = Path(__file__).resolve().parent.parent / ".build" / "hearing" / "set"
# Each clip ends with this much silence.
SILENCE = 400


def turns(parley, rows, work):
    """The turns of each file: end and text."""
    command = [parley, "transcribe", "--turns"] + (["--work", work] if work else []) + [str(SET / row["file"]) for row in rows]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    found = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        path, end, text = line.split(" ", 2)
        found[Path(path).name].append((int(end), text))
    return found


def share(part, whole):
    return f"{100 * len(part) / max(1, len(whole)):4.0f} % of {len(whole):3}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--sets", default="")
    arguments.add_argument("--show", action="store_true")
    arguments.add_argument("--work", default="")
    options = arguments.parse_args()
    with open(SET / "index.tsv") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["condition"] == "clean"]
    wanted = options.sets.split(",") if options.sets else [
        "pause", "pause_held", "plain", "number", "short", "human", "human_short"]
    rows = [row for row in rows if row["set"] in wanted]
    found = turns(options.parley, rows, options.work)
    paused, whole = [row for row in rows if int(row["pause"])], [row for row in rows if not int(row["pause"])]
    for name in dict.fromkeys(row["set"] for row in paused):
        some = [row for row in paused if row["set"] == name]
        short = [row for row in some if int(row["pause"]) <= 1000]
        cut = [row for row in some if len(found[row["file"]]) > 1]
        parted = [row for row in cut if any(not text.startswith("+ ") for _, text in found[row["file"]][1:])]
        print(f"{name:12} cut {share(cut, some)}; pauses of at most 1 s {share([r for r in cut if r in short], short)}; "
              f"leave in two {share(parted, some)}")
        if options.show:
            for row in cut:
                print(f"  {row['file']} {row['pause']} ms: {' / '.join(text for _, text in found[row['file']])}")
    delays = []
    for name in dict.fromkeys(row["set"] for row in whole):
        some = [row for row in whole if row["set"] == name]
        cut = [row for row in some if len(found[row["file"]]) > 1]
        part = []
        for row in some:
            if len(found[row["file"]]) == 1:
                with wave.open(str(SET / row["file"])) as file:
                    length = file.getnframes() * 1000 // file.getframerate()
                part.append(found[row["file"]][0][0] - (length - SILENCE))
        part.sort()
        delays += part
        lost = len(some) - len(cut) - len(part)
        print(f"{name:12} cut {share(cut, some)}; not heard {lost}; end of turn after "
              f"{statistics.median(part):4.0f} ms in the median, {part[len(part) * 9 // 10]:4} ms for nine of ten")
        if options.show:
            for row in cut:
                print(f"  {row['file']}: {' / '.join(text for _, text in found[row['file']])}")
    if delays:
        delays.sort()
        print(f"{len(delays)} whole ones: end of turn after {statistics.median(delays):.0f} ms in the median, "
              f"{delays[len(delays) * 9 // 10]} ms for nine of ten, {statistics.mean(delays):.0f} ms on average")


main()
