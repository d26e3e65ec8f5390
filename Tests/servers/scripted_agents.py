#!/usr/bin/env python3
"""A scripted coding agent that speaks Claude Code's stream-json, Codex's app-server or what `codex exec` prints:
`scripted_agents.py claude|codex|codex-exec …`.

What it does is said by the first word of the instruction, the same for all and for scripted_acp_agent.py:

  text         two paragraphs
  tool         a tool from start to end
  permission   ask before running "make test", and say what was answered
  long         ask before running a command of 6,000 characters, and say what was answered
  question     ask which colour, and say what was answered
  slow         begin to speak, and wait to be stopped
  fail         the model is down
  die          die in the middle of a word
  late         go on talking after the end
  flood N      N pieces of text
  huge N       N MiB of text in one piece
  later        end, and begin a turn of its own, which asks before running "make test"
  leave        end, and leave something in the background that never does
  halt …       see halting.py
  garbage      lines that mean nothing, and bytes that are no UTF-8
Anything else is said back, and whether the session was resumed.
"""

import json
import os
import signal
import sys
import threading
import time

from halting import Halting

LANGUAGE = sys.argv[1]
ARGUMENTS = sys.argv[2:]
OUT_LOCK = threading.Lock()
answers = {}
answered = threading.Condition()
cancelled = threading.Event()
# One turn after the other, with what comes late of the first before the second begins.
WORKING = threading.Lock()


def write(data):
    with OUT_LOCK:
        view = memoryview(data)
        while view:
            view = view[os.write(1, view):]


def send(message):
    write(json.dumps(message).encode() + b"\n")


def wait_for_answer(identifier):
    with answered:
        answered.wait_for(lambda: identifier in answers or cancelled.is_set(), timeout=30)
        return answers.pop(identifier, None)


def take_answer(identifier, answer):
    with answered:
        answers[identifier] = answer
        answered.notify_all()


def stop():
    cancelled.set()
    with answered:
        answered.notify_all()


