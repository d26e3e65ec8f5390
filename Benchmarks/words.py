#!/usr/bin/env python3
"""What the project's own words cost to understand, with and without the lexicon.

Every recording of technical-terms.tsv is transcribed by the local recogniser: without its search, and with it, which expects
the names of this very project; that text is then repaired with them. Compared is the written text, word by word: "InteractionController" said in two words is wrong
unless it was put together again. Also printed: what the repair does to a text without a single mishearing, and to
ordinary sentences. Usage: words.py PARLEY
"""
import csv, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")


def words(text):
    """Lower case, without the punctuation of a sentence; what belongs to a name stays."""
    return [word for word in (part.strip(".,;:!?\"'“”").lower() for part in text.split()) if word]


def errors(said, heard):
    """The least number of words to change, drop or add."""
    row = list(range(len(heard) + 1))
    for i, left in enumerate(said, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(heard, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return row[-1]


def repair(parley, lines):
    done = subprocess.run([parley, "words", "repair", "--working-folder", ROOT], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def main():
    parley = sys.argv[1]
    folder = os.path.join(ROOT, "audio-fixtures", "recordings")
    with open(os.path.join(folder, "technical-terms.tsv")) as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    files = [os.path.join(folder, row["file"]) for row in rows]
    heard = []
    for options in [["--plain"], ["--working-folder", ROOT]]:
        done = subprocess.run([parley, "transcribe", *options, *files], capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            sys.exit(f"exit code {done.returncode}\n{done.stderr}")
        heard.append([" ".join(line[len(file):].split()) for file, line in zip(files, done.stdout.splitlines())])
    plain, heard = heard
    repaired = repair(parley, heard)
    counts = [0, 0, 0]
    for row, without, raw, text in zip(rows, plain, heard, repaired):
        meant = words(row["written"])
        wrong = errors(meant, words(without)), errors(meant, words(text))
        for index, count in enumerate([len(meant), *wrong]):
            counts[index] += count
        if wrong[1]:
            print(f"  {row['file']}: “{row['written']}” was heard as “{raw}”, repaired to “{text}”")
    said, without, with_lexicon = counts
    perfect = repair(parley, [row["spoken"] for row in rows])
    left = sum(errors(words(row["written"]), words(text)) for row, text in zip(rows, perfect))
    before = sum(errors(words(row["written"]), words(row["spoken"])) for row in rows)
    with open(os.path.join(ROOT, "Tests", "VoiceLanguageTests", "OrdinarySentences.swift")) as source:
        ordinary = [line.strip() for line in re.search(r'"""\n(.*?)"""', source.read(), re.S).group(1).splitlines()]
        ordinary = [line for line in ordinary if line]
    changed = [pair for pair in zip(ordinary, repair(parley, ordinary)) if pair[0] != pair[1]]
    for pair in changed:
        print(f"  changed: “{pair[0]}” to “{pair[1]}”")
    print(f"technical terms, {len(rows)} recordings: without the lexicon {100 * without / said:.1f} %, with it "
          f"{100 * with_lexicon / said:.1f} % of {said} words wrong (aim: half)")
    print(f"the same sentences heard perfectly: without {100 * before / said:.1f} %, with {100 * left / said:.1f} %")
    print(f"ordinary sentences changed: {len(changed)} of {len(ordinary)} (at most 0)")


main()
