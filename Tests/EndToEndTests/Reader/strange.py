#!/usr/bin/env python3
"""Writes bundles of tic-tac-toe rooms, quizzes and tap races whose peers do whatever they like.

Each event is genuinely signed.

    strange.py FOLDER SEED COUNT [drawing]

With `drawing` all rooms are drawing games.

Peers see each other's events late, ask where they were not invited or as bots that may not sit there, resign, leave,
take back, claim, rule, sign false results, move out of turn and on taken cells, move twice, write what nobody can
read, and fork their feeds. Some rooms have a target, some openings, some are of another edition or of settings that
nobody can read. In quizzes hosts open rounds twice, acknowledge what they may not, settle early, in parts, with wrong
solutions and wrong entries, and say that they cannot read what they can; players seal what opens for nobody, and show
it or something else. In tap races players claim more taps than can be, in more batches than count, and hosts seal or
open what nobody sealed. In drawing games hosts pass players over, tell other words and mark what is wrong as right,
and players draw off the sheet and out of turn. What such a room amounts to is what Docs/PROTOCOL.md §1 is about; two
programs that read one bundle must come to one answer. Whom an event names is as §3.2 has it; each room is also written
with one event more that breaks a rule of §3.2, as refused-NUMBER.parlor; what it breaks, and the event, stand in
refused.txt. Shares no code with Parlor or Tools/read-log.py.
"""
import hashlib
import random
import struct
import sys

from nacl.bindings import (
    crypto_box, crypto_scalarmult_base, crypto_sign, crypto_sign_ed25519_pk_to_curve25519, crypto_sign_seed_keypair)
from nacl.exceptions import CryptoError

ZERO = bytes(32)
KINDS = {
    "create": 1, "request": 2, "grant": 3, "ready": 4, "draw": 5, "start": 6, "move": 7, "commit": 8, "reveal": 9,
    "resign": 10, "undo-request": 11, "undo-accept": 12, "result": 13, "leave": 14, "claim": 15, "ruling": 16,
    "chat": 17, "pairing-result": 18, "invite": 19, "draw-offer": 20, "draw-accept": 21,
    "draw-decline": 22, "join-proof": 23, "join-refusal": 24, "round-open": 25, "entry": 26, "receipts": 27,
    "round-close": 28, "settle": 29, "entry-proof": 30, "carry": 31, "disqualify": 32,
    "marks": 33, "revoke": 34}
# Where payloads name events (§6.1).
OFFSETS = {3: [0], 7: [4], 8: [4], 9: [4], 13: [2], 20: [0], 21: [0, 32], 22: [0]} \
    | {kind: [0] for kind in (10, 11, 12, 14, 15, 16, 26, 27, 28, 29, 30, 33, 34)}
