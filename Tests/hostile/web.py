"""Servers in place of an agent: statuses, half bodies, lengths that lie, and answers that never end."""

import http.server, json, socket, struct, threading, time
from agents import asked
from case import User, case, ended_after, session
from speech import Script


class Web(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, log, deed):
        self.log, self.deed = log, deed
        super().__init__(("127.0.0.1", 0), Page)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        data = json.dumps({"data": [{"id": "small-model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0") or 0))
        with open(self.server.log, "ab") as log:
            log.write(b'{"body":' + body + b"}\n")
        self.close_connection = True
        try:
            self.server.deed(self)
        except OSError:
            pass

    def head(self, status=200, *headers):
        self.wfile.write(
            f"HTTP/1.1 {status} Whatever\r\n".encode() + b"".join(h.encode() + b"\r\n" for h in headers) + b"\r\n"
        )
        self.wfile.flush()


def piece(words):
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": words}}]}).encode() + b"\n\n"


STREAM = "Content-Type: text/event-stream"
END = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def stream(*parts, headers=(STREAM,), stay=0.0, status=200):
    def deed(page):
        page.head(status, *headers)
        for part in parts:
            for data in part() if callable(part) else [part]:
                page.wfile.write(data)
                page.wfile.flush()
        time.sleep(stay)

    return deed


def torn(*parts):
    def deed(page):
        stream(*parts)(page)
        page.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        page.connection.close()

    return deed


def forever():
    while True:
        yield piece("word ")
        time.sleep(0.01)


PAGES = {
    **{
        f"status {code}": stream(b"{}", headers=("Content-Type: application/json", "Content-Length: 2"), status=code)
        for code in (204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503)
    },
    "status 302 to a file": stream(headers=("Location: file:///etc/passwd", "Content-Length: 0"), status=302),
    "status 500 with a page of 10 MB": stream(
        b"<html>\x1b[2J" + b"x" * (10 << 20), headers=("Content-Type: text/html",), status=500
    ),
    "half a body": torn(piece("Half. ")),
    "half an event": torn(piece("Half. "), piece("gone")[:-9]),
    "no body": torn(),
    "no body, in order": stream(),
    "an end without the end": stream(piece("Half. ")),
    "a length that lies": stream(piece("Half. "), headers=(STREAM, "Content-Length: 100000")),
    "a chunk that lies": stream(b"FFFFFFFFFFFFFFFF\r\nxx", headers=(STREAM, "Transfer-Encoding: chunked")),
    "a negative length": stream(piece("Half. "), headers=(STREAM, "Content-Length: -5")),
    "an event of 100 MB": stream(b"data: " + b"x" * (100 << 20) + b"\n\n", END),
    "a line without end": stream(b"data: ", lambda: [b"x" * (1 << 20)] * 64),
    "deep JSON": stream(b"data: " + b"[" * 500_000 + b"\n\n", END),
    "not JSON": stream(b"data: {not json}\n\n", piece("Yes."), END),
    "not UTF-8": stream(b"data: \xff\xfe\xfd\n\n", piece("Yes."), END),
    "wrong types": stream(
        b'data: {"choices": 7}\n\ndata: {"choices":[7]}\n\ndata: {"choices":[{"delta":[]}]}\n\ndata: []\n\ndata: null\n\n',
        piece("Yes."),
        END,
    ),
    "usage of 2⁶³": stream(
        piece("Yes."),
        b'data: {"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":1e999}}\n\n' * 2,
        END,
    ),
    "an index of 2⁶³": stream(
        b'data: {"choices":[{"index":9223372036854775807,"delta":{"tool_calls":[{"index":-9223372036854775808,"id":"t"}]}}]}\n\n',
        END,
    ),
    "100,000 pieces": stream(lambda: [piece("word ") * 1000] * 100, END),
    "text without a sentence's end": stream(piece("x" * 500_000), END),
    "escape codes": stream(piece("\x1b[2J\x1b]0;x\x07\u202e"), END),
    "the end twice": stream(piece("Yes."), END, END),
    "text after the end": stream(piece("Yes."), END, piece("More.")),
    "HTTP/0.9": lambda page: page.wfile.write(b"hello"),
    "headers without end": lambda page: [page.wfile.write(b"X-A: " + b"y" * 1000 + b"\r\n") for _ in range(100_000)],
}
for place, (name, deed) in enumerate(PAGES.items()):

    @case("HTTP agents", f"{name}, asked", limit=60, quick=place % 4 == 0, megabytes=700)
    def _(trial, deed=deed):
        log = trial.path("agent.sent")
        web = Web(log, deed)
        trial.closing.callback(web.shutdown)
        asked(trial, f"chat:http://127.0.0.1:{web.server_port}/v1", log, limit=50, codes=(0, 69, 74, 75))

    if place % 3 == 0:

        @case("HTTP agents", f"{name}, by voice", limit=75, megabytes=700)
        def _(trial, deed=deed):
            log = trial.path("agent.sent")
            web = Web(log, deed)
            trial.closing.callback(web.shutdown)
            script = Script(2, behind=2)
            session(
                trial,
                script=script,
                agent=f"chat:http://127.0.0.1:{web.server_port}/v1",
                log=log,
                user=User(script, quits=25),
            )


for name, deed in (
    ("never answers", lambda page: time.sleep(100)),
    ("answers for ever", stream(forever)),
    ("stops in the middle", stream(piece("Half. "), stay=100)),
):

    @case("HTTP agents", f"one that {name}, and SIGTERM", limit=40, quick=True)
    def _(trial, deed=deed):
        log = trial.path("agent.sent")
        web = Web(log, deed)
        trial.closing.callback(web.shutdown)
        asked(trial, f"chat:http://127.0.0.1:{web.server_port}/v1", log, during=ended_after(4))

    @case("HTTP agents", f"one that {name}, halted, by voice", limit=60)
    def _(trial, deed=deed):
        log = trial.path("agent.sent")
        web = Web(log, deed)
        trial.closing.callback(web.shutdown)
        script = Script(1, behind=2)
        session(
            trial,
            script=script,
            agent=f"chat:http://127.0.0.1:{web.server_port}/v1",
            log=log,
            user=User(script, quits=20, lines=[("runStarted", "halt", 3.0), ("halting", "halt", 7.0)]),
        )
