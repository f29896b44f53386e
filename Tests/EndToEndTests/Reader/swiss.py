#!/usr/bin/env python3
"""Pairs tournaments whose pairings are known with the Dutch system of Tools/read-log.py.

    swiss.py FILE…

A file is a tournament report file (TRF16), or has several tournaments as Tests/Fixtures/swiss-dutch.txt has them.
Prints one JSON object for each tournament: its name, its rounds, and which of them are paired otherwise. The status is
1 where some are, and where the reader's order of a bracket's pairings is not that of the rules' articles 3.6, 4.2 and
4.3, which are gone through here for up to seven players.
"""
import importlib.util
import itertools
import json
import pathlib
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "Tools" / "read-log.py"
SPECIFICATION = importlib.util.spec_from_file_location("read_log", SCRIPT)
reader = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(reader)

# What is gained by a code, in half points. Of a game that was not played the codes are + and -, without an opponent F,
# H, U and Z; U is the bye of the pairing.
POINTS = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "F": 2, "H": 1, "U": 2, "Z": 0}
COLOURS = {"w": reader.WHITE, "b": reader.BLACK}


class Cell:
    """A player's round: the opponent's place or None, the colour or None, and the code of the result."""

    def __init__(self, opponent, colour, code):
        self.opponent, self.colour, self.code = opponent, colour, code

    @property
    def is_paired(self):
        return self.opponent is not None or self.code == "U"


def cells_of_report(line):
    """The rounds of a player's line: from column 92 on ten columns each."""
    cells = []
    for at in range(91, len(line.rstrip()), 10):
        opponent, colour, code = line[at:at + 4].strip(), line[at + 5], line[at + 7]
        cells.append(Cell(int(opponent) - 1 if int(opponent or 0) else None, COLOURS.get(colour), code))
    return cells


def cells_of_words(words):
    """The rounds of a line of the fixtures, such as `12w1 8b= U`."""
    return [
        Cell(int(word[:-2]) - 1, COLOURS[word[-2]], word[-1]) if len(word) > 1 else Cell(None, None, word)
        for word in words]


def tournaments(path):
    """The tournaments of a file: their names, and the rounds of each player."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().replace("\r", "\n").split("\n")
    if not any(line.startswith("tournament ") for line in lines):
        return [(pathlib.Path(path).name, [cells_of_report(line) for line in lines if line.startswith("001 ")])]
    found = []
    for words in (line.split() for line in lines if line and not line.startswith("#")):
        if words[0] == "tournament":
            found.append((words[1], []))
        else:
            found[-1][1].append(cells_of_words(words[1:]))
    return found


def number(players, entered):
    """Numbers players as they stand; whoever has not come yet has no pairing number, and here one behind all others."""
    for place, player in enumerate(players):
        player.number = sum(entered[:place]) if entered[place] else len(players) + place


def differing(rows):
    """The rounds, from 1, that the reader pairs otherwise."""
    players, places = [reader.SwissPlayer(place) for place in range(len(rows))], range(len(rows))
    entered, found = [False] * len(rows), []
    # Of the first pair the higher one, whose number is odd, has the first colour.
    first = next((row[0].colour for row in rows if row[0].opponent is not None), reader.WHITE)
    rounds = max(len(row) for row in rows)
    for turn in range(rounds):
        cells = [row[turn] if turn < len(row) else Cell(None, None, "Z") for row in rows]
        entered = [before or cell.is_paired for before, cell in zip(entered, cells)]
        number(players, entered)
        left = [player for player, cell in zip(players, cells) if cell.is_paired]
        paired = reader.DutchRound(left, turn + 1 == rounds, first).pair() if left else ([], None)
        pairs = {
            (place, cell.opponent) for place, cell in enumerate(cells)
            if cell.opponent is not None and cell.colour == reader.WHITE}
        bye = next((players[place] for place in places if cells[place].code == "U"), None)
        said = paired and {(players.index(white), players.index(black)) for white, black in paired[0]}
        if said != pairs or paired[1] is not bye:
            found.append(turn + 1)
        add(players, cells)
    return found


def add(players, cells):
    """Adds a round to what the next one is paired by."""
    before = [player.points for player in players]
    for place, (player, cell) in enumerate(zip(players, cells)):
        if cell.opponent is None or cell.code in "+-":
            player.add(POINTS[cell.code])
        else:
            other = before[cell.opponent]
            player.add(
                POINTS[cell.code], (other > before[place]) - (other < before[place]), cell.colour,
                players[cell.opponent])


def in_order(count, many):
    """Each pairing of so many pairs of a bracket, as the rules come to them: exchange after exchange, and with each all
    transpositions."""
    upper, lower = range(many), range(many, count)
    exchanges = [
        exchange for size in range(many + 1)
        for exchange in itertools.product(itertools.combinations(upper, size), itertools.combinations(lower, size))]
    exchanges.sort(key=lambda moved: (
        len(moved[0]), sum(moved[1]) - sum(moved[0]), [-place for place in reversed(moved[0])], moved[1]))
    pairings = {}
    for leaving, entering in exchanges:
        first = sorted({*upper, *entering} - {*leaving})
        for second in itertools.permutations(sorted({*lower, *leaving} - {*entering}), many):
            pairings[frozenset(tuple(sorted(pair)) for pair in zip(first, second))] = None
    return list(pairings)


class ResidentsAlone:
    """A bracket of players of whom nothing is known."""

    turn, gives_bye, moved, following = None, False, [], []

    def __init__(self, count):
        self.residents = [reader.SwissPlayer(place) for place in range(count)]


def is_in_order():
    """Whether what comes earlier by the rules costs less to the reader."""
    for count, many in ((count, many) for count in range(2, 8) for many in range(1, count // 2 + 1)):
        costs = reader.BracketCosts(ResidentsAlone(count), many)
        ordered = [sum(costs.order(*pair) for pair in pairs) for pairs in in_order(count, many)]
        if any(one >= other for one, other in zip(ordered, ordered[1:])):
            return False
    return True


def main(paths):
    is_right = is_in_order()
    for name, rows in (tournament for path in paths for tournament in tournaments(path)):
        rounds = differing(rows)
        is_right = is_right and not rounds
        print(json.dumps({"name": name, "rounds": max(len(row) for row in rows), "differing": rounds}))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
