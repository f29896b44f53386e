"""Tables that keys of their own create, which are the page's modules under Node, and who comes to them.

Usage: host.py URL NODE FOLDER. Guests and bots of the server take seats. Prints `done NAME` after each part, and
`room ID` for each game that was played to its end.
"""

import asyncio
import json
import sys

import websockets

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from asks import Guest, done, sees  # noqa: E402
from key_player import LIMIT_SECONDS, KeyPlayer, check  # noqa: E402

URL, NODE, FOLDER = sys.argv[1:]


def place(games, game, /, **members):
    listed = next(one for one in games if one["name"] == game)
    return URL, NODE, FOLDER, json.dumps({"listed": listed, "seat": "first", "scope": "public", **members})


def recording(kept):
    """What the program wants to create is kept, and comes to no server."""
    return lambda message: message.get("type") == "create" and (kept.append(message) or True)


async def answered(ada, request, name, **members):
    """What the server says to a request on the player's socket."""
    await ada.socket.send(json.dumps({**request, "id": name, **members}))

    async def found():
        while not (answers := [one for one in ada.told if one.get("id") == name]):
            await asyncio.sleep(0.01)
        return answers[0]
    return await asyncio.wait_for(found(), LIMIT_SECONDS)


def false_ones(event):
    """Requests that are no first event of a table, each with words of the answer."""
    # Behind the head of a create come its edition and its kind of room, its scope, 16 bytes, and its seats.
    kind = 2 * (2 + 32 + 32 + 8 + 32 + 8 + 1 + 2 + 2)
    seats = kind + 2 * (1 + 1 + 16)
    check(event[kind:kind + 2] == "01" and event[seats:seats + 4] == "0002", f"no kind and seats in {event}")

    def put(at, digits):
        return {"event": event[:at] + digits + event[at + len(digits):]}

    return [
        ({"signature": "0" * 128}, "not taken"), (put(len(event) - 1, "01"[event[-1] == "0"]), "not"),
        ({"event": "00"}, "no event"), ({"event": ""}, "event"), ({"event": "00" * 1_793}, "3584"),
        ({"event": event[:-2]}, "no event"), ({"event": event + "00"}, "no event"),
        ({"signature": "0" * 126}, "signature"), ({"room": "0" * 64}, "room"), ({"bots": 1}, "bots"),
        (put(kind, "02"), "nothing else"), (put(kind - 4, "0002"), "nothing else"), (put(seats, "0003"), "2 seats"),
        (put(event.index(b"tic-tac-toe".hex()), b"tic-tac-two".hex()), "not known here"),
        (put(68, "1" * 64), "another peer's"), ({"bot": "nobody"}, "nobody"), ({"bot": "./program"}, "./program"),
        ({"bot": "program:/bin/true"}, "without a colon"), ({"bot": "b" * 65}, "bot"),
    ]


async def refusals(games, guest):
    """What a table begins with is checked: the true event is taken behind all that are false, and again."""
    kept = []
    async with KeyPlayer(place(games, "tic-tac-toe"), "refused", "keys", lost=recording(kept)) as ada:
        await ada.wait("its first event", lambda: kept)
        for number, (members, words) in enumerate(false_ones(kept[0]["event"])):
            found = await answered(ada, kept[0], f"case-{number}", **members)
            check(found["type"] == "error" and words in found["words"], f"{str(members)[:80]} is answered {found}")
        check((await guest.ask("list"))["tables"] == [], "what was refused is there")
        first = await answered(ada, kept[0], "true")
        check(first["type"] == "done" and len(first["room"]) == 64, f"the true event is answered {first}")
        check((await answered(ada, kept[0], "again"))["room"] == first["room"], "to create it again is something else")
        check(len((await guest.ask("list"))["tables"]) == 1, "there is not one table")
    async with websockets.connect(URL, subprotocols=["parlor.1"]) as socket:
        await socket.send(json.dumps({**kept[0], "id": 1}))
        found = json.loads(await socket.recv())
        check("show a key first" in found.get("words", ""), f"who has shown no key is answered {found}")

    def elsewhere(message):
        return {**message, "network": "1" * 64} if "network" in message else message

    async with KeyPlayer(place(games, "othello"), "elsewhere", "keys", lie=elsewhere) as ada:
        await ada.wait("a refusal", lambda: ada.said)
        check("not taken" in ada.said[0], f"a table of another network is answered {ada.said}")
    print("done refusals", flush=True)


