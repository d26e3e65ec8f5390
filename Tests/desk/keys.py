"""At the keyboard: what keys decide, and what they do not."""
import time
from place import Broke, Home, Microphone, SCRIPTED_AGENT, Terminal, expect, wait_for
from points import point


def review(desk, home, *more):
    """A session for typing: nobody speaks, and the scripted agent does what it is told."""
    microphone = Microphone(home)
    arguments = ["--live", "local", "--mode", "review", "--speaker", "none", "--microphone", microphone.path,
                 "--agent", SCRIPTED_AGENT, *more]
    terminal = Terminal(desk.program, home, *arguments)
    terminal.see("Scripted", 60)
    return terminal


def work(terminal, instruction):
    """Have the agent work on an instruction: typed, shown, and then approved."""
    terminal.say(instruction)
    wait_for(lambda: terminal.log.notices("held"), 20, "the instruction is held")
    time.sleep(1.2)
    terminal.press("a")
    wait_for(lambda: instruction in terminal.log.sent(), 20, "the approved instruction is sent")


@point("a key pressed 123 ms after a request came up does not allow it", quick=True, needs=["tmux"])
def unseen(desk):
    with Home() as home, review(desk, home) as terminal:
        work(terminal, "permission")
        requests = lambda: [item for item in terminal.log.notices("held") if "permission" in item["item"]["content"]]
        wait_for(requests, 30, "the agent's request is shown")
        time.sleep(0.123)
        terminal.press("a")
        time.sleep(1.5)
        expect(not terminal.log.actions("answerPermission"), "a request that had just come up was allowed")
        terminal.press("a")
        wait_for(lambda: terminal.log.actions("answerPermission"), 20, "what was shown long enough is allowed")


@point("typed prose decides and halts nothing", quick=True, needs=["tmux"])
def prose(desk):
    with Home() as home, review(desk, home) as terminal:
        work(terminal, "slow")
        terminal.say("a second one")
        wait_for(lambda: len(terminal.log.notices("held")) > 1, 20, "the second instruction is held")
        time.sleep(1.2)
        for milliseconds in (0, 60):
            terminal.type("hang on", milliseconds)
            time.sleep(1)
            expect(not terminal.log.actions("cancelRun"), f"“hang on”, {milliseconds} ms a key, halted the work")
            expect(len(terminal.log.notices("approved")) == 1, "“hang on” approved what is held")
            expect("hang on" in terminal.screen(), "what was typed is not in the input line")
            terminal.press("Escape")
            time.sleep(0.6)


@point("q and Ctrl-C ask before they end running work, and leave the editor first", quick=True, needs=["tmux"])
def quitting(desk):
    with Home() as home, review(desk, home) as terminal:
        work(terminal, "slow")
        for key in ("q", "C-c"):
            terminal.press(key)
            time.sleep(2.8)
            expect(not terminal.is_over(), f"{key} ended the running work unasked")
        terminal.press("i")
        terminal.see("say >")
        terminal.press("C-c")
        wait_for(lambda: "say >" not in terminal.screen(), 5, "Ctrl-C leaves the editor")
        time.sleep(2.8)
        expect(not terminal.is_over(), "Ctrl-C in the editor ended the session")
        terminal.press("q")
        time.sleep(0.8)
        terminal.press("q")
        wait_for(terminal.is_over, 20, "a second q within two seconds ends the session")


@point("holding Space opens the microphone once and closes it at the end; closed, it sends nothing", quick=True, needs=["tmux"])
def space(desk):
    with Home("{ interaction: { listenFromStart: false, display: 'status' } }") as home, review(desk, home) as terminal:
        expect("listening" not in terminal.screen().split("\n")[-1], "a closed microphone is shown as listening")
        before = len(terminal.log.actions("sendAudio"))
        time.sleep(1)
        expect(len(terminal.log.actions("sendAudio")) == before == 0, "a closed microphone sends")
        # As a keyboard repeats: after a third of a second, thirty times a second.
        terminal.press("Space")
        time.sleep(0.33)
        for _ in range(60):
            terminal.press("Space")
            time.sleep(0.03)
        time.sleep(2)
        changes = [change["isOn"] for change in terminal.log.notices("listeningChanged")]
        expect(changes == [True, False], f"the microphone went {changes}")


@point("a real agent writes nothing that was allowed unseen, and writes it once it was", needs=["tmux"])
def real_agent(desk):
    agent = desk.real_agent("claude")
    if not agent:
        raise desk.Skip("script/bootstrap --agents installs it")
    with Home() as home, desk.fake_model(home) as flags, Microphone(home) as microphone:
        target = home.file("work/written.txt")
        with Terminal(
                desk.program, home, "--live", "local", "--mode", "review", "--speaker", "none", "--microphone",
                microphone.path, "--agent", f"claude:{agent}", *flags) as terminal:
            terminal.see("agent", 90)
            work(terminal, f"please write {target}")
            requests = lambda: [item for item in terminal.log.notices("held") if "permission" in item["item"]["content"]]
            wait_for(requests, 60, "the agent asks")
            time.sleep(0.123)
            terminal.press("a")
            time.sleep(3)
            expect(not desk.exists(target), "the file was written before anybody could have read the request")
            terminal.press("a")
            wait_for(lambda: desk.exists(target), 60, "the file is written once that was allowed")
