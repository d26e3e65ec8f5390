"""Connections that never come right: bad handshakes, refused resumption, going away, flapping, thinking meanwhile."""

import asyncio
from case import case, session
from judge import Verdict
from live import Fault, READOUT, close, end, go_away, mute, reset, say
from speech import Script


def answer(data, wait=0.0, shut=True):
    """A handshake that is answered with these bytes."""

    async def handshake(connection, head):
        if wait:
            await asyncio.sleep(wait)
        connection.writer.write(data(head) if callable(data) else data)
        try:
            await connection.writer.drain()
            if not shut:
                await asyncio.sleep(60)
        except (OSError, ConnectionError):
            pass

    return handshake


def status(code, words, *headers, body=b""):
    lines = [f"HTTP/1.1 {code} {words}", *headers, f"Content-Length: {len(body)}", "Connection: close"]
    return answer("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def accepted(*headers, key="wrong"):
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Accept: {key}",
    ]
    return "\r\n".join([*lines, *headers]).encode() + b"\r\n\r\n"


def slowly(data, seconds):
    async def handshake(connection, head):
        for byte in data:
            connection.writer.write(bytes([byte]))
            await asyncio.sleep(seconds)

    return handshake


async def flood(connection, head):
    """A head without an end."""
    connection.writer.write(b"HTTP/1.1 101 Switching Protocols\r\n")
    try:
        for number in range(20_000):
            connection.writer.write(b"X-%d: %s\r\n" % (number, b"x" * 400))
            await connection.writer.drain()
    except (OSError, ConnectionError):
        pass


HANDSHAKES = {
    **{
        f"status {code}": status(code, words)
        for code, words in [
            (200, "OK"),
            (204, "No Content"),
            (400, "Bad Request"),
            (401, "Unauthorized"),
            (403, "Forbidden"),
            (404, "Not Found"),
            (426, "Upgrade Required"),
            (429, "Too Many Requests"),
            (500, "Internal Server Error"),
            (502, "Bad Gateway"),
            (503, "Service Unavailable"),
            (999, "Nobody Knows"),
            (100, "Continue"),
        ]
    },
    "status 301": status(301, "Moved Permanently", "Location: ws://127.0.0.1:9/"),
    "status 302 to a file": status(302, "Found", "Location: file:///etc/passwd"),
    "status 307 to itself": status(307, "Temporary Redirect", "Location: /"),
    "status 429 with a wait": status(429, "Too Many Requests", "Retry-After: 100000"),
    "status 500 with a page": status(500, "Internal Server Error", body=b"<html>" + b"\x1b[2Jx" * 20_000),
    "wrong accept key": answer(accepted(), shut=False),
    "no accept key": answer(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", shut=False
    ),
    "accept key of 60 kB": answer(accepted(key="x" * 60_000), shut=False),
    "a header of 1 MB": answer(accepted("X-Long: " + "x" * (1 << 20)), shut=False),
    "10,000 headers": answer(accepted(*[f"X-{n}: y" for n in range(10_000)]), shut=False),
    "a head without an end": flood,
    "an extension nobody asked for": answer(accepted("Sec-WebSocket-Extensions: permessage-deflate"), shut=False),
    "a protocol nobody asked for": answer(accepted("Sec-WebSocket-Protocol: evil"), shut=False),
    "not HTTP": answer(b"SSH-2.0-OpenSSH_9.6\r\n", shut=False),
    "bytes": answer(bytes(range(256)) * 40, shut=False),
    "nothing": answer(b"", shut=False),
    "an end at once": answer(b""),
    "half a status line": answer(b"HTTP/1.1 1"),
    "escape codes in the status": answer(b"HTTP/1.1 403 \x1b[2J\x1b]0;title\x07Forbidden\r\n\r\n"),
    "a byte a second": slowly(accepted(), 1.0),
    "HTTP/0.9": answer(b"<html>hello</html>"),
    "HTTP/2": answer(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(64), shut=False),
}


for place, (name, handshake) in enumerate(HANDSHAKES.items()):

    @case("handshakes", name, quick=place % 5 == 0, limit=60)
    def _(trial, handshake=handshake):
        evidence = session(trial, script=Script(1, behind=3), handshake=handshake, most_connections=14)
        if evidence.code == 0:
            raise Verdict("silent", "exit code 0, and there was no live model")
        if any("\x1b" in line for line in evidence.output.split("\n")):
            raise Verdict("harm", "escape codes of the server were printed")


