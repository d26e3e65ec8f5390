#!/usr/bin/env python3
"""How much memory the speech engine takes. Standard library only; Linux.

Speaks sentences that grow to the longest that anybody writes, and some of the longest words, hears each of them back, and then hears
5 to 28 s of them at once. Prints what is resident and the peak of each step, in MB, and the highest of all.

Usage: memory.py PARLEY [--show]
"""
import argparse, array, csv, itertools, struct, subprocess
from pathlib import Path

SPEAK, RECOGNISE = 2, 1
READY, UNAVAILABLE, TEXT, AUDIO, FINISHED, FAILED = 4, 5, 6, 7, 8, 9
LONG_WORDS = ["internationalisation-configuration " * 12, "internationalisation" * 15]


class Engine:
    def __init__(self, parley):
        self.child = subprocess.Popen([parley, "speech-engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.request, self.highest = 0, 0
        for _ in range(2):
            kind = None
            while kind not in (READY, UNAVAILABLE):
                kind, _, content = self.receive()
            if kind == UNAVAILABLE:
                raise SystemExit(content.decode())

    def receive(self):
        length, = struct.unpack("<I", self.child.stdout.read(4))
        message = self.child.stdout.read(length)
        return message[0], struct.unpack("<I", message[1:5])[0], message[5:]

    def ask(self, kind, content):
        """The sound that came of it, and what is resident and was at the peak."""
        with open(f"/proc/{self.child.pid}/clear_refs", "w") as file:
            file.write("5")
        self.request += 1
        self.child.stdin.write(struct.pack("<IBI", len(content) + 5, kind, self.request) + content)
        self.child.stdin.flush()
        sound = array.array("h")
        while True:
            answer, request, content = self.receive()
            if answer == AUDIO:
                sound.frombytes(content)
            elif request == self.request and answer in (TEXT, FINISHED, FAILED):
                break
        if answer == FAILED:
            raise SystemExit(content.decode())
        with open(f"/proc/{self.child.pid}/status") as file:
            sizes = dict(line.split(":", 1) for line in file if line.startswith("Vm"))
        resident, peak = (int(sizes[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
        self.highest = max(self.highest, peak)
        return sound, f"{resident:4} {peak:4}"

    def speak(self, text):
        return self.ask(SPEAK, struct.pack("<f", 1) + text.encode())

    def hear(self, sound):
        """Sound of 16 kHz, as a whole turn."""
        return self.ask(RECOGNISE, b"\0" + sound.tobytes())[1]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--show", action="store_true", help="print each step")
    options = arguments.parse_args()
    with open(Path(__file__).resolve().parent / "hearing" / "sentences.tsv") as table:
        sentences = [row[1].replace("{", "").replace("}", "") for row in csv.reader(table, delimiter="\t") if row[0] == "plain"]
    # Of one sentence to eight without a full stop between them.
    words = itertools.cycle(" ".join(sentences).split())
    texts = [" ".join(itertools.islice(words, 8 * length)) + "." for length in range(1, 9) for _ in range(3)] + LONG_WORDS
    engine = Engine(options.parley)
    heard = array.array("h")
    for text in texts:
        sound, spoken = engine.speak(text)
        # 24 to 16 kHz: two samples of three.
        sound = array.array("h", (sound[index * 3 // 2] for index in range(len(sound) * 2 // 3)))
        heard += sound
        back = engine.hear(sound[:16_000 * 28])
        if options.show:
            print(f"{len(text):4} characters, {len(sound) / 16_000:5.1f} s: spoken {spoken}, heard {back}", flush=True)
    for seconds in (5, 10, 20, 28):
        back = engine.hear(heard[:16_000 * seconds])
        if options.show:
            print(f"{seconds} s at once: heard {back}", flush=True)
    print(f"{engine.highest} MB at the peak, {back.split()[0]} MB in the end", flush=True)
    engine.child.stdin.close()
    engine.child.wait()


if __name__ == "__main__":
    main()
