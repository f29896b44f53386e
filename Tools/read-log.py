#!/usr/bin/env python3
"""Checks Parlor's files of rooms and tournaments without any of Parlor's code.

It follows Docs/PROTOCOL.md, whose section numbers stand below, and nothing else. Hashes are Python's own BLAKE2b,
signatures are checked by PyNaCl (Debian: python3-nacl). `read-log.py --help` says how to call it.
"""
import argparse
import copy
import functools
import hashlib
import heapq
import itertools
import json
import os
import re
import struct
import sys

try:
    from nacl.bindings import (
        crypto_box, crypto_scalarmult_base, crypto_sign_ed25519_pk_to_curve25519, crypto_sign_open)
    from nacl.exceptions import CryptoError
except ImportError:
    crypto_sign_open = None

EX_USAGE, EX_NOINPUT, EX_UNAVAILABLE = 64, 66, 69
ZERO = bytes(32)
MAXIMAL_BUNDLE_BYTES = 256 << 20
MAXIMAL_EVENTS = 1_000_000
MAXIMAL_ROOMS = 262_144
MAXIMAL_INVITED, SCOPE_INVITED = 64, 2
EDITION, NO_SEAT = 1, 65_535
STRANGERS_EVENTS, SPARE_GRANTS = 256, 64
GAMES, TOURNAMENT, HOSTED = 1, 2, 3
RUN_EVENTS, RUN_BYTES, EVENT_BYTES, RECORD_BYTES, MAXIMAL_PARENTS = 256, 65_536, 8_192, 8_448, 32
# Causal pasts are kept as one number for each event and chain; a room that needs more is not replayed.
MAXIMAL_CLOCK_ENTRIES = 8_000_000
# Work on one room that grows faster than its events do, in comparisons.
MAXIMAL_STEPS = 20_000_000
# A Swiss tournament is paired again up to so much: the square of its entrants, times its rounds.
MAXIMAL_SWISS = 10_000_000

KINDS = {
    1: "create", 2: "request", 3: "grant", 4: "ready", 5: "draw", 6: "start", 7: "move", 8: "commit", 9: "reveal",
    10: "resign", 11: "undo-request", 12: "undo-accept", 13: "result", 14: "leave", 15: "claim", 16: "ruling",
    17: "chat", 18: "pairing-result", 19: "invite", 20: "draw-offer", 21: "draw-accept", 22: "draw-decline",
    23: "join-proof", 24: "join-refusal", 25: "round-open", 26: "entry", 27: "receipts", 28: "round-close",
    29: "settle", 30: "entry-proof", 31: "carry", 32: "disqualify", 33: "marks", 34: "revoke",
}
# Rooms of hosted rounds have these, and no others.
HOSTED_KINDS = tuple(KINDS[code] for code in (*range(23, 32), 33))
CREATE = 1
UNREADABLE = "this reader cannot read what it says"
SURPLUS = "its author had said the same too often before"
# So many decisions of a tournament's organizer may be taken back (§1.9).
LIMIT_REVOCATIONS = 16
# So many events of one author and kind at one place count (§1.1).
LIMIT_SAME = 64
UNANSWERED = "the host did not acknowledge it"
# These are read alike in every edition, a create as far as its content.
SHARED = ("create", "request", "grant", "start", "leave", "invite")


def kind_name(code):
    """A kind for people, known or not."""
    return KINDS.get(code, f"kind-{code}")


def blake2b(*parts, key=b""):
    """BLAKE2b-256 of the parts one after the other."""
    return hashlib.blake2b(b"".join(parts), digest_size=32, key=key).digest()


STANDARD_NETWORK = blake2b(b"parlor-network-1")


def network_of(name):
    """The id of the network of this name; of everybody's without one (§2)."""
    return STANDARD_NETWORK if name is None else blake2b(b"parlor-network-name-1", os.fsencode(name))


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


class Short:
    """Bytes behind their length, with bounds."""

    def __init__(self, size, low, high):
        self.size, self.low, self.high = size, low, high

    def read(self, source, fields):
        length = source.number(self.size)
        if not self.low <= length <= self.high:
            raise Malformed(f"the length {length} at offset {source.at - self.size} is not allowed")
        return source.take(length)

    def write(self, value, fields):
        return len(value).to_bytes(self.size, "big") + value


class Listed:
    """Items of one schema behind their count, a byte; each fits those before it."""

    def __init__(self, low, high, schema, fits=None):
        self.low, self.high, self.schema, self.fits = low, high, schema, fits

    def read(self, source, fields):
        count = source.number(1)
        if not self.low <= count <= self.high:
            raise Malformed(f"the count {count} at offset {source.at - 1} is not allowed")
        items = []
        for _ in range(count):
            item = read_fields(source, self.schema)
            if self.fits and not self.fits(items, item):
                raise Malformed(f"the item before offset {source.at} is doubled or out of order")
            items.append(item)
        return items

    def write(self, value, fields):
        return bytes([len(value)]) + b"".join(write_fields(item, self.schema) for item in value)


class Openings:
    """Moves from which games begin: of each opening its number of moves and their codes, 2,048 together with one more
    for each."""

    def read(self, source, fields):
        openings, left = [], 2_048
        for _ in range(source.number(2)):
            count = source.number(2)
            left -= count + 1
            if not count or left < 0:
                raise Malformed(f"the opening before offset {source.at} has no move, or there are too many")
            openings.append([source.number(2) for _ in range(count)])
        return openings

    def write(self, value, fields):
        numbers = [len(value)] + [number for codes in value for number in (len(codes), *codes)]
        return b"".join(number.to_bytes(2, "big") for number in numbers)


class Opened:
    """What somebody had entered, with its salt; the length 255 stands alone, for what could not be read."""

    def __init__(self, may_lack):
        self.may_lack = may_lack

    def read(self, source, fields):
        if self.may_lack and source.data[source.at:source.at + 1] == b"\xff":
            source.take(1)
            return None
        return read_fields(source, CHOSEN)

    def write(self, value, fields):
        return b"\xff" if value is None else write_fields(value, CHOSEN)


class Marked:
    """A wrong entry as its author had made it; the length 254 stands alone, for a right one, which stays sealed."""

    @staticmethod
    def read(source, fields):
        if source.data[source.at:source.at + 1] == b"\xfe":
            source.take(1)
            return None
        return read_fields(source, CHOSEN)

    @staticmethod
    def write(value, fields):
        return b"\xfe" if value is None else write_fields(value, CHOSEN)


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
    """The fields of a schema, in its order."""
    fields = {}
    for name, form in schema:
        fields[name] = form.read(source, fields)
    return fields


def read_to_end(source, schema):
    """The fields of a schema, behind which there is nothing."""
    fields = read_fields(source, schema)
    if source.at != len(source.data):
        raise Malformed(f"there are bytes after the payload, from offset {source.at}")
    return fields


def write_fields(fields, schema):
    return b"".join(form.write(fields[name], fields) for name, form in schema)


U1, U8, U16, U32, U64 = Number(1, 0, 1), Number(1), Number(2), Number(4), Number(8)
HASH = Bytes(32)
BOT = [("specification", Text(1, 1, 64)), ("version", U16), ("budget", U64), ("seed", U64)]
PROFILE = [("name", Text(1, 0, 64)), ("emoji", Text(1, 0, 32)), ("bot", Optional(BOT))]
PURPOSES = {
    GAMES: [
        ("tournament", HASH), ("pairing", U32), ("attempt", U8), ("openings", Openings()), ("branch of", HASH),
        ("branch game", U16), ("branch ply", U16),
    ],
    TOURNAMENT: [
        ("format", Number(1, 1, 255)), ("options", U8), ("seed", U64), ("title", Text(1, 0, 64)),
        ("openings", Openings()),
    ],
    HOSTED: [("entries", U16), ("join code", U1), ("title", Text(1, 0, 64))],
}
CHOSEN = [("choice", Short(1, 0, 64)), ("salt", HASH)]
ENTERED = {
    0: [("choice", Short(1, 0, 64))],
    1: [("commitment", HASH), ("box", Short(1, 80, 144))],
    2: [("choice", Short(2, 65, 3_840))],
}
CONTENT = [
    ("rules", Text(1, 1, 32, "[a-z-]+")), ("rules version", U16), ("parameters", Text(2, 0, 4_096)),
    ("games", Number(2, 1, 256)), ("target", U32), ("starter", U1), ("flags", Number(1, 0, 3)),
    ("bots", Number(1, 0, 2)), ("only budgets", U1), ("largest budget", U64), ("limit", U32), ("clock", U32),
    ("increment", U32), ("rematch of", HASH), ("profile", Fields(lambda _: PROFILE)),
]
# What stands in place of content that cannot be read.
UNREAD = {
    "rules": None, "rules version": None, "parameters": "", "games": 1, "target": 0, "starter": 0, "flags": 0,
    "bots": 0, "only budgets": 0, "largest budget": 0, "profile": {"name": "", "emoji": "", "bot": None},
    "rematch of": ZERO, "entries": 0, "title": "", "openings": [],
}


class Seats(Number):
    """How many seats a room has; fewer in a room of games than in others."""

    def __init__(self):
        super().__init__(2, 1, 4_096)

    def read(self, source, fields):
        seats = super().read(source, fields)
        if fields["room kind"] == GAMES and seats > 16:
            raise Malformed(f"{seats} seats in a room of games")
        return seats


class CreatorSeat(Number):
    """A seat of the room, or none."""

    def __init__(self):
        super().__init__(2)

    def read(self, source, fields):
        seat = super().read(source, fields)
        if seat != NO_SEAT and seat >= fields["seats"]:
            raise Malformed(f"the creator's seat {seat} is none of {fields['seats']}")
        return seat


class Heads:
    """What somebody had seen of a room: up to 32 ends of feeds and branches, ascending by author and id."""

    SCHEMA = [("author", HASH), ("sequence", Number(8, 1, 2**63 - 1)), ("event", HASH)]

    def read(self, source, fields):
        count = source.number(1)
        if count > 32:
            raise Malformed(f"{count} heads")
        if count and fields["room"] == ZERO:
            raise Malformed("heads of no room")
        heads = [read_fields(source, self.SCHEMA) for _ in range(count)]
        places = [(head["author"], head["event"]) for head in heads]
        if any(a >= b for a, b in zip(places, places[1:])):
            raise Malformed("heads are out of order")
        return heads

    def write(self, value, fields):
        return bytes([len(value)]) + b"".join(write_fields(head, self.SCHEMA) for head in value)


class Content:
    """What a create says in the words of its edition: fields, or bytes where they cannot be read."""

    def read(self, source, fields):
        ahead = Source(source.data, source.at)
        rest = source.take(len(source.data) - source.at)
        if fields["edition"] != EDITION:
            return rest
        try:
            content = read_to_end(ahead, CONTENT + PURPOSES[fields["room kind"]])
        except Malformed:
            return rest
        # There is no pairing without a tournament, and no place of a branch without its room.
        is_stray = content.get("tournament") == ZERO and (content["pairing"] or content["attempt"]) \
            or content.get("branch of") == ZERO and (content["branch game"] or content["branch ply"])
        return rest if is_stray else content

    def write(self, value, fields):
        return value if isinstance(value, bytes) else write_fields(value, CONTENT + PURPOSES[fields["room kind"]])


def is_another_receipt(before, receipt):
    """Whether a receipt is for another parent than those before it, and not of an earlier time."""
    is_new = all(other["parent"] != receipt["parent"] for other in before)
    return is_new and all(other["time"] <= receipt["time"] for other in before)


def is_of_next_entry(before, mark):
    """Whether marks stand by ascending entry."""
    return not before or before[-1]["entry"] < mark["entry"]


def is_of_next_peer(before, score):
    """Whether scores stand by ascending key."""
    return not before or before[-1]["peer"] < score["peer"]


SCHEMAS = {
    "create": [
        ("edition", U16), ("room kind", Number(1, 1, 3)), ("scope", Number(1, 1, 3)), ("nonce", Bytes(16)),
        ("seats", Seats()), ("creator's seat", CreatorSeat()), ("referee", HASH), ("content", Content()),
    ],
    "request": [("seat", U16), ("profile", Fields(lambda _: PROFILE))],
    "grant": [("request", HASH), ("seat", U16)],
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
    "result": [("game", U16), ("node", HASH), ("scores", Scores(1, 1, 16))],
    "leave": [("node", HASH)],
    "claim": [("node", HASH), ("silent", U16)],
    "ruling": [("claim", HASH)],
    "chat": [("text", Text(2, 1, 4_096))],
    "pairing-result": [
        ("pairing", U32), ("attempt", U8), ("room", HASH), ("heads", Heads()), ("walkover", Number(1, 0, 3)),
        ("games", Scores(2, 0, 256, width=2)),
    ],
    "disqualify": [("seat", U16), ("reason", Text(2, 1, 256))],
    "revoke": [("word", HASH)],
    "invite": [("peer", HASH)],
    "draw-offer": [("node", HASH)],
    "draw-accept": [("node", HASH), ("offer", HASH)],
    "draw-decline": [("offer", HASH)],
    "join-proof": [("box", Bytes(80))],
    "join-refusal": [("peer", HASH), ("through", U64), ("reason", Number(1, 1, 2))],
    "round-open": [("round", U16), ("limit", U32), ("commitment", HASH), ("asked", Short(2, 0, 4_096))],
    "entry": [("opening", HASH), ("form", Number(1, 0, 2)), ("said", Fields(lambda fields: ENTERED[fields["form"]]))],
    "receipts": [
        ("opening", HASH),
        ("receipts", Listed(1, 32, [("parent", Number(1, 0, 31)), ("time", U32)], fits=is_another_receipt)),
    ],
    "marks": [
        ("opening", HASH),
        ("marks", Listed(1, 32, [("entry", U16), ("wrong", Marked())], fits=is_of_next_entry)),
    ],
    "round-close": [("opening", HASH), ("time", U32)],
    "settle": [
        ("opening", HASH), ("solution", Short(1, 0, 64)), ("salt", HASH), ("first", U16),
        ("entries", Listed(0, 180, [("opened", Opened(may_lack=True))])),
    ],
    "entry-proof": [("entry", HASH), ("opened", Opened(may_lack=False))],
    "carry": [("head", HASH), ("scores", Listed(0, 180, [("peer", HASH), ("score", U32)], fits=is_of_next_peer))],
}

HEADER = struct.Struct(">BB32s32sQ32sQB")


class Event:
    """One event: its fields, its bytes, and where in the bundle it stands (from 1).

    Its `kind` is None when there is no kind of its `code`, or when its payload is not in its kind's one form.
    """

    __slots__ = (
        "code", "kind", "room_field", "author", "sequence", "previous", "wall", "parents", "payload", "body", "id",
        "position", "signed", "run_events", "run_bytes", "chain", "depth", "clock", "verdict", "is_members", "grants",
        "requester")

    @staticmethod
    def decode(body):
        """Reads a body; refuses whatever is not the one way to write this event."""
        if len(body) > EVENT_BYTES:
            raise Malformed(f"{len(body)} bytes are more than {EVENT_BYTES}")
        source = Source(body)
        self = Event()
        version, self.code, self.room_field, self.author, self.sequence, self.previous, self.wall, count = \
            HEADER.unpack(source.take(HEADER.size))
        if version != 2:
            raise Malformed(f"version {version}")
        if count > MAXIMAL_PARENTS:
            raise Malformed(f"{count} parents")
        parents = source.take(32 * count)
        self.parents = [parents[place:place + 32] for place in range(0, 32 * count, 32)]
        self.check_header()
        length = source.number(2)
        if source.at + length != len(body):
            raise Malformed(f"a payload of {length} bytes, where {len(body) - source.at} follow")
        self.body = body
        self.read_payload(source)
        return self

    def read_payload(self, source):
        """Reads what the event says; only a create has to say it in its one form (§3)."""
        self.kind, self.payload = KINDS.get(self.code), None
        start = source.at
        try:
            if self.kind:
                self.payload = read_to_end(source, SCHEMAS[self.kind])
                if write_fields(self.payload, SCHEMAS[self.kind]) != self.body[start:]:
                    raise Malformed("it is not written in its one canonical form")
        except Malformed:
            if self.code == CREATE:
                raise
            self.kind = self.payload = None

    def check_header(self):
        if not 1 <= self.sequence < 1 << 63:
            raise Malformed(f"sequence {self.sequence}")
        if (self.sequence == 1) != (self.previous == ZERO):
            raise Malformed("only the first event of a feed has no previous")
        if (self.code == CREATE) != (self.room_field == ZERO):
            raise Malformed("only a create has no room")
        if self.code == CREATE and (self.parents or self.sequence != 1):
            raise Malformed("a create is the first of its feed and has no parents")
        last = ZERO
        for parent in self.parents:
            if parent <= last or parent == self.previous:
                raise Malformed("parents must ascend, differ from the previous and not be zero")
            last = parent

    @property
    def name(self):
        """Its kind for people."""
        return kind_name(self.code)

    @property
    def order(self):
        """What decides which of several possible events a bundle has first."""
        return (self.author, self.sequence, self.id)


# MARK: Records (§6.1)

# The offsets of the events that a payload names, if it is long enough for all of them.
REFERENCES = {
    "grant": (0,), "resign": (0,), "undo-request": (0,), "undo-accept": (0,), "leave": (0,), "claim": (0,),
    "ruling": (0,), "draw-offer": (0,), "draw-accept": (0, 32), "draw-decline": (0,), "result": (2,), "move": (4,),
    "commit": (4,), "reveal": (4,), "entry": (0,), "receipts": (0,), "marks": (0,), "round-close": (0,), "settle": (0,),
    "entry-proof": (0,), "revoke": (0,),
}


def read_number(source):
    """A number below 2⁶⁴ in groups of seven bits, the lowest first, in as few bytes as possible."""
    value = shift = 0
    while True:
        group = source.number(1)
        value |= (group & 127) << shift
        shift += 7
        if group < 128:
            break
        if shift == 70:
            raise Malformed("a number has more than ten bytes")
    if value >> 64:
        raise Malformed("a number is 2⁶⁴ or more")
    if group == 0 and shift > 7:
        raise Malformed(f"the number {value} has more bytes than it needs")
    return value


class Records:
    """Makes the bodies of a bundle's events again from their records; refuses a record that is not in its one form."""

    def __init__(self, room, events, by_id):
        self.room, self.events, self.by_id = room, events, by_id
        self.authors = []
        self.ends = {}

    def append(self, event):
        """Notes an event that the bundle has now."""
        if event.author not in self.ends:
            self.authors.append(event.author)
        self.ends[event.author] = event

    def body(self, record):
        """The body of the bundle's next event."""
        source = Source(record)
        author = self.read_author(source)
        code, links = source.number(1), source.number(1)
        count = links >> 2
        if count > MAXIMAL_PARENTS:
            raise Malformed(f"{count} parents")
        sequence, previous = self.read_chain(source, author, is_written=links & 1)
        parents = [self.read_reference(source) for _ in range(count)]
        wall = self.read_wall(source)
        payload = self.read_payload(source, code, has_references=links & 2)
        room = ZERO if code == CREATE else self.room
        header = HEADER.pack(2, code, room, author, sequence, previous, wall, count)
        return b"".join([header, *parents, len(payload).to_bytes(2, "big"), payload])

    def read_author(self, source):
        number = read_number(source)
        if number < len(self.authors):
            return self.authors[number]
        if number > len(self.authors):
            raise Malformed(f"feed {number}, where {len(self.authors)} are open")
        author = source.take(32)
        if author in self.ends:
            raise Malformed("it opens a feed that is open already")
        return author

    def read_chain(self, source, author, is_written):
        """The event's sequence and previous."""
        last = self.ends.get(author)
        following = (last.sequence + 1, last.id) if last else (1, ZERO)
        if not is_written:
            return following
        written = (read_number(source), self.read_reference(source))
        if written == following:
            raise Malformed("the chain is written out where it follows")
        return written

    def read_reference(self, source):
        """The id of an event that is named by its place, or by its id where it has none."""
        back = read_number(source)
        if back > len(self.events):
            raise Malformed(f"it names the event {back} places before it, where there are {len(self.events)}")
        if back:
            return self.events[-back].id
        name = source.take(32)
        if name in self.by_id:
            raise Malformed(f"the id of event {self.by_id[name].position} is written out")
        return name

    def read_wall(self, source):
        number = read_number(source)
        difference = -(number >> 1) - 1 if number & 1 else number >> 1
        return ((self.events[-1].wall if self.events else 0) + difference) % (1 << 64)

    def read_payload(self, source, code, has_references):
        offsets = REFERENCES.get(KINDS.get(code), ())
        if has_references and not offsets:
            raise Malformed("such a payload has no references")
        payload = b""
        for offset in offsets if has_references else ():
            payload += source.take(offset - len(payload)) + self.read_reference(source)
        payload += source.take(len(source.data) - source.at)
        if offsets and not has_references and len(payload) >= offsets[-1] + 32:
            raise Malformed("the payload's references are written out")
        return payload


# MARK: Bundles (§3.1, §6)

class Membership:
    """Whom each event of a room may name (§3.2), by what is in its own past."""

    def __init__(self, create):
        self.creator, self.referee = create.author, create.payload["referee"]
        self.is_games = create.payload["room kind"] == GAMES
        self.grants = create.payload["seats"] + SPARE_GRANTS
        create.is_members, create.grants, create.requester = True, 0, None
        self.create = create

    def judge(self, event, previous, parents):
        """Notes what an event is whose links hold; raises `Bad` when it names what its author may not name."""
        event.grants, event.requester = 0, None
        request = None
        if event.author == self.creator:
            event.is_members = True
            event.grants = previous.grants
            if event.kind == "grant":
                event.grants += 1
                request = next((parent for parent in parents if parent.id == event.payload["request"]), None)
                event.requester = request and request.author
        else:
            event.is_members = (
                previous.is_members if previous else event.author == self.referee
            ) or any(parent.requester == event.author for parent in parents)
        for parent in parents:
            if not event.is_members:
                allowed = parent is self.create
            elif self.is_games or event.author == self.creator:
                allowed = parent.is_members or parent is request
            else:
                allowed = parent.author == self.creator
            if not allowed:
                raise Bad("it names what its author may not name", event)
        if not event.is_members and event.sequence > STRANGERS_EVENTS:
            raise Bad(f"somebody who is no member writes {STRANGERS_EVENTS} events at most", event)
        if event.grants > self.grants:
            raise Bad(f"a branch of the creator's feed has {self.grants} grants at most", event)


class Bundle:
    """One bundle's events, all of whose bytes, ids, links, signatures and order have been checked."""

    def __init__(self, data, wanted=STANDARD_NETWORK):
        self.data = data
        self.wanted = wanted
        self.at = 0
        self.events = []
        self.by_id = {}
        self.network = self.room = None
        self.signature_count = 0
        self.body_bytes = 0

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
        if self.data[:8] != b"PARLORB2":
            raise Bad("this is not a Parlor bundle")
        self.at = 8
        self.network = self.take(32)
        if self.network != self.wanted:
            raise Bad(f"the bundle belongs to another network, {self.network.hex()}")
        self.room = self.take(32)
        head_count, event_count, signature_count = self.number(4), self.number(8), self.number(8)
        self.check_counts(head_count, event_count, signature_count)
        heads = self.read_heads(head_count)
        self.read_records(event_count)
        if self.signature_count != signature_count:
            raise Bad(f"the bundle announces {signature_count} signatures and has {self.signature_count}")
        self.check_coverage()
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
        if signatures > events:
            raise Bad(f"{signatures} signatures are more than one for each of {events} events")

    def read_heads(self, count):
        heads = []
        for _ in range(count):
            author, sequence, head = self.take(32), self.number(8), self.take(32)
            if heads and (author, head) <= (heads[-1][0], heads[-1][2]):
                raise Bad("the bundle's heads are not in ascending order")
            heads.append((author, sequence, head))
        return heads

    def read_records(self, event_count):
        self.records = Records(self.room, self.events, self.by_id)
        self.followers = {}
        self.largest_since = LargestSince()
        while len(self.events) < event_count:
            body, is_signed = self.read_record()
            self.add(body)
            # A short record may stand for a long body.
            self.body_bytes += len(body)
            if self.body_bytes > MAXIMAL_BUNDLE_BYTES:
                raise Bad(f"its events have more than the {MAXIMAL_BUNDLE_BYTES} bytes that this reader takes")
            if is_signed:
                self.check_signature(self.take(64))
        # The last event is nobody's previous: nothing else could cover it.
        if not self.events[-1].signed:
            raise Bad("no signature covers it", self.events[-1])

    def read_record(self):
        """The next event's body, and whether its signature follows."""
        try:
            length, is_signed = divmod(read_number(self), 2)
            if length > RECORD_BYTES:
                raise Malformed(f"{length} bytes are more than {RECORD_BYTES}")
            return self.records.body(self.take(length)), is_signed
        except Malformed as malformed:
            raise Bad(f"not a record in its one form: {malformed}", Place(len(self.events) + 1)) from None

    def add(self, body):
        """Takes the next event after checking its form, its place and what it names."""
        position = len(self.events) + 1
        try:
            event = Event.decode(body)
        except Malformed as malformed:
            raise Bad(f"not a canonical event: {malformed}", Place(position, body)) from None
        event.id, event.position = blake2b(b"parlor-event-2", self.network, body), position
        event.signed, event.verdict = False, None
        self.check_room(event)
        if event.id in self.by_id:
            raise Bad("it is in the bundle twice", event)
        previous = self.check_names(event)
        self.check_order(event)
        if previous:
            self.followers[previous.id] = self.followers.get(previous.id, 0) + 1
        self.events.append(event)
        self.by_id[event.id] = event
        self.records.append(event)
        self.largest_since.append(event.order)

    def check_room(self, event):
        room = event.id if event.code == CREATE else event.room_field
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
        if event.code != CREATE and not self.events:
            raise Bad("the bundle does not begin with the room's create event", event)
        if self.events:
            self.membership.judge(event, previous, [self.by_id[name] for name in event.parents])
        else:
            self.membership = Membership(event)
        return previous

    def check_order(self, event):
        """An event that could have come before one that is greater is out of place."""
        named = [self.by_id[name].position for name in (event.previous, *event.parents) if name != ZERO]
        ready = max(named, default=1 if self.events else 0)
        largest = self.largest_since.after(ready)
        if largest is not None and largest > event.order:
            raise Bad("it is out of place in the bundle's order", event)

    def check_signature(self, signature):
        event = self.events[-1]
        try:
            crypto_sign_open(signature + b"parlor-signature-1" + event.id, event.author)
        except (CryptoError, ValueError):
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
        for event in self.events:
            self.check_run(event)

    def check_run(self, event):
        """What stands between the last signed event, or the parting of branches, and this one is bounded."""
        previous = self.by_id.get(event.previous)
        goes_on = previous and not previous.signed and self.followers[previous.id] == 1
        event.run_events = 1 + (previous.run_events if goes_on else 0)
        event.run_bytes = len(event.body) + (previous.run_bytes if goes_on else 0)
        if event.run_events > RUN_EVENTS or event.run_bytes > RUN_BYTES:
            raise Bad(f"more than {RUN_EVENTS} events or {RUN_BYTES} bytes under one signature", event)

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
    """Where an event should be: bytes that are no event have no id."""

    def __init__(self, position, body=None):
        self.position, self.id = position, None
        self.author = body and body[34:66]
        self.sequence = body and int.from_bytes(body[66:74], "big")
        self.name = body and kind_name(body[1])


# MARK: Rooms (§1)

class TooLarge(Exception):
    """A room that takes more memory or time than this reader spends on one."""


