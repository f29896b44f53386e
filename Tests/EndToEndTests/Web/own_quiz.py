"""A quiz that two people play with keys of their browsers at the page of `parlor serve --web`, in headless Chromium.

Usage: own_quiz.py CHROMIUM URL ROOM CODE. ROOM is the six letters of a quiz of two questions with the join code CODE,
which asks as soon as two players are there; of the first question the second choice is right, of the second one the
first. Prints `done NAME` after each part, and in the end `score NAME POINTS` for each player. Ends with status 1 and
words where anything is wrong.
"""

import re
import sys
import urllib.parse

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from chromium import Browser  # noqa: E402
from liar import Liar  # noqa: E402
from page_checks import check, clean, decide, enter, fits, named, reload  # noqa: E402

url, room, code = sys.argv[2:]
place = urllib.parse.urlsplit(url)
browser = Browser(sys.argv[1])
HOSTED = "document.querySelector('.hosted').innerText"


def come(page):
    """Comes in with a key of the browser, with a wrong code first."""
    page.click(f"[data-room={room}]")
    page.write("input[name=join-code]", "A" * 10 if code != "A" * 10 else "B" * 10)
    page.click("[data-act=join-key]")
    decide(page)
    page.wait(f"{HOSTED}.includes('not the join code')")
    page.write("input[name=join-code]", code)
    page.click("[data-act=join]")
    page.wait("document.querySelector('.key-words').textContent.includes('of this browser plays here')")
    page.wait(f"{HOSTED}.includes('(you)')")


def asked(page, question):
    page.wait(f"{HOSTED}.includes({question!r}) && document.querySelector('.answer-1:not(:disabled)') !== null")


def answer(page, number):
    page.click(f".answer-{number}")
    page.wait(f"document.querySelector('.answer-{number}[aria-pressed=true]:disabled') !== null")


def is_answered(page, number):
    """The answer stands, no other can be given, and nothing tells what is right or what others said."""
    page.wait(f"document.querySelector('.answer-{number}[aria-pressed=true]:disabled') !== null")
    page.wait(f"{HOSTED}.includes('Your answer came')")
    check(page.value("document.querySelector('.answer:not(:disabled)') === null"), "another answer can be given")
    answers = page.value("document.querySelector('.answers').innerText")
    check("✓" not in answers and "(" not in answers, f"it tells {answers!r}")


def lies(page, liar):
    """Where the server shows other points, or withholds what the own answer names, the page says so and goes on no
    more; without the lie it goes on."""
    def points(message):
        if message["type"] == "table" and message["table"]["hosted"]:
            message["table"]["hosted"]["players"][0]["score"] += 1
        return [message]

    def old(message):
        if message["type"] == "events":
            message["events"] = message["events"][:6]
        return [message]

    for lie, words in [(points, "it has another score"), (old, "withholds events that this browser has seen")]:
        liar.lie = lie
        reload(page)
        page.wait(f"document.querySelector('#news').textContent.includes({words!r})")
        check(page.value("document.querySelector('.answer:not(:disabled)') === null"), "it goes on")
    liar.lie = None
    reload(page)


def scores(page):
    page.wait(f"{HOSTED}.match(/points/g).length >= 2")
    lines = page.value("[...document.querySelectorAll('.players li')].map(one => one.textContent)")
    return sorted(re.match(r"(\w+).*: (\d+) points", line).groups() for line in lines)


def evening():
    liar = Liar(place.hostname, place.port)
    fay = enter(browser, url, "Fay")
    gil = enter(browser, liar.url, "Gil", plain=True)
    come(fay)
    come(gil)
    for page in (fay, gil):
        asked(page, "One?")
    named(fay)
    print("done in", flush=True)
    answer(fay, 2)
    is_answered(fay, 2)
    reload(fay)
    is_answered(fay, 2)
    fits(fay, "own-quiz")
    # The way back through the lobby is kept too.
    fay.click("#home")
    fay.click(f"[data-room={room}]")
    is_answered(fay, 2)
    answer(gil, 1)
    print("done reload", flush=True)
    for page, word in ((fay, "Right"), (gil, "Wrong")):
        page.wait(f"{HOSTED}.includes({word!r}) || {HOSTED}.includes('Two?')")
        asked(page, "Two?")
    lies(gil, liar)
    asked(gil, "Two?")
    print("done lies", flush=True)
    for page in (fay, gil):
        answer(page, 1)
    for page in (fay, gil):
        page.wait(f"{HOSTED}.includes('Right')")
        page.wait("document.querySelector('.answer-1.right') !== null")
        shown = page.value("document.querySelector('#news').textContent")
        check(shown == "", f"it says {shown!r}")
        clean(page)
    check(scores(fay) == scores(gil), f"{scores(fay)} and {scores(gil)}")
    for name, points in scores(fay):
        print("score", name, points, flush=True)
    print("done points", flush=True)


try:
    evening()
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"own_quiz.py: {failure}")
finally:
    browser.close()