class Claude:
    session = "11111111-2222-4333-8444-555555555555"
    resumed = any(argument.startswith("--resume=") for argument in ARGUMENTS)
    message = 0

    def __init__(self):
        for argument in ARGUMENTS:
            if argument.startswith("--resume="):
                self.session = argument.split("=", 1)[1]
        mode = ARGUMENTS[ARGUMENTS.index("--permission-mode") + 1]
        if mode not in ("default", "plan", "acceptEdits", "bypassPermissions"):
            sys.stderr.write("error: option '--permission-mode <mode>' argument '%s' is invalid.\n" % mode)
            sys.exit(1)
        if self.session == "none":
            self.refuse("No conversation found with session ID: none")
        if "--resume-session-at=nonsense" in ARGUMENTS:
            self.refuse("No message found with message.uuid of: nonsense")

    @staticmethod
    def refuse(words):
        send({"type": "result", "subtype": "error_during_execution", "is_error": True, "num_turns": 0, "errors": [words]})
        sys.stderr.write(words + "\n")
        sys.exit(1)

    def handle(self, message):
        if message["type"] == "control_request":
            subtype = message["request"]["subtype"]
            mode = ARGUMENTS[ARGUMENTS.index("--permission-mode") + 1]
            commands = [{"name": "compact"}, {"name": "usage", "aliases": ["cost"]}]
            models = [{"value": "default"}, {"value": "opus"}]
            answer = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            if subtype == "initialize":
                answer["response"] = {"current_permission_mode": mode, "commands": commands, "models": models}
            elif message["request"].get("mode") == "bypassPermissions":
                answer = {"subtype": "error", "request_id": message["request_id"], "error": "it was not started for that"}
            send({"type": "control_response", "response": answer})
            if subtype == "interrupt":
                stop()
        elif message["type"] == "control_response":
            take_answer(message["response"]["request_id"], message["response"]["response"])
        elif message["type"] == "user":
            text = message["message"]["content"]
            self.follow(message.get("uuid"), "queued")
            threading.Thread(target=self.turn, args=(text, message.get("uuid")), daemon=True).start()

    def follow(self, message, state):
        send({"type": "command_lifecycle", "command_uuid": message, "state": state, "session_id": self.session})

    def goes_on(self):
        send({"type": "system", "subtype": "background_tasks_changed", "tasks": [{"task_id": "b1", "description": "make"}]})

    def later(self):
        send({"type": "system", "subtype": "task_notification", "task_id": "b1", "status": "completed",
              "summary": "Background command \"make\" completed (exit code 0)"})
        send({"type": "system", "subtype": "background_tasks_changed", "tasks": []})
        self.begin()
        send({"type": "system", "subtype": "status", "status": "requesting"})

    def stream(self, event):
        send({"type": "stream_event", "event": event, "parent_tool_use_id": None, "session_id": self.session})

    def begin(self):
        send({"type": "system", "subtype": "init", "session_id": self.session,
              "permissionMode": ARGUMENTS[ARGUMENTS.index("--permission-mode") + 1]})

    def say(self, *texts):
        self.message += 1
        self.stream({"type": "message_start", "message": {"id": f"m{self.message}"}})
        for text in texts:
            self.stream({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})

    def tool(self, identifier, name, tool_input):
        self.stream({"type": "content_block_start", "index": 1,
                     "content_block": {"type": "tool_use", "id": identifier, "name": name, "input": {}}})
        send({"type": "assistant", "parent_tool_use_id": None, "message": {
            "id": f"m{self.message}", "content": [{"type": "tool_use", "id": identifier, "name": name,
                                                   "input": tool_input}]}})

    def tool_over(self, identifier, is_error=False):
        send({"type": "user", "parent_tool_use_id": None, "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": identifier, "content": "x", "is_error": is_error}]}})

    def ask(self, identifier, tool, name, tool_input):
        send({"type": "control_request", "request_id": identifier, "request": {
            "subtype": "can_use_tool", "tool_name": name, "input": tool_input, "tool_use_id": tool,
            "permission_suggestions": [{"type": "addRules"}] if name == "Bash" else []}})
        return wait_for_answer(identifier)

    def long(self):
        self.permission("echo " + "x" * 6000 + "; rm -rf build")

    def permission(self, command="make test"):
        self.tool("t1", "Bash", {"command": command})
        answer = self.ask("ask-1", "t1", "Bash", {"command": command})
        if answer is None:
            send({"type": "control_cancel_request", "request_id": "ask-1"})
            return
        self.tool_over("t1", answer["behavior"] != "allow")
        self.say("It was allowed." if answer["behavior"] == "allow" else "It was denied.")

    def question(self):
        form = {"questions": [
            {"question": "Which colour?", "multiSelect": False, "options": [{"label": "Red"}, {"label": "Blue"}]},
            {"question": "How many?", "multiSelect": False, "options": []}]}
        answer = self.ask("ask-2", "t2", "AskUserQuestion", form) or {}
        self.say(json.dumps(answer.get("updatedInput", {}).get("answers"), sort_keys=True))

    def form(self):
        send({"type": "control_request", "request_id": "ask-3", "request": {
            "subtype": "elicitation", "mcp_server_name": "notes", "message": "What shall it be?", "mode": "form",
            "requested_schema": Codex.FORM, "property_order": ["colour", "count"]}})
        self.say(json.dumps(wait_for_answer("ask-3"), sort_keys=True))

    def end(self, reason="completed", error=None):
        send({"type": "result", "subtype": "success", "is_error": reason != "completed", "terminal_reason": reason,
              "result": error or "", "total_cost_usd": 0.5, "usage": {"input_tokens": 10, "output_tokens": 2}})

    def cancelled(self):
        self.end("aborted_streaming")

    def failed(self):
        self.end("api_error", "API Error: the model is down")

    def turn(self, text, message):
        with WORKING:
            self.follow(message, "started")
            self.begin()
            run(self, text)
            self.follow(message, "completed")


