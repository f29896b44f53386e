#!/usr/bin/env python3
"""A TCP proxy that changes bits on the way while it is told to.

Usage: flip.py SEED LISTEN-HOST HOST PORT

Says “listening ADDRESS”, and “flipped COUNT” after each connection that it has changed a bit of. Reads “flip”, “honest”
and “quit”. What it has begun to change goes on being changed, a bit in each portion, until it ends. Preambles are left
alone: whoever is not spoken to in the protocol at all waits a minute before it tries again.
"""
import random
import selectors
import socket
import sys

PREAMBLE_BYTES = 25


class Way:
    """One direction of a connection."""

    def __init__(self, source, sink, proxy):
        self.source, self.sink, self.proxy = source, sink, proxy
        self.seen = 0
        self.at = None
        self.other = None

    def arm(self, is_flipping):
        """Decides where the first bit is changed."""
        self.at = max(self.seen, PREAMBLE_BYTES) + self.proxy.random.randrange(150) if is_flipping else None

    def pass_on(self):
        try:
            portion = bytearray(self.source.recv(65536))
            if portion and self.at is not None and self.seen + len(portion) > self.at:
                place = max(self.at - self.seen, 0)
                portion[place] ^= 1 << self.proxy.random.randrange(8)
                self.proxy.tell(self)
            self.seen += len(portion)
            if portion:
                self.sink.sendall(portion)
                return
        except OSError:
            pass
        self.proxy.end(self)


class Proxy:
    def __init__(self, seed, host, target):
        self.random = random.Random(seed)
        self.target = target
        self.is_flipping = False
        self.ways = []
        self.told = set()
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server((host, 0))
        self.selector.register(self.listener, selectors.EVENT_READ, self.accept)
        self.selector.register(sys.stdin.buffer.raw, selectors.EVENT_READ, self.obey)
        print("listening %s:%d" % self.listener.getsockname(), flush=True)

    def accept(self):
        near, _ = self.listener.accept()
        try:
            far = socket.create_connection(self.target, timeout=10)
        except OSError:
            return near.close()
        far.settimeout(None)
        forth, back = Way(near, far, self), Way(far, near, self)
        forth.other, back.other = back, forth
        for way in (forth, back):
            way.arm(self.is_flipping)
            self.ways.append(way)
            self.selector.register(way.source, selectors.EVENT_READ, way.pass_on)

    def end(self, way):
        if way not in self.ways:
            return
        for each in (way, way.other):
            self.ways.remove(each)
            self.selector.unregister(each.source)
        for each in (way, way.other):
            each.source.close()

    def tell(self, way):
        if way not in self.told:
            self.told |= {way, way.other}
            print("flipped %d" % (len(self.told) // 2), flush=True)

    def obey(self):
        for line in sys.stdin.buffer.raw.read(65536).decode().split() or ["quit"]:
            if line == "quit":
                sys.exit()
            self.is_flipping = line == "flip"
            for way in self.ways:
                way.arm(self.is_flipping)

    def run(self):
        while True:
            for key, _ in self.selector.select():
                # Whatever came before it in this round may have ended it, and given its number to another.
                if self.selector.get_map().get(key.fd) is key:
                    key.data()


seed, host, target, port = sys.argv[1:]
Proxy(int(seed), host, (target, int(port))).run()
