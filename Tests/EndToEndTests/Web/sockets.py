"""Clients of the sub-protocol tictactoe, made with a library that is not ours.

Usage: sockets.py URL. Reads orders, a line each, and prints what happens, a line each:

  open NAME [PROTOCOL]   connects; prints `NAME open`, or `NAME refused STATUS`
  send NAME TEXT         sends a text message
  close NAME             closes the connection
  abort NAME             ends it without a word
  mute NAME              neither reads nor answers pings from now on

What comes is printed as `NAME < TEXT`, the end of a connection as `NAME closed CODE REASON`.
"""

import asyncio
import sys

import websockets


async def listen(name, socket):
    try:
        async for text in socket:
            print(name, "<", text, flush=True)
    except websockets.ConnectionClosedError:
        pass
    print(name, "closed", socket.close_code, socket.close_reason, flush=True)


async def main(url):
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    sockets, tasks = {}, []
    while line := await reader.readline():
        order, name, *rest = line.decode().rstrip("\n").split(" ", 2)
        if order == "open":
            names = [rest[0]] if rest else None
            try:
                sockets[name] = await websockets.connect(url, subprotocols=names, ping_interval=None)
            except websockets.InvalidStatusCode as refusal:
                print(name, "refused", refusal.status_code, flush=True)
                continue
            except websockets.InvalidHandshake:
                print(name, "refused", flush=True)
                continue
            print(name, "open", sockets[name].subprotocol, flush=True)
            tasks.append(asyncio.create_task(listen(name, sockets[name])))
        elif order == "send":
            await sockets[name].send(" ".join(rest))
        elif order == "close":
            await sockets[name].close()
        elif order == "abort":
            sockets[name].transport.abort()
        elif order == "mute":
            sockets[name].transport.pause_reading()


asyncio.run(main(sys.argv[1]))
