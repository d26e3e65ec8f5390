#!/usr/bin/env python3
"""Measure `parley run` between two pipes and a Gemini Live server, over TLS with a private authority.

Prints: start to setup, microphone frame to wire, wire to speaker, sound that still comes after `interrupted`, processor
time of a minute of conversation and of listening alone, of the start, and of a minute of sound both ways in 20 ms messages
without a pause (harder than any server was seen to be), and memory; the first latencies beside a floor: the same bytes
through a bare loopback socket.
Standard library only. Usage: wire.py PARLEY [--seconds N]
"""
import argparse, base64, hashlib, json, os, signal, socket, ssl, statistics, struct, subprocess, sys, tempfile, threading, time

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def make_identity(folder):
    """A private authority, and a certificate of it for localhost."""
    run = lambda *words: subprocess.run(["openssl", *words], check=True, cwd=folder, capture_output=True)
    run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
        "-subj", "/CN=bench authority")
    run("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost")
    with open(os.path.join(folder, "names"), "w") as names:
        names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    run("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
        "cert.pem", "-days", "2", "-extfile", "names")


# Unlike each other: an instruction that is like what the program has just said is taken for its own voice.
SENTENCES = (
    "Rename the parser.", "Which tests fail today?", "Count all open issues.", "Draw me a diagram of our database.",
    "Why does login take long?", "Translate every label into German.", "Bring back yesterday's colours.",
    "How big is this folder?", "Write notes for Monday.", "Who last touched networking?", "Format these files.",
    "Explain what a mutex does.",
)


