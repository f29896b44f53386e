#!/usr/bin/env python3
"""Writes bundles of rooms of the prisoner's dilemma whose peers do whatever they like, as strange.py does of
tic-tac-toe.

    strange_dilemma.py FOLDER SEED COUNT [NAME]

With NAME the rules have that name, and are none that a reader knows. In some rooms noise turns choices, in some chance
ends games, and in some rounds are in the open. Peers reveal early, commit twice, open what nobody may choose, and
withhold their reveals; referees withhold their shares.
"""
import random
import struct
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
import strange  # noqa: E402

NO_SEAT = 65_535
PAYOFFS = (3, 2, 0, -1)


class Numbers:
    """SplitMix64, and numbers below a limit without a bias."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
            mixed = (self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
            high, low = divmod((mixed ^ (mixed >> 31)) * limit, 2**64)
            if low >= 2**64 % limit:
                return high

    def happens(self, cases):
        return cases > 0 and self.below(1_000) < cases


class DilemmaWorld(strange.World):
    """A room of the prisoner's dilemma. The codes of a position are pairs: what was chosen so far, as it counts."""

    def __init__(self, seed, name):
        super().__init__(seed)
        source = random.Random(f"{seed} dilemma")
        self.noise, self.ending = source.choice([0, 0, 300]), source.choice([0, 0, 200])
        self.rounds = source.choice([1, 2, 3])
        self.is_open = not self.noise and not self.ending and source.random() < 0.4
        parameters = f"ending={self.ending}\nnoise={self.noise}\npayoffs=3,2,0,-1\nrounds={self.rounds}\n".encode()
        self.rules = bytes([len(name)]) + name.encode() + struct.pack(">HH", 1, len(parameters)) + parameters
        # What each has committed to on a node, by both; the reveals on it, and what was chosen first in an open round.
        self.commits, self.reveals = {}, {}

    def choose_openings(self, source):
        return []

    def flags(self):
        return super().flags() + 2 * self.is_open

    def owes(self, peer, seat, at):
        if self.is_open:
            return seat == len(getattr(at, "chosen", ()))
        return seat is not None or peer is self.referee

    def lost(self, at, seat):
        sums = self.sums(at.codes)
        left = min(self.rounds - at.ply, -(-1_000 // self.ending) if self.ending else self.rounds)
        return [total + left * PAYOFFS[3 if number == seat else 0] for number, total in enumerate(sums)]

    @staticmethod
    def sums(codes):
        table = {(0, 0): (2, 2), (0, 1): (-1, 3), (1, 0): (3, -1), (1, 1): (0, 0)}
        return [sum(table[pair][seat] for pair in codes) for seat in (0, 1)]

    @property
    def has_share(self):
        """Whether the referee has a share in the chance of rounds."""
        return (self.noise > 0 or self.ending > 0) and self.referee in self.founders and self.referee not in self.seats

    def disturb(self, peer, node, at, seat):
        super().disturb(peer, node, at, seat)
        # Nobody takes back or agrees on a draw here.
        for entry in [entry for entry in self.positions if entry.kind in ("undo-accept", "draw-accept")]:
            del self.positions[entry]

    def move(self, peer, node, at):
        """The next step of a peer in the round on a node."""
        seat = self.seats.index(peer) if peer in self.seats else NO_SEAT
        choice = self.random.randrange(2) if not self.chance(self.disorder / 10) else 2
        choice = choice if seat != NO_SEAT else 0
        if self.is_open:
            return self.choose(peer, node, at, choice)
        ply = at.ply + (self.disorder > 0.1 and self.chance(0.03))
        own = self.commits.get((peer, node.id))
        waits = any((other, node.id) not in self.commits for other in self.owing())
        if own is None or self.chance(self.disorder / 10):
            salt = self.random.randbytes(32)
            commitment = strange.blake2b(
                b"parlor-choice-1", self.room, struct.pack(">HHH", at.game, ply, seat), peer.public,
                choice.to_bytes(4, "big"), key=salt)
            entry = self.write(peer, "commit", struct.pack(">HH32s32s", at.game, ply, node.id, commitment))
            if entry and own is None:
                self.commits[peer, node.id] = entry, choice, salt
        elif not waits or self.chance(self.disorder / 4):
            self.reveal(peer, node, at, *own)

    def owing(self):
        return [*self.seats, self.referee] if self.has_share else self.seats

    def reveal(self, peer, node, at, commit, choice, salt):
        if (peer, node.id) in self.reveals and not self.chance(self.disorder / 4):
            return
        said = choice if not self.chance(self.disorder / 10) else 1 - min(choice, 1)
        entry = self.write(peer, "reveal", struct.pack(">HH32sI32s", at.game, at.ply, commit.id, said, salt))
        if entry is None or said != choice:
            return
        self.reveals.setdefault((peer, node.id), (entry, choice, salt))
        found = [self.reveals.get((other, node.id)) for other in self.owing()]
        if None in found:
            return
        joint = strange.blake2b(b"parlor-chance-1", struct.pack(">HH", at.game, at.ply), *(part[2] for part in found))
        numbers = Numbers(int.from_bytes(joint[:8], "big"))
        choices = [part[1] for part in found[:2]]
        if max(choices) < 2:
            pair = tuple(choice ^ numbers.happens(self.noise) for choice in choices)
            self.complete(found[0][0], at, pair, numbers.happens(self.ending))

    def choose(self, peer, node, at, choice):
        """A choice in an open round."""
        ply = at.ply + (self.disorder > 0.1 and self.chance(0.03))
        entry = self.write(peer, "move", struct.pack(">HH32sIB", at.game, ply, node.id, choice, 0))
        if entry is None or choice > 1:
            return
        chosen = [*getattr(at, "chosen", ()), choice]
        if len(chosen) == 2:
            return self.complete(entry, at, tuple(chosen), False)
        self.positions[entry] = strange.Position(at.game, at.ply, at.codes)
        self.positions[entry].chosen = chosen

    def complete(self, node, at, pair, is_last):
        codes = at.codes + [pair]
        if is_last or len(codes) == self.rounds:
            self.positions[node] = self.opened(at.game + 1, (at.game, self.sums(codes)))
        else:
            self.positions[node] = strange.Position(at.game, at.ply + 1, codes)


def main(folder, seed, count, name="prisoners-dilemma"):
    for number in range(int(seed), int(seed) + int(count)):
        world = DilemmaWorld(number, name)
        world.live(150)
        world.keep(f"{folder}/dilemma-{number}.parlor")


if __name__ == "__main__":
    main(*sys.argv[1:])
