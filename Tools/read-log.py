#!/usr/bin/env python3
"""Checks Parlor's bundle files without any of Parlor's code.

Written from Docs/PROTOCOL.md alone; section numbers below are of that page. Hashes are Python's own BLAKE2b,
signatures are checked by PyNaCl (Debian: python3-nacl). `read-log.py --help` says how to call it.
"""
import argparse
import hashlib
import json
import os
import re
import struct
import sys

try:
    from nacl.bindings import crypto_sign_open
    from nacl.exceptions import BadSignatureError, CryptoError
except ImportError:
    sys.exit("read-log.py: this Python has no module `nacl`. On Debian: apt-get install python3-nacl, and run\n"
             "/usr/bin/python3 Tools/read-log.py …; elsewhere: python3 -m pip install pynacl")

EX_USAGE, EX_NOINPUT = 64, 66
ZERO = bytes(32)
MAXIMAL_BUNDLE_BYTES = 256 << 20
MAXIMAL_EVENTS = 1_000_000
RUN_EVENTS, RUN_BYTES, EVENT_BYTES = 256, 65_536, 8_192
# Causal pasts are kept as one number for each event and chain; a room that needs more is not replayed.
MAXIMAL_CLOCK_ENTRIES = 8_000_000

KINDS = {
    1: "create", 2: "request", 3: "grant", 4: "ready", 5: "draw", 6: "start", 7: "move", 8: "commit", 9: "reveal",
    10: "resign", 11: "undo-request", 12: "undo-accept", 13: "result", 14: "leave", 15: "claim", 16: "ruling",
    17: "chat", 18: "pairing-result",
}


def blake2b(*parts, key=b""):
    """BLAKE2b-256 of the parts one after the other."""
    return hashlib.blake2b(b"".join(parts), digest_size=32, key=key).digest()


STANDARD_NETWORK = blake2b(b"parlor-network-1")


class Bad(Exception):
    """What is wrong with a bundle, and the event at which it shows."""

    def __init__(self, reason, event=None):
        super().__init__(reason)
        self.reason = reason
        self.event = event


# MARK: Canonical form (§3, §4)

class Malformed(Exception):
    """Why bytes are not an event's canonical form."""


