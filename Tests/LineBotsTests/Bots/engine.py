#!/usr/bin/env python3
"""An engine for tests: speaks GTP, NBoard's or Gomocup's protocol and plays the first legal move.

The first argument is the protocol. The second says how it goes wrong, and the third at which question of the process,
from 1; without one at each. A fourth is the name of a file that gets all lines that it reads. In Gomocup's opening
swap2 it stays with its colour; `two` and `swap` are other ways.
"""

import os
import random
import signal
import sys

protocol = sys.argv[1]
fault = sys.argv[2] if len(sys.argv) > 2 else "none"
wrong_at = int(sys.argv[3]) if len(sys.argv) > 3 else 0
told = open(sys.argv[4], "a") if len(sys.argv) > 4 else None
asked = 0


def say(text):
    print(text, flush=True)


class Othello:
    """A board of Othello, from its moves."""

    def __init__(self):
        self.board = {(3, 3): "W", (4, 4): "W", (3, 4): "B", (4, 3): "B"}

    def turned(self, colour, place):
        """The stones that a stone there turns."""
        found = []
        for step in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]:
            line, (x, y) = [], place
            while True:
                x, y = x + step[0], y + step[1]
                stone = self.board.get((x, y))
                if stone is None:
                    break
                if stone == colour:
                    found += line
                    break
                line.append((x, y))
        return found

    def moves(self, colour):
        cells = [(x, y) for y in range(8) for x in range(8)]
        return [cell for cell in cells if cell not in self.board and self.turned(colour, cell)]

    def play(self, colour, text):
        if text.lower() in ("pass", "pa"):
            return not self.moves(colour)
        place = (ord(text[0].lower()) - ord("a"), int(text[1]) - 1)
        if place not in self.moves(colour):
            return False
        for cell in self.turned(colour, place) + [place]:
            self.board[cell] = colour
        return True

    def first(self, colour):
        x, y = self.moves(colour)[0]
        return "ABCDEFGH"[x] + str(y + 1)


def goes_wrong(answer):
    """Whether the question is answered wrongly; if so, does it."""
    global asked
    asked += 1
    here = fault if wrong_at in (0, asked) else "none"
    if here == "slow":
        signal.pause()
    elif here == "rubbish":
        say("== I play somewhere" if protocol == "nboard" else "I play somewhere")
        if protocol == "nboard":
            say("=== somewhere")
    elif here == "flood":
        os.write(1, b"x" * 70_000)
        signal.pause()
    elif here == "chatter":
        chatter = {"gtp": "\n", "nboard": "status thinking\n", "gomocup": "MESSAGE thinking\n"}[protocol]
        while True:
            os.write(1, chatter.encode() * 1000)
    elif here == "illegal":
        answer({"gtp": "A1", "nboard": "A1", "gomocup": "0,99"}[protocol])
    elif here == "noise":
        words = ["=1", "?", "=", "4", "===", "F5", "pong", "set myname", "OK", "7,7", "-1,99999999999999999999",
                 "ERROR", "/", ",", "\x00", "\xff", "é", " ", "\t", "resign", "pass", "=99999999999999999999 x"]
        numbers = random.Random(asked * 1000 + wrong_at)
        for _ in range(numbers.randrange(1, 20)):
            say("".join(numbers.choices(words, k=numbers.randrange(0, 5))))
        os._exit(3)
    elif here == "dies":
        print("Traceback: there is no hope", file=sys.stderr, flush=True)
        os._exit(3)
    elif here == "twice":
        return "twice"
    elif here == "resigns":
        answer("resign")
    elif here == "pass":
        answer("pass")
    else:
        return False
    return True


