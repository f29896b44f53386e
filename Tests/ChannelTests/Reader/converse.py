#!/usr/bin/env python3
"""Holds the conversations of channel.txt anew, as Docs/PROTOCOL.md §8 and Noise say, without Parlor's code.

    converse.py FILE

Prints what one end would send otherwise than the file has it, and ends with status 1; prints the number of turns
that are the same, and ends with 0.
"""
import hashlib
import hmac
import sys

import nacl.bindings as sodium

RESERVED = 2**64 - 1


def blake(data):
    return hashlib.blake2b(data).digest()


def derive(key, material, count):
    """HKDF of Noise, over HMAC with BLAKE2b of 64 bytes."""
    temporary = hmac.new(key, material, hashlib.blake2b).digest()
    keys = [b""]
    for number in range(1, count + 1):
        keys.append(hmac.new(temporary, keys[-1] + bytes([number]), hashlib.blake2b).digest())
    return keys[1:]


def seal(key, number, data, plain):
    nonce = bytes(4) + number.to_bytes(8, "little")
    return sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plain, data, nonce, key)


class Frames:
    """One direction behind the handshake."""

    def __init__(self, key):
        self.key, self.number = key[:32], 0

    def seal(self, kind, content=b""):
        sealed = seal(self.key, self.number, b"", content + bytes([kind]))
        self.number += 1
        if self.number % 1024 == 0:
            self.key = seal(self.key, RESERVED, b"", bytes(32))[:32]
        return len(sealed).to_bytes(2, "big") + sealed

    def message(self, content):
        frames = b""
        while len(content) > 16384:
            frames += self.seal(2, content[:16384])
            content = content[16384:]
        return frames + self.seal(1, content)


class Handshake:
    """Both ends at once: what they know is the same, or the file's bytes would differ."""

    def __init__(self, name, prologue):
        self.hash = name.ljust(64, b"\0")
        self.chain, self.key, self.number = self.hash, None, 0
        self.mix(prologue)

    def mix(self, data):
        self.hash = blake(self.hash + data)

    def mix_key(self, material):
        self.chain, key = derive(self.chain, material, 2)
        self.key, self.number = key[:32], 0

    def mix_psk(self, psk):
        self.chain, middle, key = derive(self.chain, psk, 3)
        self.mix(middle)
        self.key, self.number = key[:32], 0

    def seal(self, plain):
        sealed = plain
        if self.key:
            sealed = seal(self.key, self.number, self.hash, plain)
            self.number += 1
        self.mix(sealed)
        return sealed


class End:
    """The keys of one end."""

    def __init__(self, record, role):
        seed, self.static, self.ephemeral = (
            bytes.fromhex(record[f"{role}-{name}"]) for name in ["identity-seed", "static", "ephemeral"])
        self.role = 1 if role == "initiator" else 2
        self.peer, self.secret = sodium.crypto_sign_seed_keypair(seed)
        assert self.peer.hex() == record[f"{role}-peer"]

    def proof(self, transcript):
        signed = b"parlor-handshake-1" + bytes([self.role]) + transcript
        return self.peer + sodium.crypto_sign(signed, self.secret)[:64]


def public(secret):
    return sodium.crypto_scalarmult_base(secret)


def framed(message):
    return len(message).to_bytes(2, "big") + message


def handshake(record):
    """The turns up to `ready`, and both directions behind them."""
    network = bytes.fromhex(record["network"])
    psk = None if record["psk"] == "-" else bytes.fromhex(record["psk"])
    one, other = End(record, "initiator"), End(record, "responder")
    name = hashlib.blake2b(b"parlor-network-hash-1" + network, digest_size=32).digest()[:16]
    preamble = b"parlor" + b"\0\2" + (b"\1" if psk else b"\0") + name
    pattern = b"XXpsk3" if psk else b"XX"
    noise = Handshake(b"Noise_" + pattern + b"_25519_ChaChaPoly_BLAKE2b", preamble + network)

    def ephemeral(end):
        key = public(end.ephemeral)
        noise.mix(key)
        if psk:
            noise.mix_key(key)
        return key

    first = ephemeral(one)
    first += noise.seal(b"")
    second = ephemeral(other)
    noise.mix_key(sodium.crypto_scalarmult(other.ephemeral, public(one.ephemeral)))
    second += noise.seal(public(other.static))
    noise.mix_key(sodium.crypto_scalarmult(other.static, public(one.ephemeral)))
    second += noise.seal(other.proof(noise.hash))
    third = noise.seal(public(one.static))
    noise.mix_key(sodium.crypto_scalarmult(one.static, public(other.ephemeral)))
    if psk:
        noise.mix_psk(psk)
    third += noise.seal(one.proof(noise.hash))
    sending, answering = (Frames(key) for key in derive(noise.chain, b"", 2))
    turns = [
        ("initiator", preamble + framed(first)), ("responder", preamble + framed(second)),
        ("initiator", framed(third)), ("responder", answering.seal(0))]
    return turns, {"initiator": sending, "responder": answering}


def records(path):
    with open(path, encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            lines = [line for line in block.splitlines() if line and not line.startswith("#")]
            if lines:
                yield [tuple(line.split(": ", 1)) for line in lines]


def converse(fields):
    """Pairs of what the file has and what would be sent."""
    turns, frames = handshake(dict(fields))
    said = None
    closing = [("responder", 3), ("initiator", 4), ("initiator", 5)]
    for name, value in fields:
        role, _, what = name.partition("-")
        if what == "says":
            said = [b"" if word == "-" else bytes.fromhex(word) for word in value.split(" ")]
        elif what == "says-single-bytes":
            sent = [frames[role].message(bytes([number % 256])) for number in range(int(value))]
        elif name == "last-frame":
            yield value, sent[-1].hex()
        elif what == "sends" and turns:
            yield (role, value), (turns[0][0], turns.pop(0)[1].hex())
        elif what == "sends" and said is not None:
            yield value, b"".join(frames[role].message(message) for message in said).hex()
            said = None
        elif what == "sends":
            expected, kind = closing.pop(0)
            yield (role, value), (expected, frames[role].seal(kind, b"\0" if kind == 5 else b"").hex())


def main(path):
    count = 0
    for fields in records(path):
        if dict(fields)["type"] != "conversation":
            continue
        for had, sent in converse(fields):
            if had != sent:
                print(f"the file has {had}, and this program sends {sent}")
                return 1
            count += 1
    print(count)
    return 0


sys.exit(main(sys.argv[1]))
