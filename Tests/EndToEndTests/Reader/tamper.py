#!/usr/bin/env python3
"""Tampers with bundle files in six ways and keeps their framing plausible.

    tamper.py FOLDER SEED BUNDLE…

For every game of every bundle and every kind of tampering (flip, drop, swap, duplicate, splice, re-sign) it writes
one file into the folder and prints one JSON object: its path, the bundle, the game (from 0), kind and variant.

Counts, the digest and, in the variants that mend the chain, sequences, previous links, parents, ids that payloads
name and the order of events are made to fit what was changed. The manifest stays: the room and the list of heads
are those of the true bundle, and every event is read in its room. Signatures are made with a key of this program's
own. It shares no code with Parlor and none with Tools/read-log.py, whose faults must not hide those of this one.
"""
import hashlib
import heapq
import json
import random
import sys

from nacl.bindings import crypto_sign, crypto_sign_seed_keypair

ZERO = bytes(32)
CREATE, MOVE, DRAW_ACCEPT, RESULT = 1, 7, 21, 13
GAMES = 256
KINDS = ["flip", "drop", "swap", "duplicate", "splice", "re-sign"]


def blake2b(*parts):
    return hashlib.blake2b(b"".join(parts), digest_size=32).digest()


class Forger:
    """A key that belongs to no seat."""

    def __init__(self, name):
        self.public, self.secret = crypto_sign_seed_keypair(blake2b(b"a forger's seed", name))

    def sign(self, identifier):
        return crypto_sign(b"parlor-signature-1" + identifier, self.secret)[:64]


class Record:
    """An event and, when it has one, the signature that follows it.

    `damage` is the number of a bit to flip in its bytes in the bundle and in their length.
    """

    def __init__(self, body, signature, network):
        self.body, self.signature, self.damage = bytes(body), signature, None
        self.id = blake2b(b"parlor-event-2", network, self.body)

    def copy(self, body=None, network=None):
        if body is None:
            twin = object.__new__(Record)
            twin.__dict__.update(self.__dict__)
            return twin
        return Record(body, self.signature, network)

    kind = property(lambda self: self.body[1])
    author = property(lambda self: self.body[34:66])
    sequence = property(lambda self: int.from_bytes(self.body[66:74], "big"))
    previous = property(lambda self: self.body[74:106])

    @property
    def parents(self):
        return [self.body[place:place + 32] for place in range(115, 115 + 32 * self.body[114], 32)]

    @property
    def payload(self):
        return self.body[115 + 32 * self.body[114] + 2:]

    @property
    def wall(self):
        return int.from_bytes(self.body[106:114], "big")

    @property
    def is_move(self):
        """Whether it is a move whose payload is long enough for one."""
        return self.kind == MOVE and len(self.payload) > 40

    @property
    def names(self):
        return [name for name in [self.previous, *self.parents] if name != ZERO]

    def fits(self, room):
        """Whether it can be written as a record of this room."""
        count = self.body[114]
        end = 115 + 32 * count
        return self.body[0] == 2 and self.body[2:34] == (ZERO if self.kind == CREATE else room) and count <= 32 \
            and len(self.body) == end + 2 + int.from_bytes(self.body[end:end + 2], "big")

    def written(self, network, **changes):
        """The event with some of its fields changed; its signature stays as it was."""
        fields = {"room": self.body[2:34], "author": self.author, "sequence": self.sequence,
                  "previous": self.previous, "parents": self.parents, "payload": self.payload}
        fields.update(changes)
        parents = sorted(set(fields["parents"]) - {fields["previous"]})
        body = b"".join([
            self.body[:2], fields["room"], fields["author"], fields["sequence"].to_bytes(8, "big"),
            fields["previous"], self.body[106:114], bytes([len(parents)]), *parents,
            len(fields["payload"]).to_bytes(2, "big"), fields["payload"]])
        return self.copy(body, network)


def offsets(kind, size):
    """Where a payload of a kind and size has ids that its record has references for (§6.1)."""
    if kind in (MOVE, 8, 9):
        at = [4]
    elif kind == RESULT:
        at = [2]
    elif kind == DRAW_ACCEPT:
        at = [0, 32]
    else:
        at = [0] if kind in (3, 10, 11, 12, 14, 15, 16, 20, 22, 26, 27, 28, 29, 30, 33, 34) else []
    return at if at and size >= at[-1] + 32 else []


