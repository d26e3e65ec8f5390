#!/usr/bin/env python3
"""Makes real sessions of every kind with `parley run` and replays each in both gears.

A line a session: its kind, what `parley replay --against log` says of it, and what `parley replay` says. Ends with 1 if
one was not made as it was meant, differs, or could not be replayed. Standard library only.

  --parley PATH     the program; .build/debug/parley by default
  --only PATTERN    only kinds in which this regular expression is found
  --sample K/N      every Nth kind, beginning with the Kth
  --jobs N          sessions at once
  --keep FOLDER     leave the sessions there
  --list            only name the kinds
"""

import argparse
import concurrent.futures
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import wave

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(TESTS)
RECORDINGS = PROJECT + "/audio-fixtures/recordings/"
ACP = f"acp:{sys.executable} {TESTS}/servers/scripted_acp_agent.py"
RATE = 16000
SHORT, OTHER, NOISE = "cmd_no_flite_rms.wav", "cmd_yes_flite_rms.wav", "nonspeech_keyboard_fan.wav"
# A machine that does ten things at once needs several times as long as one that does one: a connection that lasts for seconds is
# lost before it has brought anything.
PATIENCE = 90


def sound(*parts):
    """Raw PCM of recordings and of milliseconds of silence."""
    data = b""
    for part in parts:
        if isinstance(part, str):
            with wave.open(RECORDINGS + part) as file:
                data += file.readframes(file.getnframes())
        else:
            data += bytes(2 * RATE * part // 1000)
    return data


def trimmed(name):
    """A recording that ends within its last word: everything below speech at its end is cut off."""
    data = sound(name)
    samples = struct.unpack(f"<{len(data) // 2}h", data)
    end = max(i for i, sample in enumerate(samples) if abs(sample) > 1500)
    return data[:2 * end]


class Session:
    """One kind of session. A step is (what the display must have said, what is done then): each waits for its words behind
    those of the step before. `codes` are the exit codes that it may end with; None for any."""

    def __init__(self, kind, said=(SHORT, 300), *, server=(), steps=(), arguments=(), agent="echo", mode="direct",
                 config=None, source="wav", pace="fast", before=None, folder=None, terminal=False,
                 live=None, http=None, codes=(0,)):
        self.kind, self.said, self.server, self.steps = kind, said, list(server), list(steps)
        self.arguments, self.agent, self.mode, self.config = list(arguments), agent, mode, config
        self.source, self.pace, self.before, self.folder = source, pace, before, folder
        self.terminal, self.live, self.http, self.codes = terminal, live, http, codes


def say(*texts):
    return [argument for text in texts for argument in ("--instruction", text)]


KILL, TERM, SUSPEND, CUT = object(), object(), object(), object()
# What is decided was seen before: seconds.
LOOK = 0.9
DECISIONS = ("approve", "reject", "choose", "answer", "steer", "amend")
MARKS = ["--voice-activity"]
QUICK = ["--ms-per-character", "8", "--silence-ms", "300"]
SLOW = ["--ms-per-character", "120", "--silence-ms", "300"]


def review(kind, *steps, **more):
    """A held instruction that is decided by lines."""
    more.setdefault("server", say("run the tests"))
    return Session(kind, mode="review", steps=[('"held"', None), *steps], **more)


def asked(kind, word, *steps, agent=ACP, **more):
    """What an agent asks is decided by lines."""
    more.setdefault("server", say(word))
    return Session(kind, agent=agent, steps=steps, **more)


def sessions():
    two = (SHORT, 1500, OTHER, 300)
    noise = (NOISE,)
    yield Session("direct, echo")
    yield Session("direct, real pace", pace="real")
    yield Session("direct, marks of the server", server=MARKS)
    yield Session("direct, client's turn detection", arguments=["--turn-detection", "client"])
    yield Session("direct, client, real pace", arguments=["--turn-detection", "client"], pace="real")
    yield Session("direct, late transcript", server=["--late-transcript"])
    yield Session("direct, transcript word by word", server=["--fragments"] + say("what is going on here today"))
    yield Session("direct, transcript and instruction disagree",
                  server=say("delete everything there is") + ["--transcript", "what is the weather like"],
                  steps=[('"held"', "approve")])
    yield Session("direct, transcript twice", server=["--fault", "duplicate-transcript"])
    yield Session("recording ends within a word", said=trimmed)
    yield Session("recording ends within a word, marks", said=trimmed, server=MARKS)
    yield Session("recording ends within a word, real pace", said=trimmed, pace="real")
    yield Session("recording ends within a word, client", said=trimmed, arguments=["--turn-detection", "client"])
    yield Session("recording ends 300 ms behind the word", said=(OTHER, 100), pace="real")
    yield Session("two utterances", said=two, server=say("first thing", "second thing"), pace="real")
    yield Session("two utterances, fast", said=two, server=say("first thing", "second thing"))
    yield Session("three utterances, client", said=(SHORT, 1200, OTHER, 1200, SHORT),
                  server=say("one", "two", "three"), arguments=["--turn-detection", "client"])
    yield Session("noise only", said=noise)
    yield Session("noise only, client", said=noise, arguments=["--turn-detection", "client"])
    yield Session("silence only", said=(800,))
    yield Session("empty pipe", said=(), source="stdin")
    yield Session("long answer interrupted", said=(SHORT, 2500, OTHER, 300), pace="real",
                  server=MARKS + SLOW + say("tell me everything about the build", "show me the diff"))
    yield Session("answer interrupted by the server's word", said=two, pace="real",
                  server=SLOW + ["--fault", "phantom-interrupted"] + say("tell me everything", "and more"))
    yield Session("self-correction", server=say("open the readme, no, I mean open the license"), codes=(75,))
    yield Session("taken back, perhaps", server=say("open the readme, no wait, open the license"), codes=(75,))
    yield Session("asks back", server=say("@ask"))
    yield Session("unknown tool", server=say("@unknown"))
    # A server that ends no turn has answered nothing.
    yield Session("nothing understood", server=say("@none"), codes=(69,))
    yield Session("spoken stop, nothing runs", server=say("@stop"))
    yield Session("spoken stop of a run", said=(SHORT, 1500, OTHER, 300), pace="real", agent=ACP,
                  server=say("slow", "@stop"))
    yield Session("project names", folder="names", agent="guide",
                  server=say("open the session recorder file in plan dot swift"))
    yield Session("no project names", server=say("open the files"), config="interaction: { projectWords: false }")
    # Where the sound comes from.
    yield Session("FIFO", source="fifo")
    yield Session("FIFO, writer stalls", source="fifo-stall", pace="real")
    yield Session("FIFO, silent and then a burst", source="fifo-burst", said=("d06_flite_slt.wav", 3000))
    yield Session("standard input", source="stdin")
    yield Session("standard input, client", source="stdin", arguments=["--turn-detection", "client"])
    yield Session("raw file", source="raw")
    yield Session("raw file, client", source="raw", arguments=["--turn-detection", "client"])
    yield Session("speaker is a file", arguments=["--speaker", "{home}/speaker.wav"], pace="real")
    # Decisions.
    yield review("review, approved", (None, "approve"))
    yield review("review, approved at once", (None, "approve"), pace="real")
    yield review("review, rejected with a reason", (None, "reject not now"))
    yield review("review, amended", (None, "amend run all the tests"), ('"amended"', "approve"))
    yield review("review, nobody decides", codes=(75,))
    yield review("review, explained and heard again", (None, "explain"), (None, "again"), ('"explained"', "approve"))
    yield review("review, extended by voice", (None, "extend"), ('"amended"', "approve"), pace="real",
                 said=(SHORT, 2500, OTHER, 300), server=say("run the tests", "and then push"))
    yield review("review, next and previous", (None, "next"), ('"selected"', "previous"), (None, "reject"),
                 (None, "approve"), said=two, server=say("first thing", "second thing"))
    yield review("review, mode switched", (None, "mode direct"), (None, "approve"), ('"approved"', "say and go on"),
                 ('"runEnded"', None))
    yield review("review, approved by voice", said=(SHORT, 2500, OTHER, 300), pace="real",
                 server=QUICK + say("run the tests", "approve"))
    yield review("review, commands that make no sense", (None, "choose 3"), (None, "answer red"), (None, "steer"),
                 (None, "approve"), (None, "approve"))
    # The server makes an instruction of the noise, about which nobody decides.
    yield Session("typed instruction", said=noise, mode="review", codes=(0, 75),
                  steps=[('"listening"', "say run the tests"), ('"held"', "approve")])
    yield Session("typed, direct", said=noise, steps=[('"listening"', "say run the tests"), ('"runEnded"', "say again")])
    yield Session("listening off and on", pace="real", said=(400, SHORT, 300),
                  steps=[('"listening"', "listen off"), (None, "listen on")])
    yield Session("microphone closed from the start", pace="real", config="interaction: { listenFromStart: false }",
                  steps=[('"connected"', "say hello")])
    yield Session("rate, skip and back", server=SLOW + say("flood 30"), agent=ACP,
                  steps=[('"agentText"', "faster"), (None, "slower"), (None, "skip"), (None, "back"), (None, "quiet")])
    yield Session("quiet", server=SLOW + say("tell me all about the build"), steps=[('"agentText"', "quiet")])
    yield Session("quit while running", server=say("slow"), agent=ACP,
                  steps=[('"agentText"', "quit"), (None, 0.3), (None, "quit")])
    yield Session("ended by a signal", server=say("slow"), agent=ACP, steps=[('"agentText"', TERM)],
                  codes=(75,))
    yield Session("ended by a signal at the start", steps=[('"session"', TERM)], codes=(0, 69, -15), said=noise)
    # Agents.
    yield Session("guide", agent="guide", server=say("how many files are there"))
    yield Session("guide, reads", agent="guide", server=say("read the readme"))
    yield asked("permission allowed", "permission", ('"content":{"permission"', "approve"))
    yield asked("permission denied", "permission", ('"content":{"permission"', "reject too dangerous"))
    yield asked("permission, first answer", "permission", ('"content":{"permission"', "choose 1"))
    yield asked("permission, fourth answer", "permission", ('"content":{"permission"', "choose 4"))
    yield asked("permission, third answer", "permission", ('"content":{"permission"', "choose 3"))
    yield asked("permission, nobody decides", "permission", codes=(75,))
    yield asked("permission withdrawn", "withdraw")
    yield asked("tools", "tool")
    yield asked("halt", "slow", ('"agentText"', "halt"))
    yield asked("halt, another end", "wrong-stop", ('"agentText"', "halt"))
    yield asked("halt twice", "deaf", ('"agentText"', "halt"), ('"halting"', "halt"))
    yield asked("agent dies", "die", codes=(69,))
    yield asked("agent dies with a queue", "die", said=two,
                server=say("die", "text"), pace="real", codes=(69,))
    yield asked("agent fails", "fail 7", codes=(69,))
    yield asked("agent refuses", "stop refusal", codes=(69,))
    yield asked("agent goes on after its end", "late")
    yield asked("long answer", "flood 60", server=["--ms-per-character", "1", "--silence-ms", "300"] + say("flood 60"))
    yield Session("agent cannot start", agent=ACP + " --die-at-start", codes=(69,))
    yield Session("agent never answers", agent=ACP + " --silent", steps=[('"runStarted"', "halt"), ('"halting"', "halt")],
                  codes=(0, 69, 75))
    yield asked("queued behind a run", "slow", ('"runStarted"', "say text"), ('"queued"', "halt"), ('"held"', "approve"),
                ('"runStarted"', None))
    yield asked("halts for the next", "slow", ('"agentText"', "say text"), arguments=["--during-run", "halt"])
    yield asked("question, by number", "question", ('"content":{"question"', "choose 2"), agent="scripted:codex",
                codes=(75,))
    yield asked("question, in words", "question", ('"content":{"question"', "answer green"), agent="scripted:claude",
                codes=(75,))
    yield asked("question, declined", "question", ('"content":{"question"', "reject"), agent="scripted:codex")
    yield asked("steered", "slow", ('"agentText"', "say text"), agent="scripted:codex",
                arguments=["--during-run", "steer"])
    yield asked("Claude's permission", "permission", ('"content":{"permission"', "approve"), agent="scripted:claude")
    yield asked("Codex's permission", "permission", ('"content":{"permission"', "choose 2"), agent="scripted:codex")
    for kind, word, steps in [("hello", "hello", ()), ("broken", "broken", ()), ("cut", "cut", ()),
                              ("refused", "503", ()), ("asks", "ask", (('"content":{"permission"', "approve"),))]:
        failed = kind in ("broken", "cut", "refused")
        yield Session(f"HTTP, {kind}", http="ui-messages /ui", server=say(word), steps=steps,
                      codes=(69,) if failed else (0,))
    for kind in ("chat /v1", "duck-talk", "gemini-mobile", "page-space #page-1", "better #gemini-test", "a2a /a2a"):
        yield Session(f"HTTP, {kind.split()[0]}", http=kind, server=say("hello"))
    yield Session("HTTP, halt", http="chat /v1", server=say("stall"), steps=[('"agentText"', "halt")])
    # Connections.
    yield Session("connection announced and cut", said=(SHORT, 3500, OTHER, 300), pace="real",
                  server=say("first", "second") + ["--goaway-after", "4", "--cut-after", "1"])
    yield Session("connection rotated", said=(SHORT, 3500, OTHER, 300), pace="real",
                  server=say("first", "second") + ["--goaway-after", "4", "--cut-after", "8"])
    yield Session("handles refused", said=(SHORT, 3500, OTHER, 300), pace="real",
                  server=say("first", "second") + ["--goaway-after", "4", "--cut-after", "1", "--fault", "refuse-handles"])
    yield Session("readout cut", server=["--fault", "cut-first-readout"] + SLOW)
    yield Session("readout silent", server=["--fault", "silent-first-readout"])
    yield Session("malformed messages", server=["--fault", "malformed"])
    yield Session("no end of turns", server=["--fault", "no-turn-complete"])
    yield Session("nobody answers the setup", server=["--fault", "no-setup-complete"],
                  steps=[('"linkLost"', "quit")], said=noise)
    yield Session("key refused", server=["--key", "another"], codes=(69,))
    yield Session("no server", live="ws://127.0.0.1:9/", steps=[('"linkLost"', "quit")], codes=(0, 69))
    yield Session("server dies", pace="real", said=(SHORT, 6000), steps=[('"runEnded"', CUT), ('"linkLost"', "quit")])
    yield Session("server dies within a word", pace="real", said=("d06_flite_slt.wav", 2000),
                  steps=[('"listening"', 1.5), (None, CUT), ('"linkLost"', "quit")])
    yield Session("suspended while hearing", pace="real", said=("d06_flite_slt.wav", 500), codes=None,
                  steps=[('"listening"', 1.0), (None, SUSPEND)])
    yield Session("suspended in a run", server=say("slow"), agent=ACP, codes=None,
                  steps=[('"agentText"', SUSPEND), (None, "halt")])
    # Crashes, and the sessions behind them.
    yield Session("killed in a run", server=say("slow"), agent=ACP, steps=[('"agentText"', KILL)], codes=(-9,))
    yield Session("killed while held", mode="review", steps=[('"held"', KILL)], codes=(-9,))
    yield Session("killed while hearing", pace="real", steps=[('"listening"', 0.8), (None, KILL)], codes=(-9,))
    crashed = Session("", mode="review", server=say("push it"), steps=[('"held"', KILL)], codes=(-9,))
    yield Session("left over, approved by key", before=crashed, terminal=True, said=noise, pace="real",
                  steps=[("push it", 1.0), (None, "a"), ("sent", None)])
    yield Session("left over, rejected by key", before=crashed, terminal=True, said=noise, pace="real",
                  steps=[("push it", 1.0), (None, "r"), ("rejected", None)])
    yield Session("left over, only told", before=crashed, said=noise)
    yield Session("keys: approve", terminal=True, mode="review", pace="real",
                  steps=[("held", 1.0), (None, "a"), ("sent", None)])
    yield Session("keys: reject with a reason", terminal=True, mode="review", pace="real",
                  steps=[("held", 1.0), (None, "R"), (None, 1.2), (None, "later\r"), ("rejected", None)])
    yield Session("keys: a name is taught", terminal=True, mode="review", pace="real", server=say("open plan swift"),
                  steps=[("held", 1.0), (None, "e"), (None, 1.2), (None, " dot com\r"), (None, 1.5),
                         (None, "a"), ("sent", None)])
    if os.path.isdir(os.path.expanduser(os.environ.get("PARLEY_SPEECH_HOME", "~/.local/share/parley/speech"))):
        yield Session("local speech", live="local", said=("d06_flite_slt.wav", 1000), pace="real")
        yield Session("local speech, ends within a word", live="local", pace="real",
                      said=lambda _: trimmed("d04_flite_slt.wav"))
        yield Session("local speech, review by voice", live="local", mode="review", pace="real",
                      said=("d04_flite_slt.wav", 9000, "cmd_approve_espeak_us.wav", 1200))


class Child:
    """A running program, its output by and by."""

    def __init__(self, command, environment, terminal=False, stdin=subprocess.PIPE):
        self.text, self.place, self.master = "", 0, None
        self.changed = threading.Condition()
        if terminal:
            self.master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            self.process = subprocess.Popen(command, env=environment, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL,
                                            start_new_session=True)
            os.close(slave)
            self.output = self.master
        else:
            self.process = subprocess.Popen(command, env=environment, stdin=stdin, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
            self.output = self.process.stdout.fileno()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                data = os.read(self.output, 65536)
            except OSError:
                data = b""
            with self.changed:
                self.text += data.decode("utf-8", "replace")
                self.is_over = not data
                self.changed.notify_all()
            if not data:
                return

    is_over = False

    def wait_for(self, words):
        """Wait until the words come behind those that were waited for before; False if they never do."""
        with self.changed:
            self.changed.wait_for(lambda: self.text.find(words, self.place) >= 0 or self.is_over, timeout=PATIENCE)
            found = self.text.find(words, self.place)
            if found >= 0:
                self.place = found + len(words)
            return found >= 0

    def write(self, text):
        try:
            if self.master is not None:
                os.write(self.master, text.encode())
            else:
                self.process.stdin.write((text + "\n").encode())
                self.process.stdin.flush()
        except OSError:
            pass

    def close_input(self):
        if self.master is None and self.process.stdin:
            try:
                self.process.stdin.close()
            except OSError:
                pass


class Maker:
    def __init__(self, options, root):
        self.parley, self.root = os.path.abspath(options.parley), root

    def environment(self, home):
        speech = os.environ.get("PARLEY_SPEECH_HOME", os.path.expanduser("~/.local/share/parley/speech"))
        return {"HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "PATH": os.environ["PATH"],
                "LANG": "C.UTF-8", "TERM": "xterm-256color", "PARLEY_SPEECH_HOME": speech, "SWIFT_BACKTRACE": "enable=no"}

    def microphone(self, session, home):
        """The program's argument, and what feeds it, if something does."""
        data = session.said(SHORT) if callable(session.said) else sound(*session.said)
        path = home + "/said.raw"
        if session.source == "wav":
            path = home + "/said.wav"
            with wave.open(path, "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes(data)
            return path, None
        if session.source == "raw":
            with open(path, "wb") as file:
                file.write(data)
            return path, None
        pause = {"fifo-stall": 0.6, "fifo-burst": 2.0}.get(session.source, 0.02)
        # What comes behind the pause comes at once.
        rest = len(data) if session.source == "fifo-burst" else 640

        def feed(write):
            place = 0
            while place < len(data):
                size = rest if place > 16000 else 640
                write(data[place:place + size])
                time.sleep(pause if place == 16000 else 0.02)
                place += size

        if session.source == "stdin":
            return "-", feed
        os.mkfifo(path)

        def write_all():
            descriptor = os.open(path, os.O_WRONLY)
            try:
                feed(lambda piece: os.write(descriptor, piece))
            except OSError:
                pass
            os.close(descriptor)

        return path, write_all

    def agent(self, session, home, started):
        if session.http:
            server = subprocess.Popen([sys.executable, TESTS + "/servers/http_agents.py"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=home)
            started.append(server)
            kind, _, place = session.http.partition(" ")
            return f"{kind}:http://127.0.0.1:{int(server.stdout.readline())}{place}"
        if session.agent.startswith("scripted:"):
            language = session.agent.split(":")[1]
            path = home + "/" + language
            with open(path, "w") as file:
                file.write(f'#!/bin/sh\nexec {sys.executable} {TESTS}/servers/scripted_agents.py {language} "$@"\n')
            os.chmod(path, 0o755)
            return f"{language}:{path}"
        return session.agent

    def make(self, session, home, folder):
        """Hold the session. Returns what went otherwise than it was meant; None if nothing did."""
        os.makedirs(home + "/work", exist_ok=True)
        if session.folder == "names":
            for name in ("SessionRecorder.swift", "Plan.swift", "InteractionController.swift"):
                with open(f"{home}/work/{name}", "w") as file:
                    file.write(f"struct {name.split('.')[0]} {{}}\n")
            with open(home + "/work/README.md", "w") as file:
                file.write("# Names\n\nThe SessionRecorder keeps it.\n")
        started = []
        try:
            return self.hold(session, home, folder, started)
        finally:
            for process in started:
                process.kill()
                process.wait()
                for stream in (process.stdin, process.stdout):
                    if stream:
                        stream.close()

    def hold(self, session, home, folder, started):
        live = session.live
        if live is None:
            quick = QUICK if "--ms-per-character" not in session.server else []
            server = subprocess.Popen(
                [sys.executable, TESTS + "/servers/gemini_live_server.py", "--time-limit", "300", *quick, *session.server],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            started.append(server)
            live = f"ws://127.0.0.1:{int(server.stdout.readline())}/"
            threading.Thread(target=server.stdout.read, daemon=True).start()
        microphone, feed = self.microphone(session, home)
        command = [
            self.parley, "run", "--live", live, "--mode", session.mode, "--agent", self.agent(session, home, started),
            "--microphone", microphone, "--working-folder", home + "/work",
        ] + [argument.replace("{home}", home) for argument in session.arguments]
        if folder:
            command += ["--session", folder]
        if not session.terminal:
            command += ["--display", "json"]
        if "--speaker" not in command:
            command += ["--speaker", "none"]
        if session.pace == "fast" and session.source in ("raw", "wav"):
            command += ["--pace", "fast"]
        if session.config:
            with open(home + "/config.json5", "w") as file:
                file.write("{" + session.config + "}")
            command += ["--config", home + "/config.json5"]
        child = Child(command, self.environment(home), session.terminal)
        started.append(child.process)
        if feed:
            write = None if session.source != "stdin" else (
                lambda piece: (child.process.stdin.write(piece), child.process.stdin.flush()))

            def feed_all():
                try:
                    feed(write) if write else feed()
                except OSError:
                    pass
                if write:
                    child.close_input()

            threading.Thread(target=feed_all, daemon=True).start()
        trouble = None
        for words, deed in session.steps:
            if words and not child.wait_for(words):
                trouble = f"“{words}” never came"
                break
            if deed is KILL:
                child.process.kill()
            elif deed is TERM:
                child.process.send_signal(signal.SIGTERM)
            elif deed is SUSPEND:
                child.process.send_signal(signal.SIGSTOP)
                time.sleep(3)
                child.process.send_signal(signal.SIGCONT)
            elif deed is CUT:
                # The live model's server is the first that was started.
                started[0].kill()
            elif isinstance(deed, (int, float)):
                time.sleep(deed)
            elif deed:
                if deed.startswith(DECISIONS):
                    time.sleep(LOOK)
                child.write(deed)
        if session.source != "stdin":
            child.close_input()
        try:
            code = child.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            trouble = trouble or "it did not end"
            return trouble + ": " + " ".join(child.text.split())[-600:]
        child.reader.join(5)
        if child.master is not None:
            os.close(child.master)
        if trouble is None and session.codes is not None and code not in session.codes:
            trouble = f"it ended with {code}"
        return trouble and trouble + ": " + " ".join(child.text.split())[-300:]

    def replay(self, folder, *arguments):
        """What is said of it in one line: same, replays except, differs."""
        result = subprocess.run([self.parley, "replay", *arguments, folder], capture_output=True, text=True, timeout=120)
        lines = [line for line in result.stdout.splitlines() if " replayed, " not in line]
        lines += [line for line in result.stderr.splitlines() if line.startswith("parley")]
        text = " ".join(line.replace(folder, "").strip() for line in lines)
        if result.returncode == 0 and text.startswith("same"):
            return True, text.removeprefix("same").strip(" :") or "same"
        return False, "differs " + text[:400]

    def session(self, number, session):
        home = f"{self.root}/{number:03}"
        os.makedirs(home)
        try:
            if session.before:
                trouble = self.make(session.before, home, None)
                if trouble:
                    return session, f"before it: {trouble}", None, None
            folder = home + "/session"
            trouble = self.make(session, home, folder)
            if not os.path.exists(folder + "/events.jsonl"):
                return session, trouble or "it left no log", None, None
            return session, trouble, self.replay(folder, "--against", "log"), self.replay(folder)
        except Exception as error:  # One kind that cannot be made says so, and the others are made.
            return session, f"{type(error).__name__}: {error}", None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parley", default=PROJECT + "/.build/debug/parley")
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", default="1/1")
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    first, step = map(int, options.sample.split("/"))
    kinds = [session for session in sessions() if re.search(options.only, session.kind)][first - 1::step]
    if options.list:
        return print("\n".join(session.kind for session in kinds))
    root = options.keep or tempfile.mkdtemp(prefix="parley-sessions-")
    os.makedirs(root, exist_ok=True)
    maker = Maker(options, root)
    start = time.monotonic()
    counts = {"made": 0, "log": 0, "world": 0}
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for session, trouble, log, world in pool.map(maker.session, range(1, len(kinds) + 1), kinds):
                if log is None:
                    print(f"{session.kind}: NOT MADE: {trouble}", flush=True)
                    continue
                counts["made"] += trouble is None
                counts["log"] += log[0]
                counts["world"] += world[0]
                print(f"{session.kind}: log: {log[1]}; world: {world[1]}" + (f"; NOT AS MEANT: {trouble}" if trouble else ""),
                      flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(root, ignore_errors=True)
    print(f"{len(kinds)} sessions, {counts['made']} made as meant, same against the log {counts['log']}, "
          f"in the world {counts['world']}; {time.monotonic() - start:.0f} s")
    sys.exit(0 if set(counts.values()) == {len(kinds)} else 1)


if __name__ == "__main__":
    main()
