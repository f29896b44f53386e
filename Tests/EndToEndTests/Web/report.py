"""Somebody reads a tournament's page, in headless Chromium.

Usage: report.py CHROMIUM FILE [FOLDER]. Opens the file, steps through its games and looks at it in windows of several
widths. Prints `read` at the end. With FOLDER pictures of the page are put there. Ends with status 1 and words where
anything is wrong.
"""

import pathlib
import sys

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from chromium import Browser

browser = Browser(sys.argv[1])
folder = sys.argv[3] if len(sys.argv) > 3 else None


def check(holds, words):
    if not holds:
        raise AssertionError(words)


def board(page):
    """What is shown of a position; some games have no board."""
    return page.value("['board', 'words', 'caption'].map(name => document.getElementById(name).innerHTML).join()")


def read():
    page = browser.page(pathlib.Path(sys.argv[2]).resolve().as_uri())
    page.wait("document.readyState === 'complete' && document.getElementById('first').disabled")
    games = page.value("document.querySelectorAll('#game option').length")
    check(games > 1, f"there are {games} games")
    start, seen = board(page), set()
    last = page.value("Number(document.getElementById('ply').max)")
    for ply in range(last):
        page.click("#on")
        page.wait(f"document.getElementById('ply').value === '{ply + 1}'")
        check(board(page) not in seen, f"position {ply + 1} was shown before")
        seen.add(board(page))
    check(page.value("document.getElementById('on').disabled"), "there is more behind the last position")
    check("result)" in page.value("document.getElementById('words').innerText"), "the result is not told")
    page.click("#first")
    check(board(page) == start, "the first position is another one than before")
    page.choose("#game", str(games - 1))
    page.click("#last")
    check(page.value("document.getElementById('ply').value === document.getElementById('ply').max"), "not the last one")
    check(page.value("document.querySelectorAll('svg').length") >= 2, "pictures are missing")
    for width in (320, 800, 1600):
        page.resize(width)
        for scheme in ("light", "dark"):
            page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            wide = page.value("document.documentElement.scrollWidth")
            check(wide <= width, f"the page is {wide} pixels wide in a window of {width}")
            if folder:
                page.picture(f"{folder}/report-{width}-{scheme}.png")
    check(not page.errors, f"the console says: {page.errors}")
    check(page.value("window.stolen") is None, "a text was run")


try:
    read()
    print("read", flush=True)
finally:
    browser.close()
