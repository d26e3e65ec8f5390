#!/usr/bin/env python3
"""An MCP server on standard input and output, for agents under test. Two tools:

  note PATH   write "Written by the model." into the file
  ask PATH    ask the user for a colour and a count by an elicitation, and write what came of it into the file
"""

import json
import sys

WORDS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FORM = {"type": "object", "required": ["colour"], "properties": {
    "colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
    "count": {"type": "integer", "title": "How many"}}}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(identifier, name, path):
    words = "Written by the model.\n"
    if name == "ask":
        parameters = {"message": "What shall it be?", "requestedSchema": FORM}
        send(id="elicitation", method="elicitation/create", params=parameters)
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("id") == "elicitation":
                words = json.dumps(message.get("result") or message.get("error"), sort_keys=True) + "\n"
                break
    with open(path, "w") as file:
        file.write(words)
    send(id=identifier, result={"content": [{"type": "text", "text": "It is noted."}]})


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method, identifier, parameters = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            send(id=identifier, result={
                "protocolVersion": parameters.get("protocolVersion"), "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1"}})
        elif method == "tools/list":
            send(id=identifier, result={"tools": [
                {"name": name, "description": name, "inputSchema": WORDS} for name in ("note", "ask")]})
        elif method == "tools/call":
            call(identifier, parameters["name"], parameters["arguments"]["path"])
        elif identifier is not None:
            send(id=identifier, result={})


main()
