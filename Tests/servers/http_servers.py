"""The Gemini CLI mobile API, PageSpace, Gemini REST and Agent2Agent."""

import re
from urllib.parse import parse_qsl, urlsplit

from http_answers import ARGUMENTS, Script, option, state, told_to_stop
from http_wires import UI, AgentToAgent, Gemini, Mobile


class Servers:
    """What a handler of requests answers for each."""

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
            access = "a" * int(option("--cookie-bytes") or 0) or "a.b.c"
            return self.give({"id": "u1", "csrfToken": "csrf"}, Set_Cookie=[
                "accessToken=%s; HttpOnly" % access, "refreshToken=r; Path=/api/auth", "refreshToken=; Path=/"])
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
