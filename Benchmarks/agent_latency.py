#!/usr/bin/env python3
"""Measure what an HTTP agent adds to a piece of text on its way from the server to the session. Standard library only.

Serves a chat-completions stream whose pieces say when they were written, and runs AgentLatency against it, which reads the
stream as an agent and, for the floor, from a bare socket. Usage: agent_latency.py AGENT_LATENCY [--pieces N]
"""
import argparse, json, socket, subprocess, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--pieces", type=int, default=1000)
ARGUMENTS = parser.parse_args()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.flush()
        for _ in range(ARGUMENTS.pieces):
            time.sleep(0.003)
            written = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            self.wfile.write(b'data: {"choices": [{"delta": {"content": "%d"}}]}\n\n' % written)
        self.wfile.write(b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n')


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
subprocess.run([ARGUMENTS.program, str(server.server_port)], check=True)