async def lies(games):
    """What the server lists otherwise than the rules have it is not signed, nor is what no table can have."""
    def listed(game, **changes):
        changed = json.loads(place(games, game)[3])
        changed["listed"].update(changes)
        return URL, NODE, FOLDER, json.dumps(changed)

    gomoku = next(one for one in games if one["name"] == "gomoku")["settings"]
    cases = {
        "another standard": listed("gomoku", settings=[{**gomoku[0], "standard": "exact"}, *gomoku[1:]]),
        "a setting more": listed("gomoku", settings=[*gomoku, {"name": "size", "standard": "9"}]),
        "a setting less": listed("gomoku", settings=gomoku[1:]),
        "another game": listed("gomoku", title="Tic-tac-toe"),
    }
    others = {
        "invites nobody": place(games, "gomoku", scope="invited"),
        "no such settings": place(games, "gomoku", settings={"line": "long"}),
        "can win 3 of 2": place(games, "gomoku", games=2, target=3),
    }
    for name, table in {**cases, **others}.items():
        words = "nothing was signed" if name in cases else name
        kept = []
        async with KeyPlayer(table, name, "keys", lost=recording(kept)) as ada:
            await ada.wait("words", lambda: ada.said or kept)
            check(not kept and words in ada.said[0], f"{name}: it says {ada.said} and signs {kept}")
    print("done lies", flush=True)


async def crowd(games):
    """So many tables of a key wait for players, and no more."""
    asked = []
    async with KeyPlayer(place(games, "tic-tac-toe"), "crowd", "keys", lost=asked.append) as ada:
        await ada.wait("the table", lambda: ada.table)
        for _ in range(7):
            await done(ada, "create", **json.loads(place(games, "othello")[3]))
        words = await ada.do("create", **json.loads(place(games, "othello")[3]))
        check("wait for players" in words, f"a ninth table is answered {words!r}")
        first = next(one for one in asked if one["type"] == "create")
        check((await answered(ada, first, "again"))["type"] == "done", "a table that is here counts against itself")
        await done(ada, "leave")
        await sees(ada, "its end", lambda table: table["phase"] == "closed")
        left = {"type": "create", **{name: ada.written[-1][name] for name in ("event", "signature")}}
        found = await answered(ada, left, "left")
        check("nothing else" in found.get("words", ""), f"an event that creates nothing is answered {found}")
        await done(ada, "create", **json.loads(place(games, "othello")[3]))
    print("done crowd", flush=True)


async def game(games, guest, stranger):
    """The other seat is kept for a guest: a stranger asks in vain. The host's page goes away before they come."""
    members = {"settings": {"opening": "swap2"}, "guests": {guest.peer: 1}}
    table = place(games, "gomoku", seat="random", **members)
    async with KeyPlayer(table, "host", "keys") as ada:
        await ada.wait("the table", lambda: ada.table and ada.created)
        check(ada.table["phase"] == "waiting" and "leave" in ada.table["may"], f"it shows {ada.table}")
        check(any("gives the seats" in line for line in ada.table["words"]), f"it says {ada.table['words']}")
        guest.room = stranger.room = ada.created[0]
    for one in (stranger, guest):
        await one.ask("join")
        await one.sees(lambda shown: shown["has-asked"] and shown["seat"] is None)
    async with KeyPlayer((*table[:3], json.dumps({})), "host", "keys") as ada:
        await guest.sees(lambda one: one["phase"] == "playing")
        await sees(ada, "the game", lambda one: one["phase"] == "playing")
        check(guest.table["creator"]["name"] == "Ada" and guest.table["seat"] == 2, f"the guest sees {guest.table}")
        await done(ada, "resign")
        await sees(ada, "the end", lambda one: one["ending"] and one["ending"]["agreed"])
    print("room", guest.room, flush=True)
    print("done game", flush=True)


async def bot(games):
    """A bot comes where one is wanted, and plays to the end."""
    wanted = json.loads(place(games, "k-in-a-row", settings={"width": "4", "height": "4"}, bot="random")[3])
    async with KeyPlayer((URL, NODE, FOLDER, json.dumps(wanted)), "bot", "plain") as ada:
        await sees(ada, "the game", lambda one: one["phase"] == "playing")
        check(ada.created, "it has created nothing")
        await done(ada, "resign")
        await sees(ada, "the end", lambda one: one["ending"] and one["ending"]["agreed"])
        print("room", ada.created[0], flush=True)
    print("done bot", flush=True)


async def main():
    connected = [await websockets.connect(URL, subprotocols=["parlor.1"]) for _ in range(2)]
    guest, stranger = [Guest(socket) for socket in connected]
    for one, name in ((guest, "Gil"), (stranger, "Stu")):
        one.peer = (await one.ask("hello", name=name))["peer"]
    games = (await guest.ask("games"))["games"]
    await refusals(games, guest)
    await lies(games)
    await crowd(games)
    await game(games, guest, stranger)
    await bot(games)
    for socket in connected:
        await socket.close()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (AssertionError, TimeoutError) as failure:
        sys.exit(f"host.py: {failure}")
