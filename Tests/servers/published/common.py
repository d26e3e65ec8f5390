"""What the published servers under test have in common: what they are asked, what they answer, and their log.

A server prints its port on the first line of standard output and serves 127.0.0.1. It takes the key that the variable SERVER_KEY
names. Into the file that `--log` names it writes `asked WORDS` when the model is asked something, `over done` or `over cut` when
that answer ends, and `wrote` when the tool was run.
"""

import argparse
import asyncio
import os
import socket

import uvicorn

KEY = os.environ.get("SERVER_KEY", "right")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    return parser.parse_args()


class Log:
    def __init__(self, path):
        self.path = path

    def write(self, words):
        with open(self.path, "a") as file:
            file.write(words + "\n")


async def answer(log, words):
    """The pieces of an answer: ten seconds of them for "please be slow", otherwise the words said back."""
    log.write("asked " + words)
    how = "cut"
    try:
        if "please be slow" in words:
            for number in range(200):
                yield f"word{number} "
                await asyncio.sleep(0.05)
        else:
            for word in ("You said: " + words).split(" "):
                yield word + " "
        how = "done"
    finally:
        log.write("over " + how)


def only_with_the_key(application):
    """The application for who has the key; 401 for everybody else."""

    async def call(scope, receive, send):
        headers = dict(scope.get("headers", []))
        if scope["type"] == "http" and headers.get(b"authorization") != b"Bearer " + KEY.encode():
            start = {"type": "http.response.start", "status": 401, "headers": [(b"content-type", b"application/json")]}
            await send(start)
            return await send({"type": "http.response.body", "body": b'{"detail": "Invalid token"}'})
        await application(scope, receive, send)

    return call


def listening():
    """A socket of a port that was free, and the port."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    return listener, listener.getsockname()[1]


def serve(application, listener, port):
    server = uvicorn.Server(uvicorn.Config(only_with_the_key(application), log_level="error"))

    async def run():
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        print(port, flush=True)
        await serving

    asyncio.run(run())
