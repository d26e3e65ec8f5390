"""Cuts: the connection ends, in every way, at every message of either direction."""

from case import case, session
from live import ANY, Fault, READOUT, close, deaf, end, half_end, mute, reset
from speech import Script

WAYS = (
    [("reset", reset), ("TCP's end", end), ("half an end", half_end)]
    + [(f"close {code}", close(code)) for code in (1000, 1001, 1007, 1008, 1009, 1011)]
    + [("close without a code", close(None, "")), ("silence", mute), ("silence, unread", deaf)]
)

# Moments of a listener's connection, in their order.
MOMENTS = [
    "accept",
    "upgraded",
    "got setup",
    "after setupComplete",
    "speech 3",
    "speech 30",
    "speech 60",
    "after voiceActivity",
    "ended",
    "before inputTranscription",
    "after inputTranscription",
    "before toolCall",
    "after toolCall",
    "got toolResponse",
    "after sessionResumptionUpdate",
    "after generationComplete",
    "after turnComplete",
]
SPOKEN = [
    "got setup",
    "after setupComplete",
    "say",
    "after modelTurn",
    "after outputTranscription",
    "after generationComplete",
    "after turnComplete",
]


def role(moment):
    return ANY if moment in ("accept", "upgraded") else "listener"


def cut(family, name, fault, *, mode, said, quick):
    @case(family, name, quick=quick, limit=75)
    def body(trial):
        session(trial, script=Script(said), faults=[fault()], mode=mode)


for place, moment in enumerate(MOMENTS):
    for kind, (way, deed) in enumerate(WAYS):
        # Every second pair; what is said, and how, changes with them.
        if (place + kind) % 2:
            continue
        number = (place + kind) // 2
        mode, said = ("review", "direct")[number % 2], 1 + number % 3
        is_opening = moment in ("accept", "upgraded", "got setup", "after setupComplete")
        occurrence = 1 if is_opening else 1 + kind % said
        cut(
            "cuts",
            f"{way} at “{moment}” {occurrence}, {said} said, {mode}",
            lambda moment=moment, deed=deed, occurrence=occurrence: Fault(
                moment, deed, occurrence=occurrence, role=role(moment)
            ),
            mode=mode,
            said=said,
            quick=(place * 5 + kind) % 12 == 0,
        )
for place, moment in enumerate(SPOKEN):
    for kind, (way, deed) in enumerate(WAYS):
        if (place + kind) % 4 == 0:
            cut(
                "cuts of the voice",
                f"{way} at “{moment}”",
                lambda moment=moment, deed=deed: Fault(moment, deed, role=READOUT),
                mode="direct",
                said=1 + kind % 2,
                quick=(place + kind) % 16 == 0,
            )
