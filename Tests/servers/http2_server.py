#!/usr/bin/env python3
"""A Duck Talk server that speaks HTTP/2 alone, over TLS. Standard library only, and no more of the protocol than that.

Prints its port on the first line and ends with its standard input. Arguments: --certificate PEM, --log FILE.
"""

import json
import socket
import ssl
import struct
import sys
import threading

ARGUMENTS = sys.argv[1:]
DATA, HEADERS, RESET, SETTINGS, PING, WINDOW = 0, 1, 3, 4, 6, 8
END_STREAM, END_HEADERS, ACKNOWLEDGED = 1, 4, 1
client_left = threading.Event()


class Connection:
    def __init__(self, plain):
        self.plain, self.lock, self.bodies = plain, threading.Lock(), {}

    def send(self, kind, flags, stream, payload=b""):
        with self.lock:
            self.socket.sendall(struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
                                + struct.pack(">I", stream) + payload)

    def serve(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ARGUMENTS[ARGUMENTS.index("--certificate") + 1])
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(self.plain, server_side=True)
        self.file = self.socket.makefile("rb")
        assert self.file.read(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self.send(SETTINGS, 0, 0)
        while head := self.file.read(9):
            size = int.from_bytes(head[:3], "big")
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
            payload = self.file.read(size)
            if kind == SETTINGS and not flags & ACKNOWLEDGED:
                self.send(SETTINGS, ACKNOWLEDGED, 0)
            elif kind == PING and not flags & ACKNOWLEDGED:
                self.send(PING, ACKNOWLEDGED, 0, payload)
            elif kind == RESET:
                client_left.set()
            elif kind == DATA:
                self.bodies[stream] = self.bodies.get(stream, b"") + payload
            if kind in (DATA, HEADERS) and flags & END_STREAM:
                threading.Thread(target=self.answer, args=(stream,), daemon=True).start()
        # The client may close the connection instead of the stream.
        client_left.set()

    def answer(self, stream):
        body = json.loads(self.bodies.get(stream, b"") or b"{}")
        # :status 200 by its index; content-type by the index of its name, as a literal that is not compressed.
        kind = b"text/event-stream"
        self.send(HEADERS, END_HEADERS, stream, b"\x88\x0f\x10" + bytes([len(kind)]) + kind)
        word = body.get("instruction", "")
        if word == "stall":
            return self.event(stream, text="Half.")
        self.event(stream, text="over HTTP/2" if word != "left" else "left" if client_left.wait(20) else "still there")
        self.event(stream, done=True, session_id="s")
        self.send(DATA, END_STREAM, stream)

    def event(self, stream, **fields):
        self.send(DATA, 0, stream, b"data: " + json.dumps(fields).encode() + b"\n\n")


def accept(listening):
    while True:
        plain, _ = listening.accept()
        threading.Thread(target=Connection(plain).serve, daemon=True).start()


listening = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listening,), daemon=True).start()
print(listening.getsockname()[1], flush=True)
sys.stdin.read()
