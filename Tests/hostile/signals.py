"""Signals at every moment, a program that is stopped for a while, and pipes that nobody reads."""

import os, signal, threading
from case import User, blame, case, leaves_nobody, session
from judge import Verdict
from speech import Script

NAMES = {"TERM": signal.SIGTERM, "INT": signal.SIGINT, "HUP": signal.SIGHUP, "KILL": signal.SIGKILL}


def heard(name):
    return lambda child: any(name in notice for _, notice in child.notices)


MOMENTS = {
    "after 10 ms": lambda child: child.seconds > 0.01,
    "after 60 ms": lambda child: child.seconds > 0.06,
    "after 200 ms": lambda child: child.seconds > 0.2,
    "in the first words": lambda child: child.seconds > 1.0,
    "behind the first words": lambda child: child.seconds > 2.0,
    "in the second words": lambda child: child.seconds > 4.0,
    "as it is heard": heard("heard"),
    "as it is held": heard("held"),
    "as the agent begins": heard("runStarted"),
    "as the agent speaks": heard("agentText"),
    "as the agent is done": heard("runEnded"),
}


for place, (moment, is_now) in enumerate(MOMENTS.items()):
    for number, (name, what) in enumerate(NAMES.items()):
        for mode in ("direct", "review"):
            if (moment == "as it is held") != (mode == "review") and (mode == "review" or moment == "as it is held"):
                continue
            for text in ("text", "slow"):
                if text == "slow" and not moment.startswith("as the agent"):
                    continue

                @case(
                    "signals",
                    f"{name} {moment}, {text}, {mode}",
                    quick=(place + number) % 4 == 0 and text == "text",
                    limit=40,
                )
                def _(trial, is_now=is_now, what=what, mode=mode, text=text):
                    state = {}

                    def during(child):
                        if "at" not in state and is_now(child):
                            state["at"] = child.seconds
                            child.signal(what)
                        # A machine that is asked twice.
                        if "at" in state and child.seconds > state["at"] + 12 * trial.options.patience:
                            raise Verdict("hang", "the signal did not end it within 12 s")

                    script = Script(2, behind=1.5, texts=(text, "run the second test"))
                    evidence = session(
                        trial,
                        script=script,
                        mode=mode,
                        during=during,
                        judged=False,
                        user=User(script, quits=20) if mode == "review" else None,
                    )
                    evidence.ended_by_us = "at" in state
                    blame(trial, evidence.verdicts())
                    if what != signal.SIGKILL and "at" in state:
                        if evidence.code is not None and evidence.code < 0 and -evidence.code != what:
                            raise Verdict("crash", f"signal {-evidence.code}")
                        leaves_nobody(trial)
                    if os.path.exists(trial.path("session/events.jsonl")):
                        after(trial)


def after(trial):
    """What is left can be read, and nothing of it is sent again by itself."""
    folder = trial.path("session")
    trial.command("ledger", folder, codes=(0, 1, 65))
    trial.command("log", folder, codes=(0, 1, 65))
    trial.command("why", folder, codes=(0, 1, 65))


for seconds in (1, 3, 9):
    for moment, at in (
        ("before the words", 0.4),
        ("in the first words", 1.2),
        ("behind them", 2.2),
        ("in the second words", 3.9),
    ):
        for mode in ("direct", "review"):
            if mode == "review" and seconds != 3:
                continue

            @case(
                "stopped",
                f"for {seconds} s {moment}, {mode}",
                quick=seconds == 3 and mode == "direct" and at in (1.2, 3.9),
                limit=75,
            )
            def _(trial, seconds=seconds, at=at, mode=mode):
                state = {}

                def during(child):
                    if child.seconds > at and "stopped" not in state:
                        state["stopped"] = True
                        child.signal(signal.SIGSTOP)
                    elif "stopped" in state and "on" not in state and child.seconds > at + seconds:
                        state["on"] = True
                        child.signal(signal.SIGCONT)

                script = Script(2, gap=1.6, behind=2)
                session(trial, script=script, mode=mode, during=during)


# Pipes.


for name, tail in (
    ("standard output closed", ">&-"),
    ("standard error closed", "2>&-"),
    ("both closed", ">&- 2>&-"),
    ("everything closed", "<&- >&- 2>&-"),
    ("standard output full", ">/dev/full"),
    ("standard error full", "2>/dev/full"),
    ("both full", ">/dev/full 2>/dev/full"),
    ("standard input closed", "<&-"),
):

    @case("pipes", f"{name}", quick="closed" in name and "both" not in name, limit=60)
    def _(trial, tail=tail):
        trial.wrap("", tail)
        evidence = session(trial, script=Script(2), judged=False)
        verdicts = evidence.verdicts()
        # Who cannot be told anything is judged by what the agent got, and by the ledger.
        blame(trial, [pair for pair in verdicts if pair[0] in ("crash", "doubled", "truncated", "lost")])
        if len(evidence.sent) != 2:
            raise Verdict(
                "lost",
                f"of two instructions {len(evidence.sent)} were sent; exit code {evidence.code}: {evidence.output[-300:]}",
            )


for name, reader in (
    ("a reader that leaves at once", "true"),
    ("a reader that leaves after 2 s", "timeout 2 cat >/dev/null"),
    ("a reader that leaves after a line", "head -1 >/dev/null"),
    ("a reader that reads nothing for 6 s", "(sleep 6; cat >/dev/null)"),
):

    @case("pipes", name, quick="6 s" in name, limit=60)
    def _(trial, reader=reader):
        trial.wrap(f"exec > >({reader}) 2>&1")
        evidence = session(trial, script=Script(2), judged=False)
        blame(trial, [pair for pair in evidence.verdicts() if pair[0] in ("crash", "doubled", "truncated", "lost")])
        if len(evidence.sent) != 2:
            raise Verdict(
                "lost",
                f"of two instructions {len(evidence.sent)} were sent; exit code {evidence.code}: {evidence.output[-300:]}",
            )


for name, data in (
    ("bytes", bytes(range(256)) * 400),
    ("a line of 20 MB", b"say " + b"x" * (20 << 20) + b"\n"),
    ("100,000 lines", b"quiet\n" * 100_000),
    ("unknown words", b"launch\n\xff\xfe\nchoose 99999999999999999999\nanswer\namend\nsteer\n\0\n"),
    ("lines without end", b"x" * 300_000),
):

    @case("pipes", f"{name} as commands", quick="lines" not in name, limit=60, megabytes=700)
    def _(trial, data=data):
        state = {}

        def during(child):
            if "sent" not in state and heard("listening")(child):
                state["sent"] = True

                def feed():
                    try:
                        child.process.stdin.write(data)
                        child.process.stdin.flush()
                    except (OSError, ValueError):
                        pass

                threading.Thread(target=feed, daemon=True).start()

        script = Script(1, behind=2)
        session(trial, script=script, during=during, user=User(script, quits=15), may_invent=True)
