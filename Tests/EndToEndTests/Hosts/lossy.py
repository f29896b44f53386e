#!/usr/bin/env python3
"""A bad cable between two network namespaces: frames come late, and some not at all.

Usage: lossy.py SEED LOSS DELAY-MS NAMESPACE ADDRESS NAMESPACE ADDRESS

Each namespace gets an interface t0 with its address (10.98.0.1/24, say). Says “up”, and goes on until a line comes;
then says how many frames came and how many were lost. Linux's own netem is not in every kernel.
"""
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000


def interface(namespace, address):
    """The end of a cable in a namespace: what is written here is received there."""
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open("/run/netns/" + namespace, os.O_RDONLY)
    if libc.setns(there, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", b"t0", IFF_TAP | IFF_NO_PI))
    if libc.setns(home, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    for words in (["addr", "add", address, "dev", "t0"], ["link", "set", "t0", "up"]):
        subprocess.check_call(["/usr/sbin/ip", "-n", namespace] + words)
    return end


def main():
    seed, loss, delay = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]) / 1000
    ends = [interface(*sys.argv[4:6]), interface(*sys.argv[6:8])]
    chance = random.Random(seed)
    waiting, came, lost = [], 0, 0
    print("up", flush=True)
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, frame = heapq.heappop(waiting)
            try:
                os.write(end, frame)
            except OSError:
                lost += 1
        patience = waiting[0][0] - now if waiting else None
        readable = select.select(ends + [0], [], [], patience)[0]
        if 0 in readable:
            break
        for end in readable:
            frame = os.read(end, 65536)
            came += 1
            if chance.random() < loss:
                lost += 1
            else:
                other = ends[1] if end == ends[0] else ends[0]
                heapq.heappush(waiting, (time.monotonic() + delay, came, other, frame))
    print("%d frames, %d lost" % (came, lost), flush=True)


main()
