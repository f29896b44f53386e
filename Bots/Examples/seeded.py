#!/usr/bin/env python3
"""A line bot in Python: plays the legal move that the seed of its turn names. Docs/LINE-PROTOCOL.md is the protocol."""

import json
import sys


def answer(**members):
    print(json.dumps(members), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer(type="hello", version=1, wants=["moves"], nodes=1, recomputable=True)
    elif message["type"] == "go":
        moves = message["moves"]
        answer(type="move", move=moves[message["seed"] % len(moves)]["text"])
    elif message["type"] == "quit":
        break
