#!/usr/bin/env python3
"""A small Gemini Live server for tests, written without any of the program's own code.

It speaks the WebSocket protocol by itself (Python's standard library only), listens to the sound that really arrives
and ends utterances in audio time, and is as odd as the real one: JSON in binary frames, every other one pretty-printed,
sound in pieces of odd sizes, late turnComplete, handles, goAway.

The first line on standard output is the port. Each further line is a JSON object: {"t": seconds since the start,
"connection": number, "saw": what, ...}. It ends by itself after --time-limit seconds, or when standard input, if it is
a pipe, is closed by whoever started it (with --until-stdin-closes).
"""

import argparse
import array
import asyncio
import base64
import hashlib
import json
import math
import os
import ssl
import struct
import sys
import time
import urllib.parse
import wave

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
METHOD = "BidiGenerateContent"
INVALID = (1007, "Request contains an invalid argument.")
# Bytes: odd ones on purpose, a lone sample first, as seen from the real server.
CHUNKS = [2, 2400, 7681, 9600, 11519, 15360, 1]
OUT_RATE = 24000
IN_RATE = 16000
LARGEST_MESSAGE = 16 << 20


def arguments(line=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0, help="0 for any free one")
    parser.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"), help="serve wss with these PEM files")
    parser.add_argument("--key", help="the only accepted API key; without it any is")
    parser.add_argument(
        "--instruction", action="append", default=[], metavar="TEXT",
        help="what the model makes of an utterance; repeat for one text each, the last one stays. @stop calls stop, "
        "@ask asks back aloud, @none does nothing, @unknown calls a tool that does not exist")
    parser.add_argument("--transcript", action="append", default=[], metavar="TEXT",
                        help="what is transcribed of an utterance; like --instruction, and by default the same")
    parser.add_argument("--wav", help="what every readout sounds like (mono, 16 bit); by default a tone")
    parser.add_argument("--pace", choices=["real", "burst"], default="burst", help="how fast sound is sent")
    parser.add_argument("--ms-per-character", type=int, default=60, help="length of the tone of a readout")
    parser.add_argument("--silence-ms", type=int, default=700, help="ends an utterance, unless the setup says otherwise")
    parser.add_argument("--threshold", type=int, default=500, help="RMS above which sound is speech")
    parser.add_argument("--goaway-after", type=float, metavar="S", help="announce the cut of a listener connection")
    parser.add_argument("--goaway-after-calls", type=int, metavar="N", help="announce it when N calls were answered")
    parser.add_argument("--goaway-readout", action="store_true", help="announce it to readout connections too")
    parser.add_argument("--cut-after", type=float, default=3, metavar="S", help="from goAway to the cut with 1011")
    parser.add_argument("--voice-activity", action="store_true", help="send the server's voice activity marks")
    parser.add_argument("--late-transcript", action="store_true", help="send transcripts after the tool call")
    parser.add_argument("--unheard", metavar="TEXT", help="after the last utterance, claim three times to have heard this")
    parser.add_argument("--fragments", action="store_true", help="send transcripts word by word")
    parser.add_argument("--time-limit", type=float, default=300, metavar="S")
    parser.add_argument("--until-stdin-closes", action="store_true")
    parser.add_argument(
        "--fault", action="append", default=[],
        choices=["no-setup-complete", "no-turn-complete", "silent-first-readout", "duplicate-transcript",
                 "phantom-interrupted", "malformed", "cut-first-readout", "refuse-handles"],
        help="misbehave; may be repeated")
    return parser.parse_args(line)


def pick(value, *path):
    """A member by camelCase names, in either name style; None if absent."""
    for name in path:
        if not isinstance(value, dict):
            return None
        snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
        value = value.get(name, value.get(snake))
    return value


def has(value, name):
    snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
    return isinstance(value, dict) and (name in value or snake in value)


class Closed(Exception):
    """The connection is over: ours to close with a code, or closed by the client."""

    def __init__(self, code, reason="", by_client=False):
        super().__init__(reason)
        self.code, self.reason, self.by_client = code, reason, by_client


