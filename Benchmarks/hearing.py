#!/usr/bin/env python3
"""What the local recogniser makes of sentences that nobody chose for being easy (see hearing/make_set.py), by set and voice.

For each set: words wrong, clips with an error, and where the set has names of the trade or of this project, how many of
those are wrong. A name counts as heard when its letters are there, in one word or in several; a name of this project
only when it is written as it should be after the repair. Numbers are compared as numbers, compounds joined.

Usage: hearing.py PARLEY [--plain] [--sets dev,held] [--show] [--sureness] [--development]
  --plain  the recogniser without its search and without words, as on a machine where the search cannot be used
  --show   every clip with an error
  --sureness
           instead, how many of the wrong words, and of the right ones, the recogniser is less sure of than of so many percent
           (words that were left out are no words), and in how many clips with an error an alternative has less of it
  --development
           what things are chosen by: see make_set.py
"""
import argparse, csv, re, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SET = ROOT / ".build" / "hearing" / ("development" if "--development" in sys.argv else "set")
SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
         "eighteen nineteen").split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
            "ninth": 9, "tenth": 10, "twentieth": 20, "thirtieth": 30}
SPELLINGS = [(r"\b(col|behavi|fav)our", r"\1or"), (r"\ba hundred\b", "one hundred"), (r"is(e|ed|er|ing|ation)(?=s?\b)", r"iz\1"), (r"\bok\b", "okay"),
             (r"\bnought\b", "zero"), (r"\bum+\b|\buh+\b|\ber+\b|\bhm+\b", ""), (r"\breadme\b", "read me")]


def value(word):
    if word.isdigit():
        return int(word)
    if word in SMALL:
        return SMALL.index(word)
    if word in ORDINALS:
        return ORDINALS[word]
    return TENS.index(word) * 10 if word in TENS[2:] else None


def numbers(words):
    """The words with every number, said or written, as one word of digits."""
    return [word for word, _ in numbers_and_places(words)]


def numbers_and_places(words):
    """The same, and with each word which of the given ones it stands for."""
    found, index = [], 0
    while index < len(words):
        total, part, begin, last = 0, None, index, None
        while index < len(words):
            word, number = words[index], value(words[index])
            if number is not None:
                both_said = not word.isdigit() and not words[index - 1].isdigit()
                small_after_tens = part and part % 100 >= 20 and part % 10 == 0 and 0 < number < 10 and both_said
                after_hundred = part and part % 100 == 0 and number < 100 and both_said
                if part is None or small_after_tens or after_hundred:
                    part = (part or 0) + number
                elif last is not None and 10 <= part < 100 and number >= 10 and last >= 10 and both_said:
                    part = part * 100 + number
                else:
                    break
                last = number
            elif word == "hundred" and part:
                part *= 100
            elif word in ("thousand", "million") and part:
                total, part = total + part * (1000 if word == "thousand" else 1_000_000), None
            elif not (word == "and" and index + 1 < len(words) and value(words[index + 1]) is not None
                      and words[index - 1] in ("hundred", "thousand") and index > begin):
                break
            index += 1
        if index > begin and (part is not None or total):
            found.append((str(total + (part or 0)), range(begin, index)))
        elif index == begin:
            found.append((words[index], range(index, index + 1)))
            index += 1
    return found


def normal(text):
    """Lower case, no punctuation; numbers as digits; British and American spelling the same."""
    return numbers(plain(text))


def plain(text):
    """The same with numbers as they are."""
    text = text.lower().replace("’", "'").replace("'", "")
    text = re.sub(r"(\d),(?=\d{3})", r"\1", text)
    text = re.sub(r"\$(\d+)\.(\d\d)", r"\1 dollars and \2 cents", text)
    text = re.sub(r"\$(\d+)", r"\1 dollars", text)
    text = re.sub(r"(\d)\s?ms\b", r"\1 milliseconds", text)
    text = re.sub(r"(\d)-(?=\d)", r"\1 to ", text)
    text = re.sub(r"(?<![\w.])-(?=\d)", "minus ", text)
    text = re.sub(r"(\d)\.(?=\d)", r"\1 point ", text).replace("%", " percent").replace("&", " and ")
    text = re.sub(r"(\d+)(st|nd|rd|th)\b", r"\1", text)
    text = re.sub(r"[^a-z0-9]+", " ", text)
    for old, new in SPELLINGS:
        text = re.sub(old, new, text)
    return text.split()


