"""In the room: what is heard, and what is never heard; pipes and sound servers as they are."""
import os, signal, subprocess, time
from place import (
    Broke, Home, Microphone, ROOT, SCRIPTED_AGENT, Session, SoundServer, burners, expect, recording, silence, sound,
    wait_for, write_wave)
from points import point

BUILD = "d06_flite_slt.wav"
RUNTESTS = "d04_flite_slt.wav"
LOGIN = "d10_flite_slt.wav"


def listening(desk, home, *arguments, agent="echo", name="session", mode="direct"):
    return Session(
        desk.program, home, "--live", "local", "--mode", mode, "--agent", agent, *arguments, name=name)


def positions_increase(log):
    last = -1
    for step in log.steps():
        if "microphoneFrame" in step["event"]:
            position = step["event"]["microphoneFrame"]["frame"]["position"]
            expect(position > last, f"position {position} after {last}")
            last = position + (step.get("repeated", 1) - 1) * 320


@point("the program never takes its own voice for the user's, through any room at any volume", needs=["pulseaudio"])
def own_voice(desk):
    rooms = subprocess.run(
        [os.path.join(ROOT, "script/echo-room"), "20", "--parley", desk.program], capture_output=True, text=True,
        check=False)
    expect(rooms.returncode == 0, rooms.stdout[-2500:] + rooms.stderr[-500:])


@point("a pause of the set length ends the turn, a shorter one does not, in both turn detections", quick=True)
def pauses(desk):
    said = sound(BUILD) + silence(1.1) + sound(RUNTESTS) + silence(4)
    for detection in ("server", "client"):
        for milliseconds, expected in ((3000, 1), (500, 2)):
            with Home(f"{{ live: {{ silenceMilliseconds: {milliseconds} }} }}") as home:
                file = write_wave(home.file("said.wav"), said)
                with listening(
                        desk, home, "--microphone", file, "--speaker", "none", "--turn-detection",
                        detection) as session:
                    session.wait(90)
                sent = session.log.sent()
                desk.keep(session.folder)
                expect(
                    len(sent) == expected,
                    f"{detection}, {milliseconds} ms: a pause of 1.1 s gave {len(sent)} instructions: {sent}")


@point("with an end word, or in a long thought, a pause ends nothing; the word and the key do", quick=True)
def endings(desk):
    said = sound(BUILD) + silence(2.5) + sound(RUNTESTS) + silence(2.5)
    with Home("{ interaction: { longThought: true } }") as home, Microphone(home) as microphone:
        with listening(desk, home, "--microphone", microphone.path, "--speaker", "none") as session:
            wait_for(lambda: session.log.notices("listening"), 60, "it listens")
            microphone.say(said)
            wait_for(lambda: len(session.log.events("instructionProposed")) == 2, 90, "both sentences are understood")
            time.sleep(2)
            expect(not session.log.sent(), f"a pause ended a long thought: {session.log.sent()}")
            session.tell("done")
            sent = wait_for(session.log.sent, 20, "what was said is sent when it is done")
            expect("diff" in sent[0] and "build" in sent[0], f"not all of it was sent: {sent}")
            session.tell("quit")
            session.wait(20)
        desk.keep(session.folder)


@point("a pipe that stalls and bursts goes on, with true positions", quick=True)
def bursts(desk):
    with Home() as home:
        pipe = home.file("microphone")
        os.mkfifo(pipe)
        with listening(desk, home, "--microphone", pipe, "--speaker", "none") as session:
            with open(pipe, "wb", buffering=0) as writer:
                # What is said again while an engine is still being loaded would rightly be sent once.
                for leading, said in ((0, BUILD), (0.5, RUNTESTS), (0, LOGIN)):
                    writer.write(silence(leading))
                    time.sleep(2)
                    writer.write((sound(said) + silence(3)).ljust(6 * 32_000, b"\0"))
                    time.sleep(6)
                    expect(session.is_alive(), f"it ended: {session.printed()[-800:]}")
            code = session.wait(60)
        desk.keep(session.folder)
        expect(code == 0, f"exit code {code}: {session.printed()[-800:]}")
        positions_increase(session.log)
        expect(len(session.log.sent()) == 3, f"of three instructions came {session.log.sent()}")


def suspended(desk, seconds):
    with Home() as home, SoundServer(home) as server, listening(desk, home) as session:
        wait_for(lambda: session.log.notices("listening"), 60, "it listens")
        time.sleep(1)
        session.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        session.process.send_signal(signal.SIGCONT)
        time.sleep(3)
        expect(session.is_alive(), f"it ended: {session.printed()[-800:]}")
        server.play(recording(BUILD))
        wait_for(session.log.sent, 60, f"what is said after the suspension is sent\n{session.printed()[-1500:]}")
        session.tell("quit")
        session.wait(20)
        desk.keep(session.folder)


@point("a session that was suspended for 8 s goes on", needs=["pulseaudio"])
def suspension(desk):
    suspended(desk, 8)


@point("a session that was suspended for a minute goes on", needs=["pulseaudio"])
def long_suspension(desk):
    suspended(desk, 60)


@point("a default microphone that vanishes is told", needs=["pulseaudio"])
def vanished(desk):
    with Home() as home, SoundServer(home) as server:
        server.control("load-module", "module-null-sink", "sink_name=desk", "rate=48000", "channels=1", "norewinds=1")
        other = server.control(
            "load-module", "module-remap-source", "source_name=headset", "master=desk.monitor", "channels=1",
            "source_properties=device.description=Headset")
        server.control("set-default-source", "headset")
        with listening(desk, home) as session:
            wait_for(lambda: session.log.notices("listening"), 60, "it listens")
            time.sleep(2)
            before = len(session.printed())
            server.control("unload-module", other)
            wait_for(
                lambda: "microphone" in session.printed()[before:].lower(), 20,
                "nothing was said of the microphone that went")


@point("a start on a machine at a load of eight reaches the instruction, and says what it waits for")
def busy_start(desk):
    with burners(8 - desk.burners):
        for attempt in range(3):
            with Home() as home:
                file = write_wave(home.file("said.wav"), sound(BUILD) + silence(3))
                with listening(desk, home, "--microphone", file, "--speaker", "none") as session:
                    code = session.wait(300)
                desk.keep(session.folder)
                expect(
                    code == 0 and len(session.log.sent()) == 1,
                    f"start {attempt + 1}: exit code {code}, sent {session.log.sent()}\n{session.printed()[-800:]}")