class Source:
    """Bytes that are taken from the front."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def take(self, size):
        end = self.at + size
        if end > len(self.data):
            raise Malformed(f"the bytes end inside the field at offset {self.at}")
        part = self.data[self.at:end]
        self.at = end
        return part

    def number(self, size):
        return int.from_bytes(self.take(size), "big")


class Number:
    """An unsigned big-endian number within bounds, or one of the values that are also allowed."""

    def __init__(self, size, low=0, high=None, also=()):
        self.size, self.low, self.also = size, low, also
        self.high = (1 << 8 * size) - 1 if high is None else high

    def read(self, source, fields):
        value = source.number(self.size)
        if not self.low <= value <= self.high and value not in self.also:
            raise Malformed(f"the number {value} at offset {source.at - self.size} is not allowed")
        return value

    def write(self, value, fields):
        return value.to_bytes(self.size, "big")


class Bytes:
    """A fixed number of bytes."""

    def __init__(self, size):
        self.size = size

    def read(self, source, fields):
        return source.take(self.size)

    def write(self, value, fields):
        return value


class Text:
    """UTF-8 behind its length, with bounds in bytes and, where one is given, a pattern of its whole."""

    def __init__(self, size, low, high, pattern=None):
        self.size, self.low, self.high = size, low, high
        self.pattern = pattern and re.compile(pattern)

    def read(self, source, fields):
        length = source.number(self.size)
        if not self.low <= length <= self.high:
            raise Malformed(f"the text's length {length} at offset {source.at - self.size} is not allowed")
        start = source.at
        try:
            text = source.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed(f"the text at offset {start} is not valid UTF-8") from None
        if self.pattern and not self.pattern.fullmatch(text):
            raise Malformed(f"the text at offset {start} has letters that are not allowed")
        return text

    def write(self, value, fields):
        data = value.encode("utf-8")
        return len(data).to_bytes(self.size, "big") + data


class Scores:
    """Signed 32-bit numbers behind their count; each item has `width` of them."""

    def __init__(self, count_size, low, high, width=1):
        self.count_size, self.low, self.high, self.width = count_size, low, high, width

    def read(self, source, fields):
        count = source.number(self.count_size)
        if not self.low <= count <= self.high:
            raise Malformed(f"the count {count} at offset {source.at - self.count_size} is not allowed")
        data = source.take(4 * self.width * count)
        return list(struct.unpack(f">{self.width * count}i", data))

    def write(self, value, fields):
        count = len(value) // self.width
        return count.to_bytes(self.count_size, "big") + struct.pack(f">{len(value)}i", *value)


class Optional:
    """A flag, and behind 1 the fields of a schema."""

    def __init__(self, schema):
        self.schema = schema

    def read(self, source, fields):
        return read_fields(source, self.schema) if U1.read(source, fields) else None

    def write(self, value, fields):
        return b"\0" if value is None else b"\1" + write_fields(value, self.schema)


class Fields:
    """The fields of a schema, chosen by those before it."""

    def __init__(self, choose):
        self.choose = choose

    def read(self, source, fields):
        return read_fields(source, self.choose(fields))

    def write(self, value, fields):
        return write_fields(value, self.choose(fields))


class Signed:
    """A signed 32-bit number."""

    def read(self, source, fields):
        return int.from_bytes(source.take(4), "big", signed=True)

    def write(self, value, fields):
        return value.to_bytes(4, "big", signed=True)


def read_fields(source, schema):
    fields = {}
    for name, form in schema:
        fields[name] = form.read(source, fields)
    return fields


def write_fields(fields, schema):
    return b"".join(form.write(fields[name], fields) for name, form in schema)


U1, U8, U16, U32, U64 = Number(1, 0, 1), Number(1), Number(2), Number(4), Number(8)
HASH = Bytes(32)
BOT = [("specification", Text(1, 1, 64)), ("version", U16), ("budget", U64), ("seed", U64)]
PROFILE = [("name", Text(1, 0, 64)), ("emoji", Text(1, 0, 32)), ("bot", Optional(BOT))]
GAME_ROOM = [("tournament", HASH), ("pairing", U32), ("attempt", U8)]
TOURNAMENT_ROOM = [
    ("format", Number(1, 1, 2)), ("deciders", Number(1, 0, 16)), ("seed", U64), ("title", Text(1, 0, 64)),
]


class CreatorSeat(Number):
    """A seat of the room, or 255."""

    def __init__(self):
        super().__init__(1)

    def read(self, source, fields):
        seat = super().read(source, fields)
        if seat != 255 and seat >= fields["seats"]:
            raise Malformed(f"the creator's seat {seat} is none of {fields['seats']}")
        return seat


SCHEMAS = {
    "create": [
        ("room kind", Number(1, 1, 2)), ("scope", Number(1, 1, 3)), ("nonce", Bytes(16)),
        ("rules", Text(1, 1, 32, "[a-z-]+")), ("rules version", U16), ("parameters", Text(2, 0, 512)),
        ("games", Number(2, 1, 256)), ("seats", Number(1, 1, 64)), ("starter", U1), ("take-backs", U1),
        ("limit", U32), ("referee", HASH), ("rematch of", HASH), ("creator's seat", CreatorSeat()),
        ("profile", Fields(lambda _: PROFILE)),
        ("more", Fields(lambda fields: GAME_ROOM if fields["room kind"] == 1 else TOURNAMENT_ROOM)),
    ],
    "request": [("seat", U8), ("profile", Fields(lambda _: PROFILE))],
    "grant": [("request", HASH), ("seat", U8)],
    "ready": [("roster", HASH), ("commitment", HASH)],
    "draw": [("nonce", HASH)],
    "start": [("roster", HASH)],
    "move": [
        ("game", U16), ("ply", U16), ("node", HASH), ("code", U32),
        ("note", Optional([("value", Signed()), ("proven", U1), ("nodes", U64)])),
    ],
    "commit": [("game", U16), ("round", U16), ("node", HASH), ("commitment", HASH)],
    "reveal": [("game", U16), ("round", U16), ("commit", HASH), ("choice", U32), ("salt", HASH)],
    "resign": [("node", HASH)],
    "undo-request": [("node", HASH), ("ply", U16)],
    "undo-accept": [("request", HASH)],
    "result": [("game", U16), ("node", HASH), ("scores", Scores(1, 1, 64))],
    "leave": [("node", HASH)],
    "claim": [("node", HASH), ("silent", U8)],
    "ruling": [("claim", HASH)],
    "chat": [("text", Text(2, 1, 512))],
    "pairing-result": [
        ("pairing", U32), ("attempt", U8), ("room", HASH), ("heads", HASH), ("walkover", Number(1, 0, 3)),
        ("games", Scores(2, 0, 256, width=2)),
    ],
}

HEADER = struct.Struct(">BB32s32sQ32sQB")


class Event:
    """One event: its fields, its bytes, and where in the bundle it stands (from 1)."""

    __slots__ = (
        "kind", "room_field", "author", "sequence", "previous", "wall", "parents", "payload", "body", "id",
        "position", "signed", "run_events", "run_bytes", "chain", "depth", "clock", "verdict")

    @staticmethod
    def decode(body):
        """Reads a body; refuses whatever is not the one way to write this event."""
        if len(body) > EVENT_BYTES:
            raise Malformed(f"{len(body)} bytes are more than {EVENT_BYTES}")
        source = Source(body)
        self = Event()
        version, kind, self.room_field, self.author, self.sequence, self.previous, self.wall, count = \
            HEADER.unpack(source.take(HEADER.size))
        if version != 1:
            raise Malformed(f"version {version}")
        if kind not in KINDS:
            raise Malformed(f"there is no kind {kind}")
        if count > 32:
            raise Malformed(f"{count} parents")
        self.kind = KINDS[kind]
        parents = source.take(32 * count)
        self.parents = [parents[place:place + 32] for place in range(0, 32 * count, 32)]
        self.check_header()
        length = source.number(2)
        if source.at + length != len(body):
            raise Malformed(f"a payload of {length} bytes, where {len(body) - source.at} follow")
        self.payload = read_fields(source, SCHEMAS[self.kind])
        if source.at != len(body):
            raise Malformed(f"there are bytes after the payload, from offset {source.at}")
        self.check_payload()
        if self.encode(kind) != body:
            raise Malformed("it is not written in its one canonical form")
        self.body = body
        return self

    def check_header(self):
        if not 1 <= self.sequence < 1 << 63:
            raise Malformed(f"sequence {self.sequence}")
        if (self.sequence == 1) != (self.previous == ZERO):
            raise Malformed("only the first event of a feed has no previous")
        if (self.kind == "create") != (self.room_field == ZERO):
            raise Malformed("only a create has no room")
        if self.kind == "create" and (self.parents or self.sequence != 1):
            raise Malformed("a create is the first of its feed and has no parents")
        last = ZERO
        for parent in self.parents:
            if parent <= last or parent == self.previous:
                raise Malformed("parents must ascend, differ from the previous and not be zero")
            last = parent

    def check_payload(self):
        if self.kind != "create" or self.payload["room kind"] != 1:
            return
        more = self.payload["more"]
        if more["tournament"] == ZERO and (more["pairing"] or more["attempt"]):
            raise Malformed("a pairing without a tournament")

    def encode(self, kind):
        payload = write_fields(self.payload, SCHEMAS[self.kind])
        header = HEADER.pack(
            1, kind, self.room_field, self.author, self.sequence, self.previous, self.wall, len(self.parents))
        return b"".join([header, *self.parents, len(payload).to_bytes(2, "big"), payload])

    @property
    def order(self):
        """What decides which of several possible events a bundle has first."""
        return (self.author, self.sequence, self.id)


# MARK: Bundles (§3.1, §6)

class Bundle:
    """One bundle's events, all of whose bytes, ids, links, signatures and order have been checked."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.events = []
        self.by_id = {}
        self.network = self.room = None
        self.signature_count = 0

    def take(self, size):
        end = self.at + size
        if end > len(self.data):
            raise Bad(f"the bundle ends too early, at byte {len(self.data)}")
        part = self.data[self.at:end]
        self.at = end
        return part

    def number(self, size):
        return int.from_bytes(self.take(size), "big")

    def read(self):
        """Checks everything that does not depend on a game; raises `Bad` at the first fault."""
        if self.data[:8] != b"PARLORB1":
            raise Bad("this is not a Parlor bundle")
        self.at = 8
        self.network = self.take(32)
        if self.network != STANDARD_NETWORK:
            raise Bad(f"the bundle belongs to another network, {self.network.hex()}")
        self.room = self.take(32)
        head_count, event_count, signature_count = self.number(4), self.number(8), self.number(8)
        self.check_counts(head_count, event_count, signature_count)
        heads = self.read_heads(head_count)
        self.read_records(event_count, signature_count)
        self.check_coverage()
        if self.signature_count != signature_count:
            raise Bad(f"the bundle announces {signature_count} signatures and has {self.signature_count}")
        self.check_heads(heads)
        end = self.at
        if self.take(32) != blake2b(b"parlor-bundle-1", self.data[:end]):
            raise Bad("the bundle's bytes were changed: its digest is another")
        if self.at != len(self.data):
            raise Bad(f"there are bytes after the bundle's end, from byte {self.at}")

    @staticmethod
    def check_counts(heads, events, signatures):
        if not (heads and events and signatures):
            raise Bad("one of the bundle's counts is zero")
        if heads > 65_536 or events > 4_294_967_295:
            raise Bad(f"{heads} heads and {events} events are more than a bundle may have")
        if events > MAXIMAL_EVENTS:
            raise Bad(f"{events} events are more than this reader takes")
        if signatures > events or heads > signatures:
            raise Bad(f"{heads} heads, {events} events and {signatures} signatures cannot belong together")

    def read_heads(self, count):
        heads = []
        for _ in range(count):
            author, sequence, head = self.take(32), self.number(8), self.take(32)
            if heads and (author, head) <= (heads[-1][0], heads[-1][2]):
                raise Bad("the bundle's heads are not in ascending order")
            heads.append((author, sequence, head))
        return heads

    def read_records(self, event_count, signature_count):
        self.children = {}
        self.largest_since = LargestSince()
        may_be_signed = False
        while True:
            tag = self.data[self.at:self.at + 1]
            if tag == b"\1" and len(self.events) < event_count:
                self.at += 1
                self.add(self.take(self.number(2)))
                may_be_signed = True
            elif tag == b"\2" and may_be_signed and self.signature_count < signature_count:
                self.at += 1
                self.check_signature(self.take(64))
                may_be_signed = False
            elif len(self.events) == event_count:
                return
            else:
                raise Bad(f"there is no event or signature in its place at byte {self.at}")

    def add(self, body):
        """Takes the next event after checking its form, its place and what it names."""
        position = len(self.events) + 1
        identifier = blake2b(b"parlor-event-1", self.network, body)
        try:
            event = Event.decode(body)
        except Malformed as malformed:
            raise Bad(f"not a canonical event: {malformed}", Place(position, body, identifier)) from None
        event.id, event.position, event.signed, event.verdict = identifier, position, False, None
        self.check_room(event)
        if event.id in self.by_id:
            raise Bad("it is in the bundle twice", event)
        previous = self.check_names(event)
        self.check_order(event)
        self.count_run(event, previous)
        self.events.append(event)
        self.by_id[event.id] = event
        self.largest_since.append(event.order)

    def check_room(self, event):
        room = event.id if event.kind == "create" else event.room_field
        if room != self.room:
            raise Bad("it belongs to another room", event)

    def check_names(self, event):
        """The event before it in its feed, or None; everything that an event names stands before it."""
        previous = None
        if event.previous != ZERO:
            previous = self.by_id.get(event.previous)
            if previous is None:
                raise Bad("its previous event is missing before it", event)
            if previous.author != event.author or previous.sequence + 1 != event.sequence:
                raise Bad("its previous is not the event before it in its author's feed", event)
        for name in event.parents:
            parent = self.by_id.get(name)
            if parent is None:
                raise Bad("one of its parents is missing before it", event)
            if parent.author == event.author:
                raise Bad("one of its parents is an event of its own author", event)
        if event.kind != "create" and not self.events:
            raise Bad("the bundle does not begin with the room's create event", event)
        return previous

    def check_order(self, event):
        """An event that could have come before one that is greater is out of place."""
        named = [self.by_id[name].position for name in (event.previous, *event.parents) if name != ZERO]
        ready = max(named, default=1 if self.events else 0)
        largest = self.largest_since.after(ready)
        if largest is not None and largest > event.order:
            raise Bad("it is out of place in the bundle's order", event)

    def count_run(self, event, previous):
        """How much stands between the last signed event, or the parting of branches, and this event."""
        siblings = self.children.get(event.previous, 0) if previous else 0
        if previous:
            self.children[event.previous] = siblings + 1
        goes_on = previous and not previous.signed and not siblings
        event.run_events = 1 + (previous.run_events if goes_on else 0)
        event.run_bytes = len(event.body) + (previous.run_bytes if goes_on else 0)
        if event.run_events > RUN_EVENTS or event.run_bytes > RUN_BYTES:
            raise Bad(f"more than {RUN_EVENTS} events or {RUN_BYTES} bytes under one signature", event)

    def check_signature(self, signature):
        event = self.events[-1]
        try:
            crypto_sign_open(signature + b"parlor-signature-1" + event.id, event.author)
        except (BadSignatureError, CryptoError, ValueError, TypeError):
            raise Bad("its signature is not its author's", event) from None
        event.signed = True
        self.signature_count += 1

    def check_coverage(self):
        """Every event is signed, or one after it in its feed is."""
        covered = set()
        for event in reversed(self.events):
            if event.signed or event.id in covered:
                covered.add(event.id)
                covered.add(event.previous)
        for event in self.events:
            if event.id not in covered:
                raise Bad("no signature covers it", event)

    def check_heads(self, heads):
        previous = {event.previous for event in self.events}
        own = sorted((event.author, event.id, event) for event in self.events if event.id not in previous)
        announced = {head: (author, sequence) for author, sequence, head in heads}
        for author, identifier, event in own:
            if announced.pop(identifier, None) != (author, event.sequence):
                raise Bad("it is the last of its feed and not among the bundle's heads", event)
        if announced:
            raise Bad(f"the bundle announces a head that it does not have, {sorted(announced)[0].hex()}")