def opening(name, moment, deed, *, quick=False, limit=75, most=16, **more):
    """Something that goes wrong each time from some moment on."""

    @case("links that flap", name, quick=quick, limit=limit)
    def _(trial):
        seconds = more.pop("seconds", 10)
        session(
            trial,
            script=Script(2, behind=seconds),
            faults=[Fault(moment, deed, times=None, role=more.get("role", "listener"))],
            most_connections=most,
            commands=more.get("commands"),
            mode=more.get("mode", "direct"),
            options=more.get("options", ()),
        )


for name, deed in [
    ("closes with 1011", close(1011)),
    ("closes with 1001", close(1001)),
    ("closes with 1000", close(1000)),
    ("is reset", reset),
    ("ends", end),
    ("says going-away", go_away(0, 5)),
    ("says going-away and cuts", go_away(0, 0.2)),
    ("is silent", mute),
]:
    for number, moment in enumerate(
        (
            "after setupComplete",
            "speech 5",
            "after toolCall",
            "before setupComplete",
            "after inputTranscription",
            "after sessionResumptionUpdate",
        )
    ):
        # Half of them each.
        if number < 3 or name in ("closes with 1011", "is reset", "is silent"):
            opening(
                f"each connection {name} at “{moment}”",
                moment,
                deed,
                quick=(name, moment) == ("is reset", "after setupComplete"),
            )
for name, deed in [("closes with 1011", close(1011)), ("is reset", reset), ("is silent", mute)]:
    for moment in ("after setupComplete", "say", "after modelTurn"):
        opening(f"each connection of the voice {name} at “{moment}”", moment, deed, role=READOUT, limit=120)
for name, deed in [("says going-away", go_away(0, 5)), ("is reset", reset), ("closes with 1001", close(1001))]:
    # Somebody is there who may still want to talk; even so it is not tried all the time.
    opening(
        f"each connection {name} at once, and somebody is there", "after setupComplete", deed, mode="review", limit=75
    )


# Resumption.


def resumed(name, *, quick=False, refused=False, faults, said=2, limit=75, **more):
    @case("resumption", name, quick=quick, limit=limit)
    def _(trial):
        session(
            trial,
            script=Script(said, gap=more.pop("gap", 1.6), behind=more.pop("behind", 2.0)),
            faults=[make() for make in faults],
            refuses_handles=refused,
            **more,
        )


for refused in (False, True):
    words = "refused" if refused else "taken"
    for moment in ("speech 20", "ended", "after toolCall", "after turnComplete"):
        for name, deed in [
            ("a reset", reset),
            ("close 1011", close(1011)),
            ("going-away in 1 s", go_away(1)),
            ("going-away in 10 s", go_away(10)),
            ("going-away in 0 s", go_away(0, 0.4)),
        ]:
            occurrence = 2 if (len(moment) + len(name) + refused) % 2 else 1
            resumed(
                f"{words}, {name} at “{moment}” {occurrence}",
                refused=refused,
                quick=refused and name == "a reset",
                faults=[
                    lambda moment=moment, deed=deed, occurrence=occurrence: Fault(moment, deed, occurrence=occurrence)
                ],
            )


# The model thinks, and the user speaks on.


for thinks in (0.6, 1.0, 1.4):
    for name, deed in [
        ("nothing", None),
        ("a reset", reset),
        ("close 1011", close(1011)),
        ("going-away", go_away(1)),
        ("going-away at once", go_away(0, 0.3)),
        ("silence", mute),
    ]:
        for moment in ("after toolCall", "got toolResponse", "after turnComplete"):
            if (deed is None or thinks != 1.0) and moment != "after toolCall":
                continue
            for later in (0.0, 0.3):
                for mode in ("direct", "review"):
                    if (later or thinks != 1.0) and (deed is None or mode == "review"):
                        continue

                    @case(
                        "thinks meanwhile",
                        f"{thinks} s, then {name} {later} s after “{moment}”, {mode}",
                        limit=75,
                        quick=thinks == 1.0 and not later and mode == "direct" and moment == "after toolCall",
                    )
                    def _(trial, thinks=thinks, deed=deed, moment=moment, later=later, mode=mode):
                        session(
                            trial,
                            script=Script(2, gap=0.8, behind=2.0),
                            mode=mode,
                            thinks=thinks,
                            faults=[Fault(moment, deed, later=later)] if deed else [],
                        )


