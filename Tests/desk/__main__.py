"""script/desk: what Parley promises somebody at a desk, tried as a person would, with *held* or *broke* for each point.

A terminal, a private sound server, processors kept busy, real agents where they are installed. Standard library only.
"""
import argparse, concurrent.futures, contextlib, faulthandler, os, shutil, subprocess, sys, tempfile, time
import keys, sounds, truth  # noqa: F401  Each registers its points.
from place import Broke, ROOT, SERVERS, burners
from points import POINTS


class Skip(Exception):
    """What a point needs is not here; the text says how to get it."""


class Desk:
    """What the points share."""
    Skip = Skip
    exists = staticmethod(os.path.exists)

    def __init__(self, program, burners, keep):
        self.program, self.burners = program, burners
        # Folders of recorded sessions, for the point that replays them; and all that was printed.
        self.kept, self.sessions, self.said = keep, [], []

    def keep(self, folder):
        """Keep a recorded session beyond its home."""
        place = os.path.join(tempfile.mkdtemp(dir=self.kept), "session")
        shutil.copytree(folder, place)
        self.sessions.append(place)

    def real_agent(self, name):
        """Where a real agent starts; None if it is not installed."""
        root = os.environ.get("PARLEY_AGENTS") or os.path.expanduser("~/.cache/parley/agents")
        path = os.path.join(root, name, "agent")
        return path if os.access(path, os.X_OK) else None

    @contextlib.contextmanager
    def fake_model(self, home):
        """A model that does as it is told, for a real agent; the flags that make the agent use it."""
        server = subprocess.Popen(
            ["python3", f"{SERVERS}/fake_model_server.py"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            variables = {
                "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.stdout.readline().strip()}", "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
            home.environment.update(variables)
            names = ", ".join(f"'{name}'" for name in variables)
            path = home.file("real-agent.json5")
            with open(path, "w") as file:
                file.write(f"{{ agent: {{ environment: [{names}] }} }}")
            yield ["--config", path]
        finally:
            server.terminate()
            server.wait()


def program():
    for build in ("release", "debug"):
        path = os.path.join(ROOT, ".build", build, "parley")
        if os.access(path, os.X_OK):
            return path
    sys.exit("desk: there is no built program: run script/build first, or name one with --program.")


def attempt(point, desk):
    """Try a point: *held*, *broke* or *skipped*, and what to print of it."""
    start, reason = time.monotonic(), ""
    try:
        missing = [name for name in point.needs if not shutil.which(name)]
        if missing:
            raise Skip(f"{', '.join(missing)} is not installed")
        point(desk)
        outcome = "held"
    except Skip as skip:
        outcome, reason = "skipped", str(skip)
    except (Broke, subprocess.SubprocessError, OSError) as failure:
        outcome, reason = "broke", str(failure)
    lines = [f"{outcome:8}{point.title} ({time.monotonic() - start:.0f} s)"]
    return outcome, "\n".join(lines + [f"          {line}" for line in reason.split("\n") if line])


def main():
    parser = argparse.ArgumentParser(prog="script/desk", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only what takes no more than seconds")
    parser.add_argument("--burners", type=int, default=0, help="keep the processors busy with so many programs beside it")
    parser.add_argument("--only", default="", help="only the points with this in their title")
    parser.add_argument("--jobs", type=int, default=1, help="points at once: most of their time is waiting")
    parser.add_argument("--program", help="the program to try; else the newest build here, release before debug")
    options = parser.parse_args()
    if options.quick:
        # A point that hangs says where.
        faulthandler.dump_traceback_later(600, exit=True)
    keep = tempfile.mkdtemp(prefix="parley-desk-sessions-")
    desk = Desk(os.path.abspath(options.program or program()), options.burners, keep)
    points = [point for point in POINTS if options.only in point.title and (point.quick or not options.quick)]
    counts = {"held": 0, "broke": 0, "skipped": 0}
    with burners(options.burners), concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for of_the_others in (False, True):
            waiting = [pool.submit(attempt, point, desk) for point in points if point.of_the_others == of_the_others]
            for done in concurrent.futures.as_completed(waiting):
                outcome, text = done.result()
                counts[outcome] += 1
                print(text, flush=True)
    shutil.rmtree(keep, ignore_errors=True)
    print(f"{counts['held']} held, {counts['broke']} broke, {counts['skipped']} skipped")
    sys.exit(1 if counts["broke"] else 0)


if __name__ == "__main__":
    main()