class LargestSince:
    """The largest of the keys that were appended after a position, in logarithmic time."""

    def __init__(self):
        self.count = 0
        # Positions from 1, keys strictly descending: each is larger than every key after it.
        self.peaks = []

    def append(self, key):
        self.count += 1
        while self.peaks and self.peaks[-1][1] <= key:
            self.peaks.pop()
        self.peaks.append((self.count, key))

    def after(self, position):
        low, high = 0, len(self.peaks)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.peaks[middle][0] <= position else (low, middle)
        return self.peaks[low][1] if low < len(self.peaks) else None


class Place:
    """Where an event should be, of which no more than its bytes is known."""

    def __init__(self, position, body, identifier):
        self.position, self.body, self.id = position, body, identifier
        whole = len(body) >= HEADER.size
        self.author = body[34:66] if whole else None
        self.sequence = int.from_bytes(body[66:74], "big") if whole else None
        self.kind = KINDS.get(body[1]) if whole else None


# MARK: Rooms (§1)

class TooLarge(Exception):
    """A room whose causal pasts take more memory than this reader spends."""


class Room:
    """What a room's events say together: who sits where, who starts, which events have no effect and why."""

    def __init__(self, bundle):
        self.events = bundle.events
        self.by_id = bundle.by_id
        self.id = bundle.room
        self.create = bundle.events[0]
        self.settings = self.create.payload
        self.creator = self.create.author
        self.feeds = {}
        self.forks = {}
        self.roster = {}
        self.start = None
        self.draw = None
        self.closed = None
        self.sort_feeds()
        self.find_pasts()

    def sort_feeds(self):
        """Each author's events by sequence and id, and the lowest sequence that an author used twice."""
        for event in self.events:
            self.feeds.setdefault(event.author, []).append(event)
        for author, feed in self.feeds.items():
            feed.sort(key=lambda event: (event.sequence, event.id))
            doubled = [one.sequence for one, two in zip(feed, feed[1:]) if one.sequence == two.sequence]
            if doubled:
                self.forks[author] = doubled[0]

    def find_pasts(self):
        """Gives each event its past: for each chain of events, how many of the first it had seen."""
        extended, chains, spent = set(), 0, 0
        for event in self.events:
            previous = self.by_id.get(event.previous)
            clock = list(previous.clock) if previous else []
            if previous and previous.id not in extended:
                extended.add(previous.id)
                event.chain, event.depth = previous.chain, previous.depth + 1
            else:
                event.chain, event.depth = chains, 1
                chains += 1
            for name in event.parents:
                seen = self.by_id[name].clock
                clock.extend([0] * (len(seen) - len(clock)))
                for chain, depth in enumerate(seen):
                    if depth > clock[chain]:
                        clock[chain] = depth
            clock.extend([0] * (event.chain + 1 - len(clock)))
            clock[event.chain] = event.depth
            event.clock = clock
            spent += len(clock)
            if spent > MAXIMAL_CLOCK_ENTRIES:
                raise TooLarge()

    @staticmethod
    def knows(event, other):
        """Whether the other is the event itself or in its causal past."""
        return other.chain < len(event.clock) and event.clock[other.chain] >= other.depth

    def named(self, event, name, kind=None):
        """The event of this name in the causal past of another, when it is of the kind."""
        found = self.by_id.get(name)
        if found is None or found is event or not self.knows(event, found):
            return None
        return found if kind is None or found.kind == kind else None

    def before_fork(self, event):
        return event.author not in self.forks or event.sequence < self.forks[event.author]

    # Seats

    def derive(self):
        """Finds who sits where and who starts; says of each event of that why it has no effect."""
        self.find_start()
        self.find_anchored()
        for event in self.events:
            if event.verdict is None and event.id not in self.anchored:
                event.verdict = "its author's feed is forked"

    def seats_in_past(self, event):
        """Seat → (peer, grant) by the creator's grants in an event's past."""
        seats = {}
        own = self.settings["creator's seat"]
        if own != 255:
            seats[own] = (self.creator, self.create)
        for grant in self.feeds[self.creator]:
            if grant.kind == "grant" and self.knows(event, grant) and not self.grant_fault(grant, seats):
                request = self.by_id[grant.payload["request"]]
                seats[grant.payload["seat"]] = (request.author, grant)
        return seats

    def grant_fault(self, grant, seats):
        """Why a grant gives no seat, after those that gave `seats`."""
        seat = grant.payload["seat"]
        request = self.named(grant, grant.payload["request"], "request")
        if request is None:
            return "it names no request that its author had seen"
        if request.verdict:
            return "the request that it names is without effect"
        peer = request.author
        if seat >= self.settings["seats"] or seat in seats:
            return "there is no such seat, or it was given before"
        if request.payload["seat"] not in (255, seat):
            return "another seat was asked for"
        if any(peer == holder for holder, _ in seats.values()):
            return "the peer has a seat already"
        for event in self.feeds[peer]:
            if event.kind == "leave" and event.sequence > request.sequence and self.knows(grant, event):
                return "the peer had left"
        return None

    def roster_hash(self, seats):
        parts = [part for seat in sorted(seats) for part in (seats[seat][0], seats[seat][1].id)]
        return blake2b(b"parlor-roster-1", self.id, *parts)

    def seat_of(self, peer, seats=None):
        for seat, (holder, _) in (self.roster if seats is None else seats).items():
            if holder == peer:
                return seat
        return None

    def first_in_past(self, event, author, kind, fits):
        """The first event of an author and kind in an event's past that fits."""
        for found in self.feeds.get(author, []):
            if found.kind == kind and found is not event and self.knows(event, found) and fits(found):
                return found
        return None

    def readies(self, event, seats):
        """Seat → its first ready over these seats in an event's past."""
        roster = self.roster_hash(seats)
        found = {}
        for seat, (peer, _) in seats.items():
            ready = self.first_in_past(event, peer, "ready", lambda ready: ready.payload["roster"] == roster)
            if ready:
                found[seat] = ready
        return found

    def opens(self, draw, ready, seat, peer):
        commitment = blake2b(
            b"parlor-draw-1", self.id, ready.payload["roster"], bytes([seat]), peer, key=draw.payload["nonce"])
        return commitment == ready.payload["commitment"]

    def draws(self, event, seats, readies):
        """Seat → its first draw in an event's past that opens its commitment after every seat was ready."""
        found = {}
        for seat, (peer, _) in seats.items():
            def fits(draw, seat=seat, peer=peer):
                return all(self.knows(draw, ready) for ready in readies.values()) \
                    and self.opens(draw, readies[seat], seat, peer)
            draw = self.first_in_past(event, peer, "draw", fits)
            if draw:
                found[seat] = draw
        return found

    def ruled_seats(self, event, readies):
        """The seats that the referee ruled not to have opened their part of the draw, in an event's past."""
        ruled = set()
        for ruling in self.feeds.get(self.settings["referee"], []):
            claim = ruling.kind == "ruling" and self.knows(event, ruling) \
                and self.named(ruling, ruling.payload["claim"], "claim")
            if not claim or self.seat_of(claim.author, self.seats_in_past(event)) is None:
                continue
            seat = claim.payload["silent"]
            if seat in readies and claim.payload["node"] == readies[seat].id \
                    and all(self.knows(ruling, ready) for ready in readies.values()):
                ruled.add(seat)
        return ruled

    def start_fault(self, start):
        """Why a start begins nothing; sets nothing."""
        seats = self.seats_in_past(start)
        if len(seats) != self.settings["seats"]:
            return "not every seat is taken"
        if start.payload["roster"] != self.roster_hash(seats):
            return "it names another roster"
        for leave in self.events:
            if leave.kind == "leave" and self.knows(start, leave) \
                    and (leave.author == self.creator or self.left_seat(leave, seats)):
                return "somebody had left"
        if self.settings["room kind"] == 2:
            return None
        readies = self.readies(start, seats)
        if len(readies) != len(seats):
            return "not every seat was ready"
        if self.settings["starter"] == 1:
            draws = self.draws(start, seats, readies)
            missing = set(seats) - set(draws)
            if not draws or not missing <= self.ruled_seats(start, readies):
                return "not every seat had opened its part of the draw"
        return None

    def left_seat(self, leave, seats):
        """Whether a leave gives up a seat that its author held."""
        seat = self.seat_of(leave.author, seats)
        if seat is None:
            return False
        grant = seats[seat][1]
        return grant is self.create or self.by_id[grant.payload["request"]].sequence < leave.sequence

    def find_start(self):
        standing = []
        for event in self.feeds[self.creator]:
            if event.kind != "start":
                continue
            fault = self.start_fault(event)
            if fault is None and not self.before_fork(event) and not self.has_honest_witness(event):
                fault = "its author's feed is forked"
            if fault is None and standing and self.knows(event, standing[0]):
                fault = "play had begun"
            event.verdict = fault
            if fault is None:
                standing.append(event)
        if len(standing) > 1:
            self.closed = "its creator showed two different starts"
        elif standing:
            self.start = standing[0]
            self.roster = self.seats_in_past(self.start)
            self.find_starter()

    def has_honest_witness(self, start):
        """Whether a seat other than the creator's, without a fork of its own, goes on from a start."""
        peers = {peer for peer, _ in self.seats_in_past(start).values()} - {self.creator} - set(self.forks)
        return any(
            event.author in peers and event is not start and self.knows(event, start) for event in self.events)

    def find_starter(self):
        """The seat that moves first in the first game, and how the draw gave it."""
        if self.settings["starter"] == 0 or self.settings["room kind"] == 2:
            self.first = 0
            return
        readies = self.readies(self.start, self.roster)
        draws = self.draws(self.start, self.roster, readies)
        if len(draws) < len(self.roster):
            self.first = min(draws)
            self.draw = {"seats": len(draws), "first": self.first + 1, "combined": None}
            return
        nonces = [draws[seat].payload["nonce"] for seat in sorted(draws)]
        combined = blake2b(b"parlor-joint-1", self.id, *nonces)
        self.first = int.from_bytes(combined[:8], "big") % len(self.roster)
        self.draw = {"seats": len(draws), "first": self.first + 1, "combined": combined.hex()}

    def find_anchored(self):
        """§1.4: what of forked feeds still counts."""
        if not self.forks:
            self.anchored = self.by_id
            return
        members = {self.creator, self.settings["referee"]}
        if self.start:
            members = {peer for peer, _ in self.roster.values()} | {self.settings["referee"]}
        self.anchored = {event.id for event in self.events if self.before_fork(event)}
        stack = [event for event in self.events if self.before_fork(event) and event.author in members]
        if self.start:
            stack.append(self.start)
        seen = set()
        while stack:
            event = stack.pop()
            if event.id not in seen:
                seen.add(event.id)
                stack.extend(self.by_id[name] for name in (event.previous, *event.parents) if name != ZERO)
        self.anchored |= seen


