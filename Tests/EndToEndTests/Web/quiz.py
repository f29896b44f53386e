"""Players of a quiz with keys of their own, who are the page's modules under Node, at `parlor serve --web`.

Usage: quiz.py URL NODE FOLDER ROOM CODE. ROOM is a quiz of three questions with the join code CODE, which asks as soon
as two players are there, each question for as long as nobody ends it. Ada has WebCrypto and Bo has none. Ada's program
is ended before the server has its first answer, and run anew; in further runs the server's messages are changed, and
what the page's modules say of that is checked. Prints `done NAME` after each part, and in the end `score NAME POINTS`
for each of the two.
"""

import asyncio
import sys

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from key_player import KeyPlayer, check  # noqa: E402

URL, NODE, FOLDER, ROOM, CODE = sys.argv[1:]
JOIN_PROOF, ENTRY = "17", "1a"


def kind(message):
    """The kind of the event that is written, as two hexadecimal digits."""
    return message["event"][2:4]


class Player(KeyPlayer):
    def __init__(self, name, keeping, lie=None, lost=None):
        super().__init__((URL, NODE, FOLDER, ROOM), name, keeping, lie, lost)

    @property
    def hosted(self):
        return self.table["hosted"] if self.table else None

    def round(self, number):
        """The round as it was asked last, or nothing."""
        recent = self.hosted["recent"] if self.hosted else []
        return next((one for one in reversed(recent) if one["number"] == number), {})

    async def asked(self, number):
        await self.wait(f"question {number}", lambda: self.said or self.round(number))
        check(not self.said, f"{self.name} is told {self.said}")

    async def stands(self, number, own):
        await self.wait(f"the own answer {own}", lambda: self.said or self.round(number).get("own") == own)
        check(not self.said, f"{self.name} is told {self.said}")


async def come(player):
    """With a wrong code first: it is refused. Who has come once needs not ask again."""
    await player.wait("the table", lambda: player.table)
    words = await player.do("join", **{"join-code": "no code"})
    check("ten letters" in words and not player.written, f"{words}, and it writes {player.written}")
    wrong = "A" * 10 if CODE != "A" * 10 else "B" * 10
    check((words := await player.do("join", **{"join-code": wrong})) == "", words)
    await player.wait("the refusal", lambda: player.hosted["refusal"] == "wrong-code")
    check((words := await player.do("join", **{"join-code": CODE.lower()})) == "", words)
    await player.wait("the place", lambda: player.hosted["number"] is not None)
    check([kind(one) for one in player.written] == [JOIN_PROOF, "02"] * 2, f"it writes {player.written}")
    check("cannot be done" in await player.do("join", **{"join-code": CODE}), "it asks once more")


def secret(player):
    """Nothing that the server has told lets anybody read an answer before the host opens it."""
    entries = [one["event"] for message in player.told for one in message.get("events", []) if kind(one) == ENTRY]
    for message in player.told:
        hosted = message["table"]["hosted"] if message.get("type") == "table" else None
        for one in hosted["recent"] if hosted else []:
            check(one["phase"] == "settled" or one["solution"] is None and one["chosen"] == [], f"it is told {one}")
    for entry in entries:
        # Behind the header: the opening, the form, commitment and box.
        at = 2 * (1 + 1 + 32 + 32 + 8 + 32 + 8)
        payload = bytes.fromhex(entry[at:])[1 + 32 * int(entry[at:at + 2], 16) + 2:]
        check(payload[32] == 1 and payload[65] == 81 and len(payload) == 66 + 81, f"an answer is not sealed: {entry}")
    return entries


def events(change):
    def lie(message):
        if message.get("type") == "events":
            message["events"] = change(message["events"])
        return message
    return lie


def hosted(change):
    def lie(message):
        if message.get("type") == "table" and message["table"]["hosted"]["settled"]:
            change(message["table"]["hosted"])
        return message
    return lie


def changed(every):
    """One digit of the host's last event."""
    author = every[0]["event"][68:132]
    last = [one for one in every if one["event"][68:132] == author][-1]
    last["event"] = last["event"][:-1] + ("1" if last["event"][-1] != "1" else "2")
    return every


def rest(own):
    """The host's events without one in their midst."""
    return own[:3] + own[4:]


def without_rounds(message):
    if message.get("type") == "table":
        message["table"]["hosted"] = None
    return message


