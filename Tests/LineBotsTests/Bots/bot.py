#!/usr/bin/env python3
"""A line bot for tests: plays the first legal move, and goes wrong as its first argument says.

A number after it says at which `go` of the process it does so, from 1; without one at each. `pure` declares itself
recomputable; what it says and does otherwise is in its environment, so that the log calls it the same.
"""

import json
import os
import signal
import sys
import time
import zlib

fault = sys.argv[1] if len(sys.argv) > 1 else "none"
wrong_at = int(sys.argv[2]) if len(sys.argv) > 2 else 0
told = open(sys.argv[3], "a") if len(sys.argv) > 3 else None
asked = 0


def say(**members):
    print(json.dumps(members), flush=True)


def go(message):
    """Answers `go`; goes wrong where it is to."""
    global asked
    asked += 1
    move = message["moves"][0]
    here = fault if wrong_at in (0, asked) else "none"
    if fault == "pure":
        here = os.environ.get("DOES", "pure")
    if here == "slow":
        print("thinking for ever", file=sys.stderr, flush=True)
        signal.pause()
    elif here == "clockless" and message["milliseconds"] < 1_000:
        signal.pause()
    elif here == "rubbish":
        print("my move is the first one", flush=True)
    elif here == "array":
        print("[" * 50_000, flush=True)
    elif here == "member":
        say(type="move", move=move["text"], mvoe="1")
    elif here == "flood":
        os.write(1, b"x" * 70_000)
        signal.pause()
    elif here == "endless":
        while True:
            os.write(1, b"x" * 65_536)
    elif here == "twice":
        os.write(1, (json.dumps({"type": "move", "move": move["text"]}) + "\n").encode() * 2)
    elif here == "illegal":
        say(type="move", move="no such move")
    elif here == "resigns":
        say(type="resign")
    elif here == "dies":
        print("Traceback: there is no hope", file=sys.stderr, flush=True)
        os._exit(3)
    elif here == "escapes":
        print("\x1b[2J\x1b]0;owned\x07", file=sys.stderr, flush=True)
        print("\x1b[31mred", flush=True)
    elif here == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif here == "closes":
        os.close(1)
        signal.pause()
    elif here == "memory":
        b"x" * (1 << 30)
    elif here == "errors":
        # More than a pipe holds: somebody has to read it.
        os.write(2, b"e" * 300_000 + b"the end\n")
        say(type="move", move=move["text"])
    elif here == "place":
        # Where it runs and what it was told there, for whoever reads standard error.
        print(os.getcwd(), os.environ.get("COLOUR"), os.environ.get("HOME"), file=sys.stderr, flush=True)
        os._exit(3)
    elif here == "code":
        say(type="move", code=move["code"], note={"value": -3, "proven": True, "nodes": 12})
    elif here == "pure":
        # By all that it is told but the time.
        seen = json.dumps({**message, "milliseconds": 0}, sort_keys=True)
        say(type="move", move=message["moves"][zlib.crc32(seen.encode()) % len(message["moves"])]["text"])
    elif here == "hurries":
        # By the time that it has.
        say(type="move", move=message["moves"][0 if message["milliseconds"] > 40_000 else -1]["text"])
    elif here == "exceeds":
        say(type="move", move=move["text"], note={"value": 0, "nodes": 501})
    elif here == "counts":
        # By what this process was asked before.
        say(type="move", move=message["moves"][asked % len(message["moves"])]["text"])
    else:
        say(type="move", move=move["text"])


if fault == "deaf":
    signal.pause()
if fault == "exits":
    sys.exit("I do not want to")
if fault == "early":
    os.write(1, b'{"type":"hello"}\n{"type":"move","move":"1"}\n')
for line in sys.stdin:
    message = json.loads(line)
    if told:
        print(line, end="", file=told, flush=True)
    if message["type"] == "hello":
        if fault == "stays" and told:
            child = os.fork()
            while child == 0:
                signal.pause()
            print(f"processes {os.getpid()} {child}", file=told, flush=True)
        if fault == "other":
            say(type="hello", games=["chess"])
        elif fault == "wants":
            say(type="hello", wants=["moves", "beer"])
        elif fault == "able":
            say(type="hello", version=7, nodes=500, wants=["moves"], games=["tic-tac-toe", "othello"])
        elif fault == "pure":
            declared = {"version": 7, "nodes": 500, "recomputable": True}
            say(type="hello", **{**declared, **json.loads(os.environ.get("SAYS", "{}"))})
        else:
            say(type="hello")
    elif message["type"] == "result" and fault == "leaves":
        os._exit(4)
    elif message["type"] == "result" and fault == "chats":
        print("good game", flush=True)
    elif message["type"] == "go":
        go(message)
    elif message["type"] == "quit":
        while fault == "stays":
            signal.pause()
        break
