#!/usr/bin/env python3
"""Speak every shared recording to `parley run --live local` and compare the instructions with what was said.

Prints the word error rate per voice and condition, how many recordings without speech gave an instruction, and the time
from the end of the utterance's pause to the first spoken sample when the agent answers at once. The whole program runs for
each recording; nothing is taken from the fixtures but the sound. Usage: recognition.py PARLEY [--only PREFIX]
"""
import argparse, csv, json, os, re, statistics, subprocess, sys, tempfile

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty"}


def words(text):
    """Lower case, no punctuation, digits as words, hyphens as blanks."""
    text = text.lower().replace("-", " ").replace("'", "")
    found = re.findall(r"[a-z]+|[0-9]+", text)
    return [TENS.get(int(word)) or (NUMBERS[int(word)] if int(word) < 13 else word) if word.isdigit() else word
            for word in found]


def errors(said, heard):
    """The least number of words to change, drop or add."""
    row = list(range(len(heard) + 1))
    for i, left in enumerate(said, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(heard, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return row[-1]


def speak(parley, recording, folder):
    """One session. Returns the instructions and the seconds from the end of the pause to the first spoken sample."""
    session = os.path.join(folder, os.path.basename(recording)[:-4])
    done = subprocess.run(
        [parley, "run", "--live", "local", "--agent", "echo", "--mode", "direct", "--microphone", recording,
         "--speaker", "none", "--session", session],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{recording}: exit code {done.returncode}\n{done.stderr}{done.stdout}")
    instructions, transcript, paused, delay = [], "", None, None
    with open(os.path.join(session, "events.jsonl")) as log:
        for line in list(log)[1:]:
            step = json.loads(line)
            event = step["event"]
            if "userTranscribed" in event:
                transcript = event["userTranscribed"]["text"]
            elif "instructionProposed" in event:
                instructions.append(event["instructionProposed"]["text"])
            elif "stopRequested" in event:  # the stop words are no instruction
                instructions.append(transcript)
            elif "voiceEnded" in event:
                paused = step["time"]
            elif "playbackStarted" in event and paused and delay is None:
                delay = (step["time"] - paused) / 1e6
    return instructions, delay


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    recordings = os.path.join(os.path.dirname(__file__), "..", "audio-fixtures", "recordings")
    totals, delays, false = {}, [], 0
    with tempfile.TemporaryDirectory(prefix="parley-recognition-") as folder:
        for row in csv.DictReader(open(os.path.join(recordings, "transcripts.tsv")), delimiter="\t"):
            if row["kind"].startswith("aec") or not row["file"].startswith(options.only):
                continue
            instructions, delay = speak(options.parley, os.path.join(recordings, row["file"]), folder)
            if row["kind"] == "nonspeech":
                false += len(instructions)
                continue
            said, heard = words(row["text"]), words(" ".join(instructions))
            wrong = errors(said, heard)
            if wrong:
                print(f"  {row['file']}: “{row['text']}” was heard as “{' | '.join(instructions)}”")
            if delay is not None and row["kind"] != "approval":
                delays.append(delay)
            for key in [(row["kind"], row["voice"]), (row["kind"], "all")]:
                count = totals.setdefault(key, [0, 0])
                count[0] += wrong
                count[1] += len(said)
    for (kind, voice), (wrong, count) in sorted(totals.items()):
        print(f"{kind:18} {voice:12} {100 * wrong / count:5.1f} % of {count} words wrong")
    print(f"instructions from recordings without speech: {false}")
    if delays:
        print(f"pause to first spoken sample: {statistics.median(delays):.2f} s median, {max(delays):.2f} s at most, "
              f"of {len(delays)} (at most 0.6)")


main()