def gtp():
    game = Othello()
    for line in read():
        if line == "quit":
            return
        number, command, *words = line.split()

        def answer(text):
            say(f"={number} {text}\n")

        if command == "list_commands":
            answer("play\ngenmove\nclear_board\nboardsize\ntime_settings")
        elif command == "name":
            answer("First")
        elif command == "version":
            answer("1.5")
        elif command == "time_settings":
            say(f"?{number} no clock here\n")
        elif command == "clear_board":
            game = Othello()
            answer("")
        elif command == "play":
            if words[1] == "pass" and fault == "nopass":
                say(f"?{number} syntax error\n")
            elif game.play(words[0][0].upper(), words[1]):
                answer("")
            else:
                say(f"?{number} illegal move\n")
        elif command == "genmove":
            colour = words[0][0].upper()
            wrong = goes_wrong(answer)
            if wrong is True:
                continue
            move = game.first(colour)
            game.play(colour, move)
            answer(move)
            if wrong == "twice":
                answer(move)
        else:
            answer("")


def nboard():
    game, colour = Othello(), "B"
    for line in read():
        command, *words = line.split(maxsplit=2)
        if command == "ping":
            say(f"pong {words[0]}")
        elif command == "set" and words[0] == "depth":
            say("set myname First" + words[1])
        elif command == "set" and words[0] == "game":
            game, colour = Othello(), "B"
            for part in words[1].split("*]")[1].rstrip(";)").split("]")[:-1]:
                mover, text = part.split("[")
                if not game.play(mover, text):
                    sys.exit(f"{part}] is not legal")
                colour = "W" if mover == "B" else "B"
        elif command == "go":

            def answer(text):
                say(f"=== {text}/0.50/0.1")

            say("status First is thinking")
            wrong = goes_wrong(answer)
            if wrong is True:
                continue
            move = game.first(colour)
            say(f"search {move} 0.5 0 8")
            answer(move)
            if wrong == "twice":
                answer(move)
            say("status First is waiting")
        elif command == "quit":
            return


def gomocup():
    board = set()

    def think(answer=say, opening=None):
        wrong = goes_wrong(answer)
        if wrong is True:
            return
        say("MESSAGE I think")
        cells = [(x, y) for y in range(15) for x in range(15) if (x, y) not in (opening or board)]
        count = 1
        if opening is None:
            board.add(cells[0])
        elif not opening:
            count = 3
        elif fault == "two" and len(opening) == 3:
            count = 2
        chosen = cells[:1] * count if fault == "again" else cells[:count]
        text = " ".join(f"{x},{y}" for x, y in chosen)
        if opening and (fault == "swap" or (fault == "two" and len(opening) == 5)):
            text = "SWAP"
        # Both at once: no number in this protocol tells a late answer from one to the next question.
        if wrong == "twice":
            os.write(1, f"{text}\n{text}\n".encode())
        else:
            answer(text)

    lines = read()
    for line in lines:
        command, *words = line.split()
        if command == "ABOUT":
            say('name="First", version="1.0", author="nobody"')
        elif command == "START":
            board.clear()
            say("ERROR board of another size" if fault == "refuses" and wrong_at <= asked else "OK")
        elif command == "BEGIN":
            think()
        elif command == "TURN":
            board.add(tuple(map(int, words[0].split(","))))
            think()
        elif command == "BOARD":
            for stone in lines:
                if stone == "DONE":
                    break
                board.add(tuple(map(int, stone.split(",")[:2])))
            think()
        elif command == "SWAP2BOARD":
            if board:
                sys.exit("an opening after the game has begun")
            opening = []
            for stone in lines:
                if stone == "DONE":
                    break
                opening.append(tuple(map(int, stone.split(","))))
            think(opening=opening)
        elif command == "END":
            return


def read():
    for line in sys.stdin:
        if told:
            print(line.rstrip("\r\n"), file=told, flush=True)
        yield line.rstrip("\r\n")


if fault == "deaf":
    signal.pause()
{"gtp": gtp, "nboard": nboard, "gomocup": gomocup}[protocol]()
while fault == "stays":
    signal.pause()
