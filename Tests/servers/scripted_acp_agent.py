#!/usr/bin/env python3
"""A scripted coding agent that speaks the Agent Client Protocol over standard input and output.

What it does is said by the words of the prompt (see PROMPTS); how it starts is said by its arguments:

  --protocol N          answer this protocol version
  --no-session          answer session/new with "sign in first"
  --modes A,B           offer these modes, the first is current      --options   offer them as a config option, too
  --models A,B          offer these models, the first is current
  --stubborn            accept a change of mode and do not make it
  --die-at-start        write to standard error and exit 3
  --silent              never answer anything
  --grandchild PIPE     start a child that ignores SIGTERM and holds this named pipe open as long as it lives
  --daemon PIPE         the same, in a session of its own and without a parent
  --fleeing PIPE        the same for ten seconds, as another process each millisecond
  --ignore-term         ignore SIGTERM and the end of standard input
  --sessions            list, load, resume, fork and close sessions
  --environment FILE    write the names of the environment variables to FILE
  --no-reading          stop reading after session/new
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

from halting import Halting

ARGUMENTS = sys.argv[1:]
OUT_LOCK = threading.Lock()
SESSION = "session-1"
answers = {}
answered = threading.Condition()
cancelled = threading.Event()


def option(name, default=None):
    return ARGUMENTS[ARGUMENTS.index(name) + 1] if name in ARGUMENTS else default


def write(data):
    with OUT_LOCK:
        view = memoryview(data)
        while view:
            view = view[os.write(1, view):]


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def update(tag, **fields):
    send({"method": "session/update", "params": {"sessionId": SESSION, "update": {"sessionUpdate": tag, **fields}}})


def say(text, **fields):
    update("agent_message_chunk", content={"type": "text", "text": text}, **fields)


def ask(identifier, tool, options):
    send({"id": identifier, "method": "session/request_permission",
          "params": {"sessionId": SESSION, "toolCall": tool, "options": options}})


def wait_for_answer(identifier):
    with answered:
        answered.wait_for(lambda: identifier in answers, timeout=30)
        return answers.pop(identifier, None)


FOUR_OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "mode", "name": "Change the mode", "kind": "allow_once"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


def prompt_text(_):
    say("Hello ", messageId="m1")
    say("there.", messageId="m1")
    say("Second paragraph.", messageId="m2")
    return "end_turn"


def prompt_signs(_):
    say("a\tb\r\nc\rd\u00ade \x1b[31mred\x1b[0m \u202eend")
    return "end_turn"


def prompt_tool(_):
    say("I look. ")
    update("tool_call", toolCallId="t1", title="read_file", kind="read", status="pending")
    update("tool_call_update", toolCallId="t1", rawInput={"path": "/home/dev/README.md"}, status="in_progress")
    update("tool_call_update", toolCallId="t1", status="completed")
    update("tool_call", toolCallId="t2", title="Left open", kind="other")
    say("Done.")
    return "end_turn"


def prompt_permission(_):
    update("tool_call", toolCallId="t1", title="run", kind="execute", rawInput={"command": "make test"})
    ask(0, {"toolCallId": "t1"}, FOUR_OPTIONS)
    outcome = wait_for_answer(0)
    say(json.dumps(outcome))
    if cancelled.is_set():
        return "cancelled"
    chosen = (outcome or {}).get("result", {}).get("outcome", {}).get("optionId")
    update("tool_call_update", toolCallId="t1", status="completed" if chosen in ("yes", "always") else "failed")
    return "end_turn"


def prompt_halt(words):
    halting = Halting(words)
    threading.Thread(target=lambda: (cancelled.wait(), halting.stop()), daemon=True).start()
    halting.begin()
    if halting.phase == "flood":
        halting.pour(say)
    elif halting.phase != "headers":
        say("Half.")
    if halting.phase in ("tool", "permission"):
        update("tool_call", toolCallId="t1", title="run", kind="execute", rawInput={"command": "make test"})
    if halting.phase == "permission":
        ask(0, {"toolCallId": "t1"}, FOUR_OPTIONS)
    how = halting.work()
    if how == "died":
        os._exit(7)
    return "cancelled" if how == "stopped" else "end_turn"


def prompt_withdraw(_):
    ask("ask-1", {"toolCallId": "x", "title": "Run it", "rawInput": {"command": "ls"}}, FOUR_OPTIONS)
    send({"method": "$/cancel_request", "params": {"requestId": "ask-1"}})
    say(json.dumps(wait_for_answer("ask-1")))
    return "end_turn"


def prompt_number(_):
    say(str(os.getpid()))
    return "end_turn"


def prompt_host(_):
    """Kill whoever sees to it that nothing outlives this agent, and work on."""
    say(str(os.getpid()))
    cancelled.wait(30)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(300)
    return "end_turn"


def prompt_slow(_):
    say("Starting.")
    cancelled.wait(30)
    say("This comes after the cancel and must not be heard.")
    return "cancelled"


def prompt_wrong_stop(_):
    say("Starting.")
    cancelled.wait(30)
    return "end_turn"


def prompt_deaf(_):
    say("I do not stop.")
    time.sleep(300)
    return "end_turn"


def prompt_die(_):
    say("Half a sen")
    sys.stderr.write("Traceback: the disk is full\n")
    sys.stderr.flush()
    os._exit(7)


def prompt_flood(text):
    for index in range(int(text.split()[-1])):
        say(f"{index} ")
    return "end_turn"


def prompt_garbage(_):
    write(b"Welcome to the agent!\n\n   \n[1,2]\n{not json}\n{\"jsonrpc\":\"2.0\"}\n")
    write(b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":'
          b'{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"bad \xff\xfe bytes"}}}}\n')
    update("something_new", field=1)
    send({"method": "_vendor/thing", "params": {}})
    send({"id": 41, "method": "terminal/create", "params": {}})
    send({"id": 42, "method": "fs/read_text_file", "params": {"sessionId": SESSION, "path": "/etc/passwd"}})
    say(f" {wait_for_answer(41)['error']['code']} {wait_for_answer(42)['error']['code']}")
    return "end_turn"


def prompt_huge(text):
    say("x" * (int(text.split()[-1]) << 20))
    return "end_turn"


def prompt_fail(text):
    return {"code": int(text.split()[-1]), "message": "Internal error", "data": {"message": "the model is down"}}


def prompt_stop(text):
    return text.split()[-1]


def prompt_late(_):
    say("In time.", messageId="m")
    return "end_turn"


def prompt_later(_):
    say("It runs.")
    return "end_turn"


def prompt_files(_):
    """Read a file, one outside, and write one."""
    here = os.getcwd()
    answers_to = []
    for identifier, method, fields in [
        (51, "fs/read_text_file", {"path": here + "/in.txt", "line": 2, "limit": 1}),
        (52, "fs/read_text_file", {"path": "/etc/passwd"}), (53, "fs/read_text_file", {"path": "../out.txt"}),
        (54, "fs/write_text_file", {"path": "new/made.txt", "content": "made"}),
        (55, "fs/write_text_file", {"path": here + "/link/made.txt", "content": "made"}),
        (56, "fs/write_text_file", {"path": here + "/pipe", "content": "made"}),
        (57, "fs/read_text_file", {"path": here + "/pipe"}),
    ]:
        send({"id": identifier, "method": method, "params": {"sessionId": SESSION, **fields}})
        answer = wait_for_answer(identifier)
        answers_to.append(answer.get("result", {}).get("content", "done") if "result" in answer else "refused")
    say(" ".join(answers_to))
    return "end_turn"


def prompt_clock(_):
    """For measuring: the moment of writing, in nanoseconds of the monotonic clock."""
    say(str(time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
    return "end_turn"


PROMPTS = {name[len("prompt_"):].replace("_", "-"): call for name, call in globals().items()
           if name.startswith("prompt_")}


def run_prompt(identifier, text):
    # Behind a spoken instruction stand notes in brackets; above one that begins like a command, without.
    words = next((part for part in reversed(text.split("\n\n")) if not part.startswith("(")), text)
    word = words.split()[0] if words.split() else ""
    result = PROMPTS[word](words) if word in PROMPTS else say("You said: " + text) or "end_turn"
    if isinstance(result, dict):
        send({"id": identifier, "error": result})
    else:
        send({"id": identifier, "result": {"stopReason": result, "usage": {"inputTokens": 10, "outputTokens": 2}}})
    if word == "late":
        say("Too late.", messageId="m")
        update("tool_call_update", toolCallId="late", title="late", status="completed")
        send({"id": "late", "method": "_vendor/late", "params": {}})
    if word == "later":
        # A command in the background has ended: nobody has prompted this.
        update("tool_call", toolCallId="later", title="write", kind="edit", rawInput={"path": "a"})
        ask("later", {"toolCallId": "later"}, FOUR_OPTIONS)
        chosen = (wait_for_answer("later") or {}).get("result", {}).get("outcome", {}).get("optionId")
        update("tool_call_update", toolCallId="later", status="completed" if chosen == "yes" else "failed")
        say("It was allowed." if chosen == "yes" else "It was denied.")


def session():
    result = {"sessionId": SESSION}
    modes = option("--modes")
    if modes:
        names = modes.split(",")
        result["modes"] = {"currentModeId": names[0], "availableModes": [{"id": n, "name": n} for n in names]}
        if "--options" in ARGUMENTS:
            result["configOptions"] = options(names[0], names)
    if option("--models"):
        names = option("--models").split(",")
        result["models"] = {"currentModelId": names[0], "availableModels": [{"modelId": n, "name": n} for n in names]}
    return result


def resumed(identifier, method, parameters):
    global SESSION
    if parameters["sessionId"] == "none":
        return send({"id": identifier, "error": {"code": -32002, "message": "no such session"}})
    SESSION = "session-9" if method == "session/fork" else parameters["sessionId"]
    if method == "session/load":
        for tag, text in [("user_message_chunk", "fix "), ("user_message_chunk", "it"), ("agent_message_chunk", "Fixed.")]:
            update(tag, content={"type": "text", "text": text})
    send({"id": identifier, "result": {**session(), **({"sessionId": SESSION} if method == "session/fork" else {})}})


def options(current, names):
    return [{"id": "model", "category": "model", "currentValue": "m", "options": [{"value": "m", "name": "m"}]},
            {"id": "how", "category": "mode", "currentValue": current,
             "options": [{"value": n, "name": n} for n in names]}]


def handle(message):
    method, identifier, parameters = message.get("method"), message.get("id"), message.get("params", {})
    if method is None:
        with answered:
            answers[identifier] = message
            answered.notify_all()
    elif "--silent" in ARGUMENTS:
        return
    elif method == "initialize":
        send({"id": identifier, "result": {
            "protocolVersion": int(option("--protocol", "1")), "agentInfo": {"name": "scripted", "title": "Scripted"},
            "authMethods": [{"id": "web", "name": "Log in on the web"}],
            **({"agentCapabilities": {"loadSession": True, "sessionCapabilities": {
                "list": {}, "resume": {}, "fork": {}, "close": {}, "delete": {}}}} if "--sessions" in ARGUMENTS else {})}})
    elif method in ("session/resume", "session/load", "session/fork") and "--sessions" in ARGUMENTS:
        resumed(identifier, method, parameters)
    elif method == "session/list" and "--sessions" in ARGUMENTS:
        second = parameters.get("cursor") == "more"
        name = "session-2" if second else "session-1"
        send({"id": identifier, "result": {
            "sessions": [{"sessionId": name, "cwd": parameters["cwd"], "title": "Fix the build"}],
            **({} if second else {"nextCursor": "more"})}})
    elif method == "session/delete" and parameters == {"sessionId": "session-1"}:
        send({"id": identifier, "result": {}})
    elif method == "session/new":
        if "--no-session" in ARGUMENTS:
            send({"id": identifier, "error": {"code": -32000, "message": "Authentication required"}})
        elif parameters.get("cwd") != os.getcwd():
            send({"id": identifier, "error": {"code": -32602, "message": "cwd is not the working folder"}})
        else:
            update("available_commands_update", availableCommands=[{"name": "compact"}, {"name": "/model"}])
            send({"id": identifier, "result": session()})
            if "--no-reading" in ARGUMENTS:
                time.sleep(300)
    elif method == "session/set_mode":
        send({"id": identifier, "result": {}} if parameters["modeId"] != "broken" else
             {"id": identifier, "error": {"code": -32602, "message": "no such mode"}})
    elif method == "session/set_model":
        send({"id": identifier, "result": {}})
    elif method == "session/set_config_option":
        names = option("--modes").split(",")
        current = names[0] if "--stubborn" in ARGUMENTS else parameters["value"]
        send({"id": identifier, "result": {"configOptions": options(current, names)}})
    elif method == "session/prompt":
        cancelled.clear()
        text = "".join(block.get("text", "") for block in parameters["prompt"])
        threading.Thread(target=run_prompt, args=(identifier, text), daemon=True).start()
    elif method == "session/cancel":
        cancelled.set()
    elif identifier is not None:
        send({"id": identifier, "error": {"code": -32601, "message": "Method not found: " + method}})


def main():
    if "--environment" in ARGUMENTS:
        with open(option("--environment"), "w") as file:
            file.write(" ".join(sorted(os.environ)))
    if "--grandchild" in ARGUMENTS:
        program = ("import os,signal,sys,time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
                   "pipe = os.open(sys.argv[1], os.O_WRONLY); os.write(pipe, b'alive'); time.sleep(300)")
        subprocess.Popen([sys.executable, "-c", program, option("--grandchild")])
    if "--daemon" in ARGUMENTS:
        program = ("import os,signal,sys,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork() and os._exit(0);"
                   "pipe = os.open(sys.argv[1], os.O_WRONLY); os.write(pipe, b'alive'); time.sleep(300)")
        subprocess.Popen([sys.executable, "-c", program, option("--daemon")], start_new_session=True).wait()
    if "--fleeing" in ARGUMENTS:
        program = ("import os,signal,sys,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); pipe = os.open(sys.argv[1], os.O_WRONLY); os.write(pipe, b'alive')\n"
                   "end = time.monotonic() + 10\n"
                   "while time.monotonic() < end: os.fork() and os._exit(0); os.setsid()")
        subprocess.Popen([sys.executable, "-c", program, option("--fleeing")])
    if "--die-at-start" in ARGUMENTS:
        sys.stderr.write("no such model: gpt-nine\n")
        sys.exit(3)
    if "--ignore-term" in ARGUMENTS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        handle(json.loads(line))
    if "--ignore-term" in ARGUMENTS:
        time.sleep(300)


main()
