"""A player with a key of its own, who is the page's modules under Node, at a table with a referee and a limit of time.

Usage: claims.py URL NODE FOLDER ROOM. ROOM is a game of tic-tac-toe whose host has the first seat and never moves. Its
referee rules when somebody claims. Prints `done NAME` after each part, and `room ID` in the end.
"""

import asyncio
import sys

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from key_player import KeyPlayer, check  # noqa: E402

URL, NODE, FOLDER, ROOM = sys.argv[1:]
PLACE = (URL, NODE, FOLDER, ROOM)


def terms(table):
    return {name: table[name] for name in ("referee", "move-limit", "clock", "increment")}


def other(**members):
    """A server that shows other terms than those that are signed."""
    def lie(message):
        if message.get("type") == "table":
            message["table"].update(members)
        return message
    return lie


async def false_terms():
    for members in ({"referee": "0" * 63 + "1"}, {"referee": None}, {"move-limit": 60_000}, {"clock": 1}):
        async with KeyPlayer(PLACE, "lies", "keys", other(**members)) as ada:
            await ada.wait("the lie", lambda: ada.said)
            check(any("another referee or other limits" in one for one in ada.said), f"it says {ada.said}")
            check("goes on no more" in await ada.do("join", **members) and not ada.written, "it takes a seat")
    print("done terms", flush=True)


async def claim():
    async with KeyPlayer(PLACE, "claims", "keys") as ada:
        await ada.wait("the table", lambda: ada.table)
        agreed = terms(ada.table)
        for given in ({}, {**agreed, "move-limit": 60_000}):
            check("agree to them" in await ada.do("join", **given) and not ada.written, "it agrees to what it did not")
        check((words := await ada.do("join", **agreed)) == "", words)
        await ada.wait("the game", lambda: ada.table["phase"] == "playing" and "claim" in ada.table["may"])
        check("choose" not in ada.table["may"] and ada.table["claims"] == [], f"it shows {ada.table}")
        check((words := await ada.do("claim")) == "", words)
        await ada.wait("the ruling", lambda: ada.table["ending"] and ada.table["ending"]["agreed"])
        check(ada.table["ending"]["cause"] == "ruled" and ada.table["ending"]["winner"] == 2, f"{ada.table['ending']}")
        check(not ada.said, f"it is told {ada.said}")
        check("cannot be done" in await ada.do("claim"), "it claims once more")
    print("done claim", flush=True)
    print("room", ROOM, flush=True)


async def main():
    await false_terms()
    await claim()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (AssertionError, TimeoutError) as failure:
        sys.exit(f"claims.py: {failure}")
