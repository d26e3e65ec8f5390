#!/usr/bin/env python3
"""A model that does as it is told, for coding agents under test: Anthropic Messages, OpenAI Responses and Chat streams.

It prints its port on the first line of standard output and serves 127.0.0.1. What it answers is said by the words of the
instruction:

  please write PATH        call the agent's own tool to write "Written by the model." into the file
  please run-write PATH    the same by a command
  please run-later PATH    the same by a command in the background, which takes a second
  please run-twice PATH    the same, and when an agent tells the model that it is over: please write PATH.then
  please run-long PATH     the same by a command that takes 20 seconds; PATH.started is there once it runs
  please plan              lay a plan before the user, where the agent has a tool for that
  please plan PATH         in plan mode: show a plan for it, and once that is approved: please write PATH
  please pursue PATH       set a goal, which the agent pursues in turns of its own: please run-write PATH
  please use TOOL PATH     call that tool of the MCP server "notes" (Tests/servers/mcp_server.py)
  please spawn PATH        have a helper of Codex's do: please run-write PATH, and wait for it
  please delegate PATH     have a helper of Claude Code's do: please write PATH
  please delegate-behind PATH  the same in the background, while the turn ends
  please be slow           say one word every 50 ms for a minute
  please fail              answer with status 400
  what are you             say the name of the model that was asked for
  count us                 say how many messages the request has
  anything else            say it back

After a tool has come back it says so, with what came back.
"""

import http.server
import json
import re
import sys
import time

CONTENT = "Written by the model.\n"
DONE = "The tool came back."


def texts(content):
    """All the text in a message's content, whatever its form."""
    if isinstance(content, str):
        return [content]
    return [block.get("text", "") for block in content or [] if isinstance(block, dict) and block.get("text")]


def instruction(words):
    found = re.findall(r'please (?:(?:run-(?:write|later|twice|long)|pursue|spawn|delegate(?:-behind)?|use \w+) [^\s"<]+|plan /[^\s"<]+|write [^\s"<]+|be slow|plan|fail)', words)
    return found[-1] if found else None


def trailing(messages):
    """All that was said since the model's last words: agents add reminders of their own before and behind."""
    said = []
    for message in reversed(messages):
        if message.get("role") not in ("user", "system", "developer"):
            break
        said.insert(0, " ".join(texts(message.get("content"))))
    return " ".join(said)


class Tool:
    """A call of the tool, among those offered, that can write a file."""

    NAMES = ["Write", "write_file", "exec_command", "shell_command", "shell", "run_shell_command", "bash", "Bash",
             "terminal"]

    def __init__(self, tools, told):
        path, by_command = told.split()[-1], "run-" in told
        schemas = {}
        for tool in tools or []:
            function = tool.get("function", tool)
            if function.get("name"):
                schemas[function["name"]] = function.get("input_schema") or function.get("parameters") or {}
        if told.startswith("please pursue"):
            self.name, self.input = "create_goal", {"objective": "please run-write " + path}
            return
        self.name = next((name for name in self.NAMES[2 if by_command else 0:] if name in schemas), None)
        script = "printf '%s\\n' '" + CONTENT.strip() + "' > '" + path + "'"
        name = "Write the file"
        if "run-long" in told:
            script = ": > '" + path + ".started'; sleep 20.5; " + script
        if "run-later" in told or "run-twice" in told:
            script = "sleep 1; " + script
        if "run-twice" in told:
            # An agent tells its model by this name what has ended.
            name = "please write " + path + ".then"
        values = {"file_path": path, "path": path, "content": CONTENT, "cmd": script, "command": script,
                  "description": name, "run_in_background": "sleep 1" in script}
        properties = schemas.get(self.name, {}).get("properties", {})
        self.input = {name: values[name] for name in properties if name in values}
        if properties.get("command", {}).get("type") == "array":
            self.input["command"] = ["bash", "-lc", script]


class Call:
    """A call of a tool by its name, and by that of the group it stands in, if it does."""

    def __init__(self, name, arguments, group=None):
        self.name, self.input, self.group = name, arguments, group

    @classmethod
    def notes(cls, request, name, path):
        """Claude Code and Codex name the tools of an MCP server each in its own way."""
        grouped = any(tool.get("name") == "mcp__notes" for tool in request.get("tools") or [])
        return cls(name, {"path": path}, "mcp__notes") if grouped else cls("mcp__notes__" + name, {"path": path})

    @classmethod
    def helper(cls, request, told, **more):
        """Claude Code has called its tool for that by two names."""
        name = "Agent" if any(tool.get("name") == "Agent" for tool in request.get("tools") or []) else "Task"
        return cls(name, {"description": "Write the file", "prompt": told, "subagent_type": "general-purpose", **more})