class Node:
    """A place on the line of play: whose turn it is there, and the board."""

    __slots__ = ("event", "before", "game", "ply", "codes", "over", "ending", "steps")

    def __init__(self, event, before, game, ply, codes, over=False, ending=None):
        self.event, self.before, self.game, self.ply, self.codes = event, before, game, ply, codes
        # Whether nothing may follow, and how the game that ends here ended: (cause, seat, scores) or None.
        self.over, self.ending = over, ending
        self.steps = []


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(codes):
    """Which of the two who move in turn has three in a row, 0 for who moved first; None without."""
    for player in (0, 1):
        cells = set(codes[player::2])
        if any(cells.issuperset(line) for line in LINES):
            return player
    return None


STEPS = ("move", "resign", "leave", "undo-request", "undo-accept", "claim", "ruling")


class TicTacToe:
    """The line of play of a tic-tac-toe room (§1.1 to §1.4)."""

    def __init__(self, room):
        self.room = room
        self.games = room.settings["games"]
        self.nodes = {}
        self.agreed_steps = {}
        self.agreed_games = 0
        self.fault = None

    @staticmethod
    def plays(room):
        """Whether a room's rules are the ones that are replayed here."""
        settings = room.settings
        return settings["room kind"] == 1 and settings["seats"] == 2 and settings["parameters"] == "" \
            and (settings["rules"], settings["rules version"]) == ("tic-tac-toe", 1)

    # Steps

    def turn(self, node):
        """The seat that moves at a node."""
        return (self.room.first + node.game + node.ply) % 2

    def grow(self):
        """Hangs every step that may count on the node that it names, in causal order."""
        start = self.room.start
        self.nodes[start.id] = Node(start, None, 0, 0, [])
        for event in self.room.events:
            if event.verdict is None and event.kind in STEPS:
                event.verdict = self.judge(event)

    def judge(self, event):
        """Why a step or request has no effect, or None; a step with effect becomes a node."""
        room = self.room
        seat = room.seat_of(event.author)
        if event.kind == "ruling":
            return self.judge_ruling(event)
        if seat is None:
            return "its author has no seat"
        if event.kind == "undo-accept":
            return self.judge_accept(event, seat)
        name = event.payload["node"]
        if event.kind == "leave" and name == ZERO:
            if room.knows(event, room.start):
                return "it names no node though play had begun"
            return self.stand(event, self.nodes[room.start.id], seat)
        node = self.nodes.get(name)
        if node is None or not room.knows(event, node.event):
            return "it names no node of the line that its author had seen"
        if node.over:
            return "the series is over there"
        if event.kind == "undo-request":
            return self.judge_request(event, node)
        if event.kind == "claim":
            return None if event.payload["silent"] < 2 else "there is no such seat"
        return self.stand(event, node, seat)

    def judge_request(self, event, node):
        if not self.room.settings["take-backs"]:
            return "take-backs are not allowed"
        return None if event.payload["ply"] < node.ply else "it asks for no earlier ply of the game"

    def judge_accept(self, event, seat):
        request = self.room.named(event, event.payload["request"], "undo-request")
        if request is None or request.verdict:
            return "it names no request to take back that its author had seen"
        if request.author == event.author:
            return "it agrees to its own request"
        return self.stand(event, self.nodes[request.payload["node"]], seat)

    def judge_ruling(self, event):
        room = self.room
        if event.author != room.settings["referee"]:
            return "its author is not the referee"
        claim = room.named(event, event.payload["claim"], "claim")
        if claim is None or claim.verdict:
            return "it names no claim that the referee had seen"
        node = self.nodes.get(claim.payload["node"])
        if node is None:
            return "the claim is not about play"
        silent = claim.payload["silent"]
        if silent != self.turn(node) or any(
                step.event.kind == "move" and room.knows(event, step.event) for step in node.steps):
            return "the seat owed nothing"
        return self.stand(event, node, silent)

    def stand(self, event, node, seat):
        """Makes a step a node that stands on another, unless it cannot."""
        offence = event.kind == "move" and self.is_double(event, node)
        if offence:
            if self.comes_too_late(event):
                return "it breaks a rule in a game that was over when a later one had begun"
        else:
            if any(self.room.knows(event, step.event) for step in node.steps):
                return "its author had seen that play had gone on"
            fault = event.kind == "move" and self.move_fault(event, node, seat)
            if fault:
                return fault
        made = self.advance(event, node, seat, "offence" if offence else event.kind)
        node.steps.append(made)
        self.nodes[event.id] = made
        return None

    def is_double(self, event, node):
        return any(
            step.event.kind == "move" and step.event.author == event.author
            and self.room.knows(event, step.event) for step in node.steps)

    def comes_too_late(self, event):
        return any(
            other.kind in ("move", "commit", "reveal") and other.payload["game"] > event.payload["game"]
            and other is not event and self.room.knows(event, other)
            for other in self.room.feeds[event.author])

    def move_fault(self, event, node, seat):
        move = event.payload
        if (move["game"], move["ply"]) != (node.game, node.ply):
            return "its game or ply is not that of its node"
        if seat != self.turn(node):
            return "it is not this seat's turn"
        if move["code"] > 8 or move["code"] in node.codes:
            return "the move is not legal"
        return None

    def advance(self, event, node, seat, kind):
        """The node that a step makes."""
        if kind == "move":
            codes = node.codes + [event.payload["code"]]
            won = winner(codes)
            if won is None and len(codes) < 9:
                return Node(event, node, node.game, node.ply + 1, codes)
            scores = [0, 0]
            if won is not None:
                scores[(self.room.first + node.game + won) % 2] = 1
            return self.end(event, node, ("rules", None, scores))
        if kind == "undo-accept":
            ply = self.room.by_id[event.payload["request"]].payload["ply"]
            return Node(event, node, node.game, ply, node.codes[:ply])
        scores = [1, 1]
        scores[seat] = 0
        made = self.end(event, node, (kind, seat, scores))
        if kind == "leave":
            made.over = True
            if node.ply == 0:
                made.ending = ("never was", seat, None)
        return made

    def end(self, event, node, ending):
        """The node of a game's ending, on which the next game's first move stands."""
        return Node(event, node, node.game + 1, 0, [], node.game + 1 == self.games, ending)

    # The line

    def line(self):
        """The path that the order at each node gives."""
        node = self.nodes[self.room.start.id]
        path = [node]
        while node.steps:
            agreed = self.agreed_steps.get(node.event.id)
            node = agreed or min(node.steps, key=self.rank)
            path.append(node)
        return path

    def rank(self, step):
        """The order at one node (§1.1)."""
        cause = step.ending[0] if step.ending else step.event.kind
        seat = step.ending[1] if step.ending and step.ending[1] is not None else 0
        if step.event.kind == "undo-accept":
            seat = self.room.seat_of(step.event.author)
        place = {"offence": 0, "ruling": 1, "resign": 2, "leave": 2, "never was": 2, "undo-accept": 3}
        return (place.get(cause, 4), seat, step.event.sequence, step.event.id)

    # Results

    def settle(self):
        """Finds the games that all seats agreed on, and the first result that all signed and nobody played."""
        for event in self.room.events:
            if event.kind == "result" and event.verdict is None:
                event.verdict = self.result_fault(event)
        for game in range(self.games):
            results = [self.first_result(seat, game) for seat in (0, 1)]
            if None in results:
                continue
            one, two = (result.payload for result in results)
            if (one["node"], one["scores"]) != (two["node"], two["scores"]):
                continue
            path = self.path_to(one["node"], game, one["scores"])
            if path is None:
                last = max(results, key=lambda event: event.position)
                if self.fault is None or last.position < self.fault.position:
                    self.fault = last
            elif all(self.agreed_steps.get(step.before.event.id, step) is step for step in path[1:]):
                self.agreed_steps.update((step.before.event.id, step) for step in path[1:])
                self.agreed_games = game + 1

    def result_fault(self, event):
        if self.room.seat_of(event.author) is None:
            return "its author has no seat"
        return None if self.room.named(event, event.payload["node"]) else "it names nothing that its author had seen"

    def first_result(self, seat, game):
        for event in self.room.feeds[self.room.roster[seat][0]]:
            if event.kind == "result" and event.payload["game"] == game and event.verdict is None:
                return event
        return None

    def path_to(self, name, game, scores):
        """The nodes from the start to an ending that gives these scores; None when there is none."""
        node = self.nodes.get(name)
        if node is None or node.ending is None or node.ending[2] != scores or node.game != game + 1:
            return None
        path = []
        while node:
            path.append(node)
            node = node.before
        return path[::-1]

    def report(self):
        """The games of the line, for people and programs."""
        games, moves = [], []
        for node in self.line():
            if node.event.kind == "move" and (not node.ending or node.ending[0] == "rules"):
                moves.append(node.event.payload["code"] + 1)
            if node.event.kind == "undo-accept":
                moves = moves[:node.ply]
            if node.ending:
                games.append(self.game(node.game, moves, node.ending))
                moves = []
        if moves:
            games.append(self.game(len(games) + 1, moves, ("not over", None, None)))
        self.take_forks_into_account(games)
        return games

    def game(self, number, moves, ending):
        cause, seat, scores = ending
        first = (self.room.first + number - 1) % 2 + 1
        level = "agreed" if number <= self.agreed_games else "provisional"
        return {"game": number, "first": first, "moves": moves, "cause": cause,
                "seat": None if seat is None else seat + 1, "scores": scores, "level": level}

    def take_forks_into_account(self, games):
        """A seat that forked its feed loses what was not agreed; two such seats make it void."""
        forked = sorted(seat for seat, (peer, _) in self.room.roster.items() if peer in self.room.forks)
        for game in games:
            if not forked or game["level"] == "agreed" or game["cause"] == "never was":
                continue
            game["cause"], game["seat"] = "fork", forked[0] + 1
            game["scores"] = None if len(forked) == 2 else [int(seat != forked[0]) for seat in (0, 1)]


