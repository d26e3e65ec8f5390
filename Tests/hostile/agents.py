"""Agents that die, hang, flood, repeat themselves and ask evil things, at every line; and servers that answer so."""
import http.server, json, os, signal, socket, struct, subprocess, sys, threading, time
from case import ACP, User, blame, case, scripted, session
from judge import Evidence, Verdict, read_lines
from place import SERVERS, wait_for
from speech import Script

LANGUAGES = {"acp": (ACP, 3), "claude": (scripted("claude"), 2), "codex": (scripted("codex"), 4)}
EVIL = "\\u001b[2J\\u001b]0;x\\u0007\\u202e rm -rf / \\u0d4e<script>"


def asked(trial, agent, log, text="hello", *, codes=(0, 69, 75), limit=40, during=None, lines=(), most=1, wants_line=True):
    """`parley ask`, judged: what the agent got, the exit code, and one line where it failed."""
    child = trial.start(
        "ask", text, "--agent", agent, "--working-folder", trial.home.work, stdin=subprocess.PIPE if lines else subprocess.DEVNULL)
    state = {}

    def each(child):
        if during:
            during(child)
        for number, (words, line) in enumerate(lines):
            if number not in state and words in child.printed():
                state[number] = child.seconds
            if state.get(number, 1e9) + 0.95 < child.seconds:
                state[number] = 1e10
                child.tell(line)
    code = trial.finish(child, limit, each)
    evidence = Evidence(None, agent_log=log, output=child.printed(), code=code, seconds=child.lasted, typed=[text],
                        ended_by_us=bool(during))
    blame(trial, evidence.verdicts())
    if not during and code not in codes:
        raise Verdict("harm", f"exit code {code}: {evidence.output[-300:]}")
    if "\x1b" in evidence.output:
        raise Verdict("harm", "escape codes of the agent were printed")
    return evidence


def lines_of(kind, language):
    """Where harm can be done: both ways, each line of the opening and of a turn."""
    count = LANGUAGES[language][1]
    return [("in", number) for number in range(1, count + 1)] + [("out", number) for number in range(1, count + 3)]


DEEDS = ["exit 0", "exit 3", "kill", "garbage", "drop", "half", "half and on", "twice", "close output", "close input", "nulls", "deep",
         "crumbs", "late", "flood", "hang"]
WAITS = ("drop", "hang", "close output", "half and on", "close input")

for language, (command, _) in LANGUAGES.items():
    for place, (way, line) in enumerate(lines_of("run", language)):
        for number, deed in enumerate(DEEDS):
            if way == "in" and deed in ("half", "half and on", "twice", "crumbs", "late") or (place + number) % 2:
                continue
            name = f"{language}, {deed} at line {line} {'to' if way == 'in' else 'from'} the agent"
            harm = {"way": way, "line": line, "deed": deed}

            @case("agents asked", name, limit=60, quick=(place * 3 + number) % 10 == 0 and deed not in WAITS, megabytes=700)
            def _(trial, harm=harm, command=command, language=language, deed=deed):
                agent, log = trial.agent(harm, command, language)
                impatient = lambda child: child.signal(signal.SIGTERM) if child.seconds > 8 else None
                asked(trial, agent, log, during=impatient if deed in WAITS else None, most=1)
            if (place + number) % 8 == 0:
                @case("agents", name, limit=60, quick=(place + number) % 24 == 0, megabytes=700)
                def _(trial, harm=harm, command=command, language=language):
                    script = Script(2, behind=1.5)
                    session(trial, script=script, harm=harm, command=command, kind=language, user=User(script, quits=18))


# What scripted agents do by themselves, and with harm to what they do.
WORDS = {"text": {}, "tool": {}, "permission": {}, "question": {}, "fail": {}, "die": {}, "late": {}, "garbage": {}, "flood 5000": {},
         "huge 6": {}, "huge 100": {"megabytes": 900}}
