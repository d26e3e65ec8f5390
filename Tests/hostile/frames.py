"""Bad frames and messages: lengths that lie, fragments without end, nesting, numbers at their edges, calls of nobody."""

import json, os, struct
from case import case, session
from live import Fault, READOUT, say, write
from speech import Script


def frame(opcode, payload=b"", *, fin=True, reserved=0, masked=False, length=None, size=None):
    """One frame. `length` lies about the payload; `size` forces the form of the length: 1, 2 or 8 bytes."""
    count = len(payload) if length is None else length
    head = bytes([(128 if fin else 0) | reserved << 4 | opcode])
    size = size or (1 if count < 126 else 2 if count < 65536 else 8)
    mask = 128 if masked else 0
    head += (
        bytes([mask | count])
        if size == 1
        else (
            struct.pack(">BH", mask | 126, count & 65535)
            if size == 2
            else struct.pack(">BQ", mask | 127, count & (1 << 64) - 1)
        )
    )
    return head + (b"\1\2\3\4" if masked else b"") + payload


def text(value):
    return frame(1, value if isinstance(value, bytes) else json.dumps(value).encode())


def content(**fields):
    return {"serverContent": fields}


def call(name="converse", identifier="c1", instruction="open the first file", **more):
    one = {"name": name, "args": {"instruction": instruction}, **more}
    if identifier is not None:
        one["id"] = identifier
    return {"toolCall": {"functionCalls": [one]}}


EDGES = [
    2**31 - 1,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    2**64,
    -1,
    -(2**63),
    10**400,
    "1e999",
    "-1e999",
    "1e-999",
    1.5,
    "NaN",
    None,
    True,
    "12",
    [],
    {},
]


def numbers(edge):
    """Wherever a number may stand; text is written as it is."""
    raw = edge if isinstance(edge, str) and edge[:1] in "-1N" and edge != "12" else json.dumps(edge)
    message = (
        '{"usageMetadata": {"promptTokenCount": %s, "responseTokenCount": %s, "totalTokenCount": %s, "cachedContentTokenCount": %s}, '
        '"serverContent": {"turnComplete": true}}'
    )
    return text((message % (raw, raw, raw, raw)).encode()) * 2


def nested(depth, kind):
    if kind == "lists":
        return b"[" * depth + b"]" * depth
    if kind == "objects":
        return b'{"a":' * depth + b"1" + b"}" * depth
    return b'{"serverContent":{"modelTurn":' + b'{"parts":[' * depth + b"]}" * depth + b"}}"