class Codex:
    session = "thread-1"
    turn_id = 0
    item = 0
    resumed = False
    asked = 0
    steered = threading.Event()
    terminals = []

    def handle(self, message):
        method, identifier, parameters = message.get("method"), message.get("id"), message.get("params", {})
        if method is None:
            take_answer(identifier, message.get("result"))
        elif method == "initialize":
            self.result(identifier, {"userAgent": "scripted"})
        elif method in ("thread/start", "thread/resume", "thread/fork"):
            self.resumed = method != "thread/start"
            if parameters.get("threadId") == "none":
                return send({"id": identifier, "error": {"code": -32600, "message": "no rollout found for none"}})
            if parameters.get("lastTurnId") == "nonsense":
                return send({"id": identifier, "error": {"code": -32600, "message": "turn not found: nonsense"}})
            if parameters["approvalPolicy"] not in ("untrusted", "on-request", "on-failure", "never"):
                return send({"id": identifier, "error": {"code": -32600, "message": "Invalid request: unknown variant"}})
            if method == "thread/resume":
                self.session = parameters["threadId"]
            self.result(identifier, {"thread": {"id": self.session}, "approvalPolicy": parameters["approvalPolicy"]})
        elif method == "thread/list":
            self.result(identifier, {"nextCursor": None, "data": [
                {"id": "thread-1", "preview": "Fix the build", "updatedAt": 1795260543, "cwd": parameters["cwd"]}]})
        elif method == "thread/delete" and parameters == {"threadId": "thread-1"}:
            self.result(identifier, {})
        elif method == "thread/read":
            self.result(identifier, {"thread": {"turns": [{"id": "turn-1", "items": [
                {"type": "userMessage", "id": "a", "content": [{"type": "text", "text": "fix it"}]},
                {"type": "agentMessage", "id": "b", "text": "Fixed."}]}]}})
        elif method == "model/list":
            self.result(identifier, {"data": [{"id": "a", "model": "gpt-a", "hidden": False}, {"id": "b", "hidden": True}]})
        elif method == "turn/start":
            self.turn_id += 1
            cancelled.clear()
            self.result(identifier, {"turn": {"id": f"turn-{self.turn_id}"}})
            text = parameters["input"][0]["text"]
            self.named = ", ".join(parameters.get(key, "-") for key in ("approvalPolicy", "model"))
            threading.Thread(target=self.turn, args=(text,), daemon=True, name=f"turn-{self.turn_id}").start()
        elif method == "turn/interrupt":
            self.result(identifier, {})
            stop()
        elif method == "thread/backgroundTerminals/list" and "hidden" in self.terminals:
            send({"id": identifier, "error": {"code": -32603, "message": "the list cannot be read"}})
        elif method == "thread/backgroundTerminals/list" and self.terminals:
            self.listed = list(self.terminals) if not parameters.get("cursor") else self.listed
            # One to a page.
            page = int(parameters.get("cursor") or 0)
            self.result(identifier, {"nextCursor": str(page + 1) if page + 1 < len(self.listed) else None, "data": [
                {"itemId": name, "processId": "p-" + name, "command": "sleep 20", "cwd": "/"}
                for name in self.listed[page:page + 1]]})
        elif method == "thread/backgroundTerminals/terminate":
            name = parameters["processId"].removeprefix("p-")
            if name == "stuck":
                return send({"id": identifier, "error": {"code": -32603, "message": "it does not end"}})
            self.terminals.remove(name)
            self.result(identifier, {"terminated": True})
        elif method == "turn/steer":
            if parameters["expectedTurnId"] != f"turn-{self.turn_id}" or cancelled.is_set():
                return send({"id": identifier, "error": {"code": -32600, "message": "no active turn to steer"}})
            self.result(identifier, {"turnId": f"turn-{self.turn_id}"})
            self.say("Also: " + parameters["input"][0]["text"])
            stop()
        elif identifier is not None:
            send({"id": identifier, "error": {"code": -32601, "message": "unknown"}})

    def result(self, identifier, result):
        send({"id": identifier, "result": result})

    def turn_name(self):
        """The turn that the caller is about: its own, or, where nobody works on one, the last."""
        name = threading.current_thread().name
        return name if name.startswith("turn-") else f"turn-{self.turn_id}"

    def tell(self, method, **parameters):
        send({"method": method, "params": {"threadId": self.session, "turnId": self.turn_name(), **parameters}})

    def say(self, *texts):
        self.item += 1
        for text in texts:
            self.tell("item/agentMessage/delta", itemId=f"m{self.item}", delta=text)

    def tool(self, identifier, command):
        self.tell("item/started", item={"type": "commandExecution", "id": identifier, "command": command,
                                        "status": "inProgress"})

    def tool_over(self, identifier, command, status="completed"):
        self.tell("item/completed", item={"type": "commandExecution", "id": identifier, "command": command,
                                          "status": status})

    def ask(self, method, **parameters):
        identifier = self.asked
        self.asked += 1
        send({"id": identifier, "method": method, "params": {
            "threadId": self.session, "turnId": self.turn_name(), **parameters}})
        answer = wait_for_answer(identifier)
        self.tell("serverRequest/resolved", requestId=identifier)
        return answer

    def goes_on(self, status="active"):
        goal = {"objective": "the build is green", "status": status}
        send({"method": "thread/goal/updated", "params": {"threadId": self.session, "goal": goal}})

    def later(self):
        self.turn_id += 1
        threading.current_thread().name = f"turn-{self.turn_id}"
        self.tell("turn/started", turn={"id": self.turn_name()})
        self.goes_on("complete")

    def settings(self):
        self.say(self.named)

    def long(self):
        self.permission("echo " + "x" * 6000 + "; rm -rf build")

    def permission(self, command="make test"):
        self.tool("t1", command)
        answer = self.ask("item/commandExecution/requestApproval", itemId="t1", command=command)
        if answer is None:
            return
        allowed = answer["decision"] in ("accept", "acceptForSession")
        self.tool_over("t1", command, "completed" if allowed else "declined")
        self.say("It was allowed." if allowed else "It was denied.")

    def lingers(self, name="mine"):
        """Its command runs on behind an interrupt, beside that of an earlier turn."""
        self.terminals = ["earlier", name]
        self.tool(name, "sleep 20")
        self.say("It runs.")
        cancelled.wait(20)
        self.cancelled()

    def sticks(self):
        self.lingers("stuck")

    def hides(self):
        self.lingers("hidden")

    def left(self):
        self.say(", ".join(self.terminals))

    def question(self):
        answer = self.ask("item/tool/requestUserInput", itemId="q", questions=[
            {"id": "colour", "question": "Which colour?", "options": [{"label": "Red"}, {"label": "Blue"}]},
            {"id": "count", "question": "How many?", "options": None}]) or {}
        said = {name: ", ".join(value["answers"]) for name, value in answer.get("answers", {}).items()}
        self.say(json.dumps(said, sort_keys=True))

    FORM = {"type": "object", "required": ["colour"], "properties": {
        "colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
        "count": {"type": "integer", "title": "How many"}}}

    def form(self):
        answer = self.ask("mcpServer/elicitation/request", serverName="notes", mode="form", _meta=None,
                          message="What shall it be?", requestedSchema=self.FORM)
        self.say(json.dumps(answer, sort_keys=True))

    def mcp(self):
        meta = {"codex_approval_kind": "mcp_tool_call", "persist": ["session", "always"], "tool_params": {"path": "a.txt"}}
        answer = self.ask("mcpServer/elicitation/request", serverName="notes", mode="form", _meta=meta,
                          message='Allow the notes MCP server to run tool "note"?',
                          requestedSchema={"type": "object", "properties": {}})
        self.say(json.dumps(answer, sort_keys=True))

    def helper(self, outlasts=False):
        """Another thread asks; where it outlasts the turn, once that is over."""
        def tell(method, **parameters):
            send({"method": method, "params": {"threadId": "helper", "turnId": "h", **parameters}})

        tell("turn/started", turn={"id": "h"})
        if outlasts:
            self.end()
        identifier = self.asked
        self.asked += 1
        send({"id": identifier, "method": "item/commandExecution/requestApproval", "params": {
            "threadId": "helper", "turnId": "h", "itemId": "h1", "command": "make test"}})
        answer = wait_for_answer(identifier)
        tell("serverRequest/resolved", requestId=identifier)
        tell("turn/completed", turn={"id": "h", "status": "completed"})
        if not outlasts:
            self.say(json.dumps(answer, sort_keys=True))

    def end(self, status="completed", error=None):
        turn = {"id": self.turn_name(), "status": status, "error": {"message": error} if error else None}
        self.tell("turn/completed", turn=turn)

    def cancelled(self):
        self.end("interrupted")

    def failed(self):
        self.tell("error", error={"message": "the model is down"}, willRetry=False)
        self.end("failed", "the model is down")

    def turn(self, text):
        with WORKING:
            self.tell("turn/started", turn={"id": self.turn_name()})
            run(self, text)


