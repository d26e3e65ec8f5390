"""The scripted answers of the HTTP servers, and what their threads share."""

import json
import socket
import sys
import threading

from halting import Halting
from http_wires import AgentToAgent, PIXEL, data

ARGUMENTS = sys.argv[1:]
client_left = threading.Event()
stop_called = threading.Event()
log_lock = threading.Lock()
state = {"messages": {}, "conversations": 0, "csrf": 0, "approvalMode": "yolo", "halting": None}


def option(name):
    return ARGUMENTS[ARGUMENTS.index(name) + 1] if name in ARGUMENTS else None


def log(**fields):
    if option("--log"):
        with log_lock, open(option("--log"), "a") as file:
            file.write(json.dumps(fields) + "\n")


class Script:
    """One answer: each method is named by the first word of an instruction."""

    def __init__(self, handler, wire, words, body):
        self.handler, self.wire, self.words, self.body = handler, wire, words, body

    def write(self, *pieces):
        for piece in pieces:
            self.handler.wfile.write(piece)
            self.handler.wfile.flush()

    def play(self):
        name = self.words.split()[0]
        self.write(self.wire.begin())
        getattr(self, name, self.hello)()

    def hello(self):
        self.write(self.wire.text("You said: "), self.wire.text(self.words + "."), self.wire.end(self.body))

    def spell(self):
        """A few letters at a time, as a model gives them."""
        words = "You said: " + self.words.split(" ", 1)[1] + "."
        self.write(*(self.wire.text(words[place:place + 3]) for place in range(0, len(words), 3)), self.wire.end(self.body))

    def think(self):
        self.write(self.wire.thought("Hm."), self.wire.text("Yes."), self.wire.end(self.body))

    def tools(self):
        self.write(self.wire.text("I look."), self.wire.tool(1, "Read", {"file_path": "/a/b.md"}),
                   self.wire.result(1, "Read"), self.wire.tool(2, "Bash", {"command": "ls -l"}),
                   self.wire.result(2, "Bash", failed=True), self.wire.tool(3, "Glob", {"pattern": "*.md"}),
                   self.wire.end(self.body))

    def broken(self):
        self.write(self.wire.text("Half."), self.wire.error("the agent fell over"))

    def late(self):
        """Goes on after its end."""
        self.write(self.wire.text("In time."), self.wire.end(self.body), self.wire.text("Too late."),
                   self.wire.tool(9, "Bash", {"command": "late"}), self.wire.error("late"), self.wire.end(self.body))

    def cut(self):
        """Ends in the middle of an event."""
        self.write(self.wire.text("Half."), self.wire.text("The other half.")[:-9])

    def half(self):
        """Ends in the middle of a character."""
        words = self.wire.text("Gr\u00fcn").replace(b"\\u00fc", "\u00fc".encode())
        self.write(self.wire.text("Half."), words[:words.index(b"\xc3") + 1])

    def reset(self):
        self.write(self.wire.text("Half."))
        self.handler.reset()

    def stall(self):
        """Says a word, and then nothing until the client leaves or tells it to stop."""
        self.write(self.wire.text("Half."))
        self.handler.until_left()

    def mid(self):
        """Says a word and half an event, and then nothing."""
        self.write(self.wire.text("Half."), self.wire.text("The other half.")[:-9])
        self.handler.until_left()

    def left(self):
        """Answers once the client of a stalled answer has left."""
        self.write(self.wire.text("left" if client_left.wait(20) else "still there"), self.wire.end(self.body))

    def signed(self):
        """What the provider of the model wants to see again goes with text, thoughts and calls."""
        mark = lambda words: {"providerMetadata": {"maker": {"signature": words}}}
        self.write(data({"type": "reasoning-start", "id": "r", **mark("r0")}), self.wire.thought("Hm."),
                   data({"type": "reasoning-end", "id": "r", **mark("r1")}), data({"type": "text-start", "id": "p0"}),
                   self.wire.text("Yes."), data({"type": "text-end", "id": "p0", **mark("p1")}),
                   data({"type": "tool-input-available", "toolCallId": "t1", "toolName": "search", "input": {},
                         "providerExecuted": True, "dynamic": True, **mark("t1")}),
                   data({"type": "tool-output-available", "toolCallId": "t1", "output": "words", **mark("o1")}),
                   data({"type": "source-url", "sourceId": "s1", "url": "https://example.com"}),
                   data({"type": "data-weather", "id": "d1", "data": "rain"}),
                   data({"type": "data-weather", "id": "d1", "data": "sun"}),
                   data({"type": "data-passing", "data": "gone", "transient": True}), self.wire.end(self.body))

    def picture(self):
        self.write(self.wire.text("Here."),
                   self.wire.chunk({"inlineData": {"mimeType": "image/png", "data": PIXEL + "A="}}), self.wire.end(self.body))

    def nothing(self):
        self.write(self.wire.end(self.body))

    def unsafe(self):
        self.write(data({"candidates": [{"finishReason": "PROHIBITED_CONTENT"}]}))

    def blocked(self):
        self.write(data({"promptFeedback": {"blockReason": "SAFETY"}}))

    def code(self):
        self.write(self.wire.chunk({"executableCode": {"language": "PYTHON", "code": "print(6 * 7)"}}),
                   self.wire.chunk({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42"}}), self.wire.text("42."),
                   data({"candidates": [{"finishReason": "STOP", "groundingMetadata": {"groundingChunks": [
                       {"web": {"uri": "https://example.com/a", "title": "example.com"}}]}}]}))

    def huge(self):
        self.write(self.wire.text("x" * (4 << 20)), self.wire.end(self.body))

    def crumbs(self):
        """One byte at a time, with a byte order mark, comments, and fields nobody knows."""
        words = self.wire.text("Gr\u00fc\u00dfe \U0001f986").replace(b"\\u00fc", "\u00fc".encode())
        stream = (b"\xef\xbb\xbf: hello\r\n\r\nid: 4\r\nretry: 7\rother: x\n\r" + words.replace(b"\n", b"\r\n")
                  + data("not json") + self.wire.end(self.body))
        self.handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.write(*[bytes([byte]) for byte in stream])

    def ask(self):
        """Asks for permission, and goes on when the conversation comes back with a decision."""
        decided = [part for message in self.body.get("messages", []) for part in message.get("parts", [])
                   if isinstance(part, dict) and part.get("state") == "approval-responded"]
        if not decided:
            return self.write(
                self.wire.text("I will run it."), self.wire.tool(1, "run_command", {"command": "make"}),
                data({"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "t1"}),
                data({"type": "finish-step"}), data({"type": "finish"}), data("[DONE]"))
        if decided[0]["approval"] != {"id": "a1", "approved": True}:
            return self.write(data({"type": "tool-output-denied", "toolCallId": "t1"}), self.wire.text("I leave it."),
                              self.wire.end(self.body))
        self.write(self.wire.result(1, "run_command"), self.wire.text("Done."), self.wire.end(self.body))

    def question(self):
        """Leaves a tool to the client that asks the user something; a task asks by itself."""
        if isinstance(self.wire, AgentToAgent):
            return self.write(self.wire.text("Wait."), self.wire.ask_user("Which colour?"))
        answers = [part for message in self.body.get("messages", []) for part in message.get("parts", [])
                   if isinstance(part, dict) and part.get("toolCallId") == "q1"]
        if not answers:
            options = [{"label": "red", "description": "like fire"}, {"label": "blue"}]
            return self.write(self.wire.tool(0, "ask_user", {}).replace(b'"t0"', b'"q1"').replace(
                b'"input": {}', b'"input": ' + json.dumps({"question": "Which colour?", "options": options}).encode()),
                data({"type": "finish", "finishReason": "tool-calls"}), data("[DONE]"))
        self.write(self.wire.text("You chose %s." % answers[0].get("output", answers[0].get("errorText"))),
                   self.wire.end(self.body))


def play_halting(words, head, begin, text, tool, ask, end, die):
    """Work until something ends it; the arguments say it in the words of the server."""
    halting = state["halting"] = Halting(words)
    halting.begin()
    how = "go"
    if halting.phase == "headers":
        how = halting.work(until_go=True)
    if how in ("go", "done"):
        head()
        begin()
    if how == "done":
        text("Done.")
    if how == "go":
        if halting.phase in ("text", "tool", "permission"):
            text("Half.")
        if halting.phase == "flood":
            halting.pour(text)
        if halting.phase in ("tool", "permission"):
            tool()
        if halting.phase == "permission":
            ask()
        how = halting.work()
    if how == "done":
        end()
    if how == "died":
        die()


def told_to_stop(handler):
    """The running work is to stop: whether it does."""
    if not state["halting"]:
        stop_called.set()
        return True
    how = state["halting"].stop()
    if how == "died":
        handler.reset()
        return None
    return how == "confirmed"
