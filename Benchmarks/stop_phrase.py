#!/usr/bin/env python3
"""How often a phrase is heard in noise, and how often in other speech. Needs numpy, flite and espeak-ng.

Speaks the phrase in 20 voices of different pitch and speed, clean and in nine noises (200 clips), and an hour of other speech: the
sentences of hearing/sentences.tsv, and apart from that phrases that sound like it on purpose. Counts texts that are the phrase; with
--wake how often a closed microphone would be opened by it.

With --development the voices, noises and look-alikes are others: thresholds are chosen on those, and measured on the rest.

Usage: stop_phrase.py PARLEY [--phrase "okay, stop"] [--wake] [--minutes 60] [--development]
"""
import argparse, csv, itertools, subprocess, sys, tempfile, wave
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent / "hearing"))
import make_noise

RATE = 16_000
VOICES = [("flite", voice, stretch) for voice in ("slt", "rms", "awb") for stretch in ("0.9", "1.15")] + [
    ("espeak-ng", f"{accent}+{variant}", speed)
    for accent, variant, speed in (
        ("en-us", "m1", "150"), ("en-us", "m3", "175"), ("en-us", "f2", "165"), ("en-us", "f4", "190"), ("en-gb", "m2", "160"),
        ("en-gb", "f1", "150"), ("en-gb", "m7", "185"), ("en-gb-scotland", "m3", "160"), ("en-gb-x-rp", "f3", "170"),
        ("en-029", "m1", "165"), ("en-us", "m5", "140"), ("en-us", "f5", "155"), ("en-gb", "m4", "200"), ("en-us", "m6", "170"))
]
ALIKE = [
    "okay, start", "okay, stock", "okay, top", "okay, step", "okay, go on", "okay, shop", "oh, they stopped", "a hay stop",
    "the bus stop", "it stopped", "okay, drop it", "don't stop", "please stop the server", "okay, so what", "you okay, Bob",
    "okay, that's it", "make it stop", "okay, stub it", "okay, swap them", "parsley soup", "partly stopped", "barely stop",
]
CONDITIONS = [None, ("pink", 10), ("pink", 5), ("fan", 10), ("fan", 5), ("keys", 10), ("keys", 5), ("piano", 10),
              ("white-bursts", 10), ("bangs", 10)]
DEVELOPMENT_VOICES = [("flite", voice, "1.0") for voice in ("kal16", "kal", "slt", "rms", "awb")] + [
    ("espeak-ng", f"{accent}+{variant}", speed)
    for accent, variant, speed in (
        ("en-us", "m2", "160"), ("en-us", "f3", "170"), ("en-gb", "m3", "150"), ("en-gb-x-rp", "m1", "180"),
        ("en-gb-scotland", "f1", "165"), ("en-us", "klatt2", "150"), ("en-us", "m4", "185"), ("en-gb", "f5", "175"))
]
DEVELOPMENT_ALIKE = [
    "okay, stuff", "okay, stack", "okay, stab", "okay, shot", "okay, store", "okay, spot", "okay, stand", "okay, hop", "okay, pop",
    "okay, slot", "okay, stopped it", "okay, cop", "no can stop", "today, stop", "hey Bob", "a case top", "we stop", "okay, storm",
    "Monday, stop", "okay", "oh okay, stops here", "party, stop", "partly, stop", "barley, stop", "parley, start",
    "parley, stock", "parlor top", "Charlie, stop", "poorly stopped", "parley, step", "Farley, stop", "party's top", "Marley, so",
]
DEVELOPMENT_CONDITIONS = [None, ("pink", 7), ("fan", 7), ("keys-fast", 7), ("strings", 10), ("bursts", 7), ("flute-drums", 10)]

# By phrase: of the measured set, and of the development set.
ALIKES = {
    "okay stop": (ALIKE, DEVELOPMENT_ALIKE),
    "stop listening": (
        ["stop listing", "start listening", "stop glistening", "stop listening to port 80", "don't stop listening", "stop this thing",
         "stock listening", "stop the listener", "is it listening", "stop whistling", "top listing", "stop missing it",
         "it stopped listening", "stop licensing", "stop blistering", "keep listening"],
        ["stop lightning", "stop list", "stop listen", "stop enlisting", "shop listing", "stop loosening", "stop lessening", "stop testing",
         "start listing", "stop hissing", "swap listening", "the stop listener", "stop twisting it", "we stop listening"]),
    "hey parley": (
        ["hey partly", "hey parlor", "hey Charlie", "hey Harley", "hey Marley", "hey parsley", "hey Carly", "hey party", "a parley",
         "they parley", "hey Bailey", "hey Polly", "hey Pauly", "hey barley", "hey partner", "okay parley", "hey Carlo", "hey Farley",
         "hey Parker", "say parsley"],
        ["hey Arlie", "hey Karli", "hey Paris", "hey poorly", "hey pearly", "hey partying", "hey hardly", "hey gnarly", "hey Molly",
         "hey Farsi", "hey Barney", "hey Paula", "hey puppy", "play parley", "day parley", "hey Paisley", "hey Pally", "hey probably"]),
}


