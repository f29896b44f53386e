"""Take-backs and draws between a player with a key of its own, who is the page's modules under Node, and a guest.

Usage: asks.py URL NODE FOLDER. The guest hosts a game of tic-tac-toe at the server. Each side asks for a take-back and
offers a draw, and the other one answers. Prints `done NAME` after each part, and `room ID` in the end.
"""

import asyncio
import json
import sys

import websockets

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from key_player import LIMIT_SECONDS, KeyPlayer, check  # noqa: E402

URL, NODE, FOLDER = sys.argv[1:]


class Guest:
    def __init__(self, socket):
        self.socket, self.number, self.room, self.table = socket, 0, None, None

    async def until(self, holds):
        """Reads what comes until a message holds this."""
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), LIMIT_SECONDS))
            if message["type"] == "table":
                self.table = message["table"]
            if holds(message):
                return message

    async def ask(self, kind, **members):
        self.number += 1
        if self.room:
            members["room"] = self.room
        await self.socket.send(json.dumps({"type": kind, "id": self.number, **members}))
        answer = await self.until(lambda one: one.get("id") == self.number)
        check(answer["type"] == "done", f"the guest's {kind} is answered {answer}")
        return answer

    async def sees(self, holds):
        if not (self.table and holds(self.table)):
            await self.until(lambda one: one["type"] == "table" and holds(one["table"]))


async def done(player, act, **members):
    check((words := await player.do(act, **members)) == "", f"{act}: {words}")


async def sees(player, what, holds):
    await player.wait(what, lambda: player.said or player.table and holds(player.table))
    check(not player.said, f"{player.name} is told {player.said}")


async def take_backs(ada, guest):
    await guest.ask("choose", code=4)
    await sees(ada, "the turn", lambda table: "choose" in table["may"])
    check("undo" not in ada.table["may"], "it may take back what it has not played")
    check("cannot be done" in await ada.do("undo"), "it asks for nothing")
    await done(ada, "choose", code=0, plies=1)
    await sees(ada, "its move", lambda table: table["plies"] == 2)
    await done(ada, "undo")
    await guest.sees(lambda table: table["undo"] and table["undo"]["seat"] == 2 and table["undo"]["ply"] == 1)
    await sees(ada, "its request", lambda table: table["undo"] and table["undo"]["seat"] == 2)
    check("agree" not in ada.table["may"], "it may agree with itself")
    await guest.ask("agree")
    await sees(ada, "the move taken back", lambda table: table["plies"] == 1 and "choose" in table["may"])
    await done(ada, "choose", code=8, plies=1)
    await guest.sees(lambda table: len(table["plies"]) == 2)
    await guest.ask("undo")
    await sees(ada, "the guest's request", lambda table: table["undo"] and "agree" in table["may"])
    check(ada.table["undo"]["seat"] == 1 and ada.table["undo"]["ply"] == 0, f"it shows {ada.table}")
    await done(ada, "agree")
    await sees(ada, "both moves taken back", lambda table: table["plies"] == 0 and table["undo"] is None)
    print("done take-backs", flush=True)


async def draws(ada, guest):
    await guest.sees(lambda table: table["plies"] == [])
    await guest.ask("choose", code=4)
    await guest.ask("offer-draw")
    await sees(ada, "an offer", lambda table: "agree-draw" in table["may"])
    check([one["seat"] for one in ada.table["draws"]] == [1], f"it shows {ada.table}")
    await done(ada, "decline-draw")
    await sees(ada, "no offer", lambda table: table["draws"] == [] and "decline-draw" not in table["may"])
    await done(ada, "offer-draw")
    await guest.sees(lambda table: [one["seat"] for one in table["draws"]] == [2])
    await sees(ada, "its offer", lambda table: table["draws"] and "offer-draw" not in table["may"])
    await guest.ask("decline-draw")
    await sees(ada, "the refusal", lambda table: "offer-draw" in table["may"])
    # An offer stands behind a move of its author, and lapses with one of the other side.
    await done(ada, "offer-draw")
    await done(ada, "choose", code=0, plies=1)
    await guest.sees(lambda table: len(table["plies"]) == 2 and table["draws"])
    await guest.ask("choose", code=1)
    await sees(ada, "the offer gone", lambda table: table["plies"] == 3 and table["draws"] == [])
    await guest.ask("offer-draw")
    print("done draws", flush=True)


def asking(message):
    """A table at which the guest asks for what it never asked for."""
    if message.get("type") == "table":
        message["table"].update(undo={"event": "0" * 64, "seat": 1, "ply": 1}, draws=[], may=["agree"])
    return message


async def resigned(guest):
    """A game that one side gives up ends in words, and nothing about it is wrong."""
    guest.room = None
    guest.room = (await guest.ask("host", game="connect-four", seat="first", scope="public"))["room"]
    async with KeyPlayer((URL, NODE, FOLDER, guest.room), "resigns", "keys") as ada:
        await ada.wait("the table", lambda: ada.table)
        await done(ada, "join")
        await sees(ada, "the game", lambda table: table["phase"] == "playing")
        await done(ada, "resign")
        await sees(ada, "the end", lambda table: table["ending"] and table["ending"]["agreed"])
        check(ada.table["ending"]["cause"] == "resigned", f"it ends as {ada.table['ending']}")
    print("room", guest.room, flush=True)
    print("done resign", flush=True)


async def main():
    async with websockets.connect(URL, subprotocols=["parlor.1"]) as socket:
        guest = Guest(socket)
        await guest.ask("hello", name="Gil")
        guest.room = (await guest.ask("host", game="tic-tac-toe", seat="first", scope="public"))["room"]
        place = (URL, NODE, FOLDER, guest.room)
        async with KeyPlayer(place, "asks", "plain") as ada:
            await ada.wait("the table", lambda: ada.table)
            await done(ada, "join")
            await sees(ada, "the game", lambda table: table["phase"] == "playing")
            await take_backs(ada, guest)
            await draws(ada, guest)
        async with KeyPlayer(place, "asks", "plain", asking) as ada:
            await sees(ada, "the offer of a draw", lambda table: table["draws"] and "agree-draw" in table["may"])
            check(ada.table["undo"] is None and "agree" not in ada.table["may"], f"it believes the server: {ada.table}")
        async with KeyPlayer(place, "asks", "plain") as ada:
            await sees(ada, "the offer of a draw", lambda table: "agree-draw" in table["may"])
            await done(ada, "agree-draw")
            await sees(ada, "the draw", lambda table: table["ending"] and table["ending"]["agreed"])
            check(ada.table["ending"]["cause"] == "draw-agreed", f"it ends as {ada.table['ending']}")
            check(not ada.said, f"it is told {ada.said}")
        print("room", guest.room, flush=True)
        await resigned(guest)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (AssertionError, TimeoutError) as failure:
        sys.exit(f"asks.py: {failure}")