class Room:
    """What a room's events say together: who sits where, who starts, which events have no effect and why."""

    def __init__(self, bundle):
        self.events = bundle.events
        self.by_id = bundle.by_id
        self.id = bundle.room
        self.create = bundle.events[0]
        self.creator = self.create.author
        self.read_settings()
        self.feeds = {}
        self.forks = {}
        self.roster = {}
        self.start = self.first = self.draw = self.anchored = None
        self.used = set()
        self.budget = MAXIMAL_STEPS
        self.sort_feeds()
        # A quiz of thousands of players has many chains, and needs no more of pasts than what concerns its host.
        if not self.is_hosted:
            self.find_pasts()
            self.find_surplus()
        self.find_invites()

    def read_settings(self):
        """What the creator fixed; of an edition that is not known here only what all editions share is read."""
        content = self.create.payload["content"]
        is_read = not isinstance(content, bytes)
        self.settings = {**self.create.payload, **(content if is_read else UNREAD)}
        self.is_tournament = self.settings["room kind"] == TOURNAMENT
        self.draws_seeds = self.is_tournament and self.settings.get("starter") == 1
        self.is_hosted = self.settings["room kind"] == HOSTED
        self.is_known = self.settings["edition"] == EDITION
        self.has_play = is_read and not has_bad_opening(self.settings)
        for event in () if self.is_known else self.events:
            if event.kind not in SHARED:
                event.kind = None

    def spend(self, steps):
        """Counts work that grows faster than the room does."""
        self.budget -= steps
        if self.budget < 0:
            raise TooLarge()

    def sort_feeds(self):
        """Each author's events by sequence and id, and the lowest sequence that an author used twice."""
        for event in self.events:
            self.feeds.setdefault(event.author, []).append(event)
        for author, feed in self.feeds.items():
            feed.sort(key=place_in_feed)
            doubled = [one.sequence for one, two in zip(feed, feed[1:]) if one.sequence == two.sequence]
            if doubled:
                self.forks[author] = doubled[0]

    def find_pasts(self):
        """Gives each event its past: for each chain of events, how many of its first it had seen."""
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

    def find_invites(self):
        """§1.6: of each event of the creator's, whom its chain up to it invites; and the invites without effect."""
        self.invited, self.idle_invites = {ZERO: ()}, {}
        for event in self.feeds[self.creator]:
            chain = self.invited[event.previous]
            if event.kind == "invite":
                peer = event.payload["peer"]
                if peer in chain:
                    self.idle_invites[event.id] = "its peer was invited before"
                elif len(chain) >= MAXIMAL_INVITED:
                    self.idle_invites[event.id] = f"{MAXIMAL_INVITED} peers were invited before"
                else:
                    chain = (*chain, peer)
            self.invited[event.id] = chain

    def is_invited(self, peer, grant):
        """Whether a peer may have a seat by a grant, as the creator's chain before it says."""
        return self.settings["scope"] != SCOPE_INVITED or peer in self.invited[grant.previous]

    def admits(self, request):
        """Whether the room's policy of bots (§4.1) lets a request's author sit here."""
        bot, policy = request.payload["profile"]["bot"], self.settings
        if bot is None:
            return policy["bots"] != 2
        # A bot that declares no budget keeps to none.
        if bot["budget"] == 0 and (policy["only budgets"] or policy["largest budget"]):
            return False
        return policy["bots"] != 1 and (policy["largest budget"] == 0 or bot["budget"] <= policy["largest budget"])

    @staticmethod
    def knows(event, other):
        """Whether another event is in the causal past of one."""
        return event is not other and other.chain < len(event.clock) and event.clock[other.chain] >= other.depth

    def named(self, event, name, kind=None):
        """The event of this name in the causal past of another, when it is of the kind."""
        found = self.by_id.get(name)
        if found is None or not self.knows(event, found):
            return None
        return found if kind is None or found.kind == kind else None

    def find_surplus(self):
        """Of what was said before play, passes over what its author had said as often as it counts (§1.1)."""
        same = {}
        for event in self.events:
            if event.kind in ("request", "ready", "draw", "start", "leave"):
                if self.is_surplus(event, same.setdefault((event.author, event.kind), [])):
                    event.kind, event.verdict = None, SURPLUS

    def is_surplus(self, event, others):
        """Whether an event knows as many as count of the same of its author; else it is one of them."""
        if len(others) >= LIMIT_SAME:
            self.spend(len(others))
            if sum(self.knows(event, other) for other in others) >= LIMIT_SAME:
                return True
        others.append(event)
        return False

    def before_fork(self, event):
        return event.author not in self.forks or event.sequence < self.forks[event.author]

    # Seats (§1.2)

    def derive(self):
        """Finds who sits where and who starts; hosted rounds have their players by other rules."""
        if not self.is_hosted:
            self.find_start()
        self.find_anchored()
        if not self.start and not self.is_hosted:
            self.wait()
        for event in self.events:
            if event.id not in self.anchored or event.kind == "chat" and not self.before_fork(event):
                event.verdict = "its author's feed is forked"

    def chain_before(self, event):
        """An author's events before one, the first one first."""
        chain = []
        while event.previous != ZERO:
            event = self.by_id[event.previous]
            chain.append(event)
        self.spend(len(chain))
        return chain[::-1]

    def seats_by(self, feed):
        """Seat → (peer, grant, request) by the grants in a stretch of the creator's feed."""
        seats = {}
        own = self.settings["creator's seat"]
        if own != NO_SEAT:
            seats[own] = (self.creator, self.create, None)
        for grant in feed:
            if grant.kind == "grant":
                request = self.granted(grant, seats)
                if request:
                    seats[grant.payload["seat"]] = (request.author, grant, request)
        return seats

    def granted(self, grant, seats):
        """The request that a grant seats, after those that gave `seats`; None when it gives no seat."""
        seat = grant.payload["seat"]
        request = self.named(grant, grant.payload["request"], "request")
        if request is None or seat >= self.settings["seats"] or seat in seats:
            return None
        peer = request.author
        if request.payload["seat"] not in (NO_SEAT, seat) or peer == self.creator:
            return None
        if any(peer == holder for holder, _, _ in seats.values()):
            return None
        if not self.is_invited(peer, grant) or not self.admits(request):
            return None
        return None if self.has_left(peer, request, grant) else request

    def has_left(self, peer, request, event):
        """Whether a peer took a request back, or the creator left, in an event's past."""
        self.spend(len(self.feeds.get(peer, [])))
        return any(
            leave.kind == "leave" and self.knows(event, leave) and (request is None or self.knows(leave, request))
            and (self.is_tournament or leave.payload["node"] == ZERO)
            for leave in self.feeds.get(peer, []))

    def closed(self, seats):
        """The seats that are taken, numbered anew, where the room may be played by those alone (§1.2, start)."""
        if not 2 <= len(seats) < self.settings["seats"]:
            return seats
        players = re.search(r"(?m)^players=([0-9]+)$", self.settings["parameters"])
        if not self.is_tournament and (
                self.settings["room kind"] != GAMES or not players or players[1] != str(self.settings["seats"])):
            return seats
        return {number: seats[seat] for number, seat in enumerate(sorted(seats))}

    def roster_hash(self, seats):
        parts = [part for seat in sorted(seats) for part in (seats[seat][0], seats[seat][1].id)]
        return blake2b(b"parlor-roster-1", self.id, *parts)

    def seat_of(self, peer):
        """The seat that a peer holds in play, or None."""
        return next((seat for seat, taken in self.roster.items() if taken[0] == peer), None)

    def number_in_rounds(self, peer):
        """The number with which a peer commits in rounds: its seat's, or that of none for the referee; or None."""
        seat = self.seat_of(peer)
        is_referee = peer == self.settings["referee"] != ZERO and seat is None
        return NO_SEAT if is_referee else seat

    def first_in_past(self, event, author, kind, fits):
        """The first event of an author and kind in an event's past that fits."""
        self.spend(len(self.feeds.get(author, [])))
        for found in self.feeds.get(author, []):
            if found.kind == kind and self.knows(event, found) and fits(found):
                return found
        return None

    def readies(self, event, seats):
        """Seat → its first ready over these seats in an event's past."""
        roster = self.roster_hash(seats)
        found = {}
        for seat, (peer, _, _) in seats.items():
            ready = self.first_in_past(event, peer, "ready", lambda ready: ready.payload["roster"] == roster)
            if ready:
                found[seat] = ready
        return found

    def opens(self, draw, ready, seat, peer):
        """Whether a draw's nonce opens a ready's commitment (§1.5)."""
        commitment = blake2b(
            b"parlor-draw-1", self.id, ready.payload["roster"], seat.to_bytes(2, "big"), peer,
            key=draw.payload["nonce"])
        return commitment == ready.payload["commitment"]

    def draws(self, event, seats, readies):
        """Seat → its first draw in an event's past that opens its commitment after every seat was ready."""
        found = {}
        for seat, (peer, _, _) in seats.items():
            def fits(draw, seat=seat, peer=peer):
                return all(self.knows(draw, ready) for ready in readies.values()) \
                    and self.opens(draw, readies[seat], seat, peer)
            draw = self.first_in_past(event, peer, "draw", fits)
            if draw:
                found[seat] = draw
        return found

    def rulings_on_draws(self, event, seats, readies):
        """Seat → (ruling, claim): the referee's first that it did not open its part, in an event's past."""
        holders = {taken[0] for taken in seats.values()}
        found = {}
        if self.settings["referee"] in holders:
            return found
        for ruling in self.feeds.get(self.settings["referee"], []):
            self.spend(1)
            if ruling.kind != "ruling" or not self.knows(event, ruling):
                continue
            claim = self.named(ruling, ruling.payload["claim"], "claim")
            if claim is None or claim.author not in holders:
                continue
            seat = claim.payload["silent"]
            ready = readies.get(seat)
            if ready and claim.payload["node"] == ready.id and self.knows(claim, ready) and seat not in found \
                    and all(self.knows(ruling, other) for other in readies.values()):
                found[seat] = (ruling, claim)
        return found

    def begin(self, start):
        """Who plays from a start on, who moves first, and what the start rests on; None when it begins nothing."""
        if self.draws_seeds:
            drawn, used = self.seeded(self.chain_before(start), lambda event: self.knows(start, event))
            if drawn is None or start.payload["roster"] != self.roster_hash(drawn):
                return None
            return drawn, 0, None, used | {start.id} | {grant.id for _, grant, _ in drawn.values()}
        taken = self.seats_by(self.chain_before(start))
        seats = self.closed(taken)
        is_whole = len(seats) == self.settings["seats"] or seats is not taken
        if not is_whole or start.payload["roster"] != self.roster_hash(seats):
            return None
        used = {start.id} | {grant.id for _, grant, _ in seats.values()}
        if self.is_tournament:
            return seats, 0, None, used
        if self.has_left(self.creator, None, start) or any(
                self.has_left(peer, request, start) for peer, _, request in seats.values()):
            return None
        readies = self.readies(start, seats)
        if len(readies) != len(seats):
            return None
        used |= {ready.id for ready in readies.values()}
        if self.settings["starter"] == 0:
            return seats, 0, None, used
        draws = self.draws(start, seats, readies)
        used |= {draw.id for draw in draws.values()}
        if len(draws) < len(seats):
            rulings = self.rulings_on_draws(start, seats, readies)
            if not draws or any(seat not in draws and seat not in rulings for seat in seats):
                return None
            for seat in set(rulings) - set(draws):
                used |= {event.id for event in rulings[seat]}
            return seats, min(draws), {"seats": len(draws), "first": min(draws) + 1, "combined": None}, used
        combined = blake2b(b"parlor-joint-1", self.id, *(draws[seat].payload["nonce"] for seat in sorted(draws)))
        first = int.from_bytes(combined[:8], "big") % len(seats)
        return seats, first, {"seats": len(draws), "first": first + 1, "combined": combined.hex()}, used

    def call(self, feed):
        """The organizer's call to draw the seeds in its feed, and where it has opened its part: the first of which it
        has, or the last one."""
        call = None
        for event in feed:
            if event.kind == "ready":
                call = event
            elif event.kind == "draw" and call and self.opens(event, call, NO_SEAT, self.creator):
                return call, event
        return call, None

    def seeded(self, feed, counts):
        """Who has drawn a seed, by it, and what that rests on, of the events that count; None for who where fewer than
        two have drawn."""
        call, opening = self.call(feed)
        if call is None:
            return None, set()
        taken = self.seats_by(feed[:feed.index(call)])
        seats = self.closed(taken)
        is_whole = len(seats) == self.settings["seats"] or seats is not taken
        if not is_whole or call.payload["roster"] != self.roster_hash(seats):
            return None, set()
        used, nonces = {event.id for event in (call, opening) if event}, {}
        for seat, (peer, _, _) in sorted(seats.items()):
            ready, draw = (call, opening) if peer == self.creator else self.part(peer, seat, call, opening, counts)
            used |= {event.id for event in (ready, draw) if event}
            if draw:
                nonces[seat] = draw.payload["nonce"]
        if len(nonces) < 2:
            return None, used
        drawn = [nonces[seat] for seat in nonces if seats[seat][0] != self.creator] + [opening.payload["nonce"]]
        order = sorted(nonces, key=lambda seat: blake2b(b"parlor-seed-1", self.id, seats[seat][0], *drawn))
        return {number: seats[seat] for number, seat in enumerate(order)}, used

    def part(self, peer, seat, call, opening, counts):
        """An entrant's answer to the organizer's call, and where it has opened its part of the draw."""
        feed = [event for event in self.feeds.get(peer, []) if counts(event)]
        self.spend(len(self.feeds.get(peer, [])))
        ready = next((
            event for event in feed
            if event.kind == "ready" and event.payload["roster"] == call.payload["roster"] and self.knows(event, call)
            and (opening is None or self.knows(opening, event))), None)
        if ready is None or opening is None:
            return ready, None
        return ready, next((
            event for event in feed
            if event.kind == "draw" and self.knows(event, opening) and self.opens(event, ready, seat, peer)), None)

    def wait(self):
        """Who sits where so far, and whose words for a start hold, in a room without one."""
        self.roster = self.seats_by([event for event in self.feeds[self.creator] if self.before_fork(event)])
        self.used = {grant.id for _, grant, _ in self.roster.values()}
        closed = self.closed(self.roster)
        if self.draws_seeds:
            own = [event for event in self.feeds[self.creator] if self.before_fork(event)]
            self.used |= self.seeded(own, lambda event: event.id in self.anchored)[1]
        if self.is_tournament or len(closed) != self.settings["seats"] and closed is self.roster:
            return
        end = Event()
        end.chain, end.clock = 0, [0]
        for event in self.events:
            if event.id in self.anchored:
                end.clock.extend([0] * (event.chain + 1 - len(end.clock)))
                end.clock[event.chain] = max(end.clock[event.chain], event.depth)
        readies = self.readies(end, closed)
        if closed is not self.roster and not any(ready.author == self.creator for ready in readies.values()):
            return
        self.roster = closed
        self.used |= {ready.id for ready in readies.values()}
        if self.settings["starter"] == 1 and len(readies) == len(self.roster):
            self.used |= {draw.id for draw in self.draws(end, self.roster, readies).values()}

    def find_start(self):
        """The first start that has all it needs.

        None where several stand, because a forked creator showed each to a seat that went on from it: each has a
        table of its own then, and for a reader, who sits at none of them, the creator has closed the room.
        """
        starts = [event for event in self.feeds[self.creator] if event.kind == "start"]
        complete = [(start, begun) for start, begun in ((start, self.begin(start)) for start in starts) if begun]
        followed = [self.followed(start, begun[0]) for start, begun in complete]
        standing = []
        for (start, begun), events in zip(complete, followed):
            if any(self.knows(start, other) for other, _ in standing):
                continue
            # Another start, of which a seat heard later, takes nothing back.
            is_backed = any(
                all(event.sequence <= other[peer].sequence for other in followed if peer in other)
                for peer, event in events.items())
            if self.before_fork(start) or is_backed:
                standing.append((start, begun))
        if len(standing) == 1:
            self.start, (self.roster, self.first, self.draw, self.used) = standing[0]

    def followed(self, start, seats):
        """Of each seat but the creator's and those with a fork of their own, the first event that knows a start."""
        followed = {}
        if not self.forks:
            return followed
        for peer in {peer for peer, _, _ in seats.values()} - {self.creator} - set(self.forks):
            self.spend(len(self.feeds.get(peer, [])))
            first = next((event for event in self.feeds.get(peer, []) if self.knows(event, start)), None)
            if first:
                followed[peer] = first
        return followed

    def find_anchored(self):
        """§1.4: what of forked feeds still counts."""
        if not self.forks:
            self.anchored = self.by_id
            return
        members = {self.creator}
        if self.start and not self.is_tournament:
            members = {peer for peer, _, _ in self.roster.values()} | {self.settings["referee"]}
        stack = [event for event in self.events if self.before_fork(event) and event.author in members]
        if self.start:
            stack.append(self.start)
        anchored = set()
        while stack:
            event = stack.pop()
            if event.id not in anchored:
                anchored.add(event.id)
                stack.extend(self.by_id[name] for name in (event.previous, *event.parents) if name != ZERO)
        self.anchored = anchored | {event.id for event in self.events if self.before_fork(event)}

    def judge_lobby(self):
        """Says which events of seating and starting have no effect, and of those that its room has no use for."""
        self.find_words()
        for event in self.events:
            if event.verdict is None and event.id not in self.used:
                event.verdict = self.lobby_fault(event)

    def places(self):
        """How many entrants a tournament may have with those that come in after its start; 0 where nobody may."""
        return min(self.settings["seats"], LATE_ENTRANTS.get(self.settings.get("format"), 0))

    def enter(self, grant):
        """Seats whom a grant after the start lets into a tournament, behind all others; says whether it does."""
        seat, request = grant.payload["seat"], self.named(grant, grant.payload["request"], "request")
        if request is None or seat != len(self.roster) or seat >= self.places():
            return False
        peer = request.author
        self.spend(len(self.roster))
        if peer == self.creator or self.seat_of(peer) is not None or not self.is_invited(peer, grant) \
                or not self.admits(request) or self.has_left(peer, request, grant):
            return False
        self.roster[seat] = (peer, grant, request)
        self.used.add(grant.id)
        return True

    def find_words(self):
        """The organizer's words of a tournament that has begun: the first one on each attempt at each pairing and on
        each entrant, the first one after each that is revoked, and whom it lets in."""
        self.words, self.starters = {}, len(self.roster)
        subjects, decisions, revocations = set(), {}, 0
        for event in self.feeds[self.creator]:
            if not self.before_fork(event) or not self.is_late(event):
                continue
            if event.kind == "revoke":
                word = event.payload["word"]
                if word not in decisions or revocations == LIMIT_REVOCATIONS:
                    continue
                subjects.remove(decisions.pop(word))
                revocations += 1
            elif event.kind == "grant":
                if not self.enter(event):
                    continue
            else:
                subject = self.subject_of(event)
                if subject is None or subject in subjects:
                    continue
                subjects.add(subject)
                if is_decision(event):
                    decisions[event.id] = subject
            self.words[event.id] = event

    def subject_of(self, event):
        """What an organizer's event is a word on."""
        if event.kind == "pairing-result":
            return event.payload["pairing"], event.payload["attempt"]
        if event.kind == "disqualify" and self.seat_of(self.creator) is None and event.payload["seat"] in self.roster:
            return event.payload["seat"]
        return None

    def lobby_fault(self, event):
        if event.kind is None:
            return UNREADABLE
        if event.kind in ("grant", "start", "invite") and event.author != self.creator:
            return "its author is not the creator"
        has_places = self.starters < self.places()
        if event.kind == "request" and (event.author == self.creator or self.is_late(event) and not has_places):
            return "its author may not ask for a seat any more"
        if event.kind == "request" and not self.admits(event):
            return "the room's policy of bots does not admit its author"
        if event.kind == "invite":
            return self.idle_invites.get(event.id)
        if event.kind in ("ready", "draw") and self.is_tournament and not self.draws_seeds:
            return "a tournament has no such events"
        if event.kind in HOSTED_KINDS:
            return "a room without hosted rounds has no such events"
        if event.kind in ("grant", "ready", "draw", "start"):
            return "it came too late, or without what it needs before it"
        if event.kind == "leave" and (
                self.is_tournament or not self.has_play or not self.start or self.seat_of(event.author) is None):
            return self.leave_fault(event)
        if not self.has_play and event.kind not in LOBBY:
            return "nothing has an effect on play in this room"
        if event.kind in LOBBY:
            return None
        if self.is_tournament:
            return self.tournament_fault(event)
        return None if self.start else "play had not begun"

    def tournament_fault(self, event):
        """Why an event that is not of the waiting room has no effect in a tournament."""
        if event.kind not in ("pairing-result", "disqualify", "revoke"):
            return "a tournament has no such events"
        if event.author != self.creator:
            return "its author is not the creator"
        if event.kind == "disqualify" and self.seat_of(self.creator) is not None:
            return "its author has a seat, and may disqualify nobody"
        if event.id in self.words:
            return None
        return {
            "revoke": "it came too early or too often, or names no decision that stands",
            "disqualify": "it came too early, names no entrant, or another one came first",
        }.get(event.kind, "it came too early, or another word on that attempt came first")

    def leave_fault(self, leave):
        """Why a leaving from the waiting room has no effect."""
        if leave.payload["node"] != ZERO and not self.is_tournament:
            return "it names a node of play in which its author has no part"
        if leave.author == self.creator and (self.is_tournament or not self.start):
            return None
        has_asked = any(
            request.kind == "request" and self.knows(leave, request) for request in self.feeds[leave.author])
        return None if has_asked else "its author had not asked for a seat"

    def is_late(self, event):
        return self.start is not None and self.knows(event, self.start)

    def leaves_seat(self, event):
        """Whether somebody who had not seen the start gives up a seat."""
        seat = self.seat_of(event.author)
        if event.kind != "leave" or event.payload["node"] != ZERO or seat is None or self.is_late(event):
            return False
        request = self.roster[seat][2]
        return request is None or self.knows(event, request)


def place_in_feed(event):
    """The order of one author's events; on the branches of a fork the lower id comes first."""
    return (event.sequence, event.id)


# MARK: Games of two in turn (§4.2)

class Position:
    """Where a game of two stands: whose stone is on which cell, of the player 0 that moves first or of the other, 1."""

    def __init__(self, cells, **more):
        self.stones, self.mover, self.is_over, self.winner = [None] * cells, 0, False, None
        self.__dict__.update(more)

    def copy(self):
        twin = object.__new__(Position)
        twin.__dict__ = {
            name: list(value) if isinstance(value, list) else value for name, value in self.__dict__.items()}
        return twin


class TurnGame:
    """Rules of two who move in turn. A game is the list of its moves' codes."""

    # The moves that were asked for last, and where each of them has led.
    known, positions = [], None

    def position(self, codes):
        """Where moves lead that are legal."""
        shared = next((
            ply for ply, (one, other) in enumerate(zip(self.known, codes)) if one != other),
            min(len(self.known), len(codes)))
        positions = self.positions[:shared + 1] if self.positions else [self.start()]
        for code in codes[shared:]:
            positions.append(positions[-1].copy())
            self.play(positions[-1], code)
        self.known, self.positions = list(codes), positions
        return positions[-1]

    def is_legal(self, codes, code):
        position = self.position(codes)
        return not position.is_over and self.may(position, code)

    def is_opening(self, codes):
        """Whether moves are legal one after the other, and leave a game that goes on."""
        return all(
            self.is_legal(codes[:ply], code) and not self.position(codes[:ply + 1]).is_over
            for ply, code in enumerate(codes))


class LineGame(TurnGame):
    """Stones are put on a grid, black first, and a line of so many of one's own wins."""

    def __init__(self, columns, rows, length, is_exact=False, has_gravity=False, is_from_below=False):
        self.columns, self.rows, self.length = columns, rows, length
        self.is_exact, self.has_gravity, self.is_from_below = is_exact, has_gravity, is_from_below

    def start(self):
        return Position(self.columns * self.rows, count=0, black=0)

    def landing(self, position, code):
        """The cell, row by row from the top, on which a move's stone comes to lie; None where there is none."""
        if self.has_gravity:
            column = range(code, len(position.stones), self.columns) if code < self.columns else ()
            return next((cell for cell in reversed(column) if position.stones[cell] is None), None)
        if code >= len(position.stones):
            return None
        row, column = divmod(code, self.columns)
        cell = (self.rows - 1 - row) * self.columns + column if self.is_from_below else code
        return cell if position.stones[cell] is None else None

    def may(self, position, code):
        return self.landing(position, code) is not None

    def play(self, position, code):
        self.put(position, self.landing(position, code))
        position.mover = (position.black + position.count) % 2

    def put(self, position, cell):
        """Puts a stone of the next colour."""
        colour = position.count % 2
        position.stones[cell] = colour
        position.count += 1
        lengths = [self.run(position.stones, cell, step) for step in ((1, 0), (0, 1), (1, 1), (1, -1))]
        if any(length == self.length or length > self.length and not self.is_exact for length in lengths):
            position.winner = position.mover
        position.is_over = position.winner is not None or position.count == len(position.stones)

    def run(self, stones, cell, step):
        """How many stones of a colour stand through a cell in one direction, without a gap."""
        count = 1
        for sign in (-1, 1):
            row, column = divmod(cell, self.columns)
            while True:
                column, row = column + sign * step[0], row + sign * step[1]
                is_inside = 0 <= column < self.columns and 0 <= row < self.rows
                if not is_inside or stones[row * self.columns + column] != stones[cell]:
                    break
                count += 1
        return count


class Gomoku(LineGame):
    """Gomoku, which may begin with the opening swap2: three stones, a choice, and perhaps two more and another one."""

    def __init__(self, is_exact, has_opening):
        super().__init__(15, 15, 5, is_exact=is_exact, is_from_below=True)
        self.has_opening = has_opening

    def start(self):
        position = super().start()
        position.stage = "opening" if self.has_opening else "play"
        return position

    def choice(self, position, code):
        """What a code behind those of cells chooses."""
        return {0: "white", 1: "black", 2: "two"}.get(code - len(position.stones))

    def may(self, position, code):
        choice = self.choice(position, code)
        if position.stage in ("answer", "choice"):
            return choice is not None and (choice != "two" or position.stage == "answer")
        return choice is None and super().may(position, code)

    def play(self, position, code):
        choice = self.choice(position, code)
        if choice == "two":
            position.stage = "addition"
        elif choice:
            position.black = position.mover if choice == "black" else 1 - position.mover
            position.stage = "play"
        else:
            self.put(position, self.landing(position, code))
            if (position.stage, position.count) in (("opening", 3), ("addition", 5)):
                position.stage = "answer" if position.count == 3 else "choice"
        if position.stage == "play":
            position.mover = (position.black + position.count) % 2
        else:
            position.mover = int(position.stage in ("answer", "addition"))