FALSE, OTHER = "shows an event that is false", "differs from the signed events"
LIES = {
    "a changed event": (events(changed), FALSE),
    "a cited event withheld": (events(rest), "what it shows names others"),
    "the newest events withheld": (events(lambda every: every[:6]), "withholds events that this browser has seen"),
    "other points": (hosted(lambda told: told["players"][0].update(score=9_999)), f"{OTHER}: player"),
    "another order": (hosted(lambda told: told["players"].reverse()), f"{OTHER}: player"),
    "another solution": (hosted(lambda told: told["recent"][0].update(solution="3")), "another answer is right"),
    "other answers": (hosted(lambda told: told["recent"][0].update(chosen=[])), "other answers were given"),
    "another question": (hosted(lambda told: told["recent"][-1].update(question="Why?")), "another question is asked"),
    "another answer of one's own": (
        hosted(lambda told: told["recent"][0].update(own="wrong")), "your answer stands otherwise"),
    "a solution too early": (hosted(lambda told: told["recent"][-1].update(solution="1")), "another answer is right"),
    "a fault of the host": (
        hosted(lambda told: told["faults"].append({"fault": "wrong-entry", "event": "0" * 64})), "other faults"),
    "no rounds": (without_rounds, "no rounds"),
}


async def lies():
    for name, (lie, words) in LIES.items():
        async with Player("ada", "keys", lie) as ada:
            await ada.wait(f"“{words}”", lambda: ada.said)
            check(any(words in one for one in ada.said), f"of {name} it says {ada.said} and not “{words}”")
            check("goes on no more" in await ada.do("enter", text="1"), "it goes on")
            check(not ada.written, "it goes on to write")
        print("done", name, flush=True)
    async with Player("ada", "keys", events(lambda every: every[::-1])) as ada:
        await ada.asked(2)
    print("done events reordered", flush=True)


async def first_round(bo):
    """The answer that the server never got is sent by the next run, which writes no second one."""
    async with Player("ada", "keys", lost=lambda one: one["type"] == "write" and kind(one) == ENTRY) as ada:
        await come(ada)
        await ada.asked(1)
        check("cannot be done" in await ada.do("enter", text="5"), "it takes a choice that is none")
        check("cannot be done" in await ada.do("enter", text="1", opening="0" * 64), "it answers another round")
        await ada.tell({"do": "enter", "members": {"text": "2"}})
        await ada.wait("an answer", lambda: ada.written and kind(ada.written[-1]) == ENTRY)
        lost = ada.written[-1]["event"]
    async with Player("ada", "keys") as ada:
        await ada.stands(1, "taken")
        check([one["event"] for one in ada.written] == [lost], f"it sends {ada.written}")
        check(ada.round(1)["mine"] == "2" and ada.table["may"] == ["say"], f"it shows {ada.table}")
        check("cannot be done" in await ada.do("enter", text="3"), "it answers twice")
        check(len(ada.written) == 1, "it writes a second answer")
        await bo.asked(1)
        check(await bo.do("enter", text="2") == "", "it does not answer")
        for player in (ada, bo):
            await player.stands(1, "right")
            found = player.round(1)
            check(found["solution"] == "2" and found["chosen"] == [{"text": "2", "count": 2}], f"it shows {found}")
            entries = secret(player)
            check(len(set(entries)) == 2 and entries[0][-162:] != entries[1][-162:], "two answers look alike")
    print("done first round", flush=True)


async def main():
    async with Player("bo", "plain") as bo:
        await come(bo)
        await first_round(bo)
        await bo.asked(2)
        await lies()
        async with Player("ada", "keys") as ada:
            for number, answers in [(2, "11"), (3, "21")]:
                for player, text in zip((ada, bo), answers):
                    await player.asked(number)
                    check(await player.do("enter", text=text) == "", "it does not answer")
                await ada.wait("the points", lambda: ada.hosted["settled"] == number)
            for player in (ada, bo):
                await player.wait("the end", lambda: player.said or player.table["phase"] == "finished")
                check(not player.said, f"{player.name} is told {player.said}")
                check(any("Nothing heard from the host" in line for line in player.table["words"]), "words")
                secret(player)
                own = next(one for one in player.hosted["players"] if one["number"] == player.hosted["number"])
                print("score", own["name"], own["score"], flush=True)
    print("done end", flush=True)


try:
    asyncio.run(main())
except (AssertionError, TimeoutError) as failure:
    sys.exit(f"quiz.py: {failure}")
