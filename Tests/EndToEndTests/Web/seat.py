"""Seats of keys of their own, played by the page's modules under Node against bots of `parlor serve --web`.

Usage: seat.py URL NODE FOLDER. Bots, whose data folders lie in FOLDER, keep games of tic-tac-toe, Connect Four and
Othello open at the server, of the prisoner's dilemma, and of gomoku, of ultimate tic-tac-toe and of k in a row. Of each
a whole game is played, some with WebCrypto and some without; in the midst of those of the first four the program is run
anew. In some of these runs the server's messages are changed, and what the page's modules say of that is checked.
Prints `done NAME` after each part, and `room ID` after each game.
"""

import asyncio
import glob
import hashlib
import json
import os
import sys

import nacl.signing
import websockets

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from key_player import LIMIT_SECONDS, KeyProgram, check  # noqa: E402

URL, NODE, FOLDER = sys.argv[1:]


class Seat(KeyProgram):
    """A run in which `lie` may change what the server says."""

    def __init__(self, room, moves, keeping, lie=None, before=None):
        self.room, self.moves, self.keeping, self.lie, self.before = room, moves, keeping, lie, before
        self.asked, self.said, self.table, self.has_moved = [], [], None, False
        self.answers = {}

    async def __aenter__(self):
        file = os.path.join(FOLDER, f"seat-{self.room}.json")
        return await self.begin(URL, NODE, file, self.room, str(self.moves), self.keeping)

    async def hear(self):
        """From the server to the program."""
        async for text in self.socket:
            message = json.loads(text)
            if isinstance(message.get("id"), str):
                async with self.changed:
                    self.answers[message["id"]] = message
                    self.changed.notify_all()
                continue
            for message in (self.lie or (lambda one: [one]))(message):
                await self.tell(message)

    async def speak(self):
        """From the program to the server."""
        async for line in self.program.stdout:
            message = json.loads(line)
            if "type" in message:
                self.asked.append(message)
                # A move or a commit that the server never gets: the program is ended before.
                if self.moves == 1 and message["type"] == "write" and message["event"][2:4] in ("07", "08"):
                    async with self.changed:
                        self.has_moved = True
                        self.changed.notify_all()
                    continue
                if message["type"] == "write" and self.before:
                    asyncio.create_task(self.first(message, line))
                    continue
                await self.say(line.decode())
            async with self.changed:
                if "said" in message:
                    self.said.append(message["said"])
                if "shown" in message:
                    self.table = message["shown"]
                self.changed.notify_all()

    async def first(self, message, line):
        before, self.before = self.before, None
        try:
            await before(self, message)
        except AssertionError as failure:
            async with self.changed:
                self.said.append(f"seat.py: {failure}")
                self.changed.notify_all()
        await self.say(line.decode())

    async def answer(self, name, **members):
        """Asks besides the program."""
        await self.say(json.dumps({"id": name, **members}))
        await self.until(lambda: name in self.answers)
        return self.answers[name]

    async def wait(self, what, holds):
        await self.until(holds)
        check(holds(), f"{what} did not come: {self.said} {self.table}, {self.socket.close_reason}")

    async def turn(self):
        """The own turn has come, or the end."""
        await self.wait("the own turn", lambda: self.said or self.table and (
            "choose" in self.table["may"] and self.moves == 0 or self.table["phase"] == "finished"))
        check(not self.said, f"it says {self.said}")

    async def stop(self, words):
        """It says these words, and writes nothing at all."""
        await self.wait(f"“{words}”", lambda: self.said)
        check(any(words in one for one in self.said), f"it says {self.said} and not “{words}”")
        check(not any(one["type"] == "write" for one in self.asked), "it goes on to write")


def events(change):
    def lie(message):
        if message.get("type") == "events":
            message["events"] = change(message["events"])
        return [message]
    return lie


def changed(all_events):
    """One digit of the last event."""
    body = all_events[-1]["event"]
    all_events[-1]["event"] = body[:-1] + ("1" if body[-1] != "1" else "2")
    return all_events


def unsigned(all_events):
    all_events[-1]["signature"] = "0" * 128
    return all_events