ODD = {
    # Lengths.
    "a length of 2⁶³−1": frame(2, b"x" * 64, length=2**63 - 1),
    "a length of 2⁶⁴−1": frame(2, b"x" * 64, length=2**64 - 1),
    "a length of 4 GiB": frame(1, b"x" * 64, length=1 << 32),
    "a short length in eight bytes": frame(1, b"{}", size=8),
    "a short length in two bytes": frame(1, b"{}", size=2),
    "a length longer than what comes": frame(1, b'{"serverContent":{}}', length=120),
    "a length shorter than what comes": frame(1, b'{"serverContent":{"turnComplete":true}}' * 4, length=10),
    "a message of 9 MiB": lambda: frame(1, b'{"x":"' + b"y" * (9 << 20) + b'"}'),
    "a message of 9 MiB in fragments": lambda: frame(1, b'{"x":"', fin=False)
    + frame(0, b"y" * (1 << 20), fin=False) * 9
    + frame(0, b'"}'),
    "a message of 13 MiB in 200 fragments, without end": lambda: frame(1, b"{", fin=False)
    + frame(0, b"y" * 65536, fin=False) * 200,
    "a message of 12 MiB in four fragments": lambda: frame(1, b"{", fin=False)
    + frame(0, b"y" * (4 << 20), fin=False) * 3
    + frame(0, b"}"),
    "a fragment that steps over 8 MiB, and pings": lambda: frame(1, b"y" * ((8 << 20) - 1000), fin=False)
    + frame(0, b"y" * 2000)
    + frame(9, b"x") * 100,
    "two messages of 9 MiB, and more": lambda: frame(1, b"y" * (9 << 20)) * 2
    + text(content(outputTranscription={"text": "z" * 100_000})) * 20,
    "a message of 40 MiB": lambda: frame(2, b"y" * (40 << 20)),
    "a message of 8 MiB exactly": lambda: frame(1, b'{"x":"' + b"y" * ((8 << 20) - 8) + b'"}'),
    "a message of 8 MiB and a byte": lambda: frame(1, b'{"x":"' + b"y" * ((8 << 20) - 7) + b'"}'),
    "a message of 7 MiB that is well": lambda: text(content(outputTranscription={"text": "y" * (7 << 20)})),
    # Fragments.
    "a fragment without end": frame(1, b'{"serverContent":', fin=False),
    "300,000 fragments without end": lambda: frame(1, b"{", fin=False) + frame(0, b" ", fin=False) * 300_000,
    "300,000 empty fragments": lambda: frame(1, b"{", fin=False) + frame(0, b"", fin=False) * 300_000 + frame(0, b"}"),
    "a continuation of nothing": frame(0, b"{}"),
    "a new message within a fragmented one": frame(1, b"{", fin=False) + frame(1, b"{}"),
    "a ping within a fragmented message": frame(1, b'{"serverContent":', fin=False) + frame(9, b"x") + frame(0, b"{}}"),
    "a fragmented ping": frame(9, b"x", fin=False) + frame(0, b"y"),
    "a character cut by fragments": frame(1, b'{"x":"\xc3', fin=False) + frame(0, b'\xbc"}'),
    # Kinds.
    **{f"an unknown opcode {code}": frame(code, b"{}") for code in (3, 7, 11, 15)},
    **{f"reserved bits {bits}": frame(1, b"{}", reserved=bits) for bits in (1, 2, 4, 7)},
    "a masked frame": frame(1, b"{}", masked=True),
    "an empty text": frame(1),
    "an empty binary": frame(2),
    "10,000 empty texts": frame(1) * 10_000,
    # Control frames.
    "a ping of 126 bytes": frame(9, b"x" * 126),
    "10,000 pings": frame(9, b"x" * 100) * 10_000,
    "10,000 pongs": frame(10, b"y") * 10_000,
    "a close of one byte": frame(8, b"\x03"),
    "a close with code 1005": frame(8, struct.pack(">H", 1005)),
    "a close with code 0": frame(8, struct.pack(">H", 0)),
    "a close with code 65535": frame(8, struct.pack(">H", 65535)),
    "a close that is no UTF-8": frame(8, struct.pack(">H", 1011) + b"\xff\xfe\xfd"),
    "a close of 200 bytes": frame(8, struct.pack(">H", 1011) + b"x" * 198),
    "a close with escape codes": frame(8, struct.pack(">H", 1011) + b"\x1b[2J\x1b]0;x\x07"),
    "two closes": frame(8, struct.pack(">H", 1000)) * 2,
    "a text after a close": frame(8, struct.pack(">H", 1000)) + text({"setupComplete": {}}),
    # Text.
    "text that is no UTF-8": frame(1, b'{"x":"\xff\xfe\xc0\x80"}'),
    "surrogates": text(b'{"serverContent":{"outputTranscription":{"text":"\\ud800 \\udfff"}}}'),
    "nulls": text(b'{"serverContent":{"outputTranscription":{"text":"a\\u0000b"}}}'),
    "a raw null": frame(1, b'{"x":"\0"}'),
    "random bytes": lambda: frame(2, os.urandom(4096)),
    "half a JSON": frame(1, b'{"serverContent": {"modelTurn"'),
    "two values": frame(1, b"{}{}"),
    "a byte order mark": frame(1, b"\xef\xbb\xbf{}"),
    "a bare number": frame(1, b"1e999"),
    "a bare string": frame(1, b'"x"'),
    "null": frame(1, b"null"),
    # Nesting.
    **{
        f"{depth:,} {kind} deep": (lambda depth=depth, kind=kind: text(nested(depth, kind)))
        for depth in (600, 100_000)
        for kind in ("lists", "objects", "known ones")
    },
    "a million members": lambda: text({"serverContent": {f"m{n}": n for n in range(100_000)}}),
    "a member a thousand times": lambda: text(b"{" + b",".join([b'"serverContent":{}'] * 1000) + b"}"),
    "1e5 digits": text(b'{"usageMetadata":{"promptTokenCount":' + b"9" * 100_000 + b"}}"),
    # Types.
    **{
        f"a {kind} for {name}": text({name: value})
        for name in (
            "serverContent",
            "toolCall",
            "goAway",
            "sessionResumptionUpdate",
            "setupComplete",
            "usageMetadata",
            "toolCallCancellation",
        )
        for kind, value in (("string", "x"), ("list", [1]), ("number", -1), ("null", None))
    },
    "wrong types below": text(content(modelTurn=[], inputTranscription=7, turnComplete="yes", interrupted={})),
    "parts of every type": text(
        content(
            modelTurn={"parts": [1, "x", None, [], {}, {"inlineData": 7}, {"inlineData": {"data": 7}}, {"text": []}]}
        )
    ),
    "sound of odd bytes": text(
        content(modelTurn={"parts": [{"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": "AAA"}}]})
    ),
    "sound that is no Base64": text(
        content(modelTurn={"parts": [{"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": "!!!!"}}]})
    ),
    "sound at another rate": text(
        content(
            modelTurn={"parts": [{"inlineData": {"mimeType": "audio/pcm;rate=99999999999999999999", "data": "AAAA"}}]}
        )
    ),
    "sound of another kind": text(
        content(modelTurn={"parts": [{"inlineData": {"mimeType": "text/html", "data": "AAAA"}}]})
    ),
    "sound without end": lambda: text(
        content(modelTurn={"parts": [{"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": "A" * 400_000}}]})
    )
    * 30,
    "a second setupComplete": text({"setupComplete": {}}) * 5,
    "going away in −1 s": text({"goAway": {"timeLeft": "-1s"}}),
    "going away in 1e999 s": text({"goAway": {"timeLeft": "1e999s"}}),
    "going away in 2⁶³ s": text({"goAway": {"timeLeft": "9223372036854775808s"}}),
    "going away in words": text({"goAway": {"timeLeft": "soon"}}),
    "going away in NaN s": text({"goAway": {"timeLeft": "nan s"}}),
    "going away 1,000 times": text({"goAway": {"timeLeft": "9s"}}) * 1000,
    "a handle of 1 MB": text({"sessionResumptionUpdate": {"newHandle": "h" * (1 << 20), "resumable": True}}),
    "a handle with escape codes": text(
        {"sessionResumptionUpdate": {"newHandle": "\x1b[2J\r\nX: y", "resumable": True}}
    ),
    "10,000 handles": lambda: b"".join(
        text({"sessionResumptionUpdate": {"newHandle": f"h{n}", "resumable": n % 2 == 0}}) for n in range(10_000)
    ),
    # Calls and turns.
    "an unknown tool": text(call("launch")),
    "a tool without a name": text({"toolCall": {"functionCalls": [{"id": "x", "args": {}}]}}),
    "a tool with an evil name": text(call("\x1b[2J../../converse\0")),
    "a call without arguments": text({"toolCall": {"functionCalls": [{"id": "x", "name": "converse"}]}}),
    "arguments of another type": text(
        {"toolCall": {"functionCalls": [{"id": "x", "name": "converse", "args": {"instruction": {"a": [1]}}}]}}
    ),
    "an instruction without words": text(call(instruction=" \n\t ")),
    "an instruction of 200 kB": text(call(instruction="x" * 200_000)),
    "an instruction of escape codes": text(call(instruction="\x1b[2J\x1b]52;c;aGk=\x07")),
    "1,000 unknown calls": text(
        {"toolCall": {"functionCalls": [{"id": f"u{n}", "name": f"t{n}"} for n in range(1000)]}}
    ),
    "a cancellation of nothing": text({"toolCallCancellation": {"ids": ["nobody", "", "x" * 10_000]}}),
    "an identifier of 1 MB": text(call("launch", "i" * (1 << 20))),
    "1,000 empty turns": text(content(turnComplete=True)) * 1000,
    "1,000 interruptions": text(content(interrupted=True)) * 1000,
    "1,000 ends of generation": text(content(generationComplete=True)) * 1000,
    "10,000 pieces of transcript": lambda: b"".join(
        text(content(inputTranscription={"text": " a"})) for _ in range(10_000)
    ),
    "10,000 pieces of its own transcript": lambda: text(content(outputTranscription={"text": " a"})) * 10_000,
    "a transcript of 1 MB": lambda: text(content(inputTranscription={"text": "word " * 200_000})),
    "a transcript of escape codes": text(content(inputTranscription={"text": "\x1b[2J\x1b]0;evil\x07\u202e\u200b"})),
    "10,000 voice marks": text({"voiceActivity": {"type": "ACTIVITY_START"}}) * 5000
    + text({"voiceActivity": {"type": "ACTIVITY_END"}}) * 5000,
    "voice marks that do not match": text({"voiceActivity": {"type": "ACTIVITY_END"}}) * 3,
    "voice marks of no kind": text({"voiceActivity": {"type": 7, "audioOffset": "-1e999s"}}),
}
INVENTED = {
    "an instruction of escape codes",
    "arguments of another type",
    "an instruction of 200 kB",
    "10,000 pieces of transcript",
    "a transcript of 1 MB",
    "a transcript of escape codes",
}
# What would hold or take other words than the true ones, by the model's own fault: only that nothing breaks is asked.
MEDDLING = INVENTED | {
    name for name in ODD if "call" in name or "tool" in name or "voice marks" in name or "turns" in name
}
PLACES = [
    ("at the start", "after setupComplete", "listener"),
    ("in an utterance", "speech 25", "listener"),
    ("before a call", "before toolCall", "listener"),
    ("into the voice", "after modelTurn", READOUT),
]