class CodexExec:
    """One turn: the instruction is all of standard input."""

    resumed = "resume" in ARGUMENTS
    item = 0

    def play(self):
        session = ARGUMENTS[-2] if self.resumed else "thread-1"
        if session == "none":
            sys.stderr.write("Error: no rollout found for none\n")
            sys.exit(1)
        text = sys.stdin.buffer.read().decode()
        send({"type": "thread.started", "thread_id": session})
        send({"type": "turn.started"})
        run(self, text)

    def say(self, *texts):
        self.item += 1
        item = {"id": f"item_{self.item}", "type": "agent_message", "text": "".join(texts)}
        send({"type": "item.completed", "item": item})

    def tool(self, identifier, command, status="in_progress"):
        moment = "started" if status == "in_progress" else "completed"
        send({"type": f"item.{moment}", "item": {
            "id": identifier, "type": "command_execution", "command": command, "status": status}})

    def tool_over(self, identifier, command):
        self.tool(identifier, command, "completed")

    def end(self):
        send({"type": "turn.completed", "usage": {"input_tokens": 10, "output_tokens": 2}})

    def failed(self):
        send({"type": "turn.failed", "error": {"message": "the model is down"}})


def halt(agent, words):
    halting = Halting(words)
    if isinstance(agent, CodexExec):
        # It is told to stop by a signal.
        def told(*_):
            if halting.behaviour == "ignores":
                return
            if halting.behaviour == "late":
                time.sleep(0.3)
            os._exit(7)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, told)
    else:
        threading.Thread(target=lambda: (cancelled.wait(), halting.stop()), daemon=True).start()
    halting.begin()
    if halting.phase == "flood":
        halting.pour(agent.say)
    elif halting.phase != "headers":
        agent.say("Half.")
    if halting.phase in ("tool", "permission"):
        if isinstance(agent, Claude):
            agent.tool("t1", "Bash", {"command": "make test"})
        else:
            agent.tool("t1", "make test")
    if halting.phase == "permission":
        ask = (lambda: agent.ask("ask-1", "t1", "Bash", {"command": "make test"})) if isinstance(agent, Claude) else \
            lambda: agent.ask("item/commandExecution/requestApproval", itemId="t1", command="make test")
        threading.Thread(target=ask, daemon=True, name=threading.current_thread().name).start()
    how = halting.work()
    if how == "died":
        os._exit(7)
    return agent.cancelled() if how == "stopped" else agent.end()


