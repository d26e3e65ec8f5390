#!/usr/bin/env python3
"""litellm's proxy, as it is published. Its model `mock` answers with a text of litellm's own; `slow` is a model that a server behind
the proxy serves, and writes for ten seconds. What becomes of an instruction is told to the log by litellm's own call-backs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from common import KEY, Log, arguments, listening

log = Log(arguments().log)
folder = Path(log.path).parent
MOCK = "A text of the proxy's own."


class Model(BaseHTTPRequestHandler):
    """The model behind the proxy: words for ten seconds."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        log.write("asked please be slow")
        how = "cut"
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for number in range(200):
                self.event({"content": f"word{number} "}, None)
                time.sleep(0.05)
            self.event({}, "stop")
            self.wfile.write(b"data: [DONE]\n\n")
            how = "done"
        except OSError:
            pass
        log.write("over " + how)

    def event(self, delta, finish):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "c", "created": 1, "model": "slow", "object": "chat.completion.chunk", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
model.daemon_threads = True
threading.Thread(target=model.serve_forever, daemon=True).start()

configuration = {
    "model_list": [
        {"model_name": "mock", "litellm_params": {"model": "openai/mock", "api_key": "none", "mock_response": MOCK}},
        {"model_name": "slow", "litellm_params": {
            "model": "openai/slow", "api_key": "none", "api_base": f"http://127.0.0.1:{model.server_address[1]}"}},
    ],
    "litellm_settings": {"callbacks": "litellm_journal.journal", "telemetry": False},
    "general_settings": {"master_key": KEY},
}
(folder / "litellm.yaml").write_text(json.dumps(configuration))
shutil.copy(Path(__file__).parent / "litellm_journal.py", folder)

listener, port = listening()
listener.close()
proxy = subprocess.Popen(
    [str(Path(sys.executable).parent / "litellm"), "--config", str(folder / "litellm.yaml"), "--host", "127.0.0.1",
     "--port", str(port)],
    stdout=subprocess.DEVNULL, stderr=open(folder / "litellm.errors", "w"),
    env={**os.environ, "JOURNAL": log.path, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "127.0.0.1"})


def end(*_):
    # No waiting here: what waits for it below is what was interrupted.
    proxy.kill()
    os._exit(0)


signal.signal(signal.SIGTERM, end)
while proxy.poll() is None:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5).read()
        print(port, flush=True)
        break
    except OSError:
        time.sleep(0.1)
proxy.wait()