# An outage, a backlog of what was said in it, and a second cut.


def outage(trial, *, seconds, second, occurrence=2, said=3, gap=0.9, mode="direct", **more):
    script = Script(said, gap=gap, behind=4.0)

    async def handshake(connection, head):
        connection.writer.close()

    def fall(connection):
        reset(connection)
        connection.server.handshake = handshake
        asyncio.get_running_loop().call_later(seconds, setattr, connection.server, "handshake", None)

    faults = [Fault("speech 10", fall)]
    if second:
        faults.append(Fault(second[0], second[1], occurrence=second[2]))
    session(trial, script=script, faults=faults, mode=mode, **more)


for seconds in (3, 7):
    for name, second in [
        ("no second cut", None),
        ("reset at the setup", ("after setupComplete", reset, 2)),
        ("reset in the first utterance", ("speech 10", reset, 2)),
        ("reset in the second", ("speech 10", reset, 3)),
        ("reset in the third", ("speech 10", reset, 4)),
        ("reset after the first call", ("after toolCall", reset, 1)),
        ("reset after the second call", ("after toolCall", reset, 2)),
        ("reset after the first answer", ("got toolResponse", reset, 1)),
        ("reset before the first call", ("before toolCall", reset, 1)),
        ("silence in the second", ("speech 10", mute, 3)),
        ("close 1011 in the second", ("speech 10", close(1011), 3)),
        ("going-away in the second", ("speech 10", go_away(1), 3)),
        ("silence after the first call", ("after toolCall", mute, 1)),
    ]:
        for mode in ("direct", "review"):
            if mode == "review" and (seconds == 7 or name.startswith("reset")):
                continue

            @case(
                "backlogs",
                f"{seconds} s without a link, three said, {name}, {mode}",
                limit=90,
                quick=seconds == 3
                and mode == "direct"
                and name in ("no second cut", "reset after the first call", "reset in the second"),
            )
            def _(trial, seconds=seconds, second=second, mode=mode):
                outage(trial, seconds=seconds, second=second, mode=mode)


# What nobody said.


def repeated(text, moment, later, times):
    turn = [{"serverContent": {"inputTranscription": {"text": text}}}, {"serverContent": {"turnComplete": True}}]
    return Fault(moment, say(*turn * times), later=later)


for number, text in enumerate(("Yes, send it.", "approve", "go ahead", "yes", "send it")):
    for moment, later, times in (
        ("after turnComplete", 2.5, 1),
        ("got toolResponse", 1.5, 3),
        ("after turnComplete", 0.9, 1),
        ("after turnComplete", 4, 2),
    ):
        for reads in (False, True):

            @case(
                "nobody's voice",
                f"“{text}” {times} times, {later} s after “{moment.split()[-1]}”, "
                + ("read aloud" if reads else "not read aloud"),
                limit=45,
                quick=number == 0 and not reads and times == 1,
            )
            def _(trial, text=text, moment=moment, later=later, times=times, reads=reads):
                settings = trial.write(
                    "settings.json5",
                    "{ live: { silenceMilliseconds: 400 }, interaction: { readBack: %s } }" % str(reads).lower(),
                )
                evidence = session(
                    trial,
                    script=Script(1, behind=6),
                    faults=[repeated(text, moment, later, times)],
                    mode="review",
                    commands=False,
                    arguments=["--config", settings],
                )
                if evidence.sent:
                    raise Verdict("harm", f"a transcript without a voice approved “{evidence.sent[0]}”")


for name, calls in [("one call", 1), ("three calls", 3), ("a hundred calls", 100)]:

    @case("nobody's voice", f"{name} without any speech, review", limit=45)
    def _(trial, calls=calls):
        messages = [
            {
                "toolCall": {
                    "functionCalls": [{"id": f"c{n}", "name": "converse", "args": {"instruction": f"invented {n}"}}]
                }
            }
            for n in range(calls)
        ]
        evidence = session(
            trial,
            script=Script(0, behind=4),
            faults=[Fault("after setupComplete", say(*messages))],
            mode="review",
            commands=False,
            may_invent=True,
        )
        if evidence.sent:
            raise Verdict("harm", "an instruction was sent that nobody approved")
