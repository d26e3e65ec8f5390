#!/usr/bin/env python3
"""A double of the program that holds a session by the book, or lies as the variable LIE says."""

import base64, json, os, resource, select, shlex, signal, socket, struct, subprocess, sys, time, urllib.parse, wave

LIE = os.environ.get("LIE", "")
OPTIONS = dict(zip(sys.argv[2::2], sys.argv[3::2]))


class Link:
    """A WebSocket client, as small as it can be."""

    def __init__(self, address):
        split = urllib.parse.urlsplit(address)
        self.plain = socket.create_connection((split.hostname, split.port), 10)
        self.plain.sendall(
            (
                f"GET /ws/x.BidiGenerateContent HTTP/1.1\r\nHost: {split.netloc}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.plain.recv(4096)
        self.bytes = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.send(
            {
                "setup": {
                    "model": "models/gemini-live",
                    "tools": [{"functionDeclarations": [{"name": "converse"}]}],
                    "realtimeInputConfig": {"automaticActivityDetection": {"silenceDurationMs": 400}},
                }
            }
        )

    def send(self, message):
        data = json.dumps(message).encode()
        head = bytes([0x81]) + (
            bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack(">BH", 0x80 | 126, len(data))
        )
        self.plain.sendall(head + bytes(4) + data)

    def calls(self):
        """Calls that have come."""
        found = []
        while select.select([self.plain], [], [], 0.02)[0]:
            data = self.plain.recv(65536)
            if not data:
                break
            self.bytes += data
        while len(self.bytes) >= 4:
            size, place = self.bytes[1] & 127, 2
            if size > 125:
                place = 4 if size == 126 else 10
                size = int.from_bytes(self.bytes[2:place], "big")
            if len(self.bytes) < place + size:
                break
            message, self.bytes = json.loads(self.bytes[place : place + size] or b"{}"), self.bytes[place + size :]
            found += message.get("toolCall", {}).get("functionCalls", [])
        return found


def show(**notice):
    print(json.dumps({"notice": notice}, separators=(",", ":")), flush=True)


def write(name, value):
    with open(os.path.join(OPTIONS["--session"], name), "a") as file:
        file.write(json.dumps(value) + "\n")


def hold():
    os.makedirs(OPTIONS["--session"], exist_ok=True)
    agent = subprocess.Popen(
        shlex.split(OPTIONS["--agent"].split(":", 1)[1]), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    for _ in range(60 if LIE == "storm" else 1):
        link = Link(OPTIONS["--live"])
    show(listening={"resumed": False})
    with wave.open(OPTIONS["--microphone"]) as file:
        data = file.readframes(file.getnframes())
    if LIE == "truncated":
        # The second half of the first utterance is not sent.
        data = data[: 9_600 + 24_000] + bytes(len(data) - 9_600 - 24_000)
    number = 0
    for place in range(0, len(data), 640):
        link.send(
            {
                "realtimeInput": {
                    "audio": {
                        "mimeType": "audio/pcm;rate=16000",
                        "data": base64.b64encode(data[place : place + 640]).decode(),
                    }
                }
            }
        )
        time.sleep(0.005)
        for call in link.calls() if place % 6400 == 0 or place + 640 >= len(data) else []:
            link.send(
                {
                    "toolResponse": {
                        "functionResponses": [{"id": call["id"], "name": call["name"], "response": {"result": "ok"}}]
                    }
                }
            )
            number += 1
            take(call["args"]["instruction"], number, agent)
    if LIE == "told":
        show(warning={"text": "Nothing came of what you said. Say it again."})
    agent.stdin.close()
    agent.wait()


def take(text, number, agent):
    if LIE in ("lost", "told"):
        return
    instruction = {"id": number, "text": text, "source": "voice"}
    write("ledger.jsonl", {"proposed": {"instruction": instruction}})
    if LIE == "held":
        return write("ledger.jsonl", {"held": {"instruction": number}})
    for _ in range(2 if LIE == "doubled" else 1):
        write("ledger.jsonl", {"entered": {"instruction": instruction, "run": number}})
        agent.stdin.write(
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "method": "session/prompt",
                    "params": {"prompt": [{"type": "text", "text": "invented" if LIE == "invented" else text}]},
                }
            ).encode()
            + b"\n"
        )
        agent.stdin.flush()


def main():
    if LIE == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if LIE in ("hang", "deaf"):
        time.sleep(600)
    if LIE == "heavy":
        kept = bytearray(700 << 20)
        kept[::4096] = bytes(len(kept[::4096]))
    if LIE == "through a link":
        with open(os.path.join(OPTIONS["--session"], "microphone.wav"), "wb") as file:
            file.write(b"overwritten")
    hold()
    if LIE == "silent":
        sys.exit(69)
    if LIE == "said why":
        sys.exit("parley: the live model is gone.")
    if LIE == "segmentation fault":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), signal.SIGSEGV)
    if LIE == "fatal error":
        sys.exit("Fatal error: Index out of range")
    if LIE == "sanitizer":
        sys.stderr.write("==1==ERROR: AddressSanitizer: heap-buffer-overflow\n")


main()
