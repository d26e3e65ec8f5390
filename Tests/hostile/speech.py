"""What the user says in a case: real speech whose every sample is known, so that it is known what was heard whole."""

import functools, re
from place import RATE, silence, sound, write_wave

FRAME = 640
# Recording, and where its speech begins in milliseconds. None pauses for longer than a fifth of a second.
SOURCES = (
    ("d06_flite_slt.wav", 420),
    ("d19_flite_rms.wav", 380),
    ("d23_flite_slt.wav", 440),
    ("d25_espeak_us.wav", 240),
)
TEXTS = ("open the first file", "run the second test", "show the third change", "read the fourth note")
LENGTH_MS = 1_300
# An utterance is heard in so many parts: what was not heard whole is known by the parts that were.
PARTS = 5


@functools.lru_cache
def spoken(index):
    """The samples of an utterance: a whole number of frames, and of parts."""
    name, start = SOURCES[index]
    frames = LENGTH_MS // 20 // PARTS * PARTS
    return sound(name)[start * 32 : start * 32 + frames * FRAME]


class Script:
    """What is said, and when: utterances with pauses before, between and behind them."""

    def __init__(self, count=1, *, before=0.3, gap=1.3, behind=1.0, texts=TEXTS):
        self.texts = [texts[index % len(texts)] for index in range(count)]
        self.samples, self.starts, self.ends = silence(before), [], []
        for index in range(count):
            self.starts.append(len(self.samples) / 2 / RATE)
            self.samples += spoken(index)
            self.ends.append(len(self.samples) / 2 / RATE)
            self.samples += silence(gap if index < count - 1 else behind)
        self.seconds = len(self.samples) / 2 / RATE

    def write(self, path):
        return write_wave(path, self.samples)

    def understood(self, heard):
        """What an honest model makes of this sound: the text of what is whole in it, and what it can of the rest."""
        found = []
        for index, text in enumerate(self.texts):
            whole = spoken(index)
            size = len(whole) // PARTS
            place = heard.find(whole)
            while place >= 0:
                found.append((place, text))
                place = heard.find(whole, place + len(whole))
            if not any(words == text for _, words in found):
                parts = [part for part in range(PARTS) if whole[part * size : (part + 1) * size] in heard]
                if parts:
                    words = text.split()
                    kept = words[: max(1, len(words) * len(parts) // PARTS)]
                    found.append((heard.find(whole[parts[0] * size : (parts[0] + 1) * size]), " ".join(kept)))
        return " ".join(words for _, words in sorted(found))

    def is_whole(self, index, heard):
        return spoken(index) in heard

    def taken_apart(self, instruction):
        """The utterances that an instruction consists of, by number; None if it has words that no whole one has."""
        rest, found = " ".join(re.sub(r"[^\w ]", " ", instruction).split()).lower(), []
        while rest:
            index = next((i for i, text in enumerate(self.texts) if (rest + " ").startswith(text + " ")), None)
            if index is None:
                return None
            found.append(index)
            rest = rest[len(self.texts[index]) :].strip()
        return found