# Points of small order: 0, 1, and one of order eight.
WEAK_KEYS = [
    ZERO, b"\x01" + bytes(31), bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def blake2b(*parts, key=b""):
    return hashlib.blake2b(b"".join(parts), digest_size=32, key=key).digest()


NETWORK = blake2b(b"parlor-network-1")
PROFILE = b"\x00\x00\x00"
ANY_SEAT = b"\xff\xff"


def bot(budget):
    """The profile of a bot with a budget of nodes; 0 for none."""
    return b"\x00\x00\x01\x06random" + struct.pack(">HQQ", 1, budget, 7)


def content(
        kind=1, games=1, target=0, joint=0, allows=0, policy=(0, 0, 0), rules=b"\x0btic-tac-toe\x00\x01\x00\x00",
        rematch=ZERO, entries=5, code=0, openings=()):
    """What a create of edition 1 says behind what all editions share."""
    numbers = [len(openings)] + [number for codes in openings for number in (len(codes), *codes)]
    opened = struct.pack(f">{len(numbers)}H", *numbers)
    purpose = {
        1: ZERO + bytes(5) + opened + ZERO + bytes(4), 2: b"\x01\x00" + bytes(9) + opened,
        3: struct.pack(">HB", entries, code) + b"\x02hm"}[kind]
    return b"".join([
        rules, struct.pack(">HIBB", games, target, joint, allows), struct.pack(">BBQ", *policy), bytes(12), rematch,
        PROFILE, purpose])


def create(nonce, said, edition=1, kind=1, scope=1, seats=2, seat=0, referee=ZERO):
    """The payload of a create; `said` is its content."""
    return struct.pack(">HBB16sHH", edition, kind, scope, nonce, seats, seat) + referee + said


def variable(number):
    """A number in groups of seven bits (§6.1)."""
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return bytes(groups)


class Entry:
    """An event with its signature and its whole past; a kind that nobody knows is given by its number."""

    def __init__(self, peer, kind, room, previous, parents, payload, is_signed=True):
        self.peer, self.kind, self.previous, self.parents, self.payload = peer, kind, previous, parents, payload
        self.sequence = previous.sequence + 1 if previous else 1
        self.body = b"".join([
            struct.pack(">BB", 2, KINDS.get(kind, kind)), room, peer.public, self.sequence.to_bytes(8, "big"),
            previous.id if previous else ZERO, bytes(8), bytes([len(parents)]),
            *sorted(parent.id for parent in parents), len(payload).to_bytes(2, "big"), payload])
        self.id = blake2b(b"parlor-event-2", NETWORK, self.body)
        self.signature = crypto_sign(b"parlor-signature-1" + self.id, peer.secret)[:64] if is_signed else None
        self.names = [named for named in [previous, *parents] if named]
        self.past = set().union(*(named.past | {named} for named in self.names))
        # Whether its author was a member when it wrote it; of a grant, whose request it grants.
        self.is_member, self.requester = False, None

    @property
    def code(self):
        return KINDS.get(self.kind, self.kind)

    @property
    def order(self):
        return (self.peer.public, self.sequence, self.id)


class Peer:
    """A key, what it has seen, and the event that its next one follows."""

    def __init__(self, name):
        self.public, self.secret = crypto_sign_seed_keypair(blake2b(b"strange", name))
        self.known, self.head = set(), None


class Position:
    """Where a node stands when every step counts: the generator's view, to make sensible steps likely."""

    def __init__(self, game, ply, codes, ended=None):
        self.game, self.ply, self.codes, self.ended = game, ply, codes, ended


class World:
    """One room and its peers."""

    rules = b"\x0btic-tac-toe\x00\x01\x00\x00"

    def __init__(self, seed, kind=1):
        self.random = random.Random(seed if kind == 1 else f"{seed} {kind}")
        self.name, self.kind = bytes([seed % 251]), kind
        self.host, self.guest, self.referee, self.stranger = (self.peer(number) for number in range(4))
        if self.chance(0.1):
            self.referee = self.random.choice([self.host, self.guest])
        self.peers = [self.host, self.guest, self.stranger]
        if self.referee not in self.peers:
            self.peers.append(self.referee)
        self.events, self.ids, self.positions = [], set(), {}
        self.games = self.random.choice([1, 1, 2, 3, 4])
        self.target = self.random.choice([0, 0, 1, 2])
        self.joint = self.random.random() < 0.5
        self.policy = self.random.choice(
            [(0, 0, 0)] * 12 + [(1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1000), (1, 1, 1000), (2, 1, 1000)])
        self.scope = self.random.choice([1, 2, 2, 3])
        self.room = ZERO
        self.forks = self.random.random() < 0.3
        # In some rooms somebody says the same more often than it counts.
        self.tires = random.Random(f"{seed} tires").random() < 0.1
        self.openings = self.choose_openings(random.Random(f"{seed} openings"))
        # In an orderly room nearly every step is a fair one, so that games come to their ends.
        self.disorder = self.random.choice([0.03, 0.15, 0.5])

    def peer(self, number):
        return Peer(self.name + bytes([number]))

    def chance(self, part):
        return self.random.random() < part

    def choose_openings(self, source):
        """From which moves games begin: in some rooms from none that may be."""
        if self.kind != 1 or source.random() < 0.7:
            return []
        openings = [source.sample(range(9), source.randrange(1, 5)) for _ in range(source.randrange(1, 4))]
        if source.random() < 0.15:
            source.choice(openings)[:] = source.choice([[0, 0], [9], [], [0, 3, 1, 4, 2], [65_535]])
        return openings

    def opened(self, game, ended=None):
        """The beginning of a game."""
        codes = list(self.openings[game // 2 % len(self.openings)]) if self.openings else []
        return Position(game, len(codes), codes, ended)

    # Writing

    def write(self, peer, kind, payload):
        """The peer's next event; it names what §3.2 lets it."""
        return self.add(peer, kind, payload, *self.named(peer, kind, payload))

    def add(self, peer, kind, payload, parents, is_member, asked=None):
        """The peer's next event, whatever it names; None when it is here already."""
        entry = Entry(peer, kind, self.room, peer.head, parents, payload)
        # Who goes back and says the same again has said it once.
        if entry.id in self.ids:
            return None
        entry.is_member, entry.requester = is_member, asked and asked.peer
        self.ids.add(entry.id)
        self.events.append(entry)
        peer.head = entry
        peer.known |= entry.past | {entry}
        return entry

    def named(self, peer, kind, payload):
        """What the peer's next event names, whether it is a member's, and the request that it grants."""
        previous, asked = peer.head, None
        is_member = peer in self.founders or previous is not None and previous.is_member
        own = [event for event in self.events if event in peer.known and event.requester is peer]
        if not is_member and not own:
            return [self.create] if not previous or self.chance(0.1) else [], False, None
        seen = previous.past | {previous} if previous else set()
        news = {event for event in peer.known - seen if event.is_member and (
            self.kind == 1 or self.host in (peer, event.peer))}
        heads = news - {event for other in news for event in other.past}
        # What is under the peer's own other branch comes with what stands on it, or not at all.
        parents = sorted((event for event in heads if event.peer is not peer), key=lambda event: event.order)[:30]
        if not is_member:
            parents += [own[-1]] if own[-1] not in parents else []
        if kind == "grant" and peer is self.host and len(payload) == 34 and self.chance(0.97):
            asked = next((event for event in self.events if event.id == payload[:32]), None)
            is_request = asked and asked.code == KINDS["request"] and asked.peer is not peer
            asked = asked if is_request and asked in peer.known else None
            parents += [asked] if asked and asked not in parents else []
        return parents, True, asked

    def exchange(self, one, other):
        one.known |= other.known

    def open(self):
        """The host's create, which all have."""
        self.seat = self.random.choice([0, 0, 1])
        referee = self.referee.public if self.chance(0.75) else ZERO
        self.founders = [self.host] + [self.referee] * (referee != ZERO)
        self.seat_count = 2 if self.kind == 1 else self.random.choice([2, 5])
        said = content(
            self.kind, self.games, self.target, self.joint, self.flags(), self.policy, self.rules,
            openings=self.openings)
        edition = 2 if self.chance(0.04) else 1
        if edition == 2 and self.chance(0.5):
            said = self.random.randbytes(self.random.randrange(40))
        elif self.chance(0.02):
            said = self.garbled(said)
        payload = create(
            self.random.randbytes(16), said, edition, self.kind, self.scope, self.seat_count, self.seat, referee)
        self.create = self.add(self.host, "create", payload, [], True)
        self.room = self.create.id
        for peer in self.peers:
            peer.known.add(self.create)

    def flags(self):
        return self.chance(0.7)

    def garbled(self, payload):
        """The payload with something less, more or else in it."""
        at = self.random.randrange(len(payload) + 1)
        return self.random.choice([payload[:at], payload + b"\x00", self.random.randbytes(len(payload)), b""])

    # The beginning

    def begin(self):
        seat = self.seat
        self.seats, self.roster = [], ZERO
        is_late = self.chance(0.1)
        if not is_late:
            self.invite()
        request = self.ask(self.guest, self.random.choice([65_535, 1 - seat]))
        if self.chance(0.1):
            self.write(self.guest, "leave", ZERO)
            request = self.ask(self.guest)
        if self.chance(0.2):
            self.ask(self.stranger)
            self.exchange(self.host, self.stranger)
        for _ in range(self.random.randrange(6) if self.disorder > 0.2 else 0):
            self.wild(self.random.choice(self.peers))
        self.exchange(self.host, self.guest)
        if is_late and self.chance(0.5):
            self.invite()
        grant = self.write(self.host, "grant", request.id + bytes([0, 1 - seat]))
        if is_late and self.chance(0.5):
            self.invite()
            if self.chance(0.5):
                grant = self.write(self.host, "grant", request.id + bytes([0, 1 - seat]))
        self.exchange(self.guest, self.host)
        self.seats = [self.host, self.guest] if seat == 0 else [self.guest, self.host]
        taken = [(self.host, self.create), (self.guest, grant)]
        parts = [part for peer, at in (taken if seat == 0 else taken[::-1]) for part in (peer.public, at.id)]
        self.roster = blake2b(b"parlor-roster-1", self.room, *parts)
        self.draw()

    def split(self):
        """The host seats somebody else on another branch, so that there may be a table of each."""
        self.exchange(self.guest, self.host)
        self.write(self.guest, "chat", b"\x00\x02hm")
        first = self.host.head
        while first.previous and first.kind != "grant":
            first = first.previous
        self.host.head = first.previous or first
        self.host.known = self.host.head.past | {self.host.head}
        self.guest, self.stranger = self.stranger, self.guest
        self.begin()
        self.exchange(self.guest, self.host)
        self.write(self.guest, "chat", b"\x00\x02hm")

    def profile(self):
        """A profile that the room's policy admits, mostly."""
        bots, only, largest = self.policy
        fitting = [] if bots == 2 else [PROFILE]
        if bots != 1:
            fitting += [bot(budget) for budget in (0, 500, 1000, 2000) if budget and (
                largest == 0 or budget <= largest) or not budget and not only and not largest]
        return self.random.choice(fitting if self.chance(0.9) else [PROFILE, bot(0), bot(500), bot(2000)])

    def ask(self, peer, seat=65_535):
        """A peer's request; who may not sit there may ask again as somebody else."""
        payload = seat.to_bytes(2, "big") + self.profile()
        return self.write(peer, "request", payload if not self.chance(0.02) else self.garbled(payload))

    def invite(self):
        """The host invites, mostly whom it must, now and then more peers than a room may have."""
        peers = [self.guest.public] if self.chance(0.95 if self.scope == 2 else 0.2) else []
        if self.chance(0.3):
            peers.insert(self.random.randrange(len(peers) + 1), self.stranger.public)
        if self.chance(0.1):
            peers += [peer for peer in peers if self.chance(0.5)]
            peers += [self.random.randbytes(32) for _ in range(self.random.randrange(58, 70))]
        if self.chance(0.05):
            self.random.shuffle(peers)
        for peer in peers:
            self.write(self.host, "invite", peer)
        if not self.chance(0.03):
            self.exchange(self.guest, self.host)
        if self.chance(0.5):
            self.exchange(self.stranger, self.host)

    def draw(self):
        nonces = [self.random.randbytes(32) for _ in self.seats]
        for number in self.random.sample([0, 1], 2):
            peer = self.seats[number]
            commitment = blake2b(
                b"parlor-draw-1", self.room, self.roster, bytes([0, number]), peer.public, key=nonces[number])
            self.write(peer, "ready", self.roster + (commitment if self.joint else ZERO))
        self.exchange(self.host, self.guest)
        self.exchange(self.guest, self.host)
        opened = [0, 1] if not self.chance(0.1) else [self.random.randrange(2)]
        if self.joint:
            for number in self.random.sample(opened, len(opened)):
                nonce = nonces[number] if not self.chance(0.05) else self.random.randbytes(32)
                self.write(self.seats[number], "draw", nonce)
        if self.joint and len(opened) == 1:
            self.rule_on_draw(self.seats[opened[0]], 1 - opened[0])
        self.exchange(self.host, self.guest)
        for _ in range(self.random.randrange(6) if self.disorder > 0.2 else 0):
            self.wild(self.random.choice(self.peers))
        if self.chance(0.05):
            self.write(self.guest, "leave", ZERO)
        combined = blake2b(b"parlor-joint-1", self.room, *nonces)
        self.first = int.from_bytes(combined[:8], "big") % 2 if self.joint else 0
        if self.joint and len(opened) == 1:
            self.first = opened[0]
        self.positions[self.write(self.host, "start", self.roster)] = self.opened(0)

    def rule_on_draw(self, claimant, silent):
        self.exchange(claimant, self.seats[silent])
        ready = next(event for event in self.events if event.kind == "ready" and event.peer is self.seats[silent])
        claim = self.write(claimant, "claim", ready.id + bytes([0, silent]))
        self.exchange(self.referee, claimant)
        self.write(self.referee, "ruling", claim.id)
        self.exchange(self.host, self.referee)

    # Play

    def live(self, longest):
        """The room from its first event on, with fewer than so many steps of play."""
        self.open()
        self.begin()
        self.meet()
        self.play(self.random.randrange(5, longest))

    def meet(self):
        """The guest, and mostly the referee, hear of the roster."""
        self.exchange(self.guest, self.host)
        if not self.chance(0.1):
            self.exchange(self.referee, self.host)

    def play(self, steps):
        for _ in range(steps):
            peer = self.random.choice([self.host, self.guest])
            if self.chance(0.08):
                peer = self.random.choice([self.referee, self.stranger])
            if not self.chance(self.disorder):
                for other in self.peers:
                    self.exchange(peer, other)
            elif self.chance(0.5):
                self.exchange(peer, self.random.choice(self.peers))
            if self.forks and self.chance(0.06) and peer.head:
                self.fork(peer)
            if self.tires and self.kind == 1 and self.chance(0.1):
                self.tires = False
                self.tire(peer)
            self.act(peer)

    def fork(self, peer):
        """The peer goes on from an earlier event of its own, as if it had written nothing since."""
        own = sorted((event for event in self.events if event.peer is peer), key=lambda event: event.sequence)
        peer.head = self.random.choice(own[-4:])
        peer.known = peer.head.past | {peer.head}

    def tire(self, peer):
        """The peer says the same again and again; one of the last times somebody goes by it."""
        nodes = [event for event in self.events if event in self.positions and event in peer.known]
        if not nodes:
            return
        node, at = nodes[-1], self.positions[nodes[-1]]
        kind = self.random.choice(["undo-request", "draw-offer", "claim", "move", "result", "ready", "request"])
        payload = {
            "undo-request": node.id + bytes(2), "draw-offer": node.id, "claim": node.id + bytes(2),
            "move": struct.pack(">HH32sIB", at.game, at.ply, node.id, 9, 0),
            "result": struct.pack(">H32sBii", at.game, node.id, 2, 1, -1), "ready": bytes(64),
            "request": (65_535).to_bytes(2, "big") + self.profile()}[kind]
        said = [event for event in (self.write(peer, kind, payload) for _ in range(67)) if event]
        asked = self.random.choice(said[-5:])
        other = self.random.choice(self.seats)
        self.exchange(other, peer)
        if kind == "undo-request":
            entry = self.write(other, "undo-accept", asked.id)
            self.positions[entry] = self.opened(at.game)
        elif kind == "draw-offer":
            entry = self.write(other, "draw-accept", node.id + asked.id)
            self.positions[entry] = self.opened(at.game + 1, (at.game, [0, 0]))

    def act(self, peer):
        nodes = [event for event in self.events if event in self.positions and event in peer.known]
        if not nodes:
            return
        node = nodes[-1] if not self.chance(self.disorder) else self.random.choice(nodes[-4:])
        at = self.positions[node]
        seat = self.seats.index(peer) if peer in self.seats else None
        ends = [event for event in nodes if self.positions[event].ended]
        if ends and self.chance(0.2):
            return self.sign(peer, self.random.choice(ends[-2:]))
        if self.chance(self.disorder / 10):
            return self.wild(peer)
        if self.chance(0.2 * self.disorder + 0.01):
            return self.disturb(peer, node, at, seat)
        if not self.owes(peer, seat, at) and not self.chance(self.disorder / 2):
            return None
        self.move(peer, node, at)

    def owes(self, peer, seat, at):
        """Whether a step is owed of a peer, which has this seat or none."""
        return seat == (self.first + at.game + at.ply) % 2

    def lost(self, at, seat):
        """The scores of a game that a seat loses by anything but the rules."""
        return [int(number != seat) for number in (0, 1)]

    def move(self, peer, node, at):
        free = [code for code in range(9) if code not in at.codes]
        code = self.random.choice(free) if not self.chance(self.disorder / 5) else self.random.randrange(10)
        ply = at.ply + (self.disorder > 0.1 and self.chance(0.03))
        entry = self.write(peer, "move", struct.pack(">HH32sIB", at.game, ply, node.id, code, 0))
        if entry is None or code not in free:
            return
        codes = at.codes + [code]
        won = any(set(codes[at.ply % 2::2]).issuperset(line) for line in LINES)
        if won or len(codes) == 9:
            scores = [0, 0]
            if won:
                scores[(self.first + at.game + at.ply) % 2] = 1
            self.positions[entry] = self.opened(at.game + 1, (at.game, scores))
        else:
            self.positions[entry] = Position(at.game, at.ply + 1, codes)

    def disturb(self, peer, node, at, seat):
        """Something other than a move."""
        kind = self.random.choice([
            "resign", "leave", "leave", "undo", "undo", "undo", "claim", "claim", "draw", "draw", "chat", "commit",
            "garbled"])
        if kind == "chat":
            self.write(peer, "chat", b"\x00\x02hm")
        elif kind == "commit":
            self.write(peer, "commit", struct.pack(">HH32s32s", at.game, at.ply, node.id, ZERO))
        elif kind == "garbled":
            move = struct.pack(">HH32sIB", at.game, at.ply, node.id, self.random.randrange(9), 0)
            self.write(peer, self.random.choice(["move", 23, 255]), self.garbled(move))
        elif kind in ("resign", "leave"):
            early = kind == "leave" and self.chance(0.3)
            entry = self.write(peer, kind, ZERO if early else node.id)
            if entry and seat is not None and not early:
                self.positions[entry] = self.opened(at.game + 1, (at.game, self.lost(at, seat)))
        elif kind == "undo":
            ply = self.random.randrange(at.ply + 1)
            asked = self.write(peer, "undo-request", node.id + ply.to_bytes(2, "big"))
            other = self.random.choice(self.seats)
            if asked and self.chance(0.8):
                self.exchange(other, peer)
                entry = self.write(other, "undo-accept", asked.id)
                if entry:
                    self.positions[entry] = Position(at.game, ply, at.codes[:ply])
        elif kind == "draw":
            self.offer(peer, node, at)
        else:
            self.claim(peer, node, at)

    def offer(self, peer, node, at):
        """An offer of a draw, and mostly an answer to it, at times after a move of who offers."""
        offer = self.write(peer, "draw-offer", node.id)
        other = self.random.choice(self.seats)
        if offer is None or self.chance(0.1):
            return
        if self.chance(0.5) and at.ply < 8:
            self.move(peer, node, at)
            head = peer.head
            if head.kind == "move" and head in self.positions and self.positions[head].game == at.game:
                node, at = head, self.positions[head]
        self.exchange(other, peer)
        if self.chance(0.2):
            self.write(other, "draw-decline", offer.id)
        entry = self.write(other, "draw-accept", node.id + offer.id)
        if entry:
            self.positions[entry] = self.opened(at.game + 1, (at.game, [0, 0]))

    def wild(self, peer):
        """Any kind of event that names any events."""
        def name():
            chosen = self.random.choice([*self.events[-6:], *self.events[:8], None])
            return chosen.id if chosen else self.random.choice([ZERO, self.roster, self.random.randbytes(32)])

        if self.chance(0.05):
            payload = self.random.randbytes(self.random.randrange(9))
            return self.write(peer, self.random.choice([0, 23, 99, 255]), payload)
        small = self.random.randrange(4)
        kinds = [kind for kind in KINDS if kind not in ("create", "revoke") and (kind != "marks" or self.kind == 3)]
        kind = self.random.choice(kinds)
        said = [event for event in self.events if event.kind in ("pairing-result", "disqualify")]
        if kind in ("disqualify", "pairing-result") and said and len(self.events) % 3 == 0:
            kind = "revoke"
        if 22 < KINDS[kind] and kind not in ("disqualify", "revoke"):
            return self.wild_round(peer, kind, name)
        asked = [event.id for event in self.events if event.kind == "request"] or [ZERO]
        payload = {
            "request": self.random.choice([0, 1, 2, 65_535]).to_bytes(2, "big") + self.profile(),
            "grant": self.random.choice([name(), *asked[-2:]]) + bytes([0, small]),
            "ready": name() + name(), "draw": name(), "start": name(),
            "move": struct.pack(">HH32sIB", small, self.random.randrange(9), name(), self.random.randrange(9), 0),
            "commit": struct.pack(">HH32s32s", small, 0, name(), name()),
            "reveal": struct.pack(">HH32sI32s", small, 0, name(), 1, name()), "resign": name(),
            "undo-request": name() + struct.pack(">H", small), "undo-accept": name(),
            "result": struct.pack(">H32sBii", small, name(), 2, *self.random.choice([(0, 1), (1, 0), (0, 0)])),
            "leave": name(), "claim": name() + bytes([0, small]), "ruling": name(), "chat": b"\x00\x01?",
            "invite": self.random.choice(self.peers).public,
            "draw-offer": name(), "draw-accept": name() + name(), "draw-decline": name(),
            "revoke": said[-1 - len(self.events) % len(said)].id if said else ZERO,
            "disqualify": bytes([0, small, 0, 3]) + self.random.choice([b"why", "é1".encode(), b"\xff??"]),
            "pairing-result": struct.pack(">IB32s", small, 0, name()) + self.heads()
            + (struct.pack(">BHii", 0, 1, 1, 0) if len(self.events) % 2 else struct.pack(">BH", 1, 0))}[kind]
        return self.write(peer, kind, payload if not self.chance(0.05) else self.garbled(payload))

    def wild_round(self, peer, kind, name):
        """An event of hosted rounds that names any events."""
        small, time = self.random.randrange(3), struct.pack(">I", self.random.randrange(20_000))
        salt, choice = self.random.randbytes(32), self.random.choice([b"\x01\x00", b"\x01\x02", b"\x00", b"\x02hm"])
        length = self.random.choice([79, 80, 81, 144, 145])
        times = sorted(self.random.randrange(9) for _ in range(small))
        parents = self.random.sample(range(33), small)
        payload = {
            "join-proof": self.random.randbytes(80),
            "join-refusal": self.random.choice(self.peers).public
            + struct.pack(">QB", self.random.randrange(9), self.random.choice([1, 2, small])),
            "round-open": struct.pack(">HI", small, 9_000) + salt + struct.pack(">H", 2) + b"hm",
            "entry": name() + self.random.choice([
                b"\x00" + choice, b"\x02" + choice,
                b"\x01" + salt + bytes([length]) + self.random.randbytes(length)]),
            "receipts": name() + bytes([small]) + b"".join(
                struct.pack(">BI", parent, time) for parent, time in zip(parents, times)),
            "marks": name() + bytes([small]) + b"".join(
                struct.pack(">H", at) + self.random.choice([b"\xfe", choice + salt]) for at in sorted(parents)),
            "round-close": name() + time,
            "settle": name() + choice + salt + struct.pack(">H", small) + bytes([small]) + small * (choice + salt),
            "entry-proof": name() + choice + salt,
            "carry": name() + bytes([small]) + b"".join(
                sorted(self.random.choice(self.peers).public + time for _ in range(small)))}[kind]
        return self.write(peer, kind, payload if not self.chance(0.05) else self.garbled(payload))

    def heads(self):
        """What an organizer says that it had seen, seldom in order."""
        seen = self.random.sample(self.events, min(len(self.events), self.random.randrange(4)))
        return bytes([len(seen)]) + b"".join(
            event.peer.public + event.sequence.to_bytes(8, "big") + event.id for event in seen)

    def claim(self, peer, node, at):
        silent = (self.first + at.game + at.ply) % 2
        claim = self.write(peer, "claim", node.id + bytes([0, silent if not self.chance(0.2) else 1 - silent]))
        if claim and self.chance(0.8):
            self.exchange(self.referee, peer)
            entry = self.write(self.referee, "ruling", claim.id)
            if entry:
                self.positions[entry] = self.opened(at.game + 1, (at.game, self.lost(at, silent)))

    def sign(self, peer, ending):
        game, scores = self.positions[ending].ended
        if self.chance(0.05):
            scores = scores[::-1]
        payload = game.to_bytes(2, "big") + ending.id + b"\x02" + struct.pack(">ii", *scores)
        self.write(peer, "result", payload)
        if self.chance(0.6) and peer in self.seats:
            other = self.seats[1 - self.seats.index(peer)]
            self.exchange(other, peer)
            self.write(other, "result", payload)

    # What §3.2 refuses

    def breach(self):
        """Writes one event that names what its author may not name, or is one too many.

        Returns which rule it breaks.
        """
        self.host.head = self.host.head or self.create
        newcomer, other = self.peer(90), self.peer(91)
        strangers = [event for event in self.events if not event.is_member]
        breaches = ["stranger-names-member", "stranger-names-stranger", "member-names-stranger", "two-requests"]
        rule = self.random.choice(breaches + ["player-names-player"] * (self.kind != 1) * 4)
        if self.chance(0.04):
            rule = self.random.choice(["stranger-writes-on", "grants-without-end"])
        stranger = self.random.choice(strangers) if strangers and self.chance(0.5) else self.add(
            other, "request", ANY_SEAT + PROFILE, [self.create], False)
        hello = b"\x00\x02hm"
        members = [peer for peer in self.peers if peer.head and peer.head.is_member and peer is not stranger.peer]
        if rule == "stranger-names-member":
            later = [event for event in self.events if event.is_member and event is not self.create]
            self.add(newcomer, "chat", hello, [self.random.choice(later)], False)
        elif rule == "stranger-names-stranger":
            self.add(newcomer, "chat", hello, [stranger, self.create][:self.random.choice([1, 2])], False)
        elif rule == "member-names-stranger":
            self.add(self.random.choice(members), "chat", hello, [stranger], True)
        elif rule == "two-requests":
            second = self.add(newcomer, "request", ANY_SEAT + PROFILE, [self.create], False)
            asked = self.add(self.peer(92), "request", ANY_SEAT + PROFILE, [self.create], False)
            self.add(self.host, "grant", asked.id + bytes(2), [asked, second], True)
        elif rule == "player-names-player":
            asked = self.add(newcomer, "request", ANY_SEAT + PROFILE, [self.create], False)
            grant = self.add(self.host, "grant", asked.id + bytes(2), [asked], True)
            players = [event for event in self.events if event.is_member and event.peer is not self.host]
            named = self.random.choice(players) if players else stranger
            self.add(newcomer, "chat", hello, [grant, named], True)
        elif rule == "stranger-writes-on":
            for _ in range(256):
                self.add(newcomer, "chat", hello, [], False)
            self.add(newcomer, "chat", hello, [self.create] if self.chance(0.5) else [], False)
        else:
            on_chain, event = 0, self.host.head
            while event:
                is_readable = event.kind == "grant" and len(event.payload) == 34
                on_chain, event = on_chain + is_readable, event.previous
            for _ in range(self.seat_count + 65 - on_chain):
                self.add(self.host, "grant", self.room + bytes(2), [], True)
        return rule

    def keep(self, path):
        """Writes the room as a bundle."""
        with open(path, "wb") as file:
            file.write(bundle(self.room, self.events))


class Asked:
    """A round as its host knows it."""

    def __init__(self, number, opening, content, solution, salt, limit):
        self.number, self.opening, self.content = number, opening, content
        self.solution, self.salt, self.limit = solution, salt, limit
        self.time, self.entries, self.opened, self.is_closed = 0, [], 0, False


class QuizWorld(World):
    """One quiz: its host, its players and others."""

    def __init__(self, seed):
        super().__init__(seed, 3)
        self.peers += [self.peer(number) for number in range(4, 4 + self.random.randrange(4))]
        self.players, self.invited, self.rounds, self.settled, self.roster = [], set(), [], 0, ZERO
        self.is_over = False
        # What was entered: its choice and salt, and whether the host can read it.
        self.entered, self.denied = {}, []
        # By which request each player was taken in.
        self.taken_by = {}
        self.host_forks = self.forks and self.chance(0.2)

    def open(self):
        """The host's create, which all have."""
        referee = self.referee.public if self.chance(0.2) else ZERO
        self.founders = [self.host] + [self.referee] * (referee != ZERO)
        self.seat_count = self.random.choice([1, 2, 5, 5, 5])
        self.count = self.random.choice([1, 1, 2, 3])
        self.rematch = self.random.randbytes(32) if self.chance(0.4) else ZERO
        name, settings = self.settings()
        rules = bytes([len(name)]) + name + b"\x00\x01" + struct.pack(">H", len(settings)) + settings
        self.games = self.random.choice([1, 2, 3, 5])
        said = content(
            3, self.games, policy=self.policy, rules=rules, rematch=self.rematch,
            entries=self.count if not self.chance(0.03) else 0, code=self.chance(0.5))
        edition = 2 if self.chance(0.03) else 1
        if self.chance(0.02):
            said = self.garbled(said)
        self.seat = 65_535 if not self.chance(0.03) else 0
        payload = create(self.random.randbytes(16), said, edition, 3, self.scope, self.seat_count, self.seat, referee)
        self.create = self.add(self.host, "create", payload, [], True)
        self.room = self.create.id
        for peer in self.peers:
            peer.known.add(self.create)

    def settings(self):
        """The rules' name and settings, mostly in their one form."""
        curve = self.random.choice([b"linear", b"classic"])
        settings = b"curve=" + curve + b"\ngrace=" + self.random.choice([b"0", b"3000", b"10000"]) + b"\n"
        if self.chance(0.04):
            settings = self.random.choice([b"", settings[:-1], b"grace=10001\n", settings.replace(b"=", b"=0")])
        return b"quiz", settings

    # The beginning

    def begin(self):
        if self.chance(0.6):
            for _ in range(self.random.choice([1, 1, 2])):
                self.carry()
        if self.scope == 2 and self.chance(0.9):
            for peer in self.peers[1:]:
                if self.chance(0.9):
                    self.invite(peer)
        for peer in self.random.sample(self.peers[1:], len(self.peers) - 1):
            if self.chance(0.5):
                self.name_key(peer)
            if self.chance(0.9):
                self.ask(peer)
            if self.chance(0.1):
                self.write(peer, "leave", ZERO)
            if self.chance(0.8):
                self.grant(peer)

    def carry(self):
        head = self.rematch[::-1] if not self.chance(0.2) else self.random.randbytes(32)
        peers = sorted(peer.public for peer in self.random.sample(self.peers, self.random.randrange(len(self.peers))))
        if self.chance(0.05):
            peers.reverse()
        scores = [peer + struct.pack(">I", self.random.choice([0, 500, 1_000])) for peer in peers]
        self.write(self.host, "carry", head + bytes([len(scores)]) + b"".join(scores))

    def invite(self, peer):
        self.write(self.host, "invite", peer.public)
        self.invited.add(peer)

    def grant(self, peer):
        """The host takes in a peer by one of its requests, mostly the last one."""
        self.exchange(self.host, peer)
        asked = [event for event in self.events if event.peer is peer and event.kind == "request"]
        asked = [event for event in asked if event in self.host.known]
        if not asked:
            return None
        request = asked[-1] if self.chance(0.9) else self.random.choice(asked)
        number = len(self.players) if not self.chance(0.05) else self.random.randrange(4)
        entry = self.write(self.host, "grant", request.id + struct.pack(">H", number))
        is_fitting = number == len(self.players) < self.seat_count and (self.scope != 2 or peer in self.invited)
        if entry and is_fitting and peer not in self.players:
            self.players.append(peer)
            self.taken_by[peer] = request
        if not self.chance(0.1):
            self.exchange(peer, self.host)
        return entry

    # Rounds

    def play(self, steps):
        rest = 3 * steps
        while rest > 0:
            # When all is over there is little to say.
            rest -= 1 if not self.is_over and self.settled < self.games else 10
            peer = self.random.choice([self.host, self.host, *self.peers])
            if not self.chance(self.disorder):
                self.exchange(peer, self.host)
            if peer is self.host and not self.chance(self.disorder / 2):
                for other in self.peers:
                    self.exchange(peer, other)
            if self.forks and self.chance(0.02) and peer.head and (peer is not self.host or self.host_forks):
                self.fork(peer)
            if self.chance(self.disorder / 10):
                self.wild(peer)
            elif peer is self.host:
                self.lead()
            else:
                self.take_part(peer)

    def lead(self):
        """Something that the host does."""
        now = self.rounds[-1] if self.rounds else None
        if self.chance(0.2 if len(self.players) < 2 else 0.06):
            return self.rule()
        # What is on goes on, mostly.
        if now is None or now.opened is None or self.chance(0.01 + self.disorder / 20):
            return self.ask_round()
        if self.chance(0.5):
            self.acknowledge(now)
        elif now.is_closed != self.chance(0.05):
            self.settle(now)
        elif self.chance(0.3 if now.entries else 0.06):
            self.close(now)
        return None

    def rule(self):
        """Something of the host that is about who plays."""
        peer = self.random.choice(self.peers)
        act = self.random.choice(["grant"] * 6 + ["refuse"] * 3 + ["chat", "carry", "invite"])
        if self.chance(0.03):
            self.is_over = bool(self.write(self.host, "leave", ZERO)) or self.is_over
        elif act == "grant":
            self.grant(peer)
        elif act == "refuse":
            said = struct.pack(">QB", self.random.randrange(6), self.random.choice([1, 1, 2, 3]))
            self.write(self.host, "join-refusal", peer.public + said)
        elif act == "chat":
            self.write(self.host, "chat", b"\x00\x02hm")
        elif act == "carry":
            self.carry()
        else:
            self.invite(peer)

    def question(self):
        choices = self.random.choice([2, 3, 4, 4])
        asked = b"\x00\x04why?" + bytes([choices]) + b"".join(b"\x01" + bytes([97 + at]) for at in range(choices))
        return asked, choices

    def ask_round(self):
        asked, choices = self.question()
        is_odd = self.chance(0.04)
        if is_odd:
            asked = self.garbled(asked)
        number = self.settled if not self.chance(0.04) else self.random.randrange(3)
        solution = bytes([self.random.randrange(choices)]) if not self.chance(0.03) else b"\x07"
        salt, limit = self.random.randbytes(32), self.random.choice([0, 300, 1_000, 15_000, 15_000])
        commitment = blake2b(
            b"parlor-solution-1", self.room, struct.pack(">H", number), self.host.public,
            struct.pack(">H", len(asked)), asked, solution, key=salt)
        if self.chance(0.03):
            commitment, is_odd = ZERO, True
        said = struct.pack(">HI", number, limit) + commitment + struct.pack(">H", len(asked)) + asked
        opening = self.write(self.host, "round-open", said)
        if opening and not is_odd and number == self.settled < self.games:
            self.rounds.append(Asked(number, opening, choices, solution, salt, limit))

    def acknowledge(self, now):
        """Receipts for what the host has seen, one or several."""
        known = [event for event in self.entered if event in self.host.known and event.is_member]
        fresh = [event for event in known if event not in now.entries and event.payload[:32] == now.opening.id]
        chosen = self.random.sample(fresh, min(len(fresh), self.random.choice([1, 2, 4])))
        if known and self.chance(0.06):
            chosen = list(dict.fromkeys([*chosen, self.random.choice(known)]))
        if not chosen:
            return
        others = self.named(self.host, "receipts", b"")[0] if self.chance(0.3) else []
        parents = list(dict.fromkeys([*chosen, *others]))[:32]
        places = sorted(parent.id for parent in parents)
        receipts = []
        for event in chosen:
            now.time += self.random.randrange(max(2, now.limit // 3))
            receipts.append((places.index(event.id), now.time))
        is_early = self.chance(0.05)
        if is_early:
            receipts = [(place, time // 2) for place, time in receipts]
        elif self.chance(0.05):
            receipts.append((self.random.choice([len(places), 31, 32, receipts[0][0]]), now.time))
            is_early = receipts[-1][0] in (32, receipts[0][0])
        said = bytes([len(receipts)]) + b"".join(struct.pack(">BI", *receipt) for receipt in receipts)
        opening = now.opening if not self.chance(0.03) else self.random.choice(self.rounds).opening
        entry = self.add(self.host, "receipts", opening.id + said, parents, True)
        if not entry or opening is not now.opening or is_early:
            return
        for event in chosen:
            own = sum(other.peer is event.peer for other in now.entries)
            is_of_round = event.payload[:32] == now.opening.id and now.opening in event.past
            is_of_round = is_of_round and self.is_formed(event)
            if is_of_round and own < self.count and event.peer in self.players and event not in now.entries:
                now.entries.append(event)

    @staticmethod
    def is_formed(event):
        """Whether an entry has the form of the rules."""
        return event.payload[32] == 1

    def close(self, now):
        time = self.random.choice([now.time, now.limit, now.limit, max(0, now.time - 2_000)])
        if self.write(self.host, "round-close", now.opening.id + struct.pack(">I", time)):
            now.is_closed = True

    def settle(self, now):
        """Opens what is left, or some of it, mostly as it was sealed."""
        left = now.entries[now.opened:]
        if self.chance(0.2):
            left = left[:self.random.randrange(len(left) + 1)]
        opened = [self.opened(event) for event in left]
        if self.chance(0.03):
            opened.append(b"\xff")
        solution, salt = now.solution, now.salt
        if self.chance(0.05):
            solution = bytes([(solution[0] + 1) % now.content])
        if self.chance(0.02):
            salt = self.random.randbytes(32)
        first = now.opened if not self.chance(0.04) else self.random.randrange(3)
        said = bytes([len(solution)]) + solution + salt + struct.pack(">HB", first, len(opened)) + b"".join(opened)
        entry = self.write(self.host, "settle", now.opening.id + said)
        if not entry or not now.is_closed or first != now.opened:
            return
        if (solution, salt) != (now.solution, now.salt):
            now.opened = None if now.opened == 0 else now.opened
        elif len(opened) <= len(now.entries) - now.opened:
            now.opened += len(opened)
            if now.opened == len(now.entries):
                now.opened, self.settled = None, self.settled + (now.solution != b"\x07")

    def opened(self, event):
        """An entry as the host opens it: mostly as it is."""
        choice, salt, is_readable = self.entered[event]
        if not is_readable or self.chance(0.12):
            self.denied.append(event)
            return b"\xff"
        if self.chance(0.06):
            choice = bytes([len(choice)])
        return bytes([len(choice)]) + choice + salt

    # Players

    def take_part(self, peer):
        """Something that a player does, or somebody who would be one."""
        act = self.random.choice(["enter"] * 12 + ["prove"] * 4 + ["ask", "leave", "chat", "join-proof"])
        if peer not in self.players and self.chance(0.7) or not self.rounds and act == "enter":
            act = "ask"
        if act == "enter":
            self.enter(peer)
        elif act == "prove":
            self.prove(peer)
        elif act == "ask":
            self.ask(peer)
        elif act == "leave":
            for _ in range(self.random.choice([1, 1, 1, 2])):
                self.write(peer, "leave", ZERO if not self.chance(0.1) else self.create.id)
        elif act == "chat":
            self.write(peer, "chat", b"\x00\x02hm")
        else:
            self.name_key(peer)

    def name_key(self, peer):
        """Shows that it knew the join code, or not, and names a key by that."""
        self.write(peer, "join-proof", self.random.randbytes(80))

    def enter(self, peer):
        if self.chance(0.8):
            self.exchange(peer, self.host)
        now = self.rounds[-1] if not self.chance(0.05) else self.random.choice(self.rounds)
        choice = bytes([self.random.randrange(now.content)])
        if self.chance(0.06):
            choice = self.random.choice([b"", b"\x09", b"\x00\x01", bytes(64)])
        salt, opening = self.random.randbytes(32), now.opening.id
        commitment = blake2b(b"parlor-entry-1", self.room, opening, peer.public, choice, key=salt)
        secret = blake2b(b"parlor-entry-box-1", opening, peer.public, key=salt)
        box, is_readable = self.sealed(salt + choice, secret), True
        if self.chance(0.06):
            commitment, is_readable = self.random.randbytes(32), False
        elif self.chance(0.06):
            box, is_readable = box[:-1] + bytes([box[-1] ^ 1]), False
        said = b"\x01" + commitment + bytes([len(box)]) + box
        if self.chance(0.04):
            said = b"\x00" + bytes([len(choice)]) + choice
        entry = self.write(peer, "entry", opening + said)
        if entry:
            self.entered[entry] = (choice, salt, is_readable)

    def sealed(self, message, secret, receiver=None, named=None):
        """A box to the host (§1.10), or to another peer and the key that it has named."""
        public = (receiver or self.host).public
        key = blake2b(b"parlor-box-key-1", public, key=secret)
        sender, target = crypto_scalarmult_base(key), named or crypto_sign_ed25519_pk_to_curve25519(public)
        nonce = hashlib.blake2b(sender + target, digest_size=24).digest()
        return sender + crypto_box(message, nonce, target, key)

    def prove(self, peer):
        """Shows an own entry, mostly one that the host could not read, it says."""
        own = [event for event in self.denied if event.peer is peer] or [
            event for event in self.entered if event.peer is peer]
        if self.chance(0.1):
            own = list(self.entered)
        # A long entry in clear fits into no proof.
        own = [event for event in own if len(self.entered[event][0]) <= 64]
        if not own:
            return
        event = self.random.choice(own[-3:])
        choice, salt, _ = self.entered[event]
        if self.chance(0.1):
            salt = self.random.randbytes(32)
        self.write(peer, "entry-proof", event.id + bytes([len(choice)]) + choice + salt)


class RaceWorld(QuizWorld):
    """One tap race: entries are batches of taps in clear, and many of a player count."""

    def settings(self):
        settings = self.random.choice([b"taps=20\n", b"taps=1\n", b"seconds=3\n", b"seconds=10\n", b"seconds=60\n"])
        if self.chance(0.06):
            settings = self.random.choice([
                b"", settings[:-1], b"taps=0\n", b"taps=1001\n", b"seconds=2\n", b"seconds=61\n", b"taps=01\n",
                b"seconds=10\ntaps=20\n"])
        self.count = self.random.choice([1, 2, 5, 20])
        self.seat_count = self.random.choice([2, 5, 5, 16, 1, 17] if self.chance(0.2) else [5])
        return b"tap-race", settings

    def ask_round(self):
        number = self.settled if not self.chance(0.04) else self.random.randrange(3)
        asked = b"" if not self.chance(0.03) else b"\x00"
        commitment = ZERO if not self.chance(0.03) else self.random.randbytes(32)
        limit = self.random.choice([300, 3_000, 10_000])
        said = struct.pack(">HI", number, limit) + commitment + struct.pack(">H", len(asked)) + asked
        opening = self.write(self.host, "round-open", said)
        if opening and (asked, commitment) == (b"", ZERO) and number == self.settled < self.games:
            self.rounds.append(Asked(number, opening, 1_000, b"", ZERO, limit))

    @staticmethod
    def is_formed(event):
        return event.payload[32:34] == b"\x00\x02" and 1 <= int.from_bytes(event.payload[34:], "big") <= 1_000

    def settle(self, now):
        """Settles a race, mostly as one that has nothing to open."""
        solution, salt, opened, first = b"", ZERO, b"\x00", 0
        if self.chance(0.1):
            solution = b"\x01"
        elif self.chance(0.1):
            salt = self.random.randbytes(32)
        elif self.chance(0.1):
            opened = b"\x01\xff"
        elif self.chance(0.1):
            first = 1
        said = bytes([len(solution)]) + solution + salt + struct.pack(">H", first) + opened
        entry = self.write(self.host, "settle", now.opening.id + said)
        if entry and now.is_closed and (solution, salt, opened, first) == (b"", ZERO, b"\x00", 0):
            now.opened, self.settled = None, self.settled + 1

    def enter(self, peer):
        if self.chance(0.8):
            self.exchange(peer, self.host)
        now = self.rounds[-1] if not self.chance(0.05) else self.random.choice(self.rounds)
        taps = struct.pack(">H", self.random.choice([1, 2, 3, 4, 10, 1_000]))
        if self.chance(0.06):
            taps = self.random.choice([b"", b"\x05", b"\x00\x00", b"\x03\xe9", bytes(64)])
        said = b"\x00" + bytes([len(taps)]) + taps
        if self.chance(0.04):
            said = b"\x01" + self.random.randbytes(32) + b"\x50" + self.random.randbytes(80)
        entry = self.write(peer, "entry", now.opening.id + said)
        if entry:
            self.entered[entry] = (taps, self.random.randbytes(32), False)


class DrawingWorld(QuizWorld):
    """One drawing game: in each round a player is told a word and draws in clear, and others guess."""

    WORDS = [b"tree", b"bush", b"ice cream", "\u00e9lan".encode()]

    def settings(self):
        name, settings = super().settings()
        self.count = self.random.choice([1, 2, 5, 25])
        self.seat_count = self.random.choice([2, 5, 5, 16, 1, 17] if self.chance(0.2) else [5])
        # Who was told the word of the last settled round, and of each round.
        self.last, self.drawers, self.marked = None, {}, set()
        return b"drawing", settings

    def ask_round(self):
        if not self.players and not self.chance(0.1):
            return
        turn = 0 if self.last is None else (self.last + 1) % max(1, len(self.players))
        gone = []
        while self.players and len(gone) < len(self.players) and self.chance(0.9):
            leaves = [event for event in self.host.known if event.peer is self.players[turn]
                      and event.kind in ("request", "leave", "entry")]
            last = max(leaves, key=lambda event: event.sequence, default=None)
            if last is None or last.kind != "leave":
                break
            gone.append(last)
            turn = (turn + 1) % len(self.players)
        if self.chance(0.08):
            turn = self.random.randrange(6)
        number = self.settled if not self.chance(0.04) else self.random.randrange(3)
        word, salt = self.random.choice(self.WORDS), self.random.randbytes(32)
        player = self.players[turn] if turn < len(self.players) else self.host
        secret = blake2b(b"parlor-told-box-1", self.room, struct.pack(">H", number), player.public, key=salt)
        told = self.random.choice(self.WORDS) if self.chance(0.05) else word
        receiver = player if not self.chance(0.03) else self.host
        try:
            box = self.sealed(salt + told, secret, receiver, self.named_key(receiver))
        except CryptoError:
            box = self.sealed(salt + told, secret, receiver)
        if self.chance(0.03):
            box = self.random.choice([b"", box[:80], bytes(145)])
        letters = len(word.decode().replace(" ", "")) if not self.chance(0.03) else self.random.choice([0, 3, 65])
        asked = struct.pack(">HBB", turn, letters, len(box)) + box
        if self.chance(0.03):
            asked = self.garbled(asked)
        commitment = blake2b(
            b"parlor-solution-1", self.room, struct.pack(">H", number), self.host.public,
            struct.pack(">H", len(asked)), asked, word, key=salt)
        limit = self.random.choice([0, 1_000, 15_000, 15_000])
        said = struct.pack(">HI", number, limit) + commitment + struct.pack(">H", len(asked)) + asked
        names = self.named(self.host, "round-open", said)[0] if self.chance(0.1) else []
        opening = self.add(self.host, "round-open", said, list(dict.fromkeys([*names, *gone]))[:32], True)
        if opening and number == self.settled < self.games:
            self.rounds.append(Asked(number, opening, 4, word, salt, limit))
            self.drawers[opening] = (turn, player)

    def name_key(self, peer):
        """Seldom a key to which nothing can be sealed."""
        box = self.random.randbytes(80)
        self.write(peer, "join-proof", self.random.choice(WEAK_KEYS) + box[32:] if self.chance(0.1) else box)

    def named_key(self, player):
        """The key that a player had named when it asked; seldom as if it had named none."""
        event = self.taken_by.get(player) if not self.chance(0.03) else None
        while event and event.kind != "join-proof":
            event = event.previous
        return event.payload[:32] if event else None

    @staticmethod
    def is_formed(event):
        return True

    def acknowledge(self, now):
        super().acknowledge(now)
        # Who draws enters in clear, and nobody else.
        drawer = self.drawers[now.opening][1]
        now.entries = [event for event in now.entries if (event.payload[32] != 1) == (event.peer is drawer)]
        if self.chance(0.8):
            self.mark(now)

    def mark(self, now):
        """Says what is right, seldom as it is not."""
        marks, places = b"", sorted(self.random.sample(range(8), self.random.randrange(1, 5)))
        for at in places:
            event = now.entries[at] if at < len(now.entries) else None
            choice, salt = self.entered[event][:2] if event else (b"tree", bytes(32))
            if len(choice) > 64 or (choice == now.solution) != self.chance(0.1):
                marks += struct.pack(">H", at) + b"\xfe"
            else:
                marks += struct.pack(">H", at) + bytes([len(choice)]) + choice + salt
        if self.chance(0.04):
            marks = self.garbled(marks)
        opening = now.opening if not self.chance(0.03) else self.random.choice(self.rounds).opening
        self.write(self.host, "marks", opening.id + bytes([len(places)]) + marks)

    def settle(self, now):
        sealed = [event for event in now.entries if event.payload[32] == 1]
        entries, now.entries, settled = now.entries, sealed, self.settled
        super().settle(now)
        now.entries = entries
        if self.settled > settled:
            self.last = self.drawers[now.opening][0]

    def enter(self, peer):
        if self.chance(0.8):
            self.exchange(peer, self.host)
        now = self.rounds[-1] if not self.chance(0.05) else self.random.choice(self.rounds)
        is_drawer = self.drawers[now.opening][1] is peer
        if is_drawer == self.chance(0.08):
            choice = self.random.choice([*self.WORDS, now.solution, now.solution])
            if self.chance(0.08):
                choice = self.random.choice([b"", b"Tree", b"a  b", b" a", b"\xff", b"a\x7f", b"\xc2\x85", bytes(64)])
            self.guess(peer, now, choice)
            return
        batch = b"".join(self.random.choice([b"\x00", self.stroke()]) for _ in range(self.random.randrange(1, 4)))
        if self.chance(0.1):
            batch = self.random.choice([
                b"", b"\x09", batch[:-1], batch + b"\x01", self.stroke() * 20, self.stroke(1_024)])
        form = b"\x00" + bytes([len(batch)]) if len(batch) <= 64 else b"\x02" + struct.pack(">H", len(batch))
        if self.chance(0.02):
            form = b"\x02" + struct.pack(">H", len(batch))
        entry = self.write(peer, "entry", now.opening.id + form + batch)
        if entry:
            self.entered[entry] = (batch, self.random.randbytes(32), False)

    def stroke(self, x=None):
        points = b"".join(
            struct.pack(">HH", self.random.randrange(1_024) if x is None else x, self.random.randrange(768))
            for _ in range(self.random.randrange(1, 4)))
        return bytes([self.random.randrange(1, 9), self.random.randrange(1, 5), len(points) // 4]) + points

    def guess(self, peer, now, choice):
        salt, opening = self.random.randbytes(32), now.opening.id
        commitment = blake2b(b"parlor-entry-1", self.room, opening, peer.public, choice, key=salt)
        secret = blake2b(b"parlor-entry-box-1", opening, peer.public, key=salt)
        box, is_readable = self.sealed(salt + choice, secret), True
        if self.chance(0.05):
            commitment, is_readable = self.random.randbytes(32), False
        entry = self.write(peer, "entry", opening + b"\x01" + commitment + bytes([len(box)]) + box)
        if entry:
            self.entered[entry] = (choice, salt, is_readable)


class Records:
    """Writes events as records (§6.1), each with what does not follow from those before it."""

    def __init__(self):
        self.places, self.feeds, self.ends = {}, {}, {}

    def write(self, event):
        """The event's record behind its length, and its signature."""
        author = event.peer.public
        parts = [variable(self.feeds[author]) if author in self.feeds else variable(len(self.feeds)) + author]
        is_chain_written = event.previous is not self.ends.get(author)
        payload, has_references = self.payload(event)
        parts.append(bytes([event.code, 4 * len(event.parents) + 2 * has_references + is_chain_written]))
        if is_chain_written:
            parts += [variable(event.sequence), self.reference(event.previous.id if event.previous else ZERO)]
        parts += [self.reference(name) for name in sorted(parent.id for parent in event.parents)]
        # No event says when it was written, so all have one time.
        parts += [variable(0), payload]
        record = b"".join(parts)
        self.feeds.setdefault(author, len(self.feeds))
        self.ends[author] = event
        self.places[event.id] = len(self.places)
        return variable(2 * len(record) + (event.signature is not None)) + record + (event.signature or b"")

    def reference(self, name):
        place = self.places.get(name)
        return b"\x00" + name if place is None else variable(len(self.places) - place)

    def payload(self, event):
        """The payload with references in place of the ids in it, and whether it has any."""
        offsets = OFFSETS.get(event.code)
        if not offsets or len(event.payload) < offsets[-1] + 32:
            return event.payload, False
        parts, end = [], 0
        for offset in offsets:
            parts += [event.payload[end:offset], self.reference(event.payload[offset:offset + 32])]
            end = offset + 32
        return b"".join([*parts, event.payload[end:]]), True


def bundle(room, events):
    """A bundle of these events, the first of which is the room's create."""
    previous = {event.previous for event in events}
    heads = sorted((event.peer.public, event.id, event.sequence) for event in events if event not in previous)
    signatures = sum(event.signature is not None for event in events)
    parts = [b"PARLORB2", NETWORK, room, struct.pack(">IQQ", len(heads), len(events), signatures)]
    parts += [author + sequence.to_bytes(8, "big") + head for author, head, sequence in heads]
    records, written, waiting = Records(), set(), list(events)
    while waiting:
        ready = (
            event for event in waiting if written.issuperset(event.names)
            and (events[0] in written or event is events[0]))
        event = min(ready, key=lambda event: event.order)
        waiting.remove(event)
        written.add(event)
        parts.append(records.write(event))
    data = b"".join(parts)
    return data + blake2b(b"parlor-bundle-1", data)


def main(folder, seed, count, game=None):
    refused = open(f"{folder}/refused.txt", "w", encoding="ascii")
    for number in range(int(seed), int(seed) + int(count)):
        # Some rooms of hosted rounds have rules that no rounds have: nothing is asked in them.
        kind = (QuizWorld, RaceWorld)[number // 5 % 2] if number % 5 == 3 else None
        kind = DrawingWorld if game == "drawing" else kind
        world = kind(number) if kind else World(number, 3 if number % 50 == 49 else 1)
        world.open()
        world.begin()
        if not kind:
            if world.chance(0.05):
                world.split()
            world.meet()
        world.play(world.random.randrange(5, 60))
        world.keep(f"{folder}/strange-{number}.parlor")
        rule = world.breach()
        world.keep(f"{folder}/refused-{number}.parlor")
        print(number, rule, world.events[-1].id.hex(), file=refused)
    refused.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
