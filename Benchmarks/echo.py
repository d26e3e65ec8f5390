#!/usr/bin/env python3
"""Conversations beside a loudspeaker in simulated rooms, through the very cancellers and detector of a session. Needs numpy, and
the clips that hearing/make_set.py fetches (the human reader is the user; the program's own voice plays).

Each conversation has a room of its own: 20 to 250 ms from the loudspeaker's line to the microphone's, of which the devices state
60; 0.2 to 0.6 s until it has fallen silent by 60 dB; clocks that drift apart by up to 100 millionths; a small loudspeaker, in
half of them driven into its limits; noise; one of three volumes. A reply of about ten seconds is heard out; the user says
something in the quiet behind it; and he speaks over the next reply, which is lowered and stopped as a session does. In a third
of them, drawn without regard to the rest, the devices slip, as a sound server does under load.

Printed: openings and words while nobody spoke; interruptions that were missed, and how soon they were noticed; the words that
were wrong, beside those of the same clips alone in the same noise; and in how many the loudspeaker was called too loud, before the
user had said anything, and when he interrupted.

Usage: echo.py PARLEY ECHO_GATE [--count 100] [--seed 1] [--show]
"""
import argparse, csv, os, re, subprocess, sys, tempfile, wave
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
sys.path.insert(0, str(ROOT / "Benchmarks/hearing"))
import make_set
from hearing import errors, normal

RATE, BLOCK = 16_000, 160
STATED_DELAY = 60
# The user's level at the microphone, and the volumes: how loud the echo is beside that, in dB.
USER, VOLUMES = -26, {"loud": 6, "middle": 0, "soft": -6}
REPLIES = [
    "I changed the retry loop so that it waits a little longer after each failure, and I added two tests. Both of them pass. "
    "The old behaviour is still there behind a flag, in case you want to compare the two.",
    "There are four places that call this function. Three of them look at the result. The fourth is in the importer, and it "
    "ignores the error completely, which explains what you saw this morning.",
    "The build takes about ninety seconds now. Most of that is the generated code, which is compiled again whenever the schema "
    "changes. I could move it into a package of its own if you like.",
    "All the tests pass except one. It expects the answer in alphabetical order, but the server sends the newest first. I think "
    "the test is wrong, and not the server, but that is for you to decide.",
    "I looked through the history of that file. The check was removed in March, together with the old settings page, and nobody "
    "seems to have noticed that the form still depends on it.",
    "The memory grows because every connection keeps its own copy of the table. With one shared copy it stays below two hundred "
    "megabytes, even with a thousand clients. Shall I go on with that?",
]


def level(sound, decibels):
    """The sound at this level, in dB of full scale, where it is not silent."""
    loud = np.abs(sound) > 0.02 * np.abs(sound).max()
    return sound * 10 ** (decibels / 20) / np.sqrt(np.mean(sound[loud] ** 2))