for language, (command, _) in LANGUAGES.items():
    for word, more in WORDS.items():
        if language == "acp" and word in ("question", "fail"):
            continue
        @case("agents' turns", f"{language}, {word}", limit=90, quick=language == "claude" and word in ("permission", "die", "late", "flood 5000"),
              megabytes=more.get("megabytes", 500))
        def _(trial, word=word, command=command, language=language):
            script = Script(2, behind=3, texts=(word, "well done"))
            session(trial, script=script, command=command, kind=language, user=User(script, quits=30, lines=[("held", "choose 1", 3.0)]))
    for deed, having in (("twice", "ermission"), ("twice", "result"), ("twice", "turn/completed"), ("twice", "stopReason"), ("late", "stopReason"),
                         ("drop", "stopReason")):
        @case("agents' turns", f"{language}, permission, {deed}: {having}", limit=60, quick=deed == "twice" and having == "ermission" and language == "claude")
        def _(trial, deed=deed, having=having, command=command, language=language):
            script = Script(1, behind=3, texts=("permission",))
            session(trial, script=script, harm={"way": "out", "having": having, "deed": deed}, command=command, kind=language,
                    user=User(script, quits=15))
    for words in ([["make test", EVIL]], [["make test", "x" * 2_000_000]], [["make test", "a\\nb\\r\\n" * 500]], [["Bash", EVIL], ["run", EVIL]],
                  [["t1", EVIL]], [["t1", ""]], [["\"yes\"", "\"no\""]]):
        @case("agents' turns", f"{language}, a permission with {words[0][0]} as {words[0][1][:12]}", limit=60, quick=words[0] == ["make test", EVIL] and language != "claude")
        def _(trial, words=words, command=command, language=language):
            script = Script(1, behind=3, texts=("permission",))
            evidence = session(trial, script=script, harm={"way": "out", "line": 1, "on": True, "deed": "replace", "words": words},
                               command=command, kind=language, user=User(script, quits=15))
            if "\x1b" in evidence.output or "\u202e" in evidence.output and False:
                raise Verdict("harm", "escape codes of the agent were printed")
    for words, name in (([["0.5", "1e999"], [": 10,", ": 9223372036854775807,"], [": 2}", ": 9223372036854775807}"]], "a cost of 1e999, tokens of 2⁶³−1"),
                        ([["0.5", "-1e308"], [": 10,", ": -9223372036854775808,"]], "a cost of −1e308, tokens of −2⁶³"),
                        ([[": 10,", ": 1e400,"], [": 2}", ": \"x\"}"]], "tokens of 1e400"),
                        ([["\"line\": 2", "\"line\": -9223372036854775808"]], "a line of −2⁶³"),
                        ([["You said", "x" * 300_000]], "300,000 letters without an end"),
                        ([["You said", "word " * 100_000]], "100,000 words without an end"),
                        ([["You said", EVIL * 50]], "escape codes"), ([["You said", "\\ud800\\udfff\\u0000"]], "half characters")):
        @case("agents' words", f"{language}, {name}", limit=60, quick=language == "claude" and ("1e999" in name or "300,000" in name), megabytes=600)
        def _(trial, words=words, command=command, language=language):
            script = Script(2, behind=2)
            evidence = session(trial, script=script, harm={"way": "out", "line": 1, "on": True, "deed": "replace", "words": words},
                               command=command, kind=language, user=User(script, quits=25))
            if "\x1b" in evidence.output:
                raise Verdict("harm", "escape codes of the agent were printed")
    @case("agents' words", f"{language}, a line of 100 MB", limit=90, quick=False, megabytes=700)
    def _(trial, command=command, language=language):
        script = Script(2, behind=3)
        session(trial, script=script, harm={"way": "out", "line": 3, "deed": "long line"}, command=command, kind=language,
                user=User(script, quits=40))
    @case("agents' words", f"{language}, 20,000 pieces without a sentence's end, and SIGTERM", limit=60, quick=language == "acp", megabytes=600)
    def _(trial, command=command, language=language):
        script = Script(1, behind=8, texts=("flood 20000",))
        state = {}
        def during(child):
            if "term" not in state and any("runStarted" in notice for _, notice in child.notices):
                state["term"] = child.seconds + 2
            if state.get("term", 1e9) < child.seconds:
                state["term"], state["at"] = 1e10, child.seconds
                child.signal(signal.SIGTERM)
        evidence = session(trial, script=script, command=command, kind=language, during=during, judged=False)
        if "at" in state and evidence.seconds - state["at"] > 8 * trial.options.patience:
            raise Verdict("hang", f"SIGTERM took {evidence.seconds - state['at']:.1f} s")
        blame(trial, [pair for pair in evidence.verdicts() if pair[0] in ("crash", "doubled", "truncated")])
    for text in ("slow", "deaf" if language == "acp" else "slow"):
        @case("agents' turns", f"{language}, {text}, halted, deaf to SIGTERM", limit=75, quick=text == "slow" and language == "acp")
        def _(trial, text=text, command=command, language=language):
            script = Script(1, behind=3, texts=(text,))
            session(trial, script=script, harm={"way": "term", "deed": "term"}, command=command, kind=language,
                    user=User(script, quits=30, lines=[("agentText", "halt", 1.0), ("halting", "halt", 7.0)]))


for name, deed in (("exits at once", "exit 3"), ("exits at once with 0", "exit 0"), ("is killed at once", "kill"), ("hangs", "hang"),
                   ("closes its output", "close output"), ("floods", "flood"), ("prints garbage", "garbage"), ("prints 100 MB", "long line")):
    @case("agents", f"one that {name} at its start", limit=75, quick=deed.startswith("exit"), megabytes=700)
    def _(trial, deed=deed):
        script = Script(1, behind=3)
        session(trial, script=script, harm={"way": "start", "deed": deed}, user=User(script, quits=18))