def errors(said, heard):
    """The least number of words to change, drop or add; joining two words, or parting one, is free."""
    return table(said, heard)[-1][-1]


def table(said, heard):
    """That number for each pair of beginnings."""
    rows = [[0] * (len(heard) + 1) for _ in range(len(said) + 1)]
    for i in range(len(said) + 1):
        for j in range(len(heard) + 1):
            if i == 0 or j == 0:
                rows[i][j] = i + j
                continue
            best = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (said[i - 1] != heard[j - 1]))
            for count in (2, 3):
                if j >= count and "".join(heard[j - count:j]) == said[i - 1]:
                    best = min(best, rows[i - 1][j - count])
                if i >= count and "".join(said[i - count:i]) == heard[j - 1]:
                    best = min(best, rows[i - count][j - 1])
            rows[i][j] = best
    return rows


def wrong_words(said, heard):
    """Which of the heard words were not said."""
    rows, wrong, i, j = table(said, heard), set(), len(said), len(heard)
    while j > 0:
        if i > 0 and said[i - 1] == heard[j - 1] and rows[i][j] == rows[i - 1][j - 1]:
            i, j = i - 1, j - 1
            continue
        joined = [(i - 1, j - count) for count in (2, 3) if i > 0 and j >= count and "".join(heard[j - count:j]) == said[i - 1]]
        parted = [(i - count, j - 1) for count in (2, 3) if i >= count and "".join(said[i - count:i]) == heard[j - 1]]
        free = [(left, right) for left, right in joined + parted if rows[left][right] == rows[i][j]]
        if free:
            i, j = free[0]
        elif i > 0 and rows[i][j] == rows[i - 1][j - 1] + 1:
            wrong.add(j - 1)
            i, j = i - 1, j - 1
        elif rows[i][j] == rows[i][j - 1] + 1:
            wrong.add(j - 1)
            j -= 1
        else:
            i -= 1
    return wrong


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def has(term, heard):
    """Whether the letters of one of a name's forms are there, in words that follow one another."""
    words = [letters(word) for word in re.split(r"[\s\-/]+", heard)]
    forms = {letters(form) for form in term.split("/")}
    spans = ("".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(len(words), i + 5) + 1))
    return any(span in forms for span in spans)


