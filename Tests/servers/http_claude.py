"""opcode and Claudia, which both run Claude Code: three calls, and a WebSocket."""

import base64
import hashlib
import json
import socket
import struct
import threading

from http_answers import client_left, log, play_halting, told_to_stop


class ClaudeServers:
    """What a handler of requests answers for the two."""

    def opcode(self, path):
        wrapped = lambda value: self.give({"success": True, "data": value, "error": None})
        if path == "/api/projects":
            return wrapped([{"id": "-home-dev-empty", "path": "/home/dev/empty"}, {"id": "-home-dev-project", "path": "/home/dev/project"}])
        if path == "/api/projects/-home-dev-empty/sessions":
            return wrapped([])
        if path == "/api/sessions/claude-9/history/-home-dev-project":
            return self.give({"success": False, "data": None, "error": "Session file not found"})
        if path == "/api/sessions/claude-8/history/-home-dev-project":
            return wrapped([])
        if path == "/api/projects/-home-dev-project/sessions":
            return wrapped([{"id": "claude-1", "first_message": "hello", "message_timestamp": "2026-01-02"}])
        if path == "/api/sessions/claude-1/history/-home-dev-project":
            return wrapped([{"type": "queue-operation", "operation": "enqueue", "content": "hello"},
                            {"type": "user", "uuid": "u0", "isMeta": True, "message": {"role": "user", "content": "caveat"}},
                            {"type": "attachment", "uuid": "a1", "attachment": {"type": "todo"}},
                            {"type": "user", "uuid": "u1", "message": {"role": "user", "content":
                                "<system-reminder>the list is empty</system-reminder>hello"}},
                            {"type": "user", "uuid": "u3", "message": {"role": "user", "content": [
                                {"type": "text", "text": "<system-reminder>more</system-reminder>"}]}},
                            {"type": "system", "uuid": "y1", "content": "compacted"},
                            {"type": "assistant", "uuid": "u2", "message": {"role": "assistant", "content": [
                                {"type": "text", "text": "You said: hello."}]}}])
        self.give({"success": False, "error": "Not found"}, 404)

    # Claudia: an instruction is a call, and every WebSocket hears of every run.

    def claudia(self, path, body):
        parts = path.strip("/").split("/")
        if path == "/api/health":
            return self.give({"status": "ok", "service": "claudia-web-complete", "version": "3.0.0"})
        if path == "/api/projects":
            return self.give([{"id": "-home-dev-project", "path": "/home/dev/project", "sessions": ["claude-1"]}])
        if path == "/api/projects/-home-dev-project/sessions":
            return self.give([{"id": "claude-1", "first_message": [{"type": "text", "text": "hello"}], "created_at": 7}])
        if path == "/api/sessions/-home-dev-project/claude-1/history":
            return self.give([{"type": "user", "uuid": "u1", "message": {"role": "user", "content": "hello"}},
                              {"type": "assistant", "uuid": "u2", "message": {"role": "assistant", "content": [
                                  {"type": "text", "text": "You said: hello."}]}}])
        if parts[:2] == ["api", "sessions"]:
            return self.give({"error": "ENOENT: no such file or directory"}, 500)
        if path == "/ws":
            return Claudia.listen(self)
        if path == "/api/claude/execute":
            if not body.get("model"):
                return self.give({"error": "--model needs a value"}, 500)
            if body["prompt"] == "500":
                return self.give({"error": "as you asked"}, 500)
            if body["prompt"].split()[0] == "429":
                return self.give({"error": "too much at once"}, 429)
            if body["prompt"] == "page":
                # As a proxy answers for a server that it has lost meanwhile.
                return self.answer(200, "text/html", b"<html>Please wait.</html>")
            return Claudia(self, body).begin()
        if path == "/api/claude/cancel":
            confirmed = told_to_stop(self)
            if confirmed:
                Claudia.tell("process-cancelled", sessionId=body["sessionId"])
            # It says so in any case.
            return confirmed is not None and self.give({"status": "cancelled"})
        self.give({"error": "Not found"}, 404)

    def upgrade(self):
        accept = hashlib.sha1(self.headers["Sec-WebSocket-Key"].encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept.digest()).decode())
        self.end_headers()
        self.close_connection = True

    def web_socket(self):
        self.upgrade()
        request = json.loads(self.receive_frame())
        log(method="SOCKET", path=self.path, body=request)
        if not request.get("model"):
            return self.send_frame(1, json.dumps({"type": "error", "message": "--model needs a value"}).encode())
        Opcode(self, request).play()

    def receive_frame(self):
        head = self.rfile.read(2)
        size = head[1] & 127
        if size == 126:
            size = struct.unpack(">H", self.rfile.read(2))[0]
        mask = self.rfile.read(4)
        return bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.rfile.read(size)))

    def send_frame(self, opcode, payload):
        head = bytes([0x80 | opcode])
        size = len(payload)
        head += bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else \
            b"\x7f" + struct.pack(">Q", size)
        self.wfile.write(head + payload)
        self.wfile.flush()