class UltimateTicTacToe(TurnGame):
    """Nine boards of three by three; a code is nine times the small board and the cell on it, which says on which one
    the other moves."""

    THREES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    # A small board that is full, and that nobody has won.
    FULL = 2

    def start(self):
        return Position(81, boards=[None] * 9, target=None)

    def has_three(self, cells, player):
        return any(all(cells[cell] == player for cell in three) for three in self.THREES)

    def may(self, position, code):
        return code < 81 and position.boards[code // 9] is None and position.stones[code] is None \
            and position.target in (None, code // 9)

    def play(self, position, code):
        board, cell = divmod(code, 9)
        position.stones[code] = position.mover
        small = position.stones[9 * board:9 * board + 9]
        if self.has_three(small, position.mover):
            position.boards[board] = position.mover
        elif None not in small:
            position.boards[board] = self.FULL
        position.target = cell if position.boards[cell] is None else None
        if self.has_three(position.boards, position.mover):
            position.winner = position.mover
        position.is_over = position.winner is not None or None not in position.boards
        position.mover = 1 - position.mover


class Othello(TurnGame):
    """A stone turns the other side's that it encloses. Who has no move passes, which nobody writes."""

    STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]

    def start(self):
        position = Position(64)
        position.stones[28] = position.stones[35] = 0
        position.stones[27] = position.stones[36] = 1
        return position

    def turned(self, stones, cell, player):
        """The stones that a player's stone on a cell turns."""
        found = []
        for step in self.STEPS if stones[cell] is None else ():
            enclosed, (row, column) = [], divmod(cell, 8)
            while True:
                column, row = column + step[0], row + step[1]
                stone = stones[8 * row + column] if 0 <= column < 8 and 0 <= row < 8 else None
                if stone != 1 - player:
                    found += enclosed if stone == player else []
                    break
                enclosed.append(8 * row + column)
        return found

    def may(self, position, code):
        return code < 64 and bool(self.turned(position.stones, code, position.mover))

    def play(self, position, code):
        for cell in [*self.turned(position.stones, code, position.mover), code]:
            position.stones[cell] = position.mover
        can_move = [any(self.turned(position.stones, cell, player) for cell in range(64)) for player in (0, 1)]
        if can_move[1 - position.mover]:
            position.mover = 1 - position.mover
        elif not can_move[position.mover]:
            position.is_over = True
            counts = [position.stones.count(player) for player in (0, 1)]
            position.winner = None if counts[0] == counts[1] else int(counts[1] > counts[0])


def k_in_a_row(parameters):
    """K in a row by its parameters; None where they are none."""
    found = re.fullmatch(
        r"exact=(no|yes)\ngravity=(no|yes)\nheight=([1-9][0-9]?)\nline=([1-9][0-9]?)\nwidth=([1-9][0-9]?)\n",
        parameters)
    if not found:
        return None
    (rows, length, columns), sides = (int(number) for number in found.groups()[2:]), range(3, 20)
    fits = rows in sides and columns in sides and 3 <= length <= max(rows, columns)
    return LineGame(columns, rows, length, found[1] == "yes", found[2] == "yes", True) if fits else None


def gomoku(parameters):
    """Gomoku by its parameters; None where they are none."""
    found = re.fullmatch(r"line=(free|exact)\nopening=(none|swap2)\n", parameters)
    return found and Gomoku(found[1] == "exact", found[2] == "swap2")


def without_parameters(game):
    return lambda parameters: game if parameters == "" else None


# The rules of two who move in turn, by name, each by its parameters; all of version 1.
TURN_GAMES = {
    "tic-tac-toe": without_parameters(LineGame(3, 3, 3)),
    "connect-four": without_parameters(LineGame(7, 6, 4, has_gravity=True)),
    "k-in-a-row": k_in_a_row,
    "gomoku": gomoku,
    "ultimate-tic-tac-toe": without_parameters(UltimateTicTacToe()),
    "othello": without_parameters(Othello()),
}

STEPS = ("move", "resign", "leave", "draw-accept", "undo-accept", "ruling")


def turn_game(settings):
    """The rules of a room of two who move in turn; None where this reader does not know them."""
    is_known = settings["room kind"] == GAMES and settings["rules"] in TURN_GAMES and settings["rules version"] == 1
    return TURN_GAMES[settings["rules"]](settings["parameters"]) if is_known and settings["seats"] == 2 else None


def has_bad_opening(settings):
    """Whether games would begin with moves that the rules do not allow."""
    is_known = settings["rules"] in TURN_GAMES and settings["rules version"] == 1
    game = TURN_GAMES[settings["rules"]](settings["parameters"]) if is_known else None
    return game is not None and not all(game.is_opening(codes) for codes in settings.get("openings", []))


class Line:
    """The line of play so far (§1.1): where it stands, and the games that it has brought."""

    def __init__(self, game, start, first, settings):
        self.game, self.first, self.games_limit, self.target = game, first, settings["games"], settings["target"]
        self.tip, self.root = start, start
        self.openings = settings["openings"]
        self.number, self.codes = 0, self.opening(0)
        self.games = []
        self.agreed = 0
        self.is_over = False
        # Every node of the line, as an id → (game, ply, seat that moves); what is on it besides nodes.
        self.places, self.used = {}, set()
        self.stand(start)

    def copy(self):
        twin = object.__new__(Line)
        twin.__dict__.update(self.__dict__)
        twin.codes, twin.games = list(self.codes), list(self.games)
        twin.places, twin.used = dict(self.places), set(self.used)
        return twin

    def opening(self, number):
        """The moves from which a game begins: the same for two games in a row."""
        return list(self.openings[number // 2 % len(self.openings)]) if self.openings else []

    @property
    def ply(self):
        return len(self.codes)

    @property
    def has_moves(self):
        """Whether anything of the game was played but its opening."""
        return self.ply > len(self.opening(self.number))

    @property
    def turn(self):
        """The seat that moves."""
        return (self.first + self.number + self.game.position(self.codes).mover) % 2

    def stand(self, event):
        self.tip = event
        self.places[event.id] = (self.number, self.ply, self.turn)

    def move(self, event):
        self.codes = self.codes + [event.payload["code"]]
        self.stand(event)
        position = self.game.position(self.codes)
        if position.is_over:
            scores = [0, 0]
            if position.winner is not None:
                scores[(self.first + self.number + position.winner) % 2] = 1
            self.end(event, "rules", None, scores)

    def take_back(self, accept, request):
        self.codes = self.codes[:request.payload["ply"]]
        self.stand(accept)
        self.used.add(request.id)

    def agree_on_draw(self, accept, offer):
        """The ending that both seats chose: nobody wins."""
        self.stand(accept)
        self.used.add(offer.id)
        self.end(accept, "draw-agreed", None, [0, 0])

    def forfeit(self, event, cause, loser):
        """An ending that the rules do not give; a game that was left before its first move never was."""
        self.stand(event)
        never_was = cause == "left" and not self.has_moves
        self.end(event, cause, loser, None if never_was else [int(seat != loser) for seat in (0, 1)])
        if cause == "left":
            self.is_over = True

    def end(self, event, cause, seat, scores):
        self.games.append({
            "game": self.number + 1, "first": (self.first + self.number) % 2 + 1,
            "moves": [code + 1 for code in self.codes], "cause": cause, "seat": None if seat is None else seat + 1,
            "scores": scores, "event": event.id.hex()})
        self.is_over = len(self.games) == self.games_limit or self.reaches_target()
        if not self.is_over:
            self.number, self.codes, self.root = self.number + 1, self.opening(self.number + 1), event
            self.stand(event)

    def reaches_target(self):
        """Whether a seat has won as many games as end the series."""
        scores = [game["scores"] for game in self.games if game["scores"]]
        return self.target > 0 and any(
            sum(score[seat] > score[1 - seat] for score in scores) >= self.target for seat in (0, 1))


class Turns:
    """Finds the line of play of a room of two seats that move in turn (§1.1 to §1.4)."""

    def __init__(self, room):
        self.room, self.game = room, turn_game(room.settings)
        self.steps = {}
        self.results = {}
        self.early_leaves = []
        # Refusals of draws, by the id of the offer.
        self.declines = {}
        self.unfounded = set()
        same = {}
        for event in room.events:
            self.place(event, same)

    # What stands on what

    def place(self, event, same):
        """Notes which node an event stands on, when all that it names is in its past."""
        if event.kind not in (*STEPS, "undo-request", "draw-offer", "draw-decline", "claim", "result"):
            return
        if event.kind == "leave" and event.payload["node"] == ZERO:
            self.early_leaves.append(event)
            return
        node = self.foundation(event)
        if node is None:
            self.unfounded.add(event.id)
            return
        place = {"draw-decline": "offer", "result": "game"}.get(event.kind)
        key = (event.author, event.kind, event.payload[place] if place else node)
        if self.room.is_surplus(event, same.setdefault(key, [])):
            self.unfounded.add(event.id)
            event.verdict = event.verdict or SURPLUS
        elif event.kind in STEPS:
            self.steps.setdefault(node, []).append(event)
        elif event.kind == "draw-decline":
            self.declines.setdefault(event.payload["offer"], []).append(event)
        elif event.kind == "result":
            self.results.setdefault(event.payload["game"], []).append(event)

    def foundation(self, event):
        """The id of the node that an event stands on, through the request, offer or claim that it names."""
        room = self.room
        if event.kind in ("draw-accept", "draw-decline"):
            offer = room.named(event, event.payload["offer"], "draw-offer")
            if offer is None or offer.id in self.unfounded:
                return None
            if event.kind == "draw-decline":
                return offer.payload["node"]
        if event.kind in ("undo-accept", "ruling"):
            kind, field = ("undo-request", "request") if event.kind == "undo-accept" else ("claim", "claim")
            named = room.named(event, event.payload[field], kind)
            return None if named is None or named.id in self.unfounded else named.payload["node"]
        named = room.named(event, event.payload["node"])
        return named and named.id

    def candidates(self, line):
        """The anchored steps of seats and the referee at the tip; at the start also earlier leavings."""
        room = self.room
        found = list(self.steps.get(line.tip.id, []))
        if line.tip is room.start:
            found += [leave for leave in self.early_leaves if room.leaves_seat(leave)]
        room.spend(len(found))
        return [
            event for event in found if event.id in room.anchored
            and (room.seat_of(event.author) is not None or event.author == room.settings["referee"])]

    # What may be done

    def is_legal(self, line, event):
        move = event.payload
        return event.kind == "move" and self.room.seat_of(event.author) == line.turn \
            and (move["game"], move["ply"]) == (line.number, line.ply) \
            and self.game.is_legal(line.codes, move["code"])

    def accepted(self, line, event):
        """The request that an accept agrees to; None when it may not be."""
        request = self.room.by_id[event.payload["request"]]
        seats = {self.room.seat_of(request.author), self.room.seat_of(event.author)}
        allowed = self.room.settings["flags"] & 1 and seats == {0, 1} \
            and len(line.opening(line.number)) <= request.payload["ply"] < line.ply
        return request if allowed else None

    def accepted_draw(self, line, event):
        """The offer of a draw that an accept takes; None when it may not: it lapses when the other seat moves."""
        room = self.room
        offer = room.by_id[event.payload["offer"]]
        if {room.seat_of(offer.author), room.seat_of(event.author)} != {0, 1}:
            return None
        node = line.tip.id
        while node != offer.payload["node"]:
            move = room.by_id[node]
            room.spend(1)
            if node == line.root.id or move.kind != "move" or move.author != offer.author:
                return None
            node = move.payload["node"]
        declined = any(
            other.author == event.author and room.knows(event, other) for other in self.declines.get(offer.id, []))
        return None if declined else offer

    def ruled(self, line, event):
        """The claim that a ruling grants; None when it may not be."""
        claim = self.room.by_id[event.payload["claim"]]
        allowed = event.author == self.room.settings["referee"] and self.room.seat_of(event.author) is None \
            and claim.payload["silent"] == line.turn and self.room.seat_of(claim.author) is not None
        return claim if allowed else None

    def may(self, line, event):
        """Whether a step may be taken at the tip, whatever else stands there."""
        if event.kind == "move":
            return self.is_legal(line, event)
        if event.kind == "undo-accept":
            return self.accepted(line, event) is not None
        if event.kind == "draw-accept":
            return self.accepted_draw(line, event) is not None
        if event.kind == "ruling":
            return self.ruled(line, event) is not None
        return self.room.seat_of(event.author) is not None

    def take(self, line, event, as_offence=False):
        if as_offence:
            line.forfeit(event, "offence", self.room.seat_of(event.author))
        elif event.kind == "move":
            line.move(event)
        elif event.kind == "undo-accept":
            line.take_back(event, self.accepted(line, event))
        elif event.kind == "draw-accept":
            line.agree_on_draw(event, self.accepted_draw(line, event))
        elif event.kind == "ruling":
            claim = self.ruled(line, event)
            line.used.add(claim.id)
            line.forfeit(event, "ruled", claim.payload["silent"])
        else:
            cause = "left" if event.kind == "leave" else "resigned"
            line.forfeit(event, cause, self.room.seat_of(event.author))

    # The order at one node

    def walk(self):
        """The line as far as the events lead."""
        line = Line(self.game, self.room.start, self.room.first, self.room.settings)
        while not line.is_over:
            agreed = self.agreed_line(line)
            if agreed:
                line = agreed
                continue
            step = self.step(line)
            if step is None:
                break
            self.take(line, *step)
        return line

    def step(self, line):
        """The step that is taken at the tip, and whether as an offence."""
        found = [event for event in self.candidates(line) if self.may(line, event)]
        if len(found) == 1 and found[0].kind == "move":
            return found[0], False
        found.sort(key=place_in_feed)
        moves = [event for event in found if event.kind == "move"]
        for second in moves[1:]:
            if not self.has_moved_on(second, line.number):
                return second, True
        self.room.spend(len(found) ** 2)
        fresh = [event for event in found if not any(self.room.knows(event, other) for other in found)]
        best = min(fresh, key=self.rank, default=None)
        return None if best is None or best in moves[1:] else (best, False)

    def rank(self, event):
        place = {"ruling": 0, "resign": 1, "leave": 1, "draw-accept": 2, "undo-accept": 3, "move": 4}[event.kind]
        seat = self.room.seat_of(event.author) if place in (1, 2, 3) else 0
        return (place, seat, *place_in_feed(event))

    def has_moved_on(self, event, number):
        """Whether an event's author had written a move of a later game before it."""
        return any(
            other.kind in ("move", "commit", "reveal") and other.payload["game"] > number
            for other in self.room.chain_before(event))

    # Agreement (§1.3)

    def results_by_seat(self, number):
        """Each seat's result of a game, None where it has none: the seat's first; of a seat whose feed is forked, the
        first that says what the other seat signed, where that has no fork."""
        own = [
            sorted((
                event for event in self.results.get(number, [])
                if event.author == self.room.roster[seat][0] and event.id in self.room.anchored), key=place_in_feed)
            for seat in (0, 1)]
        forked = [self.room.roster[seat][0] in self.room.forks for seat in (0, 1)]
        firsts = [events[0] if events else None for events in own]
        for seat in (0, 1):
            if forked[seat] and not forked[1 - seat] and firsts[1 - seat]:
                same = (event for event in own[seat] if event.payload == firsts[1 - seat].payload)
                firsts[seat] = next(same, firsts[seat])
        return firsts

    def first_results(self, number):
        """Each seat's result of a game; None unless every seat has one and they say the same."""
        firsts = self.results_by_seat(number)
        return firsts if all(firsts) and firsts[0].payload == firsts[1].payload else None

    def agreed_line(self, line):
        """The line led on to the next ending that all seats signed, when it stands at a game's beginning."""
        if line.tip is not line.root or line.has_moves:
            return None
        for number in sorted(self.results):
            firsts = self.first_results(number) if number >= line.number else None
            path = firsts and self.path(line.root, firsts[0].payload["node"])
            if not path:
                continue
            honest = next((seat for seat in (0, 1) if self.room.roster[seat][0] not in self.room.forks), 0)
            forced = self.follow(line.copy(), path, firsts[0].payload, firsts[honest])
            if forced:
                forced.agreed = number + 1
                return forced
        return None

    def path(self, root, name):
        """The steps from a node to another, by what each names; None when they do not lead there."""
        room, path = self.room, []
        while name != root.id:
            event = room.by_id[name]
            room.spend(1)
            if event.kind not in STEPS or event.id not in room.anchored or event.id in self.unfounded:
                return None
            path.append(event)
            early = event.kind == "leave" and event.payload["node"] == ZERO
            name = room.start.id if early else self.foundation(event)
        return path[::-1]

    def follow(self, line, path, signed, result):
        """The line after the steps of a path that all seats agreed on; None when one may not be taken."""
        for event, following in zip(path, [*path[1:], None]):
            if line.is_over or event not in self.candidates(line) or not self.may(line, event):
                return None
            self.take(line, event, event.kind == "move" and self.is_offence(line, event, following, signed, result))
        ending = line.games[-1] if line.games else None
        fits = ending and (ending["game"], ending["event"], ending["scores"]) == (
            signed["game"] + 1, signed["node"].hex(), signed["scores"])
        return line if fits else None

    def is_offence(self, line, event, following, signed, result):
        """Whether the seats took a second move on a node for an offence rather than for a move."""
        earlier = any(
            self.room.knows(result, other) and place_in_feed(other) < place_in_feed(event)
            for other in self.candidates(line) if self.is_legal(line, other))
        if not earlier:
            return False
        if following is None:
            return [int(seat != line.turn) for seat in (0, 1)] == signed["scores"]
        return following.kind != "move" or following.payload["game"] != line.number

    # The whole room

    def replay(self):
        """The line, its games as a report has them, and the first false result."""
        line = self.walk()
        games = list(line.games)
        is_forked = any(taken[0] in self.room.forks for taken in self.room.roster.values())
        if not line.is_over and (line.codes or is_forked):
            games.append({
                "game": line.number + 1, "first": (line.first + line.number) % 2 + 1,
                "moves": [code + 1 for code in line.codes], "cause": "not over", "seat": None, "scores": None,
                "event": None})
        for game in games:
            game["level"] = "agreed" if game["game"] <= line.agreed else "provisional"
        self.settle_forks(line, games)
        self.judge(line, games)
        return games, self.false_result(games)

    def settle_forks(self, line, games):
        """A seat that forked its feed loses what was begun and is not agreed; two such seats make it void."""
        forked = sorted(seat for seat, taken in self.room.roster.items() if taken[0] in self.room.forks)
        if not forked:
            return
        loser = forked[0] if len(forked) == 1 else None
        for game in games:
            if game["level"] == "agreed" or game["cause"] == "left" and game["scores"] is None:
                continue
            has_moves = len(game["moves"]) > len(line.opening(game["game"] - 1))
            was_begun = has_moves or game["scores"]
            game["cause"], game["seat"] = "forked", None if loser is None else loser + 1
            game["scores"] = [int(seat != loser) for seat in (0, 1)] if was_begun and loser is not None else None
            game["event"] = game["event"] or line.tip.id.hex()

    def holds(self, event, games):
        """Whether a result is what the line says."""
        number, result = event.payload["game"], event.payload
        return number < len(games) and games[number]["event"] == result["node"].hex() \
            and games[number]["scores"] == result["scores"]

    def false_result(self, games):
        """The event that completes the first result that every seat signed alike and the moves do not give."""
        signers = {}
        for event in self.room.events:
            seat = self.room.seat_of(event.author)
            if event.kind != "result" or seat is None or event.id in self.unfounded \
                    or event.id not in self.room.anchored or self.holds(event, games):
                continue
            key = (event.payload["game"], event.payload["node"], tuple(event.payload["scores"]))
            signers.setdefault(key, set()).add(seat)
            if signers[key] == {0, 1}:
                return event
        return None

    def result_fault(self, games, event):
        if not self.holds(event, games):
            return "it is not what the moves give"
        is_first = any(event is first for first in self.results_by_seat(event.payload["game"]))
        return None if is_first else "its author had signed a result before"

    def judge(self, line, games):
        """Says of each event of play without effect why it has none."""
        for event in self.room.events:
            on_line = event.id in line.places or event.id in line.used or event.id in self.room.used
            if event.verdict is None and not on_line and event.kind not in LOBBY:
                event.verdict = self.fault(line, games, event)

    def fault(self, line, games, event):
        referees = event.kind == "ruling" and event.author == self.room.settings["referee"]
        if event.kind in ("commit", "reveal", "pairing-result", "disqualify", "revoke"):
            return "a room of this game has no such events"
        if self.room.seat_of(event.author) is None and not referees:
            return None if event.kind == "leave" else "its author has no seat"
        if event.id in self.unfounded:
            return "it names what its author had not seen"
        if event.kind == "result":
            return self.result_fault(games, event)
        if event.kind in ("undo-request", "draw-offer", "claim"):
            return "it was not answered"
        if event.kind == "leave" and event.payload["node"] == ZERO:
            return "somebody else's step came first, or play had begun"
        place = line.places.get(self.foundation(event))
        if place is None:
            return "it stands on nothing of the line of play"
        if event.kind == "draw-decline":
            offer = self.room.by_id[event.payload["offer"]]
            is_other = self.room.seat_of(offer.author) not in (None, self.room.seat_of(event.author))
            return None if is_other else "the offer is not the other seat's"
        if event.kind == "move" and place[:2] != (event.payload["game"], event.payload["ply"]):
            return "it is for another game or ply"
        if event.kind == "move" and self.room.seat_of(event.author) != place[2]:
            return "it is not this seat's turn"
        return "it is not legal, or something else came first in its place"


LOBBY = ("create", "request", "grant", "ready", "draw", "start", "chat", "invite")


# MARK: Games with rounds (§1.5)

class Unplayed(Exception):
    """Something happened in a room that this reader does not follow."""


class CardTable:
    """What is on a table of memory match: who took which card, and what has been seen. Chance gives a card its face in
    a round in which nobody chooses."""

    uses_chance, may_take_back = True, True

    def __init__(self, cards, seats, mover):
        self.faces, self.owners = [None] * cards, [None] * cards
        self.pairs = [0] * seats
        self.playing = set(range(seats))
        self.mover, self.up = mover, []
        # Turns in succession that turned up nothing new.
        self.idle, self.has_found_new = 0, False

    def copy(self):
        return copy.deepcopy(self)

    @property
    def left(self):
        """The faces of the cards that nobody has turned up, in ascending order, each as often as it is left."""
        return [
            face for face in range(len(self.faces) // 2) for _ in range(2 - self.faces.count(face))]

    @classmethod
    def of(cls, settings):
        """Makes the table of a game in a room by its seats and who begins; None when its rules are others."""
        if (settings["rules"], settings["rules version"]) != ("memory-match", 1) or settings["target"] != 0:
            return None
        found = re.fullmatch(r"cards=([0-9]{1,3})\nplayers=([0-9])\n", settings["parameters"])
        cards, players = (int(number) for number in found.groups()) if found else (0, 0)
        fits = players == settings["seats"] and players in range(2, 9) and cards in range(8, 101, 2)
        return functools.partial(cls, cards) if fits else None

    @property
    def is_round(self):
        return bool(self.up) and self.faces[self.up[-1]] is None

    @property
    def is_over(self):
        limit = 2 * len(self.pairs)
        is_empty = sum(self.pairs) == len(self.faces) // 2
        return not self.is_round and (is_empty or self.idle >= limit or len(self.playing) < 2)

    def scores(self):
        """The pairs of each seat that plays; one that is alone takes what is on the table."""
        rest = len(self.faces) // 2 - sum(self.pairs) if len(self.playing) == 1 else 0
        return [pairs + rest if seat in self.playing else 0 for seat, pairs in enumerate(self.pairs)]

    def may_move(self, card):
        is_first = len(self.up) == 1 and self.up[0] == card
        return card < len(self.faces) and self.owners[card] is None and not is_first

    def move(self, card):
        """A seat's move; what it and all that was chosen in the round come to, where that is a ply."""
        self.up = [card] if len(self.up) == 2 else [*self.up, card]
        if not self.is_round:
            self.settle()
        elif len(set(self.left)) == 1:
            self.show(self.left[0])
        return [card]

    def may_open(self, choice):
        return choice == 0

    def resolve(self, choices, numbers):
        """What a round of choices and random numbers does; the moves that are in it."""
        self.show(self.left[numbers.below(len(self.left))])
        return []

    def show(self, face):
        self.faces[self.up[-1]] = face
        self.has_found_new = True
        self.settle()

    def settle(self):
        """Ends the turn when two cards are up."""
        if len(self.up) < 2:
            return
        one, two = self.up
        if self.faces[one] == self.faces[two]:
            self.owners[one] = self.owners[two] = self.mover
            self.pairs[self.mover] += 1
            self.up, self.idle = [], 0
        else:
            self.idle = 0 if self.has_found_new else self.idle + 1
            self.pass_turn()
        self.has_found_new = False

    def pass_turn(self):
        order = [(self.mover + step) % len(self.pairs) for step in range(1, len(self.pairs) + 1)]
        self.mover = next((seat for seat in order if seat in self.playing), self.mover)

    def drop_out(self, seat):
        self.playing.discard(seat)
        if self.mover == seat:
            self.up, self.idle, self.has_found_new = [], 0, False
            self.pass_turn()


class DilemmaTable:
    """What was chosen in a prisoner's dilemma: 0 to cooperate, 1 to defect. With open rounds both move, one after the
    other."""

    may_take_back = False
    playing = {0, 1}

    def __init__(self, rounds, payoffs, noise, ending, is_open, seats, mover):
        self.rounds, self.payoffs, self.noise, self.ending = rounds, payoffs, noise, ending
        self.is_open, self.uses_chance = is_open, noise > 0 or ending > 0
        self.count, self.sums, self.was_ended, self.chosen, self.loser = 0, [0, 0], False, [], None

    @classmethod
    def of(cls, settings):
        """Makes the table of a game in a room by its seats and who begins; None when its rules are others."""
        if (settings["rules"], settings["rules version"], settings["seats"]) != ("prisoners-dilemma", 1, 2):
            return None
        found = re.fullmatch(
            r"ending=(0|[1-9][0-9]{0,3})\nnoise=(0|[1-9][0-9]{0,2})\n"
            r"payoffs=(0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2})\n"
            r"rounds=([1-9][0-9]{0,3})\n",
            settings["parameters"])
        if not found:
            return None
        ending, noise, *payoffs, rounds = (int(number) for number in found.groups())
        best, good, bad, worst = payoffs
        is_dilemma = 100 >= best > good > bad > worst >= -100 and 2 * good > best + worst
        if not is_dilemma or ending > 1_000 or noise > 500 or rounds > 1_000:
            return None
        is_open = bool(settings["flags"] & 2) and not noise and not ending
        return functools.partial(cls, rounds, payoffs, noise, ending, is_open)

    def copy(self):
        return copy.deepcopy(self)

    @property
    def is_round(self):
        return not self.is_open and not self.is_over

    @property
    def mover(self):
        """Whose choice an open round waits for."""
        return len(self.chosen)

    @property
    def is_over(self):
        return self.count >= self.rounds or self.was_ended

    def scores(self):
        """What was paid; in each round that is left who loses otherwise gets the least, and the other one the most."""
        if self.loser is None:
            return self.sums
        expected = -(-1_000 // self.ending) if self.ending else self.rounds
        left = min(self.rounds - self.count, expected)
        return [
            sum_ + left * self.payoffs[3 if seat == self.loser else 0] for seat, sum_ in enumerate(self.sums)]

    def may_move(self, choice):
        return self.is_open and self.may_open(choice)

    def may_open(self, choice):
        return choice in (0, 1)

    def move(self, choice):
        """A seat's choice in an open round; what both have chosen once they have."""
        self.chosen.append(choice)
        return self.resolve(self.chosen, None) if len(self.chosen) == 2 else None

    def resolve(self, choices, numbers):
        """What a round of choices and random numbers does; the moves that are in it."""
        def happens(cases):
            return cases > 0 and numbers.below(1_000) < cases
        one, two = (choice ^ happens(self.noise) for choice in choices)
        # By one's own choice and the other's.
        paid = {(0, 0): 1, (0, 1): 3, (1, 0): 0, (1, 1): 2}
        self.sums = [
            self.sums[0] + self.payoffs[paid[one, two]], self.sums[1] + self.payoffs[paid[two, one]]]
        self.count, self.chosen = self.count + 1, []
        self.was_ended = happens(self.ending)
        return choices

    def drop_out(self, seat):
        self.loser = seat


def round_table(settings):
    """Makes the table of a game with rounds in a room; None where this reader does not know its rules."""
    if settings["room kind"] != GAMES or settings["openings"]:
        return None
    return CardTable.of(settings) or DilemmaTable.of(settings)


class Numbers:
    """The random numbers of a round (§1.5): SplitMix64, and the high half of the product."""

    def __init__(self, seed):
        self.seed = seed

    def below(self, limit):
        mask = (1 << 64) - 1
        while True:
            self.seed = (self.seed + 0x9E3779B97F4A7C15) & mask
            mixed = ((self.seed ^ self.seed >> 30) * 0xBF58476D1CE4E5B9) & mask
            mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
            product = (mixed ^ mixed >> 31) * limit
            if product & mask >= (1 << 64) % limit:
                return product >> 64


class Choosing:
    """What stands of one round: commits, and what opens them. Its salts give its random numbers (§1.5)."""

    def __init__(self, match):
        self.match, self.room = match, match.room
        self.commits = {
            seat: [event for event in match.own(seat, match.tip.id, "commit") if match.counts(event, seat)]
            for seat in sorted(match.table.playing)}
        self.offences = []
        for seat, commits in self.commits.items():
            self.offences += [(seat, second) for second in commits[1:] if not match.has_moved_on(second)][:1]
        self.shared, self.share = [], None
        has_share = match.has_referee and match.table.uses_chance
        self.is_excused = not has_share or self.room.settings["referee"] in self.room.forks
        if has_share:
            self.shared = match.own(NO_SEAT, match.tip.id, "commit")
            self.share = next(self.opened(NO_SEAT, self.shared), None)
        self.reveals = {seat: self.find_reveal(seat) for seat in self.commits}

    def opened(self, seat, commits):
        """The reveals that open a seat's first commit, in the order of its feed."""
        for event in self.match.own(seat, commits[0].id, "reveal") if commits else ():
            if Report.opens(self.room, event):
                yield event

    def find_reveal(self, seat):
        """A seat's first reveal that opens its commit; an early one is an offence, and one that may not be chosen."""
        for event in self.opened(seat, self.commits[seat]):
            if not self.match.counts(event, seat):
                continue
            if self.match.table.may_open(event.payload["choice"]) and self.is_committed_for(event):
                return event
            if not self.match.has_moved_on(event):
                self.offences.append((seat, event))
                return None
        return None

    def is_committed_for(self, event):
        """Whether all had committed before an event; any commit of a seat will do."""
        knows = self.room.knows
        return (self.is_excused or any(knows(event, commit) for commit in self.shared)) and all(
            any(knows(event, commit) for commit in commits) or self.match.is_excused(seat, event)
            for seat, commits in self.commits.items())

    def is_complete_for(self, event):
        """Whether the round had come to its end before an event."""
        knows = self.room.knows
        return (self.is_excused or self.share and knows(event, self.share)) and all(
            reveal and knows(event, reveal) or self.match.is_excused(seat, event)
            for seat, reveal in self.reveals.items())

    def waits_for(self, seat, event):
        """Whether the round waited for a seat as far as an event's author knew."""
        if not any(self.room.knows(event, commit) for commit in self.commits[seat]):
            return True
        reveal = self.reveals[seat]
        return self.is_committed_for(event) and not (reveal and self.room.knows(event, reveal))

    def misses(self, seat):
        """Whether the round waits for a step of a seat that is gone."""
        if not self.commits[seat]:
            return True
        if self.reveals[seat]:
            return False
        match = self.match
        return seat in match.exits or (self.is_excused or bool(self.shared)) and all(
            commits or other in match.exits or match.is_forked(other) for other, commits in self.commits.items())

    def events(self):
        """What has a part in the round: the first commits and what opens them."""
        commits = [commits[0] for commits in (*self.commits.values(), self.shared) if commits]
        return [*commits, *filter(None, (*self.reveals.values(), self.share))]

    @property
    def is_complete(self):
        return all(self.reveals.values()) and bool(self.is_excused or self.share)

    def numbers(self, game, ply):
        """The random numbers of a round that is complete, by the salts of all."""
        salts = [event.payload["salt"] for event in (*self.reveals.values(), self.share) if event]
        seed = blake2b(b"parlor-chance-1", struct.pack(">HH", game, ply), *salts)
        return Numbers(int.from_bytes(seed[:8], "big"))


class Rounds:
    """Plays a room again whose games have rounds (§1.1 to §1.5).

    Where a take-back or an agreed draw decides, it says that it does not follow; so it does in games of more than two
    seats where all signed an ending that comes second in the order at one node.
    """

    def __init__(self, room):
        self.room, self.seats = room, len(room.roster)
        # Makes the table of a game.
        self.begin = round_table(room.settings)
        self.places, self.used = {room.start.id: (0, 0)}, set()
        self.games, self.tables, self.moves = [], [], None
        self.has_referee = room.settings["referee"] != ZERO and room.seat_of(room.settings["referee"]) is None
        # Seat → why it is on its way out and by which event; of more than two seats alone.
        self.exits = {}
        # Of a game that begins where drop-outs ended the one before it, the event by which the last one did.
        self.gate = None
        # What alone is looked at, where all seats have signed an ending: what its signer had seen.
        self.signer = None
        # How many games all seats have signed.
        self.agreed = 0
        # Whether more stood on a node than one step.
        self.is_contested = False
        # What its author has said too often.
        self.surplus = set()
        same = {}
        for event in room.events:
            node = self.foundation(event)
            place = event.payload["game"] if event.kind == "result" else node and node.id
            if node and room.is_surplus(event, same.setdefault((event.author, event.kind, place), [])):
                self.surplus.add(event.id)
                event.verdict = event.verdict or SURPLUS
        # By the id of the node or commit that they name.
        self.standing = {}
        for event in sorted(room.events, key=place_in_feed):
            node = self.foundation(event)
            is_step = event.kind in ("move", "commit", "reveal", "resign", "leave", "ruling")
            if is_step and event.id in room.anchored and event.id not in self.surplus \
                    and (node or room.leaves_seat(event)):
                self.standing.setdefault(node.id if node else ZERO, []).append(event)

    def foundation(self, event):
        """The node or commit that an event of play stands on, which a ruling names by its claim."""
        named = self.room.named
        if event.kind == "ruling":
            event, ruling = named(event, event.payload["claim"], "claim"), event
            is_said = event and event.id not in self.surplus and named(event, event.payload["node"])
            return named(ruling, event.payload["node"]) if is_said else None
        if event.kind == "reveal":
            return named(event, event.payload["commit"], "commit")
        kinds = ("move", "commit", "resign", "leave", "claim", "result", "undo-request", "draw-offer")
        return named(event, event.payload["node"]) if event.kind in kinds else None

    def refuse_what_is_not_followed(self):
        room, table = self.room, self.begin(self.seats, 0)
        for event in room.events:
            if event.kind in ("undo-accept", "draw-accept") and table.may_take_back:
                raise Unplayed("a take-back or an agreed draw may decide")

    # What stands on a node

    def here(self, name, *kinds):
        """What of some kinds stands on a node, in the order of feeds."""
        self.room.spend(1)
        return [
            event for event in self.standing.get(name, ())
            if event.kind in kinds and (self.signer is None or self.room.knows(self.signer, event))]

    def own(self, seat, name, kind):
        """What of a kind a seat, or the referee, wrote on a node for this place."""
        field = "ply" if kind == "move" else "round"
        return [
            event for event in self.here(name, kind) if self.room.number_in_rounds(event.author) == seat
            and (event.payload["game"], event.payload[field]) == (self.number, self.ply)]

    def legal_moves(self):
        mover = self.table.mover
        return [
            event for event in self.own(mover, self.tip.id, "move") if self.table.may_move(event.payload["code"])]

    def departures(self):
        """Seats that resign or leave here, in the order of feeds; at the start also who left without having seen it."""
        found = self.here(self.tip.id, "resign", "leave")
        if self.tip is self.room.start:
            found = sorted([*found, *self.here(ZERO, "leave")], key=place_in_feed)
        return [
            (seat, event) for event in found
            for seat in [self.room.seat_of(event.author)] if seat is not None and self.is_of_this_game(event)]

    def rulings(self):
        """The referee's rulings here against seats that play, with their claims, in the order of its feed."""
        found = []
        for event in self.here(self.tip.id, "ruling"):
            claim = self.room.by_id[event.payload["claim"]]
            silent = claim.payload["silent"]
            waits = silent in self.table.playing if self.table.is_round else silent == self.table.mover
            if self.has_referee and event.author == self.room.settings["referee"] and waits \
                    and self.room.seat_of(claim.author) is not None and self.is_of_this_game(claim):
                found.append((silent, event, claim))
        return found

    def is_of_this_game(self, event):
        """Whether what names the tip is about the game that is on, and not about one that ended there."""
        return event.id not in self.used and (self.gate is None or self.room.knows(event, self.gate))

    def has_moved_on(self, event):
        """Whether an event's author had written a step of a later game before it."""
        return any(
            other.kind in ("move", "commit", "reveal") and other.payload["game"] > self.number
            for other in self.room.chain_before(event))

    def is_forked(self, seat):
        return self.seats > 2 and self.room.roster[seat][0] in self.room.forks

    def counts(self, event, seat):
        """Whether a seat takes part when it writes an event."""
        exit = self.exits[seat][1] if seat in self.exits else None
        return exit is None or place_in_feed(event) < place_in_feed(exit)

    def is_excused(self, seat, event):
        """Whether an event's author knew that nothing of a seat is to be waited for; of more than two alone."""
        if self.seats == 2:
            return False
        exit = self.exits[seat][1] if seat in self.exits else None
        return self.is_forked(seat) or exit is not None and self.room.knows(event, exit) or any(
            silent == seat and self.room.knows(event, ruling) for silent, ruling, _ in self.rulings())

    # The line

    def replay(self):
        """The games as a report has them, and the first false result."""
        self.refuse_what_is_not_followed()
        self.find_results()
        self.tip, self.number, self.is_over, self.rest = self.room.start, 0, False, None
        while not self.is_over:
            if not self.play_as_signed() and not self.play():
                break
        for game in self.games[:self.agreed]:
            game["level"] = "agreed"
        self.settle_forks()
        self.judge()
        false = self.false_result()
        if false and self.is_contested and self.seats > 2:
            raise Unplayed("all seats signed what comes second in the order at one node")
        return self.games, false

    def play_as_signed(self):
        """Plays up to the next ending that all seats signed, from what its signer had seen; whether there is one."""
        for number in sorted(self.results):
            firsts = self.first_results(number) if number >= self.number else None
            if not firsts:
                continue
            self.room.spend(len(self.places))
            before = {**self.__dict__, "places": dict(self.places), "used": set(self.used)}
            honest = next((seat for seat in firsts if self.room.roster[seat][0] not in self.room.forks), 0)
            self.signer = firsts[honest]
            if self.seats == 2:
                self.play_path(firsts[honest].payload)
            else:
                while not self.is_over and self.number <= number and self.play():
                    pass
            if len(self.games) > number and self.is_ending(firsts[honest]):
                self.signer = None
                self.agreed = number + 1
                return True
            self.__dict__.update(before)
        return False

    def play_path(self, signed):
        """Plays on, between two, by the steps that lead to an ending that both signed, as far as each may be taken."""
        path = self.path(signed["node"])
        for event, following in zip(path, [*path[1:], None]):
            if self.is_over:
                return
            if self.moves is None:
                self.begin_game()
            if not self.take_signed(event, following, signed):
                return
            if self.moves is not None and self.table.is_over:
                self.end("rules", None, self.table.scores(), self.tip)

    def path(self, name):
        """The steps from the tip to a node, by what each names; none when they do not lead there."""
        path = []
        while name != self.tip.id:
            event = self.room.by_id[name]
            self.room.spend(1)
            if event is self.room.start or event.id not in self.room.anchored or event.id in self.surplus:
                return []
            path.append(event)
            foundation = self.foundation(event)
            if event.kind == "reveal" and foundation:
                foundation = self.foundation(foundation)
            if foundation is None and not self.room.leaves_seat(event):
                return []
            name = foundation.id if foundation else self.room.start.id
        return path[::-1]

    def take_signed(self, event, following, signed):
        """Takes a step that both agreed on, whatever else stands on the node; whether it may be taken."""
        if event.kind == "move":
            moves = self.legal_moves()
            if event not in moves:
                return False
            if event is not moves[0] and not self.goes_on(following, signed):
                return self.forfeit("offence", self.table.mover, event)
            return self.move(event)
        if event.kind in ("commit", "reveal"):
            choosing = Choosing(self) if self.table.is_round else None
            for seat, offence in choosing.offences if choosing else ():
                if offence is event:
                    return self.forfeit("offence", seat, event)
            is_node = bool(choosing) and choosing.is_complete and choosing.reveals[min(choosing.reveals)] is event
            return is_node and self.complete(choosing)
        for seat, departure in self.departures():
            if departure is event:
                return self.forfeit("left" if event.kind == "leave" else "resigned", seat, event)
        for seat, ruling, claim in self.rulings():
            if ruling is event:
                self.used.add(claim.id)
                return self.forfeit("ruled", seat, event)
        return False

    def goes_on(self, following, signed):
        """Whether both took a second move on a node for a move rather than for an offence."""
        if following is None:
            lost = self.table.copy()
            lost.drop_out(self.table.mover)
            return lost.scores() != signed["scores"]
        return following.kind in ("move", "commit", "reveal") and following.payload["game"] == self.number

    def begin_game(self):
        first = (self.room.first + self.number) % self.seats
        self.table, self.ply, self.moves, self.rest = self.begin(self.seats, first), 0, [], None
        self.places[self.tip.id] = (self.number, 0)

    def play(self):
        """One game; whether it came to an end."""
        self.begin_game()
        goes_on = True
        while goes_on:
            goes_on = self.contest() if self.seats == 2 else self.attend()
            if goes_on and self.moves is None:
                return True
            if goes_on and self.table.is_over:
                self.end("rules", None, self.table.scores(), self.tip)
                return True
        return False

    def advance(self, event, moves):
        """Goes on to a node, with the moves of a ply; with none where it is no ply."""
        self.tip, self.gate = event, None
        if moves is not None:
            self.ply += 1
            self.moves += [move + 1 for move in moves]
        self.places[event.id] = (self.number, self.ply)

    def move(self, event):
        self.advance(event, self.table.move(event.payload["code"]))
        return True

    def complete(self, choosing):
        """Goes on with what a round gives; whether it is complete."""
        if not choosing.is_complete:
            return False
        choices = [choosing.reveals[seat].payload["choice"] for seat in sorted(choosing.reveals)]
        moves = self.table.resolve(choices, choosing.numbers(self.number, self.ply))
        self.used |= {event.id for event in choosing.events()}
        self.advance(choosing.reveals[min(choosing.reveals)], moves)
        return True

    def contest(self):
        """The step of two seats that is taken, in the order at one node; whether one is."""
        choosing = Choosing(self) if self.table.is_round else None
        moves = [] if choosing else self.legal_moves()
        rulings = [ruling for ruling in self.rulings() if not choosing or choosing.waits_for(ruling[0], ruling[1])]
        departures = sorted(self.departures(), key=lambda departure: departure[0])
        offences = choosing.offences if choosing else [
            (self.table.mover, second) for second in moves[1:] if not self.has_moved_on(second)][:1]
        steps = [*moves, *(event for _, event, _ in rulings), *(event for _, event in departures)]
        self.is_contested |= bool(offences) or len(steps) > 1 or bool(steps and choosing)

        def is_fresh(event):
            return not any(self.room.knows(event, other) for other in steps) \
                and not (choosing and choosing.is_complete_for(event))
        if offences:
            seat, event = min(offences, key=lambda offence: (offence[0], place_in_feed(offence[1])))
            return self.forfeit("offence", seat, event)
        for seat, event, claim in rulings:
            if is_fresh(event):
                self.used.add(claim.id)
                return self.forfeit("ruled", seat, event)
        for seat, event in departures:
            if is_fresh(event):
                return self.forfeit("left" if event.kind == "leave" else "resigned", seat, event)
        if moves and is_fresh(moves[0]):
            return self.move(moves[0])
        self.rest = choosing
        return bool(choosing) and self.complete(choosing)

    def forfeit(self, cause, seat, event):
        """A seat of two loses the game."""
        never_was = cause == "left" and not self.ply
        self.places[event.id] = (self.number, self.ply)
        self.tip = event
        lost = self.table.copy()
        lost.drop_out(seat)
        self.end(cause, seat, None if never_was else lost.scores(), event)
        self.is_over |= cause == "left"
        return True

    def attend(self):
        """Of more than two seats: somebody drops out, or the step that is taken; whether there is one."""
        for seat, event in self.departures():
            self.note("left" if event.kind == "leave" else "resigned", seat, event)
        rulings = self.rulings()
        if self.table.is_round:
            return self.attend_round(rulings)
        mover, moves = self.table.mover, self.legal_moves()
        for second in [second for second in moves[1:] if not self.has_moved_on(second)][:1]:
            self.note("offence", mover, second)
        for seat, event, claim in rulings:
            if not any(self.room.knows(event, move) for move in moves):
                return self.drop(seat, "ruled", event, claim)
        if moves and self.counts(moves[0], mover):
            return self.move(moves[0])
        return self.let_go(mover)

    def attend_round(self, rulings):
        choosing, has_news = Choosing(self), True
        while has_news:
            # An offence is an exit: without what comes after it the round is read once more.
            has_news = any([self.note("offence", seat, event) for seat, event in choosing.offences])
            choosing = Choosing(self) if has_news else choosing
        for seat in sorted(self.table.playing):
            for silent, event, claim in rulings:
                if silent == seat and not choosing.is_complete_for(event) and choosing.waits_for(seat, event):
                    return self.drop(seat, "ruled", event, claim)
            if choosing.misses(seat) and self.let_go(seat):
                return True
        self.rest = choosing
        return self.complete(choosing)

    def note(self, cause, seat, event):
        """Notes that a seat is on its way out by an event, when that is its first one; whether it is."""
        self.is_contested = True
        if seat in self.exits and (
                self.exits[seat][1] is None or place_in_feed(event) >= place_in_feed(self.exits[seat][1])):
            return False
        self.exits[seat] = (cause, event)
        self.used.add(event.id)
        return True

    def let_go(self, seat):
        """Lets a seat drop out of which a step is owed that will not come; whether there is such a reason."""
        if seat in self.exits:
            return self.drop(seat, *self.exits[seat])
        return self.is_forked(seat) and self.drop(seat, "forked", None)

    def drop(self, seat, cause, event, claim=None):
        self.is_contested = True
        self.exits[seat] = (cause, event)
        self.used |= {named.id for named in (event, claim) if named}
        self.table.drop_out(seat)
        if self.table.is_over:
            never_was = cause == "left" and not self.ply
            self.gate = event
            self.end(cause, seat, None if never_was else self.table.scores(), self.tip)
        return True

    def end(self, cause, seat, scores, event):
        self.games = [*self.games, {
            "game": self.number + 1, "first": (self.room.first + self.number) % self.seats + 1, "moves": self.moves,
            "cause": cause, "seat": None if seat is None else seat + 1, "scores": scores,
            "event": event and event.id.hex(), "level": "provisional"}]
        self.tables = [*self.tables, self.table]
        self.moves = self.rest = None
        self.number += 1
        self.exits = {
            seat: (cause, event) for seat, (cause, event) in self.exits.items() if cause in ("left", "forked")}
        self.is_over = self.number == self.room.settings["games"] or len(self.exits) > self.seats - 2 \
            or self.reaches_target()

    def reaches_target(self):
        """Whether a seat has won as many games as end the series."""
        scores = [game["scores"] for game in self.games if game["scores"]]
        winners = [score.index(max(score)) for score in scores if score.count(max(score)) == 1]
        target = self.room.settings["target"]
        return target > 0 and any(winners.count(seat) >= target for seat in range(self.seats))

    def settle_forks(self):
        """The game that is on; between two, a seat that forked its feed loses what is not agreed (§1.4)."""
        forked = [seat for seat in (0, 1) if self.seats == 2 and self.room.roster[seat][0] in self.room.forks]
        if not self.is_over and (self.moves or forked):
            rest, number = self.rest, self.number
            self.end("not over", None, None, None)
            self.rest, self.is_over = rest, False
        if not forked:
            return
        self.rest, loser = None, forked[0] if len(forked) == 1 else None
        for game, table in zip(self.games, self.tables):
            if game["level"] == "agreed" or game["cause"] == "left" and game["scores"] is None:
                continue
            was_begun = game["moves"] or game["scores"]
            if loser is not None:
                table.drop_out(loser)
            game["scores"] = table.scores() if was_begun and loser is not None else None
            game["cause"], game["seat"] = "forked", None if loser is None else loser + 1
            game["event"] = game["event"] or self.tip.id.hex()

    # Results

    def is_ending(self, event):
        """Whether a result says what the moves and draws give."""
        number = event.payload["game"]
        return number < len(self.games) and self.games[number]["event"] == event.payload["node"].hex() \
            and self.games[number]["scores"] == event.payload["scores"]

    def find_results(self):
        """Game → the results of seats, in the order of feeds."""
        self.results = {}
        for event in sorted(self.room.events, key=place_in_feed):
            if event.kind == "result" and self.room.seat_of(event.author) is not None \
                    and event.id in self.room.anchored and event.id not in self.surplus and self.foundation(event):
                self.results.setdefault(event.payload["game"], []).append(event)

    def results_by_seat(self, number):
        """Seat → its result of a game: the first; of a forked seat the first that says what the lowest other did."""
        own = {}
        self.room.spend(len(self.results[number]))
        for event in self.results[number]:
            own.setdefault(self.room.seat_of(event.author), []).append(event)
        firsts = {seat: own[seat][0] for seat in sorted(own)}
        forked = [seat for seat in own if self.room.roster[seat][0] in self.room.forks]
        honest = next((seat for seat in range(self.seats) if self.room.roster[seat][0] not in self.room.forks), None)
        for seat in forked if honest in firsts else ():
            same = (event for event in own[seat] if event.payload == firsts[honest].payload)
            firsts[seat] = next(same, firsts[seat])
        return firsts

    def first_results(self, number):
        """The results of all seats, when they say the same."""
        firsts = self.results_by_seat(number)
        said = [event.payload for event in firsts.values()]
        return firsts if len(said) == self.seats and all(one == said[0] for one in said) else None

    def false_result(self):
        """The event that completes the first result that every seat signed alike and the draws do not give."""
        signers, results = {}, {event.id for events in self.results.values() for event in events}
        for event in self.room.events:
            if event.id not in results or self.is_ending(event):
                continue
            key = (event.payload["game"], event.payload["node"], tuple(event.payload["scores"]))
            signers.setdefault(key, set()).add(event.author)
            if len(signers[key]) == self.seats:
                return event
        return None

    def judge(self):
        """Says of each event of play without effect that it has none."""
        used = set(self.places) | self.used | self.room.used
        if self.rest:
            used |= {event.id for event in self.rest.events()}
        for number in self.results:
            used |= {event.id for event in self.results_by_seat(number).values() if self.is_ending(event)}
        for event in self.room.events:
            if event.verdict is not None or event.id in used or event.kind in LOBBY:
                continue
            event.verdict = "nothing of the line of play rests on it"
            if event.kind == "result" and self.room.seat_of(event.author) is not None:
                event.verdict = "its author had signed a result before" if self.is_ending(event) \
                    else "it is not what the moves and draws give"


# MARK: Hosted rounds (§1.10)

def box_to(receiver, secret, message, named=None):
    """The box that is sealed to a peer with this secret, or to a key that it has named; None where nothing can be
    sealed to that key."""
    key = blake2b(b"parlor-box-key-1", receiver, key=secret)
    try:
        sender, target = crypto_scalarmult_base(key), named or crypto_sign_ed25519_pk_to_curve25519(receiver)
        nonce = hashlib.blake2b(sender + target, digest_size=24).digest()
        return sender + crypto_box(message, nonce, target, key)
    except CryptoError:
        return None


class Quiz:
    """The rules `quiz`, version 1: their settings, questions and points."""

    IS_SEALED, IS_MARKED, TELLS_ONE = True, False, False
    NAME, SEATS = "quiz", range(1, 4_097)
    PARAMETERS = re.compile(r"curve=(linear|classic)\ngrace=(0|[1-9][0-9]{0,4})\n")
    QUESTION = [
        ("text", Text(2, 1, 1_024)), ("choices", Listed(2, 4, [("text", Text(1, 1, 200))])),
    ]

    def __init__(self, curve, grace):
        self.curve, self.grace = curve, grace

    @classmethod
    def of(cls, settings):
        """The rules of a room; None where they are others, or not in their one form."""
        found = cls.PARAMETERS.fullmatch(settings["parameters"])
        if (settings["rules"], settings["rules version"]) != (cls.NAME, 1) or settings["creator's seat"] != NO_SEAT \
                or not found or int(found[2]) > 10_000 or settings["seats"] not in cls.SEATS:
            return None
        return cls(found[1], int(found[2]))

    def can_ask(self, asked, commitment):
        """Whether a round may ask these bytes with this commitment."""
        return self.choices(asked) > 0 and commitment != ZERO

    def choices(self, asked):
        """How many choices a question has; 0 for bytes that are no question."""
        try:
            return len(read_to_end(Source(asked), self.QUESTION)["choices"])
        except Malformed:
            return 0

    def is_choice(self, said, asked):
        return len(said) == 1 and said[0] < self.choices(asked)

    def is_solution(self, said, asked):
        return self.is_choice(said, asked)

    def form(self, number, asked):
        """How a player writes entries."""
        return "sealed"

    def most_entries(self, number, asked):
        """How many entries of a player count, where the room does not say fewer."""
        return 65_535

    def said(self, choice):
        """An answer as people type it."""
        return choice[0] + 1

    def settle(self, found):
        """Gives the entries of a round their points."""
        for answer in found.entries:
            if answer.choice == found.solution:
                answer.points = self.points(answer.time, found.limit, found.closed)

    def points(self, time, limit, closed):
        """What a right answer is worth; all three are milliseconds since the question was asked."""
        if time > closed:
            return 100 if time - closed <= self.grace else 0
        if time >= limit:
            return 100 if self.curve == "linear" else 500
        if self.curve == "linear":
            return max(100, 1_000 * (limit - time) // limit)
        return 1_000 if time < 500 else (1_000 * (2 * limit - time) + limit) // (2 * limit)


class TapRace:
    """The rules `tap-race`, version 1: their settings, batches of taps and points."""

    IS_SEALED, IS_MARKED, TELLS_ONE = False, False, False
    PARAMETERS = re.compile(r"(taps|seconds)=([1-9][0-9]{0,3})\n")
    # Milliseconds that each tap takes which counts, and the points of the first places.
    STEP, POINTS = 50, (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)

    def __init__(self, goal, limit):
        # How many taps win, or how many milliseconds a race takes.
        self.goal, self.limit = goal, limit

    @classmethod
    def of(cls, settings):
        """The rules of a room; None where they are others, or not in their one form."""
        found = cls.PARAMETERS.fullmatch(settings["parameters"])
        if (settings["rules"], settings["rules version"]) != ("tap-race", 1) or settings["creator's seat"] != NO_SEAT \
                or not found or not 2 <= settings["seats"] <= 16:
            return None
        number = int(found[2])
        if found[1] == "taps":
            return cls(number, None) if number <= 1_000 else None
        return cls(None, 1_000 * number) if 3 <= number <= 60 else None

    @staticmethod
    def can_ask(asked, commitment):
        """Whether a round may ask these bytes with this commitment."""
        return asked == b"" and commitment == ZERO

    @classmethod
    def is_clear_entry(cls, said, _):
        return len(said) == 2 and 1 <= cls.said(said) <= 1_000

    def form(self, number, asked):
        """How a player writes entries."""
        return "clear"

    def most_entries(self, number, asked):
        """How many entries of a player count, where the room does not say fewer."""
        return 65_535

    @staticmethod
    def said(choice):
        """How many taps a batch names."""
        return int.from_bytes(choice, "big")

    def settle(self, found):
        """Gives the points of each place to the last entry of its player that counts."""
        taps, last = {}, {}
        for place, answer in enumerate(found.entries):
            if answer.time > found.closed or self.limit is not None and answer.time > self.limit:
                continue
            most = answer.time // self.STEP
            if self.goal is not None:
                most = min(most, self.goal)
            counted = min(taps.get(answer.player, 0) + self.said(answer.choice), most)
            if counted > taps.get(answer.player, 0):
                taps[answer.player], last[answer.player] = counted, place
        # Who had all taps first is before those who had them later; all others of equal taps are level.
        ranks = {player: (-count, last[player] if count == self.goal else 0) for player, count in taps.items()}
        for player, rank in ranks.items():
            place = sum(other < rank for other in ranks.values())
            if place < len(self.POINTS):
                found.entries[last[player]].points = self.POINTS[place]


class Drawing(Quiz):
    """The rules `drawing`, version 1: who draws, strokes in clear, sealed guesses and their points."""

    IS_MARKED, TELLS_ONE = True, True
    NAME, SEATS = "drawing", range(2, 17)
    # The numbers of colours and widths; the sheet; the most guesses of a player, and bytes that show in a round.
    COLOURS, WIDTHS, SHEET, GUESSES, SHOWN = range(1, 9), range(1, 5), (1_024, 768), 20, 24_576
    ASKED = [("drawer", U16), ("letters", Number(1, 1, 64)), ("box", Short(1, 81, 144))]

    def told(self, asked):
        """What a round asks: the drawer's number, the letters of the word and the box with it; None where it is nothing
        of the kind."""
        try:
            return read_to_end(Source(asked), self.ASKED)
        except Malformed:
            return None

    def can_ask(self, asked, commitment):
        return self.told(asked) is not None and commitment != ZERO

    @staticmethod
    def compared(text):
        """Text as guesses are compared: small ASCII letters, one blank for several, and none at the ends."""
        small = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in text)
        return b" ".join(part for part in small.split(b" ") if part)

    @classmethod
    def is_text(cls, said):
        """Whether bytes are a word or a guess: text without control characters, in the form in which it is compared."""
        try:
            text = said.decode()
        except UnicodeDecodeError:
            return False
        return 1 <= len(said) <= 64 and cls.compared(said) == said \
            and all(ord(letter) >= 32 and not 127 <= ord(letter) < 160 for letter in text)

    def is_choice(self, said, asked):
        return self.told(asked) is not None and self.is_text(said)

    def is_solution(self, said, asked):
        return self.is_text(said) and len(said.decode().replace(" ", "")) == self.told(asked)["letters"]

    def form(self, number, asked):
        return "clear" if self.told(asked)["drawer"] == number else "sealed"

    def most_entries(self, number, asked):
        return 65_535 if self.form(number, asked) == "clear" else self.GUESSES

    def is_clear_entry(self, said, asked):
        return self.strokes(said) is not None

    @classmethod
    def strokes(cls, said):
        """What a batch does: colour, width and points of each line, and None where it clears the sheet; None for bytes
        that are no batch."""
        if not 1 <= len(said) <= 3_840:
            return None
        found, at = [], 0
        while at < len(said):
            if said[at] == 0:
                found, at = [*found, None], at + 1
                continue
            if len(said) < at + 3 or said[at] not in cls.COLOURS or said[at + 1] not in cls.WIDTHS or said[at + 2] == 0:
                return None
            end = at + 3 + 4 * said[at + 2]
            if len(said) < end:
                return None
            points = list(struct.iter_unpack(">HH", said[at + 3:end]))
            if any(x >= cls.SHEET[0] or y >= cls.SHEET[1] for x, y in points):
                return None
            found, at = [*found, (said[at], said[at + 1], points)], end
        return found

    def said(self, choice):
        """A guess; of a batch of strokes how many lines it has."""
        strokes = self.strokes(choice)
        return choice.decode() if strokes is None else sum(stroke is not None for stroke in strokes)

    def drawn(self, found):
        """How many lines stand on the sheet at the end of a round."""
        lines, size, drawer = 0, 0, self.told(found.asked)["drawer"]
        for answer in found.entries:
            if answer.player != drawer or found.closed is not None and answer.time > found.closed:
                continue
            size += len(answer.choice)
            if size > self.SHOWN:
                break
            for stroke in self.strokes(answer.choice):
                lines = lines + 1 if stroke else 0
        return lines

    def settle(self, found):
        drawer, guessed = self.told(found.asked)["drawer"], {}
        for answer in found.entries:
            if answer.player != drawer and answer.choice == found.solution and answer.player not in guessed:
                answer.points = guessed[answer.player] = self.points(answer.time, found.limit, found.closed)
        worths = [points for points in guessed.values() if points]
        drawn = [answer for answer in found.entries if answer.player == drawer and answer.time <= found.closed]
        if worths and drawn:
            drawn[0].points = sum(worths) // len(worths)


class Round:
    """One round: how far it is, and the entries that the host has acknowledged, in the order of receipts."""

    def __init__(self, number, opening):
        self.number, self.opening, self.phase = number, opening, "open"
        self.asked, self.limit = opening.payload["asked"], opening.payload["limit"]
        self.closed = self.solution = self.salt = None
        self.has_wrong_solution = self.has_told_another = False
        self.entries = []
        # How many sealed entries the host has opened; how many entries each player has.
        self.opened, self.counts = 0, {}

    @property
    def is_opened(self):
        """Whether the host has begun to settle it."""
        return self.solution is not None

    @property
    def sealed(self):
        """The sealed entries, in the order of receipts."""
        return [answer for answer in self.entries if answer.is_sealed]


class Answer:
    """An entry that the host has acknowledged."""

    def __init__(self, event, player, time):
        self.event, self.player, self.time = event, player, time
        self.choice, self.points, self.is_unreadable, self.fault = None, 0, False, None
        # Whether the host said that it is right; None where it said nothing.
        self.mark = None
        self.is_sealed = event.payload["form"] == 1


class Player:
    """Somebody whom the host has taken in."""

    def __init__(self, number, request, score):
        self.number, self.peer, self.request, self.score = number, request.author, request, score
        self.rank, self.has_left = None, False


class HostedRounds:
    """What a room of hosted rounds amounts to: the host's feed in its order, and what others say of themselves."""

    def __init__(self, room):
        self.room, self.host = room, room.creator
        rules = (kind.of(room.settings) for kind in (Quiz, TapRace, Drawing))
        self.rules = next(filter(None, rules), None) if room.has_play else None
        self.players, self.numbers = [], {}
        self.refused = {}
        self.carried = None
        self.rounds, self.openings, self.settled = [], {}, 0
        self.has_ended = False
        # The first proof of each entry, by the entry's id.
        self.proofs = {}
        self.acknowledged = set()
        self.find_pasts()

    def find_pasts(self):
        """How much of the host's feed each event had seen, and how far the host was when it had seen another event."""
        self.seen, self.heard = {ZERO: 0}, {ZERO: 0}
        for event in self.room.events:
            names = [event.previous, *event.parents]
            if event.author != self.host or not self.room.before_fork(event):
                self.seen[event.id] = max(self.seen[name] for name in names)
                continue
            self.seen[event.id] = event.sequence
            while names:
                name = names.pop()
                if name not in self.heard:
                    self.heard[name] = event.sequence
                    names += [self.room.by_id[name].previous, *self.room.by_id[name].parents]

    def knows(self, event, other):
        """Whether another event is in the past of one, where it is the host's, one is the host's, or both are of one
        author; of feeds that are forked, what lies before the fork."""
        if other.author == self.host:
            return event is not other and self.seen[event.id] >= other.sequence
        if event.author == self.host:
            return other.id in self.heard and self.heard[other.id] <= event.sequence
        return other.sequence < event.sequence

    def replay(self):
        """Derives everything, and says of each event without effect why it has none."""
        for event in self.room.feeds[self.host]:
            if self.room.before_fork(event):
                event.verdict = self.host_fault(event)
        for author, feed in self.room.feeds.items():
            if author != self.host:
                self.read_feed(feed)
        for event in self.room.events:
            # A receipt makes an entry count, wherever on its author's feed it lies.
            if event.id in self.acknowledged:
                event.verdict = None
            elif event.verdict is None and not self.room.before_fork(event):
                event.verdict = "its author's feed is forked" if event.kind else UNREADABLE
        self.find_denied()
        self.rank()

    def named(self, event, name, kind):
        """The event of this name and kind in the past of another."""
        found = self.room.by_id.get(name)
        return found if found and found.kind == kind and self.knows(event, found) else None

    # What everybody says

    def plain_fault(self, event):
        """Why an event has no effect that is judged alike in all feeds, and whether that is all there is to say."""
        if event.kind is None:
            return UNREADABLE, True
        if event.kind == "invite" and event.author == self.host:
            return self.room.idle_invites.get(event.id), True
        if event.kind in ("create", "chat"):
            return None, True
        is_used = event.kind in ("request", "grant", "leave", "invite", *HOSTED_KINDS)
        return (None, False) if is_used else ("a room of hosted rounds has no such events", True)

    def read_feed(self, feed):
        """What somebody else than the host says of itself, up to a fork of its feed."""
        self.has_asked, self.is_away, self.entered = False, False, {}
        for event in feed:
            if not self.room.before_fork(event):
                break
            fault, is_all = self.plain_fault(event)
            if not is_all:
                fault = self.own_fault(event)
            event.verdict = fault
        player = self.numbers.get(feed[0].author)
        if player is not None:
            self.players[player].has_left = self.is_away

    def own_fault(self, event):
        if event.kind == "request":
            self.is_away, self.has_asked = False, True
            return None if self.room.admits(event) else "the room's policy of bots does not admit its author"
        if event.kind == "leave":
            if not self.has_asked:
                return "its author had not asked to be taken in"
            self.is_away = True
            return None
        if event.kind == "entry":
            self.is_away = False
            return self.entry_fault(event)
        if event.kind == "entry-proof":
            return self.proof_fault(event)
        return None if event.kind == "join-proof" else "its author is not the host"

    def entry_fault(self, event):
        """Why an entry waits in vain, or still waits."""
        name = event.payload["opening"]
        found = self.openings.get(name)
        if found is None or not self.knows(event, found):
            return "it is for no round that its author had seen"
        self.entered[name] = self.entered.get(name, 0) + 1
        if self.entered[name] > self.room.settings["entries"]:
            return "its author had written as many entries for the round as count"
        return UNANSWERED

    def proof_fault(self, event):
        name = event.payload["entry"]
        entry = self.room.by_id.get(name)
        if entry is None or entry.kind != "entry" or entry.author != event.author or not self.knows(event, entry):
            return "it is about no entry of its author's"
        if name in self.proofs:
            return "its author had written another one for that entry"
        opened = self.proofs[name] = event.payload["opened"]
        found = self.openings.get(entry.payload["opening"])
        if found is None or not self.knows(entry, found):
            return "its entry is for no round that its author had seen"
        is_whole = entry.payload["form"] == 1 and self.is_whole(entry, opened)
        return None if is_whole else "it does not give that entry's commitment and box"

    # What the host says

    def host_fault(self, event):
        fault, is_all = self.plain_fault(event)
        if is_all:
            return fault
        if event.kind in ("request", "join-proof", "entry", "entry-proof"):
            return "the host does not play"
        if self.has_ended:
            return "the host had ended the room"
        if event.kind == "leave":
            self.has_ended = True
            return None
        return {
            "grant": self.grant, "join-refusal": self.refuse, "round-open": self.open, "receipts": self.acknowledge,
            "marks": self.mark, "round-close": self.close, "settle": self.settle, "carry": self.carry,
        }[event.kind](event)

    def grant(self, event):
        room, number = self.room, event.payload["seat"]
        request = self.named(event, event.payload["request"], "request")
        if request is None:
            return "it names no request that the host had seen"
        if not room.admits(request):
            return "the room's policy of bots does not admit its peer"
        if not room.is_invited(request.author, event):
            return "its peer had not been invited"
        if number != len(self.players) or number >= room.settings["seats"] or request.author == self.host \
                or request.author in self.numbers:
            return "it gives another number than the next one, or its peer has one"
        score = self.carried[1].get(request.author, 0) if self.carried else 0
        self.numbers[request.author] = number
        self.players.append(Player(number, request, score))
        return None

    def refuse(self, event):
        peer, through = event.payload["peer"], event.payload["through"]
        if peer in self.numbers or through <= self.refused.get(peer, 0):
            return "its peer is a player, or was refused so far before"
        self.refused[peer] = through
        return None

    def carry(self, event):
        head, scores = event.payload["head"], event.payload["scores"]
        if self.room.settings["rematch of"] == ZERO or self.rounds or self.players:
            return "there is no room that goes on here, or the host had begun"
        if self.carried is None:
            self.carried = (head, {})
        if self.carried[0] != head:
            return "it names another event than the one before it"
        for score in scores:
            self.carried[1].setdefault(score["peer"], score["score"])
        return None

    def open(self, event):
        said = event.payload
        if self.rules is None:
            return "the rules of its rounds are not known"
        if said["round"] != self.settled or self.settled >= self.room.settings["games"]:
            return "it is for another round than the next one"
        if not self.rules.can_ask(said["asked"], said["commitment"]):
            return "it asks nothing that can be read, or commits to what it should not"
        if self.rules.TELLS_ONE and not self.is_in_turn(self.rules.told(said["asked"])["drawer"], event):
            return "it is not the turn of the player who is told the solution"
        if self.rounds and self.rounds[-1].phase != "settled":
            self.rounds[-1].phase = "void"
        self.rounds.append(Round(self.settled, event))
        self.openings[event.id] = event
        return None

    def is_in_turn(self, number, event):
        """Whether it is a player's turn: all before it, from the one behind the last settled round's, had left as far
        as the host had seen."""
        if number >= len(self.players):
            return False
        told = [self.rules.told(found.asked)["drawer"] for found in self.rounds if found.phase == "settled"]
        at = (told[-1] + 1) % len(self.players) if told else 0
        while at != number:
            if not self.had_left(self.players[at].peer, event):
                return False
            at = (at + 1) % len(self.players)
        return True

    def had_left(self, peer, event):
        seen = [own.kind for own in self.room.feeds[peer] if self.room.before_fork(own) and self.knows(event, own)
                and own.kind in ("request", "leave", "entry")]
        return bool(seen) and seen[-1] == "leave"

    def current(self, event, *phases):
        """The round that is on, when an event names it and it is so far."""
        if not self.rounds or self.rounds[-1].opening.id != event.payload["opening"]:
            return None
        return self.rounds[-1] if self.rounds[-1].phase in phases else None

    def acknowledge(self, event):
        found = self.current(event, "open", "closed")
        if found is None or found.is_opened:
            return "it is for no round that is on"
        has_effect = False
        for receipt in event.payload["receipts"]:
            name = event.parents[receipt["parent"]] if receipt["parent"] < len(event.parents) else ZERO
            entry = self.named(event, name, "entry")
            last = found.entries[-1].time if found.entries else 0
            if receipt["time"] >= last and entry and self.may_count(entry, found):
                number = self.numbers[entry.author]
                found.counts[number] = found.counts.get(number, 0) + 1
                answer = Answer(entry, number, receipt["time"])
                if not answer.is_sealed:
                    answer.choice = entry.payload["said"]["choice"]
                found.entries.append(answer)
                self.acknowledged.add(entry.id)
                has_effect = True
        return None if has_effect else "none of its receipts has an effect"

    def may_count(self, entry, found):
        """Whether a receipt may be given for an entry in a round."""
        said, number = entry.payload, self.numbers.get(entry.author)
        if number is None or said["opening"] != found.opening.id:
            return False
        is_formed = said["form"] == 1 if self.rules.form(number, found.asked) == "sealed" else (
            said["form"] != 1 and self.rules.is_clear_entry(said["said"]["choice"], found.asked))
        most = min(self.room.settings["entries"], self.rules.most_entries(number, found.asked))
        return is_formed and self.knows(entry, found.opening) and entry.id not in self.acknowledged \
            and found.counts.get(number, 0) < most

    def mark(self, event):
        found = self.current(event, "open", "closed")
        if found is None or found.is_opened or not self.rules.IS_MARKED:
            return "it is for no round that is on, or in which nothing is marked"
        has_effect = False
        for mark in event.payload["marks"]:
            answer = found.entries[mark["entry"]] if mark["entry"] < len(found.entries) else None
            if answer is None or not answer.is_sealed or answer.mark is not None:
                continue
            has_effect, answer.mark = True, mark["wrong"] is None
            if mark["wrong"]:
                self.open_choice(found, answer, mark["wrong"])
        return None if has_effect else "it marks nothing that was not marked"

    def close(self, event):
        found = self.current(event, "open")
        if found is None:
            return "it is for no round that is open"
        found.phase, found.closed = "closed", event.payload["time"]
        return None

    def settle(self, event):
        found, said = self.current(event, "closed"), event.payload
        if found is None:
            return "it is for no round that is closed"
        if said["first"] != found.opened:
            return "it goes on elsewhere than the one before it ended"
        if not self.rules.IS_SEALED:
            if said["solution"] or said["salt"] != ZERO or said["entries"]:
                return "it opens something where nothing was sealed"
            self.finish(found)
            return None
        sealed = found.sealed
        if len(said["entries"]) > len(sealed) - found.opened:
            return "it opens more entries than there are"
        if not self.is_bound(found, said):
            return "it does not open what the host had committed to"
        for opened in said["entries"]:
            self.open_entry(found, sealed[found.opened], opened["opened"])
            found.opened += 1
        if found.opened == len(sealed):
            self.finish(found)
        return None

    def is_bound(self, found, said):
        """Whether a settle opens the solution that the host is bound to; where it does not, the round is void."""
        if found.is_opened:
            return (said["solution"], said["salt"]) == (found.solution, found.salt)
        commitment = blake2b(
            b"parlor-solution-1", self.room.id, found.number.to_bytes(2, "big"), self.host,
            len(found.asked).to_bytes(2, "big"), found.asked, said["solution"], key=said["salt"])
        is_bound = commitment == found.opening.payload["commitment"]
        if not is_bound or not self.rules.is_solution(said["solution"], found.asked):
            found.phase, found.has_wrong_solution = "void", True
            return False
        if self.rules.TELLS_ONE and not self.has_told(found, said):
            found.phase, found.has_told_another = "void", True
            return False
        found.solution, found.salt = said["solution"], said["salt"]
        return True

    def has_told(self, found, said):
        """Whether the host had told the player whose turn it was this solution."""
        told = self.rules.told(found.asked)
        player = self.players[told["drawer"]]
        secret = blake2b(
            b"parlor-told-box-1", self.room.id, found.number.to_bytes(2, "big"), player.peer, key=said["salt"])
        message, named = said["salt"] + said["solution"], self.named_key(player.request)
        box = box_to(player.peer, secret, message, named) if named else None
        return told["box"] == (box or box_to(player.peer, secret, message))

    def named_key(self, request):
        """The key that a player had named when it asked: who had sealed the last join proof before its request, on the
        same branch; None for none."""
        event = self.room.by_id.get(request.previous)
        while event and event.kind != "join-proof":
            event = self.room.by_id.get(event.previous)
        return event.payload["box"][:32] if event else None

    def commits_to(self, entry, opened):
        """Whether a choice and its salt open an entry's commitment."""
        commitment = blake2b(
            b"parlor-entry-1", self.room.id, entry.payload["opening"], entry.author, opened["choice"],
            key=opened["salt"])
        return commitment == entry.payload["said"]["commitment"]

    def open_entry(self, found, answer, opened):
        if opened is None:
            answer.choice, answer.is_unreadable = None, True
        elif self.open_choice(found, answer, opened) and answer.mark is not None \
                and answer.mark != (answer.choice == found.solution):
            answer.fault = "wrong-mark"

    def open_choice(self, found, answer, opened):
        """Takes an entry as the host opened it."""
        if not self.commits_to(answer.event, opened):
            answer.fault = "wrong-entry"
            return False
        if not self.rules.is_choice(opened["choice"], found.asked):
            return False
        answer.choice = opened["choice"]
        return True

    def finish(self, found):
        """Gives points for all that was opened."""
        found.phase, self.settled = "settled", self.settled + 1
        self.rules.settle(found)
        for answer in found.entries:
            self.players[answer.player].score += answer.points

    # What comes of it

    def find_denied(self):
        """Entries that the host called unreadable and that it could read, as their authors show."""
        for found in self.rounds:
            for answer in found.entries:
                opened = self.proofs.get(answer.event.id) if answer.is_unreadable else None
                if opened and self.is_whole(answer.event, opened):
                    answer.fault = "denied-entry"

    def is_whole(self, entry, opened):
        """Whether a choice and its salt give both an entry's commitment and its box."""
        secret = blake2b(b"parlor-entry-box-1", entry.payload["opening"], entry.author, key=opened["salt"])
        box = box_to(self.host, secret, opened["salt"] + opened["choice"])
        return self.commits_to(entry, opened) and box == entry.payload["said"]["box"]

    def rank(self):
        """Players of equal scores share a rank."""
        self.standings = sorted(self.players, key=lambda player: (-player.score, player.number))
        for place, player in enumerate(self.standings):
            before = self.standings[place - 1] if place else None
            player.rank = before.rank if before and before.score == player.score else place + 1

    def faults(self):
        """What anybody can prove against the host: the event that it is about, and what it did."""
        for found in self.rounds:
            if found.has_wrong_solution:
                yield found.opening, "wrong-solution"
            if found.has_told_another:
                yield found.opening, "told-another"
            for answer in found.entries:
                if answer.fault:
                    yield answer.event, answer.fault


# MARK: Matching

class Matching:
    """The heaviest matching of a graph, by Edmonds' blossoms: pairs in which no vertex is twice.

    `weights[one][other]` is what a pair weighs, in both directions, and `alone[one]` what a vertex weighs that stays
    alone, None where it may not. Weights are whole numbers of any size. Each vertex has a price, at least what it
    weighs alone; two that are neighbours cost together at least what their pair weighs, with the prices of the blossoms
    that hold both. What costs no more than it weighs is tight, and only what is tight is used, so that no matching is
    heavier. Prices are for twice the weights, so that half of a slack is whole.
    """

    def __init__(self, weights, alone):
        self.weights, self.alone = weights, [None if weight is None else 2 * weight for weight in alone]
        vertices = range(len(weights))
        # A vertex's partner, itself where it stays alone, None before that is known.
        self.mates = [None for _ in vertices]
        # A node is a vertex or a blossom: a cycle of an odd number of nodes that are paired with each other but for the
        # first, whose base is the blossom's. `links[node][place]` joins the part at this place and the next one.
        self.outermost, self.bases, self.members = list(vertices), list(vertices), [[one] for one in vertices]
        self.holders, self.parts, self.links = ([None for _ in vertices] for _ in range(3))
        self.extra, self.prices = [0 for _ in vertices], []
        for edges, least in zip(weights, self.alone):
            self.prices.append(max([*edges.values(), *([] if least is None else [least])], default=0))
        self.begin()
        self.is_there = all(mate is not None or self.search(one) for one, mate in enumerate(self.mates))

    def begin(self):
        """Lowers each price as far as it goes alone, and pairs what is tight then."""
        for one, edges in enumerate(self.weights):
            if self.mates[one] is not None:
                continue
            least, mate = self.alone[one], one
            for other, weight in edges.items():
                price = 2 * weight - self.prices[other]
                if least is None or price > least or price == least and self.mates[mate] is not None:
                    least, mate = price, other
            if least is None:
                continue
            self.prices[one] = least
            if self.mates[mate] is None:
                self.mates[one], self.mates[mate] = mate, one

    def slack(self, one, other):
        return self.prices[one] + self.prices[other] - 2 * self.weights[one][other]

    def search(self, root):
        """Finds a partner for a vertex, or leaves it or another one alone; whether that is possible.

        A tree grows from it along tight edges. Its nodes are outer and inner in turn, and an inner one is followed by
        the partner of its base. Where no edge is tight, outer prices fall and inner ones rise until one is.
        """
        self.is_outer, self.entries, self.nearest = {}, {}, [None for _ in self.mates]
        # How far outer prices have fallen, and what is tight once they have fallen how far.
        self.fallen, self.leaving, self.reached, self.meeting = 0, None, [], []
        self.enter(None, root)
        while True:
            fall, step, node = min(self.steps(), default=(None, None, None))
            if step is None:
                return False
            self.lower(fall)
            if step == "alone":
                self.turn(node, node)
                return True
            if step == "reach":
                if self.reach(*heapq.heappop(self.reached)[1:]):
                    return True
            elif step == "meet":
                self.join(*heapq.heappop(self.meeting)[1:])
            else:
                self.open(node)

    def steps(self):
        """What comes next of each kind, with how far prices fall before it."""
        if self.leaving:
            yield self.leaving[0] - self.fallen, "alone", self.leaving[1]
        while self.reached and not self.is_current(*self.reached[0]):
            heapq.heappop(self.reached)
        if self.reached:
            yield self.reached[0][0] - self.fallen, "reach", 0
        while self.meeting and self.outermost[self.meeting[0][1]] == self.outermost[self.meeting[0][2]]:
            heapq.heappop(self.meeting)
        if self.meeting:
            yield self.meeting[0][0] // 2 - self.fallen, "meet", 0
        for node, is_outer in self.is_outer.items():
            if not is_outer and self.parts[node]:
                yield self.extra[node] // 2, "open", node

    def is_current(self, key, one, other):
        """Whether an edge still leads out of the tree, and has the slack that was noted."""
        return self.outermost[other] not in self.is_outer and self.slack(one, other) + self.fallen == key

    def enter(self, before, one):
        """Makes the node of a vertex an outer one that is reached from the vertex before."""
        node = self.outermost[one]
        self.is_outer[node], self.entries[node] = True, None if before is None else (before, one)
        self.look(self.members[node])

    def look(self, vertices):
        """Notes where the edges of vertices lead that are outer now."""
        for one in vertices:
            price, own = self.prices[one], self.outermost[one]
            if self.alone[one] is not None:
                leaving = price - self.alone[one] + self.fallen, one
                self.leaving = min(self.leaving or leaving, leaving)
            for other, weight in self.weights[one].items():
                node = self.outermost[other]
                if node == own:
                    continue
                slack = price + self.prices[other] - 2 * weight
                if self.is_outer.get(node):
                    heapq.heappush(self.meeting, (slack + 2 * self.fallen, one, other))
                elif self.nearest[other] is None or slack < self.slack(self.nearest[other], other):
                    self.nearest[other] = one
                    if node not in self.is_outer:
                        heapq.heappush(self.reached, (slack + self.fallen, one, other))

    def lower(self, fall):
        """Lowers the prices of outer vertices, and raises those of inner ones."""
        self.fallen += fall
        for node, is_outer in self.is_outer.items() if fall else ():
            change = -fall if is_outer else fall
            for one in self.members[node]:
                self.prices[one] += change
            if self.parts[node]:
                self.extra[node] -= 2 * change

    def reach(self, one, other):
        """Takes a node into the tree along a tight edge; True where that ends the search, for it had no partner."""
        node = self.outermost[other]
        base = self.bases[node]
        if self.mates[base] in (None, base):
            self.rotate(node, other)
            self.mates[other] = one
            self.turn(one, other)
            return True
        self.is_outer[node], self.entries[node] = False, (one, other)
        self.enter(base, self.mates[base])
        return False

    def turn(self, one, mate):
        """Gives an outer vertex this partner, and pairs all on its way to the root anew."""
        while True:
            node = self.outermost[one]
            self.rotate(node, one)
            self.mates[one] = mate
            if self.entries[node] is None:
                return
            before = self.outermost[self.entries[node][0]]
            one, mate = self.entries[before]
            self.rotate(before, mate)
            self.mates[mate] = one

    def way(self, node):
        """The nodes from an outer one to the root."""
        while True:
            yield node
            if self.entries[node] is None:
                return
            node = self.outermost[self.entries[node][0]]

    def join(self, one, other):
        """Makes a blossom of the cycle that an edge between two outer nodes closes."""
        above = set(self.way(self.outermost[one]))
        top = next(node for node in self.way(self.outermost[other]) if node in above)
        left, right = (
            list(itertools.takewhile(lambda node: node != top, self.way(self.outermost[end]))) for end in (one, other))
        parts = [top, *reversed(left), *right]
        blossom = len(self.bases)
        self.bases.append(self.bases[top])
        self.members.append([vertex for part in parts for vertex in self.members[part]])
        self.holders.append(None)
        self.parts.append(parts)
        self.links.append([
            *(self.entries[node] for node in reversed(left)), (one, other),
            *(self.entries[node][::-1] for node in right)])
        self.extra.append(0)
        for part in parts:
            self.holders[part] = blossom
        for vertex in self.members[blossom]:
            self.outermost[vertex] = blossom
        inner = [part for part in parts if not self.is_outer.pop(part)]
        self.is_outer[blossom], self.entries[blossom] = True, self.entries[top]
        for part in inner:
            self.look(self.members[part])

    def open(self, blossom):
        """Takes an inner blossom without a price apart. The way from its entry to its base stays in the tree."""
        entry, parts, links = self.entries[blossom], self.parts[blossom], self.links[blossom]
        del self.is_outer[blossom]
        for part in parts:
            self.holders[part] = None
            for vertex in self.members[part]:
                self.outermost[vertex] = part
        place = parts.index(self.outermost[entry[1]])
        if place % 2:
            way = list(zip(parts[place:] + parts[:1], links[place:] + [None]))
        else:
            way = list(zip(parts[place::-1], [link[::-1] for link in links[:place][::-1]] + [None]))
        for (inner, pair), (_, edge) in zip(way[::2], way[1::2] + [(None, None)]):
            self.is_outer[inner], self.entries[inner] = False, entry
            if pair:
                self.enter(*pair)
                entry = edge
        for part in parts:
            for vertex in self.members[part] if part not in self.is_outer else ():
                near = self.nearest[vertex]
                if near is not None:
                    heapq.heappush(self.reached, (self.slack(near, vertex) + self.fallen, near, vertex))

    def rotate(self, node, vertex):
        """Makes a vertex the base of its node."""
        if not self.parts[node] or self.bases[node] == vertex:
            return
        part = vertex
        while self.holders[part] != node:
            part = self.holders[part]
        place = self.parts[node].index(part)
        parts = self.parts[node] = self.parts[node][place:] + self.parts[node][:place]
        links = self.links[node] = self.links[node][place:] + self.links[node][:place]
        self.bases[node] = vertex
        self.rotate(part, vertex)
        for place in range(1, len(parts), 2):
            one, other = links[place]
            self.rotate(parts[place], one)
            self.rotate(parts[place + 1], other)
            self.mates[one], self.mates[other] = other, one


# MARK: The Dutch system (§1.9: FIDE Handbook C.04.3, in force since February 2026, whose articles stand below)

WHITE, BLACK = 0, 1
DOWN, UP = -1, 1
MILD, STRONG, ABSOLUTE = 1, 2, 3
# What a bye and a won pairing give, in half points.
WIN = 2


class SwissPlayer:
    """What the rounds before are to the pairing of the next one. Points are half points."""

    def __init__(self, number):
        self.number, self.points = number, 0
        # Of each round a float or 0, of each game that was played a colour and an opponent.
        self.floats, self.colours, self.met = [], [], set()
        self.unplayed, self.may_have_bye = 0, True

    def add(self, points, floated=0, colour=None, opponent=None):
        """Adds a round, which was played where there is a colour."""
        if colour is None:
            floated = DOWN if points else 0
            self.unplayed += 1
            self.may_have_bye = self.may_have_bye and points < WIN
        else:
            self.colours.append(colour)
            self.met.add(opponent)
        self.floats.append(floated)
        self.points += points

    def floated(self, way, before):
        """Whether it floated this way so many rounds before (1.4)."""
        return len(self.floats) >= before and self.floats[-before] == way

    @property
    def difference(self):
        return self.colours.count(WHITE) - self.colours.count(BLACK)

    @property
    def preference(self):
        """How much it wants a colour, and which one (1.7)."""
        if not self.colours:
            return 0, None
        last, difference = self.colours[-1], self.difference
        if abs(difference) < 2 and self.colours[-2:] == [last, last]:
            return ABSOLUTE, 1 - last
        if difference == 0:
            return MILD, 1 - last
        return STRONG if abs(difference) == 1 else ABSOLUTE, BLACK if difference > 0 else WHITE


class DutchRound:
    """A round by FIDE's Dutch system.

    Of a bracket's pairings the best one by the criteria is taken, and of equal ones that which comes first in the order
    of articles 3.6, 3.7 and 4. Each criterion, and the order too, is a sum over pairs and over those who float. So one
    number for each pair, whose high digits are for the first criteria, makes it a matter of the heaviest matching.
    """

    def __init__(self, players, is_last, first=WHITE):
        self.players = sorted(players, key=lambda player: (-player.points, player.number))
        self.preferences = {player: player.preference for player in players}
        self.first, self.bye_points, self.known, self.costs = first, None, {}, {}
        # Who has more than half of all points before the last round (1.8).
        self.top = {player for player in players if is_last and player.points > len(player.floats)}

    def pair(self):
        """The pairs, white first, and who has the bye; None where not all can be paired."""
        if not self.find_bye():
            return None
        left, moved, pairs = self.players, [], []
        while left:
            residents = [player for player in left if player.points == left[0].points]
            left = left[len(residents):]
            bracket = ScoreBracket(self, moved, residents, left)
            pairs += bracket.pairs
            moved = bracket.floating
        pairs.sort(key=lambda pair: (-pair[0].points, -pair[1].points, pair[0].number))
        return [self.seated(*pair) for pair in pairs], moved[0] if moved else None

    def find_bye(self):
        """Finds the fewest points with which somebody can have the bye (C5); whether all can be paired."""
        if len(self.players) % 2 == 0:
            return self.can_complete(self.players)
        for points in sorted({player.points for player in self.players if player.may_have_bye}):
            self.bye_points, self.known = points, {}
            if self.can_complete(self.players):
                return True
        return False

    def may_have_bye(self, player):
        """C2 and C5."""
        return player.may_have_bye and player.points == self.bye_points

    def may_meet(self, one, other):
        """C1 and C3."""
        is_wanted_by_both = self.preferences[one] == self.preferences[other] and self.preferences[one][0] == ABSOLUTE
        return other not in one.met and (not is_wanted_by_both or one in self.top or other in self.top)

    def edges(self, players, with_bye=False):
        """Who of these may meet whom, by their places; whoever has the bye meets the place behind them."""
        edges = [{} for _ in range(len(players) + with_bye)]
        for place, one in enumerate(players):
            for before in range(place):
                if self.may_meet(players[before], one):
                    edges[place][before] = edges[before][place] = 0
            if with_bye and self.may_have_bye(one):
                edges[place][len(players)] = edges[len(players)][place] = 0
        return edges

    def can_complete(self, players):
        """Whether all of these can be paired, but one of an odd number who has the bye (C4)."""
        key = tuple(player.number for player in players)
        if key not in self.known:
            edges = self.edges(players, len(players) % 2 == 1)
            self.known[key] = Matching(edges, [None] * len(edges)).is_there
        return self.known[key]

    def all_meet(self, players):
        """Whether all of these can be paired with each other."""
        return len(players) % 2 == 0 and Matching(self.edges(players), [None] * len(players)).is_there

    def seated(self, high, low):
        """Two by their colours, of whom the first is ranked higher (5.2)."""
        wishes = [(*self.preferences[player], abs(player.difference)) for player in (high, low)]
        (much, own, own_difference), (its_much, its, its_difference) = wishes
        if own != its:
            colour = 1 - its if own is None else own
        elif much != its_much:
            colour = own if much > its_much else 1 - own
        elif much == ABSOLUTE and own_difference != its_difference:
            colour = own if own_difference > its_difference else 1 - own
        else:
            games = zip(reversed(high.colours), reversed(low.colours))
            colour = next((its for own, its in games if own != its), own)
        if colour is None:
            colour = self.first if high.number % 2 == 0 else 1 - self.first
        return (high, low) if colour == WHITE else (low, high)

    def colour_costs(self, high, low):
        """C10 to C13 of a pair."""
        if (high, low) not in self.costs:
            costs, is_top = [0, 0, 0, 0], high in self.top or low in self.top
            for colour, player in enumerate(self.seated(high, low)):
                much, wanted = self.preferences[player]
                costs[0] += is_top and abs(player.difference + (1 if colour == WHITE else -1)) > 2
                costs[1] += is_top and player.colours[-2:] == [colour, colour]
                costs[2] += wanted == 1 - colour
                costs[3] += wanted == 1 - colour and much == STRONG
            self.costs[high, low] = costs
        return self.costs[high, low]


class ScoreBracket:
    """The pairs of a bracket (3): those who have moved down, by their order, are paired with residents, who are paired.

    First the pairs of those who have moved down are found, then with these the pairs of the other residents.
    """

    def __init__(self, turn, moved, residents, left):
        self.turn, self.moved, self.residents, self.pairs, self.floating = turn, moved, residents, [], []
        self.following = [player for player in left if player.points == left[0].points]
        self.rest = left[len(self.following):]
        # Whether whoever floats has the bye, if nobody else floats (C9).
        is_odd = len(moved + residents + left) % 2 == 1
        self.gives_bye = is_odd and residents[0].points <= turn.bye_points
        # Those who have moved down, and float or are not paired yet; and pairs that stay.
        self.waiting, self.fixed, many = moved, [], len(residents) // 2
        if moved:
            self.solve(None)
            self.fixed = [pair for pair in self.pairs if pair[0] in moved]
            self.waiting = [player for player in moved if player in self.floating]
            paired = {player for pair in self.fixed for player in pair}
            self.residents = [player for player in residents if player not in paired]
            many = len(self.pairs) - len(self.fixed)
        self.solve(many)
        if len(self.pairs) - len(self.fixed) < many:
            # There are fewer than half as many pairs as residents; their order depends on it.
            self.solve(len(self.pairs) - len(self.fixed))

    def solve(self, many):
        """Finds the best pairs: of who has moved down where `many` is None, else so many of the residents."""
        if many is None or not self.take_first(many):
            # What is best with less in sight is best if it can go on from there.
            any(self.take_best(many, sight) for sight in (1, 2, 3))
        if self.gives_bye and len(self.floating) != 1:
            self.gives_bye = False
            self.solve(many)

    def take_first(self, many):
        """Takes the first pairs there are, where nothing can be better (3.4); whether that is so."""
        pairs, over = list(zip(self.residents[:many], self.residents[many:])), self.residents[2 * many:]
        is_perfect = not self.waiting and len(over) < 2 and not (self.gives_bye and over and over[0].unplayed)
        is_perfect = is_perfect and not any(player.floated(DOWN, before) for player in over for before in (1, 2))
        if not is_perfect or not all(
                self.turn.may_meet(*pair) and not any(self.turn.colour_costs(*pair)) for pair in pairs):
            return False
        self.pairs, self.floating = self.fixed + pairs, over
        return self.can_go_on()

    def take_best(self, many, sight):
        """Takes the best pairs with this bracket alone in sight, with the following one, or with all; whether that
        is right."""
        own = self.waiting + self.residents
        players = own + (self.following if sight > 1 else []) + (self.rest if sight > 2 else [])
        near, costs = len(own) + len(self.following), BracketCosts(self, many)
        edges = self.turn.edges(players, sight == 3 and len(players) % 2 == 1)
        for one, others in enumerate(edges):
            for other in [other for other in others if one < other]:
                if other < len(own):
                    cost = costs.pair(players[one], players[other])
                else:
                    cost = costs.floating(players[one], other == len(players)) if one < len(own) else 0
                    cost += costs.beyond(players[one]) if one < near <= other else 0
                if cost is None:
                    del edges[one][other], edges[other][one]
                else:
                    edges[one][other] = edges[other][one] = -cost
        alone = [None] * len(edges)
        for one in range(len(players) if sight < 3 else 0):
            cost = costs.floating(players[one], True) if one < len(own) else 0
            alone[one] = -(cost + (costs.beyond(players[one]) if sight == 2 else 0))
        mates = Matching(edges, alone).mates
        self.pairs = self.fixed + [
            (player, own[mate]) for one, (player, mate) in enumerate(zip(own, mates)) if one < mate < len(own)]
        self.floating = [
            player for one, (player, mate) in enumerate(zip(own, mates)) if mate == one or mate >= len(own)]
        if sight == 2:
            beyond = [player for one, (player, mate) in enumerate(zip(players, mates)) if mate == one]
            return self.turn.can_complete(beyond + self.rest)
        return sight == 3 or self.can_go_on()

    def can_go_on(self):
        """Whether the following bracket can be paired with those who float as well as with any others (C8), and all
        that is left too (C4)."""
        down, following, turn = self.floating, self.following, self.turn
        if not down or not following:
            return turn.can_complete(down + following + self.rest)
        if len(down + following) % 2 == 0:
            return turn.all_meet(down + following) and turn.can_complete(self.rest)
        return any(
            turn.all_meet(down + [other for other in following if other is not one])
            and turn.can_complete([one] + self.rest) for one in reversed(following))


class BracketCosts:
    """What pairs of a bracket and those who float from it cost, by all criteria in one number."""

    def __init__(self, bracket, many):
        self.turn, self.many, self.gives_bye = bracket.turn, many, bracket.gives_bye
        self.moved = {player: place for place, player in enumerate(bracket.moved)}
        self.places = {player: place for place, player in enumerate(bracket.residents)}
        players = bracket.moved + bracket.residents + bracket.following
        # So many bits hold how many players there are.
        self.digit = len(players).bit_length()
        self.levels = {
            points: level for level, points in enumerate(sorted({player.points for player in players}))}
        scores, rounds = self.digit * len(self.levels), max(len(player.floats) for player in players)
        moved, residents = len(self.moved), len(self.places)
        parts = {
            "c6": 1, "c7": scores, "c8": 1, "c8_scores": scores, "c9": rounds.bit_length(),
            **{f"c{number}": 2 if number < 14 else 1 for number in range(10, 18)},
            **{f"c{number}": scores for number in range(18, 22)}}
        if many is None:
            parts.update(floats=moved, opponents=moved * self.digit)
        else:
            parts.update(
                exchanged=1, difference=self.digit, leaves=residents, enters=residents + 1,
                partners=residents * self.digit)
        self.shifts, shift = {}, 0
        for name, bits in reversed(parts.items()):
            self.shifts[name] = shift
            shift += bits + self.digit

    def sum(self, **costs):
        return sum(cost << self.shifts[name] for name, cost in costs.items() if cost)

    def score(self, player):
        """A part by which the highest of several scores is compared first."""
        return 1 << self.digit * self.levels[player.points]

    def floating(self, player, has_bye):
        """C6, C7, C9, C14, C16, C18 and C20 of one who floats.

        Of those who have moved down, whose opponents all have the same points, whoever floats differs most in score. So
        C18 and C20 are about who floats again.
        """
        once, twice, score = player.floated(DOWN, 1), player.floated(DOWN, 2), self.score(player)
        cost = self.sum(c6=1, c7=score, c9=player.unplayed if has_bye and self.gives_bye else 0)
        if player not in self.moved:
            return cost + self.sum(c14=once, c16=twice)
        cost += self.sum(c18=once * score, c20=twice * score)
        # Article 4.4.2.
        return cost if self.many is not None else cost + self.sum(floats=1 << len(self.moved) - 1 - self.moved[player])

    def beyond(self, player):
        """C8 of one who floats from the following bracket."""
        return self.sum(c8=1, c8_scores=self.score(player))

    def pair(self, high, low):
        """C10 to C13, C15, C17, C19, C21 and the order of pairs; None for two that do not meet here."""
        if low in self.moved or high in self.moved and self.many is not None:
            return None
        cost = self.sum(**dict(zip(("c10", "c11", "c12", "c13"), self.turn.colour_costs(high, low))))
        place = self.places[low]
        if high in self.moved:
            once, twice, score = low.floated(UP, 1), low.floated(UP, 2), self.score(high)
            cost += self.sum(c15=once, c17=twice, c19=once * score, c21=twice * score)
            # Article 4.2, for those who have moved down.
            return cost + self.sum(opponents=place << self.digit * (len(self.moved) - 1 - self.moved[high]))
        return cost if self.many is None else cost + self.order(self.places[high], place)

    def order(self, high, low):
        """Articles 4.2 and 4.3: what a pair of residents at these places is in the order of exchanges and
        transpositions.

        The higher of a pair is in S1, since the other way round the pair has come before. It was exchanged where its
        place is not one of the first ones.
        """
        last, is_exchanged = len(self.places) - 1, high >= self.many
        return self.sum(
            exchanged=is_exchanged, difference=high, leaves=0 if is_exchanged else 1 << high,
            enters=(2 << last) - (1 << last - high) if is_exchanged else 0, partners=low << self.digit * (last - high))


# MARK: Tournaments (§1.9)

SINGLE_ELIMINATION, ROUND_ROBIN, SWISS, DOUBLE_ELIMINATION, GAUNTLET, LADDER, GROUPS = range(1, 8)
FALSE, NOT_PROVEN, DECISION, FORK = "false", "not proven", "decision", "fork"
MOST_ENTRANTS, MOST_IN_ROUND_ROBIN, MOST_LATE_IN_SWISS = 4_096, 256, 1_000
MOST_DECIDERS = 16
# How many entrants a format may have with those that come in after the start; others take nobody then.
LATE_ENTRANTS = {
    ROUND_ROBIN: MOST_IN_ROUND_ROBIN, SWISS: MOST_LATE_IN_SWISS, GAUNTLET: MOST_ENTRANTS, LADDER: MOST_ENTRANTS}
# Deciders of a level pairing behind groups, and the most entrants of a group.
GROUP_DECIDERS, MOST_IN_GROUP = 2, 256


class Told:
    """What a room's state is to a tournament: who sits in it, and the scores of its games."""

    def __init__(self, room, games, is_known):
        self.id, self.creator, self.settings, self.is_known = room.id, room.creator, room.settings, is_known
        self.wall = room.create.wall
        self.seats = {seat: taken[0] for seat, taken in room.roster.items()}
        referee = room.settings["referee"]
        self.participants = {room.creator, *self.seats.values()} | ({referee} if referee != ZERO else set())
        self.ended = []
        for game in games:
            if game["scores"] is None or len(game["scores"]) != 2:
                break
            self.ended.append(tuple(game["scores"]))
        self.is_signed = len(self.ended) == len(games) and all(game["level"] == "agreed" for game in games)

    def signed(self, count):
        """The scores of so many games, when every seat has signed them all."""
        return self.ended if self.is_signed and len(self.ended) == count else None


class HeldRoom:
    """A room of a pairing as it is here, and as it was where a word of the organizer's rests on it."""

    def __init__(self, told, past=None, fault=None, rest=None):
        # The rest is what it was at the heads that are here, where the others are of nobody who sits in it.
        self.told, self.past, self.fault, self.rest = told, past or told, fault, rest


class Finding:
    """Something that was found of a tournament."""

    def __init__(self, kind, reason, pairing=None, attempt=None, room=None, event=None):
        self.kind, self.reason, self.pairing, self.attempt = kind, reason, pairing, attempt
        self.room, self.event = room, event

    def members(self):
        return {
            "finding": self.kind, "pairing": None if self.pairing is None else f"M{self.pairing + 1}",
            "attempt": None if self.attempt is None else self.attempt + 1,
            "room": self.room.hex() if self.room else None, "event": self.event.hex() if self.event else None,
            "reason": self.reason}

    def line(self):
        place = f"room {self.room.hex()[:10]}: " if self.room else ""
        if self.pairing is not None:
            place = f"M{self.pairing + 1}, attempt {self.attempt + 1}: "
        event = f" (event {self.event.hex()})" if self.event else ""
        return f"  {self.kind}: {place}{printable(self.reason)}{event}"


class Pairing:
    """Two entrants who meet, and what was played of it."""

    def __init__(self, number, first, second, games, deciders=None):
        self.number, self.first, self.second, self.games, self.deciders = number, first, second, games, deciders
        # Of each counted attempt who was absent, as in a word, and the games' scores.
        self.results = []
        # Who won, None for nobody, and how; None while a room is to be played.
        self.decision = None

    @property
    def open(self):
        """The attempt that is to be played now."""
        return Attempt(self, len(self.results)) if self.decision is None else None

    def count(self, absent, games):
        self.results.append((absent, games))
        self.decision = self.decide()

    def settle(self, withdrawn):
        """Ends it where one of its entrants has withdrawn."""
        if self.open:
            absent = sum(1 << seat for seat, entrant in enumerate(self.open.entrants) if entrant in withdrawn)
            if absent:
                self.count(absent, [])

    def tallies(self, number):
        """What both entrants gained in a counted attempt: won, drawn, lost and the sum of scores of each."""
        attempt, (absent, games) = Attempt(self, number), self.results[number]
        sums = [[0, 0, 0, 0], [0, 0, 0, 0]]
        for scores in games:
            for seat in (0, 1):
                own, other = scores[seat], scores[1 - seat]
                sums[seat][0 if own > other else 2 if own < other else 1] += 1
                sums[seat][3] += own
        if absent:
            for seat in (0, 1):
                sums[seat][2 if absent & 1 << seat else 0] += max(0, attempt.games - len(games))
        return sums[::-1] if attempt.is_swapped else sums

    def leader(self, number):
        first, second = (2 * tally[0] + tally[1] for tally in self.tallies(number))
        return None if first == second else self.first if first > second else self.second

    def decide(self):
        last, absent = len(self.results) - 1, self.results[-1][0]
        leader = self.leader(last)
        if self.deciders is None:
            return leader, 3 if absent else 1
        if absent:
            seats = Attempt(self, last).entrants
            return {1: seats[1], 2: seats[0], 3: None}[absent], 3
        if leader is not None:
            return leader, 1 if last == 0 else 2
        return (min(self.first, self.second), 4) if len(self.results) > self.deciders else None


class Attempt:
    """One room of a pairing: its games, or a decider."""

    def __init__(self, pairing, number):
        self.pairing, self.number = pairing, number
        self.is_swapped = number % 2 == 1
        seats = [pairing.first, pairing.second]
        self.entrants = seats[::-1] if self.is_swapped else seats
        self.games = pairing.games if number == 0 else 1


class Circle:
    """A round robin by the Berger tables, or a gauntlet: all pairings are known from the start."""

    def __init__(self, settings, count):
        self.is_gauntlet, self.count = settings["format"] == GAUNTLET, count
        self.by_score = settings["rules"] == "prisoners-dilemma"
        self.games, self.cycles = settings["games"], (settings["options"] & 15) + 1
        cycle = self.gauntlet() if self.is_gauntlet else self.berger()
        self.all = []
        for number in range(self.cycles):
            for first, second in cycle:
                pair = (second, first) if number % 2 else (first, second)
                self.all.append(Pairing(len(self.all), *pair, settings["games"]))
        self.most = len(self.all)

    def gauntlet(self):
        return [(0, other) if other % 2 else (other, 0) for other in range(1, self.count)]

    def berger(self):
        return [pair for pairs in berger_rounds(self.count) for pair in pairs]

    def enter(self):
        """Takes an entrant that comes in after the start, behind all others; it meets those before it."""
        late, self.count = self.count, self.count + 1
        for number in range(self.cycles):
            for other in [0] if self.is_gauntlet else range(late):
                pair = (other, late) if (other + number) % 2 else (late, other)
                self.all.append(Pairing(len(self.all), *pair, self.games))
        self.most = len(self.all)

    def following(self, pairings):
        """The pairings that are known and not there yet."""
        return self.all[len(pairings):]

    def ranked(self, pairings, tallies):
        """Entrants with what they rank by, the greater the better."""
        points = [2 * tally[0] + tally[1] for tally in tallies]
        if self.is_gauntlet:
            games = [max(1, sum(tally[:3])) for tally in tallies]

            def below(amounts, own):
                return sum(amounts[other] * games[own] < amounts[own] * games[other] for other in range(self.count))
            scores = [tally[3] if self.by_score else 0 for tally in tallies]
            wins = [tally[0] for tally in tallies]
            return {own: [below(scores, own), below(points, own), below(wins, own)] for own in range(self.count)}
        return everybody_ranked(range(self.count), pairings.values(), tallies, self.by_score)


def berger_rounds(count):
    """The rounds of a Berger table: each pair's entrants, counted from 0, the first seat first."""
    lines = count + count % 2
    circle, rounds = lines - 1, []
    for turn in range(circle):
        home = turn * (lines // 2) % circle
        pairs = [(circle, home) if turn % 2 else (home, circle)]
        pairs += [((home + far) % circle, (home + circle - far) % circle) for far in range(1, lines // 2)]
        rounds.append([pair for pair in pairs if max(pair) < count])
    return rounds


def everybody_ranked(entrants, pairings, tallies, by_score):
    """Entrants who all meet, with what a round robin ranks them by; the pairings are those between them."""
    points = {own: 2 * tallies[own][0] + tallies[own][1] for own in entrants}
    gained = {own: dict.fromkeys(entrants, 0) for own in entrants}
    for pairing in pairings:
        for number in range(len(pairing.results)):
            first, second = pairing.tallies(number)
            gained[pairing.first][pairing.second] += 2 * first[0] + first[1]
            gained[pairing.second][pairing.first] += 2 * second[0] + second[1]
    keys = {
        own: [points[own], sum(gain * points[other] for other, gain in gained[own].items()), tallies[own][0]]
        for own in entrants}
    ranked = {}
    for own in entrants:
        direct = sum(gain for other, gain in gained[own].items() if keys[other] == keys[own])
        before = [tallies[own][3]] if by_score else []
        ranked[own] = before + keys[own] + [direct, tallies[own][3]]
    return ranked


def summed(count, pairings):
    """What each entrant gained in these pairings: won, drawn, lost and the sum of scores."""
    tallies = [[0, 0, 0, 0] for _ in range(count)]
    for pairing in pairings:
        for number in range(len(pairing.results)):
            for entrant, gained in zip((pairing.first, pairing.second), pairing.tallies(number)):
                tallies[entrant] = [one + two for one, two in zip(tallies[entrant], gained)]
    return tallies


def ranks(keys):
    """(entrant, rank), the greatest key first, equal ones by seed."""
    lines, before = [], None
    for place, entrant in enumerate(sorted(keys, key=lambda entrant: ([-part for part in keys[entrant]], entrant))):
        lines.append((entrant, lines[-1][1] if place and keys[entrant] == before else place + 1))
        before = keys[entrant]
    return lines


class KnockOut:
    """Places by rounds, whose sides are entrants, byes, and winners and losers of places."""

    BYE = ("bye",)

    def __init__(self, settings, count):
        self.games, self.deciders = settings["games"], settings["options"] & 31
        self.count, self.rounds, self.most = count, [], 0
        # Who comes to a place of the first round from elsewhere.
        self.comers = {}

    def lines(self):
        """The sides of the first round: seeds by the fold, and byes for missing ones."""
        return [("entrant", line) if line < self.count else self.BYE for line in bracket_lines(self.count)]

    def add(self, pairs):
        """Adds a round of these pairs of sides; who comes of its places as winner, and who as loser."""
        places, winners, losers = [], [], []
        for upper, lower in pairs:
            number = None
            if lower != self.BYE and upper != self.BYE:
                number, self.most = self.most, self.most + 1
            elif upper == self.BYE:
                upper, lower = lower, upper
            places.append((number, upper, lower, False))
            winners.append(upper if number is None else ("winner", number))
            losers.append(self.BYE if number is None else ("loser", number))
        self.rounds.append(places)
        return winners, losers

    def filled(self, pairings):
        """The places as far as they are known: the round, the number, both sides, and whether it is for the third."""
        ends, found = dict(self.comers), []
        for turn, places in enumerate(self.rounds):
            for number, upper, lower, is_third in places:
                upper, lower = (ends.get(side, side) for side in (upper, lower))
                if upper == self.BYE:
                    upper, lower = lower, upper
                pairing = pairings.get(number)
                if number is not None and lower == self.BYE:
                    if upper == self.BYE or upper[0] == "entrant":
                        ends["winner", number], ends["loser", number] = upper, self.BYE
                    number = None
                elif pairing and pairing.decision:
                    winner = pairing.decision[0]
                    ends["winner", number] = self.BYE if winner is None else ("entrant", winner)
                    ends["loser", number] = self.BYE if winner is None else (
                        "entrant", pairing.second if winner == pairing.first else pairing.first)
                found.append((turn, number, upper, lower, is_third))
        return found

    def following(self, pairings):
        return [
            Pairing(number, *self.seated(number, upper[1], lower[1]), self.games, self.deciders)
            for _, number, upper, lower, _ in self.filled(pairings)
            if number is not None and number not in pairings and upper[0] == lower[0] == "entrant"
            and self.is_played(number, pairings)]

    def seated(self, _number, one, other):
        """Both entrants of a place, by their seats."""
        return min(one, other), max(one, other)

    def is_played(self, _number, _pairings):
        """Whether a place is played whose entrants are known."""
        return True


def bracket_lines(count):
    """The seeds of a bracket's lines, from the top: the least power of two that holds so many, by the fold."""
    lines = [0]
    while len(lines) < count:
        last = 2 * len(lines) - 1
        lines = [line for seed in lines for line in (seed, last - seed)]
    return lines


class Bracket(KnockOut):
    """A single elimination."""

    def __init__(self, settings, count):
        super().__init__(settings, count)
        self.add_rounds(self.lines(), settings["options"] & 32)

    def add_rounds(self, sides, has_third):
        losers = []
        while len(sides) > 1:
            is_final, semifinal = len(sides) == 2, losers
            sides, losers = self.add(zip(sides[::2], sides[1::2]))
            if is_final and has_third and len(semifinal) == 2 and self.BYE not in semifinal:
                self.rounds[-1].append((self.most, *semifinal, True))
                self.most += 1

    def ranked(self, pairings, tallies):
        reached, is_in, has_third = [0] * self.count, [1] * self.count, [0] * self.count
        for turn, number, upper, lower, is_third in self.filled(pairings):
            decision = pairings[number].decision if number in pairings else None
            if is_third:
                alone = upper[1] if number is None and upper[0] == "entrant" else None
                winner = decision[0] if decision else alone
                if winner is not None:
                    has_third[winner] = 1
                continue
            for entrant in (side[1] for side in (upper, lower) if side[0] == "entrant"):
                reached[entrant] = turn
                if decision and decision[0] != entrant:
                    is_in[entrant] = 0
                elif decision or number is None and lower == self.BYE:
                    reached[entrant] = turn + 1
        return {own: [reached[own], is_in[own], has_third[own]] for own in range(self.count)}


class TwoBrackets(KnockOut):
    """A double elimination: who loses in the upper bracket goes on in the lower one, who loses there is out."""

    def __init__(self, settings, count):
        super().__init__(settings, count)
        upper, lower = self.add_neighbours(self.lines())
        turn = 0
        while True:
            if len(lower) > 1:
                lower, _ = self.add_neighbours(lower)
            if len(upper) == 1:
                break
            upper, losers = self.add_neighbours(upper)
            turn += 1
            half = len(losers) // 2
            losers = losers[::-1] if turn % 2 else losers[half:] + losers[:half]
            lower, _ = self.add(zip(lower, losers))
        self.final, self.reset = self.most, self.most + 1
        self.add([(upper[0], lower[0])])
        self.add([(("loser", self.final), ("winner", self.final))])

    def add_neighbours(self, sides):
        return self.add(zip(sides[::2], sides[1::2]))

    def seated(self, number, one, other):
        return (max(one, other), min(one, other)) if number == self.reset else super().seated(number, one, other)

    def is_played(self, number, pairings):
        """The reset is when the winner of the lower bracket wins the final."""
        if number != self.reset:
            return True
        _, _, upper, _, _ = self.filled(pairings)[-2]
        return pairings[self.final].decision[0] != upper[1]

    def ranked(self, pairings, _tallies):
        lost, reached = [0] * self.count, [len(self.rounds)] * self.count
        for turn, number, _, _, _ in self.filled(pairings):
            pairing = pairings.get(number)
            if not pairing or not pairing.decision:
                continue
            winner = pairing.decision[0]
            for entrant in (pairing.first, pairing.second):
                if entrant != winner:
                    lost[entrant] += 1
                    if winner is None or lost[entrant] == 2:
                        reached[entrant] = turn
        return {own: [reached[own]] for own in range(self.count)}


class WordByWord:
    """A format whose rounds follow from the organizer's words and the withdrawals alone, whatever a word is worth.

    So it has pairings of its own, in which every word counts that fits.
    """

    def __init__(self, settings, count):
        self.games, self.count, self.rounds = settings["games"], count, settings["options"]
        # All pairings, how many rounds were paired, and the last of them.
        self.withdrawn, self.listed, self.turn, self.playing = set(), {}, 0, []
        self.add_round()

    def add_round(self):
        """Pairs the next round in which somebody meets, once all that are paired are decided."""
        while self.turn < self.rounds and not any(pairing.open for pairing in self.playing):
            number = len(self.listed)
            pairs = self.pairs()
            self.turn += 1
            self.playing = [
                Pairing(number + place, first, second, self.games) for place, (first, second) in enumerate(pairs)]
            self.listed.update((pairing.number, pairing) for pairing in self.playing)

    def hear(self, said):
        """Takes a word of the organizer's."""
        attempt = fitting(self.listed, said)
        if attempt:
            attempt.pairing.count(said["walkover"], pairs_of(said))
            self.add_round()

    def enter(self):
        """Takes an entrant that comes in after the start, behind all others."""
        self.count += 1

    def withdraw(self, entrant):
        self.withdrawn.add(entrant)
        for pairing in self.playing:
            pairing.settle(self.withdrawn)
        self.add_round()

    def following(self, pairings):
        return [
            Pairing(number, pairing.first, pairing.second, self.games)
            for number, pairing in sorted(self.listed.items()) if number not in pairings]


class Ladder(WordByWord):
    """A ladder: neighbours meet, and who wins from below changes places with the one above."""

    def pairs(self):
        standing = [entrant for entrant in self.order(self.listed) if entrant not in self.withdrawn]
        meeting = standing[self.turn % 2:]
        return list(zip(meeting[1::2], meeting[::2]))

    def order(self, pairings):
        """The entrants from the top, with those who have withdrawn where they stood."""
        order, places = list(range(self.count)), list(range(self.count))
        for _, pairing in sorted(pairings.items()):
            winner = pairing.decision[0] if pairing.decision else None
            if winner is None:
                continue
            loser = pairing.second if winner == pairing.first else pairing.first
            below, above = places[winner], places[loser]
            if above < below:
                order[below], order[above] = loser, winner
                places[winner], places[loser] = above, below
        return order

    def ranked(self, pairings, _tallies):
        return {entrant: [-place] for place, entrant in enumerate(self.order(pairings))}


class Swiss(WordByWord):
    """A Swiss tournament: nobody meets the same one twice, and who meets has as many points as can be."""

    def __init__(self, settings, count):
        self.players = [SwissPlayer(seed) for seed in range(count)]
        # Of each round that was paired its pairings by entrant, with None for who has the bye.
        self.paired = []
        super().__init__(settings, count)

    def pairs(self):
        if self.paired:
            self.add_results()
        left = [player for player in self.players if player.number not in self.withdrawn]
        found = DutchRound(left, self.turn + 1 == self.rounds).pair() if len(left) > 1 else None
        if found is None:
            self.rounds = 0
            return []
        pairs, bye = found
        pairs = [(white.number, black.number) for white, black in pairs]
        number = len(self.listed)
        self.paired.append({
            entrant: number + place for place, pair in enumerate(pairs) for entrant in pair})
        if bye:
            self.paired[-1][bye.number] = None
        return pairs

    def enter(self):
        super().enter()
        player = SwissPlayer(len(self.players))
        # The rounds before, but for the one that is on: that is added for everybody when it is over.
        for _ in self.paired[1:]:
            player.add(0)
        self.players.append(player)

    def add_results(self):
        """Adds the round that is over to what the next one is paired by."""
        before = [player.points for player in self.players]
        for own, player in enumerate(self.players):
            number = self.paired[-1].get(own, -1)
            if number is None:
                player.add(WIN)
            elif number < 0:
                player.add(0)
            else:
                pairing = self.listed[number]
                other = pairing.second if own == pairing.first else pairing.first
                points = gained(pairing, own)
                if pairing.results[0][1]:
                    floated = (before[other] > before[own]) - (before[other] < before[own])
                    player.add(points, floated, WHITE if own == pairing.first else BLACK, self.players[other])
                else:
                    player.add(points)

    def ranked(self, pairings, _tallies):
        """Entrants by points and five tie-breaks."""
        rounds = [self.results(own, pairings) for own in range(self.count)]
        points = [sum(gain for gain, _ in results) for results in rounds]
        keys = []
        for own, results in enumerate(rounds):
            opposed = [(gain, points[own if other is None else other]) for gain, other in results]
            buchholz = sum(level for _, level in opposed)
            least = min((level for _, level in opposed), default=0)
            keys.append([points[own], buchholz - least, buchholz, sum(gain * level for gain, level in opposed)])
        met = [{other for _, other in results if other is not None} for results in rounds]
        ranked = {}
        for own, results in enumerate(rounds):
            equal = {other for other in range(self.count) if keys[other] == keys[own]}
            # What they gained from each other counts where all of them have met.
            have_met = all(equal <= met[one] | {one} for one in equal)
            direct = sum(gain for gain, other in results if have_met and other in equal)
            won = sum(gain == WIN and other is not None for gain, other in results)
            ranked[own] = keys[own] + [direct, won]
        return ranked

    def results(self, own, pairings):
        """Of each round what it gave an entrant, and whom it met; None for nobody."""
        results = []
        for paired in self.paired:
            number = paired.get(own, -1)
            pairing = pairings.get(number)
            if pairing is None:
                results.append((WIN if number is None else 0, None))
            elif pairing.decision:
                other = pairing.second if own == pairing.first else pairing.first
                results.append((gained(pairing, own), other if pairing.results[0][1] else None))
        return results


class Groups(Bracket):
    """Round robins in groups, and a single elimination of the best of each.

    Who goes on follows from the organizer's words and the withdrawals alone; so the groups' pairings are kept a second
    time, in which every word counts that fits. The bracket goes by what counts.
    """

    def __init__(self, settings, count):
        super(Bracket, self).__init__(settings, count)
        self.deciders, self.by_score = GROUP_DECIDERS, settings["rules"] == "prisoners-dilemma"
        options = settings["options"]
        width, self.going_on = (options & 15) + 1, (options >> 4 & 7) + 1
        self.members = [[] for _ in range(width)]
        for seed in range(count):
            row, column = divmod(seed, width)
            self.members[width - 1 - column if row % 2 else column].append(seed)
        self.group_of, self.withdrawn = {}, set()
        tables = [berger_rounds(len(members)) for members in self.members]
        for turn in range(max(len(table) for table in tables)):
            for group, table in enumerate(tables):
                for first, second in table[turn] if turn < len(table) else []:
                    members = self.members[group]
                    self.group_of[len(self.group_of)] = group, members[first], members[second]
        self.listed = {pairing.number: pairing for pairing in self.group_pairings()}
        self.places = group_seeds(width, self.going_on)
        self.most = len(self.group_of)
        seeds = [("qualifier", *place) for place in self.places]
        self.add_rounds(
            [seeds[line] if line < len(seeds) else self.BYE for line in bracket_lines(len(seeds))], options & 128)

    def group_pairings(self):
        return [Pairing(number, first, second, self.games) for number, (_, first, second) in self.group_of.items()]

    @property
    def playing(self):
        """The groups' pairings, of which those who go on wait for words."""
        return self.listed.values()

    def hear(self, said):
        """Takes a word of the organizer's."""
        attempt = None if self.comers else fitting(self.listed, said)
        if attempt:
            attempt.pairing.count(said["walkover"], pairs_of(said))
            self.end_groups()

    def withdraw(self, entrant):
        if self.comers:
            return
        self.withdrawn.add(entrant)
        for pairing in self.listed.values():
            pairing.settle(self.withdrawn)
        self.end_groups()

    def end_groups(self):
        """Once all is decided there, says who goes on."""
        if any(pairing.open for pairing in self.listed.values()):
            return
        for group, lines in enumerate(self.group_ranks(self.listed)):
            present = [entrant for entrant, _ in lines if entrant not in self.withdrawn]
            for place in range(self.going_on):
                side = ("entrant", present[place]) if place < len(present) else self.BYE
                self.comers["qualifier", group, place] = side

    def group_ranks(self, pairings):
        """(entrant, rank) of each group, best first."""
        found = []
        for group, members in enumerate(self.members):
            own = [pairings[number] for number, at in self.group_of.items() if at[0] == group and number in pairings]
            tallies = summed(self.count, own)
            found.append(ranks(everybody_ranked(members, own, tallies, self.by_score)))
        return found

    def following(self, pairings):
        if not pairings:
            return self.group_pairings()
        return super().following(pairings) if self.comers else []

    def ranked(self, pairings, tallies):
        places = {entrant: -rank for lines in self.group_ranks(pairings) for entrant, rank in lines}
        for side in self.comers.values():
            if side != self.BYE:
                places[side[1]] = 1
        keys = super().ranked(pairings, tallies)
        return {own: [max(0, places[own]), *keys[own], places[own]] for own in range(self.count)}


def group_seeds(width, going_on):
    """(group, place) of each seed of the bracket behind groups."""
    line_of = {seed: line for line, seed in enumerate(bracket_lines(width * going_on))}
    seeds = [(group, 0) for group in range(width)]
    for place in range(1, going_on):
        # The first round in which a seed could meet one of a group.
        rounds = [
            [min((line_of[place * width + own] ^ line_of[other]).bit_length()
                 for other, (one, _) in enumerate(seeds) if one == group) for group in range(width)]
            for own in range(width)]
        for least in sorted({turn for turns in rounds for turn in turns}, reverse=True):
            spread = first_spread([[turn >= least for turn in turns] for turns in rounds])
            if spread:
                seeds += [(group, place) for group in spread]
                break
    return seeds


def first_spread(allowed):
    """The first list of groups, by seed, in which each seed has one that it is allowed to have; None for none."""
    width, spread = len(allowed), []

    def is_possible(taken):
        """Whether the seeds behind these can have the groups that are left: by augmenting paths."""
        owner = {}

        def finds(seed, tried):
            for group in range(width):
                if allowed[seed][group] and group not in taken and group not in tried:
                    tried.add(group)
                    if group not in owner or finds(owner[group], tried):
                        owner[group] = seed
                        return True
            return False
        return all(finds(seed, set()) for seed in range(len(taken), width))
    for seed in range(width):
        group = next((group for group in range(width) if allowed[seed][group] and group not in spread
                      and is_possible([*spread, group])), None)
        if group is None:
            return None
        spread.append(group)
    return spread


def gained(pairing, entrant):
    """What a pairing gives an entrant of a Swiss tournament, in half points."""
    winner, (absent, _) = pairing.decision[0], pairing.results[-1]
    if winner is None:
        return 0 if absent == 3 else WIN // 2
    return WIN if winner == entrant else 0


def fitting(pairings, said):
    """The attempt that a word is on, where it is the one of these pairings that is to be played."""
    pairing = pairings.get(said["pairing"])
    attempt = pairing.open if pairing else None
    if not attempt or attempt.number != said["attempt"]:
        return None
    count = len(said["games"]) // 2
    fits = count < attempt.games if said["walkover"] else count == attempt.games
    return attempt if fits else None


def pairs_of(said):
    """The scores of each game that a word gives."""
    return list(zip(said["games"][::2], said["games"][1::2]))


FORMATS = {
    SINGLE_ELIMINATION: Bracket, ROUND_ROBIN: Circle, DOUBLE_ELIMINATION: TwoBrackets, GAUNTLET: Circle,
    LADDER: Ladder, SWISS: Swiss, GROUPS: Groups}


def are_groups(options, count):
    """Whether so many entrants can be in these groups, and so many go on."""
    width, going_on = (options & 15) + 1, (options >> 4 & 7) + 1
    return -(-count // MOST_IN_GROUP) <= width <= max(1, count // 2) and going_on <= count


def are_settings(kind, options, count):
    """Whether a tournament of this format can have these options and so many entrants."""
    most = MOST_IN_ROUND_ROBIN if kind == ROUND_ROBIN else MOST_ENTRANTS
    are_options = {
        SINGLE_ELIMINATION: options < 64 and options & 31 <= MOST_DECIDERS,
        DOUBLE_ELIMINATION: options <= MOST_DECIDERS, LADDER: 1 <= options <= 255,
        SWISS: 1 <= options <= min(24 if count > 1_000 else 255, count - 1 + count % 2),
        GROUPS: are_groups(options, count)}.get(kind, options < 16)
    return 2 <= count <= most and are_options


def is_decision(word):
    """Whether a word decides what nobody has played, and may be taken back."""
    return word.kind == "disqualify" or word.payload["walkover"] != 0


class Tournament:
    """A tournament's own fold: the organizer's words in their order, each compared with the room that it names."""

    def __init__(self, room, held):
        self.room, self.settings, self.organizer = room, room.settings, room.creator
        # Room → what is held of it.
        self.held = held
        self.peers = [room.roster[seat][0] for seat in sorted(room.roster)]
        self.profiles = [
            (request.payload if request else room.settings)["profile"]
            for _, (_, _, request) in sorted(room.roster.items())]
        self.names = [profile["name"] for profile in self.profiles]
        self.system = FORMATS[self.settings["format"]](self.settings, room.starters)
        self.follows_words = self.settings["format"] in (LADDER, SWISS, GROUPS)
        self.pairings, self.withdrawn, self.disqualified, self.revoked = {}, set(), {}, []
        self.findings, self.judged, self.looked = [], {}, 0
        self.words, self.first_use, self.attempts = {}, {}, {}
        for found in self.held.values():
            made = found.told.settings
            if made["room kind"] == GAMES and made.get("tournament") == room.id:
                self.attempts.setdefault((made["pairing"], made["attempt"]), []).append(found)
        self.add_pairings()

    def fold(self):
        words = self.in_order()
        for word in words:
            if isinstance(word, int) or word.kind != "pairing-result":
                continue
            said = word.payload
            self.words.setdefault((said["pairing"], said["attempt"]), word)
            if said["room"] != ZERO:
                self.first_use.setdefault(said["room"], word)
        self.settle_all()
        for word in words:
            if isinstance(word, int):
                self.settle_before_leaving(word)
                self.withdraw(word)
            elif word.kind == "disqualify":
                self.disqualified.setdefault(word.payload["seat"], word.payload["reason"])
                self.settle_before_leaving(word.payload["seat"])
                self.withdraw(word.payload["seat"])
            elif word.kind == "grant":
                self.system.enter()
            else:
                if self.follows_words:
                    self.system.hear(word.payload)
                self.take(word)
            self.add_pairings()
            self.settle_all()

    def in_order(self):
        """The organizer's words, and seats that withdraw, each before the first word that knows of it."""
        room, leavings = self.room, []
        for seat, (peer, _, request) in sorted(room.roster.items()):
            own = [
                leave for leave in room.feeds.get(peer, [])
                if leave.kind == "leave" and leave.id in room.anchored and (not request or room.knows(leave, request))]
            if own:
                leavings.append((seat, min(own, key=place_in_feed)))
        words = []
        for word in room.words.values():
            seen = [leaving for leaving in leavings if room.knows(word, leaving[1])]
            leavings = [leaving for leaving in leavings if leaving not in seen]
            words += [seat for seat, _ in seen] + [word]
        return self.standing(words + [seat for seat, _ in leavings])

    def standing(self, words):
        """The words without those that the organizer has taken back, and without revocations. A revocation is void
        where another result of the organizer's rests on what it takes back, and in a pairing that it plays."""
        standing = []
        for word in words:
            if isinstance(word, int) or word.kind != "revoke":
                standing.append(word)
                continue
            place = next((place for place, other in enumerate(standing)
                          if not isinstance(other, int) and other.id == word.payload["word"]), None)
            if place is None:
                continue
            without = standing[:place] + standing[place + 1:]
            kept, left = self.paired(standing, place), self.paired(without, place)
            if kept is None or left is None:
                continue
            if standing[place].kind == "pairing-result":
                if self.organizer in (self.peers[entrant] for entrant in kept.pop(0)):
                    continue
            if kept == left:
                self.revoked.append(standing[place].id)
                standing = without
        return standing

    def paired(self, words, place):
        """The entrants of each pairing on which there is a word from a place on, read by words alone; None where one
        does not count."""
        alone, found = Tournament(self.room, {}), []
        for at, word in enumerate(words):
            counts = alone.hear(word)
            if at < place or isinstance(word, int) or word.kind != "pairing-result":
                continue
            if not counts:
                return None
            pairing = alone.pairings[word.payload["pairing"]]
            found.append((pairing.first, pairing.second))
        return found

    def hear(self, word):
        """Takes a word, whatever it is worth beside rooms; says whether a result counts."""
        attempt = None
        if isinstance(word, int):
            self.withdraw(word)
        elif word.kind == "disqualify":
            self.withdraw(word.payload["seat"])
        elif word.kind == "grant":
            self.system.enter()
        else:
            said = word.payload
            if self.follows_words:
                self.system.hear(said)
            attempt = fitting(self.pairings, said)
            if attempt is not None and self.refusal(said, attempt):
                attempt = None
            if attempt is not None:
                attempt.pairing.count(said["walkover"], pairs_of(said))
        self.add_pairings()
        return attempt is not None

    # The ledger

    def add_pairings(self):
        while True:
            following = self.system.following(self.pairings)
            if not following:
                return
            for pairing in following:
                pairing.settle(self.withdrawn)
                self.pairings[pairing.number] = pairing

    def withdraw(self, entrant):
        self.withdrawn.add(entrant)
        if self.follows_words:
            self.system.withdraw(entrant)
        for pairing in self.pairings.values():
            if entrant in (pairing.first, pairing.second):
                pairing.settle(self.withdrawn)
        self.add_pairings()

    def refusal(self, said, attempt):
        """Why the organizer may not say this of a pairing of its own."""
        seats = [self.peers[entrant] for entrant in attempt.entrants]
        if self.organizer not in seats:
            return None
        if not self.free_referee():
            return "the organizer plays in it, and the tournament names no referee for that"
        own = seats.index(self.organizer) + 1
        return None if said["walkover"] in (0, own) else "the organizer plays in it, and would gain by this"

    def free_referee(self):
        """Who the tournament names as referee of the organizer's own pairings."""
        referee = self.settings["referee"]
        return referee if referee not in (ZERO, self.organizer, *self.peers) else None

    # Words

    def take(self, word):
        said = word.payload
        # From here on it has its effect or none, and keeps nothing from counting.
        if self.words.get((said["pairing"], said["attempt"])) is word:
            del self.words[said["pairing"], said["attempt"]]
        if word.id in self.judged and self.judged[word.id][1]:
            return
        finding = self.false_of_bytes(word)
        attempt = fitting(self.pairings, said)
        if attempt is None:
            if finding:
                self.note(word, *finding)
            return
        refusal = self.refusal(said, attempt)
        if refusal:
            self.note(word, *(finding or ("refused", refusal)))
            return
        self.note(word, *self.judge(word, attempt)[0])
        attempt.pairing.count(said["walkover"], pairs_of(said))
        self.add_pairings()
        self.settle(said["pairing"])

    def note(self, word, kind, reason, is_signed=False):
        """Notes what was found of a word, where it is more than that the word holds."""
        said = word.payload
        if kind == "holds" and (is_signed or said["walkover"] == 0):
            return
        means, words = FALSE, f"{kind}: {reason}"
        if kind == "holds":
            means, words = DECISION, "nothing but the organizer's word decides it"
        elif kind in ("refused", "decided against a signed result"):
            means = DECISION
        elif kind == NOT_PROVEN:
            means, words = NOT_PROVEN, reason
        room = said["room"] if said["room"] != ZERO else None
        self.findings.append(Finding(means, words, said["pairing"], said["attempt"], room, word.id))

    def false_of_bytes(self, word):
        """What is false of a word whatever is in the rooms of the games."""
        said = word.payload
        if said["room"] == ZERO:
            return None if said["walkover"] else (
                "contradicted", "it says that games were played, and names no room")
        if self.first_use[said["room"]] is word:
            return None
        return "room used twice", f"an earlier result names room {said['room'].hex()[:10]}"

    def judge(self, word, attempt):
        """What a word is worth, and what all seats signed where that counts whatever the word says."""
        if word.id in self.judged:
            return self.judged[word.id]
        said, signed = word.payload, None
        finding = self.worth(word, attempt)
        kind, is_signed = finding[0], len(finding) > 2
        if kind not in ("holds", "refused", NOT_PROVEN, "decided against a signed result"):
            signed = self.signed(attempt)
        elif is_signed:
            signed = pairs_of(said)
        elif kind == "holds":
            other = self.signed(attempt, said["room"])
            if other and not self.states(said, other):
                finding = self.against(other)
        elif kind == NOT_PROVEN and said["walkover"] == 0:
            signed = self.signed(attempt)
        self.judged[word.id] = (finding, signed)
        return self.judged[word.id]

    def states(self, said, scores):
        return said["walkover"] == 0 and pairs_of(said) == scores

    @staticmethod
    def against(scores):
        return (
            "decided against a signed result",
            f"every seat signed {spoken(scores)}, which the organizer had not seen; the decision stands")

    def worth(self, word, attempt):
        finding, said = self.false_of_bytes(word), word.payload
        if finding or said["room"] == ZERO:
            return finding or ("holds", "")
        found = self.held.get(said["room"])
        if found is None:
            return NOT_PROVEN, f"room {said['room'].hex()[:10]} is not here, or damaged"
        told = found.told
        terms = self.other_terms(told, attempt)
        if terms:
            return "contradicted", terms
        if not told.is_known:
            return NOT_PROVEN, f"the rules of room {told.id.hex()[:10]} are not known here"
        seats = [self.peers[entrant] for entrant in attempt.entrants]
        if any(head["author"] not in told.participants and head["author"] not in seats for head in said["heads"]):
            return "heads that never were", "it rests on a peer that has no part in its room"
        if found.fault == "invented":
            return "heads that never were", "what it names is not what that peer wrote"
        if found.fault == "missing":
            # What the seats had signed at the heads that are here is in the word's past, whatever else is.
            if found.rest and found.rest.signed(attempt.games) is not None:
                return self.compared(said, told, found.rest, attempt, self.organizer in seats)
            return NOT_PROVEN, f"room {told.id.hex()[:10]} is here only in part"
        return self.compared(said, told, found.past, attempt, self.organizer in seats)

    def compared(self, said, told, past, attempt, plays):
        """A word against the room's seats and games, where the word rests on them and as they are."""
        stranger = self.stranger_seated(past, attempt)
        if stranger:
            return "contradicted", stranger
        signed = past.signed(attempt.games)
        if signed is not None:
            if self.states(said, signed):
                return "holds", "", True
            return "void", f"every seat had signed {spoken(signed)}, which counts"
        if plays and told.settings["referee"] != self.free_referee():
            return "contradicted", "the organizer plays in its room, whose referee is not the tournament's"
        if past.ended != pairs_of(said):
            return "contradicted", f"the games of room {told.id.hex()[:10]} did not end so"
        signed = None if self.stranger_seated(told, attempt) else told.signed(attempt.games)
        if signed is None:
            return "holds", ""
        return ("holds", "", True) if self.states(said, signed) else self.against(signed)

    def misfit(self, told, attempt):
        """Why a room is none of this attempt at a pairing."""
        return self.other_terms(told, attempt) or self.stranger_seated(told, attempt)

    def other_terms(self, told, attempt):
        """Why a room was not made for this attempt; no later event changes that."""
        made, own = told.settings, self.settings
        seats = [self.peers[entrant] for entrant in attempt.entrants]
        purpose = (made["room kind"], made.get("tournament"), made.get("pairing"), made.get("attempt"))
        name = f"room {told.id.hex()[:10]}"
        if purpose != (GAMES, self.room.id, attempt.pairing.number, attempt.number):
            return f"{name} was not made for it"
        if told.creator != self.organizer and told.creator not in seats:
            return f"{name} was made by somebody who has no part in it"
        same = all(made[key] == own[key] for key in ("rules", "rules version", "parameters"))
        if made["seats"] != 2 or not same or made["games"] != attempt.games \
                or made["openings"] != self.openings(attempt):
            return f"{name} has another game, other openings or another number of games than the tournament"
        if (made["flags"] ^ own["flags"]) & 2:
            return f"{name} does not play its rounds as the tournament says, in secret or in the open"
        return None

    def stranger_seated(self, told, attempt):
        """Whether somebody else than its entrant holds a seat of a room."""
        if any(peer != self.peers[attempt.entrants[seat]] for seat, peer in told.seats.items()):
            return f"a seat of room {told.id.hex()[:10]} is not held by the entrant that is paired"
        return None

    def table(self, attempt):
        """What the create of the players' own table of an attempt says; every byte of it follows from this."""
        own, (first, second) = self.settings, attempt.entrants
        pairing = attempt.pairing.number
        place = struct.pack(">IB", pairing, attempt.number)
        nonce = blake2b(b"parlor-pairing-1", self.room.id, place, self.peers[second])[:16]
        referee = self.organizer
        if self.organizer in (self.peers[first], self.peers[second]):
            referee = self.free_referee() or ZERO
        shared = {key: own[key] for key in (
            "edition", "scope", "rules", "rules version", "parameters", "bots", "only budgets", "largest budget",
            "limit", "clock", "increment")}
        return {
            **shared, "room kind": GAMES, "nonce": nonce, "seats": 2, "creator's seat": 0, "referee": referee,
            "games": attempt.games, "target": 0, "starter": 0, "flags": 0, "rematch of": ZERO,
            "profile": self.profiles[first], "tournament": self.room.id, "pairing": pairing,
            "attempt": attempt.number, "openings": self.openings(attempt), "branch of": ZERO, "branch game": 0,
            "branch ply": 0}

    def is_table(self, told, attempt):
        """Whether a room is the players' own table of an attempt."""
        table = self.table(attempt)
        return told.creator == self.peers[attempt.entrants[0]] and told.wall == self.room.create.wall \
            and all(told.settings.get(key) == value for key, value in table.items())

    def openings(self, attempt):
        openings, pairing = self.settings["openings"], attempt.pairing
        if not openings:
            return []
        before = 0 if attempt.number == 0 else pairing.games + attempt.number - 1
        first = pairing.number * ((pairing.games + 1) // 2) + before // 2
        many = min(len(openings), (attempt.games + 1) // 2)
        return [openings[(first + place) % len(openings)] for place in range(many)]

    # What all seats signed

    def settle_all(self):
        while self.looked < len(self.pairings):
            self.looked = len(self.pairings)
            for number in sorted(number for number, pairing in self.pairings.items() if pairing.open):
                self.settle(number)

    def settle_before_leaving(self, entrant):
        """Counts what all seats signed of an entrant's pairings before it is out: a later word finds them decided."""
        for number in sorted(self.pairings):
            if entrant in (self.pairings[number].first, self.pairings[number].second):
                self.settle(number, heeds_words=False)

    def settle(self, number, heeds_words=True):
        """Counts what all seats signed of a pairing, where no word decides its attempt."""
        while number in self.pairings and self.pairings[number].open:
            attempt = self.pairings[number].open
            word = self.words.get((number, attempt.number)) if heeds_words else None
            if word and fitting(self.pairings, word.payload) and not self.refusal(word.payload, attempt):
                finding, signed = self.judge(word, attempt)
                if signed:
                    self.note(word, *finding)
            else:
                signed = self.signed(attempt)
            if not signed:
                return
            attempt.pairing.count(0, signed)
            self.add_pairings()

    def signed(self, attempt, besides=ZERO):
        """What all seats signed in the organizer's rooms of an attempt, and at its table; None where two differ."""
        found = None
        for room in self.attempts.get((attempt.pairing.number, attempt.number), []):
            scores = room.told.signed(attempt.games)
            if room.told.id == besides or not scores or not room.told.is_known \
                    or self.misfit(room.told, attempt):
                continue
            if room.told.creator != self.organizer and not self.is_table(room.told, attempt):
                continue
            if found and found != scores:
                return None
            found = found or scores
        return found

    # What comes of it

    @property
    def is_complete(self):
        """Whether all is decided, and no other pairing follows."""
        awaited = [*self.pairings.values(), *(self.system.playing if self.follows_words else [])]
        return not any(pairing.open for pairing in awaited)

    def standings(self):
        """(entrant, rank), best first."""
        keys = self.system.ranked(self.pairings, summed(len(self.peers), self.pairings.values()))
        out = [entrant in self.disqualified for entrant in range(len(self.peers))]
        order = sorted(keys, key=lambda entrant: (out[entrant], [-part for part in keys[entrant]], entrant))
        order = [one for one in order if not out[one]] + sorted(one for one in order if out[one])
        lines = []
        for place, entrant in enumerate(order):
            before = order[place - 1] if place else None
            is_shared = place and (out[entrant], keys[entrant]) == (out[before], keys[before])
            is_shared = is_shared or place and out[entrant] and out[before]
            lines.append((entrant, lines[-1][1] if is_shared else place + 1))
        return lines

    def digest(self):
        settings, parts = self.settings, [b"parlor-standings-digest-1", self.settings["rules"].encode(), b"\0"]
        parts += [struct.pack(">H", settings["rules version"]), settings["parameters"].encode()]
        for codes in settings["openings"]:
            parts.append(struct.pack(f">{len(codes) + 1}H", len(codes), *codes))
        parts += [b"parlor-standings-2", struct.pack(
            ">BHHB", settings["format"], len(self.peers), settings["games"], settings["options"])]
        for name in self.names:
            parts += [struct.pack(">I", len(name.encode())), name.encode()]
        counted = [pairing for _, pairing in sorted(self.pairings.items()) if pairing.results]
        parts.append(struct.pack(">I", len(counted)))
        for pairing in counted:
            parts.append(struct.pack(
                ">IHHB", pairing.number, pairing.first, pairing.second, len(pairing.results)))
            for absent, games in pairing.results:
                scores = [score for pair in games for score in pair]
                parts.append(struct.pack(f">BH{len(scores)}i", absent, len(games), *scores))
            winner, reason = pairing.decision or (None, 0)
            parts.append(struct.pack(">BH", reason, 65_535 if winner is None else winner))
        parts += [struct.pack(">HH", *line) for line in self.standings()]
        return blake2b(*parts)


def spoken(scores):
    """Scores of games for people."""
    return ", ".join("–".join(str(score) for score in pair) for pair in scores)


# MARK: Reports

class Report:
    """What was found of one file."""

    def __init__(self, path, network):
        self.path = path
        self.network = network
        self.bundle = None
        self.room = None
        self.bad = None
        self.games = []
        self.moves = None
        self.hosted = None
        self.reveals = (0, 0)
        self.not_checked = []

    def check(self, data):
        """Checks a bundle; whatever is wrong ends up in the report."""
        bundle = Bundle(data, self.network)
        try:
            bundle.read()
            self.bundle = bundle
            self.check_room(bundle)
        except Bad as bad:
            self.bundle = bundle
            self.bad = bad

    def check_room(self, bundle):
        try:
            self.replay(Room(bundle))
        except TooLarge:
            self.room, self.moves, self.games, self.hosted = None, None, [], None
            self.not_checked.append("draws and moves: the room has more events or feeds than this reader replays")

    def replay(self, room):
        self.room = room
        room.derive()
        if room.is_hosted:
            self.hosted = HostedRounds(room)
            self.hosted.replay()
        else:
            room.judge_lobby()
        if not room.is_known:
            self.not_checked.append(
                f"what happens in the room: it is of edition {room.settings['edition']}, and this reader knows"
                f" edition {EDITION}")
        elif not room.has_play:
            self.not_checked.append("the moves: nothing has an effect on play in such a room")
        elif room.is_hosted:
            if self.hosted.rules:
                self.moves = "checked"
            else:
                self.not_checked.append(f"the rounds: {self.unknown_rules(room)}")
        elif room.is_tournament:
            self.check_words(room)
            self.not_checked.append("the tournament's results: its games are rooms of their own")
        elif turn_game(room.settings):
            self.play(room, Turns)
        elif round_table(room.settings):
            self.check_reveals(room)
            try:
                self.play(room, Rounds)
            except Unplayed as reason:
                self.games, self.moves = [], None
                self.not_checked.append(f"the moves: {reason}")
        else:
            self.check_reveals(room)
            self.not_checked.append(f"the moves: {self.unknown_rules(room)}")

    @staticmethod
    def unknown_rules(room):
        return f"this reader does not know the rules {room.settings['rules']}," \
            f" version {room.settings['rules version']}, with these settings"

    def play(self, room, rules):
        self.moves = "checked"
        if not room.start:
            return
        self.games, false = rules(room).replay()
        if false:
            number = false.payload["game"] + 1
            raise Bad(f"every seat signed a result of game {number} that its moves do not give", false)

    @staticmethod
    def check_words(room):
        """What is false of the organizer's words whatever is in the rooms that they name (§1.9)."""
        named = {}
        for event in room.words.values():
            word = event.payload
            if event.kind == "revoke":
                named = {room: other for room, other in named.items() if other.id != word["word"]}
            if event.kind != "pairing-result":
                continue
            if word["room"] == ZERO and word["walkover"] == 0:
                raise Bad("it says that games were played, and names no room", event)
            if word["room"] != ZERO and word["room"] in named:
                raise Bad("an earlier result names the same room", event)
            named[word["room"]] = event

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
        number = room.number_in_rounds(event.author)
        if commit is None or commit.author != event.author or number is None:
            return False
        if number == NO_SEAT and reveal["choice"] != 0:
            return False
        place = struct.pack(">HHH", reveal["game"], reveal["round"], number)
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
            "host": room.creator.hex() if self.hosted else None,
            "title": room.settings["title"] if self.hosted else None, "rounds": self.rounds(), "faults": self.faults(),
            "reveals": {"opened": self.reveals[0], "false": self.reveals[1]},
            "withoutEffect": [
                {"position": event.position, "id": event.id.hex(), "kind": event.name, "reason": event.verdict}
                for event in (room.events if room else []) if event.verdict],
            "forks": [
                {"author": author.hex(), "sequence": sequence}
                for author, sequence in (sorted(room.forks.items()) if room else [])],
            "notChecked": self.not_checked,
        }

    @property
    def status(self):
        return 1 if self.bad else 0

    def event_members(self):
        event = self.bad.event if self.bad else None
        if event is None:
            return None
        return {
            "position": event.position, "id": event.id.hex() if event.id else None, "room": self.bundle.room.hex(),
            "author": event.author.hex() if event.author else None, "sequence": event.sequence,
            "kind": event.name}

    def players(self):
        if self.hosted:
            return [{
                "number": player.number + 1, "peer": player.peer.hex(),
                "name": player.request.payload["profile"]["name"], "rank": player.rank, "score": player.score,
                "left": player.has_left} for player in self.hosted.standings]
        if not self.room or not self.room.roster:
            return []
        found = []
        for seat, (peer, _, request) in sorted(self.room.roster.items(), key=lambda taken: taken[0]):
            profile = (request.payload if request else self.room.settings)["profile"]
            found.append({"seat": seat + 1, "peer": peer.hex(), "name": profile["name"]})
        return found

    def rounds(self):
        """Each round as it was asked; players, choices and rounds are numbered from 1."""
        return [{
            "round": found.number + 1, "event": found.opening.id.hex(), "phase": found.phase, "closed": found.closed,
            "solution": self.hosted.rules.said(found.solution) if found.solution else None,
            **self.drawing(found),
            "entries": [{
                "player": answer.player + 1, "event": answer.event.id.hex(), "milliseconds": answer.time,
                "choice": None if answer.choice is None else self.hosted.rules.said(answer.choice),
                "unreadable": answer.is_unreadable,
                "points": answer.points if found.phase == "settled" else None} for answer in found.entries],
        } for found in (self.hosted.rounds if self.hosted else [])]

    def drawing(self, found):
        """Who draws in a round, from 1, and how many lines stand at the end; nothing where nobody draws."""
        if not self.hosted.rules or not self.hosted.rules.TELLS_ONE:
            return {}
        return {"drawer": self.hosted.rules.told(found.asked)["drawer"] + 1, "lines": self.hosted.rules.drawn(found)}

    def faults(self):
        return [
            {"fault": fault, "event": event.id.hex(), "position": event.position}
            for event, fault in (self.hosted.faults() if self.hosted else [])]

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
        lines = self.hosted_lines() if self.hosted else self.seat_lines()
        for event in self.room.events:
            if event.verdict:
                lines.append(f"  event {event.position} ({event.name}) has no effect: {event.verdict}")
        for author, sequence in sorted(self.room.forks.items()):
            lines.append(f"  fork: peer {author.hex()[:10]} signed two different events as its number {sequence}")
        return lines

    def seat_lines(self):
        lines = [
            f"  seat {player['seat']}: {printable(player['name'])} ({player['peer'][:10]})"
            for player in self.players()]
        draw = self.room.draw
        if draw:
            lines.append(f"  seat {draw['first']} starts, by the draw of {count(draw['seats'], 'seat')}")
        elif not self.room.start:
            lines.append("  play has not begun")
        lines += [self.game_line(game) for game in self.games]
        if sum(self.reveals):
            lines.append(f"  {self.reveals[0]} of {sum(self.reveals)} reveals open their commitments")
        return lines

    def hosted_lines(self):
        title = self.room.settings["title"]
        lines = [f"  {printable(title)}"] if title else []
        for player in self.players():
            left = ", has left" if player["left"] else ""
            lines.append(
                f"  rank {player['rank']}: player {player['number']}, {printable(player['name'])}"
                f" ({player['peer'][:10]}), {count(player['score'], 'point')}{left}")
        for found in self.rounds():
            lines.append(self.round_line(found))
            lines += [self.answer_line(answer, found.get("drawer")) for answer in found["entries"]]
        for fault in self.faults():
            lines.append(f"  fault of the host: {FAULTS[fault['fault']]} (event {fault['position']})")
        return lines

    @staticmethod
    def round_line(found):
        words = f"  round {found['round']}: {'not over' if found['phase'] in ('open', 'closed') else found['phase']}"
        if found["closed"] is not None:
            words += f", closed after {found['closed']} ms"
        return words + (f", solution {found['solution']}" if found["solution"] else "")

    @staticmethod
    def answer_line(answer, drawer):
        if answer["player"] == drawer:
            said = f"draws {count(answer['choice'] or 0, 'line')}"
        else:
            said = f"choice {answer['choice']}" if answer["choice"] else "nothing that was read"
        words = f"    player {answer['player']}: {said} after {answer['milliseconds']} ms"
        return words + ("" if answer["points"] is None else f", {count(answer['points'], 'point')}")

    @staticmethod
    def game_line(game):
        moves = " ".join(str(move) for move in game["moves"]) or "no moves"
        words = f"  game {game['game']}: {moves}"
        if game["scores"]:
            words += " : " + "-".join(str(score) for score in game["scores"])
        if game["cause"] != "rules":
            by = f" by seat {game['seat']}" if game["seat"] else ""
            words += f", {game['cause']}{by}"
        return words + (f", {game['level']}" if game["scores"] else "")

    def place(self):
        event = self.bad.event
        if event is None:
            room = self.bundle.room
            return f"room {room.hex()[:10]}: " if room else ""
        words = f"event {event.position}, "
        words += f"{event.id.hex()}, in room" if event.id else "in room"
        words += f" {self.bundle.room.hex()[:10]}"
        if event.author:
            words += f" by {event.author.hex()[:10]}, sequence {event.sequence}"
        return words + (f", {event.name}: " if event.name else ": ")


class SomeEvents:
    """Some of a bundle's events, as if there were no others."""

    def __init__(self, bundle, chosen):
        self.room, self.events = bundle.room, [event for event in bundle.events if event.id in chosen]
        self.by_id = {event.id: event for event in self.events}


class TournamentReport:
    """What was found of a tournament's file (§6.4): of each room, and of what they say together."""

    def __init__(self, path, network):
        self.path, self.network, self.data, self.at = path, network, b"", 0
        self.room = self.tournament = self.last = None
        self.rooms, self.findings, self.held, self.not_checked = [], [], {}, []
        self.room_count = self.event_count = 0
        # The rooms that results of the organizer's name, whatever they are worth; and the first word that counts.
        self.named, self.uses = set(), {}

    def take(self, size):
        end = self.at + size
        if end > len(self.data):
            raise Bad(f"the file ends too early, at byte {len(self.data)}")
        part = self.data[self.at:end]
        self.at = end
        return part

    def check(self, data):
        self.data = data
        try:
            self.read_heading()
            self.read_rooms()
        except Bad as bad:
            room = self.rooms[0] if self.rooms else None
            self.findings.append(Finding(FALSE, bad.reason, room=room, event=bad.event.id if bad.event else None))
        if self.room and self.room.start:
            self.conclude()

    def read_heading(self):
        if self.take(8) != b"PARLORT1":
            raise Bad("it is of another version of the form of a tournament's file")
        network, count = self.take(32), int.from_bytes(self.take(4), "big")
        if network != self.network:
            raise Bad(f"the file belongs to another network, {network.hex()}")
        if not 0 < count <= MAXIMAL_ROOMS:
            raise Bad(f"a file of {count} rooms")
        rooms = [self.take(32) for _ in range(count)]
        if len(set(rooms)) != count:
            raise Bad("it names a room twice")
        self.rooms = rooms

    def read_rooms(self):
        for number, name in enumerate(self.rooms):
            part = self.take(int.from_bytes(self.take(8), "big"))
            try:
                bundle = Bundle(part, self.network)
                if part[40:72] != name:
                    raise Bad("here is another room than the heading names in this place")
                bundle.read()
                if number:
                    self.add_game(bundle, part)
                else:
                    self.begin(bundle)
            except Bad as bad:
                if not number:
                    raise
                words = f"room {name.hex()[:10]}, number {number + 1} of the file: {bad.reason}"
                self.find(FALSE, words, name, bad.event)
        if self.at != len(self.data):
            raise Bad(f"there are bytes after the file's last room, from byte {self.at}")

    def find(self, kind, reason, room, event=None, create=None):
        """Notes what was found of a room, with the pairing that it belongs to."""
        use = self.uses.get(room)
        place = (use.payload["pairing"], use.payload["attempt"]) if use else (None, None)
        if create and create["room kind"] == GAMES and create.get("tournament") == self.rooms[0]:
            place = (create["pairing"], create["attempt"])
        self.findings.append(Finding(kind, reason, *place, room, event.id if event else None))

    def begin(self, bundle):
        """Takes the tournament's own room."""
        room = Room(bundle)
        if not room.is_tournament:
            raise Bad("it is no tournament")
        try:
            room.derive()
        except TooLarge:
            raise Bad("the tournament's room has more events or feeds than this reader replays") from None
        room.judge_lobby()
        self.room, self.room_count, self.event_count = room, 1, len(bundle.events)
        for event in room.events:
            if event.kind == "pairing-result" and event.author == room.creator:
                self.named.add(event.payload["room"])
        self.named -= {ZERO, room.id}
        requests = {event.id: event.author for event in room.events if event.kind == "request"}
        granted = [event.payload["request"] for event in room.feeds[room.creator] if event.kind == "grant"]
        self.makers = {room.creator} | {requests[request] for request in granted if request in requests}
        words = room.words.values()
        if self.unread() is None and any(word.kind == "revoke" for word in words):
            words = Tournament(room, {}).in_order()
        for word in words:
            if not isinstance(word, int) and word.kind == "pairing-result":
                self.uses.setdefault(word.payload["room"], word)
        self.find_forks(room)

    def find_forks(self, room, create=None):
        for author, sequence in sorted(room.forks.items()):
            branches = [event for event in room.feeds[author] if event.sequence == sequence]
            words = f"peer {author.hex()[:10]} signed {len(branches)} different events as its number {sequence}"
            self.find(FORK, words, room.id, min(branches, key=place_in_feed), create)

    def add_game(self, bundle, part):
        """Takes the room of a game, in its place."""
        create = bundle.events[0]
        content = create.payload["content"]
        settings = {**create.payload, **({} if isinstance(content, bytes) else content)}
        is_named = bundle.room in self.named
        is_ours = settings["room kind"] == GAMES and settings.get("tournament") == self.rooms[0]
        if not is_named and not (is_ours and create.author in self.makers):
            raise Bad("it has no part in the tournament: it was not made for it, and no result names it")
        place = (0, settings["pairing"], settings["attempt"], bundle.room) if is_ours else (1, 0, 0, bundle.room)
        if self.last and place <= self.last:
            raise Bad("it stands behind a room that belongs behind it")
        self.last = place
        self.room_count += 1
        self.event_count += len(bundle.events)
        report = self.replayed(bundle)
        if report.bad:
            self.find(FALSE, report.bad.reason, bundle.room, report.bad.event, settings)
        if not report.room:
            self.not_checked.append(f"room {bundle.room.hex()[:10]}: {report.not_checked[0]}")
            return
        self.find_forks(report.room, settings)
        told = self.told(report)
        # What a word says of it is not proven. Without one, all that was signed there is left out of the standings.
        if not told.is_known and bundle.room not in self.uses and report.not_checked:
            self.not_checked.append(f"room {bundle.room.hex()[:10]}: {report.not_checked[-1]}")
        use = self.uses.get(bundle.room)
        heads = use.payload["heads"] if use else []
        self.held[bundle.room] = self.as_it_was(report.room, told, heads, part) if use else HeldRoom(told)

    def replayed(self, bundle):
        report = Report(self.path, self.network)
        try:
            report.bundle = bundle
            report.check_room(bundle)
        except Bad as bad:
            report.bad = bad
        return report

    @staticmethod
    def told(report):
        return Told(report.room, report.games, report.moves == "checked")

    def as_it_was(self, room, told, heads, part):
        """A room with what it was where a word rests on these events of it."""
        seen, missing = {room.create.id}, []
        for head in heads:
            event = room.by_id.get(head["event"])
            if event is None:
                feed = room.feeds.get(head["author"], [])
                if head["author"] not in room.forks and feed and feed[-1].sequence >= head["sequence"]:
                    return HeldRoom(told, fault="invented")
                missing.append(head)
            elif (event.author, event.sequence) != (head["author"], head["sequence"]):
                return HeldRoom(told, fault="invented")
            else:
                seen.add(event.id)
                seen |= {other.id for other in room.events if room.knows(event, other)}
        if any(head["author"] in told.seats.values() for head in missing):
            return HeldRoom(told, fault="missing")
        fault = "missing" if missing else None
        if len(seen) == len(room.events):
            return HeldRoom(told, fault=fault, rest=told)
        # Events are changed by being judged, so that they are read once more.
        again = Bundle(part, self.network)
        again.read()
        report = self.replayed(SomeEvents(again, seen))
        past = self.told(report) if report.room else None
        return HeldRoom(told, past, fault if past else "missing", rest=past)

    def unread(self):
        """Which tournaments like this one are not paired here, in words, or True where its settings cannot be; None
        where it is paired."""
        settings = self.room.settings
        kind, options, count = settings["format"], settings["options"], len(self.room.roster)
        if kind not in FORMATS:
            return f"format {kind} tournaments"
        if not are_settings(kind, options, self.room.starters):
            return True
        if kind == SWISS and count * count * options > MAXIMAL_SWISS:
            return f"Swiss tournaments of {count} entrants and {options} rounds"
        return None

    def conclude(self):
        """Compares the organizer's words with the rooms, and computes the standings."""
        unread = self.unread()
        if unread is True:
            self.find(FALSE, "its settings cannot be", self.room.id, self.room.create)
            return
        if unread:
            self.not_checked.append(f"the tournament's results: this reader does not pair {unread}")
            return
        # A word may name even the tournament's own room, which is none of its games.
        own = {self.room.id: HeldRoom(Told(self.room, [], True))}
        self.tournament = Tournament(self.room, {**self.held, **own})
        self.tournament.fold()
        self.findings += self.tournament.findings
        for seat, reason in sorted(self.tournament.disqualified.items()):
            words = f"{self.tournament.names[seat]} is disqualified by the organizer: {reason}"
            self.findings.append(Finding(DECISION, words))
        for event in self.tournament.revoked:
            words = "the organizer has taken back what it decided in it"
            self.findings.append(Finding(DECISION, words, room=self.room.id, event=event))

    @property
    def good(self):
        """True when all is proven, False when something is false, None when something is not proven."""
        kinds = {finding.kind for finding in self.findings}
        return False if FALSE in kinds else None if NOT_PROVEN in kinds or self.not_checked else True

    @property
    def status(self):
        return {True: 0, False: 1, None: EX_UNAVAILABLE}[self.good]

    def standings(self):
        names = self.tournament.names if self.tournament else []
        return [
            {"rank": rank, "entrant": names[entrant], "seed": entrant + 1}
            for entrant, rank in (self.tournament.standings() if self.tournament else [])]

    def decided(self):
        pairings = self.tournament.pairings.values() if self.tournament else []
        return sum(pairing.decision is not None for pairing in pairings)

    def members(self):
        return {
            "type": "tournament", "path": self.path, "good": self.good,
            "room": self.rooms[0].hex() if self.rooms else None, "rooms": self.room_count,
            "events": self.event_count, "findings": [finding.members() for finding in self.findings],
            "decided": self.decided(), "complete": self.tournament.is_complete if self.tournament else None,
            "standings": self.standings(),
            "standingsDigest": self.tournament.digest().hex() if self.tournament else None,
            "notChecked": self.not_checked,
        }

    def lines(self):
        verdict = {True: "good", False: "BAD", None: "not proven"}[self.good]
        counts = f"{count(self.room_count, 'room')}, {count(self.event_count, 'event')}"
        lines = [f"{printable(self.path)}: {verdict}. A tournament: {counts}."]
        lines += [finding.line() for finding in self.findings]
        lines += [f"  rank {line['rank']}: {printable(line['entrant'])}" for line in self.standings()]
        if self.tournament:
            others = "and no other one follows" if self.tournament.is_complete else "and others are to be played"
            lines += [
                f"  {count(self.decided(), 'pairing')} decided, {others}",
                f"  standings digest {self.tournament.digest().hex()}"]
        return lines + [f"  Not checked: {printable(words)}." for words in self.not_checked]


FAULTS = {
    "wrong-mark": "it said of an entry that it was right or wrong, and it was not",
    "told-another": "it told the player whose turn it was another solution than it had committed to",
    "wrong-solution": "it opened another solution than it had committed to",
    "wrong-entry": "it opened an entry as another one than its author had sealed",
    "denied-entry": "it called an entry unreadable that its author has shown to be readable",
}


def count(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def printable(text):
    """The text without anything that a terminal could take for a command."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


# MARK: The command

DESCRIPTION = """\
Checks bundle files that `parlor log export` wrote, without any of Parlor's code: framing, counts, heads, order and
digest; the one form of each record and each event; ids, previous links, sequences, parents and whom an event may name;
signatures and what they cover; commitments, reveals and the joint draw of who starts; in rooms of games every move,
choice, face and result; and in a quiz, a tap race or a drawing game every round, with what the host can be shown to
have done. Of a bundle that is false it names the first bad event. For rooms of games that it does not know it says
that moves were not checked. Of a file that `parlor tournament export` wrote it checks every room, pairs the tournament
again (round robin, gauntlet, single and double elimination, groups, ladder, and Swiss by FIDE's Dutch system),
compares each result with its room, and computes standings and their digest. A Swiss tournament is not paired, which is
said, where the square of its entrants times its rounds is more than 10,000,000: 1,000 entrants may have 10 rounds, 300
have 111.
"""

EPILOG = """\
examples:
  parlor log export last --output game.parlor
  Tools/read-log.py game.parlor
  parlor tournament export --output cup.parlor && Tools/read-log.py cup.parlor
  Tools/read-log.py --json *.parlor | jq -c 'select(.good | not) | [.path, .event.position, .reason]'

exit status:
  0   all files are good
  1   a file is bad
  64  wrong arguments
  66  a file is missing or cannot be read (whatever the others are)
  69  no file is bad, and of a tournament something is not proven; or this Python has no module nacl
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


def report_of(path, network):
    data = read_file(path)
    if data[:7] == b"PARLORT" and len(data) <= MAXIMAL_BUNDLE_BYTES:
        report = TournamentReport(path, network)
        report.check(data)
        return report
    report = Report(path, network)
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
    parser.add_argument("file", nargs="+", metavar="FILE", help="a file; `-` for one on standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a file, on a line of its own")
    parser.add_argument("--network", metavar="NAME", help="the bundles belong to the network of this name")
    arguments = parser.parse_args()
    if crypto_sign_open is None:
        sys.stderr.write(
            f"read-log.py: {sys.executable} has no module nacl, which checks signatures. On Debian:\n"
            "  apt-get install python3-nacl && /usr/bin/python3 Tools/read-log.py …\n"
            "elsewhere: python3 -m pip install pynacl\n")
        return EX_UNAVAILABLE
    sys.stdout.reconfigure(errors="backslashreplace")
    status = 0
    for path in arguments.file:
        try:
            report = report_of(path, network_of(arguments.network))
        except OSError as error:
            sys.stderr.write(f"read-log.py: {printable(path)}: {error.strerror}\n")
            status = EX_NOINPUT
            continue
        # False is worse than not proven, and a file that cannot be read than both.
        if status != EX_NOINPUT and status != 1:
            status = report.status or status
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
