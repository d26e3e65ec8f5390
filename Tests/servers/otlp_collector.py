"""A collector that takes OTLP traces over HTTP as JSON, on a port of the loopback interface that it prints first. Prints a
line for each request: its path, its content type, and its body. Refuses with 401 unless the token given is sent."""

import argparse
import http.server
import json
import threading

parser = argparse.ArgumentParser()
parser.add_argument("--token")
parser.add_argument("--reject", action="store_true", help="take the request, but reject its spans")
arguments = parser.parse_args()


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        print(json.dumps([self.path, self.headers["Content-Type"], body]), flush=True)
        right = arguments.token is None or self.headers["Authorization"] == f"Bearer {arguments.token}"
        answer = {"partialSuccess": {"rejectedSpans": "3", "errorMessage": "too old"} if arguments.reject else {}}
        self.send_response(200 if right and self.path == "/v1/traces" else 401)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
print(server.server_port, flush=True)
threading.Timer(120, server.shutdown).start()
server.serve_forever()