class Opcode:
    """The web server of opcode; the word `seed` before an instruction makes it speak the other event names."""

    def __init__(self, handler, request):
        self.handler, self.request = handler, request
        self.words = request["prompt"]
        self.old = self.words.startswith("seed ")
        self.words = self.words.removeprefix("seed ")

    def send(self, value):
        self.handler.send_frame(1, json.dumps(value).encode())

    def line(self, value):
        content = json.dumps({"session_id": "claude-1", **value})
        self.send({"event": "process-output", "sessionId": "claude-1", "content": content} if self.old else
                  {"type": "output", "content": content})

    def text(self, words):
        self.line({"type": "assistant", "message": {"content": [{"type": "text", "text": words}]}})

    def result(self, **fields):
        self.line({"type": "result", "subtype": "success", "is_error": False, "result": "", "total_cost_usd": 0.25,
                   "usage": {"input_tokens": 7, "output_tokens": 3}, **fields})

    def done(self, error=None):
        if self.old:
            self.send({"event": "process-failed" if error else "process-completed", "sessionId": "claude-1",
                       "error": error})
        else:
            self.send({"type": "completion", "status": "error" if error else "success", "error": error})

    def halt(self):
        tool = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}
        try:
            play_halting(self.words, lambda: None, lambda: self.line({"type": "system", "subtype": "init"}),
                         self.text, lambda: self.line({"type": "assistant", "message": {"content": [tool]}}), None,
                         lambda: (self.result(), self.done()), self.handler.reset)
        except OSError:
            pass  # The client has left.

    def play(self):
        if self.words.startswith("halt "):
            return self.halt()
        if not self.old:
            self.send({"type": "start", "message": "Starting"})
        self.line({"type": "system", "subtype": "init", "cwd": self.request["project_path"]})
        word = self.words.split()[0]
        if word == "stall":
            self.text("Half.")
            self.handler.until_left()
            return
        if word == "cut":
            self.text("Half.")
            return
        if word == "broken":
            self.send({"type": "error", "message": "the agent fell over"})
            return
        if word == "died":
            self.text("Half.")
            self.done("exit code 1")
            return
        if word == "errors":
            return self.result(is_error=True, subtype="error_max_turns", errors=["Reached 3 turns.", "Stopped."])
        if word == "tools":
            self.line({"type": "assistant", "message": {"content": [
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}]}})
            self.line({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "words"}]}})
        self.text("left" if word == "left" and client_left.wait(20) else "You said: " + self.words + ".")
        self.result()
        self.done()
        if word == "late":
            self.text("Too late.")
        self.handler.send_frame(8, struct.pack(">H", 1000))


