"""Reads QR codes of up to 42 bytes (ISO/IEC 18004, versions 1 to 3 at level M), without correcting anything."""

MASKS = [
    lambda y, x: (y + x) % 2, lambda y, x: y % 2, lambda y, x: x % 3, lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2, lambda y, x: y * x % 2 + y * x % 3, lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
]


def is_fixed(y, x, size):
    """Whether a module is none of the content: finders with what is beside them, timing, alignment."""
    finder = y < 9 and x < 9 or y < 9 and x >= size - 8 or y >= size - 8 and x < 9
    alignment = size > 21 and size - 9 <= y <= size - 5 and size - 9 <= x <= size - 5
    return finder or alignment or y == 6 or x == 6


def places(size):
    """Where the bits lie: columns in pairs from the right, up and down in turns."""
    goes_up = True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for step in range(size):
            y = size - 1 - step if goes_up else step
            for x in (right, right - 1):
                if not is_fixed(y, x, size):
                    yield y, x
        goes_up = not goes_up


def read(rows):
    """The text of a code, whose rows are lists of whether a module is dark."""
    size = len(rows)
    assert size in (21, 25, 29) and all(len(row) == size for row in rows), f"{size} rows"
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    form = int("".join(str(int(rows[y][x])) for y, x in around), 2) ^ 0b101010000010010
    assert form >> 13 == 0, "another level than M"
    mask = MASKS[form >> 10 & 7]
    bits = "".join(str(int(rows[y][x]) ^ (mask(y, x) == 0)) for y, x in places(size))
    assert bits[:4] == "0100", f"the content is of mode {bits[:4]}"
    count = int(bits[4:12], 2)
    return bytes(int(bits[at:at + 8], 2) for at in range(12, 12 + 8 * count, 8)).decode()
