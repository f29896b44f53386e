#!/usr/bin/env python3
"""Clients that nobody wants.

Usage: hostile.py flood|dribble HOST PORT COUNT HEX
       hostile.py answer HEX
       hostile.py hold

flood    COUNT connections that send as fast as they can: rubbish, or rubbish behind a preamble, HEX
dribble  COUNT connections that send a byte ten times a second, of the preamble first
answer   waits for connections and answers each with these bytes; says “listening PORT”, and “heard HEX” of each
hold     has a port, at which it does not listen, and nobody else can; says “holding PORT”

Who is thrown out comes back. Says “all here” once COUNT were connected, and goes on until a line comes; then says
how many connections and bytes there were.
"""
import random
import selectors
import socket
import sys
import time

RUBBISH = random.Random(1).randbytes(1 << 16)
# A length that frames may have, and rubbish behind it.
FRAMES = (b"\x04\x00" + RUBBISH[:1024]) * 32


class Client:
    def __init__(self, crowd, number):
        self.crowd, self.number = crowd, number
        self.sent = 0
        self.due = 0
        self.socket = socket.socket(socket.AF_INET6 if ":" in crowd.address[0] else socket.AF_INET)
        self.socket.setblocking(False)
        self.socket.connect_ex(crowd.address)
        crowd.selector.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def portion(self):
        """What it sends next."""
        preamble = self.crowd.preamble
        if self.crowd.is_flood:
            if self.number % 2 == 0:
                return RUBBISH
            return preamble[self.sent :] or FRAMES
        if self.due > time.monotonic():
            return b""
        self.due = time.monotonic() + 0.1
        return preamble[self.sent : self.sent + 1] or b"\0"

    def work(self, can_read, can_write):
        try:
            if can_read:
                if not self.socket.recv(65536):
                    raise ConnectionError
            if can_write:
                self.crowd.here.add(self.number)
                portion = self.portion()
                if portion:
                    count = self.socket.send(portion)
                    self.sent += count
                    self.crowd.bytes += count
        except BlockingIOError:
            pass
        except OSError:
            self.crowd.selector.unregister(self.socket)
            self.socket.close()
            self.crowd.ended.append((time.monotonic() + 0.05, self.number))


class Crowd:
    def __init__(self, is_flood, address, count, preamble):
        self.is_flood, self.address, self.count, self.preamble = is_flood, address, count, preamble
        self.selector = selectors.DefaultSelector()
        self.here, self.ended, self.bytes, self.connections = set(), [], 0, 0
        for number in range(count):
            self.begin(number)

    def begin(self, number):
        self.connections += 1
        Client(self, number)

    def run(self):
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)
        has_told = False
        while True:
            for key, mask in self.selector.select(0.05):
                if key.data is None:
                    return
                key.data.work(mask & selectors.EVENT_READ, mask & selectors.EVENT_WRITE)
            # Writable is what they nearly always are.
            time.sleep(0.002 if self.is_flood else 0.02)
            now = time.monotonic()
            due = [number for when, number in self.ended if when <= now]
            self.ended = [(when, number) for when, number in self.ended if when > now]
            for number in due:
                self.begin(number)
            if not has_told and len(self.here) == self.count:
                has_told = True
                print("all here", flush=True)


def answer(text):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print("listening %d" % listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            connection.sendall(text)
            print("heard %s" % connection.recv(4096).hex(), flush=True)
            connection.close()


def hold():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        print("holding %d" % holder.getsockname()[1], flush=True)
        while True:
            time.sleep(60)


what, *words = sys.argv[1:]
if what == "hold":
    hold()
if what == "answer":
    answer(bytes.fromhex(words[0]))
crowd = Crowd(what == "flood", (words[0], int(words[1])), int(words[2]), bytes.fromhex(words[3]))
crowd.run()
print("%d connections, %d bytes" % (crowd.connections, crowd.bytes), flush=True)