for place, (name, data) in enumerate(ODD.items()):
    spots = [PLACES[place % 3], PLACES[3]] if place % 4 == 0 else [PLACES[place % 3]]
    for number, (where, moment, role) in enumerate(spots):

        @case(
            "frames",
            f"{name} {where}",
            quick=place % 8 == 0 and not number or "MiB" in name and "8 MiB" in name,
            limit=60,
            megabytes=700,
        )
        def _(trial, name=name, data=data, moment=moment, role=role):
            evidence = session(
                trial,
                script=Script(1, behind=1.5),
                faults=[Fault(moment, write(data), role=role)],
                may_invent=name in INVENTED,
                said=0 if name in MEDDLING else None,
            )
            no_escapes(evidence)


for edge in EDGES:

    @case("numbers", f"usage of {str(edge)[:24]}, twice", quick=edge in (2**63 - 1, "1e999", -(2**63)), limit=45)
    def _(trial, edge=edge):
        session(
            trial,
            script=Script(1),
            faults=[
                Fault("after toolCall", write(numbers(edge))),
                Fault("after turnComplete", write(numbers(edge)), role=READOUT),
            ],
        )


def no_escapes(evidence):
    from judge import Verdict

    if "\x1b" in evidence.output:
        raise Verdict("harm", "escape codes of the server were printed")


