#!/usr/bin/env python3
"""Servers of all HTTP agents in one, with scripted answers and faults. Standard library only.

Prints its port on the first line and ends with its standard input. The path says which server is meant (see `routes`);
the first word of the instruction says what happens (see `Script`); a number is an HTTP status. Arguments:

  --unix PATH             listen on a Unix socket instead
  --certificate PEM       speak TLS with this certificate and key
  --secret LINE           refuse every request without this header line, such as "Authorization: Bearer x"
  --keep                  refuse another message of a name that was given before, instead of losing the first
  --google-key KEY        let nobody use the Gemini interface who does not give this key
  --csrf                  refuse every write without the newest token of /api/auth/csrf
  --log FILE              append one JSON object for each request: method, path, body
"""

import base64
import hashlib
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from halting import Halting

ARGUMENTS = sys.argv[1:]
PIXEL = "iVBORw0KGgo"  # How a PNG begins in Base64.
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


def data(value, name=None):
    head = b"event: " + name.encode() + b"\n" if name else b""
    return head + b"data: " + (value if isinstance(value, str) else json.dumps(value)).encode() + b"\n\n"


# What is wrong with a request, as different servers say it.
INVALID = {
    "invalid-fastapi": {"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "Field required", "type": "missing"}]},
    "invalid-pydantic": [{"loc": ["messages"], "msg": "Field required", "type": "missing"}],
    "invalid-zod": {"error": {"name": "ZodError", "message": json.dumps([{"path": ["messages"], "message": "Required"}])}},
    "invalid-issues": {"success": False, "error": {"issues": [{"path": ["messages", 1], "message": "Required"}]}},
    "invalid-problem": {"title": "One or more validation errors occurred.", "status": 422,
                        "errors": {"messages": ["is required"]}},
    "invalid-text": "messages is required",
}


# What each server writes for the same events. Each function gives bytes.


class Duck:
    def begin(self): return b""
    def text(self, words): return data({"text": words})
    def tool(self, number, name, arguments):
        return data({"block": {"type": "tool_use", "id": "t%d" % number, "name": name, "input": arguments}})
    def result(self, number, name, failed=False):
        return data({"block": {"type": "tool_result", "tool_use_id": "t%d" % number, "content": "words",
                               "is_error": failed}})
    def thought(self, words): return b""
    def error(self, words): return data({"done": True, "session_id": "s", "error": words})
    def end(self, body): return data({"done": True, "session_id": "s-" + str(body.get("session_id")), "cost_usd": 0.25})


class Mobile:
    def begin(self): return b": keepalive\n\n"
    def text(self, words): return data({"text": words}, "token")
    def thought(self, words): return data({"text": words}, "thought")
    def tool(self, number, name, arguments):
        return data({"toolName": name, "args": arguments, "status": "running"}, "tool-call")
    def result(self, number, name, failed=False):
        status = "failed" if failed else "completed"
        return data({"toolName": name, "result": "words", "status": status}, "tool-result")
    def error(self, words): return data({"code": "X", "message": words}, "error")
    def end(self, body):
        return data({"fullResponse": "", "usage": {"inputTokens": 7, "outputTokens": 3}}, "done")


class UI:
    part = 0
    def begin(self): return data({"type": "start", "messageId": "m1"}) + data({"type": "start-step"})
    def text(self, words):
        return data({"type": "text-delta", "id": "p%d" % self.part, "delta": words})
    def thought(self, words): return data({"type": "reasoning-delta", "id": "r", "delta": words})
    def tool(self, number, name, arguments):
        self.part += 1
        return (data({"type": "tool-input-start", "toolCallId": "t%d" % number, "toolName": name})
                + data({"type": "tool-input-delta", "toolCallId": "t%d" % number, "inputTextDelta": "{"})
                + data({"type": "tool-input-available", "toolCallId": "t%d" % number, "toolName": name,
                        "input": arguments}))
    def result(self, number, name, failed=False):
        return data({"type": "tool-output-error", "toolCallId": "t%d" % number, "errorText": "no"} if failed else
                    {"type": "tool-output-available", "toolCallId": "t%d" % number, "output": "words"})
    def error(self, words): return data({"type": "error", "errorText": words})
    def end(self, body):
        usage = {"usage": {"inputTokens": 7, "outputTokens": 3}}
        return (data({"type": "finish-step"}) + data({"type": "finish", "messageMetadata": usage}) + data("[DONE]"))


class Gemini:
    def chunk(self, *parts, **more): return data({"candidates": [{"content": {"role": "model", "parts": list(parts)},
                                                                 **more}]})
    def begin(self): return b""
    def text(self, words): return self.chunk({"text": words})
    def thought(self, words): return self.chunk({"text": words, "thought": True})
    def tool(self, number, name, arguments): return self.chunk({"functionCall": {"name": name, "args": arguments}})
    def result(self, number, name, failed=False): return b""
    def error(self, words): return data({"error": {"code": 500, "message": words, "status": "INTERNAL"}})
    def end(self, body):
        counts = {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
        return data({"candidates": [{"finishReason": "STOP"}], "usageMetadata": counts})


class Chat:
    def chunk(self, delta, **more): return data({"choices": [{"index": 0, "delta": delta, **more}]})
    def begin(self): return self.chunk({"role": "assistant", "content": ""})
    def text(self, words): return self.chunk({"content": words})
    def thought(self, words): return self.chunk({"reasoning_content": words})
    def tool(self, number, name, arguments):
        call = lambda **function: {"tool_calls": [{"index": number, "function": function}]}
        start = {"tool_calls": [{"index": number, "id": "t%d" % number, "function": {"name": name, "arguments": ""}}]}
        words = json.dumps(arguments)
        return (self.chunk(start) + self.chunk(call(arguments=words[:5])) + self.chunk(call(arguments=words[5:])))
    def result(self, number, name, failed=False): return b""
    def error(self, words): return data({"error": {"message": words}})
    def end(self, body):
        usage = {"prompt_tokens": 7, "completion_tokens": 3}
        return (self.chunk({}, finish_reason="stop") + data({"choices": [], "usage": usage}) + data("[DONE]"))


class AgentToAgent:
    """A2A, of release 1.0 or 0.3."""

    def __init__(self, request, is_old):
        self.request, self.is_old = request, is_old
        self.places = {"taskId": "task-1", "contextId": "context-1"}

    def answer(self, name, kind, value):
        result = {"kind": kind, **value} if self.is_old else {name: value}
        return {"jsonrpc": "2.0", "id": self.request, "result": result}

    def status(self, state, words=None, final=False):
        name = state if self.is_old else "TASK_STATE_" + state.upper().replace("-", "_")
        status = {"state": name}
        if words:
            part = {"kind": "text", "text": words} if self.is_old else {"text": words}
            status["message"] = {"messageId": "m", "role": "agent" if self.is_old else "ROLE_AGENT", "parts": [part]}
        return {"status": status, "final": final} if self.is_old else {"status": status}

    def update(self, *status, **more):
        return data(self.answer("statusUpdate", "status-update", {**self.places, **self.status(*status, **more)}))

    def begin(self):
        task = {"id": "task-1", "contextId": "context-1", **self.status("submitted")}
        return data(self.answer("task", "task", task)) + self.update("working")

    def text(self, words):
        part = {"kind": "text", "text": words} if self.is_old else {"text": words}
        artifact = {"artifact": {"artifactId": "answer", "parts": [part]}, "append": True}
        return data(self.answer("artifactUpdate", "artifact-update", {**self.places, **artifact}))

    def thought(self, words): return b""
    def tool(self, number, name, arguments): return b""
    def result(self, number, name, failed=False): return b""
    def ask_user(self, words): return self.update("input-required", words, final=True)
    def error(self, words): return self.update("failed", words, final=True)
    def end(self, body): return self.update("completed", final=True)


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


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def address_string(self):
        return "client"

    def answer(self, status, kind, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, values in headers.items():
            for value in values if isinstance(values, list) else [values]:
                self.send_header(name.replace("_", "-"), value)
        if kind.startswith("application/json"):
            self.send_header("Content-Length", str(len(body)))
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def empty(self):
        self.send_response(204)
        self.end_headers()

    def give(self, value, status=200, **headers):
        self.answer(status, "application/json; charset=utf-8", json.dumps(value).encode(), **headers)

    def reset(self):
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
        self.wfile = open(os.devnull, "wb")

    def until_left(self):
        self.connection.settimeout(0.05)
        for _ in range(1200):
            if stop_called.is_set():
                stop_called.clear()
                return
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        client_left.set()

    def serve(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0") or 0))
        address = urlsplit(self.path)
        path = unquote(address.path)
        body = json.loads(raw) if raw else {}
        log(method=self.command, path=self.path, body=body)
        secret = option("--secret")
        if secret:
            name, _, value = secret.partition(": ")
            if self.headers.get(name) != value:
                words = "no valid token, not even " + self.headers.get(name, "any")
                return self.give({"detail": words}, 401)
        if "--csrf" in ARGUMENTS and self.command != "GET":
            if self.headers.get("X-CSRF-Token") != "csrf-%d" % state["csrf"]:
                return self.give({"error": "no valid CSRF token"}, 403)
        self.route(path, body)

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def stream(self, wire, words, body, **headers):
        word = words.split()[0] if words.split() else ""
        if word == "redirect":
            return self.answer(302, "text/plain", Location="https://elsewhere.example/a?secret=1")
        if word.isdigit():
            headers = {"Retry_After": "7"} if word == "429" else {}
            return self.answer(int(word), "application/json", json.dumps({"error": {"message": "as you asked"}}).encode(),
                               **headers)
        if word in INVALID:
            kind = "text/plain" if isinstance(INVALID[word], str) else "application/json"
            words = INVALID[word] if isinstance(INVALID[word], str) else json.dumps(INVALID[word])
            return self.answer(422, kind, words.encode())
        if word == "quota":
            details = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "PerMinute"}]},
                       {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33.4s"}]
            return self.give({"error": {"code": 429, "message": "Too much.", "status": "RESOURCE_EXHAUSTED",
                                        "details": details}}, 429)
        if word == "page":
            return self.answer(200, "text/html", b"<html>not the server you look for</html>")
        if word == "hangup":
            return self.reset()
        if word == "halt":
            return self.halt(wire, words, body, headers)
        self.answer(200, "text/event-stream; charset=utf-8", **headers)
        Script(self, wire, words, body).play()

    def halt(self, wire, words, body, headers):
        write = Script(self, wire, words, body).write
        ask = {"UI": lambda: write(data({"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "t1"})),
               "AgentToAgent": lambda: write(wire.ask_user("Which colour?"))}.get(type(wire).__name__)
        try:
            play_halting(words, lambda: self.answer(200, "text/event-stream; charset=utf-8", **headers),
                         lambda: write(wire.begin()), lambda words: write(wire.text(words)),
                         lambda: write(wire.tool(1, "Read", {"file_path": "/a/b.md"})), ask,
                         lambda: write(wire.end(body)), self.reset)
        except OSError:
            pass  # The client has left.

    def route(self, path, body):
        method = self.command
        parts = path.strip("/").split("/")
        if path == "/api/config":
            return self.give({})
        if path == "/api/converse":
            return self.stream(Duck(), body["instruction"], body)
        if path == "/api/sessions":
            return self.give([{"id": "s-1", "name": "first", "summary": "the first one", "updated_at": "2026-01-02"}])
        if path == "/api/sessions/s-1/messages":
            return self.give([{"uuid": "u1", "role": "user", "content": "hello"},
                              {"uuid": "u2", "role": "assistant", "content": [
                                  {"type": "text", "text": "You said: hello."},
                                  {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/b.md"}}]},
                              {"uuid": "u3", "role": "user", "content": [
                                  {"type": "tool_result", "tool_use_id": "t1", "content": "words"}]}])
        if parts[:2] in (["api", "projects"], ["api", "sessions"]) and path != "/api/sessions":
            return self.opcode(path)
        if parts[:2] == ["api", "v1"]:
            return self.mobile(method, parts[2:], body)
        if parts[:1] == ["api"]:
            return self.page_space(method, path, parts, body)
        if path == "/ui" and method == "POST":
            wrong = self.wrong_with(body)
            return self.give(wrong, 422) if wrong else self.stream(UI(), self.last_words(body), body)
        if path == "/ui":
            return self.give({"error": "POST only"}, 405)
        if parts[:2] == ["v1beta", "models"]:
            return self.gemini(method, parts[2], body)
        if path == "/empty/models":
            return self.give({"data": []})
        if path == "/v1/models":
            return self.give({"data": [{"id": "small-model"}, {"id": "other"}]})
        if path == "/v1/chat/completions":
            content = body["messages"][-1]["content"]
            words = content if isinstance(content, str) else content[-1]["text"]
            return self.stream(Chat(), words, body)
        if parts[0] in ("a2a", "a2a-old"):
            return self.agent_to_agent("/" + "/".join(parts[1:]), body, is_old=parts[0] == "a2a-old")
        if path == "/ws/claude":
            return self.web_socket()
        if parts[0] == "claudia":
            return self.claudia("/" + "/".join(parts[1:]), body)
        self.give({"detail": "Not found"}, 404)

    @staticmethod
    def last_words(body):
        """The user's newest words; an answer of ours may stand behind them."""
        return [message for message in body["messages"] if message["role"] == "user"][-1]["parts"][-1]["text"]

    @staticmethod
    def wrong_with(body):
        """What pydantic-ai's adapter says of a request that is not the AI SDK's, in its form: a list."""
        wrong = lambda kind, place, words: [{"type": kind, "loc": place, "msg": words, "input": {}}]
        if body.get("trigger") not in ("submit-message", "regenerate-message"):
            return wrong("union_tag_not_found", [], "Unable to extract tag using discriminator 'trigger'")
        if not isinstance(body.get("id"), str) or not body.get("messages"):
            return wrong("missing", ["submit-message", "messages"], "Field required")
        is_again = body["trigger"] == "regenerate-message"
        if is_again and not isinstance(body.get("messageId"), str):
            return wrong("missing", ["regenerate-message", "messageId"], "Field required")
        if is_again and body["messages"][-1]["role"] != "user":
            return wrong("value_error", ["regenerate-message", "messages"], "the answer to be made again is still there")
        return None

    def mobile(self, method, parts, body):
        if parts == ["settings"]:
            if method == "PUT" and body.get("approvalMode") in ("default", "yolo"):
                state["approvalMode"] = body["approvalMode"]
                return self.give({})
            return self.give({"model": "gemini", "approvalMode": state["approvalMode"]})
        if parts == ["conversations"] and method == "POST":
            state["conversations"] += 1
            return self.give({"id": "c/%d" % state["conversations"], "title": body["title"], "model": "gemini"}, 201)
        if method == "DELETE" and len(parts) >= 2:
            return self.give({"message": "no such conversation"}, 404) if parts[1] == "nothing" else self.empty()
        if parts == ["conversations"]:
            return self.give([{"id": "c/2", "title": "older", "createdAt": "2026-01-03", "lastMessageAt": "2026-01-04"},
                              {"id": "c/1", "title": "first", "createdAt": "2026-01-02", "lastMessageAt": "2026-01-05"}])
        if parts[-1] == "messages":
            return self.stream(Mobile(), body["content"], body)
        if parts[-1] == "cancel":
            confirmed = told_to_stop(self)
            return confirmed is not None and self.give({"cancelled": confirmed})
        if len(parts) >= 2 and "/".join(parts[1:]) == "c/1":
            return self.give({"id": "c/1", "messages": [{"role": "user", "content": "hello"},
                                                       {"role": "assistant", "content": "You said: hello."}]})
        self.give({"error": {"message": "no such conversation"}}, 404)

    def page_space(self, method, path, parts, body):
        if not self.headers.get("X-Browser-Session-Id"):
            return self.give({"error": "X-Browser-Session-Id is required"}, 400)
        names = [body[name] for name in ("conversationId", "chatId") if name in body and body[name] != "page-1"]
        names += [message["id"] for message in body.get("messages", [])]
        if not all(re.fullmatch("[a-z][a-z0-9]{1,31}", name) for name in names):
            return self.give({"error": "Invalid identifier"}, 400)
        for message in body.get("messages", []):
            # It keeps messages by their names, so another one of the same name is lost.
            if "--keep" in ARGUMENTS and message["role"] == "user" and state["messages"].setdefault(message["id"], message) != message:
                return self.give({"error": "A message was overwritten"}, 409)
        if path == "/api/ai/page-agents/multi-drive":
            agents = [{"id": "page-1", "title": "Planner"}, {"id": "page-2", "title": None}]
            return self.give({"agentsByDrive": [{"driveId": "d1", "driveName": "Work", "agents": agents},
                                                {"driveId": "d2", "driveName": "Empty", "agents": []}]})
        if path == "/api/auth/login-csrf" and "--no-login" not in ARGUMENTS:
            return self.give({"csrfToken": "form-1"}, Set_Cookie="login_csrf=form-1; Path=/api/auth; HttpOnly")
        if path == "/api/auth/login" and "--no-login" not in ARGUMENTS:
            if "login_csrf=form-1" not in self.headers.get("Cookie", "") or self.headers.get("X-Login-CSRF-Token") != "form-1":
                return self.give({"error": "Login CSRF token required"}, 403)
            if (body["email"], body["password"]) != ("me@example.com", "open sesame"):
                return self.give({"error": "Invalid email or password"}, 401)
            return self.give({"id": "u1", "csrfToken": "csrf"}, Set_Cookie=[
                "accessToken=a.b.c; HttpOnly", "refreshToken=r; Path=/api/auth", "refreshToken=; Path=/"])
        if path == "/api/auth/csrf":
            state["csrf"] += 1
            return self.give({"csrfToken": "csrf-%d" % state["csrf"]})
        if path == "/api/ai/chat":
            if body.get("chatId") != "page-1":
                return self.give({"error": "no such agent"}, 404)
            return self.stream(UI(), self.last_words(body), body, X_Stream_Id="stream-1")
        if path == "/api/ai/abort":
            # By the conversation alone while the stream has no name.
            halting = state["halting"]
            known = {"conversationId": "cnew1"} if halting and halting.phase == "headers" else {"streamId": "stream-1"}
            confirmed = told_to_stop(self) if body == known else False
            if confirmed is None:
                return None
            return self.give({"aborted": True} if confirmed else {"aborted": False, "code": "unconfirmed"})
        if path == "/api/ai/page-agents/page-1/conversations":
            page = int(dict(parse_qsl(urlsplit(self.path).query)).get("page", 0))
            name = ["first", "second", "third"][page]
            return self.give({"conversations": [{"id": "c%d" % (page + 1), "title": name, "updatedAt": "2026-01-02"}],
                              "pagination": {"page": page, "pageSize": 1, "hasMore": page < 2}})
        if path == "/api/ai/page-agents/page-1/conversations/c1/messages":
            place = dict(parse_qsl(urlsplit(self.path).query)).get("cursor")
            words = "hello" if place == "older/1" else "and now"
            return self.give({"messages": [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": words}]}],
                              "pagination": {"hasMore": place is None, "nextCursor": place or "older/1"}})
        self.give({"error": "Not found"}, 404)

    def gemini(self, method, name, body):
        key = option("--google-key")
        if key and not self.headers.get("x-goog-api-key"):
            return self.give({"error": {"code": 403, "status": "PERMISSION_DENIED", "message":
                                        "Method doesn't allow unregistered callers. Please use API Key."}}, 403)
        if key and self.headers.get("x-goog-api-key") != key:
            details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
            return self.give({"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
                                        "status": "INVALID_ARGUMENT", "details": details}}, 400)
        model, _, call = name.partition(":")
        if model in ("gemini-plain", "gemini-thinker"):
            # As Google's server tells it: what is false is left out.
            thinking = {"thinking": True} if model == "gemini-thinker" else {}
            if not call:
                return self.give({"name": "models/" + model, "supportedGenerationMethods": ["generateContent"], **thinking})
            if body.get("generationConfig", {}).get("thinkingConfig") and not thinking:
                return self.give({"error": {"code": 400, "message": "Thinking is not enabled for this model.",
                                            "status": "INVALID_ARGUMENT"}}, 400)
        elif model != "gemini-test":
            return self.give({"error": {"code": 404, "message": "no model " + model}}, 404)
        if not call:
            return self.give({"name": "models/" + model})
        last = body["contents"][-1]["parts"]
        self.stream(Gemini(), last[-1]["text"], body)

    def agent_to_agent(self, path, body, is_old):
        if path == "/.well-known/agent-card.json":
            card = {"name": "scripted", "capabilities": {"streaming": True}}
            if is_old:
                return self.give({**card, "protocolVersion": "0.3.0", "url": "http://elsewhere.example/a2a-old/rpc"})
            faces = [{"url": "http://elsewhere.example/a2a/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]
            return self.give({**card, "supportedInterfaces": faces})
        if path != "/rpc" or (self.headers.get("A2A-Version") == "1.0") == is_old:
            return self.give({"error": "Not found"}, 404)
        wire = AgentToAgent(body["id"], is_old)
        if body["method"] == ("tasks/cancel" if is_old else "CancelTask") and body["params"] == {"id": "task-1"}:
            confirmed = told_to_stop(self)
            if confirmed is None:
                return None
            stands = wire.status("canceled" if confirmed else "working")
            return self.give({"id": body["id"], "result": {"id": "task-1", **stands}})
        if body["method"] != ("message/stream" if is_old else "SendStreamingMessage"):
            return self.give({"id": body["id"], "error": {"code": -32601, "message": "no such method"}})
        message = body["params"]["message"]
        words = message["parts"][0]["text"]
        if message.get("taskId"):
            self.answer(200, "text/event-stream")
            return Script(self, wire, words, body).write(wire.text("You chose %s." % words), wire.end(body))
        self.stream(wire, words, body)

    # opcode: three calls, and a WebSocket.

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