class Connection:
    """One WebSocket connection, on a thread of its own."""

    def __init__(self, server, plain):
        self.server, self.plain, self.lock = server, plain, threading.Lock()
        self.is_listener = False

    def serve(self):
        plain = self.plain
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = self.server.context.wrap_socket(plain, server_side=True)
        self.file = self.socket.makefile("rb")
        key = b""
        while (line := self.file.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"sec-websocket-key":
                key = value.strip()
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        self.socket.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        while (message := self.receive()) is not None:
            self.server.received(self, message, time.perf_counter())

    def receive(self):
        text = b""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            final, opcode, size = head[0] & 0x80, head[0] & 15, head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.file.read(8))[0]
            mask = self.file.read(4) if head[1] & 0x80 else bytes(4)
            body = self.file.read(size)
            number = int.from_bytes(body, "little") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "little")
            body = number.to_bytes(size, "little")
            if opcode == 8:
                return None
            if opcode == 9:
                self.send_frame(10, body)
            elif opcode in (0, 1, 2):
                text += body
                if final:
                    return text

    def send_frame(self, opcode, body):
        size = len(body)
        head = bytes([0x80 | opcode]) + (bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size)
                                         if size < 65536 else b"\x7f" + struct.pack(">Q", size))
        with self.lock:
            self.socket.sendall(head + body)

    def send(self, value):
        self.send_frame(2, json.dumps(value).encode())

    def send_audio(self, samples):
        data = base64.b64encode(samples).decode()
        self.send({"serverContent": {"modelTurn": {"parts": [
            {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": data}}]}}})


class Server:
    def __init__(self, folder):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem"))
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.setup_time, self.listener, self.readout = None, None, None
        self.frame_times, self.to_read = {}, threading.Semaphore(0)
        self.said = 0
        self.ready = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            plain, _ = self.listening.accept()
            threading.Thread(target=Connection(self, plain).serve, daemon=True).start()

    def received(self, connection, message, now):
        value = json.loads(message)
        if "setup" in value:
            connection.is_listener = bool(value["setup"].get("tools"))
            connection.send({"setupComplete": {}})
            if connection.is_listener:
                self.listener, self.setup_time = connection, time.perf_counter()
                self.ready.set()
            else:
                self.readout = connection
        elif "realtimeInput" in value and "audio" in value["realtimeInput"]:
            samples = base64.b64decode(value["realtimeInput"]["audio"]["data"])
            number = struct.unpack_from("<h", samples)[0]
            self.frame_times.setdefault(number, now)
        elif value.get("clientContent", {}).get("turnComplete") or "text" in value.get("realtimeInput", {}):
            self.readout = connection
            self.to_read.release()

    def say(self, patience=5):
        """Have the client hand an instruction to its agent, and wait until it asks for the answer to be read."""
        text = SENTENCES[self.said % len(SENTENCES)]
        self.said += 1
        self.listener.send({"serverContent": {"inputTranscription": {"text": text}}})
        self.listener.send({"toolCall": {"functionCalls": [
            {"id": f"call-{time.perf_counter_ns()}", "name": "converse", "args": {"instruction": text}}]}})
        if not self.to_read.acquire(timeout=patience):
            sys.exit("the client never asked for its answer to be read")

    def finish_turn(self):
        self.readout.send({"serverContent": {"generationComplete": True}})
        self.readout.send({"serverContent": {"turnComplete": True}})


class SpeakerReader:
    """Reads what is played, as it comes: (time, first sample of each 20 ms block)."""

    def __init__(self, path):
        self.times, self.count, self.path = {}, 0, path
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        pending = b""
        with open(self.path, "rb", buffering=0) as pipe:
            while (part := pipe.read(65536)):
                now = time.perf_counter()
                self.count += len(part) // 2
                for (sample,) in struct.iter_unpack("<h", (pending + part)[: (len(pending + part)) // 2 * 2]):
                    self.times.setdefault(sample, now)
                pending = (pending + part)[(len(pending + part)) // 2 * 2:]


def milliseconds(values):
    return f"{statistics.median(values) * 1000:.3f} ms median, {sorted(values)[int(len(values) * .95)] * 1000:.3f} ms p95"


def floor(folder):
    """The same frame, written into a pipe, copied by a thread into a TLS connection, and read from that."""
    server = Server(folder)
    context = ssl.create_default_context(cafile=os.path.join(folder, "ca.pem"))
    got, arrived = [], threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        plain, _ = listening.accept()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        secure = server.context.wrap_socket(plain, server_side=True)
        while len(got) < 200 and secure.recv(4096):
            got.append(time.perf_counter())
            arrived.set()

    threading.Thread(target=serve, daemon=True).start()
    client = context.wrap_socket(socket.create_connection(listening.getsockname()), server_hostname="localhost")
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    read_end, write_end = os.pipe()

    def copy():
        while (part := os.read(read_end, 640)):
            client.sendall(base64.b64encode(part))

    threading.Thread(target=copy, daemon=True).start()
    sent = []
    for _ in range(200):
        arrived.clear()
        sent.append(time.perf_counter())
        os.write(write_end, bytes(640))
        arrived.wait(1)
        time.sleep(0.005)
    return [after - before for before, after in zip(sent, got)]


def session(parley, folder, port):
    """The pipes, the command and the environment of a session with the server at this port."""
    pipes = [os.path.join(folder, name) for name in ("microphone", "speaker")]
    for pipe in pipes:
        os.mkfifo(pipe)
    command = [parley, "run", "--live", f"wss://localhost:{port}/", "--microphone", pipes[0], "--speaker", pipes[1],
               "--turn-detection", "server", "--agent", "echo", "--mode", "direct"]
    environment = dict(os.environ, SSL_CERT_FILE=os.path.join(folder, "ca.pem"), GEMINI_API_KEY="bench-key",
                       XDG_STATE_HOME=folder, HOME=folder)
    return *pipes, command, environment


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--seconds", type=float, default=20)
    options = arguments.parse_args()
    home = tempfile.TemporaryDirectory(prefix="parley-wire-")
    folder = home.name
    make_identity(folder)
    base = floor(folder)

    server = Server(folder)
    microphone, speaker, command, environment = session(options.parley, folder, server.port)
    reader = SpeakerReader(speaker)
    starts = []
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    pipe = os.open(microphone, os.O_WRONLY)
    if not server.ready.wait(10):
        process.kill()
        sys.exit("the client never set up its session")
    starts.append(server.setup_time - start)

    # The microphone speaks throughout: a frame every 20 ms, numbered in its first sample.
    sent, stop = {}, threading.Event()

    def speak():
        number, due = 1, time.perf_counter()
        while not stop.is_set():
            sent[number] = time.perf_counter()
            os.write(pipe, struct.pack("<320h", number, *([0] * 319)))
            number = number % 30000 + 1
            due += 0.02
            time.sleep(max(0, due - time.perf_counter()))

    threading.Thread(target=speak, daemon=True).start()

    def processor():
        """Seconds of processor time so far, with those of threads that are over; in steps of 10 ms."""
        with open(f"/proc/{process.pid}/stat") as stat:
            times = stat.read().rsplit(")", 1)[1].split()
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    # The start takes what it takes once; then only the microphone speaks for a while.
    time.sleep(1)
    started = processor()
    time.sleep(options.seconds / 2)
    listened = (processor() - started) / (options.seconds / 2) * 60

    # Wire to speaker: 20 ms of sound every 20 ms, all of one number.
    server.say()
    # Numbers louder than any earcon, so that no sample of one is taken for a block.
    wired, number, due = {}, 20_000, time.perf_counter()
    before = processor()
    end = time.perf_counter() + options.seconds
    while time.perf_counter() < end:
        wired[number] = time.perf_counter()
        server.readout.send_audio(struct.pack("<h", number) * 480)
        number += 1
        due += 0.02
        time.sleep(max(0, due - time.perf_counter()))
    duplex = (processor() - before) / options.seconds * 60
    server.finish_turn()
    time.sleep(0.3)
    played = [reader.times[n] - wired[n] for n in wired if n in reader.times]

    # A conversation: half of it is the answer, in pieces of the sizes that were logged from Gemini Live (2 bytes among
    # them), twice as fast as they are to be heard.
    before, began = processor(), time.perf_counter()
    while (turn := time.perf_counter()) < began + options.seconds:
        server.say()
        left, number = 5 * 48_000, 0
        while left > 0:
            size = min(left, (2, 2400, 7680, 9600, 11520, 15360)[number % 6])
            server.readout.send_audio(bytes(size))
            left, number = left - size, number + 1
            time.sleep(size / 96_000)
        server.finish_turn()
        server.listener.send({"serverContent": {"turnComplete": True}})
        time.sleep(max(0, turn + 10 - time.perf_counter()))
    conversation = (processor() - before) / (time.perf_counter() - began) * 60

    # Interrupted to silence: five seconds come at once; the user breaks in after one.
    queued = []
    for attempt in range(3):
        server.say()
        for _ in range(50):
            server.readout.send_audio(struct.pack("<h", 31000) * 2400)
        began = reader.count
        time.sleep(1)
        if reader.count - began < 12000:
            sys.exit("the client was not playing when it was to be interrupted")
        server.listener.send({"serverContent": {"interrupted": True}})
        before = reader.count
        time.sleep(0.5)
        queued.append((reader.count - before) / 24)
        server.finish_turn()
        server.listener.send({"serverContent": {"turnComplete": True}})
        time.sleep(0.2)

    with open(f"/proc/{process.pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    stop.set()
    time.sleep(0.05)
    os.close(pipe)
    code = process.wait(20)
    heard = [server.frame_times[n] - sent[n] for n in sent if n in server.frame_times]

    # Starting is measured several times more: once is luck.
    for _ in range(4):
        again = Server(folder)
        command[3] = f"wss://localhost:{again.port}/"
        start = time.perf_counter()
        other = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        drain = SpeakerReader(speaker)
        pipe = os.open(microphone, os.O_WRONLY)
        again.ready.wait(10)
        starts.append(again.setup_time - start)
        os.close(pipe)
        other.send_signal(signal.SIGTERM)
        other.wait(20)

    print(f"start to setup complete      {statistics.median(starts) * 1000:.1f} ms median of {len(starts)} "
          f"(at most 50)")
    print(f"frame to wire, floor         {milliseconds(base)}")
    print(f"frame to wire                {milliseconds(heard)}; added {(statistics.median(heard) - statistics.median(base)) * 1000:.3f} ms (at most 0.8), "
          f"{len(heard)} of {len(sent)} frames")
    print(f"wire to speaker              {milliseconds(played)} (at most 0.6), {len(played)} of {len(wired)} blocks")
    print(f"sound after interrupted      {', '.join(f'{value:.0f} ms' for value in queued)} (at most 30)")
    print(f"processor time of a minute   {conversation:.2f} s of conversation, {listened:.2f} s of listening (at most 1.0); "
          f"start {started:.2f} s; {duplex:.2f} s of 20 ms messages both ways")
    own, all_of_it = (int(fields[name].split()[0]) / 1024 for name in ("RssAnon", "VmHWM"))
    # How much of a mapped file counts as resident is the kernel's choice, and larger on newer ones.
    print(f"memory of its own            {own:.1f} MiB (at most 20); at most {all_of_it:.1f} MiB with mapped files")
    print(f"exit code at end of input    {code}")


if __name__ == "__main__":
    main()