for name, agent in (("a folder", "acp:/tmp"), ("nothing", "acp:/nowhere/agent"), ("no program", "acp:/etc/passwd"), ("no command", "acp:"),
                    ("an unknown kind", "nobody:x"), ("a name of 100 kB", "acp:" + "x" * 100_000), ("escape codes", "acp:\x1b[2J"),
                    ("nothing there, for Claude", "claude:/nowhere/claude"), ("nothing there, for Codex", "codex:/nowhere/codex"),
                    ("a closed port", "chat:http://127.0.0.1:9/v1"), ("a bad address", "chat:http://[::1/v1")):
    @case("agents asked", f"instead of an agent, {name}", limit=40, quick=True)
    def _(trial, agent=agent):
        trial.command("ask", "hello", "--agent", agent, codes=(64, 65, 69, 74, 78))


# HTTP agents.


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
        self.wfile.write(f"HTTP/1.1 {status} Whatever\r\n".encode() + b"".join(h.encode() + b"\r\n" for h in headers) + b"\r\n")
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
    **{f"status {code}": stream(b"{}", headers=("Content-Type: application/json", "Content-Length: 2"), status=code)
       for code in (204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503)},
    "status 302 to a file": stream(headers=("Location: file:///etc/passwd", "Content-Length: 0"), status=302),
    "status 500 with a page of 10 MB": stream(b"<html>\x1b[2J" + b"x" * (10 << 20), headers=("Content-Type: text/html",), status=500),
    "half a body": torn(piece("Half. ")), "half an event": torn(piece("Half. "), piece("gone")[:-9]), "no body": torn(),
    "no body, in order": stream(), "an end without the end": stream(piece("Half. ")), "a length that lies": stream(
        piece("Half. "), headers=(STREAM, "Content-Length: 100000")), "a chunk that lies": stream(
        b"FFFFFFFFFFFFFFFF\r\nxx", headers=(STREAM, "Transfer-Encoding: chunked")),
    "a negative length": stream(piece("Half. "), headers=(STREAM, "Content-Length: -5")),
    "an event of 100 MB": stream(b"data: " + b"x" * (100 << 20) + b"\n\n", END), "a line without end": stream(b"data: ", lambda: [b"x" * (1 << 20)] * 64),
    "deep JSON": stream(b"data: " + b"[" * 500_000 + b"\n\n", END), "not JSON": stream(b"data: {not json}\n\n", piece("Yes."), END),
    "not UTF-8": stream(b"data: \xff\xfe\xfd\n\n", piece("Yes."), END), "wrong types": stream(
        b'data: {"choices": 7}\n\ndata: {"choices":[7]}\n\ndata: {"choices":[{"delta":[]}]}\n\ndata: []\n\ndata: null\n\n', piece("Yes."), END),
    "usage of 2⁶³": stream(piece("Yes."), b'data: {"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":1e999}}\n\n' * 2, END),
    "an index of 2⁶³": stream(b'data: {"choices":[{"index":9223372036854775807,"delta":{"tool_calls":[{"index":-9223372036854775808,"id":"t"}]}}]}\n\n', END),
    "100,000 pieces": stream(lambda: [piece("word ") * 1000] * 100, END), "text without a sentence's end": stream(piece("x" * 500_000), END),
    "escape codes": stream(piece("\x1b[2J\x1b]0;x\x07\u202e"), END), "the end twice": stream(piece("Yes."), END, END),
    "text after the end": stream(piece("Yes."), END, piece("More.")), "HTTP/0.9": lambda page: page.wfile.write(b"hello"),
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
            session(trial, script=script, agent=f"chat:http://127.0.0.1:{web.server_port}/v1", log=log, user=User(script, quits=25))
for name, deed in (("never answers", lambda page: time.sleep(100)), ("answers for ever", stream(forever)), ("stops in the middle", stream(
        piece("Half. "), stay=100))):
    @case("HTTP agents", f"one that {name}, and SIGTERM", limit=40, quick=True)
    def _(trial, deed=deed):
        log = trial.path("agent.sent")
        web = Web(log, deed)
        trial.closing.callback(web.shutdown)
        asked(trial, f"chat:http://127.0.0.1:{web.server_port}/v1", log,
              during=lambda child: child.signal(signal.SIGTERM) if child.seconds > 4 else None)
    @case("HTTP agents", f"one that {name}, halted, by voice", limit=60)
    def _(trial, deed=deed):
        log = trial.path("agent.sent")
        web = Web(log, deed)
        trial.closing.callback(web.shutdown)
        script = Script(1, behind=2)
        session(trial, script=script, agent=f"chat:http://127.0.0.1:{web.server_port}/v1", log=log,
                user=User(script, quits=20, lines=[("runStarted", "halt", 3.0), ("halting", "halt", 7.0)]))
