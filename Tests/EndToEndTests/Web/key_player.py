"""Players with keys of their own, who are the page's modules under Node, each with a socket of its own."""

import asyncio
import json
import os

import websockets

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seat.mjs")
# For how long nothing may come of what is waited for: the machine may have much else to do.
LIMIT_SECONDS = 600
# How many messages go out at once, and how many a second: less than a server takes, which is 32 and 8. A program that
# plays against a bot on an idle machine has more to say.
BURST, RATE = 24, 6


def check(holds, words):
    if not holds:
        raise AssertionError(words)


class KeyProgram:
    """A run of the program with a socket of its own. Who derives from it says what becomes of what the server says
    (`hear`) and of what the program says (`speak`)."""

    async def begin(self, url, node, *arguments):
        """`arguments` are those of the program."""
        self.program = await asyncio.create_subprocess_exec(
            node, PROGRAM, *arguments, limit=1 << 22, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        self.socket = await websockets.connect(url, subprotocols=["parlor.1"])
        self.changed, self.has_ended = asyncio.Condition(), False
        self.may_say, self.last = BURST, asyncio.get_running_loop().time()
        self.tasks = [asyncio.create_task(self.attend(part)) for part in (self.hear(), self.speak())]
        return self

    async def __aexit__(self, *_):
        for task in self.tasks:
            task.cancel()
        self.program.kill()
        await self.program.wait()
        await self.socket.close()

    async def attend(self, part):
        """Hears the server, or the program, to its end. Behind the end of either nothing more comes."""
        try:
            await part
        finally:
            async with self.changed:
                self.has_ended = True
                self.changed.notify_all()

    async def until(self, holds):
        """Waits until it holds, or the program or the socket has ended."""
        async with self.changed:
            while not holds() and not self.has_ended:
                await asyncio.wait_for(self.changed.wait(), LIMIT_SECONDS)

    async def say(self, text):
        """Sends the server a message, when it takes one more."""
        now = asyncio.get_running_loop().time()
        self.may_say, self.last = min(BURST, self.may_say + (now - self.last) * RATE) - 1, now
        if self.may_say < 0:
            await asyncio.sleep(-self.may_say / RATE)
        await self.socket.send(text)

    async def tell(self, message):
        """Hands the program a message of the server's."""
        self.program.stdin.write(json.dumps(message).encode() + b"\n")
        await self.program.stdin.drain()


class KeyPlayer(KeyProgram):
    """A run in which `lie` may change what the server says, and what `lost` holds of never comes to it."""

    def __init__(self, place, name, keeping, lie=None, lost=None):
        """`place` is the address of sockets, Node, a folder for what is kept, and the room."""
        self.url, self.node, self.folder, self.room = place
        self.name, self.keeping, self.lie, self.lost = name, keeping, lie, lost
        self.written, self.said, self.done, self.told, self.table = [], [], [], [], None
        self.created = []

    async def __aenter__(self):
        file = os.path.join(self.folder, f"{self.name}.json")
        return await self.begin(self.url, self.node, file, self.room, "none", self.keeping)

    async def hear(self):
        """From the server to the program."""
        async for text in self.socket:
            message = json.loads(text)
            self.told.append(json.loads(text))
            await self.tell(self.lie(message) if self.lie else message)

    async def speak(self):
        """From the program to the server."""
        async for line in self.program.stdout:
            message = json.loads(line)
            if message.get("type") == "write":
                self.written.append(message)
            if "type" in message and not (self.lost and self.lost(message)):
                await self.say(line.decode())
            async with self.changed:
                if "said" in message and message["said"] not in self.done:
                    self.said.append(message["said"])
                if "created" in message:
                    self.created.append(message["created"])
                if "did" in message or "failed" in message:
                    self.done.append(message.get("failed", ""))
                self.table = message.get("shown", self.table)
                self.changed.notify_all()

    async def wait(self, what, holds):
        try:
            await self.until(holds)
        except TimeoutError:
            pass
        check(holds(), f"{self.name}: {what} did not come: {self.said} {json.dumps(self.table)}")

    async def do(self, act, **members):
        """Does it, and says how it went: nothing, or the words."""
        before = len(self.done)
        await self.tell({"do": act, "members": members})
        await self.wait(f"the end of {act}", lambda: len(self.done) > before)
        self.said = [one for one in self.said if one != self.done[-1]]
        return self.done[-1]