# Calls that come twice, without an identifier, or late.


def takes(*messages):
    """Instead of one call, these for each utterance."""
    return [Fault("after toolCall", say(*messages))]


AGAIN = {
    "the same call again": lambda text: [call(identifier="call-{n}-1", instruction=text)],
    "the same instruction, another identifier": lambda text: [call(identifier="other", instruction=text)],
    "the same instruction ten times": lambda text: [call(identifier=f"o{n}", instruction=text) for n in range(10)],
    "the same instruction without an identifier": lambda text: [call(identifier=None, instruction=text)],
    "the same instruction with an empty identifier": lambda text: [call(identifier="", instruction=text)] * 2,
    "the same instruction in capitals": lambda text: [call(identifier="x", instruction=text.upper() + ".")],
    "the call cancelled": lambda text: [{"toolCallCancellation": {"ids": ["call-{n}-1"]}}],
}
for name, make in AGAIN.items():
    for mode in ("direct", "review"):

        @case("calls", f"{name}, {mode}", quick=mode == "direct" and "ten" not in name, limit=45)
        def _(trial, make=make, mode=mode):
            def deed(connection):
                for message in json.loads(
                    json.dumps(make("open the first file")).replace("{n}", str(connection.number))
                ):
                    connection.pending.setdefault(
                        (message.get("toolCall") or {"functionCalls": [{}]})["functionCalls"][0].get("id", "None"),
                        "converse",
                    )
                    gemini_send(connection, message)

            session(trial, script=Script(1, behind=2), faults=[Fault("after toolCall", deed)], mode=mode)


def gemini_send(connection, message):
    connection.socket.frame(1, json.dumps(message).encode())


for option in (
    "--late-transcript",
    "--fragments",
    "--fault=duplicate-transcript",
    "--fault=phantom-interrupted",
    "--fault=malformed",
    "--fault=no-turn-complete",
    "--fault=silent-first-readout",
    "--fault=cut-first-readout",
    "--fault=no-setup-complete",
):
    for mode in ("direct", "review"):

        @case(
            "odd servers",
            f"{option.split('=')[-1].strip('-')}, {mode}",
            limit=90,
            quick=mode == "direct"
            and option in ("--late-transcript", "--fault=malformed", "--fault=cut-first-readout"),
        )
        def _(trial, option=option, mode=mode):
            session(trial, script=Script(2, behind=2), options=[option], mode=mode)


for detection in ("client",):
    for count in (1, 2, 3):

        @case("odd servers", f"nothing odd, {count} said, the {detection} finds the ends", limit=60, quick=count == 3)
        def _(trial, count=count, detection=detection):
            session(trial, script=Script(count, behind=2), arguments=["--turn-detection", detection])


for mode in ("direct", "review"):
    for count in (0, 1, 2, 3):

        @case("odd servers", f"nothing odd, {count} said, {mode}", limit=60, quick=count == 2)
        def _(trial, count=count, mode=mode):
            session(trial, script=Script(count, behind=1.5), mode=mode)