def plan_file(request):
    """Where Claude Code wants the plan; it says so in a reminder of its own."""
    said = " ".join(" ".join(texts(message.get("content"))) for message in request["messages"])
    found = re.findall(r'/\S+/\.claude/plans/[-\w]+\.md', said)
    return found[-1] if found else "plan.md"


def planned(request, tool_result):
    """What follows in "please plan" after a tool has come back; None if nothing does."""
    said = [" ".join(texts(message.get("content"))) for message in request.get("messages", [])
            if message.get("role") == "user"]
    told = next((instruction(words) for words in reversed(said) if instruction(words)), "")
    if not told.startswith("please plan /"):
        return None
    if "approved" in tool_result:
        return ("call", Tool(request.get("tools"), "please write " + told.split()[-1]))
    return ("call", Call("ExitPlanMode", {})) if ".claude/plans/" in tool_result else None


def plan(words, request, tool_result):
    """What to do: ("say", words), ("slow",), ("fail",) or ("call", tool)."""
    if tool_result is None and "exited plan mode" in words and planned(request, "approved"):
        return planned(request, "approved")
    if tool_result is not None:
        return planned(request, tool_result) or ("say", DONE + " It said: " + tool_result[:80])
    told = instruction(words)
    if "what are you" in words:
        return ("say", f"I am {request.get('model')}.")
    if "count us" in words:
        return ("say", f"There are {len(request.get('messages') or request.get('input'))} messages.")
    if told is None:
        return ("say", "You said: " + words.strip()[-80:])
    if told == "please be slow":
        return ("slow",)
    if told == "please fail":
        return ("fail",)
    if told == "please plan":
        return ("call", Call("ExitPlanMode", {"plan": "1. Look at the build.\n2. Mend it."}))
    if told.startswith("please use"):
        return ("call", Call.notes(request, *told.split()[-2:]))
    if told.startswith("please spawn"):
        return ("call", Call("spawn_agent", {"message": "please run-write " + told.split()[-1]}, "multi_agent_v1"))
    if told.startswith("please delegate-behind"):
        return ("call", Call.helper(request, "please write " + told.split()[-1], run_in_background=True))
    if told.startswith("please delegate"):
        return ("call", Call.helper(request, "please write " + told.split()[-1]))
    if told.startswith("please plan /"):
        return ("call", Call("Write", {"file_path": plan_file(request), "content": f"First write {told.split()[-1]}.\n"}))
    tool = Tool(request.get("tools"), told)
    return ("call", tool) if tool.name else ("say", "There is no tool that writes a file.")


