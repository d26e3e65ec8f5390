#!/usr/bin/env python3
"""Run a benchmark of an old and a new program in turns on the same machine, and print the medians of its figures side by side.

A figure that differs by more than 5 % is marked, whichever way is worse. Usage: against.py BENCHMARK OLD NEW [--rounds N] [-- ARGUMENT…]
"""
import argparse, os, re, statistics, subprocess, sys

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)")
# What a figure is held against is no figure.
LIMIT = re.compile(r"\((?:at most|at least|(?:the )?limit)[^)]*\)|MISSED")


def figures(text):
    """The numbers of an output by their line, its numbers left out, and their place in it."""
    found = {}
    for line in text.splitlines():
        line = LIMIT.sub("", line)
        name = NUMBER.sub("#", line).strip()
        for place, number in enumerate(NUMBER.findall(line)):
            found.setdefault((name, place), []).append(float(number))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("arguments", nargs="*")
    wanted = parser.parse_args()
    rounds = {wanted.old: {}, wanted.new: {}}
    for number in range(wanted.rounds):
        # Who begins has the machine as the round before left it.
        for program in (wanted.old, wanted.new) if number % 2 == 0 else (wanted.new, wanted.old):
            run = subprocess.run([sys.executable, wanted.benchmark, program, *wanted.arguments], capture_output=True, text=True)
            # One that only missed a limit of its own has printed its figures.
            if run.returncode != 0 and not figures(run.stdout):
                sys.exit(f"against: {wanted.benchmark} ended with {run.returncode} for {program}:\n{run.stdout}{run.stderr}")
            for key, values in figures(run.stdout).items():
                rounds[program].setdefault(key, []).extend(values)
    print(f"== {os.path.basename(wanted.benchmark)}, {wanted.rounds} rounds each in turns: old, new")
    old, new = (rounds[program] for program in (wanted.old, wanted.new))
    for key in new:
        if key not in old:
            print(f"         only new  {key[0]}")
            continue
        before, now = statistics.median(old[key]), statistics.median(new[key])
        change = f"{(now / before - 1) * 100:+.1f} %" if before else ("" if now == before else "from 0")
        mark = "  <--" if (abs(now / before - 1) > 0.05 if before else now != before) else ""
        print(f"{before:10g} {now:10g} {change:>9}  number {key[1] + 1} of: {key[0]}{mark}")
    for key in old.keys() - new.keys():
        print(f"         only old  {key[0]}")


if __name__ == "__main__":
    main()
