"""Many sockets that watch one game, with a library that is not ours.

Usage: crowd.py URL COUNT. Two guests play tic-tac-toe, and COUNT sockets look on; each move must come to all of them.
Prints what each of them has seen of every move, as `seen PLIES COUNT`.
"""

import asyncio
import json
import os
import sys

import websockets


async def receive(socket, holds):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 600))
        if message["type"] == "error":
            sys.exit(message["words"])
        if holds(message):
            return message


def is_at(plies):
    return lambda message: message["type"] == "table" and len(message["table"]["plies"]) >= plies


async def main(url, count):
    async def connect(*requests):
        socket = await websockets.connect(url, subprotocols=["parlor.1"], ping_interval=None)
        for request in requests:
            await socket.send(json.dumps({"id": 1, **request}))
        return socket

    first = await connect({"type": "hello"}, {"type": "host", "game": "tic-tac-toe", "seat": "first"})
    code = (await receive(first, lambda message: "code" in message))["code"]
    second = await connect({"type": "hello"}, {"type": "join", "room": code})
    watchers = []
    for _ in range(count):
        watchers.append(await connect({"type": "watch", "room": code}))
        await receive(watchers[-1], is_at(0))
    players = [first, second]
    for player in players:
        await receive(player, lambda message: message.get("table", {}).get("phase") == "playing")
    for ply, move in enumerate("15263"):
        request = {"type": "choose", "id": 2, "room": code, "move": move, "plies": ply}
        await players[ply % 2].send(json.dumps(request))
        await receive(players[1 - ply % 2], is_at(ply + 1))
        await asyncio.gather(*(receive(watcher, is_at(ply + 1)) for watcher in watchers))
        print("seen", ply + 1, len(watchers), flush=True)
    # Without waiting for connections to close.
    os._exit(0)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