class Socket:
    """The WebSocket protocol, server side (RFC 6455)."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def handshake(self):
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 10)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = {}
        for line in lines[1:]:
            if ":" in line:
                name, value = line.split(":", 1)
                headers[name.strip().lower()] = value.strip()
        split = urllib.parse.urlsplit(target.replace("//", "/", 1) if target.startswith("//") else target)
        if method != "GET" or "websocket" not in headers.get("upgrade", "").lower():
            await self.refuse(426, "Upgrade Required")
        if not split.path.endswith(METHOD):
            await self.refuse(404, "Not Found")
        accept = base64.b64encode(hashlib.sha1(headers["sec-websocket-key"].encode() + GUID).digest()).decode()
        self.writer.write(
            (f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())
        return split, headers

    async def refuse(self, status, words):
        self.writer.write(f"HTTP/1.1 {status} {words}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await self.writer.drain()
        raise Closed(status, words)

    async def receive(self):
        """The payload of the next message, of either kind."""
        message = b""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 127
            if length == 126:
                length, = struct.unpack(">H", await self.reader.readexactly(2))
            elif length == 127:
                length, = struct.unpack(">Q", await self.reader.readexactly(8))
            if not second & 128:
                raise Closed(1002, "a client must mask its frames")
            if length + len(message) > LARGEST_MESSAGE:
                raise Closed(1009, "message too big")
            mask = await self.reader.readexactly(4)
            payload = await self.reader.readexactly(length)
            if length:
                key = (mask * (length // 4 + 1))[:length]
                payload = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big")
            opcode = first & 15
            if opcode == 8:
                code = struct.unpack(">H", payload[:2])[0] if length >= 2 else 1005
                raise Closed(code, payload[2:].decode("utf-8", "replace"), by_client=True)
            if opcode == 9:
                self.frame(10, payload)
                continue
            if opcode == 10:
                continue
            message += payload
            if first & 128:
                return message

    def frame(self, opcode, payload):
        length = len(payload)
        head = bytes([128 | opcode])
        if length < 126:
            head += bytes([length])
        elif length < 65536:
            head += struct.pack(">BH", 126, length)
        else:
            head += struct.pack(">BQ", 127, length)
        self.writer.write(head + payload)

    async def close(self, code, reason):
        self.frame(8, struct.pack(">H", code) + reason.encode()[:123])
        try:
            await asyncio.wait_for(self.writer.drain(), 1)
        except (OSError, asyncio.TimeoutError):
            pass


class Ears:
    """Ends utterances by energy, in the time of the audio: without audio, time stands still."""

    WINDOW = IN_RATE // 50

    def __init__(self, threshold, silence_ms):
        self.threshold, self.silence = threshold, silence_ms / 20
        self.rest = array.array("h")
        self.loud = self.quiet = self.windows = 0
        self.is_speaking = False

    def hear(self, samples):
        """Yields "start" and "end" as they are noticed."""
        self.rest.extend(samples)
        while len(self.rest) >= self.WINDOW:
            window = self.rest[:self.WINDOW]
            self.rest = self.rest[self.WINDOW:]
            self.windows += 1
            if math.sqrt(sum(s * s for s in window) / len(window)) > self.threshold:
                self.loud, self.quiet = self.loud + 1, 0
            else:
                self.loud, self.quiet = 0, self.quiet + 1
            if not self.is_speaking and self.loud >= 3:
                self.is_speaking = True
                yield "start"
            elif self.is_speaking and self.quiet >= self.silence:
                self.is_speaking = False
                yield "end"


class Conversation:
    """What outlives a connection: a listener's place in the script, and its handles."""

    def __init__(self):
        self.utterances = 0
        self.connection = None


