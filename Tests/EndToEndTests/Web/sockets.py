"""Clients of sockets, made with a library that is not ours.

Usage: sockets.py URL. Reads orders, a line each, and prints what happens, a line each:

  open NAME [PROTOCOL [ORIGIN]]   connects; prints `NAME open`, or `NAME refused STATUS`
  narrow NAME PROTOCOL   the same, with little room in the system for what has come and was not read
  status NAME PROTOCOL ORIGIN     asks for a socket by hand; prints `NAME status STATUS`
  send NAME TEXT         sends a text message
  pieces NAME TEXT       sends a text message, one frame for each character
  binary NAME TEXT       sends a binary message
  silent NAME COUNT      opens so many connections that never say anything; prints `NAME silent`
  close NAME             closes the connection
  abort NAME             ends it without a word
  mute NAME              neither reads nor answers pings from now on
  unmute NAME            reads on, and answers again

What comes is printed as `NAME < TEXT`, the end of a connection as `NAME closed CODE REASON`.
"""

import asyncio
import socket
import sys
import urllib.parse

import websockets


async def listen(name, socket):
    try:
        async for text in socket:
            print(name, "<", text, flush=True)
    except websockets.ConnectionClosedError:
        pass
    print(name, "closed", socket.close_code, socket.close_reason, flush=True)


async def status(url, protocol, origin):
    """The status of the answer to a request, which the library does not tell of all answers."""
    place = urllib.parse.urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    lines = [
        f"GET {place.path} HTTP/1.1", f"Host: {place.netloc}", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {protocol}", f"Origin: {origin}", "", "",
    ]
    writer.write("\r\n".join(lines).encode())
    line = await reader.readline()
    writer.close()
    return line.decode().split(" ")[1] if line else "none"


def narrow(url):
    """A connection for which the system keeps little that was not read, whatever comes."""
    place = urllib.parse.urlsplit(url)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((place.hostname, place.port))
    return connection


async def main(url):
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 22)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    sockets, tasks, silent = {}, [], []
    while line := await reader.readline():
        order, name, *rest = line.decode().rstrip("\n").split(" ", 2)
        if order in ("open", "narrow"):
            words = rest[0].split(" ") if rest else []
            names, origin = words[:1] or None, words[1] if len(words) > 1 else None
            try:
                sockets[name] = await websockets.connect(
                    url, subprotocols=names, origin=origin, ping_interval=None, max_size=None,
                    sock=narrow(url) if order == "narrow" else None,
                )
            except websockets.InvalidStatusCode as refusal:
                print(name, "refused", refusal.status_code, flush=True)
                continue
            except websockets.InvalidHandshake:
                print(name, "refused", flush=True)
                continue
            print(name, "open", sockets[name].subprotocol, flush=True)
            tasks.append(asyncio.create_task(listen(name, sockets[name])))
        elif order == "send":
            try:
                await sockets[name].send(" ".join(rest))
            except websockets.ConnectionClosed:
                # Its end is printed where it is heard.
                continue
        elif order == "status":
            print(name, "status", await status(url, *rest[0].split(" ")), flush=True)
        elif order == "pieces":
            await sockets[name].send(list(rest[0]))
        elif order == "binary":
            await sockets[name].send(rest[0].encode())
        elif order == "silent":
            place = urllib.parse.urlsplit(url)
            for _ in range(int(rest[0])):
                silent.append(await asyncio.open_connection(place.hostname, place.port))
            print(name, "silent", flush=True)
        elif order == "close":
            await sockets[name].close()
        elif order == "abort":
            sockets[name].transport.abort()
        elif order == "mute":
            sockets[name].transport.pause_reading()
        elif order == "unmute":
            sockets[name].transport.resume_reading()


asyncio.run(main(sys.argv[1]))