# MARK: Reports

class Report:
    """What was found of one file."""

    def __init__(self, path):
        self.path = path
        self.bundle = None
        self.room = None
        self.bad = None
        self.games = []
        self.moves = None
        self.reveals = (0, 0)
        self.not_checked = []

    def check(self, data):
        """Checks a bundle; whatever is wrong ends up in the report."""
        bundle = Bundle(data)
        try:
            bundle.read()
            self.bundle = bundle
            self.check_room(bundle)
        except Bad as bad:
            self.bundle = bundle
            self.bad = bad

    def check_room(self, bundle):
        try:
            room = Room(bundle)
        except TooLarge:
            self.not_checked.append("draws and moves: the room has too many events and feeds for this reader")
            return
        self.room = room
        room.derive()
        if room.settings["room kind"] == 2:
            self.not_checked.append("the tournament's results: its games are rooms of their own")
        elif TicTacToe.plays(room):
            self.play(room)
        else:
            self.check_reveals(room)
            self.not_checked.append(
                f"the moves: this reader does not know the rules {room.settings['rules']},"
                f" version {room.settings['rules version']}, with these settings")

    def play(self, room):
        self.moves = "checked"
        if not room.start:
            return
        game = TicTacToe(room)
        game.grow()
        game.settle()
        if game.fault:
            number = game.fault.payload["game"] + 1
            raise Bad(f"every seat signed a result of game {number} that its moves do not give", game.fault)
        self.games = game.report()

    def check_reveals(self, room):
        """Whether each reveal opens its author's commitment (§1.5)."""
        good = bad = 0
        for event in room.events:
            if event.kind != "reveal" or event.verdict:
                continue
            if self.opens(room, event):
                good += 1
            else:
                bad += 1
                event.verdict = "it does not open its author's commitment"
        self.reveals = (good, bad)

    @staticmethod
    def opens(room, event):
        reveal = event.payload
        commit = room.named(event, reveal["commit"], "commit")
        seat = room.seat_of(event.author)
        if commit is None or commit.author != event.author or seat is None:
            return False
        place = struct.pack(">HHB", reveal["game"], reveal["round"], seat)
        expected = blake2b(
            b"parlor-choice-1", room.id, place, event.author, reveal["choice"].to_bytes(4, "big"),
            key=reveal["salt"])
        named = (commit.payload["game"], commit.payload["round"])
        return named == (reveal["game"], reveal["round"]) and expected == commit.payload["commitment"]

    # For programs

    def members(self):
        bundle, room = self.bundle, self.room
        return {
            "type": "read", "path": self.path, "good": self.bad is None,
            "room": bundle.room.hex() if bundle.room else None,
            "events": len(bundle.events), "signatures": bundle.signature_count,
            "event": self.event_members(), "reason": self.bad.reason if self.bad else None,
            "rules": room.settings["rules"] if room else None,
            "players": self.players(), "draw": room.draw if room else None,
            "games": self.games, "moves": self.moves or "not checked",
            "reveals": {"opened": self.reveals[0], "false": self.reveals[1]},
            "withoutEffect": [
                {"position": event.position, "id": event.id.hex(), "kind": event.kind, "reason": event.verdict}
                for event in (room.events if room else []) if event.verdict],
            "forks": [
                {"author": author.hex(), "sequence": sequence}
                for author, sequence in (sorted(room.forks.items()) if room else [])],
            "notChecked": self.not_checked,
        }

    def event_members(self):
        event = self.bad.event if self.bad else None
        if event is None:
            return None
        return {
            "position": event.position, "id": event.id.hex(), "room": self.bundle.room.hex(),
            "author": event.author.hex() if event.author else None, "sequence": event.sequence,
            "kind": event.kind}

    def players(self):
        if not self.room or not self.room.roster:
            return []
        found = []
        for seat, (peer, grant) in sorted(self.room.roster.items()):
            request = self.room.by_id.get(grant.payload["request"]) if grant.kind == "grant" else grant
            found.append({"seat": seat + 1, "peer": peer.hex(), "name": request.payload["profile"]["name"]})
        return found

    # For people

    def lines(self):
        path = printable(self.path)
        if self.bad:
            return [f"{path}: BAD: {self.place()}{printable(self.bad.reason)}."]
        bundle = self.bundle
        counts = f"{count(len(bundle.events), 'event')}, {count(bundle.signature_count, 'signature')}"
        lines = [f"{path}: good. Room {bundle.room.hex()[:10]}, {counts}."]
        if self.room:
            lines += self.room_lines()
        return lines + [f"  Not checked: {printable(words)}." for words in self.not_checked]

    def room_lines(self):
        lines = [
            f"  seat {player['seat']}: {printable(player['name'])} ({player['peer'][:10]})"
            for player in self.players()]
        draw = self.room.draw
        if draw:
            lines.append(f"  seat {draw['first']} starts: so {count(draw['seats'], 'seat')} drew it")
        elif not self.room.start:
            lines.append("  play has not begun")
        lines += [self.game_line(game) for game in self.games]
        if sum(self.reveals):
            lines.append(f"  {self.reveals[0]} of {sum(self.reveals)} reveals open their commitments")
        for event in self.room.events:
            if event.verdict:
                lines.append(f"  event {event.position} ({event.kind}) has no effect: {event.verdict}")
        for author, sequence in sorted(self.room.forks.items()):
            lines.append(f"  fork: peer {author.hex()[:10]} signed two different events as its number {sequence}")
        return lines

    @staticmethod
    def game_line(game):
        moves = " ".join(str(move) for move in game["moves"]) or "no moves"
        words = f"  game {game['game']}: {moves}"
        if game["scores"]:
            words += f" : {game['scores'][0]}-{game['scores'][1]}"
        if game["cause"] != "rules":
            by = f" by seat {game['seat']}" if game["seat"] else ""
            words += f", {game['cause']}{by}"
        return words + (f", {game['level']}" if game["scores"] else "")

    def place(self):
        event = self.bad.event
        if event is None:
            room = self.bundle.room
            return f"room {room.hex()[:10]}: " if room else ""
        words = f"event {event.position}, {event.id.hex()}, in room {self.bundle.room.hex()[:10]}"
        if event.author:
            words += f" by {event.author.hex()[:10]}, sequence {event.sequence}"
        return words + (f", {event.kind}: " if event.kind else ": ")


