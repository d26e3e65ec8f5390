"""What each HTTP server writes for the same events, and what it says of a wrong request. Each function gives bytes."""

import json

PIXEL = "iVBORw0KGgo"  # How a PNG begins in Base64.


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