class Claudia:
    """One run at Claudia's server, which tells all who listen of it."""

    listeners, lock, runs = [], threading.Lock(), 0

    @classmethod
    def listen(cls, handler):
        handler.upgrade()
        with cls.lock:
            cls.listeners.append(handler)
            handler.send_frame(1, json.dumps({"type": "welcome", "data": "Connected to Claudia"}).encode())
        try:
            while True:
                said = json.loads(handler.receive_frame())
                with cls.lock:
                    answer = {"type": "pong"} if said.get("type") == "ping" else {"type": "echo", "data": said}
                    handler.send_frame(1, json.dumps(answer).encode())
        except (OSError, IndexError, ValueError):
            client_left.set()
        with cls.lock:
            cls.listeners.remove(handler)

    @classmethod
    def tell(cls, kind, **fields):
        with cls.lock:
            for listener in cls.listeners:
                try:
                    listener.send_frame(1, json.dumps({"type": kind, "data": fields}).encode())
                except OSError:
                    pass  # It has left.

    def __init__(self, handler, body):
        self.handler, self.body, self.words = handler, body, body["prompt"]
        Claudia.runs += 1
        self.session = "run-%d" % Claudia.runs

    def begin(self):
        # What it says of another run, and of this one before it has answered, concerns one of the two.
        Claudia.tell("process-output", sessionId="another", content="Not yours.\n")
        Claudia.tell("process-completed", sessionId="another", status="completed")
        if self.words == "early":
            self.output("You said: early.")
            Claudia.tell("process-completed", sessionId=self.session)
            return self.handler.give({"sessionId": self.session, "status": "started"})
        if self.words.startswith("halt headers"):
            return self.halt()
        self.handler.give({"sessionId": self.session, "status": "started"})
        self.halt() if self.words.startswith("halt ") else self.play()

    def output(self, content):
        Claudia.tell("process-output", sessionId=self.session, content=content)

    def line(self, value):
        return json.dumps({"session_id": "claude-1", **value}) + "\n"

    def text(self, words):
        return self.line({"type": "assistant", "message": {"content": [{"type": "text", "text": words}]}})

    def result(self, **fields):
        return self.line({"type": "result", "is_error": False, "result": "", "total_cost_usd": 0.25,
                          "usage": {"input_tokens": 7, "output_tokens": 3}, **fields})

    def done(self):
        self.output(self.result())
        Claudia.tell("process-completed", sessionId=self.session, status="completed")

    def die(self):
        with Claudia.lock:
            for listener in Claudia.listeners:
                # A socket on which another thread waits is not closed by closing it.
                listener.connection.shutdown(socket.SHUT_RDWR)

    def halt(self):
        tool = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}
        play_halting(self.words, lambda: "headers" in self.words and self.handler.give({"sessionId": self.session}),
                     lambda: None, lambda words: self.output(self.text(words)),
                     lambda: self.output(self.line({"type": "assistant", "message": {"content": [tool]}})), None,
                     self.done, self.die)

    def play(self):
        word = self.words.split()[0]
        if word == "stall":
            self.output(self.text("Half."))
            return
        if word == "cut":
            self.output(self.text("Half."))
            return self.die()
        if word == "broken":
            return Claudia.tell("process-failed", sessionId=self.session, error="the agent fell over")
        if word == "errors":
            return self.output(self.result(is_error=True, subtype="error_max_turns", errors=["Reached 3 turns.", "Stopped."]))
        if word == "words":
            self.output("Starting Claude session\u2026\n")
            return self.done()
        if word == "tools":
            self.output(self.line({"type": "assistant", "message": {"content": [
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}]}}))
            self.output(self.line({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "words"}]}}))
        words = self.text("left" if word == "left" and client_left.wait(20) else "You said: " + self.words + ".")
        # As the pipe of the program gives it: in pieces.
        self.output(words[:20])
        self.output(words[20:])
        self.done()
        if word == "late":
            self.output(self.text("Too late."))
