"""What a person has at a desk: a home, a terminal, a microphone to speak into, a sound server, a busy machine.

Standard library only; tmux and PulseAudio where a point needs them. Everything ends with the `with` block that made it.
"""
import contextlib, json, os, shlex, shutil, signal, subprocess, tempfile, threading, time, wave

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDINGS = os.path.join(ROOT, "audio-fixtures", "recordings")
SERVERS = os.path.join(ROOT, "Tests", "servers")
SCRIPTED_AGENT = f"acp:python3 {SERVERS}/scripted_acp_agent.py"
RATE = 16_000


class Broke(Exception):
    """What should hold does not; the text says what was seen instead."""


def expect(condition, seen):
    if not condition:
        raise Broke(seen)


def wait_for(look, seconds, what):
    """The first true value that `look` gives; a busy machine gets the time that it needs, up to `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Broke(f"{what}: not within {seconds} s")
        time.sleep(0.02)


class Home(contextlib.AbstractContextManager):
    """A fresh home with a working folder; no key, no configuration but what is given."""

    def __init__(self, configuration=None):
        self.path = tempfile.mkdtemp(prefix="parley-desk-")
        self.work = self.file("work")
        os.mkdir(self.work)
        speech = os.environ.get("PARLEY_SPEECH_HOME") or os.path.join(
            os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "parley", "speech")
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": self.path,
            "XDG_STATE_HOME": self.path, "XDG_CONFIG_HOME": self.path, "PARLEY_SPEECH_HOME": speech,
            "SWIFT_BACKTRACE": "interactive=no"}
        if configuration is not None:
            os.mkdir(self.file("parley"))
            with open(self.file("parley/parley.json5"), "w") as file:
                file.write(configuration)

    def file(self, name):
        return os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Log:
    """The voice-event log of a session that runs, or ran."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "events.jsonl")

    def steps(self):
        try:
            with open(self.path, "rb") as file:
                lines = file.read().split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines[1:]]

    def events(self, name):
        return [step["event"][name] for step in self.steps() if name in step["event"]]

    def actions(self, name):
        return [action[name] for step in self.steps() for action in step["actions"] if name in action]

    def notices(self, name):
        return [show["notice"][name] for show in self.actions("show") if name in show["notice"]]

    def sent(self):
        """The instructions that left for the agent."""
        return [run["instruction"]["text"] for run in self.actions("startRun")]


class Session(contextlib.AbstractContextManager):
    """`parley run` without a terminal."""

    def __init__(self, program, home, *arguments, name="session", commands=True):
        self.folder = home.file(name)
        self.log = Log(self.folder)
        self.output = home.file(name + ".output")
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [program, "run", "--session", self.folder, "--working-folder", home.work, *arguments],
                env=home.environment, stdin=subprocess.PIPE if commands else subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def printed(self):
        with open(self.output, errors="replace") as file:
            return file.read()

    def wait(self, seconds):
        """The exit code."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Broke(f"still running after {seconds} s:\n{self.printed()[-1500:]}") from None

    def is_alive(self):
        return self.process.poll() is None

    def __exit__(self, *_):
        if self.is_alive():
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()


class Terminal(contextlib.AbstractContextManager):
    """`parley run` in a terminal, with keys and a screen."""

    def __init__(self, program, home, *arguments, name="session"):
        self.folder = home.file(name)
        self.log = Log(self.folder)
        self.socket = home.file(name + ".tmux")
        command = shlex.join([program, "run", "--session", self.folder, "--working-folder", home.work, *arguments])
        variables = shlex.join(f"{name}={value}" for name, value in home.environment.items())
        # The shell stays when the program ends by Ctrl-C, so that its screen and its exit code can still be read.
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "50", "sh", "-c",
            f"trap : INT; env -i {variables} {command}; echo code $?; cat")

    def tmux(self, *arguments):
        result = subprocess.run(["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, check=False)
        expect(result.returncode == 0, f"tmux {arguments}: {result.stderr}")
        return result.stdout

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text, milliseconds=0):
        """In one piece, as a paste, or a key at a time."""
        if not milliseconds:
            return self.tmux("send-keys", "-l", text)
        for character in text:
            self.tmux("send-keys", "-l", character)
            time.sleep(milliseconds / 1000)

    def screen(self):
        return self.tmux("capture-pane", "-p", "-J", "-S", "-200").rstrip("\n") + "\n"

    def see(self, text, seconds=30):
        return wait_for(lambda: text in self.screen(), seconds, f"“{text}” on the screen\n{self.screen()[-3000:]}")

    def say(self, instruction):
        """Type an instruction; it is shown when this returns."""
        time.sleep(0.4)
        self.press("i")
        self.see("say >")
        self.type(instruction)
        self.see(f"say > {instruction}")
        self.press("Enter")

    def is_over(self):
        return "\ncode " in self.screen()

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)


class Microphone(contextlib.AbstractContextManager):
    """A pipe that somebody speaks into: silence at real pace, and what is said in between."""

    def __init__(self, home, name="microphone"):
        self.path = home.file(name)
        os.mkfifo(self.path)
        self.queue, self.lock, self.isOver = b"", threading.Lock(), threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            with open(self.path, "wb", buffering=0) as pipe:
                due = time.monotonic()
                while not self.isOver.is_set():
                    with self.lock:
                        piece, self.queue = self.queue[:640], self.queue[640:]
                    pipe.write(piece.ljust(640, b"\0"))
                    due = max(due + 0.02, time.monotonic() - 0.2)
                    time.sleep(max(0, due - time.monotonic()))
        except (BrokenPipeError, FileNotFoundError):
            return

    def say(self, samples):
        with self.lock:
            self.queue += samples

    def __exit__(self, *_):
        self.isOver.set()


class SoundServer(contextlib.AbstractContextManager):
    """A private sound server without a sound card, with a speaker and a microphone."""

    def __init__(self, home):
        self.folder = home.file("pulse")
        self.server = subprocess.Popen(
            [f"{SERVERS}/private-pulseaudio", self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        expect(self.server.stdout.readline() == "ready\n", "the private sound server did not start")
        self.address = f"unix:{self.folder}/socket"
        home.environment["PULSE_SERVER"] = self.address

    def control(self, *arguments):
        return subprocess.run(
            ["pactl", f"--server={self.address}", *arguments], capture_output=True, text=True, check=True).stdout.strip()

    def play(self, recording):
        """Into the microphone; returns when it was said."""
        subprocess.run(
            ["paplay", f"--server={self.address}", "--device=micfeed", recording], check=True, capture_output=True)

    def __exit__(self, *_):
        self.server.stdin.close()
        self.server.wait(10)


@contextlib.contextmanager
def burners(count):
    """Keep the processors busy with so many programs of one's own."""
    children = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def recording(name):
    return os.path.join(RECORDINGS, name)


def sound(name):
    """The samples of a recording, 16 kHz, 16 bits, mono, as bytes."""
    with wave.open(recording(name)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2), name
        return file.readframes(file.getnframes())


def silence(seconds):
    return bytes(int(seconds * RATE) * 2)


def write_wave(path, samples):
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples)
    return path