def run(agent, text):
    """One turn, in the words of each."""
    is_claude = isinstance(agent, Claude)
    if is_claude:
        cancelled.clear()
    # Behind a spoken instruction stand notes in brackets; above one that begins like a command, without.
    words = next((part for part in reversed(text.split("\n\n")) if not part.startswith("(")), text)
    word = words.split()[0]
    if word == "text":
        agent.say("Hello ", "there.")
        agent.say("Second paragraph.")
    elif word == "settings":
        agent.settings()
    elif word == "tool":
        if is_claude:
            agent.tool("t1", "Read", {"file_path": "/home/dev/README.md"})
            agent.tool_over("t1")
        else:
            agent.tool("t1", "cat README.md")
            agent.tool_over("t1", "cat README.md")
        agent.say("Done.")
    elif word == "permission":
        agent.permission()
    elif word == "long":
        agent.long()
    elif word == "question":
        agent.question()
    elif word in ("form", "mcp", "helper"):
        getattr(agent, word)()
    elif word == "outlast":
        return agent.helper(outlasts=True)
    elif word in ("lingers", "sticks", "hides"):
        return getattr(agent, word)()
    elif word == "left":
        agent.left()
    elif word == "later":
        agent.goes_on()
        agent.end()
        agent.later()
        agent.permission()
    elif word == "leave":
        agent.goes_on()
        agent.say("It runs.")
    elif word == "slow":
        agent.say("Starting.")
        cancelled.wait(30)
        if not isinstance(agent, Codex) or not agent.steered.is_set():
            agent.say("This comes after the cancel.")
    elif word == "fail":
        return agent.failed()
    elif word == "die":
        agent.say("Half a sen")
        sys.stderr.write("Traceback: the disk is full\n")
        sys.stderr.flush()
        os._exit(7)
    elif word == "flood":
        agent.say(*[f"{index} " for index in range(int(words.split()[1]))])
    elif word == "huge":
        agent.say("x" * (int(words.split()[1]) << 20))
    elif word == "halt":
        return halt(agent, words)
    elif word == "garbage":
        write(b"Welcome!\n\n[1,2]\n{not json}\n{}\n{\"type\":7}\n{\"method\":\"x/y\",\"params\":[]}\n\xff\xfe\n")
        agent.say("still here")
    else:
        agent.say("You said: " + text + (" again" if agent.resumed else ""))
    if cancelled.is_set():
        return agent.cancelled()
    agent.end()
    if word == "late":
        agent.say("Too late.")


def main():
    if LANGUAGE == "codex-exec":
        return CodexExec().play()
    agent = {"claude": Claude, "codex": Codex}[LANGUAGE]()
    for line in sys.stdin.buffer:
        agent.handle(json.loads(line))


main()