def board(message):
    if message.get("type") == "table" and message["table"]["plies"]:
        cell = next(cell for row in message["table"]["position"]["board"] for cell in row if cell["seat"])
        cell["seat"] = 3 - cell["seat"]
    return [message]


def exchanged(message):
    """Two cells, or two columns, each of which plays what the other one should."""
    if message.get("type") == "table" and message["table"]["plies"]:
        position = message["table"]["position"]
        cells = [cell for row in position["board"] for cell in row if cell["text"]]
        if cells:
            cells[0]["text"], cells[1]["text"] = cells[1]["text"], cells[0]["text"]
        else:
            position["labels"] = position["labels"][::-1]
    return [message]


def turned(message):
    if message.get("type") == "table":
        message["table"]["turn"] = 3 - (message["table"]["turn"] or 1)
    return [message]


def forked(all_events):
    """Another event in the place of the newest one of the bot, signed with the bot's own key."""
    bodies = [bytes.fromhex(one["event"]) for one in all_events]
    bot = bodies[0][34:66]
    for path in glob.glob(os.path.join(FOLDER, "**", "identity.key"), recursive=True):
        with open(path, encoding="utf-8") as file:
            words = file.read().split()
        if bot.hex() not in words:
            continue
        key = nacl.signing.SigningKey(bytes.fromhex(words[words.index("seed") + 1]))
        old = max((body for body in bodies if body[34:66] == bot), key=lambda body: body[66:74])
        new = old[:106] + bytes(8) + old[114:]
        network = hashlib.blake2b(b"parlor-network-1", digest_size=32).digest()
        id_ = hashlib.blake2b(b"parlor-event-2" + network + new, digest_size=32).digest()
        signature = key.sign(b"parlor-signature-1" + id_).signature
        all_events.append({"event": new.hex(), "signature": signature.hex()})
        return all_events
    raise AssertionError("the bot's key is not there")


def summed(message):
    """Another sum of what was paid."""
    if message.get("type") == "table":
        for part in (part for line in message["table"]["position"]["lines"] for part in line):
            part["text"] = part["text"].replace(" 1", " 9").replace(" 0", " 8").replace(" 2", " 7")
    return [message]


def chosen(message):
    """Another choice in the last round."""
    if message.get("type") == "table" and message["table"]["plies"]:
        moves = message["table"]["plies"][-1]["moves"]
        moves[0] = "D" if moves[0] == "C" else "C"
    return [message]


LIES = {
    "a changed event": (events(changed), "shows an event that is false"),
    "a changed signature": (events(unsigned), "shows an event that is false"),
    "a cited event withheld": (events(lambda every: every[:2] + every[3:]), "what it shows names others"),
    "the newest events withheld": (events(lambda every: every[:4]), "withholds events that this browser has seen"),
    "a fork": (events(forked), "differs from the signed events: the table is playing"),
    "no events": (events(lambda _: []), "no events"),
    "another board": (board, "differs from the signed events"),
    "another cell": (exchanged, "a cell plays another move"),
    "another turn": (turned, "differs from the signed events"),
}


ROUND_LIES = {
    **{name: LIES[name] for name in ("a changed event", "a changed signature", "the newest events withheld")},
    "other sums": (summed, "the sums or the last round are told otherwise"),
    "another choice": (chosen, "other choices were made"),
}


async def mistakes(seat, write):
    """What is wrong with an event is said, and nothing of it is kept: the true one is taken behind these."""
    event, signature = write["event"], write["signature"]
    end = "1" if event[-1] != "1" else "2"
    cases = [
        ({"event": event[:-1] + end}, "not taken"), ({"signature": "0" * 128}, "not taken"),
        ({"event": "00"}, "no event"), ({"event": event + "0"}, "hexadecimal digits"),
        ({"room": "0" * 64}, "no table"), ({"event": event[:4] + "1" * 64 + event[68:]}, "that event"),
    ]
    for number, (members, words) in enumerate(cases):
        found = await seat.answer(f"case-{number}", **{**write, "id": f"case-{number}", **members})
        check(found["type"] == "error" and words in found["words"], f"{members} is answered {found}")
    async with websockets.connect(URL, subprotocols=["parlor.1"]) as socket:
        await strangers(socket, write)
    print("done refusals", flush=True)


