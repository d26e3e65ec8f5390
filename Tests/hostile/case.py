"""A case: the real program, started as a user would, with something hostile around it."""

import contextlib, json, os, resource, shlex, signal, subprocess, sys, time, traceback
from judge import Evidence, Verdict
from place import Broke, Home, SERVERS
from speech import Script
import live

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = []
CONFIGURATION = "{ live: { silenceMilliseconds: 400 } }"
# What a session may take that plays no tricks with sizes; the local speech engine is not started in any case.
MEGABYTES = 400
ACP = [sys.executable, f"{SERVERS}/scripted_acp_agent.py"]


def scripted(language):
    return [sys.executable, f"{SERVERS}/scripted_agents.py", language]


def case(family, name, *, quick=False, limit=60, megabytes=MEGABYTES):
    """Register a body that gets a `Trial`."""

    def register(body):
        CASES.append(Case(family, name, body, quick, limit, megabytes))
        return body

    return register


class Case:
    def __init__(self, family, name, body, quick, limit, megabytes):
        self.family, self.name, self.body, self.quick, self.limit, self.megabytes = (
            family,
            name,
            body,
            quick,
            limit,
            megabytes,
        )

    @property
    def title(self):
        return f"{self.family}: {self.name}"


class Child:
    """The program, its output by and by, its peak memory."""

    def __init__(self, command, environment, output, *, stdin=subprocess.DEVNULL, cwd=None, before=None, stdout=None):
        self.path, self.place, self.peak, self.code = output, 0, 0, None
        self.start, self.notices, self.usage = time.monotonic(), [], None
        with open(output, "wb") as file:
            self.process = subprocess.Popen(
                command,
                env=environment,
                stdin=stdin,
                stdout=stdout or file,
                stderr=file,
                start_new_session=True,
                cwd=cwd,
                preexec_fn=before,
            )

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def look(self):
        """Take notice of what it printed and of whether it still runs. Returns whether it does."""
        if self.code is None:
            with contextlib.suppress(OSError, ValueError):
                with open(f"/proc/{self.process.pid}/status") as file:
                    line = next((line for line in file if line.startswith("VmHWM")), None)
                if line:
                    self.peak = max(self.peak, int(line.split()[1]))
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
                self.usage, self.lasted = usage, self.seconds
                # Before it was the program, it was a copy of this one.
                if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
                    self.peak = max(self.peak, usage.ru_maxrss)
        with open(self.path, "rb") as file:
            file.seek(self.place)
            data = file.read(4 << 20)
        end = data.rfind(b"\n") + 1
        self.place += end
        for line in data[:end].split(b"\n"):
            if line.startswith(b'{"notice"'):
                with contextlib.suppress(ValueError):
                    self.notices.append((self.seconds, json.loads(line)["notice"]))
        return self.code is None

    def printed(self):
        with open(self.path, errors="replace") as file:
            return file.read(2 << 20)

    def tell(self, line):
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()

    def signal(self, number):
        if self.code is None:
            self.process.send_signal(number)

    def kill(self):
        """End it, whatever it takes. Returns whether it ended by SIGTERM."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        end = time.monotonic() + 12
        while self.look() and time.monotonic() < end:
            time.sleep(0.05)
        went = self.code is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        while self.look():
            time.sleep(0.02)
        return went


class Trial(contextlib.AbstractContextManager):
    """What one case has: a home, servers, and the program."""

    def __init__(self, case, options, loop):
        self.case, self.options, self.loop, self.program = case, options, loop, options.program
        self.home, self.children, self.servers, self.closing = Home(CONFIGURATION), [], [], contextlib.ExitStack()
        self.home.environment["GEMINI_API_KEY"] = "not-a-real-key-0123456789"
        if options.sanitized:
            # What a killed program leaves is no leak.
            self.home.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "detect_leaks=0")
        self.limit = case.limit * options.patience
        self.reasons = []

    @property
    def peak(self):
        return max((child.peak for child in self.children), default=0)

    def path(self, name):
        return self.home.file(name)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(data, bytes) else "w") as file:
            file.write(data)
        return path

    def serve(self, script, *faults, **options):
        server = live.Server(script, faults, **options)
        port = self.loop.call(server.open())
        self.servers.append(server)
        return server, f"ws://127.0.0.1:{port}/"

    def agent(self, harm=None, command=ACP, kind="acp"):
        """An agent whose sent lines are kept, with harm at one of them: what `--agent` is given, and the record."""
        log = self.path("agent.sent")
        line = [sys.executable, f"{HERE}/agent.py", log, json.dumps(harm or {"deed": "none"}), *command]
        script = self.write(kind, "#!/bin/sh\nexec " + shlex.join(line) + ' "$@"\n')
        os.chmod(script, 0o755)
        return f"{kind}:{script}", log

    def start(self, *arguments, name="output", **options):
        options.setdefault("cwd", self.home.work)
        child = Child([self.program, *arguments], options.pop("env", self.home.environment), self.path(name), **options)
        self.children.append(child)
        return child

    def wrap(self, before, behind=""):
        """Start the program from a shell from now on; what it prints goes through a pipe where the shell says so."""
        program = self.write("wrapped", f'#!/bin/bash\n{before}\nexec "{self.program}" "$@" {behind}\n')
        os.chmod(program, 0o755)
        self.program = program

    def finish(self, child, limit=None, each=lambda child: None):
        """Wait until it is over; what is too long is a hang."""
        limit = self.limit if limit is None else limit * self.options.patience
        while child.look():
            each(child)
            if child.seconds > limit:
                went = child.kill()
                raise Verdict("hang", f"still running after {limit:.0f} s" + ("" if went else ", and deaf to SIGTERM"))
            time.sleep(0.03)
        if self.program != self.options.program:
            # What it printed may still be in a pipe.
            time.sleep(0.2)
        child.look()
        return child.code

    def command(self, *arguments, codes=(0,), limit=30, **options):
        """A command that is over soon, with one of these exit codes, and one clear line if it failed.

        Returns what it printed.
        """
        child = self.start(*arguments, name=f"output-{len(self.children)}", **options)
        code = self.finish(child, limit)
        text = child.printed()
        # 1 is an answer: a replay differs, a search found nothing.
        evidence = Evidence(None, output=text, code=0 if code == 1 else code, seconds=child.seconds)
        for kind, words in evidence.verdicts():
            raise Verdict(kind, f"{' '.join(arguments)[:120]}: {words}")
        if codes and code not in codes:
            raise Verdict("harm", f"{' '.join(arguments)[:120]}: exit code {code}, not {codes}: {text[-300:]}")
        if code not in (0, 1):
            lines = [line for line in text.split("\n") if line.startswith(("parley:", "Error:"))]
            if len(lines) != 1:
                raise Verdict(
                    "silent", f"{' '.join(arguments)[:120]}: {len(lines)} lines instead of one: {text[-300:]}"
                )
        return text

    def __exit__(self, *_):
        for child in self.children:
            if child.look():
                child.kill()
            if child.process.stdin:
                with contextlib.suppress(OSError):
                    child.process.stdin.close()
        for server in self.servers:
            with contextlib.suppress(Exception):
                self.loop.call(server.shut())
        self.closing.close()
        if self.options.keep:
            print(f"          kept: {self.home.path}")
        else:
            self.home.__exit__()


class User:
    """Who sits before a session: approves what is held and whole, and leaves when nothing comes any more."""

    # What is decided was seen before: seconds.
    LOOK = 0.95

    def __init__(self, script, approves=True, quits=None, lines=()):
        self.script, self.approves, self.quits = script, approves, quits
        self.seen, self.due, self.asked, self.lines, self.approved = 0, [], 0, list(lines), set()

    def __call__(self, child):
        while self.seen < len(child.notices):
            moment, notice = child.notices[self.seen]
            self.seen += 1
            if "runStarted" in notice:
                # What is held again, because it may not have arrived, is enough once: who sends it twice has it twice.
                self.approved.add(notice["runStarted"]["text"])
            if "held" in notice and self.approves:
                self.due.append((moment + self.LOOK, self.decision(notice["held"]["item"])))
            for line in [line for line in self.lines if line[0] in notice]:
                self.lines.remove(line)
                self.due.append((moment + line[2], line[1]))
        for entry in [entry for entry in self.due if entry[0] <= child.seconds]:
            self.due.remove(entry)
            child.tell(entry[1])
        if self.quits and child.seconds > self.quits + self.asked * 0.6 and self.asked < 6:
            self.asked += 1
            child.tell("quit")

    def decision(self, item):
        instruction = item["content"].get("instruction")
        if instruction is None:
            return "approve"
        text = instruction["instruction"]["text"]
        if text in self.approved or self.script.taken_apart(text) is None:
            return "reject"
        self.approved.add(text)
        return "approve"


def session(
    trial,
    *,
    script=None,
    faults=(),
    mode="direct",
    agent=None,
    harm=None,
    command=ACP,
    kind="acp",
    log=None,
    commands=None,
    arguments=(),
    user=None,
    server=None,
    may_invent=False,
    said=None,
    most_connections=14,
    judged=True,
    during=lambda child: None,
    microphone=None,
    typed=(),
    **serving,
):
    """A whole session, judged."""
    script = script or Script(1)
    if server is None:
        server = trial.serve(script, *faults, **serving)
    model, address = server
    if agent is None:
        agent, log = trial.agent(harm, command, kind)
    if commands is None:
        commands = mode == "review" or bool(user) or bool(typed)
    folder = trial.path("session")
    child = trial.start(
        "run",
        "--session",
        folder,
        "--working-folder",
        trial.home.work,
        "--live",
        address,
        "--mode",
        mode,
        "--agent",
        agent,
        "--microphone",
        microphone or script.write(trial.path("said.wav")),
        "--speaker",
        "none",
        "--display",
        "json",
        *arguments,
        stdin=subprocess.PIPE if commands else subprocess.DEVNULL,
    )
    if commands and user is None:
        user = User(script, quits=script.seconds + min(25, trial.limit / 2))

    def each(child):
        if user:
            user(child)
        during(child)

    code = trial.finish(child, each=each)
    started = next((moment for moment, notice in child.notices if "listening" in notice), None)
    trial.evidence = evidence = Evidence(
        script,
        server=model,
        agent_log=log,
        folder=folder,
        output=child.printed(),
        notices=child.notices,
        code=code,
        seconds=child.lasted,
        typed=typed,
        # To a microphone that was never opened nothing is said.
        started=float("inf") if started is None else min(started, 1.5),
    )
    if judged:
        blame(trial, evidence.verdicts(may_invent=may_invent, said=said))
        count_connections(model, most_connections)
    return evidence


# Two belong to a session; a third and a fourth may follow each at once.
AT_ONCE = 6


def count_connections(model, most):
    """A link that flaps is backed off."""
    times = [connection.opened for connection in model.connections]
    if len(times) > most:
        raise Verdict("storm", f"{len(times)} connections, more than {most}")
    crowd = max((sum(start <= time < start + 1 for time in times) for start in times), default=0)
    if crowd > AT_ONCE:
        raise Verdict("storm", f"{crowd} connections within a second")


def blame(trial, verdicts):
    if verdicts:
        raise Verdict(
            verdicts[0][0],
            "; ".join(f"{kind}: {text}" if number else text for number, (kind, text) in enumerate(verdicts)),
        )


def children_of(path):
    """Processes that were started for this case and are still there."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read()
            except OSError:
                continue
            if path.encode() in words and b"agent.py" in words:
                found.append(name)
    return found


