#!/usr/bin/env python3
"""A Duck Talk server with scripted answers and faults.

Prints its port on the first line and ends with its standard input. The first word of the instruction says what
happens (see ANSWERS); a number is an HTTP status. Arguments:

  --unix PATH             listen on a Unix socket instead
  --certificate PEM       speak TLS with this certificate and key
  --token TOKEN           refuse every request without this bearer token
  --log FILE              append each request's body
"""

import json
import os
import socket
import ssl
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARGUMENTS = sys.argv[1:]
client_left = threading.Event()


def option(name):
    return ARGUMENTS[ARGUMENTS.index(name) + 1] if name in ARGUMENTS else None


def log(line):
    if option("--log"):
        with open(option("--log"), "a") as file:
            file.write(line + "\n")


def event(**fields):
    return b"data: " + json.dumps(fields).encode() + b"\n\n"


def text(handler, body):
    handler.wfile.write(event(text="You said: ") + event(text=body["instruction"] + "."))
    handler.wfile.write(event(done=True, session_id="s-" + str(body.get("session_id")), cost_usd=0.25, duration_ms=5))


def tools(handler, body):
    handler.wfile.write(event(text="I look."))
    handler.wfile.write(event(block={"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}))
    handler.wfile.write(event(block={"type": "tool_result", "tool_use_id": "t1", "content": "words"}))
    handler.wfile.write(event(block={"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "ls -l"}}))
    handler.wfile.write(event(done=True, session_id="s", cost_usd=0.5, duration_ms=5))


def crumbs(handler, body):
    """Every line end, a byte order mark, comments, unknown fields, and one byte at a time."""
    data = (b"\xef\xbb\xbf: hello\r\n\r\nid: 4\revent: x\rdata:" + json.dumps({"text": "Gr\u00fc\u00dfe \U0001f986"},
            ensure_ascii=False).encode() + b"\r\r" + b'data: {"text":\ndata: " two lines"}\n\nretry: 10\n\n'
            + b'data: not json\n\n' + b'data: {"done":true,"session_id":"s"}')
    handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in data:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()


def broken(handler, body):
    handler.wfile.write(event(done=True, session_id="s", error="the agent fell over"))


def cut(handler, body):
    handler.wfile.write(b'data: {"text":"Half."}\n\ndata: {"text":"a \xc3')


def reset(handler, body):
    handler.wfile.write(event(text="Half."))
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.wfile = open(os.devnull, "wb")


def stall(handler, body):
    """Says a word, and then nothing until the client leaves."""
    handler.wfile.write(event(text="Half."))
    handler.wfile.flush()
    handler.connection.settimeout(60)
    try:
        handler.connection.recv(1)
    except OSError:
        pass
    client_left.set()


def left(handler, body):
    """Answers once the client of a stalled answer has left."""
    handler.wfile.write(event(text="left" if client_left.wait(20) else "still there"))
    handler.wfile.write(event(done=True, session_id="s"))


def page(handler, body):
    handler.wfile.write(b"<html>not the server you look for</html>")


def huge(handler, body):
    handler.wfile.write(event(text="x" * (4 << 20)))
    handler.wfile.write(event(done=True, session_id="s"))


ANSWERS = {call.__name__: call for call in (text, tools, crumbs, broken, cut, reset, stall, left, page, huge)}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def address_string(self):
        return "client"

    def allowed(self):
        token = option("--token")
        if token and self.headers.get("Authorization") != "Bearer " + token:
            self.answer(401, "application/json", b'{"detail":"no valid token"}')
            return False
        return True

    def answer(self, status, kind, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.allowed():
            known = self.path == "/api/config"
            self.answer(200 if known else 404, "application/json", b"{}" if known else b'{"detail":"Not found"}')

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        log(raw.decode())
        if not self.allowed():
            return
        body = json.loads(raw)
        word = body["instruction"].split()[0]
        if self.path != "/api/converse":
            self.answer(404, "application/json", b'{"detail":"Not found"}')
        elif word.isdigit():
            self.answer(int(word), "application/json", b'{"detail":"as you asked"}')
        else:
            self.answer(200, "text/html" if word == "page" else "text/event-stream")
            ANSWERS.get(word, text)(self, body)


class UnixServer(ThreadingHTTPServer):
    address_family = socket.AF_UNIX

    def server_bind(self):
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = "unix", 0


def main():
    server = UnixServer(option("--unix"), Handler) if option("--unix") else \
        ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if option("--certificate"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(option("--certificate"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port if not option("--unix") else 0, flush=True)
    sys.stdin.read()


main()
