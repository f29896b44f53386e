#!/usr/bin/env python3
"""Writes bundles whose runs (Docs/PROTOCOL.md §3.1) are as long as they may be, and longer.

    runs.py FOLDER

Prints one JSON object for each: its path, whether it is good, and the id of the event that is bad first.
"""
import json
import random
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
from strange import ZERO, Entry, Peer, bundle, content, create  # noqa: E402


class Feed:
    """A room in which its creator alone chats, signing where told."""

    def __init__(self, name):
        self.peer = Peer(name)
        nonce = random.Random(name).randbytes(16)
        self.events = [Entry(self.peer, "create", ZERO, None, [], create(nonce, content()))]
        self.create = self.events[0]

    def chat(self, previous, size=1, is_signed=False):
        """A chat of some bytes, after an event of the feed."""
        payload = size.to_bytes(2, "big") + b"x" * size
        self.events.append(Entry(self.peer, "chat", self.create.id, previous, [], payload, is_signed))
        return self.events[-1]

    def chats(self, previous, count, size=1):
        """Chats of which the last one is signed."""
        for number in range(count):
            previous = self.chat(previous, size, number == count - 1)
        return previous


def events_in_a_run(count):
    feed = Feed(b"events%d" % count)
    feed.chats(feed.chats(feed.create, 3), count)
    return feed


def bytes_in_a_run(total):
    """A run of exactly so many bytes: chats of 512 bytes and one for what is left."""
    feed = Feed(b"bytes%d" % total)
    last = feed.chats(feed.create, 3)
    empty = len(last.body) - 1
    whole, left = divmod(total - 2 * (empty + 1), empty + 512)
    for _ in range(whole - 1):
        last = feed.chat(last, 512)
    left += empty + 512
    for size in (left // 2 - empty, left - left // 2 - empty):
        last = feed.chat(last, size)
    last = feed.chat(last, 1)
    feed.chat(last, 1, True)
    return feed


def branches(shared, first, second):
    """An unsigned stretch that two branches share, each signed at its end."""
    feed = Feed(b"branches%d" % first)
    last = feed.create
    for _ in range(shared):
        last = feed.chat(last)
    feed.chats(last, first)
    feed.chats(last, second, size=2)
    return feed


def main(folder):
    cases = [
        ("events-256", events_in_a_run(256), None), ("events-257", events_in_a_run(257), 260),
        ("bytes-65536", bytes_in_a_run(65_536), None), ("bytes-65537", bytes_in_a_run(65_537), -1),
        ("branches-100-150", branches(100, 150, 150), None), ("branches-10-257", branches(10, 257, 1), 267),
        ("shared-257", branches(257, 1, 1), 257),
    ]
    for name, feed, bad in cases:
        path = f"{folder}/{name}.parlor"
        with open(path, "wb") as file:
            file.write(bundle(feed.create.id, feed.events))
        event = None if bad is None else feed.events[bad].id.hex()
        print(json.dumps({"path": path, "good": bad is None, "event": event}))


if __name__ == "__main__":
    main(*sys.argv[1:])
