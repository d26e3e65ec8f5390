"""Two faults at once, drawn by seed: of the connections, the messages, the agent, and the machine."""

import random, signal
from case import Case, User, session
from cuts import MOMENTS, SPOKEN
from frames import MEDDLING, ODD
from live import ANY, Fault, READOUT, close, deaf, end, go_away, half_end, mute, reset, write
from speech import Script

CUTS = {
    "reset": reset,
    "TCP's end": end,
    "half an end": half_end,
    "silence": mute,
    "silence, unread": deaf,
    "close 1000": close(1000),
    "close 1011": close(1011),
    "close 1008": close(1008),
    "close 1001": close(1001),
    "going-away in 0 s": go_away(0, 0.3),
    "going-away in 1 s": go_away(1),
    "going-away in 9 s": go_away(9),
}
# What the model itself does wrong is left out: here it is to be told apart what the program does.
MESSAGES = [
    name
    for name in ODD
    if name not in MEDDLING and "MiB" not in name and "10,000" not in name and "300,000" not in name
]
HARMS = [
    "exit 0",
    "exit 3",
    "kill",
    "garbage",
    "half",
    "half and on",
    "twice",
    "late",
    "crumbs",
    "nulls",
    "flood",
    "close output",
]


def a_cut(chance):
    moment, name = chance.choice(MOMENTS), chance.choice(list(CUTS))
    role = ANY if moment in ("accept", "upgraded") else "listener"
    occurrence, later = chance.choice((1, 1, 2, 3)), chance.choice((0, 0, 0.2, 0.7))
    if moment == "accept":
        name, later = "reset", 0
    return f"{name} at “{moment}” {occurrence}" + (f" + {later} s" if later else ""), {
        "faults": [Fault(moment, CUTS[name], occurrence=occurrence, role=role, later=later)]
    }


def a_silent_voice(chance):
    moment, name = chance.choice(SPOKEN), chance.choice(list(CUTS))
    return f"{name} of the voice at “{moment}”", {"faults": [Fault(moment, CUTS[name], role=READOUT)]}


def a_message(chance):
    moment, name = chance.choice(MOMENTS[3:]), chance.choice(MESSAGES)
    return f"{name} at “{moment}”", {"faults": [Fault(moment, write(ODD[name]))]}


def a_harm(chance):
    way, line, deed = chance.choice(("in", "out", "out")), chance.randint(1, 6), chance.choice(HARMS)
    if way == "in" and deed in ("half", "half and on", "twice", "late", "crumbs"):
        deed = "kill"
    return f"the agent: {deed} at line {line} {way}", {"harm": {"way": way, "line": line, "deed": deed}}


def a_stop(chance):
    at, seconds = chance.uniform(0.3, 6), chance.choice((0.4, 1.5, 3, 6))
    state = {}

    def during(child):
        if child.seconds > at and not state:
            state["stopped"] = True
            child.signal(signal.SIGSTOP)
        elif len(state) == 1 and child.seconds > at + seconds:
            state["on"] = True
            child.signal(signal.SIGCONT)

    return f"stopped after {at:.1f} s for {seconds} s", {"during": during}


def an_oddity(chance):
    name = chance.choice(
        (
            "refuses_handles",
            "--late-transcript",
            "--fragments",
            "--fault=duplicate-transcript",
            "--fault=no-turn-complete",
            "--fault=malformed",
            "--fault=silent-first-readout",
        )
    )
    return name.split("=")[-1].strip("-"), (
        {"refuses_handles": True} if name == "refuses_handles" else {"options": [name]}
    )


KINDS = [a_cut, a_cut, a_cut, a_silent_voice, a_message, a_harm, a_stop, an_oddity]


def drawn(seed):
    """What a seed stands for: its title, and the arguments of a session."""
    chance = random.Random(seed)
    said, gap, thinks = chance.choice((1, 2, 2, 3)), chance.choice((0.7, 1.0, 1.8)), chance.choice((0, 0, 0.5, 1.1))
    mode = chance.choice(("direct", "review"))
    names, arguments = [], {"faults": [], "options": []}
    for kind in (chance.choice(KINDS), chance.choice(KINDS)):
        name, more = kind(chance)
        if kind in (a_harm, a_stop) and ("harm" in arguments or "during" in arguments):
            name, more = a_cut(chance)
        names.append(name)
        for key, value in more.items():
            arguments[key] = arguments[key] + value if isinstance(value, list) else value
    script = Script(said, gap=gap, behind=2.5)
    words = f"{seed}: {names[0]}; {names[1]}; {said} said, pauses of {gap} s, thinks {thinks} s, {mode}"
    return words, {
        "script": script,
        "mode": mode,
        "thinks": thinks,
        "user": User(script, quits=script.seconds + 25),
        **arguments,
    }


def cases(first, count):
    for seed in range(first, first + count):
        yield Case(
            "two faults", drawn(seed)[0], lambda trial, seed=seed: session(trial, **drawn(seed)[1]), False, 100, 500
        )