def convolve(sound, response):
    count = len(sound) + len(response) - 1
    size = 1 << (count - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[:count]


class Room:
    """What the loudspeaker plays, as the microphone hears it."""

    def __init__(self, chance, volume):
        self.delay = int(chance.uniform(20, 250) * RATE / 1000)
        self.ringing = chance.uniform(0.2, 0.6)
        self.drift = chance.uniform(-100, 100) * 1e-6
        self.is_driven = chance.random() < 0.5
        self.volume = volume
        count = int(0.9 * self.ringing * RATE)
        tail = chance.normal(size=count) * 10 ** (-3 * np.arange(count) / (self.ringing * RATE))
        tail[: int(0.002 * RATE)] = 0
        # What comes straight is as strong as all that the walls send back, or twice that.
        tail *= 10 ** (-chance.uniform(0, 6) / 20) / np.sqrt(np.sum(tail ** 2))
        tail[0] = 1
        # A small loudspeaker gives nothing below 300 Hz, and little above 6 kHz.
        frequency = np.fft.rfftfreq(1 << 15, 1 / RATE)
        shape = 1 / np.sqrt(1 + (300 / np.maximum(frequency, 1)) ** 4) / np.sqrt(1 + (frequency / 6000) ** 6)
        self.response = np.fft.irfft(np.fft.rfft(tail, 1 << 15) * shape)[: count + 400]
        self.scale = 1.0

    def hear(self, played, slips):
        """Sound of the same length; `slips` are places from which on everything comes so many samples later."""
        # Of equal power at a voice's usual level, so that only the form is another.
        driven = np.tanh(played * 6) / 4.2 if self.is_driven else played
        echo = convolve(driven, self.response)[: len(played)] * self.scale
        echo = np.concatenate([np.zeros(self.delay), echo])[: len(played)]
        fine = np.fft.irfft(np.fft.rfft(echo), 4 * len(echo)) * 4
        places = np.arange(len(echo)) * (1 + self.drift)
        for start, samples in slips:
            places[start:] -= samples
        return np.interp(places * 4, np.arange(len(fine)), fine)


class Gate:
    """The program's own way from a microphone to the recogniser."""

    def __init__(self, program):
        self.child = subprocess.Popen(
            [program, str(STATED_DELAY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def take(self, captured, played, has_slipped):
        self.child.stdin.write(captured.tobytes() + played.tobytes() + bytes([has_slipped]))
        self.child.stdin.flush()
        answer = self.child.stdout.read(2 * BLOCK + 1)
        return np.frombuffer(answer[:-1], np.int16), answer[-1]

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def integers(sound):
    return np.clip(np.round(sound * 32_768), -32_768, 32_767).astype(np.int16)


class Conversation:
    """One room, two replies, an answer, and an interruption."""

    def __init__(self, number, seed, replies, users):
        self.chance = chance = np.random.default_rng([seed, number])
        self.number = number
        self.volume = list(VOLUMES)[number % 3]
        self.room = room = Room(chance, VOLUMES[self.volume])
        first, second = (replies[i] for i in chance.permutation(len(replies))[:2])
        (self.answer, answer), (self.interruption, over) = (users[i] for i in chance.permutation(len(users))[:2])
        pause = lambda seconds: np.zeros(int(seconds * RATE))
        begin = pause(1)
        self.first = (len(begin), len(begin) + len(first))
        self.answered = self.first[1] + int(chance.uniform(1.2, 2) * RATE)
        self.second = self.answered + len(answer) + int(1.8 * RATE)
        self.interrupted = self.second + int(chance.uniform(2, 5) * RATE)
        length = max(self.second + len(second), self.interrupted + len(over)) + 2 * RATE
        length += -length % BLOCK
        self.played = np.zeros(length)
        self.played[self.first[0]:self.first[1]] = first
        self.played[self.second:self.second + len(second)] = second
        self.near = np.zeros(length)
        self.near[self.answered:self.answered + len(answer)] += answer
        self.near[self.interrupted:self.interrupted + len(over)] += over
        self.ends = (self.answered + len(answer), self.interrupted + len(over))
        noise = make_set.noise(np, chance.choice(["pink", "fan"]), length, chance, [])
        self.noise = noise * 10 ** ((USER - chance.uniform(25, 35)) / 20) / noise.std()
        # Where the microphone's sound comes later from some moment on, and whether the program knows.
        self.slips, self.known = [], set()
        if chance.random() < 1 / 3:
            place = int(chance.uniform(self.first[0] + 3 * RATE, self.first[1] - 2 * RATE)) // BLOCK * BLOCK
            samples = int(chance.choice([320, 1600, 160]))
            self.slips = [(place, samples)]
            if samples == 320:
                self.known = {place // BLOCK}
        reference = room.hear(self.played, [])
        loud = np.abs(reference) > 0.02 * np.abs(reference).max()
        room.scale = 10 ** ((USER + room.volume) / 20) / np.sqrt(np.mean(reference[loud] ** 2))

    def run(self, program):
        gate = Gate(program)
        played = self.played.copy()
        echo = self.room.hear(played, self.slips)
        self.heard, self.openings, self.full, self.drowned = [], [], None, []
        lowered = is_open = stopped = None
        for block in range(len(played) // BLOCK):
            span = slice(block * BLOCK, (block + 1) * BLOCK)
            captured = integers(echo[span] + self.near[span] + self.noise[span])
            samples, bits = gate.take(captured, integers(played[span]), block in self.known)
            self.heard.append(samples)
            now = span.stop
            if bits & 8 and self.full is None:
                self.full = now / RATE
            if now - BLOCK < self.answered <= now or now - BLOCK < self.interrupted <= now:
                self.drowned.append(bits & 16 > 0)
            speaks = np.abs(self.played[max(0, now - RATE // 2):now]).max() > 0 and stopped is None
            gain = None
            if bits & 1:
                self.openings.append(now)
                is_open = now
                if lowered is None and speaks:
                    lowered, gain = now, 0.1
            if bits & 6:
                is_open = None
            if lowered is not None and now - lowered >= RATE // 2:
                gain = 0.0 if is_open is not None else 10.0
                stopped = now if is_open is not None else None
                lowered = None
            if gain is not None:
                # The devices hold 40 ms that can not be had back.
                rest = slice(now + 640, len(played) if now > self.second else self.second)
                played[rest] = played[rest] * gain
                echo = self.room.hear(played, self.slips)
        gate.close()
        self.heard = np.concatenate(self.heard)
        return self

    def spans(self):
        """Where the user may be heard, the detector's hold and delay included."""
        late = int(1.2 * RATE)
        return [(self.answered, self.ends[0] + late), (self.interrupted, self.ends[1] + late)]

    def own_voice(self):
        """What was let through while nobody spoke, and the openings for it."""
        rest, openings = self.heard.copy(), self.openings
        for begin, end in self.spans():
            rest[begin - int(0.5 * RATE):end] = 0
            openings = [moment for moment in openings if not begin <= moment <= end]
        # Nothing was played yet, or not for long: the room itself.
        is_played = convolve(np.abs(self.played) > 0, np.ones(2 * RATE // 1))[: len(rest)] > 0.5
        return rest * is_played, openings

    def delay(self):
        """Seconds until the interruption was noticed; None if it was not."""
        onset = self.interrupted + np.flatnonzero(np.abs(self.near[self.interrupted:]) > 0.05 * np.abs(self.near).max())[0]
        inside = [moment for moment in self.openings if onset <= moment <= self.ends[1] + 4800]
        return (inside[0] - onset) / RATE if inside else None

    def clips(self):
        """The recogniser's sound of both sentences, and what a quiet loudspeaker would have left of them."""
        alone = integers(self.near + self.noise)
        for begin, end in self.spans():
            span = slice(begin - int(0.3 * RATE), end - int(0.5 * RATE))
            yield self.heard[span], alone[span]


def write(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())


def transcribe(parley, files):
    done = subprocess.run([parley, "transcribe", *map(str, files)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    return [line[len(str(file)):].strip() for file, line in zip(files, done.stdout.splitlines(), strict=True)]


def voices():
    """The replies, spoken by the program's voice, and the human reader's longer prompts."""
    store = make_set.HOME / "echo.npz"
    with open(ROOT / "Benchmarks/hearing/human.tsv") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if len(row["text"].split()) >= 5]
    if not store.exists():
        make_set.prepare()
        speaker = make_set.Voices()
        folder = make_set.human_folder()
        np.savez(store, **{f"reply{i}": speaker.piper(text, 1.0) for i, text in enumerate(REPLIES)},
                 **{row["file"]: make_set.trim(np, speaker.read(folder / (row["file"] + ".wav"))) for row in rows})
    sounds = np.load(store)
    replies = [level(sounds[f"reply{i}"], -22) for i in range(len(REPLIES))]
    # Nobody interrupts with an essay.
    users = [(row["text"], level(sounds[row["file"]], USER)) for row in rows if len(sounds[row["file"]]) < 7 * RATE]
    return replies, users


def main():
    parser = argparse.ArgumentParser(description="Conversations beside a loudspeaker in simulated rooms.")
    parser.add_argument("parley")
    parser.add_argument("gate")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="every conversation")
    options = parser.parse_args()
    replies, users = voices()
    with ThreadPoolExecutor(2) as pool:
        conversations = list(pool.map(
            lambda number: Conversation(number, options.seed, replies, users).run(options.gate), range(options.count)))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for conversation in conversations:
            rest, _ = conversation.own_voice()
            pairs = list(conversation.clips())
            for name, samples in [("rest", rest), ("answer", pairs[0][0]), ("answer-alone", pairs[0][1]),
                                  ("over", pairs[1][0]), ("over-alone", pairs[1][1])]:
                files.append(Path(folder) / f"{conversation.number}-{name}.wav")
                write(files[-1], samples)
        texts = transcribe(options.parley, files)
    report(conversations, [texts[i:i + 5] for i in range(0, len(texts), 5)], options.show)


def report(conversations, texts, show):
    names = ["rest", "answer", "answer alone", "over", "over alone"]
    kinds = {"all": conversations} | {volume: [c for c in conversations if c.volume == volume] for volume in VOLUMES} | {
        "driven": [c for c in conversations if c.room.is_driven], "slipped": [c for c in conversations if c.slips],
        "late": [c for c in conversations if c.room.delay > 0.12 * RATE]}
    rows = {}
    for conversation, heard in zip(conversations, texts):
        words = dict(zip(names, (normal(text) for text in heard)))
        row = {"own": len(words["rest"]), "openings": len(conversation.own_voice()[1]), "delay": conversation.delay()}
        for key, said in [("answer", conversation.answer), ("over", conversation.interruption)]:
            row[key] = len(normal(said))
            row[key + " wrong"] = errors(normal(said), words[key])
            row[key + " alone"] = errors(normal(said), words[key + " alone"])
        row["drowned at first"], row["drowned"] = conversation.drowned
        rows[conversation.number] = row
        if show:
            room = conversation.room
            print(f"{conversation.number:3} {conversation.volume:6} {1000 * room.delay // RATE:3} ms {room.ringing:.2f} s "
                  f"{'driven' if room.is_driven else '      '} slips {[s for _, s in conversation.slips]} full duplex at "
                  f"{conversation.full} own {row['openings']} “{heard[0]}” noticed {row['delay']} too loud {conversation.drowned} "
                  f"over {row['over wrong']}/{row['over']} “{heard[3]}” ({conversation.interruption})")
    print(f"{'rooms':8} {'n':>3} {'own: conversations, words':>26} {'missed':>7} {'noticed after, median, 9 of 10':>30} "
          f"{'over it wrong, alone':>21} {'behind it wrong, alone':>22} {'too loud at first, then':>23}")
    for kind, members in kinds.items():
        found = [rows[c.number] for c in members]
        delays = sorted(row["delay"] for row in found if row["delay"] is not None)
        total = lambda key: sum(row[key] for row in found)
        share = lambda part, whole: f"{100 * total(part) / max(1, total(whole)):.1f}"
        at = lambda part: f"{delays[int(len(delays) * part)]:.2f}" if delays else "–"
        print(f"{kind:8} {len(found):3} {sum(row['openings'] > 0 for row in found):14} / {total('own'):9} "
              f"{len(found) - len(delays):7} {at(0.5):>20} s / {at(0.9)} s {share('over wrong', 'over'):>10} / "
              f"{share('over alone', 'over'):>5} % {share('answer wrong', 'answer'):>12} / {share('answer alone', 'answer'):>5} % "
              f"{total('drowned at first'):>16} / {total('drowned'):>4}")


if __name__ == "__main__":
    main()
