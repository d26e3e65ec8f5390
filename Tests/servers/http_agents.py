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
  --cookie-bytes COUNT    whoever signs in gets a cookie of this length
  --log FILE              append one JSON object for each request: method, path, body
"""

import json
import os
import socket
import ssl
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from http_answers import ARGUMENTS, Script, client_left, log, option, play_halting, state, stop_called
from http_claude import ClaudeServers
from http_servers import Servers
from http_wires import INVALID, UI, Chat, Duck, data


class Handler(Servers, ClaudeServers, BaseHTTPRequestHandler):
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
