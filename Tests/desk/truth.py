"""What is said is so: of parts that are missing, of files, of other sessions, of what was recorded."""
import os, re, subprocess, time
from place import (
    Home, Microphone, SCRIPTED_AGENT, Session, Terminal, expect, recording, silence, sound, wait_for, write_wave)
from points import point

SAID = "d06_flite_slt.wav"


# A live server that is not there: the other parts are what is asked about, and loading speech takes its time.
QUICKLY = ["--live", "ws://127.0.0.1:1/", "--microphone", recording(SAID), "--speaker", "none"]


def parley(desk, home, *arguments, **options):
    result = subprocess.run(
        [desk.program, *arguments], env=home.environment, cwd=home.work, capture_output=True, text=True,
        timeout=options.get("seconds", 120), stdin=subprocess.DEVNULL, check=False)
    desk.said.append(result.stdout + result.stderr)
    return result.returncode, result.stdout + result.stderr


@point("check starts what it names: an agent that is not there is missing", quick=True)
def missing_agent(desk):
    with Home() as home:
        home.environment["PATH"] = "/usr/bin:/bin"
        code, text = parley(desk, home, "check", "--agent", "claude", *QUICKLY)
        line = next((line for line in text.split("\n") if "claude" in line and "missing" in line), "")
        expect(code == 69 and line, f"exit code {code}:\n{text}")


@point("check shows how long a pause ends the turn, and where that comes from", quick=True)
def shown_pause(desk):
    with Home("{ live: { silenceMilliseconds: 1234 } }") as home:
        _, text = parley(desk, home, "check", *QUICKLY)
        expect(re.search(r"silenceMilliseconds\s+1234.*parley.json5", text), text)


@point("a file that is there is not overwritten unasked", quick=True)
def overwriting(desk):
    with Home() as home:
        target = write_wave(home.file("dear.wav"), sound(SAID))
        before = open(target, "rb").read()
        code, text = parley(
            desk, home, "run", "--microphone", recording(SAID), "--pace", "fast", "--speaker", target,
            "--live", "local", "--agent", "echo", "--mode", "direct")
        expect(open(target, "rb").read() == before, "the file was overwritten")
        expect(code != 0 and "dear.wav" in text, f"exit code {code}: {text}")


@point("a broken configuration names line and column; an empty one is the defaults", quick=True)
def configuration(desk):
    with Home("{\n  live: {\n    silenceMilliseconds: ,\n  },\n}\n") as home:
        code, text = parley(desk, home, "check", *QUICKLY)
        expect(code == 78 and re.search(r"\b3\b.*\b26\b", text), f"exit code {code}: {text}")
    with Home("") as home:
        code, text = parley(desk, home, "check", *QUICKLY)
        expect(code == 69 and "(built in)" in text, f"an empty configuration: exit code {code}: {text}")


@point("a turn that is not there is said not to be, with an exit code; sessions are named by their beginning", quick=True)
def turns(desk):
    with Home() as home:
        file = write_wave(home.file("said.wav"), sound(SAID) + silence(3))
        arguments = ["run", "--microphone", file, "--speaker", "none", "--live", "local", "--agent", "echo", "--mode", "direct"]
        code, text = parley(desk, home, *arguments)
        expect(code == 0, f"exit code {code}: {text}")
        code, text = parley(desk, home, "log", "last", "--turn", "9")
        expect(code == 1 and "9" in text, f"log last --turn 9: exit code {code}: {text}")
        folder = home.file("parley/sessions")
        name = os.listdir(folder)[0]
        for verb in (["log"], ["why"], ["ledger"], ["replay"], ["report", "--output", home.file("report.html")]):
            for session in ("last", name, name[:-3], os.path.join(folder, name)):
                code, text = parley(desk, home, verb[0], session, *verb[1:])
                expect(code == 0, f"{verb[0]} {session}: exit code {code}: {text}")
                if verb[0] == "report":
                    break


@point("without a sound server the remedy is said, and one can type", quick=True, needs=["tmux"])
def typing(desk):
    with Home() as home:
        home.environment["PULSE_SERVER"] = "unix:/nowhere"
        with Terminal(desk.program, home, "--live", "local", "--agent", "echo", "--mode", "direct") as terminal:
            terminal.see("was found", 60)
            terminal.say("good morning")
            terminal.see("agent     good morning", 30)
            desk.said.append(terminal.screen())


@point("two sessions in one folder warn each other", quick=True, needs=["tmux"])
def two_sessions(desk):
    with Home() as home, Microphone(home) as one, Microphone(home, "second") as two:
        arguments = ["--live", "local", "--agent", "echo", "--mode", "review", "--speaker", "none"]
        with Terminal(desk.program, home, *arguments, "--microphone", one.path, name="first") as first:
            first.see("Listening", 60)
            with Terminal(desk.program, home, *arguments, "--microphone", two.path, name="other") as second:
                second.see("Listening", 60)
                for terminal in (first, second):
                    terminal.see("session", 20)
                    wait_for(
                        lambda: any("session" in line.lower() and "folder" in line.lower()
                                    for line in terminal.screen().split("\n")),
                        20, f"a warning of the other session\n{terminal.screen()}")


@point("what a crash left over is held again, by one session only", quick=True, needs=["tmux"])
def left_over(desk):
    words = "a word left over"
    with Home() as home, Microphone(home) as zero, Microphone(home, "second") as one, Microphone(home, "third") as two:
        arguments = ["--live", "local", "--agent", "echo", "--mode", "review", "--speaker", "none", "--microphone"]
        places = [f"parley/sessions/{name}" for name in ("crashed", "one", "two")]
        os.makedirs(home.file("parley/sessions"), mode=0o700)
        with Session(desk.program, home, *arguments, zero.path, name=places[0]) as crashed:
            wait_for(lambda: crashed.log.notices("listening"), 60, "it listens")
            crashed.tell(f"say {words}")
            wait_for(lambda: crashed.log.notices("held"), 20, "it is held")
            crashed.process.kill()
            crashed.process.wait()
        desk.keep(crashed.folder)
        with Terminal(desk.program, home, *arguments, one.path, name=places[1]) as first, \
                Terminal(desk.program, home, *arguments, two.path, name=places[2]) as second:
            first.see("Listening", 60)
            second.see("Listening", 60)
            time.sleep(2)
            held = [terminal.log.notices("held") for terminal in (first, second)]
            expect(sum(map(len, held)) == 1, f"it is held {[len(items) for items in held]} times")


@point("what was recorded here replays as the same, in both gears", quick=True, of_the_others=True)
def replays(desk):
    expect(desk.sessions, "no session was recorded by the other points")
    for folder in desk.sessions:
        for gear in ("log", "world"):
            result = subprocess.run(
                [desk.program, "replay", folder, "--against", gear], capture_output=True, text=True, check=False)
            expect(result.returncode == 0, f"{gear}: {result.stdout[-800:]}{result.stderr[-300:]}")


@point("help lists the agents, and nothing that was printed here shows internals or miscounts", quick=True, of_the_others=True)
def words(desk):
    with Home() as home:
        _, text = parley(desk, home, "run", "--help")
        flat = " ".join(text.split())
        for agent in ("guide", "echo", "claude", "codex", "acp:", "a2a"):
            expect(agent in flat, f"--agent's help does not name {agent}")
    for text in desk.said:
        found = re.search(r"Voice[A-Z]\w+\.\w+|Optional\(|rawValue|\bcall-\d|are one \w+|\b1 \w+s were|[?!]\. ", text)
        expect(not found, f"“{found and found[0]}” in: {text[max(0, found.start() - 80):found.end() + 40] if found else ''}")