def speak(text, voice, folder):
    program, name, speed = voice
    path = folder / "said.wav"
    command = (["flite", "-voice", name, "--setf", f"duration_stretch={speed}", "-t", text, "-o", str(path)] if program == "flite"
               else ["espeak-ng", "-v", name, "-s", speed, "-w", str(path), text])
    subprocess.run(command, check=True, capture_output=True)
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float) / 32768
    if rate != RATE:
        places = numpy.arange(int(samples.size * RATE / rate)) * rate / RATE
        samples = numpy.interp(places, numpy.arange(samples.size), samples)
    samples *= 10 ** (-24 / 20) / numpy.sqrt(numpy.mean(samples ** 2))
    return numpy.concatenate([numpy.zeros(RATE * 3 // 10), samples, numpy.zeros(RATE * 4 // 10)])


def save(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((numpy.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


def heard(parley, phrase, paths, wakes):
    """The names of the files in which it is heard, and of how many anything was told; texts for the eye."""
    texts = {}
    for start in range(0, len(paths), 200):
        part = [str(path) for path in paths[start:start + 200]]
        done = subprocess.run([parley, "transcribe", *(["--wake", phrase] if wakes else []), *part], capture_output=True, text=True)
        for line in done.stdout.splitlines():
            path, _, text = line.partition(" ")
            texts[Path(path).name] = text
    if wakes:
        return {name for name, count in texts.items() if count != "0"}, texts
    return {name for name, text in texts.items() if is_phrase(text, phrase)}, texts


def words(text):
    return "".join(letter for letter in text.lower().replace("ok,", "okay,") if letter.isalpha() or letter == " ").split()


def is_phrase(text, phrase):
    return words(text) == words(phrase)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--phrase", default="okay, stop")
    arguments.add_argument("--wake", action="store_true")
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--development", action="store_true")
    options = arguments.parse_args()
    voices, conditions = (DEVELOPMENT_VOICES, DEVELOPMENT_CONDITIONS) if options.development else (VOICES, CONDITIONS)
    alikes = ALIKES[" ".join(words(options.phrase))][options.development]
    random = numpy.random.default_rng(2)
    with tempfile.TemporaryDirectory(prefix="parley-stop-") as name:
        folder = Path(name)
        noises = {kind: make_noise.SOUNDS[kind][0]() for kind in sorted({pair[0] for pair in conditions if pair})}
        paths = []
        for index, voice in enumerate(voices):
            clean = speak(options.phrase, voice, folder)
            for condition in conditions:
                samples, kind = clean, "clean"
                if condition:
                    noise, decibels = noises[condition[0]], condition[1]
                    start = random.integers(0, noise.size - clean.size)
                    part = noise[start:start + clean.size]
                    power = numpy.sqrt(numpy.mean(noise ** 2))
                    samples = clean + part / power * 10 ** ((-24 - decibels) / 20)
                    kind = f"{condition[0]}_{condition[1]}"
                paths.append(folder / f"{kind}-{index:02}.wav")
                save(paths[-1], samples)
        found, texts = heard(options.parley, options.phrase, paths, options.wake)
        for kind in dict.fromkeys(path.name.rsplit("-", 1)[0] for path in paths):
            mine = [path.name for path in paths if path.name.rsplit("-", 1)[0] == kind]
            missed = [texts.get(name, "") for name in mine if name not in found]
            print(f"{kind:16} {len(mine) - len(missed)} of {len(mine)}  {missed if missed else ''}")
        print(f"“{options.phrase}” heard in {len(found)} of {len(paths)} ({100 * len(found) / len(paths):.1f} %)", flush=True)

        with open(Path(__file__).resolve().parent / "hearing" / "sentences.tsv") as table:
            sentences = [row[-1] for row in csv.reader(table, delimiter="\t")][1:]
        plain = itertools.cycle((text, voice) for voice in voices for text in sentences)
        alike = ((text, voice) for text in alikes for voice in voices)
        for kind, clips, limit in (("other speech", plain, options.minutes * 60), ("what sounds like it on purpose", alike, 1e9)):
            seconds, paths, said = 0, [], {}
            for text, voice in clips:
                samples = speak(text, voice, folder)
                seconds += samples.size / RATE
                paths.append(folder / f"other-{len(paths):05}.wav")
                said[paths[-1].name] = text
                save(paths[-1], samples)
                if seconds >= limit:
                    break
            found, texts = heard(options.parley, options.phrase, paths, options.wake)
            false = [said[name] for name in sorted(found)]
            print(f"{len(false)} false in {seconds / 60:.0f} minutes of {kind} ({len(texts)} of {len(paths)} clips understood): "
                  f"{ {text: false.count(text) for text in false} or '-'}", flush=True)


if __name__ == "__main__":
    main()
