#!/usr/bin/env python3
"""Ten minutes in which nobody speaks, as WAV files of a minute each: noises, synthesised music, keys. Needs numpy.

Usage: make_noise.py FOLDER. Then nothing may come of `parley transcribe --turns FOLDER/*.wav`.
"""
import sys, wave
from pathlib import Path

import numpy

RATE, SECONDS = 16_000, 60
random = numpy.random.default_rng(16)
time = numpy.arange(RATE * SECONDS) / RATE


def coloured(slope):
    """Noise whose power falls with frequency: 0 white, 1 pink, 2 brown."""
    spectrum = numpy.fft.rfft(random.standard_normal(time.size))
    spectrum[1:] /= numpy.arange(1, spectrum.size) ** (slope / 2)
    spectrum[: 20 * SECONDS] = 0
    return numpy.fft.irfft(spectrum, time.size)


def in_bursts(sound, least, most):
    """The sound on and off, each for so many seconds."""
    level, at, is_on = numpy.zeros(time.size), 0, False
    while at < time.size:
        length = int(RATE * random.uniform(least, most))
        level[at:at + length] = is_on
        at, is_on = at + length, not is_on
    return sound * numpy.convolve(level, numpy.hanning(800) / 400, "same")


def fan():
    hum = sum(numpy.sin(2 * numpy.pi * 48 * k * time + k) / k for k in range(1, 9))
    return coloured(2) / 20 + hum / 40


def keys(rate):
    """Strokes of a keyboard: two clicks each, of a few milliseconds, in words with pauses between them."""
    sound, at = numpy.zeros(time.size), 0.3
    while at < SECONDS - 0.5:
        for click, level in ((0, 1), (random.uniform(0.05, 0.11), 0.5)):
            start = int(RATE * (at + click))
            length = random.integers(80, 400)
            ring = numpy.sin(2 * numpy.pi * random.uniform(900, 4200) * numpy.arange(length) / RATE)
            decay = numpy.exp(-numpy.arange(length) / (length / 5))
            sound[start:start + length] += level * decay * (0.6 * random.standard_normal(length) + 0.4 * ring)
        at += random.exponential(1 / rate) + 0.05 + (random.uniform(0.4, 2) if random.random() < 0.12 else 0)
    return sound


def note(frequency, length, voice):
    t = numpy.arange(int(RATE * length)) / RATE
    harmonics = {"piano": 6, "strings": 12, "flute": 3}[voice]
    vibrato = 0 if voice == "piano" else 0.004 * numpy.sin(2 * numpy.pi * 5.5 * t)
    tone = sum(
        numpy.sin(2 * numpy.pi * frequency * k * (t + vibrato / 10)) / k ** (1.2 if voice == "strings" else 1.8)
        for k in range(1, harmonics + 1) if frequency * k < RATE / 2)
    attack = numpy.minimum(1, t / (0.01 if voice == "piano" else 0.08))
    release = numpy.minimum(1, (length - t) / 0.06)
    return tone * attack * release * (numpy.exp(-3 * t) if voice == "piano" else 1)


def music(voice, beat, with_drums=False):
    """Chords, a bass and a melody over them."""
    sound, at, chord = numpy.zeros(time.size + RATE * 4), 0.0, 0
    while at < SECONDS:
        root = [220, 174.6, 261.6, 196][chord % 4]
        for step in (0, 4, 7):
            tone = note(root * 2 ** (step / 12), 4 * beat, voice)
            sound[int(RATE * at):int(RATE * at) + tone.size] += tone / 3
        bass = note(root / 2, 2 * beat, voice)
        sound[int(RATE * at):int(RATE * at) + bass.size] += bass / 2
        for quarter in range(4):
            start = int(RATE * (at + quarter * beat))
            if random.random() < 0.8:
                tone = note(root * 2 ** (random.choice([0, 2, 4, 7, 9, 12]) / 12) * 2, beat * random.choice([0.5, 1]), voice)
                sound[start:start + tone.size] += tone
            if with_drums:
                length = RATE // 8
                hit = random.standard_normal(length) * numpy.exp(-numpy.arange(length) / (300 if quarter % 2 else 900))
                sound[start:start + length] += hit if quarter % 2 else numpy.cumsum(hit) / 20
        at, chord = at + 4 * beat, chord + 1
    return sound[: time.size]


def clicks():
    """Cups, doors, a chair: single bangs with an echo, every few seconds."""
    sound, at = numpy.zeros(time.size), 0.5
    while at < SECONDS - 1:
        length = int(RATE * random.uniform(0.1, 0.6))
        start = int(RATE * at)
        bang = random.standard_normal(length) * numpy.exp(-numpy.arange(length) / (length / 7))
        ring = numpy.sin(2 * numpy.pi * random.uniform(150, 1800) * numpy.arange(length) / RATE)
        sound[start:start + length] += (bang[: sound[start:].size] * (0.3 + ring))[: sound[start:].size]
        at += random.exponential(1.5) + 0.2
    return sound


SOUNDS = {
    "pink": (lambda: coloured(1), -32), "bursts": (lambda: in_bursts(coloured(1), 0.3, 2.5), -28), "fan": (fan, -32),
    "white-bursts": (lambda: in_bursts(coloured(0), 0.2, 1.5), -35), "keys": (lambda: keys(6), -32),
    "keys-fast": (lambda: keys(11), -26), "piano": (lambda: music("piano", 0.45), -26),
    "strings": (lambda: music("strings", 0.7), -26), "flute-drums": (lambda: music("flute", 0.4, True), -24),
    "bangs": (clicks, -30),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (make, level) in SOUNDS.items():
        sound = make()
        sound = sound / numpy.sqrt(numpy.mean(sound ** 2)) * 10 ** (level / 20)
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes((numpy.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
