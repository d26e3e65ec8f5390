"""A live model that listens truly and misbehaves at a chosen moment.

It is the server of Tests/servers with other ears: what it proposes is what it heard, on the connection on which it heard
it. Each message and each moment has a name; a `Fault` is what happens there.
"""

import asyncio, socket, struct, threading, time
import gemini_live_server as gemini

LISTENER, READOUT, ANY = "listener", "readout", "any"


class Loop:
    """The thread in which all servers of all cases run."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)


class Fault:
    """What goes wrong at a moment.

    - moment: such as "before toolCall", "after setupComplete", "got toolResponse", "speech 20" (that many frames into an
      utterance), "ended" (the end of an utterance was heard), "accept", "request", "upgraded".
    - occurrence: at which time it comes, counted over all connections of the role from 1.
    - times: how often in a row; None for each time from then on.
    - deed: a function of the connection.
    """

    def __init__(self, moment, deed, *, occurrence=1, times=1, role=LISTENER, later=0.0):
        self.moment, self.deed, self.occurrence, self.times = moment, deed, occurrence, times
        self.role, self.later, self.seen, self.done = role, later, 0, 0

    def meets(self, connection, moment):
        if moment != self.moment or self.role not in (ANY, connection.role):
            return False
        self.seen += 1
        if self.seen < self.occurrence or self.times is not None and self.done >= self.times:
            return False
        self.done += 1
        return True


# Deeds: functions of a connection.


def reset(connection):
    """The connection is gone without a goodbye."""
    connection.is_dead = True
    plain = connection.writer.get_extra_info("socket")
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.writer.transport.abort()


def end(connection):
    """TCP's own end, without a close frame."""
    connection.is_dead = True
    connection.writer.close()


def half_end(connection):
    """Nothing more is said, but everything taken."""
    connection.is_dead = True
    connection.writer.write_eof()


def mute(connection):
    """Everything is taken, nothing is ever said again: no frame, no end."""
    connection.is_dead = True


def deaf(connection):
    """Nothing is read any more, either."""
    connection.is_dead = True
    connection.writer.transport.pause_reading()


def close(code, reason="as it pleases"):
    def deed(connection):
        connection.is_dead = True
        connection.socket.frame(8, (struct.pack(">H", code) + reason.encode()) if code else b"")
        asyncio.get_running_loop().call_later(0.3, connection.writer.close)

    deed.__name__ = f"close {code}"
    return deed


def go_away(seconds, cut_after=None, code=1011):
    """Announce a cut, and do it."""

    def deed(connection):
        connection.send({"goAway": {"timeLeft": f"{seconds}s"}})
        loop = asyncio.get_running_loop()
        loop.call_later(seconds if cut_after is None else cut_after, lambda: close(code)(connection))

    deed.__name__ = f"going away in {seconds} s"
    return deed


def say(*messages):
    """Messages of the protocol, as JSON values."""

    def deed(connection):
        for message in messages:
            connection.send(message)

    return deed


def write(data):
    """Bytes, as they are."""

    def deed(connection):
        connection.writer.write(data() if callable(data) else data)

    return deed


class Socket(gemini.Socket):
    async def handshake(self):
        self.connection.moment("accept")
        wait_until_read = self.reader.readuntil
        result = None
        if self.connection.server.handshake:
            head = await asyncio.wait_for(wait_until_read(b"\r\n\r\n"), 10)
            self.connection.server.saw(self.connection.number, "refused")
            await self.connection.server.handshake(self.connection, head)
            raise gemini.Closed(0, "bad handshake")
        result = await super().handshake()
        self.connection.moment("upgraded")
        return result


