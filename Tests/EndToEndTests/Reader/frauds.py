#!/usr/bin/env python3
"""Writes bundles of memory match in each of which one player cheats once, and the others play on.

Each event is signed by its author, its links are right, and whom it names is as Docs/PROTOCOL.md §3.2 has it: what is
wrong is only what an event says, or when.

    frauds.py FOLDER FRAUD COUNT

Prints one JSON object a room: whether the fraud could be tried, the events of it that must have no effect, and how
each game must end: its cause, the seat that loses by it (from 1), and the scores. The deck is played here too, from
the salts, so that two programs that read a bundle are compared with what happened. Shares no code with Parlor or
Tools/read-log.py.
"""
import json
import random
import struct
import sys

# What is beside this file is read, and nothing is written there.
sys.dont_write_bytecode = True
from strange import ANY_SEAT, PROFILE, World, ZERO, blake2b, bundle, content, create

NO_SEAT = 65_535


class Deck:
    """The table of one game as its rules have it."""

    def __init__(self, cards, seats, mover):
        self.faces, self.owners, self.pairs = [None] * cards, [None] * cards, [0] * seats
        self.playing, self.mover, self.up, self.idle, self.is_new = set(range(seats)), mover, [], 0, False
        self.ply = 0

    @property
    def is_round(self):
        return bool(self.up) and self.faces[self.up[-1]] is None

    @property
    def is_over(self):
        return not self.is_round and (
            sum(self.pairs) * 2 == len(self.faces) or self.idle == 2 * len(self.pairs) or len(self.playing) < 2)

    def free(self):
        first = self.up if len(self.up) == 1 else []
        return [card for card, owner in enumerate(self.owners) if owner is None and card not in first]

    def unseen(self):
        return [face for face in range(len(self.faces) // 2) for _ in range(2 - self.faces.count(face))]

    def turn(self, card):
        self.ply += 1
        self.up = [card] if len(self.up) == 2 else self.up + [card]
        rest = set(self.unseen())
        if self.faces[card] is None and len(rest) == 1:
            self.faces[card], self.is_new = rest.pop(), True
        self.compare()

    def show(self, salts, game):
        """Gives the card its face by the salts of the seats and of the referee (§1.5)."""
        joint = blake2b(b"parlor-chance-1", struct.pack(">HH", game, self.ply), *salts)
        state, rest = int.from_bytes(joint[:8], "big"), self.unseen()
        while True:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
            place, low = divmod((mixed ^ (mixed >> 31)) * len(rest), 2**64)
            if low >= 2**64 % len(rest):
                break
        self.faces[self.up[-1]], self.is_new = rest[place], True
        self.ply += 1
        self.compare()

    def compare(self):
        if len(self.up) < 2 or self.is_round:
            return
        if self.faces[self.up[0]] == self.faces[self.up[1]]:
            for card in self.up:
                self.owners[card] = self.mover
            self.pairs[self.mover] += 1
            self.up, self.idle = [], 0
        else:
            self.idle = 0 if self.is_new else self.idle + 1
            self.next()
        self.is_new = False

    def next(self):
        seats = len(self.pairs)
        after = [(self.mover + step) % seats for step in range(1, seats + 1)]
        self.mover = next((seat for seat in after if seat in self.playing), self.mover)

    def drop(self, seat):
        self.playing.discard(seat)
        if self.mover == seat:
            self.up, self.idle, self.is_new = [], 0, False
            self.next()

    def scores(self):
        left = len(self.faces) // 2 - sum(self.pairs) if len(self.playing) == 1 else 0
        return [pairs + left if seat in self.playing else 0 for seat, pairs in enumerate(self.pairs)]


class Table(World):
    """One room of memory match, its players and mostly a referee."""

    CARDS = 8

    def __init__(self, number, seats, has_referee, games):
        super().__init__(number)
        self.random = random.Random(f"frauds {number}")
        self.name = b"frauds" + number.to_bytes(4, "big")
        self.host = self.peer(0)
        self.seats = [self.host] + [self.peer(seat) for seat in range(1, seats)]
        self.referee = self.peer(99) if has_referee else None
        self.all = self.seats + [self.referee] * has_referee
        self.founders = [self.host] + [self.referee] * has_referee
        self.deck, self.idle, self.ending, self.endings = Deck(self.CARDS, seats, 0), [], None, []
        self.games = games
        # Games that some did not sign.
        self.is_signed = self.random.random() < 0.6
        self.game, self.node, self.false = 0, None, None
        # What peers wrote in the round that is on, by peer.
        self.commits, self.reveals = {}, {}
        # Why a seat drops out as soon as the game waits for it.
        self.exits = {}

    def chance(self, part):
        """Peers name what they may, so that nothing is left to chance."""
        return part > 0.5

    def sync(self):
        seen = set().union(*(peer.known for peer in self.all))
        for peer in self.all:
            peer.known |= seen

    def say(self, peer, kind, payload):
        """An event of which all hear."""
        event = self.write(peer, kind, payload)
        self.sync()
        return event

    def sit(self):
        settings = f"cards={self.CARDS}\nplayers={len(self.seats)}\n".encode()
        rules = b"\x0cmemory-match\x00\x01" + struct.pack(">H", len(settings)) + settings
        referee = self.referee.public if self.referee else ZERO
        said = content(games=self.games, rules=rules)
        payload = create(self.random.randbytes(16), said, scope=3, seats=len(self.seats), referee=referee)
        self.create = self.add(self.host, "create", payload, [], True)
        self.room = self.create.id
        for peer in self.all:
            peer.known.add(self.create)
        parts = [self.host.public, self.create.id]
        for seat, peer in enumerate(self.seats[1:], 1):
            request = self.write(peer, "request", ANY_SEAT + PROFILE)
            self.host.known.add(request)
            grant = self.write(self.host, "grant", request.id + seat.to_bytes(2, "big"))
            parts += [peer.public, grant.id]
            self.exchange(peer, self.host)
        roster = blake2b(b"parlor-roster-1", self.room, *parts)
        for peer in self.seats:
            self.say(peer, "ready", roster + ZERO)
        self.node = self.say(self.host, "start", roster)

    # Fair steps

    def at(self):
        return struct.pack(">HH", self.game, self.deck.ply)

    def seat(self, peer):
        return NO_SEAT if peer is self.referee else self.seats.index(peer)

    def company(self):
        """Who has a share in a round, the referee last."""
        return [self.seats[seat] for seat in sorted(self.deck.playing)] + [self.referee] * (self.referee is not None)

    def moved(self, peer, card):
        return self.write(peer, "move", self.at() + self.node.id + struct.pack(">IB", card, 0))

    def salt(self, peer):
        return blake2b(b"salt", self.at(), key=peer.public)

    def commitment(self, peer, salt, choice=0, ply=None):
        place = struct.pack(">HHH", self.game, self.deck.ply if ply is None else ply, self.seat(peer))
        return blake2b(b"parlor-choice-1", self.room, place, peer.public, choice.to_bytes(4, "big"), key=salt)

    def commit(self, peer, commitment=None):
        commitment = commitment or self.commitment(peer, self.salt(peer))
        return self.write(peer, "commit", self.at() + self.node.id + commitment)

    def reveal(self, peer, commit, salt=None, choice=0):
        said = commit.id + choice.to_bytes(4, "big") + (salt or self.salt(peer))
        return self.write(peer, "reveal", self.at() + said)

    def turn(self, card=None):
        """The seat whose turn it is turns up a card."""
        card = self.random.choice(self.deck.free()) if card is None else card
        self.go_on(self.moved(self.seats[self.deck.mover], card))
        self.deck.turn(card)

    def go_on(self, node):
        self.node, self.commits, self.reveals = node, {}, {}
        self.sync()

    def draw(self, cheat=None):
        """A round, as far as it is not written yet; `cheat` writes for one peer. Returns whether it came to an end."""
        author = cheat or self
        for peer in self.company():
            self.commits[peer] = self.commits.get(peer) or author.commit(peer)
        self.sync()
        for peer in self.company():
            self.reveals[peer] = self.reveals.get(peer) or author.reveal(peer, self.commits[peer])
            self.sync()
        opened = [self.reveals[peer] for peer in self.company()]
        if all(opened):
            self.go_on(opened[0])
            self.deck.show([event.payload[-32:] for event in opened], self.game)
        return all(opened)

    def fair(self):
        """The next step as the rules have it, or somebody drops out for whom it would wait."""
        late = [seat for seat in self.exits if seat in self.deck.playing]
        if late and (self.deck.is_round or self.deck.mover in late):
            self.deck.drop(late[0])
        elif self.deck.is_round:
            self.draw()
        else:
            self.turn()

    def play(self, until):
        """All play on, to the end or until something holds of the deck, and mostly sign each game."""
        while len(self.endings) < self.games:
            while not self.ending and not self.deck.is_over:
                if until(self.deck):
                    return True
                self.fair()
            self.ending = self.ending or ("rules", None, self.deck.scores())
            self.endings.append(self.ending)
            if self.ending[0] in ("not over", "forked"):
                return False
            if self.ending[2] and self.is_signed:
                self.sign(self.ending[2])
            self.game += 1
            self.deck, self.ending = Deck(self.CARDS, len(self.seats), self.game % len(self.seats)), None
            self.commits, self.reveals = {}, {}
            for seat, cause in list(self.exits.items()):
                if cause != "forked":
                    del self.exits[seat]
        return False

    def sign(self, scores, seats=None):
        for peer in [peer for peer in self.all if peer is not self.referee] if seats is None else seats:
            said = self.game.to_bytes(2, "big") + self.node.id + bytes([len(scores)])
            last = self.say(peer, "result", said + struct.pack(f">{len(scores)}i", *scores))
        return last

    # What becomes of a cheater

    def lose(self, seat, cause):
        """Between two the game is over; of more the others go on."""
        self.deck.drop(seat)
        if len(self.seats) == 2:
            self.ending = (cause, seat + 1, self.deck.scores())

    def rule_out(self, seat):
        """Somebody claims that a seat is silent, and the referee rules so; without a referee the game waits."""
        if self.referee is None:
            self.ending = ("not over", None, None)
            return
        other = self.seats[min(set(range(len(self.seats))) - {seat})]
        claim = self.say(other, "claim", self.node.id + struct.pack(">H", seat))
        ruling = self.say(self.referee, "ruling", claim.id)
        if len(self.seats) == 2:
            self.node = ruling
        self.lose(seat, "ruled")


class Cheat:
    """What one seat writes in one round; fair until told otherwise."""

    def __init__(self, table, cheater):
        self.table, self.cheater = table, cheater

    def commit(self, peer):
        return self.cheated_commit() if peer is self.cheater else self.table.commit(peer)

    def reveal(self, peer, commit):
        return self.cheated_reveal(commit) if peer is self.cheater else self.table.reveal(peer, commit)

    def cheated_commit(self):
        return self.table.commit(self.cheater)

    def cheated_reveal(self, commit):
        return self.table.reveal(self.cheater, commit)


class WrongOpening(Cheat):
    """Opens another salt than it committed to, and then the right one."""

    salts = 1
    is_righted = True

    def cheated_reveal(self, commit):
        for number in range(self.salts):
            self.table.idle.append(self.table.reveal(self.cheater, commit, blake2b(b"other", bytes([number]))))
        return self.table.reveal(self.cheater, commit) if self.is_righted else None


class WrongOpeningAlone(WrongOpening):
    """Opens other salts than it committed to, as if to choose among them."""

    salts = 3
    is_righted = False


class CopiedCommitment(Cheat):
    """Says what another seat committed to, and when that one has opened, opens the same."""

    def cheated_commit(self):
        table = self.table
        other = next(peer for peer in table.company() if peer is not self.cheater)
        self.copied = table.salt(other)
        return table.commit(self.cheater, table.commitment(other, self.copied))

    def cheated_reveal(self, commit):
        self.table.idle.append(self.table.reveal(self.cheater, commit, self.copied))
        return None


class WithheldShare(Cheat):
    """Commits, and does not open."""

    def cheated_reveal(self, commit):
        return None


class OpensForAnother(Cheat):
    """Opens the commitment of another seat with the salt that this one has told, and then its own."""

    def cheated_reveal(self, commit):
        table = self.table
        theirs = [
            event for event in table.events if event.kind == "commit" and event.payload[:4] == table.at()
            and event.peer is not self.cheater]
        for event in theirs:
            table.idle.append(table.reveal(self.cheater, event, table.salt(event.peer)))
        return table.reveal(self.cheater, commit)


class OtherRound(Cheat):
    """Commits to the salt of a later round, says so again for this one, and opens both."""

    def cheated_commit(self):
        table = self.table
        later = struct.pack(">HH", table.game, table.deck.ply + 1)
        commitment = table.commitment(self.cheater, table.salt(self.cheater), ply=table.deck.ply + 1)
        early = table.write(self.cheater, "commit", later + table.node.id + commitment)
        table.idle += [early, table.write(
            self.cheater, "reveal", later + early.id + bytes(4) + table.salt(self.cheater))]
        return table.commit(self.cheater)


def in_round(kind, is_silent=False):
    """A fraud in a round, after which the cheater may owe a step for good."""
    def cheat(table):
        cheater = table.random.choice([table.seats[seat] for seat in sorted(table.deck.playing)])
        if not table.draw(kind(table, cheater)) and is_silent:
            table.rule_out(table.seats.index(cheater))
    cheat.needs = lambda deck: deck.is_round
    return cheat


def needs(condition):
    """When something can be tried; `None` at the end of the first game."""
    def mark(cheat):
        cheat.needs = condition
        return cheat
    return mark


def offend(table, peer, event):
    """The offence ends a game of two; of more the cheater is out where the game waits for it."""
    table.sync()
    if len(table.seats) == 2:
        table.node = event
    table.lose(table.seats.index(peer), "offence")


@needs(lambda deck: deck.is_round)
def stacked_by_choice(table):
    """Names the face that it wants in place of the choice 0, and commits to it."""
    cheater = table.seats[table.deck.mover]
    wanted = table.random.randrange(1, 4)
    for peer in table.company():
        table.commits[peer] = table.commit(
            peer, table.commitment(peer, table.salt(peer), wanted if peer is cheater else 0))
    table.sync()
    offend(table, cheater, table.reveal(cheater, table.commits[cheater], choice=wanted))


@needs(lambda deck: deck.is_round)
def choice_of_the_referee(table):
    """The referee commits to a choice, which is not its to make: its share is never opened, and all wait."""
    if table.referee is None:
        return
    for peer in table.company():
        choice = 1 if peer is table.referee else 0
        table.commits[peer] = table.commit(peer, table.commitment(peer, table.salt(peer), choice))
    table.sync()
    for peer in table.company()[:-1]:
        table.reveal(peer, table.commits[peer])
    table.sync()
    table.idle.append(table.reveal(table.referee, table.commits[table.referee], choice=1))
    table.ending = ("not over", None, None)


@needs(lambda deck: deck.is_round)
def early_reveal(table):
    """Opens before the others have committed, as if to be believed."""
    cheater = table.seats[table.deck.mover]
    table.commits[cheater] = table.commit(cheater)
    offend(table, cheater, table.reveal(cheater, table.commits[cheater]))


@needs(lambda deck: deck.is_round)
def two_commits(table):
    """Commits to two salts, to open the one that suits it."""
    cheater = table.seats[table.deck.mover]
    table.commits[cheater] = table.commit(cheater)
    offend(table, cheater, table.commit(cheater, table.commitment(cheater, blake2b(b"second"))))


@needs(lambda deck: not deck.is_round and len(deck.free()) > 1)
def two_moves(table):
    """Turns up two cards on one node, one after the other in its feed."""
    cheater = table.seats[table.deck.mover]
    first, second = table.random.sample(table.deck.free(), 2)
    move, offence = table.moved(cheater, first), table.moved(cheater, second)
    if len(table.seats) == 2:
        offend(table, cheater, offence)
        return
    # The first move stands; the cheater is out where the game waits for it next.
    table.go_on(move)
    table.deck.turn(first)
    table.exits[table.seats.index(cheater)] = "offence"


@needs(lambda deck: not deck.is_round and len(deck.free()) > 1)
def forked_move(table):
    """Signs two moves with one sequence, and shows each to somebody else."""
    cheater = table.seats[table.deck.mover]
    seat = table.seats.index(cheater)
    first, second = table.random.sample(table.deck.free(), 2)
    head, known = cheater.head, set(cheater.known)
    move = table.moved(cheater, first)
    others = [peer for peer in table.all if peer is not cheater]
    for peer in others:
        peer.known |= {move} | move.past
    cheater.head, cheater.known = head, known
    second = table.moved(cheater, second)
    table.all = others
    if len(table.seats) == 2:
        # Whoever goes on from a branch anchors it; what nobody goes on from has no effect.
        if table.random.random() < 0.5:
            table.say(others[0], "chat", b"\x00\x02hm")
        table.ending = ("forked", seat + 1, None)
        if not table.is_signed:
            table.endings = [table.ending for _ in table.endings]
    else:
        table.go_on(move)
        table.deck.turn(first)
        table.exits[seat] = "forked"
    table.idle.append(second)


def idle_move(table, peer, card):
    table.idle.append(table.moved(peer, card))
    table.sync()


@needs(lambda deck: not deck.is_round)
def out_of_turn(table):
    """Turns up a card when it is another seat's turn."""
    for peer in table.seats:
        if peer is not table.seats[table.deck.mover]:
            idle_move(table, peer, table.random.choice(table.deck.free()))


@needs(lambda deck: not deck.is_round and any(owner is not None for owner in deck.owners))
def gone_card(table):
    """Turns up a card that somebody has taken."""
    gone = [card for card, owner in enumerate(table.deck.owners) if owner is not None]
    for card in gone:
        idle_move(table, table.seats[table.deck.mover], card)


@needs(lambda deck: not deck.is_round and len(deck.up) == 1)
def same_card(table):
    """Turns up its first card as its second one: with itself it makes a pair."""
    idle_move(table, table.seats[table.deck.mover], table.deck.up[0])


@needs(lambda deck: not deck.is_round)
def no_card(table):
    """Turns up cards that are not there."""
    for card in (table.CARDS, table.CARDS + 1, 2**32 - 1):
        idle_move(table, table.seats[table.deck.mover], card)


@needs(lambda deck: deck.is_round)
def move_for_a_draw(table):
    """Turns up the next card before the first one has its face."""
    idle_move(table, table.seats[table.deck.mover], table.random.choice(table.deck.free()))


@needs(lambda deck: not deck.is_round)
def draw_for_a_move(table):
    """Wants a draw where a card is to be turned up: commits and opens."""
    cheater = table.seats[table.deck.mover]
    commit = table.commit(cheater)
    table.idle += [commit, table.reveal(cheater, commit)]
    table.sync()


@needs(lambda deck: True)
def ruling_of_a_player(table):
    """Rules as if it were the referee, on its own claim."""
    cheater = table.random.choice(table.seats)
    silent = (table.seats.index(cheater) + 1) % len(table.seats)
    claim = table.say(cheater, "claim", table.node.id + struct.pack(">H", silent))
    table.idle += [claim, table.say(cheater, "ruling", claim.id)]


@needs(None)
def false_scores(table):
    """Signs scores that it would have liked better."""
    cheater = table.random.randrange(len(table.seats))
    scores = table.deck.scores()
    liked = [sum(scores) if seat == cheater else 0 for seat in range(len(scores))]
    if liked == scores:
        liked[cheater] += 1
    table.idle.append(table.sign(liked, [table.seats[cheater]]))
    table.sign(scores, [peer for seat, peer in enumerate(table.seats) if seat != cheater])


@needs(None)
def late_offence(table):
    """After all have signed the end, moves a second time where it had moved before."""
    table.sign(table.deck.scores())
    move = table.random.choice([event for event in table.events if event.kind == "move"])
    table.idle.append(table.say(move.peer, "move", other_card(table, move)))


def other_card(table, move):
    """What a move says, with another card."""
    other = (int.from_bytes(move.payload[36:40], "big") + 1) % table.CARDS
    return move.payload[:36] + struct.pack(">IB", other, 0)


@needs(lambda deck: True)
def offence_of_before(table):
    """Where a game is on, moves a second time in the one before, to make that one end by an offence."""
    before = [event for event in table.events if event.kind == "move" and event.payload[:2] == bytes(2)]
    since = {event.peer for event in table.events if event.kind == "commit" and event.payload[:2] == b"\x00\x01"}
    for move in [event for event in before if event.peer in since][-1:]:
        table.idle.append(table.say(move.peer, "move", other_card(table, move)))


@needs(None)
def false_scores_of_all(table):
    """All sign what the moves and draws do not give."""
    scores = table.deck.scores()
    table.false = table.sign([score + 1 for score in scores])


FRAUDS = {
    "wrong opening": in_round(WrongOpening),
    "wrong opening alone": in_round(WrongOpeningAlone, True),
    "copied commitment": in_round(CopiedCommitment, True),
    "withheld share": in_round(WithheldShare, True),
    "opens for another": in_round(OpensForAnother),
    "other round": in_round(OtherRound),
    "stacked by choice": stacked_by_choice, "choice of the referee": choice_of_the_referee,
    "early reveal": early_reveal, "two commits": two_commits,
    "two moves": two_moves, "forked move": forked_move, "out of turn": out_of_turn, "gone card": gone_card,
    "same card": same_card, "no card": no_card, "move for a draw": move_for_a_draw,
    "draw for a move": draw_for_a_move, "ruling of a player": ruling_of_a_player, "false scores": false_scores,
    "late offence": late_offence, "offence of before": offence_of_before, "false scores of all": false_scores_of_all,
}


def write(folder, name, number):
    """One room; how many seats and games, and whether there is a referee follow from its number."""
    cheat, kind = FRAUDS[name], list(FRAUDS).index(name)
    games = 2 if cheat is offence_of_before else 1 + number // 6 % 2
    table = Table(1_000 * kind + number, 2 + number % 3, (kind + number + number // 3) % 2 == 0, games)
    table.sit()
    steps = iter(range(-table.random.randrange(9 if games == 1 else 60), 1_000))
    if cheat.needs:
        has_cheated = table.play(lambda deck: next(steps) >= 0 and cheat.needs(deck))
    else:
        while not table.deck.is_over:
            table.fair()
        has_cheated = True
        table.endings.append(("rules", None, table.deck.scores()))
    if has_cheated:
        cheat(table)
    if cheat.needs and has_cheated:
        table.play(lambda deck: False)
    path = f"{folder}/fraud-{number}.parlor"
    with open(path, "wb") as file:
        file.write(bundle(table.room, table.events))
    print(json.dumps({
        "path": path, "isTried": has_cheated,
        "idle": [event.id.hex() for event in table.idle],
        "endings": [{"cause": cause, "seat": seat, "scores": scores} for cause, seat, scores in table.endings],
        "false": table.false and table.false.id.hex()}))


if __name__ == "__main__":
    for room in range(int(sys.argv[3])):
        write(sys.argv[1], sys.argv[2], room)
