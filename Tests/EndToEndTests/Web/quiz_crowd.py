"""Many players of a quiz, each with a key and a socket of its own, at `parlor serve --web`.

Usage: quiz_crowd.py URL COUNT ROOM CODE [SERVER]. ROOM is the id of a quiz with the join code CODE, of two questions
with two choices each, which asks as soon as COUNT players are there. Each player writes its events itself, as PROTOCOL
says, and answers each question once. Prints for each question `question NUMBER COUNT MILLISECONDS`: how many answers
the host has acknowledged in the sight of those who gave them, and when the last of them saw it, counted from when the
first player saw the question. With SERVER, the number of the server's process, it prints `server SECONDS MEBIBYTES` at
the end: its processor time since all had come, and the most memory that it had. Ends with status 1 and words where an
answer is lost.
"""

import asyncio
import hashlib
import json
import os
import struct
import sys
import time

import websockets
from nacl.bindings import (
    crypto_box, crypto_scalarmult_base, crypto_sign, crypto_sign_ed25519_pk_to_curve25519, crypto_sign_seed_keypair)

REQUEST, GRANT, JOIN_PROOF, ROUND_OPEN, ENTRY, RECEIPTS, SETTLE = 2, 3, 23, 25, 26, 27, 29
ZERO = bytes(32)
LIMIT_SECONDS = 600


def blake2b(*parts, key=b"", size=32):
    return hashlib.blake2b(b"".join(parts), digest_size=size, key=key).digest()


def box(receiver, secret, message):
    key = blake2b(b"parlor-box-key-1", receiver, key=secret)
    sender, target = crypto_scalarmult_base(key), crypto_sign_ed25519_pk_to_curve25519(receiver)
    return sender + crypto_box(message, blake2b(sender, target, size=24), target, key)


class Player:
    def __init__(self, number):
        self.number, self.asked = number, {}
        self.public, self.secret = crypto_sign_seed_keypair(os.urandom(32))
        # What it has written last, what it must name once, and the host's newest event.
        self.sequence, self.head, self.request, self.grant, self.host, self.newest = 0, ZERO, None, None, None, None
        self.entries, self.changed = {}, asyncio.Event()

    async def come(self, url, room, code):
        self.socket = await websockets.connect(url, subprotocols=["parlor.1"], ping_interval=None, max_size=1 << 24)
        self.room, self.answers = room, {}
        self.task = asyncio.create_task(self.hear())
        told = await self.ask("challenge")
        self.network = bytes.fromhex(told["network"])
        proof = b"parlor-socket-1" + bytes.fromhex(told["server"]) + bytes.fromhex(told["challenge"])
        signature = crypto_sign(proof, self.secret)[:64]
        await self.ask("prove", peer=self.public.hex(), signature=signature.hex())
        await self.ask("follow", room=room.hex())
        await self.until(lambda: self.host)
        secret = blake2b(b"join", key=self.secret)
        said = box(self.host, secret, blake2b(b"parlor-join-1", room, self.public, code.encode()))
        await self.write(JOIN_PROOF, said, [room])
        name = f"P{self.number}".encode()
        await self.write(REQUEST, b"\xff\xff" + bytes([len(name)]) + name + b"\0\0", [])
        await self.until(lambda: self.grant)

    async def ask(self, kind, **members):
        number = len(self.answers) + 1
        self.answers[number] = None
        await self.socket.send(json.dumps({"type": kind, "id": number, **members}))
        await self.until(lambda: self.answers[number])
        answer = self.answers[number]
        if answer["type"] != "done":
            raise AssertionError(f"player {self.number}: {kind} is answered {answer}")
        return answer

    async def until(self, holds):
        while not holds():
            if self.task.done():
                self.task.result()
                raise AssertionError(f"player {self.number}: the connection ended")
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), LIMIT_SECONDS)

    async def hear(self):
        try:
            async for text in self.socket:
                message = json.loads(text)
                if message.get("id") in self.answers:
                    self.answers[message["id"]] = message
                for one in message.get("events", []):
                    self.take(bytes.fromhex(one["event"]))
                self.changed.set()
        finally:
            self.changed.set()

    def take(self, body):
        kind, author, count = body[1], body[34:66], body[114]
        event = self.named(body)
        parents = [body[115 + 32 * place:147 + 32 * place] for place in range(count)]
        payload = body[117 + 32 * count:]
        if self.host is None and event == self.room:
            self.host = author
        if author != self.host:
            return
        self.newest = event
        if kind == GRANT and payload[:32] == self.request:
            self.grant = event
        elif kind == ROUND_OPEN:
            self.asked[event] = time.monotonic()
        elif kind == RECEIPTS:
            for parent in parents:
                if parent in self.entries:
                    self.entries[parent] = time.monotonic()

    def named(self, body):
        return blake2b(b"parlor-event-2", self.network, body)

    async def write(self, kind, payload, parents):
        self.sequence += 1
        body = b"".join([
            struct.pack(">BB", 2, kind), self.room, self.public, self.sequence.to_bytes(8, "big"), self.head, bytes(8),
            bytes([len(parents)]), *sorted(parents), struct.pack(">H", len(payload)), payload])
        self.head = self.named(body)
        written = self.head
        # The host's answer may come before the server's.
        if kind == ENTRY:
            self.entries[written] = None
        elif kind == REQUEST:
            self.request = written
        signature = crypto_sign(b"parlor-signature-1" + written, self.secret)[:64]
        await self.ask("write", room=self.room.hex(), event=body.hex(), signature=signature.hex())
        return written

    async def answer(self, number):
        """Answers the question of this number from 0, and waits until the host has acknowledged that."""
        await self.until(lambda: len(self.asked) > number)
        opening = list(self.asked)[number]
        choice, salt = bytes([self.number % 2]), os.urandom(32)
        commitment = blake2b(b"parlor-entry-1", self.room, opening, self.public, choice, key=salt)
        secret = blake2b(b"parlor-entry-box-1", opening, self.public, key=salt)
        sealed = box(self.host, secret, salt + choice)
        # Its own grant once, and what the host has said last.
        parents = {self.newest} | ({self.grant} if number == 0 else set())
        payload = opening + b"\1" + commitment + bytes([len(sealed)]) + sealed
        entry = await self.write(ENTRY, payload, list(parents))
        await self.until(lambda: self.entries[entry])
        return self.asked[opening], self.entries[entry]


def usage(process):
    """The processor time of a process in seconds, and the most memory that it had, in MiB."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{process}/status") as file:
        most = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), most / 1_024


async def main(url, count, room, code, process=None):
    players = [Player(number) for number in range(int(count))]
    for player in players:
        await player.come(url, bytes.fromhex(room), code)
    before = usage(process)[0] if process else 0
    for question in range(2):
        times = await asyncio.gather(*(player.answer(question) for player in players))
        last = max(seen for _, seen in times) - min(asked for asked, _ in times)
        print("question", question + 1, len(times), round(1_000 * last), flush=True)
    if process:
        after, most = usage(process)
        print("server", round(after - before, 2), round(most), flush=True)
    # Without waiting for connections to close.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except (AssertionError, TimeoutError) as failure:
        sys.exit(f"quiz_crowd.py: {failure}")
