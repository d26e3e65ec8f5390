#!/usr/bin/env python3
"""How soon an answer is heard that is still being written. Standard library only.

Serves a coding agent that writes its answers at a steady pace, runs the program with its local voice, and reads from its log:
first text to the first sample of speech, and the silence between the first piece and the second, each piece having lasted as
long as its samples do.

Usage: answers.py PARLEY [--pace 80] [--rounds 1] [--show]
  --pace  milliseconds a word
"""
import argparse, json, os, statistics, subprocess, tempfile, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = [
    "I looked through the whole folder and found two files that still use the old name. Both are changed now.",
    "The test fails because the timer is armed twice when the connection is cut in the middle of an answer. I can mend that.",
    "Done. The parser reads comments now, and all of the tests pass.",
    "Sure, I can do that, but it would change the public interface of the session. Shall I go on?",
    "There are three places where the cache is cleared: the loader, the session and the settings screen. The last one is wrong.",
    "I renamed `SessionController.swift` to `InteractionController.swift` and changed the imports in twelve files. The build is green.",
    "In version 2.4 of the library the reader was replaced by one that takes bytes. That is why the old call is gone.",
    "Yes, the build passes. Nothing else was touched.",
    "You could put the check into the `take` function, which is called for every event that comes from outside, or you could leave "
    "it in the loop and pay for it only once for each batch of messages. I would do the latter.",
    "## What I found\n\nThe queue grows without a limit while the speaker is away, since nobody takes anything out of it. I added one.",
    "The server answers with a status of 404, so the client takes the file for deleted and removes its own copy. That is the bug.",
    "Running the whole suite takes about four minutes on this machine, most of which is spent in the replay tests. Shall I split it?",
]


class Agent(BaseHTTPRequestHandler):
    answers, pace = [], 0.08

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        body = b'{"object": "list", "data": [{"id": "any", "object": "model"}]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        due = time.perf_counter()
        words = Agent.answers.pop(0).split(" ")
        for index, word in enumerate(words):
            time.sleep(max(0, due - time.perf_counter()))
            due += Agent.pace
            text = json.dumps({"choices": [{"delta": {"content": (" " if index else "") + word}}]})
            self.wfile.write(f"data: {text}\n\n".encode())
            self.wfile.flush()
        self.wfile.write(b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n')


def rounds(parley, folder, options):
    """Of each answer: its text, and of each spoken piece its text, the time of its first sample and how long it lasts, in ms."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Agent)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    silence = os.path.join(folder, "silence")
    os.mkfifo(silence)
    process = subprocess.Popen(
        [parley, "run", "--live", "local", "--microphone", silence, "--speaker", os.path.join(folder, "speaker.wav"), "--agent",
         f"chat:http://127.0.0.1:{server.server_port}/v1#any", "--mode", "direct", "--no-record", "--events", "-",
         "--working-folder", folder],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
    pipe = os.open(silence, os.O_WRONLY)
    over = threading.Event()

    def feed():
        due = time.perf_counter()
        while not over.is_set():
            try:
                os.write(pipe, bytes(640))
            except BrokenPipeError:  # the session is over
                return
            due += 0.02
            time.sleep(max(0, due - time.perf_counter()))

    threading.Thread(target=feed, daemon=True).start()
    steps, found = (json.loads(line) for line in process.stdout), []
    for step in steps:
        report = step.get("event", {}).get("speechEngineReported", {})
        if "voice" in json.dumps(report) and "ready" in json.dumps(report).lower():
            break
    for text in ANSWERS * options.rounds:
        Agent.answers.append(text)
        Agent.pace = options.pace / 1000
        process.stdin.write("say go on\n")
        answer, texts, playing, ended = {"text": text, "first": None, "pieces": []}, {}, set(), False
        for step in steps:
            event, now = step.get("event", {}), step.get("time", 0) / 1000
            kind = event.get("agentReported", {}).get("event", {})
            if "text" in kind and answer["first"] is None:
                answer["first"] = now
            ended = ended or "turnEnded" in kind
            for action in step.get("actions", []):
                if "speak" in action:
                    texts[action["speak"]["speech"]] = action["speak"]["text"]
                    playing.add(action["speak"]["speech"])
                if "play" in action:
                    speech, audio = action["play"]["speech"], action["play"]["audio"]
                    if not answer["pieces"] or answer["pieces"][-1]["speech"] != speech:
                        answer["pieces"].append({"speech": speech, "start": now, "milliseconds": 0, "text": texts[speech]})
                    answer["pieces"][-1]["milliseconds"] += audio["samples"] / 24
            playing.discard(event.get("playbackEnded", {}).get("speech"))
            if ended and not playing:
                break
        found.append(answer)
    process.stdin.write("quit\nquit\n")
    for _ in steps:
        pass
    process.wait(20)
    over.set()
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parley")
    arguments.add_argument("--pace", type=float, default=80)
    arguments.add_argument("--rounds", type=int, default=1)
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="parley-answers-") as folder:
        found = rounds(options.parley, folder, options)
    delays, gaps = [], []
    for answer in found:
        pieces, end, silences = answer["pieces"], None, []
        for piece in pieces:
            if end is not None:
                silences.append(max(0, piece["start"] - end))
            end = max(end or 0, piece["start"]) + piece["milliseconds"]
        delays.append(pieces[0]["start"] - answer["first"])
        gaps += silences[:1]
        if options.show:
            print(f"{delays[-1]:5.0f} ms  {' | '.join(piece['text'] for piece in pieces)}")
            print(f"          silences: {', '.join(f'{silence:.0f}' for silence in silences) or '-'}")
    print(f"first text to first sample: median {statistics.median(delays):.0f} ms, longest {max(delays):.0f} ms "
          f"({len(delays)} answers)")
    print(f"silence between the first piece and the second: median {statistics.median(gaps):.0f} ms, longest {max(gaps):.0f} ms "
          f"({sum(gap > 150 for gap in gaps)} of {len(gaps)} over 150 ms)")


if __name__ == "__main__":
    main()
