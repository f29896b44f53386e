"""Plays the transcripts of a document against a server, with a library that is not ours.

Usage: transcripts.py URL TOKEN CUP DOCUMENT. TOKEN is the owner's, and CUP the code of a tournament. A transcript is a
block that is marked `parlor.1`:

  A> {…}      client A sends this
  A< {…}      client A gets this
  A closes    client A closes its socket

A word of capital letters stands for a text that the server has chosen: it is bound where it is met first, and the
same afterwards. An ellipsis in an object stands for other members. What is pushed and comes before what is shown is
left out.
Ends with status 1 and words at the first message that is another one.
"""

import asyncio
import json
import os
import re
import sys

import websockets

WORD = re.compile(r"[A-Z]+(_[A-Z]+)*")
LIMIT_PUSHED = 200


def matches(shown, got, bound):
    """Whether a message is as shown; binds words."""
    if isinstance(shown, dict):
        names = [name for name in shown if name != "…"]
        return (
            isinstance(got, dict)
            and (len(names) < len(shown) or set(names) == set(got))
            and all(name in got and matches(shown[name], got[name], bound) for name in names)
        )
    if isinstance(shown, list):
        return (
            isinstance(got, list)
            and len(shown) == len(got)
            and all(matches(one, other, bound) for one, other in zip(shown, got))
        )
    if isinstance(shown, str) and WORD.fullmatch(shown):
        if shown not in bound:
            bound[shown] = got
        return isinstance(got, str) and bound[shown] == got
    if isinstance(shown, str):
        return fill(shown, bound) == got
    return type(shown) is type(got) and shown == got


def fill(text, bound):
    return WORD.sub(lambda word: bound.get(word[0], word[0]), text)


def fail(words):
    """Ends at once, without waiting for connections to close."""
    print(words, file=sys.stderr, flush=True)
    os._exit(1)


async def receive(socket, shown, bound):
    seen = []
    for _ in range(LIMIT_PUSHED):
        text = await asyncio.wait_for(socket.recv(), 300)
        got, trial = json.loads(text), dict(bound)
        if matches(shown, got, trial):
            bound.update(trial)
            return None
        seen.append(text[:2000])
        if got["type"] in ("done", "error"):
            break
    return "\n".join(seen)


async def play(url, bound, lines):
    sockets = {}
    for line in lines:
        client, rest = line[0], line[1:]
        if client not in sockets:
            sockets[client] = await websockets.connect(url, subprotocols=["parlor.1"])
        socket = sockets[client]
        if rest.startswith("> "):
            await socket.send(fill(rest[2:], bound))
        elif rest.startswith("< "):
            shown = json.loads(re.sub(r"…(?=[}])", '"…":0', rest[2:]))
            wrong = await receive(socket, shown, bound)
            if wrong is not None:
                fail(f"this was shown:\n{line}\nand this came:\n{wrong}")
        elif rest == " closes":
            await socket.close()
        else:
            fail(f"a transcript has no such line: {line}")
    for socket in sockets.values():
        await socket.close()


async def main(url, token, cup, document):
    with open(document, encoding="utf-8") as file:
        blocks = re.findall(r"^```parlor\.1\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        lines = block.splitlines()
        await play(url, {"TOKEN": token, "CUP": cup}, lines)
        print("played", len(lines), "lines", flush=True)


asyncio.run(main(*sys.argv[1:]))
