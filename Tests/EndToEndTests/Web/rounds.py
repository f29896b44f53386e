"""Players of a tap race or a drawing game with keys of their own, who are the page's modules under Node.

Usage: rounds.py URL NODE FOLDER ROOM GAME. ROOM begins as soon as two players are there: one race to thirty taps, or
two drawings of the words `ice cream` and `tree`, in either order. Ada has WebCrypto, whose key opens no boxes, and Bo
has none. In further runs of Ada's program the server's messages are changed, and what the page's modules say of that is
checked. Prints `done NAME` after each part, and in the end `score NAME POINTS` for each of the two.
"""

import asyncio
import sys

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from key_player import KeyPlayer, check  # noqa: E402

URL, NODE, FOLDER, ROOM, GAME = sys.argv[1:]
OTHER = "differs from the signed events"
LINE = {"colour": "red", "width": 8, "points": "1 2 3 4"}


class Player(KeyPlayer):
    def __init__(self, name, keeping, lie=None):
        super().__init__((URL, NODE, FOLDER, ROOM), name, keeping, lie)

    @property
    def hosted(self):
        return self.table["hosted"] if self.table else None

    @property
    def round(self):
        return self.hosted["recent"][-1] if self.hosted and self.hosted["recent"] else {}

    @property
    def sheet(self):
        return self.round.get("sheet") or {}

    async def sees(self, what, holds):
        await self.wait(what, lambda: self.said or self.hosted and holds())
        check(not self.said, f"{self.name} is told {self.said}")

    async def come(self):
        await self.sees("the table", lambda: True)
        check((words := await self.do("join")) == "", words)
        await self.sees("the place", lambda: self.hosted["number"] is not None)

    async def enters(self, text):
        check((words := await self.do("enter", text=text)) == "", words)


async def refuses(lies):
    """Each lie is noticed, and nothing is written after it."""
    for name, change in lies.items():
        def lie(message, change=change):
            if message.get("type") == "table" and message["table"]["hosted"]["recent"]:
                change(message["table"]["hosted"]["recent"][0])
            return message

        async with Player("ada", "keys", lie) as ada:
            await ada.wait(f"the lie of {name}", lambda: ada.said)
            check(any(OTHER in one for one in ada.said), f"of {name} it says {ada.said}")
            check("goes on no more" in await ada.do("enter", text="1"), "it goes on")
        print("done", name, flush=True)


def scores(ada):
    for player in ada.hosted["players"]:
        print("score", player["name"], player["score"], flush=True)


async def race(ada, bo):
    """Ada claims more than anybody can tap, and Bo taps once or twice: what counts is what the host's clock allows."""
    await ada.sees("the race", lambda: ada.round.get("phase") == "open")
    check(ada.round["goal"] == 30 and ada.round["question"] == "First to 30 taps.", f"it asks {ada.round}")
    check("cannot be done" in await ada.do("enter", text="0"), "no tap is taken")
    await bo.sees("the race", lambda: bo.round.get("phase") == "open")
    # In the first moments nothing counts yet.
    while not [one for one in bo.round["counts"] if one["number"] == 2]:
        await bo.enters("1")
        await asyncio.sleep(0.2)
    while ada.round["phase"] == "open":
        words = await ada.do("enter", text="1000")
        check(words == "" or ada.round["phase"] != "open" or "cannot be done" in words, words)
        await asyncio.sleep(0.2)
    for one in (ada, bo):
        await one.sees("the end", lambda one=one: one.round["phase"] == "settled")
        check([each["place"] for each in one.round["counts"]] == [1, 2], f"{one.round['counts']}")
    check(ada.hosted["players"] and ada.table["phase"] == "finished", "it is not over")
    check("cannot be done" in await ada.do("enter", text="1"), "one more tap is taken")
    print("done race", flush=True)
    await refuses({
        "other taps": lambda told: told["counts"][0].update(count=31),
        "another goal": lambda told: told.update(goal=31),
    })
    scores(ada)


async def drawn(drawer, guesser, word):
    """One drawing: the drawer alone knows the word, what is drawn is seen, and a right guess ends it."""
    await drawer.sees("the word", lambda: drawer.round.get("phase") == "open" and drawer.sheet["word"])
    check(drawer.sheet["word"] == word and drawer.sheet["bound"], f"it shows {drawer.sheet}")
    await guesser.sees("the sheet", lambda: guesser.sheet.get("drawer") == drawer.hosted["number"])
    check(guesser.sheet["word"] is None, f"{guesser.name} knows the word")
    for text in ("line 1", "circle 1 2", "line 1024 1", "clear now", ""):
        check("cannot be done" in await drawer.do("enter", text=text), f"it draws “{text}”")
    check("too much" in await drawer.do("enter", text="; ".join(["line" + " 1 2" * 250] * 2)), "it draws too much")
    await drawer.enters("line 9 9 5 5; clear; LINE Red 8 1,2 3 4")
    await guesser.sees("the line", lambda: guesser.sheet["strokes"] == [LINE])
    await guesser.enters("  Sorbet ")
    await drawer.sees("the guess", lambda: [one["text"] for one in drawer.sheet["guesses"]] == ["sorbet"])
    await guesser.sees("the mark", lambda: guesser.round["own"] == "wrong")


async def drawing(ada, bo):
    words = ["ice cream", "tree"]
    await ada.sees("the word", lambda: ada.sheet.get("word"))
    # The host takes the words in an order of its own.
    words = words if ada.sheet["word"] == words[0] else words[::-1]
    await drawn(ada, bo, words[0])
    print("done word", flush=True)
    # Another run of the drawer's program knows the word by what it keeps, and draws on.
    async with Player("ada", "keys") as again:
        await again.sees("the word", lambda: again.sheet.get("word") == words[0] and again.sheet["strokes"] == [LINE])
        await again.enters("line blue 4 7 7")
        await bo.sees("the dot", lambda: len(bo.sheet["strokes"]) == 2)
    print("done strokes", flush=True)
    # What a server says of what is drawn and guessed is held against the events.
    await bo.enters(words[0].upper())
    await bo.sees("the end", lambda: bo.hosted["settled"] == 1)
    print("done guesses", flush=True)
    await refuses({
        "other strokes": lambda told: told["sheet"].update(strokes=[LINE] * 3),
        "other guesses": lambda told: told["sheet"]["guesses"].reverse() or told["sheet"]["guesses"].pop(),
        "another drawer": lambda told: told["sheet"].update(drawer=3 - told["sheet"]["drawer"]),
    })
    async with Player("ada", "keys") as again:
        await drawn(bo, again, words[1])
        await again.enters(words[1])
        for one in (again, bo):
            await one.sees("the end", lambda one=one: one.table["phase"] == "finished")
        check(again.round["own"] == "right" and bo.round["own"] == "taken", f"{again.round} {bo.round}")
        check(all(one.round["points"] > 0 for one in (again, bo)), "nobody has points")
        print("done second drawing", flush=True)
        scores(again)


async def evening():
    async with Player("ada", "keys") as ada, Player("bo", "plain") as bo:
        await ada.come()
        await bo.come()
        await (drawing if GAME == "drawing" else race)(ada, bo)


try:
    asyncio.run(evening())
except (AssertionError, TimeoutError) as failure:
    sys.exit(f"rounds.py: {failure}")
