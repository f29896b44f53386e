#!/usr/bin/env python3
"""Writes bundles of Connect Four rooms whose peers do whatever they like, as strange.py does of tic-tac-toe.

    strange_four.py FOLDER SEED COUNT
"""
import struct
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
import strange  # noqa: E402

COLUMNS, ROWS = 7, 6


def has_four(codes):
    """Whether one of the two who move in turn has four in a line."""
    stones, heights = {}, {}
    for ply, column in enumerate(codes):
        row = heights.get(column, 0)
        stones[column, row] = ply % 2
        heights[column] = row + 1
    return any(
        all(stones.get((column + step * right, row + step * up)) == player for step in range(4))
        for (column, row), player in stones.items() for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)))


class FourWorld(strange.World):
    """A room of Connect Four."""

    rules = b"\x0cconnect-four\x00\x01\x00\x00"

    def choose_openings(self, source):
        openings = [[code % COLUMNS for code in codes] for codes in super().choose_openings(source)]
        if openings and self.chance(0.1):
            source.choice(openings)[:] = source.choice([[7], [3] * 7, [0, 1, 0, 1, 0, 1, 0]])
        return openings

    def move(self, peer, node, at):
        free = [code for code in range(COLUMNS) if at.codes.count(code) < ROWS]
        # Columns close to each other, so that lines come about.
        code = self.random.choice(free[:3]) if not self.chance(self.disorder / 5) else self.random.randrange(9)
        ply = at.ply + (self.disorder > 0.1 and self.chance(0.03))
        entry = self.write(peer, "move", struct.pack(">HH32sIB", at.game, ply, node.id, code, 0))
        if entry is None or code not in free:
            return
        codes = at.codes + [code]
        won = has_four(codes)
        if won or len(codes) == COLUMNS * ROWS:
            scores = [0, 0]
            if won:
                scores[(self.first + at.game + at.ply) % 2] = 1
            self.positions[entry] = self.opened(at.game + 1, (at.game, scores))
        else:
            self.positions[entry] = strange.Position(at.game, at.ply + 1, codes)


def main(folder, seed, count):
    for number in range(int(seed), int(seed) + int(count)):
        world = FourWorld(number)
        world.live(120)
        world.keep(f"{folder}/four-{number}.parlor")


if __name__ == "__main__":
    main(*sys.argv[1:])