class Connection:
    def __init__(self, server, number, socket):
        self.server, self.options, self.number, self.socket = server, server.options, number, socket
        self.sent = self.audio_samples = self.audio_frames = self.calls = 0
        self.setup = None
        self.conversation = Conversation()
        self.is_readout = False
        self.generation = None
        self.plays_until = 0.0
        self.pending = {}
        self.ears = None
        self.marks_activity = False
        self.timers = []
        self.carried = b""

    def saw(self, what, **details):
        self.server.saw(self.number, what, **details)

    def send(self, message):
        self.sent += 1
        text = json.dumps(message, indent=2) + "\n" if self.sent % 2 else json.dumps(message)
        self.socket.frame(2, text.encode())

    def content(self, **fields):
        self.send({"serverContent": fields})

    # Setting up.

    async def run(self):
        target, headers = await self.socket.handshake()
        key = headers.get("x-goog-api-key") or urllib.parse.parse_qs(target.query).get("key", [""])[0]
        self.saw("opened", path=target.path, key=bool(key), headers=sorted(headers))
        if self.options.key and key != self.options.key:
            raise Closed(1007, "API key not valid. Please pass a valid API key.")
        first = self.parse(await self.socket.receive())
        if not has(first, "setup"):
            raise Closed(1007, "The first message must be setup.")
        self.set_up(pick(first, "setup"))
        if "no-setup-complete" in self.options.fault:
            await asyncio.sleep(self.options.time_limit)
        self.send({"setupComplete": {}})
        if self.options.goaway_after is not None and (not self.is_readout or self.options.goaway_readout):
            self.timers.append(asyncio.ensure_future(self.go_away(self.options.goaway_after)))
        while True:
            message = self.parse(await self.socket.receive())
            self.receive(message)
            await self.socket.writer.drain()

    def parse(self, payload):
        try:
            message = json.loads(payload)
        except ValueError:
            raise Closed(1007, "Invalid JSON payload received.")
        if not isinstance(message, dict) or len(message) != 1:
            raise Closed(*INVALID)
        return message

    def set_up(self, setup):
        self.setup = setup
        model = str(pick(setup, "model"))
        if not model.startswith("models/"):
            raise Closed(*INVALID)
        thinking = pick(setup, "generationConfig", "thinkingConfig")
        level = pick(thinking, "thinkingLevel")
        if "extended-thinking" in model:
            if level not in ("LOW", "MEDIUM", "HIGH"):
                raise Closed(*INVALID)
        elif "3.8" in model and thinking is not None:
            raise Closed(*INVALID)
        if "live" not in model and "native-audio" not in model:
            raise Closed(1008, f"{model} is not found for API version v1beta, or is not supported for bidiGenerateContent.")
        if has(setup, "proactivity"):
            raise Closed(*INVALID)
        functions = [f for tool in pick(setup, "tools") or [] for f in pick(tool, "functionDeclarations") or []]
        self.is_readout = not functions
        resumption = pick(setup, "sessionResumption")
        handle = pick(resumption, "handle")
        if has(resumption, "handle"):
            if not handle:
                raise Closed(*INVALID)
            old = self.server.handles.get(handle)
            if old is None or "refuse-handles" in self.options.fault:
                raise Closed(1008, "Requested entity was not found.")
            if old.connection is not None:
                raise Closed(1011, "Internal error encountered.")
            self.conversation = old
        self.conversation.connection = self
        detection = pick(setup, "realtimeInputConfig", "automaticActivityDetection")
        self.marks_activity = bool(pick(detection, "disabled"))
        silence = pick(detection, "silenceDurationMs") or self.options.silence_ms
        self.ears = Ears(self.options.threshold, float(silence))
        self.saw("setup", role="readout" if self.is_readout else "listener", model=model, resumed=bool(handle),
                 tools=[pick(f, "name") for f in functions],
                 behaviors=sorted({str(pick(f, "behavior")) for f in functions}),
                 detection="client" if self.marks_activity else "server", silence_ms=float(silence))

    # What the client says.

    def receive(self, message):
        if has(message, "realtimeInput"):
            self.realtime(pick(message, "realtimeInput"))
        elif has(message, "clientContent"):
            self.client_content(pick(message, "clientContent"))
        elif has(message, "toolResponse"):
            for response in pick(message, "toolResponse", "functionResponses") or []:
                self.tool_response(response)
        else:
            raise Closed(*INVALID)

    def realtime(self, message):
        if has(message, "audio"):
            if self.is_readout:
                self.saw("error", text="sound on a readout connection")
            data = str(pick(message, "audio", "data")).replace("-", "+").replace("_", "/")
            sound = self.carried + base64.b64decode(data)
            self.carried = sound[len(sound) & ~1:]
            samples = array.array("h", sound[:len(sound) & ~1])
            self.audio_samples += len(samples)
            self.audio_frames += 1
            self.heard(sound[:len(sound) & ~1])
            if self.audio_frames == 1:
                self.saw("first-audio", mime=pick(message, "audio", "mimeType"), samples=len(samples))
            if not self.marks_activity:
                for event in self.ears.hear(samples):
                    self.speech_started() if event == "start" else self.speech_ended()
        elif has(message, "activityStart") or has(message, "activityEnd"):
            if not self.marks_activity:
                raise Closed(*INVALID)
            self.speech_started() if has(message, "activityStart") else self.speech_ended()
        elif has(message, "text"):
            self.say(str(pick(message, "text")))

    def heard(self, sound):
        """For servers that listen more closely."""

    def client_content(self, message):
        turns = pick(message, "turns") or []
        if any(pick(turn, "role") not in ("user", "model") for turn in turns):
            raise Closed(*INVALID)
        self.interrupt("client")
        if pick(message, "turnComplete") is True:
            text = "".join(str(pick(part, "text") or "") for turn in turns for part in pick(turn, "parts") or [])
            self.say(text)

    def tool_response(self, response):
        call = str(pick(response, "id"))
        content = pick(response, "response")
        self.saw("tool-response", id=call, name=pick(response, "name"),
                 result=str(pick(content, "result") or pick(content, "output") or content),
                 scheduling=pick(response, "scheduling"), will_continue=pick(response, "willContinue"))
        if self.pending.get(call) != pick(response, "name"):
            raise Closed(1008, "Requested entity was not found.")
        if not pick(response, "willContinue"):
            del self.pending[call]
        if not self.pending:
            self.offer_handle()
        self.server.answered += 1
        if self.server.answered == self.options.goaway_after_calls:
            self.timers.append(asyncio.ensure_future(self.go_away(0)))

    # What the model does.

    def speech_started(self):
        self.saw("speech-started", audio_ms=self.audio_samples * 1000 // IN_RATE)
        if self.options.voice_activity:
            self.send({"voiceActivity": {"type": "ACTIVITY_START", "audioOffset": "1.2s"}})
        self.interrupt("speech")
        if "phantom-interrupted" in self.options.fault:
            self.content(interrupted=True)

    def speech_ended(self):
        self.saw("speech-ended", audio_ms=self.audio_samples * 1000 // IN_RATE)
        if self.options.voice_activity:
            self.send({"voiceActivity": {"type": "ACTIVITY_END", "audioOffset": "2.4s"}})
        self.answer(*self.understand())

    def understand(self):
        """The instruction and the transcript of what was just said."""
        index = self.conversation.utterances
        self.conversation.utterances += 1
        instructions = self.options.instruction or ["what time is it"]
        transcripts = self.options.transcript or [{"@stop": "stop"}.get(i, i.lstrip("@")) for i in instructions]
        return instructions[min(index, len(instructions) - 1)], transcripts[min(index, len(transcripts) - 1)]

    def answer(self, instruction, transcript):
        if "malformed" in self.options.fault:
            self.socket.frame(2, b'{"serverContent": {"modelTurn"')
            self.socket.frame(1, b"\xff\xfe not JSON")
        if not self.options.late_transcript:
            self.transcribe(transcript)
        if instruction == "@ask":
            self.say("What do you mean?")
        elif instruction != "@none":
            self.call(instruction)
        if self.options.late_transcript:
            self.transcribe(transcript)
        if instruction not in ("@ask", "@none"):
            self.content(generationComplete=True)
            self.end_turn()
        if self.options.unheard and self.conversation.utterances == len(self.options.instruction):
            self.pretending = asyncio.ensure_future(self.pretend(self.options.unheard))

    async def pretend(self, text):
        for _ in range(3):
            await asyncio.sleep(1.5)
            self.send({"voiceActivity": {"type": "ACTIVITY_START", "audioOffset": "1.2s"}})
            self.send({"voiceActivity": {"type": "ACTIVITY_END", "audioOffset": "2.4s"}})
            self.transcribe(text)
            self.content(generationComplete=True)
            self.end_turn()
        self.saw("pretended")

    def transcribe(self, text):
        pieces = text.replace(" ", "\n ").split("\n") if self.options.fragments else [text]
        for piece in pieces * (2 if "duplicate-transcript" in self.options.fault else 1):
            self.content(inputTranscription={"text": piece})
        self.saw("transcribed", text=text)

    def call(self, instruction):
        self.calls += 1
        call = f"call-{self.number}-{self.calls}"
        name = {"@stop": "stop", "@unknown": "launch"}.get(instruction, "converse")
        args = {"instruction": instruction} if name == "converse" else {}
        self.pending[call] = name
        self.send({"sessionResumptionUpdate": {"newHandle": "", "resumable": False}})
        self.send({"toolCall": {"functionCalls": [{"id": call, "name": name, "args": args}]}})
        self.saw("tool-call", id=call, name=name, instruction=args.get("instruction"))

    def say(self, text):
        self.saw("say", text=text)
        self.interrupt("client")
        self.generation = asyncio.ensure_future(self.generate(text))

    async def generate(self, text):
        try:
            if "silent-first-readout" in self.options.fault and self.server.once("silent"):
                self.end_turn()
                return
            sound = self.server.sound or tone(len(text) * self.options.ms_per_character)
            words, position, index = text.split(" "), 0, 0
            self.plays_until = time.monotonic()
            while position < len(sound):
                chunk = sound[position:position + CHUNKS[index % len(CHUNKS)]]
                position += len(chunk)
                part = {"inlineData": {"mimeType": f"audio/pcm;rate={OUT_RATE}", "data": base64.b64encode(chunk).decode()}}
                fields = {"modelTurn": {"parts": [part]}}
                if index < len(words):
                    fields["outputTranscription"] = {"text": (" " if index else "") + words[index]}
                self.content(**fields)
                index += 1
                self.plays_until += len(chunk) / 2 / OUT_RATE
                await self.socket.writer.drain()
                if self.options.pace == "real":
                    await asyncio.sleep(max(0, self.plays_until - time.monotonic() - 0.1))
                elif index % 8 == 0:
                    await asyncio.sleep(0)
                if "cut-first-readout" in self.options.fault and index == 3 and self.server.once("cut"):
                    self.socket.writer.transport.abort()
                    return
            for word in words[index:]:
                self.content(outputTranscription={"text": (" " if index else "") + word})
            self.content(generationComplete=True)
            self.saw("generated", text=text, audio_ms=len(sound) * 500 // OUT_RATE)
            await self.socket.writer.drain()
            # The real server closes a turn when it takes the sound to have been played.
            await asyncio.sleep(max(0, self.plays_until - time.monotonic()))
            self.end_turn()
        except (OSError, ConnectionError):
            pass

    def end_turn(self):
        self.generation = None
        if "no-turn-complete" not in self.options.fault:
            self.send({"serverContent": {"turnComplete": True},
                       "usageMetadata": {"promptTokenCount": 100, "responseTokenCount": 20, "totalTokenCount": 120}})
        if not self.pending:
            self.offer_handle()

    def interrupt(self, by):
        if self.generation is None or self.generation.done():
            return
        self.generation.cancel()
        self.generation = None
        self.saw("interrupted", by=by)
        self.content(interrupted=True)
        if "no-turn-complete" not in self.options.fault:
            self.content(turnComplete=True)

    def offer_handle(self):
        if not has(self.setup, "sessionResumption"):
            return
        handle = f"handle-{self.number}-{len(self.server.handles) + 1}"
        self.server.handles[handle] = self.conversation
        self.send({"sessionResumptionUpdate": {"newHandle": handle, "resumable": True}})

    async def go_away(self, seconds):
        await asyncio.sleep(seconds)
        self.saw("goaway")
        self.send({"goAway": {"timeLeft": f"{self.options.cut_after:g}s"}})
        await asyncio.sleep(self.options.cut_after)
        self.saw("cut")
        await self.socket.close(1011, "Deadline expired before operation could complete.")
        self.socket.writer.close()

    def end(self):
        for task in self.timers + ([self.generation] if self.generation else []):
            task.cancel()
        if self.conversation.connection is self:
            self.conversation.connection = None
        self.saw("closed", audio_ms=self.audio_samples * 1000 // IN_RATE, audio_frames=self.audio_frames,
                 unanswered=sorted(self.pending))


def tone(milliseconds):
    count = OUT_RATE * max(milliseconds, 40) // 1000
    samples = array.array("h", (int(8000 * math.sin(2 * math.pi * 440 * i / OUT_RATE)) for i in range(count)))
    return samples.tobytes()


class Server:
    connection = Connection

    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.handles = {}
        self.count = 0
        self.happened = set()
        self.answered = 0
        self.sound = None
        if options.wav:
            with wave.open(options.wav) as file:
                if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                    raise SystemExit("--wav: the file must be mono and 16 bit")
                self.sound = resample(file.readframes(file.getnframes()), file.getframerate())

    def once(self, what):
        if what in self.happened:
            return False
        self.happened.add(what)
        return True

    def saw(self, connection, what, **details):
        line = {"t": round(time.monotonic() - self.start, 4), "connection": connection, "saw": what, **details}
        print(json.dumps(line), flush=True)

    async def serve(self, reader, writer):
        self.count += 1
        connection = self.connection(self, self.count, Socket(reader, writer))
        try:
            await connection.run()
        except Closed as closed:
            if not closed.by_client and closed.code >= 1000:
                await connection.socket.close(closed.code, closed.reason)
            elif closed.by_client:
                await connection.socket.close(1000 if closed.code == 1005 else closed.code, "")
            connection.saw("close", code=closed.code, reason=closed.reason, by="client" if closed.by_client else "server")
        except (asyncio.IncompleteReadError, OSError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
            connection.saw("close", code=1006, reason=type(error).__name__, by="network")
        except asyncio.CancelledError:
            pass  # The server ends. asyncio would print a traceback for a connection that was still being opened.
        finally:
            connection.end()
            writer.close()

    async def run(self):
        context = None
        if self.options.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.options.tls)
        server = await asyncio.start_server(self.serve, "127.0.0.1", self.options.port, ssl=context, limit=1 << 20)
        print(server.sockets[0].getsockname()[1], flush=True)
        if self.options.until_stdin_closes:
            loop = asyncio.get_running_loop()
            closed = loop.run_in_executor(None, sys.stdin.read)
            await asyncio.wait([closed], timeout=self.options.time_limit)
        else:
            await asyncio.sleep(self.options.time_limit)


def resample(sound, rate):
    """Linear; good enough for a test."""
    if rate == OUT_RATE:
        return sound
    samples = array.array("h", sound)
    count = len(samples) * OUT_RATE // rate
    result = array.array("h")
    for i in range(count):
        place = i * rate / OUT_RATE
        left = int(place)
        right = min(left + 1, len(samples) - 1)
        result.append(int(samples[left] + (samples[right] - samples[left]) * (place - left)))
    return result.tobytes()


if __name__ == "__main__":
    try:
        asyncio.run(Server(arguments()).run())
    except KeyboardInterrupt:
        pass
    sys.stdout.flush()
    # A reader thread may still wait for standard input.
    os._exit(0)
