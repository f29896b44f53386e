#!/usr/bin/env python3
"""Writes bundles of one event whose keys and signatures are as odd as their makers can make them.

    signatures.py FOLDER

Prints one JSON object for each: its path, and whether its signature verifies by Docs/PROTOCOL.md §2. It has arithmetic
of its own on the curve of RFC 8032.
"""
import hashlib
import json
import random
import sys

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
from strange import ZERO, Entry, bundle, content, create  # noqa: E402

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(one, two):
    (x1, y1), (x2, y2) = one, two
    t = D * x1 * x2 * y1 * y2 % P
    return ((x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P)


def times(number, point):
    total = (0, 1)
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def root(y):
    """An x of a point with this y, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    return x if x * x % P == square else None


def find_base():
    y = 4 * pow(5, -1, P) % P
    x = root(y)
    return (x if x % 2 == 0 else P - x, y)


def find_eighth():
    """A point of order eight."""
    for y in range(2, 100):
        x = root(y)
        point = x and times(ORDER, (x, y))
        if point and times(4, point) != (0, 1):
            return point


BASE, EIGHTH = find_base(), find_eighth()


def encoded(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


class Author:
    """A key as bytes that stand in an event; nothing is signed with it by itself."""

    def __init__(self, public):
        self.public, self.secret = public, None


def challenge(first, public, identifier):
    digest = hashlib.sha512(first + public + b"parlor-signature-1" + identifier).digest()
    return int.from_bytes(digest, "little") % ORDER


class Case:
    """A room of a key, of which the secret number is known as far as it has one."""

    def __init__(self, number, secret, twist=(0, 1), public=None):
        self.random, self.secret = random.Random(number), secret
        self.public = public or encoded(add(times(secret, BASE), twist))
        self.event = Entry(
            Author(self.public), "create", ZERO, None, [], create(self.random.randbytes(16), content()),
            is_signed=False)

    def sign(self, twist=(0, 1), nonce=None, first=None, more=0, fits=lambda challenge: True):
        """Signs with a first half that is twisted or given, and a second half that has so much more."""
        while True:
            chosen = self.random.randrange(ORDER) if nonce is None else nonce
            half = first or encoded(add(times(chosen, BASE), twist))
            hashed = challenge(half, self.public, self.event.id)
            if fits(hashed):
                break
            nonce = None
        second = (chosen + hashed * self.secret) % ORDER + more
        self.event.signature = half + second.to_bytes(32, "little")

    def changed(self, place, bit):
        self.sign()
        signature = bytearray(self.event.signature)
        signature[place] ^= bit
        self.event.signature = bytes(signature)


def cases():

    yield "honest", True, lambda case: case.sign(), {}
    yield "a bit of the first half", False, lambda case: case.changed(3, 4), {}
    yield "a bit of the second half", False, lambda case: case.changed(40, 4), {}
    yield "the sign of the first half", False, lambda case: case.changed(31, 128), {}
    yield "the order added", False, lambda case: case.sign(more=ORDER), {}
    yield "the order added eight times", False, lambda case: case.sign(more=8 * ORDER), {}
    yield "a first half of order one", False, lambda case: case.sign(nonce=0), {}
    yield "a first half of order one, written otherwise", False, lambda case: case.sign(
        nonce=0, first=(P + 1).to_bytes(32, "little")), {}
    yield "a first half of order eight", False, lambda case: case.sign(twist=EIGHTH, nonce=0), {}
    yield "a first half off by order eight", False, lambda case: case.sign(twist=EIGHTH), {}
    twisted = {"twist": EIGHTH}
    yield "a key off by order eight, which does not show", True, lambda case: case.sign(
        fits=lambda hashed: hashed % 8 == 0), twisted
    yield "a key off by order eight, which shows", False, lambda case: case.sign(
        fits=lambda hashed: hashed % 8 == 1), twisted
    for name, public in [
            ("one", encoded((0, 1))), ("one, the other sign", encoded((1, 1))), ("two", encoded((0, P - 1))),
            ("four", encoded(times(2, EIGHTH))), ("eight", encoded(EIGHTH)),
            ("one, written otherwise", (P + 1).to_bytes(32, "little"))]:
        yield f"a key of order {name}", False, lambda case: case.sign(fits=lambda hashed: hashed % 8 == 0), {
            "secret": 0, "public": public}
    yield "a key that is no point", False, lambda case: case.sign(), {
        "public": next(y for y in range(2, 100) if root(y) is None).to_bytes(32, "little")}
    yield "a key that is not canonical", False, lambda case: case.sign(), {
        "public": next(P + y for y in range(2, 19) if root(y) is not None).to_bytes(32, "little")}


def main(folder):
    for number, (name, is_good, sign, made) in enumerate(cases()):
        case = Case(number, **{"secret": 2**200 + 12345, **made})
        sign(case)
        path = f"{folder}/signature-{number}.parlor"
        with open(path, "wb") as file:
            file.write(bundle(case.event.id, [case.event]))
        print(json.dumps({"path": path, "name": name, "good": is_good}))


if __name__ == "__main__":
    main(*sys.argv[1:])