def pieces(deed):
    if deed[0] == "slow":
        for number in range(1200):
            time.sleep(0.05)
            yield f"word{number} "
    else:
        for word in deed[1].split(" "):
            yield word + " "


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def log_message(self, *_):
        pass

    def identifier(self, kind):
        Handler.count += 1
        return f"{kind}_{Handler.count:06d}"

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, value, name=None):
        head = f"event: {name}\n" if name else ""
        data = value if isinstance(value, str) else json.dumps(value)
        self.wfile.write(f"{head}data: {data}\n\n".encode())
        self.wfile.flush()

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "fake-model", "object": "model"}], "models": []})

    def do_HEAD(self):
        self.answer({})

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        try:
            request = json.loads(self.rfile.read(length) or b"{}")
        except ValueError:
            return self.answer({"error": {"type": "invalid_request_error", "message": "no JSON"}}, 400)
        path = self.path.split("?")[0]
        try:
            if path.endswith("/messages"):
                self.answer_messages(request)
            elif path.endswith("/responses"):
                self.answer_responses(request)
            elif path.endswith("/chat/completions"):
                self.answer_chat(request)
            elif path.endswith("/count_tokens"):
                self.answer({"input_tokens": 100})
            else:
                self.answer({})
        except (BrokenPipeError, ConnectionResetError):
            pass

    def fail(self):
        self.answer({"type": "error", "error": {"type": "invalid_request_error", "message": "told to fail"}}, 400)

    def answer_messages(self, request):
        last = request["messages"][-1]
        results = [block for block in last["content"] if isinstance(block, dict) and block.get("type") == "tool_result"]
        result = " ".join(texts(results[-1].get("content"))) if results else None
        deed = plan(trailing(request["messages"]), request, result)
        if deed[0] == "fail":
            return self.fail()
        message = {"id": self.identifier("msg"), "type": "message", "role": "assistant", "content": [],
                   "model": request.get("model"), "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 100, "output_tokens": 1}}
        if not request.get("stream"):
            message["content"] = [{"type": "text", "text": "ok"}]
            message["stop_reason"] = "end_turn"
            return self.answer(message)
        self.begin()

        def send(kind, **fields):
            self.event({"type": kind, **fields}, kind)

        send("message_start", message=message)
        if deed[0] == "call":
            block = {"type": "tool_use", "id": self.identifier("toolu"), "name": deed[1].name, "input": {}}
            send("content_block_start", index=0, content_block=block)
            delta = {"type": "input_json_delta", "partial_json": json.dumps(deed[1].input)}
            send("content_block_delta", index=0, delta=delta)
        else:
            send("content_block_start", index=0, content_block={"type": "text", "text": ""})
            for piece in pieces(deed):
                send("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        send("content_block_stop", index=0)
        stop = "tool_use" if deed[0] == "call" else "end_turn"
        send("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 10})
        send("message_stop")

    def answer_responses(self, request):
        items = request.get("input") or []
        items = [{"role": "user", "content": items}] if isinstance(items, str) else items
        last = items[-1] if items else {}
        result = None
        if str(last.get("type", "")).endswith("_output"):
            result = last.get("output")
            result = result if isinstance(result, str) else json.dumps(result)
        deed = plan(trailing(items), request, result)
        calls = {item.get("call_id"): item.get("name") for item in items if item.get("type") == "function_call"}
        if calls.get(last.get("call_id")) == "exec_command" and "create_goal" in calls.values():
            # What the goal wanted is done.
            deed = ("call", Call("update_goal", {"status": "complete"}))
        if calls.get(last.get("call_id")) == "spawn_agent":
            deed = ("call", Call("wait_agent", {"targets": [json.loads(result)["agent_id"]]}, "multi_agent_v1"))
        if deed[0] == "fail":
            return self.fail()
        self.begin()
        response = {"id": self.identifier("resp"), "object": "response", "status": "in_progress", "output": []}

        def send(kind, **fields):
            self.event({"type": kind, **fields}, kind)

        send("response.created", response=response)
        if deed[0] == "call":
            item = {"type": "function_call", "id": self.identifier("fc"), "call_id": self.identifier("call"),
                    "name": deed[1].name, "arguments": json.dumps(deed[1].input)}
            if getattr(deed[1], "group", None):
                item["namespace"] = deed[1].group
            send("response.output_item.added", output_index=0, item={**item, "arguments": ""})
        else:
            item = {"type": "message", "id": self.identifier("msg"), "role": "assistant", "content": []}
            send("response.output_item.added", output_index=0, item=item)
            whole = ""
            for piece in pieces(deed):
                whole += piece
                send("response.output_text.delta", item_id=item["id"], output_index=0, content_index=0, delta=piece)
            item = {**item, "content": [{"type": "output_text", "text": whole, "annotations": []}]}
        send("response.output_item.done", output_index=0, item=item)
        usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
                 "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        send("response.completed", response={**response, "status": "completed", "output": [item], "usage": usage})

    def answer_chat(self, request):
        messages = request.get("messages") or []
        last = messages[-1] if messages else {}
        result = " ".join(texts(last.get("content"))) if last.get("role") == "tool" else None
        deed = plan(trailing(messages), request, result)
        if deed[0] == "fail":
            return self.fail()
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        base = {"id": self.identifier("chatcmpl"), "created": int(time.time()), "model": request.get("model")}
        if deed[0] == "call":
            call = {"index": 0, "id": self.identifier("call"), "type": "function",
                    "function": {"name": deed[1].name, "arguments": json.dumps(deed[1].input)}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
            finish = "tool_calls"
        else:
            message = {"role": "assistant", "content": None}
            finish = "stop"
        if not request.get("stream"):
            if deed[0] != "call":
                message["content"] = "".join(pieces(deed)) if deed[0] == "say" else "slow"
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return self.answer({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
        self.begin()

        def send(delta, finish=None):
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            self.event({**base, "object": "chat.completion.chunk", "choices": [choice]})

        if deed[0] == "call":
            send(message)
        else:
            send({"role": "assistant", "content": ""})
            for piece in pieces(deed):
                send({"content": piece})
        send({}, finish)
        self.event({**base, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        self.event("[DONE]")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()


main()