class Connection(gemini.Connection):
    def __init__(self, server, number, plain):
        super().__init__(server, number, Socket(plain.reader, plain.writer))
        self.socket.connection = self
        self.writer, self.role, self.is_dead = plain.writer, ANY, False
        self.opened, self.sound, self.understood, self.frames, self.asked = time.monotonic(), bytearray(), 0, 0, []

    def moment(self, name):
        for fault in self.server.faults:
            if fault.meets(self, name):
                self.saw("fault", moment=name, deed=fault.deed.__name__)
                if fault.later:
                    asyncio.get_running_loop().call_later(fault.later, fault.deed, self)
                else:
                    fault.deed(self)

    def send(self, message):
        name = next(iter(message))
        if name == "serverContent":
            name = next(iter(message[name]))
        self.moment("before " + name)
        if not self.is_dead:
            super().send(message)
            self.moment("after " + name)

    def set_up(self, setup):
        self.role = READOUT if not gemini.pick(setup, "tools") else LISTENER
        self.moment("got setup")
        if self.server.refuses_handles and gemini.has(gemini.pick(setup, "sessionResumption"), "handle"):
            raise gemini.Closed(1008, "Requested entity was not found.")
        super().set_up(setup)

    def receive(self, message):
        name = next(iter(message))
        if name != "realtimeInput" or "audio" not in message[name]:
            self.moment("got " + name)
        if not self.is_dead or name == "realtimeInput":
            super().receive(message)

    def heard(self, sound):
        self.sound += sound
        if self.ears and self.ears.is_speaking:
            self.frames += 1
            self.moment(f"speech {self.frames}")

    def speech_started(self):
        self.frames = 0
        if not self.is_dead:
            super().speech_started()

    def speech_ended(self):
        if self.is_dead:
            return
        self.moment("ended")
        if self.is_dead:
            return
        heard, self.understood = bytes(self.sound[self.understood :]), len(self.sound)
        text = self.server.script.understood(heard)
        if not text:
            return self.saw("not-understood")
        if self.options.voice_activity:
            self.send({"voiceActivity": {"type": "ACTIVITY_END", "audioOffset": "2.4s"}})
        # It thinks, and the user may speak on meanwhile.
        if self.server.thinks:
            asyncio.get_running_loop().call_later(self.server.thinks, self.propose, text)
        else:
            self.propose(text)

    def propose(self, text):
        if self.is_dead or self.writer.is_closing():
            return
        self.saw("proposes", text=text)
        self.answer(*self.server.takes(text))

    def say(self, text):
        self.asked.append(text)
        if not self.is_dead:
            self.moment("say")
        if not self.is_dead:
            super().say(text)


class Server(gemini.Server):
    connection = staticmethod(Connection)

    def __init__(self, script, faults=(), *, thinks=0.0, options=(), handshake=None, refuses_handles=False, takes=None):
        super().__init__(
            gemini.arguments(["--ms-per-character", "8", "--silence-ms", "400", "--voice-activity", *options])
        )
        self.script, self.faults, self.thinks, self.handshake = script, list(faults), thinks, handshake
        self.refuses_handles = refuses_handles
        # What is called and transcribed for what was understood.
        self.takes = takes or (lambda text: (text, text))
        self.lines, self.connections = [], []

    def saw(self, connection, what, **details):
        self.lines.append(
            {"t": round(time.monotonic() - self.start, 3), "connection": connection, "saw": what, **details}
        )

    async def serve(self, reader, writer):
        def make(server, number, plain):
            made = Connection(server, number, plain)
            self.connections.append(made)
            return made

        self.connection = make
        try:
            await super().serve(reader, writer)
        except (OSError, ConnectionError, RuntimeError, AssertionError):
            pass

    async def open(self):
        self.listening = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 20)
        return self.listening.sockets[0].getsockname()[1]

    async def shut(self):
        self.listening.close()
        for connection in self.connections:
            connection.end()
            connection.writer.transport.abort()

    def listeners(self):
        return [connection for connection in self.connections if connection.role == LISTENER]

    def is_heard_whole(self, index):
        return any(self.script.is_whole(index, bytes(connection.sound)) for connection in self.connections)