def transcribe(parley, rows, options):
    command = [parley, "transcribe", "--working-folder", str(ROOT)] + (["--plain"] if options.plain else [])
    command += ["--sureness"] if options.sureness else []
    done = subprocess.run(command + [str(SET / row["file"]) for row in rows], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    # Each line begins with the file's name.
    return [line[len(str(SET / row["file"])) + 1:].strip("\n") for row, line in zip(rows, done.stdout.splitlines(), strict=True)]


def repair(parley, texts):
    done = subprocess.run([parley, "words", "repair", "--working-folder", str(ROOT)], input="\n".join(texts) + "\n",
                          capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def judge(text, line):
    """Of each word that was heard: how sure the recogniser is of it, and whether it was said."""
    marked = [word.rpartition(":") for word in line.split(" | ")[0].split(" ") if word]
    words = [(word, place) for place, (written, _, _) in enumerate(marked) for word in plain(written)]
    heard = numbers_and_places([word for word, _ in words])
    wrong = wrong_words(normal(text), [word for word, _ in heard])
    places = {words[place][1] for index in wrong for place in heard[index][1]}
    return [(int(sureness), place not in places) for place, (_, _, sureness) in enumerate(marked)]


def measure_sureness(rows, lines):
    """Print for several limits which share of the wrong words, and of the right ones, lies below it."""
    judged = {}
    for row, line in zip(rows, lines):
        for name in (row["set"], "all"):
            judged.setdefault(name, []).extend(judge(row["text"], line))
    limits = (10, 20, 30, 40, 50, 60, 70)
    print(f"{'set':12} {'wrong':>6} {'right':>6}  less sure than, in percent: wrong words / right words / marks that are wrong's")
    for name, words in sorted(judged.items()):
        wrong = [sureness for sureness, is_right in words if not is_right]
        right = [sureness for sureness, is_right in words if is_right]
        parts = []
        for limit in limits:
            hits, vain = sum(s < limit for s in wrong), sum(s < limit for s in right)
            parts.append(f"{limit}: {100 * hits / max(1, len(wrong)):.0f}/{100 * vain / max(1, len(right)):.1f}"
                         f"/{100 * hits / max(1, hits + vain):.0f}")
        print(f"{name:12} {len(wrong):6} {len(right):6}  {'  '.join(parts)}")


def measure_alternatives(rows, lines):
    """Print in how many of the clips with an error an alternative has none, or fewer."""
    bad, right, better = 0, 0, 0
    for row, line in zip(rows, lines):
        text, *others = line.split(" | ")
        said, heard = normal(row["text"]), normal(" ".join(word.rpartition(":")[0] for word in text.split(" ")))
        wrong = errors(said, heard)
        least = min([errors(said, normal(other)) for other in others], default=wrong)
        bad += wrong > 0
        right += wrong > 0 and least == 0
        better += least < wrong
    print(f"{bad} clips with an error: in {right} an alternative has none, in {better} fewer")


def measure(rows, texts, repaired, show):
    counts = {}
    for row, text, mended in zip(rows, texts, repaired):
        said, heard = normal(row["text"]), normal(text)
        wrong = errors(said, heard)
        terms = [term for term in row["terms"].split("|") if term]
        if row["set"] == "project":
            missed = [term for term in terms if term not in re.sub(r"[,;:!?\"]|\.(?=\s|$)", " ", mended).split()]
        else:
            missed = [term for term in terms if not has(term, text)]
        name = f"noise {row['condition']}" if row["set"] == "noise" else row["set"]
        for key in [(name, "all"), (name, re.split(r"_", row["voice"])[0])] if row["set"] != "noise" else [(name, "all")]:
            count = counts.setdefault(key, [0] * 6)
            for index, more in enumerate([1, len(said), wrong, wrong > 0, len(terms), len(missed)]):
                count[index] += more
        if show and (wrong or missed):
            print(f"  {row['file']}: “{row['text']}” was heard as “{text}”{' missed ' + ', '.join(missed) if missed else ''}")
    return counts


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--plain", action="store_true")
    arguments.add_argument("--show", action="store_true")
    arguments.add_argument("--sureness", action="store_true")
    arguments.add_argument("--sets", default="")
    arguments.add_argument("--development", action="store_true")
    options = arguments.parse_args()
    if not (SET / "index.tsv").exists():
        sys.exit("hearing.py: the set is not made yet: Benchmarks/hearing/make_set.py")
    with open(SET / "index.tsv") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    wanted = options.sets.split(",") if options.sets else sorted({row["set"] for row in rows} - {"pause"})
    rows = [row for row in rows if row["set"] in wanted]
    begun = time.monotonic()
    texts = transcribe(options.parley, rows, options)
    seconds = time.monotonic() - begun
    if options.sureness:
        measure_sureness(rows, texts)
        return measure_alternatives(rows, texts)
    counts = measure(rows, texts, repair(options.parley, texts), options.show)
    print(f"{'set':16} {'voice':8} {'clips':>5} {'words wrong':>16} {'clips wrong':>12} {'names wrong':>16}")
    for (name, voice), (clips, said, wrong, bad, terms, missed) in sorted(counts.items()):
        names = f"{100 * missed / terms:5.1f} % of {terms:4}" if terms else ""
        print(f"{name:16} {voice:8} {clips:5} {100 * wrong / said:5.1f} % of {said:5} {100 * bad / clips:9.1f} % {names:>17}")
    print(f"{len(rows)} clips in {seconds:.0f} s")


if __name__ == "__main__":
    main()