class Taker:
    """Bytes of a bundle, taken from a place on; knows the events before them."""

    def __init__(self, data, at, context):
        self.data, self.at, self.context = data, at, context

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def variable(self):
        number, groups = 0, 0
        while True:
            byte = self.take(1)[0]
            number += (byte % 128) << (7 * groups)
            groups += 1
            if byte < 128:
                return number

    def reference(self):
        back = self.variable()
        return self.context.records[-back].id if back else self.take(32)

    def body(self, end):
        """The event whose record goes on to a place."""
        context = self.context
        feed = self.variable()
        author = context.feeds[feed] if feed < len(context.feeds) else self.take(32)
        kind, links = self.take(2)
        last = context.ends.get(author)
        sequence, previous = (last.sequence + 1, last.id) if last else (1, ZERO)
        if links % 2:
            sequence, previous = self.variable(), self.reference()
        parents = [self.reference() for _ in range(links // 4)]
        zigzag = self.variable()
        wall = (context.wall + (zigzag // 2 if zigzag % 2 == 0 else -(zigzag + 1) // 2)) % 2**64
        payload = b""
        # Each of these kinds has its references when the record says that it has any.
        for offset in offsets(kind, 64) if links & 2 else []:
            payload += self.take(offset - len(payload)) + self.reference()
        payload += self.take(end - self.at)
        return b"".join([
            bytes([2, kind]), ZERO if kind == CREATE else context.room, author, sequence.to_bytes(8, "big"), previous,
            wall.to_bytes(8, "big"), bytes([len(parents)]), *parents, len(payload).to_bytes(2, "big"), payload])


class Context:
    """The records of a bundle so far, and what those behind them need not say again."""

    def __init__(self, room):
        self.room, self.wall = room, 0
        self.records, self.places, self.feeds, self.ends = [], {}, [], {}

    def append(self, record):
        if record.author not in self.ends:
            self.feeds.append(record.author)
        self.places[record.id] = len(self.records)
        self.records.append(record)
        self.ends[record.author] = record
        self.wall = record.wall

    def reference(self, name):
        place = self.places.get(name)
        return b"\0" + name if place is None else variable(len(self.records) - place)

    def written(self, record):
        """The bytes of the next record."""
        last = self.ends.get(record.author)
        feed = self.feeds.index(record.author) if last else len(self.feeds)
        follows = (record.sequence, record.previous) == ((last.sequence + 1, last.id) if last else (1, ZERO))
        chain = [] if follows else [variable(record.sequence), self.reference(record.previous)]
        at = offsets(record.kind, len(record.payload))
        links = 4 * len(record.parents) + 2 * (at != []) + (not follows)
        later = (record.wall - self.wall) % 2**64
        payload, end = [], 0
        for offset in at:
            payload += [record.payload[end:offset], self.reference(record.payload[offset:offset + 32])]
            end = offset + 32
        return b"".join([
            variable(feed), b"" if last else record.author, bytes([record.kind, links]), *chain,
            *(self.reference(parent) for parent in record.parents),
            variable(2 * later if later < 2**63 else 2 * (2**64 - later) - 1), *payload, record.payload[end:]])


def variable(number):
    """A number in groups of seven bits (§6.1)."""
    high, low = divmod(number, 128)
    return bytes([low]) if high == 0 else bytes([low + 128]) + variable(high)


class Bundle:
    """A bundle that is known to be good, taken apart."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        self.network, self.room = data[8:40], data[40:72]
        heads, events = int.from_bytes(data[72:76], "big"), int.from_bytes(data[76:84], "big")
        at = 92 + 72 * heads
        self.heads = data[92:at]
        context = Context(self.room)
        self.records = context.records
        taker = Taker(data, at, context)
        for _ in range(events):
            size, is_signed = divmod(taker.variable(), 2)
            body = taker.body(taker.at + size)
            context.append(Record(body, taker.take(64) if is_signed else None, self.network))
        assert self.write(self.records) == data, f"{path} is not written back as it was"

    def write(self, records):
        """A bundle of these records under the manifest of this one."""
        signatures = sum(record.signature is not None for record in records)
        counts = (len(self.heads) // 72).to_bytes(4, "big") + len(records).to_bytes(8, "big") \
            + signatures.to_bytes(8, "big")
        parts = [b"PARLORB2", self.network, self.room, counts, self.heads]
        context = Context(self.room)
        for record in records:
            data = context.written(record)
            data = variable(2 * len(data) + (record.signature is not None)) + data
            parts += [data if record.damage is None else flip_bit(data, record.damage), record.signature or b""]
            context.append(record)
        data = b"".join(parts)
        return data + blake2b(b"parlor-bundle-1", data)

    def games(self):
        """For each game the places of its moves and results; the first has everything else in the room too."""
        places = {}
        for place, record in enumerate(self.records):
            game = int.from_bytes(record.payload[:2], "big") if record.kind in (MOVE, RESULT) else 0
            places.setdefault(game if game < GAMES else 0, []).append(place)
        return [places[game] for game in sorted(places)]

    # Mending

    def mended(self, records, changed):
        """The records with every name of a changed event put right, in the order that a bundle has.

        `changed` says which id an event has now that had another; `None` stands for an event that is gone, and
        what named it names what that had named.
        """
        done = []
        renamed = dict(changed)
        ends = {}
        for record in records:
            written = self.renamed(record, renamed, ends)
            if written.id != record.id:
                renamed[record.id] = written.id
            ends[written.author] = written
            done.append(written)
        return in_order(done)

    def renamed(self, record, renamed, ends):
        last = ends.get(record.author)
        previous = renamed.get(record.previous, record.previous)
        if last is not None and record.sequence > 1:
            previous = last.id
        parents = [renamed.get(name, name) for name in record.parents]
        payload = record.payload
        for old, new in renamed.items():
            if old in payload:
                payload = payload.replace(old, new)
        sequence = record.sequence if last is None else last.sequence + 1
        if previous == record.previous and parents == record.parents and payload == record.payload \
                and sequence == record.sequence:
            return record
        return record.written(
            self.network, sequence=sequence, previous=ZERO if sequence == 1 else previous,
            parents=[name for name in parents if name != ZERO], payload=payload)


def flip_bit(data, bit):
    """The bytes with one bit changed; bits beyond their end are counted from their start again."""
    changed = bytearray(data)
    changed[bit // 8 % len(data)] ^= 1 << bit % 8
    return bytes(changed)


def in_order(records):
    """The strict order of a bundle; unchanged where an event names what is not there."""
    by_id = {record.id: record for record in records}
    waiting = {record.id: 0 for record in records}
    followers = {}
    for record in records:
        for name in record.names:
            if name in by_id:
                waiting[record.id] += 1
                followers.setdefault(name, []).append(record)
    if len(by_id) != len(records):
        return records
    first = records[0]
    for record in records[1:]:
        if first.id not in record.names:
            waiting[record.id] += 1
            followers.setdefault(first.id, []).append(record)
    ready = [(record.author, record.sequence, record.id) for record in records if not waiting[record.id]]
    heapq.heapify(ready)
    ordered = []
    while ready:
        record = by_id[heapq.heappop(ready)[2]]
        ordered.append(record)
        for follower in followers.get(record.id, []):
            waiting[follower.id] -= 1
            if not waiting[follower.id]:
                heapq.heappush(ready, (follower.author, follower.sequence, follower.id))
    return ordered if len(ordered) == len(records) else records


class Tamperer:
    """Chooses where and how; each method gives the records of a false bundle and the variant's name."""

    def __init__(self, seed, bundles):
        self.random = random.Random(seed)
        self.bundles = bundles
        self.forger = Forger(b"one")

    def tamper(self, kind, bundle, places):
        variants = getattr(self, kind.replace("-", "_"))
        return variants(bundle, list(bundle.records), self.random.choice(places), self.random.random() < 0.5)

    def flip(self, bundle, records, place, mends):
        record = records[place]
        if record.signature and self.random.random() < 0.25:
            records[place] = record.copy()
            records[place].signature = self.flipped(record.signature)
            return records, "signature"
        if record.is_move and mends:
            at = len(record.body) - len(record.payload) + 36
            body = self.flipped(record.body, at + 3, at + 4)
        else:
            body = self.flipped(record.body)
        records[place] = record.copy(body, bundle.network)
        if not records[place].fits(bundle.room):
            records[place] = record.copy()
            records[place].damage = self.random.randrange(2**32)
            return records, "record"
        # Mending would undo a flip in the sequence, the previous link or the parents.
        at = next(at for at, (old, new) in enumerate(zip(record.body, body)) if old != new)
        if not mends or 66 <= at < 106 or 114 <= at < len(record.body) - len(record.payload):
            return records, "body"
        return bundle.mended(records, {record.id: records[place].id}), "body, mended"

    def flipped(self, data, low=0, high=None):
        return flip_bit(data, self.random.randrange(8 * low, 8 * (len(data) if high is None else high)))

    def drop(self, bundle, records, place, mends):
        record = records.pop(place)
        if not mends or not place:
            return records, "event"
        return bundle.mended(records, {record.id: record.previous}), "event, mended"

    def swap(self, bundle, records, place, mends):
        place = min(place, len(records) - 2)
        moves = [at for at, record in enumerate(records) if record.is_move]
        if not mends or len(moves) < 2:
            free = [at for at in range(1, len(records) - 1) if records[at].id not in records[at + 1].names]
            if free and self.random.random() < 0.5:
                # Neither names the other: only the order of bundles tells which comes first.
                place = self.random.choice(free)
                records[place], records[place + 1] = records[place + 1], records[place]
                return records, "neighbours"
            other = self.other(place, len(records))
            records[place], records[other] = records[other], records[place]
            return records, "places"
        one, two = self.random.sample(moves, 2)
        codes = [records[at].payload[36:40] for at in (one, two)]
        if codes[0] == codes[1]:
            return self.swap(bundle, records, place, False)
        changed = {}
        for at, code in zip((one, two), reversed(codes)):
            payload = records[at].payload
            record = records[at].written(bundle.network, payload=payload[:36] + code + payload[40:])
            changed[records[at].id], records[at] = record.id, record
        return bundle.mended(records, changed), "moves, mended"

    def other(self, place, count):
        other = self.random.randrange(count - 1)
        return other + (other >= place)

    def duplicate(self, bundle, records, place, mends):
        record = records[place]
        if not mends or not place:
            records.insert(self.random.randrange(place + 1, len(records) + 1), record.copy())
            return records, "event"
        records.insert(place + 1, record.written(
            bundle.network, sequence=record.sequence + 1, previous=record.id, parents=[]))
        return bundle.mended(records, {}), "as the next event, mended"

    def splice(self, bundle, records, place, mends):
        donor = self.random.choice([other for other in self.bundles if other is not bundle])
        start = self.random.randrange(1, len(donor.records))
        run = donor.records[start:start + self.random.choice([1, 1, 2, 4])]
        if not mends or not place:
            replaced = self.random.randrange(2) * len(run)
            records[place:place + replaced] = run
            return records, "run"
        record = records[place]
        alien = next((alien for alien in run if alien.kind != CREATE), run[0])
        records[place] = alien.written(
            bundle.network, room=bundle.room, author=record.author, sequence=record.sequence,
            previous=record.previous, parents=record.parents)
        return bundle.mended(records, {record.id: records[place].id}), "event, mended"

    def re_sign(self, bundle, records, place, mends):
        record = records[place]
        if not mends:
            records[place] = record.copy()
            records[place].signature = self.forger.sign(record.id)
            return records, "signature"
        variant = self.random.choice(["author", "feed", "room"])
        if variant == "author":
            records[place] = record.written(bundle.network, author=self.forger.public)
            records[place].signature = self.forger.sign(records[place].id)
            return in_order(records), "author"
        forged = {record.author: self.forger}
        if variant == "room":
            forged = {record.author: Forger(record.author) for record in records}
        return self.under_new_keys(bundle, records, forged), variant

    def under_new_keys(self, bundle, records, forged):
        """Whole feeds as if others had written them, with every name put right and good signatures."""
        done, renamed, room = [], {}, bundle.room
        for record in records:
            forger = forged.get(record.author)
            payload = record.payload
            for old, new in renamed.items():
                payload = payload.replace(old, new)
            written = record.written(
                bundle.network, room=ZERO if record.kind == CREATE else room,
                author=forger.public if forger else record.author,
                previous=renamed.get(record.previous, record.previous),
                parents=[renamed.get(name, name) for name in record.parents], payload=payload)
            if record.kind == CREATE:
                room = written.id
            if forger and record.signature is not None:
                written.signature = forger.sign(written.id)
            renamed[record.id] = written.id
            done.append(written)
        return in_order(done)


def main(folder, seed, paths):
    bundles = [Bundle(path) for path in paths]
    tamperer = Tamperer(int(seed), bundles)
    number = 0
    for bundle in bundles:
        true = bundle.write(bundle.records)
        for game, places in enumerate(bundle.games()):
            for kind in KINDS:
                records, variant = tamperer.tamper(kind, bundle, places)
                data = bundle.write(records)
                assert data != true, f"{kind}, {variant} changed nothing in game {game} of {bundle.path}"
                path = f"{folder}/{number}.parlor"
                with open(path, "wb") as file:
                    file.write(data)
                number += 1
                print(json.dumps({
                    "path": path, "bundle": bundle.path, "game": game, "kind": kind, "variant": variant}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
