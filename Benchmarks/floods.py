#!/usr/bin/env python3
"""What a flood costs: an agent that writes, or a live model that transcribes, without ever ending a sentence.

usage: floods.py PARLEY [PIECES]     (5,000 pieces of five characters unless told)

Each flood is tried with N, 2 N and 4 N pieces: twice the pieces may take little more than twice the time. Then the user
halts, and the system asks the process to end, in the middle of 40 N pieces. Exits with 1 if a limit is broken.
"""

import base64
import hashlib
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

# Of 4 N to N: 4 is linear, 16 is not. The start and the end of a session are in neither.
LIMIT_RATIO = 6
# A process also waits for its agent, up to 3 s: see docs/limits.md.
LIMIT_SECONDS = {"halt": 1, "SIGTERM": 6}
KINDS = {"letters": "abcde", "words": "word ", "a row": "| a |", "a fence": "```ab", "white space": "     ",
         "marks": "a\u0301\u0301\u0301\u0301"}


def agent():
    """The Agent Client Protocol, as far as it is needed here: a prompt says how many pieces of what are written."""
    def send(message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    for line in sys.stdin:
        message = json.loads(line)
        method, identifier = message.get("method"), message.get("id")
        if method == "initialize":
            send({"id": identifier, "result": {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}})
        elif method == "session/new":
            send({"id": identifier, "result": {"sessionId": "s"}})
        elif method == "session/prompt":
            text = "".join(block.get("text", "") for block in message["params"]["prompt"])
            words = [word for word in text.split() if word.startswith("flood:")][0].split(":")
            chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": KINDS[
                words[2].replace("_", " ")]}}
            row = json.dumps({"jsonrpc": "2.0", "method": "session/update",
                              "params": {"sessionId": "s", "update": chunk}}) + "\n"
            for _ in range(int(words[1]) // 100):
                sys.stdout.write(row * 100)
            send({"id": identifier, "result": {"stopReason": "end_turn"}})


class LiveModel:
    """Answers the setup of each connection; the listener gets as many pieces of transcript as wanted, then a proposal."""

    def __init__(self):
        self.pieces = 0
        self.began = 0.0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(4096)
            key = [line.split(b":")[1].strip() for line in head.split(b"\r\n")
                   if line.lower().startswith(b"sec-websocket-key")][0]
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            first = connection.recv(1 << 16)
            while len(first) < 200:
                first += connection.recv(1 << 16)
            connection.sendall(self.frame({"setupComplete": {}}))
            time.sleep(0.5)
            if self.pieces:
                self.began = time.monotonic()
                piece = self.frame({"serverContent": {"inputTranscription": {"text": "abcd "}}})
                for _ in range(self.pieces // 100):
                    connection.sendall(piece * 100)
                call = {"id": "c", "name": "converse", "args": {"instruction": "run the tests"}}
                connection.sendall(self.frame({"toolCall": {"functionCalls": [call]}}))
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass

    @staticmethod
    def frame(message):
        data = json.dumps(message).encode()
        size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
        return b"\x81" + size + data


class Session:
    """The program, with a pipe as microphone that says nothing."""

    def __init__(self, parley, live, mode="direct"):
        self.home = tempfile.TemporaryDirectory()
        pipe = os.path.join(self.home.name, "microphone")
        os.mkfifo(pipe)
        self.microphone = os.open(pipe, os.O_RDWR)
        self.process = subprocess.Popen(
            [parley, "run", "--mode", mode, "--live", f"ws://127.0.0.1:{live.port}", "--microphone", pipe, "--speaker",
             "none", "--agent", f"acp:{sys.executable} {os.path.abspath(__file__)} --agent", "--display", "json",
             "--working-folder", self.home.name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=dict(os.environ, HOME=self.home.name, GEMINI_API_KEY="none", XDG_STATE_HOME=self.home.name))
        self.wait('"listening"', '"agentReady"')

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, *words):
        missing = set(words)
        while missing:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the session ended before it said {missing}")
            missing -= {word for word in missing if word in line}
        return time.monotonic()

    def end(self):
        self.process.kill()
        self.process.communicate()
        os.close(self.microphone)
        self.home.cleanup()


def answer(parley, kind, count):
    session = Session(parley, LiveModel())
    begin = time.monotonic()
    session.say(f"say flood:{count}:{kind.replace(' ', '_')}")
    seconds = session.wait('"runEnded"') - begin
    session.end()
    return seconds


def transcript(parley, count):
    live = LiveModel()
    live.pieces = count
    session = Session(parley, live, mode="review")
    seconds = session.wait('"held"') - live.began
    session.end()
    return seconds


def stop(parley, count, act):
    """How long it takes until a halt is obeyed, or until a signal has ended the process, in the middle of a flood."""
    session = Session(parley, LiveModel())
    session.say(f"say flood:{count}:letters")
    session.wait('"agentText"')
    time.sleep(1)
    begin = time.monotonic()
    if act == "halt":
        session.say("halt")
        seconds = session.wait('"halting"') - begin
    else:
        session.process.send_signal(signal.SIGTERM)
        threading.Thread(target=session.process.stdout.read, daemon=True).start()
        session.process.wait()
        seconds = time.monotonic() - begin
    session.end()
    return seconds


def main():
    parley = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    isBroken = False
    floods = [(f"an answer of {kind}", lambda n, kind=kind: answer(parley, kind, n)) for kind in KINDS]
    floods.append(("a transcript", lambda n: transcript(parley, n)))
    for name, flood in floods:
        times = [flood(count * factor) for factor in (1, 2, 4)]
        ratio = times[2] / max(times[0], 0.05)
        isBroken |= ratio > LIMIT_RATIO
        shown = ", ".join(f"{seconds:.2f} s" for seconds in times)
        print(f"{name}: {count}, {2 * count}, {4 * count} pieces in {shown}; 4 times the pieces in {ratio:.1f} times "
              f"the time (at most {LIMIT_RATIO})", flush=True)
    for act in ("halt", "SIGTERM"):
        seconds = stop(parley, 40 * count, act)
        isBroken |= seconds > LIMIT_SECONDS[act]
        print(f"{act} in the middle of {40 * count} pieces: {seconds:.2f} s (at most {LIMIT_SECONDS[act]} s)",
              flush=True)
    sys.exit(isBroken)


if sys.argv[1:2] == ["--agent"]:
    agent()
else:
    main()
