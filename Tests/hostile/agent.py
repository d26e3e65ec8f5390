"""A proxy between the program and a scripted agent: it keeps what was really sent, and does harm at a chosen line.

agent.py LOG HARM COMMAND ARGUMENTS…: HARM is JSON, {"way": "in"|"out"|"start"|"term", "line": from 1, "having": words in
place of a number, "on": for each line from then on, "deed": name, …}; "in" is what the program says, "out" what the agent
says. Each line of what was sent is added to LOG.
"""

import json, os, signal, subprocess, sys, threading, time

LOG, HARM, COMMAND = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
OUT = threading.Lock()


def write(data):
    with OUT:
        view = memoryview(data)
        while view:
            view = view[os.write(1, view) :]


def flood(line):
    for number in range(HARM.get("count", 20_000)):
        write(json.dumps({"jsonrpc": "2.0", "method": "_noise", "type": "noise", "number": number}).encode() + b"\n")
    write(line)


def replaced(line):
    """Words of a line, by others."""
    for old, new in HARM["words"]:
        line = line.replace(old.encode(), new.encode())
    write(line)


def long_line(line):
    with OUT:
        piece = b"x" * (1 << 20)
        os.write(1, b'{"jsonrpc":"2.0","method":"x","type":"')
        for _ in range(HARM.get("megabytes", 100)):
            view = memoryview(piece)
            while view:
                view = view[os.write(1, view) :]
        os.write(1, b'"}\n')
    write(line)


def leave(code):
    def deed(_):
        sys.stderr.write("Traceback: the disk is full\n")
        sys.stderr.flush()
        child.kill()
        os._exit(code)

    return deed


def kill(_):
    child.kill()
    os.kill(os.getpid(), signal.SIGKILL)


def close_output(_):
    os.close(1)
    time.sleep(300)


def close_input(line):
    os.close(0)
    write(line)


def hang(_):
    time.sleep(300)


DEEDS = {
    "exit 0": leave(0),
    "exit 3": leave(3),
    "kill": kill,
    "hang": hang,
    "flood": flood,
    "long line": long_line,
    "close output": close_output,
    "close input": close_input,
    "replace": replaced,
    "drop": lambda line: None,
    "twice": lambda line: write(line + line),
    "half": lambda line: (write(line[: len(line) // 2]), leave(0)(line)),
    "half and on": lambda line: write(line[: len(line) // 2] + b"\n" + line),
    "garbage": lambda line: write(b'Welcome!\n\n[1,2]\n{not json}\n{}\n[[[[\n\xff\xfe\x00\n""\n-1e999\n' + line),
    "late": lambda line: (time.sleep(3), write(line)),
    "crumbs": lambda line: [write(line[i : i + 1]) or time.sleep(0.001) for i in range(len(line))],
    "deep": lambda line: write(b"[" * 200_000 + b"\n" + line),
    "nulls": lambda line: write(b"\0" * 4096 + b"\n" + line),
    "term": lambda line: write(line),
}


def passes(way, number, line):
    """Whether the line goes its way; harm is done instead."""
    if HARM.get("way") != way or HARM.get("is over") and not HARM.get("on"):
        return True
    if HARM["having"].encode() not in line if "having" in HARM else number < HARM.get("line", 1):
        return True
    HARM["is over"] = True
    # What the agent was to be told is not told back.
    DEEDS[HARM["deed"]](line if way == "out" else b"")
    return way == "in" and HARM["deed"] != "drop"


def outwards():
    for number, line in enumerate(child.stdout, 1):
        if passes("out", number, line):
            write(line)
    code = child.wait()
    os._exit(code if 0 <= code < 256 else 1)


if HARM.get("way") == "term":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if HARM.get("way") == "start":
    child = subprocess.Popen(["true"])
    DEEDS[HARM["deed"]](b"")
child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
threading.Thread(target=outwards, daemon=True).start()
with open(LOG, "ab", buffering=0) as log:
    number = 0
    stream = os.fdopen(0, "rb", buffering=0, closefd=False)
    for line in stream:
        number += 1
        log.write(line if line.endswith(b"\n") else line + b"\n")
        if passes("in", number, line):
            child.stdin.write(line)
            child.stdin.flush()
child.stdin.close()
if HARM.get("way") == "term":
    time.sleep(300)
child.wait()
