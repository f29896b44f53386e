#!/usr/bin/env python3
"""Writes bundles of tournaments whose entrants come early and late, draw their seeds, and do whatever they like.

    strange_cup.py FOLDER SEED COUNT

As strange.py does of games: all events are signed, and what they amount to is Docs/PROTOCOL.md §1.2, §1.5 and §1.9.
"""
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
import strange  # noqa: E402
from strange import ZERO, blake2b  # noqa: E402

NO_SEAT = 65_535


def two(number):
    return number.to_bytes(2, "big")


class CupWorld(strange.World):
    """A tournament's room."""

    def __init__(self, seed):
        super().__init__(seed, 2)
        self.peers = [self.peer(number) for number in range(10, 17)]
        self.host, *self.entrants = self.peers
        # In most rooms whoever asks may come in, and few leave.
        self.is_wild = self.chance(0.3)
        if not self.is_wild:
            self.policy, self.scope = (0, 0, 0), 1
        # By peer what it draws; the organizer's calls with their rosters, and its openings of its part.
        self.nonces = {peer: self.random.randbytes(32) for peer in self.peers}
        self.calls, self.openings_of_draw, self.started = [], [], False

    def open(self):
        self.founders = [self.host]
        self.draws = self.chance(0.6)
        self.format = self.random.choice([1, 2, 3, 3, 3, 6, 6])
        said = strange.content(2, 1, 0, int(self.draws), 0, self.policy)
        purpose = bytes([self.format, 1 if self.format in (3, 6) else 0]) + bytes(11)
        self.seats = self.random.randrange(2, 7)
        seat = 0 if self.chance(0.15) else NO_SEAT
        self.create = self.add(self.host, "create", strange.create(
            self.random.randbytes(16), said[:-len(purpose)] + purpose, 1, 2, self.scope, self.seats, seat), [], True)
        self.room = self.create.id
        self.taken = {seat: (self.host, self.create)} if seat == 0 else {}
        for peer in self.peers:
            peer.known.add(self.create)

    def roster(self, entrants):
        return blake2b(b"parlor-roster-1", self.room, *(
            part for peer, grant in entrants for part in (peer.public, grant.id)))

    def commitment(self, peer, roster, seat):
        return blake2b(b"parlor-draw-1", self.room, roster, two(seat), peer.public, key=self.nonces[peer])

    # What is done mostly before the draw, while it goes on, and after the start.
    ACTS = [
        ["ask", "ask", "exchange", "grant", "grant", "grant"],
        ["call", "answer", "answer", "answer", "open_part", "draw", "draw", "start"],
        ["late", "late", "grant", "rule", "start", "exchange"]]

    def act(self, progress):
        phase = self.random.randrange(3) if self.chance(0.15) else int(progress * 3)
        what = self.random.choice(self.ACTS[phase] + ["exchange", "leave", "fork"])
        getattr(self, what)(self.random.choice(self.entrants))

    def exchange(self, peer, other=None):
        if other is None:
            peer, other = self.random.choice([(peer, self.host), (self.host, peer)])
        peer.known |= other.known

    def asks(self):
        return [event for event in self.events if event.kind == "request" and event in self.host.known]

    def ask(self, peer, seat=NO_SEAT):
        if self.scope == 2 and self.chance(0.9):
            self.write(self.host, "invite", peer.public)
            super().exchange(peer, self.host)
        super().ask(peer, self.random.randrange(6) if self.chance(0.1) else seat)
        if self.chance(0.8):
            super().exchange(self.host, peer)

    def grant(self, _):
        seated = {peer for peer, _ in self.taken.values()}
        asks = [event for event in self.asks() if event.peer not in seated]
        if not asks:
            return
        request = self.random.choice(asks if self.chance(0.95) else self.asks())
        free = [seat for seat in range(self.seats) if seat not in self.taken]
        seat = self.random.choice(free) if free and not self.chance(0.05) else self.random.randrange(7)
        if self.started and self.chance(0.9):
            seat = len(self.taken)
        entry = self.write(self.host, "grant", request.id + two(seat))
        if entry and seat in free:
            self.taken[seat] = (request.peer, entry)

    def late(self, peer):
        super().exchange(peer, self.host)
        self.ask(peer)
        super().exchange(self.host, peer)
        self.grant(peer)

    def call(self, _):
        is_idle = self.openings_of_draw or not self.draws or len(self.taken) < 2 or self.calls and self.chance(0.7)
        if is_idle and self.chance(0.9):
            return
        entrants = [taken for _, taken in sorted(self.taken.items())]
        roster = self.roster(entrants if not self.chance(0.05) else entrants[1:])
        entry = self.write(self.host, "ready", roster + self.commitment(self.host, roster, NO_SEAT))
        if entry:
            self.calls.append((entry, roster, entrants))

    def answer(self, peer):
        if not self.calls and self.draws:
            self.call(peer)
        if not self.calls:
            return
        _, roster, entrants = self.calls[-1] if not self.chance(0.1) else self.random.choice(self.calls)
        if not self.chance(0.1):
            super().exchange(peer, self.host)
        if not self.is_wild and entrants:
            peer = self.random.choice(entrants)[0]
        seat = next((seat for seat, (other, _) in enumerate(entrants) if other is peer), 0)
        self.write(peer, "ready", roster + self.commitment(peer, roster, seat))
        if self.chance(0.7):
            super().exchange(self.host, peer)

    def open_part(self, _):
        if not self.calls or self.openings_of_draw and self.chance(0.8) or self.chance(0.6):
            return
        nonce = self.nonces[self.host] if not self.chance(0.05) else ZERO
        entry = self.write(self.host, "draw", nonce)
        if entry and self.calls and not self.openings_of_draw:
            self.openings_of_draw.append((entry, *self.calls[-1]))

    def draw(self, peer):
        if not self.openings_of_draw and self.chance(0.9):
            return
        if not self.chance(0.1):
            super().exchange(peer, self.host)
        self.write(peer, "draw", self.nonces[peer])
        if self.chance(0.7):
            super().exchange(self.host, peer)

    def drawn(self):
        """Who has drawn, as far as the organizer knows, by the seeds."""
        opening, _, roster, entrants = self.openings_of_draw[0]
        found = []
        for seat, (peer, grant) in enumerate(entrants):
            ready = roster + self.commitment(peer, roster, seat)
            known = [event for event in self.host.known if event.peer is peer]
            answers = any(event.kind == "ready" and event.payload == ready and event in opening.past for event in known)
            draws = any(event.kind == "draw" and opening in event.past for event in known)
            if peer is self.host or answers and draws:
                found.append((peer, grant))
        nonces = [self.nonces[peer] for peer, _ in found if peer is not self.host] + [self.nonces[self.host]]
        return sorted(found, key=lambda entrant: blake2b(b"parlor-seed-1", self.room, entrant[0].public, *nonces))

    def start(self, _):
        entrants = [taken for _, taken in sorted(self.taken.items())]
        if self.draws and not self.openings_of_draw and self.chance(0.9) or self.started and self.chance(0.8):
            return
        if self.draws and self.openings_of_draw and not self.chance(0.05):
            entrants = self.drawn()
        if len(entrants) < 2 and self.chance(0.9):
            return
        if self.write(self.host, "start", self.roster(entrants)) and not self.started:
            self.started = True
            self.taken = dict(enumerate(entrants))

    def leave(self, peer):
        if self.chance(0.4 if self.is_wild else 0.05):
            self.write(peer, "leave", ZERO)

    def rule(self, _):
        if self.started and self.chance(0.5):
            self.write(self.host, "disqualify", two(self.random.randrange(7)) + b"\x01x")

    def fork(self, peer):
        peer = self.host if self.chance(0.1) else peer
        if self.chance(0.15 if self.is_wild else 0.02) and peer.head and peer.head.previous:
            peer.head = peer.head.previous


def main(folder, seed, count):
    for number in range(int(seed), int(seed) + int(count)):
        world = CupWorld(number)
        world.open()
        acts = world.random.randrange(60, 200)
        for place in range(acts):
            world.act(place / acts)
        world.keep(f"{folder}/cup-{number}.parlor")


if __name__ == "__main__":
    main(*sys.argv[1:])