def count(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def printable(text):
    """The text without anything that a terminal could take for a command."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


# MARK: The command

DESCRIPTION = """\
Checks bundle files that `parlor log export` wrote, without any of Parlor's code: framing, counts, heads, order and
digest; the one canonical form of each event; ids, previous links, sequences and parents; signatures and what they
cover; commitments, reveals and the joint draw of who starts; and in rooms of tic-tac-toe every move and result. Of
a bundle that is false it names the first bad event. For rooms of other games it says that moves were not checked.
"""

EPILOG = """\
examples:
  parlor log export last --output game.parlor
  Tools/read-log.py game.parlor
  Tools/read-log.py --json *.parlor | jq -c 'select(.good | not) | [.path, .event.position, .reason]'

exit status:
  0   all bundles are good
  1   a bundle is bad
  64  wrong arguments
  66  a file is missing or cannot be read (whatever the others are)
"""


class Arguments(argparse.ArgumentParser):
    """Arguments whose misuse ends with the status of sysexits."""

    def error(self, message):
        self.exit(EX_USAGE, f"read-log.py: {printable(message)}; read-log.py --help shows how it is called\n")


def read_file(path):
    """A file's bytes, one more than is allowed at most; `-` is standard input."""
    if path == "-":
        return sys.stdin.buffer.read(MAXIMAL_BUNDLE_BYTES + 1)
    with open(path, "rb") as file:
        return file.read(MAXIMAL_BUNDLE_BYTES + 1)


def report_of(path):
    data = read_file(path)
    report = Report(path)
    if len(data) > MAXIMAL_BUNDLE_BYTES:
        report.bundle = Bundle(b"")
        report.bad = Bad(f"it has more than the {MAXIMAL_BUNDLE_BYTES} bytes that this reader takes")
    else:
        report.check(data)
    return report


def main():
    parser = Arguments(
        prog="read-log.py", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="+", metavar="FILE", help="a bundle file; `-` for one on standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a bundle, on a line of its own")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    status = 0
    for path in arguments.file:
        try:
            report = report_of(path)
        except OSError as error:
            sys.stderr.write(f"read-log.py: {printable(path)}: {error.strerror}\n")
            status = EX_NOINPUT
            continue
        if report.bad and status == 0:
            status = 1
        print(json.dumps(report.members()) if arguments.json else "\n".join(report.lines()))
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