def ended_after(seconds):
    """Who asks the program to end, once."""
    asked = []

    def during(child):
        if child.seconds > seconds and not asked:
            asked.append(True)
            child.signal(signal.SIGTERM)

    return during


def leaves_nobody(trial):
    """The agent's processes end with the program."""
    end = time.monotonic() + 5 * trial.options.patience
    while children_of(trial.home.path):
        if time.monotonic() > end:
            for pid in children_of(trial.home.path):
                os.kill(int(pid), signal.SIGKILL)
            raise Verdict("harm", "the agent's processes outlive the program")
        time.sleep(0.1)


def run(case, options, loop):
    """Returns the kind of what is wrong, or None, the seconds, the peak in KiB, and the reason."""
    start = time.monotonic()
    trial = None
    kind, reason = None, ""
    try:
        with Trial(case, options, loop) as trial:
            case.body(trial)
            if trial.peak > case.megabytes * 1024 and not options.sanitized:
                raise Verdict("heavy", f"{trial.peak / 1024:.0f} MiB, more than {case.megabytes}")
    except Verdict as verdict:
        kind, reason = verdict.kind, verdict.text
    except Broke as failure:
        kind, reason = "harm", str(failure)
    except Exception:
        # The case itself is wrong, and the others are tried nevertheless.
        kind, reason = "case", traceback.format_exc()
    return kind, time.monotonic() - start, trial.peak if trial else 0, reason
