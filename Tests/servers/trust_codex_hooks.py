#!/usr/bin/env python3
"""Have Codex run the hooks of a home's .codex/hooks.json, as a person does who looked at them and trusts them: in its
configuration stands what each of them was when that was said.

  trust_codex_hooks.py AGENT HOME
"""

import json
import os
import subprocess
import sys


def hooks(agent, home):
    """The hooks that Codex knows of."""
    server = subprocess.Popen([agent, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, "HOME": home, "OPENAI_API_KEY": "none"}, text=True)
    client = {"name": "test", "version": "1"}
    for message in ({"id": 1, "method": "initialize", "params": {"clientInfo": client}}, {"method": "initialized"},
                    {"id": 2, "method": "hooks/list", "params": {"cwds": [home]}}):
        print(json.dumps(message), file=server.stdin, flush=True)
    try:
        for line in server.stdout:
            message = json.loads(line)
            if message.get("id") == 2:
                return message["result"]["data"][0]["hooks"]
        return []
    finally:
        server.kill()
        server.wait()


def main():
    agent, home = sys.argv[1:]
    with open(home + "/.codex/config.toml", "a") as file:
        for hook in hooks(agent, home):
            print(f'\n[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"', file=file)


main()
