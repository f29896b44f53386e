#!/usr/bin/env python3
"""Writes a tournament's file again with pairings that the organizer may not make, with keys of its own.

    false_pairings.py FOLDER FILE

The file is of a Swiss tournament of tic-tac-toe in which nobody has withdrawn. Every event is said again by other keys,
with ids and signatures that fit. In `honest.cup` all is as it was. In each other file some entrants of one round have
changed places, in the rooms of their games, as if the organizer had paired them so: two have each other's opponent, one
has the bye of another, or two have each other's colour. Prints one JSON object for each file: its path, what was done,
and the pairings whose rooms are false.
"""
import json
import struct
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
from strange import ZERO, Entry, Peer, blake2b, bundle  # noqa: E402
from swiss import reader  # noqa: E402


class Telling:
    """A tournament's file that is said again."""

    def __init__(self, data, swaps):
        self.data, self.parts = data, []
        count = int.from_bytes(data[40:44], "big")
        self.rooms = [data[place:place + 32] for place in range(44, 44 + 32 * count, 32)]
        at = 44 + 32 * count
        for _ in self.rooms:
            end = at + 8 + int.from_bytes(data[at:at + 8], "big")
            self.parts.append(self.room(data[at + 8:end]))
            at = end
        # Of a room that is to be false, who has whose place.
        self.swaps = swaps
        # What stands for an old key or id; and who says an old event now.
        self.names = {author: Peer(author).public for room in self.parts for author in room.feeds}
        self.authors = {}

    @staticmethod
    def room(part):
        read = reader.Bundle(part)
        read.read()
        room = reader.Room(read)
        room.derive()
        return room

    def file(self):
        # The games name the tournament, whose other events name the games.
        self.say(self.parts[0], self.parts[0].events[:1])
        bundles = [self.say(room, room.events) for room in self.parts[1:]]
        bundles.insert(0, self.say(self.parts[0], self.parts[0].events))
        heading = [self.data[:40], struct.pack(">I", len(self.rooms)), *(self.names[room] for room in self.rooms)]
        return b"".join(heading + [struct.pack(">Q", len(part)) + part for part in bundles])

    def say(self, room, events):
        """Says events of a room again; the bundle of all of them."""
        swaps, said = self.swaps.get(room.id, {}), {}
        peers = {author: Peer(swaps.get(author, author)) for author in room.feeds}
        names = {author: peer.public for author, peer in peers.items()}
        for event in events:
            if "roster" in event.payload:
                taken = [room.roster[seat] for seat in sorted(room.roster)]
                seats = [part for peer, at, _ in taken for part in (names[peer], self.names[at.id])]
                names[event.payload["roster"]] = blake2b(b"parlor-roster-1", self.names[room.id], *seats)
            peer, parents = peers[event.author], [said[parent] for parent in event.parents]
            payload = self.payload(event, {**self.names, **names})
            peer.head = Entry(peer, event.code, self.names[room.id] if said else ZERO, peer.head, parents, payload)
            said[event.id] = peer.head
            self.names[event.id], self.authors[event.id] = peer.head.id, peer.public
        return bundle(self.names[room.id], list(said.values()))

    def payload(self, event, names):
        """What an event says, with other keys and ids."""
        fields = event.payload
        if event.kind == "pairing-result":
            heads = [
                {**head, "author": self.authors[head["event"]], "event": names[head["event"]]}
                for head in fields["heads"]]
            heads.sort(key=lambda head: (head["author"], head["event"]))
            fields = {**fields, "room": names[fields["room"]], "heads": heads}
            return reader.write_fields(fields, reader.SCHEMAS[event.kind])
        written, at = reader.write_fields(fields, reader.SCHEMAS[event.kind]), 0
        while at < len(written):
            new = names.get(written[at:at + 32])
            written = written[:at] + new + written[at + 32:] if new else written
            at += 32 if new else 1
        return written


def lies(telling):
    """What can be told falsely: what it is, who has whose place in which rooms, and the pairings."""
    entrants = [peer for _, (peer, _, _) in sorted(telling.parts[0].roster.items())]
    rounds = {}
    for room in telling.parts[1:]:
        seats = [room.roster[seat][0] for seat in (0, 1)]
        number = room.settings["pairing"]
        rounds.setdefault(number // (len(entrants) // 2), []).append((number, room.id, seats))
    for _, rooms in sorted(rounds.items()):
        idle = [peer for peer in entrants if not any(peer in seats for _, _, seats in rooms)]
        for (number, room, (one, other)), following in zip(rooms, rooms[1:] + [None]):
            yield "seats", {room: {one: other, other: one}}, [number]
            for peer in idle:
                yield "bye", {room: {other: peer}}, [number]
            if following:
                beside, its_room, (_, another) = following
                yield "opponents", {room: {other: another}, its_room: {another: other}}, [number, beside]


def main(folder, path):
    with open(path, "rb") as file:
        data = file.read()
    told = [("honest", {}, []), *lies(Telling(data, {}))]
    for place, (what, swaps, pairings) in enumerate(told):
        written = f"{folder}/{what}{place or ''}.cup"
        with open(written, "wb") as file:
            file.write(Telling(data, swaps).file())
        print(json.dumps({"path": written, "what": what, "pairings": [f"M{pairing + 1}" for pairing in pairings]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
