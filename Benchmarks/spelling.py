#!/usr/bin/env python3
"""Spelled words and self-corrections: what becomes of them. Needs numpy, flite and espeak-ng.

Speaks the requests of hearing/spelling.tsv in four voices, recognises them, and writes each as the instruction that a session makes of
it (`parley words repair`). Counts right instructions before and after, and for spelled words also the word itself, to the letter; "plain"
are sentences with the same words that must stay as they are, corrections among them that may mean something else. "Heard perfectly" is the same with what was said in the place of what
was recognised: what is lost in the rules, and not in the sound.

With --development the sentences and voices are others: rules are chosen on those, and measured on the rest. Usage:
spelling.py PARLEY [--development] [--texts]
"""
import argparse, csv, re, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import stop_phrase

VOICES = [("flite", "slt", "0.95"), ("flite", "rms", "1.1"), ("espeak-ng", "en-us+m1", "150"), ("espeak-ng", "en-gb+f1", "155")]
DEVELOPMENT_VOICES = [("flite", "awb", "1.0"), ("flite", "kal16", "1.0"), ("espeak-ng", "en-us+m2", "160"), ("espeak-ng", "en-gb+m3", "150")]
# Instructions right of those that were heard perfectly; and of what was recognised, spelled words to the letter, or instructions.
GOALS = {"letters": "95 %, words 35 %", "alphabet": "95 %, words 60 %", "corrected": "100 %, instructions 65 %", "plain": "0"}


def words(text):
    """Without the punctuation and capitals of a sentence; what belongs to a name stays."""
    return [word for word in (re.sub(r"^[^\w.]+|[^\w]+$", "", part) for part in text.lower().split()) if word]


def spelled(row):
    """The word of what is meant that nobody said as a word."""
    said = {word.strip(",") for word in row["said"].split()}
    return next(word for word in row["meant"].split() if word not in said)


def has(word, text):
    return word in [re.sub(r"^[^\w.]+|[^\w]+$", "", part) for part in text.split()]


def run(parley, *arguments, given=None):
    done = subprocess.run([parley, *arguments], input=given, capture_output=True, text=True, timeout=1200)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


def as_instructions(parley, texts, folder):
    return run(parley, "words", "repair", "--working-folder", str(folder), given="\n".join(texts) + "\n")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--development", action="store_true")
    arguments.add_argument("--texts", action="store_true")
    options = arguments.parse_args()
    voices = DEVELOPMENT_VOICES if options.development else VOICES
    with open(HERE / "hearing" / "spelling.tsv") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
                if row["set"] == ("development" if options.development else "measured")]
    with tempfile.TemporaryDirectory(prefix="parley-spelling-") as name:
        folder = Path(name)
        clips = [(row, folder / f"{place:03}-{index}.wav", voice) for place, row in enumerate(rows) for index, voice in enumerate(voices)]
        for row, path, voice in clips:
            stop_phrase.save(path, stop_phrase.speak(row["said"], voice, folder))
        empty = folder / "project"
        empty.mkdir()
        lines = run(options.parley, "transcribe", *(str(path) for _, path, _ in clips))
        heard = [line.partition(" ")[2].strip() for line in lines]
        after = as_instructions(options.parley, heard, empty)
        perfect = as_instructions(options.parley, [row["said"] for row in rows], empty)
    for kind in dict.fromkeys(row["kind"] for row in rows):
        mine = [(row, text, made) for (row, _, _), text, made in zip(clips, heard, after) if row["kind"] == kind]
        given = [(row, made) for row, made in zip(rows, perfect) if row["kind"] == kind]
        if options.texts:
            for row, text, made in mine:
                right = "=" if words(made) == words(row["meant"]) else " "
                print(f"  {right} “{row['said']}” was heard as “{text}”" + (f", written “{made}”" if made != text else ""))
            for row, made in given:
                if words(made) != words(row["meant"]):
                    print(f"  heard perfectly, “{row['said']}” is “{made}”")
        if kind == "plain":
            changed = sum(text != made for _, text, made in mine) + sum(row["said"] != made for row, made in given)
            print(f"{kind:10} changed {changed} of {len(mine) + len(given)} (goal: {GOALS[kind]})")
            continue
        before, now = (sum(words(texts[place]) == words(texts[0]["meant"]) for texts in mine) for place in (1, 2))
        right = sum(words(made) == words(row["meant"]) for row, made in given)
        line = f"{kind:10} instructions right: heard perfectly {right} of {len(given)}; recognised {before} before, {now} after, of {len(mine)}"
        if kind != "corrected":
            before, now = (sum(has(spelled(texts[0]), texts[place]) for texts in mine) for place in (1, 2))
            line += f"; the word itself {before} before, {now} after"
        print(f"{line} (goal: {GOALS[kind]})")


if __name__ == "__main__":
    main()