async def strangers(socket, write):
    """Who shows no key, or another one, writes nothing."""
    async def ask(words, **members):
        await socket.send(json.dumps({"id": 1, **members}))
        while (found := json.loads(await socket.recv())).get("id") != 1:
            pass
        check(found["type"] == "done" if words is None else words in found.get("words", ""), f"{members}: {found}")
        return found

    key = nacl.signing.SigningKey.generate()
    peer = key.verify_key.encode().hex()

    def signed(challenge):
        message = b"parlor-socket-1" + bytes.fromhex(challenge["server"]) + bytes.fromhex(challenge["challenge"])
        return key.sign(message).signature.hex()

    await ask("show a key first", **{**write, "id": 1})
    await ask("show a key first", type="follow", room=write["room"])
    await ask("ask for a challenge first", type="prove", peer=peer, signature="0" * 128)
    old = await ask(None, type="challenge")
    await ask("not the signature", type="prove", peer="1" * 64, signature=signed(old))
    await ask("ask for a challenge first", type="prove", peer=peer, signature=signed(old))
    new = await ask(None, type="challenge")
    await ask("not the signature", type="prove", peer=peer, signature=signed(old))
    new = await ask(None, type="challenge")
    await ask(None, type="prove", peer=peer, signature=signed(new))
    await ask("another peer's", **{**write, "id": 1})


async def again(seat, write):
    """To write again what is there is done too."""
    await seat.answer("one", **{**write, "id": "one"})
    found = await seat.answer("two", **{**write, "id": "two"})
    check(found["type"] == "done", f"an event that is there is answered {found}")


async def play(room, keeping, lies=LIES):
    async with Seat(room, 1, keeping, before=mistakes) as seat:
        await seat.wait("a move of its own", lambda: seat.said or seat.has_moved)
        check(not seat.said, f"it says {seat.said}")
    # Its own move was stored, and is sent again: else the bot does not move, and the turn does not come.
    async with Seat(room, 0, keeping) as seat:
        await seat.turn()
        check(any(one["type"] == "write" for one in seat.asked), "a move that was stored is not sent again")
    for name, (lie, words) in lies.items():
        async with Seat(room, 0, keeping, lie) as seat:
            await seat.stop(words)
        print("done", name, flush=True)
    # In another order nothing is wrong.
    async with Seat(room, 0, keeping, events(lambda every: every[::-1])) as seat:
        await seat.turn()
    print("done another order", flush=True)
    await end(room, keeping, again)
    print("done game", flush=True)


async def end(room, keeping, before=None):
    """Plays a game to its end."""
    async with Seat(room, 1000, keeping, before=before) as seat:
        await seat.wait("the end", lambda: seat.said or seat.table and seat.table["phase"] == "finished")
        await seat.wait("a result that both have signed", lambda: seat.said or seat.table["ending"]["agreed"])
        check(not seat.said, f"it says {seat.said}")
        check(any("of this browser plays here" in line for line in seat.table["words"]), "it does not say who plays")


async def opened(game):
    """The room of the game that a bot keeps open, once it is here."""
    async with websockets.connect(URL, subprotocols=["parlor.1"]) as socket:
        await socket.send('{"type":"list","id":1,"follow":true}')
        async for text in socket:
            for table in json.loads(text)["tables"]:
                if table["game"] == game and table["free"] == 1:
                    return table["room"]
    return None


async def main():
    for game, keeping in [("tic-tac-toe", "keys"), ("connect-four", "plain"), ("othello", "keys")]:
        room = await asyncio.wait_for(opened(game), LIMIT_SECONDS)
        await play(room, keeping)
        print("room", room, flush=True)
    room = await asyncio.wait_for(opened("prisoners-dilemma"), LIMIT_SECONDS)
    await play(room, "plain", ROUND_LIES)
    print("room", room, flush=True)
    for game, keeping in [("gomoku", "keys"), ("ultimate-tic-tac-toe", "keys"), ("k-in-a-row", "plain")]:
        room = await asyncio.wait_for(opened(game), LIMIT_SECONDS)
        await end(room, keeping)
        print("done", game, flush=True)
        print("room", room, flush=True)


try:
    asyncio.run(main())
except (AssertionError, TimeoutError) as failure:
    sys.exit(f"seat.py: {failure}")
