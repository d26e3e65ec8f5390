#!/usr/bin/env python3
"""How soon the program falls silent, measured from the samples that really played. Standard library only.

Prints: key press to silence; the server's mark that the user speaks to the lowered voice; the first sample of the user's
voice at the microphone to the lowered voice, to the decision, and what a short sound does; each with its limit.
Usage: Benchmarks/interruption.py .build/release/parley
"""
import argparse
import array
import os
import pty
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave

from wire import Server, make_identity

LOUD = 30_000
RECORDING = os.path.join(os.path.dirname(__file__), "../audio-fixtures/recordings/d04_flite_slt.wav")


class Speaker:
    """Reads what is played, as it comes: the level of each sample, with the time of each read."""

    def __init__(self, path):
        self.samples, self.reads, self.path = array.array("h"), [], path
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        pending = b""
        with open(self.path, "rb", buffering=0) as pipe:
            while (part := pipe.read(4096)):
                data = pending + part
                self.samples.frombytes(data[: len(data) // 2 * 2])
                pending = data[len(data) // 2 * 2:]
                self.reads.append((time.perf_counter(), len(self.samples)))

    def first_lowered(self, start):
        """The index of the first sample behind `start` that is lowered."""
        for index in range(start, len(self.samples)):
            if self.samples[index] < LOUD * 0.9:
                return index
        return None

    def time_of(self, index):
        return next(moment for moment, count in self.reads if count > index)


class Session:
    """One run of the program, with a server that speaks for it and a microphone that is fed in real time."""

    def __init__(self, parley, folder, gate):
        self.server = Server(folder)
        self.microphone = os.path.join(folder, f"microphone-{gate}")
        speaker = os.path.join(folder, f"speaker-{gate}")
        os.mkfifo(self.microphone)
        os.mkfifo(speaker)
        self.speaker = Speaker(speaker)
        configuration = os.path.join(folder, f"{gate}.json5")
        with open(configuration, "w") as file:
            file.write(f"{{ interaction: {{ interruptedBy: '{gate}' }} }}")
        home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.environ.get("HOME", ""), ".local/share")
        environment = dict(os.environ, SSL_CERT_FILE=os.path.join(folder, "ca.pem"), GEMINI_API_KEY="bench-key",
                           XDG_STATE_HOME=folder, HOME=folder)
        environment.setdefault("PARLEY_SPEECH_HOME", os.path.join(home, "parley/speech"))
        self.keys, keyboard = pty.openpty()
        self.process = subprocess.Popen(
            [parley, "run", "--config", configuration, "--live", f"wss://localhost:{self.server.port}/", "--microphone",
             self.microphone, "--speaker", speaker, "--turn-detection", "server", "--agent", "echo", "--mode", "direct"],
            env=environment, stdin=keyboard, stdout=subprocess.DEVNULL)
        os.close(keyboard)
        self.pipe = os.open(self.microphone, os.O_WRONLY)
        if not self.server.ready.wait(10):
            self.process.kill()
            sys.exit("the client never set up its session")
        self.said, self.onset, self.lock, self.stop = [], None, threading.Lock(), threading.Event()
        threading.Thread(target=self.feed, daemon=True).start()

    def feed(self):
        due = time.perf_counter()
        while not self.stop.is_set():
            with self.lock:
                frame = self.said.pop(0) if self.said else bytes(640)
                if self.onset == "next" and any(frame):
                    self.onset = time.perf_counter()
            try:
                os.write(self.pipe, frame)
            except BrokenPipeError:  # the session is over
                return
            due += 0.02
            time.sleep(max(0, due - time.perf_counter()))

    def say(self, samples):
        data = samples.tobytes()
        with self.lock:
            self.said = [data[i:i + 640].ljust(640, b"\0") for i in range(0, len(data), 640)]
            self.onset = "next"

    def play(self, seconds=4):
        """Have an answer played, and return once it has been heard for a second."""
        self.server.say()
        for _ in range(seconds * 10):
            self.server.readout.send_audio(struct.pack("<h", LOUD) * 2400)
        self.server.finish_turn()
        start = len(self.speaker.samples)
        deadline = time.perf_counter() + 5
        while len(self.speaker.samples) - start < 24_000:
            if time.perf_counter() > deadline:
                sys.exit("the client did not play the answer")
            time.sleep(0.005)

    def silence(self):
        """Let what is left run off, so that the next attempt begins afresh."""
        os.write(self.keys, b"\x1b")
        time.sleep(0.5)

    def close(self):
        # Once more, where it says that something was not answered.
        for _ in range(2):
            os.write(self.keys, b"q")
            try:
                self.process.wait(1)
                break
            except subprocess.TimeoutExpired:
                continue
        self.process.wait(20)
        self.stop.set()
        time.sleep(0.05)
        os.close(self.pipe)


def show(name, values, limit):
    print(f"{name:<44} {', '.join(f'{value:.0f}' for value in values)} ms; median {statistics.median(values):.0f} "
          f"(at most {limit})")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--attempts", type=int, default=5)
    options = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="parley-interruption-")
    make_identity(folder)
    with wave.open(RECORDING) as file:
        words = array.array("h", file.readframes(file.getnframes()))
    first = next(index for index, sample in enumerate(words) if abs(sample) > 500)
    words = words[first:]

    session = Session(options.parley, folder, "model")
    quiet, lowered = [], []
    for attempt in range(options.attempts):
        session.play()
        before, pressed = len(session.speaker.samples), time.perf_counter()
        os.write(session.keys, b"\x1b")
        time.sleep(0.5)
        last = next((m for m, count in reversed(session.speaker.reads) if count > before), pressed)
        quiet.append((len(session.speaker.samples) - before) / 24 if last > pressed else 0)
    for attempt in range(options.attempts):
        session.play()
        before, marked = len(session.speaker.samples), time.perf_counter()
        session.server.listener.send({"voiceActivity": {"type": "ACTIVITY_START"}})
        time.sleep(0.3)
        index = session.speaker.first_lowered(before)
        if index is None:
            sys.exit("the client did not lower its voice")
        lowered.append((session.speaker.time_of(index) - marked) * 1000)
        session.silence()
        session.server.listener.send({"voiceActivity": {"type": "ACTIVITY_END"}})
    session.close()

    session = Session(options.parley, folder, "vad")
    heard, decided, resumed = [], [], 0
    for attempt in range(options.attempts):
        session.play(seconds=6)
        before = len(session.speaker.samples)
        session.say(words[: 16_000 * 2])
        time.sleep(2.5)
        index = session.speaker.first_lowered(before)
        if index is None:
            sys.exit("the client did not lower its voice for the user's")
        heard.append((session.speaker.time_of(index) - session.onset) * 1000)
        last = next(m for m, count in reversed(session.speaker.reads) if count > index)
        decided.append((last - session.speaker.time_of(index)) * 1000)
        session.silence()
        session.server.listener.send({"serverContent": {"turnComplete": True}})
    for attempt in range(options.attempts):
        session.play(seconds=6)
        session.say(words[: 16_000 * 3 // 10])
        time.sleep(2)
        tail = session.speaker.samples[-2_400:]
        recent = session.speaker.reads[-1][0] > time.perf_counter() - 0.2
        resumed += recent and statistics.median(tail) >= LOUD * 0.9
        session.silence()
        session.server.listener.send({"serverContent": {"turnComplete": True}})
    session.close()

    show("key press to silence", quiet, 50)
    show("server's mark to lowered voice", lowered, 60)
    show("first sample of the user's voice to lowered", heard, 400)
    show("lowered to silent", decided, 550)
    print(f"{'a sound of 0.3 s: speech went on':<44} {resumed} of {options.attempts}")


main()
