"""People who host with a key of their browser at the page of `parlor serve --web`, in headless Chromium.

Usage: own_host.py CHROMIUM URL. Prints `done NAME` after each part, and `room ID` for each game that was played to its
end. Ends with status 1 and words where anything is wrong.
"""

import sys
import time
import urllib.parse

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from chromium import LIMIT_SECONDS, Browser  # noqa: E402
from liar import Liar  # noqa: E402
from page_checks import OVER, check, clean, decide, enter, fits, move, named, reload  # noqa: E402

url = sys.argv[2]
place = urllib.parse.urlsplit(url)
browser = Browser(sys.argv[1])


def says(page, words):
    page.wait(f"document.querySelector('.key-words').textContent.includes({words!r})")


def go(page, code):
    page.value(f"void (location.hash = {code!r})")


def code_of(page):
    page.wait("/^#[A-Z]+$/.test(location.hash)")
    return page.value("location.hash.slice(1)")


def host(page, game, bot="", settings=None):
    """Wants a table with the key of the browser."""
    page.choose("select[name=game]", game)
    for name, value in (settings or {}).items():
        page.write(f"input[name='setting:{name}']", value)
    page.choose("select[name=bot]", bot)
    page.click("[data-act=host-key]")


def play(code, *pages):
    """Plays at this table to its end, whoever has the turn. A table that was open before is not meant."""
    for page in pages:
        page.wait(f"document.querySelector('.code')?.textContent === {code!r}")
    end = time.monotonic() + LIMIT_SECONDS
    while not all(page.value(OVER) for page in pages):
        if turn := next((page for page in pages if page.value("document.querySelector('.legal') !== null")), None):
            move(turn)
            end = time.monotonic() + LIMIT_SECONDS
        if time.monotonic() > end:
            raise TimeoutError(f"{code}: {[page.value('document.body.innerText') for page in pages]}")
        time.sleep(0.02)


def between_people(plain):
    """A table with a key of the browser: it waits, is gone on with after a reload, and is played with a guest."""
    ada = enter(browser, url, "Ada", plain)
    host(ada, "tic-tac-toe")
    decide(ada)
    code = code_of(ada)
    says(ada, "This page gives the seats")
    reload(ada)
    says(ada, "This page gives the seats")
    named(ada)
    fits(ada, "own-host")
    bo = enter(browser, url, "Bo")
    go(bo, code)
    bo.click("[data-act=join]")
    play(code, ada, bo)
    seats = bo.value("document.querySelector('.seats').innerText")
    check("Ada" in seats and seats.count("kept by a server") == 1, f"the seats are {seats!r}")
    says(ada, "of this browser plays here")
    clean(ada)
    clean(bo)
    print("room", code, flush=True)
    print("done", "plain" if plain else "keys", flush=True)
    return ada, bo


def rematch(ada, bo):
    """The next game is opened by the own key; a stranger asks for the seat in vain, and who has played has it."""
    old = ada.value("location.hash")
    ada.click("[data-act=rematch]", "Rematch")
    ada.wait(f"location.hash !== {old!r}")
    code = code_of(ada)
    says(ada, "This page gives the seats")
    stranger = enter(browser, url, "Cy")
    go(stranger, code)
    stranger.click("[data-act=join]")
    stranger.wait("document.querySelector('.status').textContent.includes('the host grants it')")
    bo.click("[data-act=rematch]", "Come to the next game")
    play(code, ada, bo)
    seats = bo.value("document.querySelector('.seats').innerText")
    check("Bo" in seats and "Cy" not in seats, f"the seats are {seats!r}")
    print("room", code, flush=True)
    print("done rematch", flush=True)


def choose(ada, bo):
    """Choices are made in secret with a key of the browser; one of them opens the page anew in the midst."""
    for page in (ada, bo):
        go(page, "")
        page.wait("document.querySelector('select[name=game]') !== null")
    host(ada, "prisoners-dilemma", settings={"rounds": "3"})
    code = code_of(ada)
    says(ada, "This page gives the seats")
    go(bo, code)
    bo.click("[data-act=join-key]")
    decide(bo)
    for number in (1, 2, 3):
        ada.click("button", "Defect")
        ada.wait("document.querySelectorAll('.choices button').length === 0")
        if number == 2:
            reload(ada)
            says(ada, "of this browser plays here")
        # With the last choice the round is complete.
        bo.click("button", "Cooperate")
        for page in (ada, bo):
            page.wait(f"document.querySelectorAll('.plies tbody tr').length === {number}")
    for page in (ada, bo):
        page.wait(OVER)
        says(page, "of this browser plays here")
    check("9" in ada.value("document.querySelector('.lines').innerText"), "three defections are paid otherwise")
    for page in (ada, bo):
        clean(page)
    print("room", code, flush=True)
    print("done choices", flush=True)


def play_on(page, old):
    """The key opens a game from a position of its table, on the side to move, plays it to its end, and comes back."""
    page.click("[data-act=replay-first]")
    for _ in range(3):
        page.click("[data-act=replay-forward]")
    page.wait("document.querySelector('.replay').textContent.includes('You look back: after 3 of')")
    before = page.value("[...document.querySelectorAll('.plies li')].map(ply => ply.textContent.at(-1)).slice(0, 3)")
    page.choose("select[name=branch-bot]", "random")
    page.click("[data-act=branch]")
    page.wait(f"location.hash !== '#{old}'")
    code = code_of(page)
    says(page, "of this browser plays here")
    page.wait("document.querySelectorAll('.plies li').length >= 3")
    moves = page.value("[...document.querySelectorAll('.plies li')].map(ply => ply.textContent.at(-1)).slice(0, 3)")
    check(moves == before, f"the new table begins with {moves}, and the old one with {before}")
    seats = page.value("[...document.querySelectorAll('.presence')].map(place => place.textContent)")
    check(seats[1] == "you", f"the key has not the side to move: {seats}")
    play(code, page)
    print("room", code, flush=True)
    page.click("[data-act=origin]", "game 1, after 3 moves")
    page.wait("document.querySelector('.replay')?.textContent.includes('You look back: after 3 of')")
    go(page, old)
    says(page, "of this browser plays here")
    page.wait("document.querySelector('[data-act=rematch]') !== null")
    print("done branch", flush=True)


def against_a_bot():
    """A bot comes to the table, is played with, and comes to the next game."""
    page = enter(browser, url, "Dora")
    host(page, "k-in-a-row", "random", {"width": "3", "height": "3"})
    decide(page)
    code = code_of(page)
    play(code, page)
    print("room", code, flush=True)
    play_on(page, code)
    page.click("[data-act=rematch]", "Rematch")
    page.wait(f"location.hash !== '#{code}'")
    code = code_of(page)
    play(code, page)
    clean(page)
    print("room", code, flush=True)
    print("done bot", flush=True)
    go(page, "")
    host(page, "k-in-a-row", "", {"width": "2"})
    page.wait("document.querySelector('#news').textContent.includes('no such settings')")
    print("done settings", flush=True)


def lies():
    """The server names another game, or another network than before: nothing is signed."""
    liar = Liar(place.hostname, place.port)

    def renamed(message):
        for game in message.get("games", []):
            if game["name"] == "gomoku":
                game["settings"][0]["standard"] = "exact"
        # What a table goes on from is taken from its first event.
        if message.get("type") == "table":
            message["table"]["branch-of"] = {"room": "1" * 64, "game": 1, "ply": 1}
        return [message]

    def elsewhere(message):
        return [{**message, "network": "1" * 64} if "network" in message else message]

    liar.lie = renamed
    page = enter(browser, liar.url, "Eve")
    host(page, "gomoku")
    page.wait("document.querySelector('#news').textContent.includes('nothing was signed')")
    host(page, "othello")
    decide(page)
    code_of(page)
    says(page, "This page gives the seats")
    origin = page.value("document.querySelector('[data-act=origin]')?.checkVisibility() ?? false")
    check(not origin, "the table is said to go on from another one")
    liar.lie = elsewhere
    go(page, "")
    reload(page)
    page.wait("document.querySelector('#news').textContent.includes('another network')")
    host(page, "othello")
    page.wait("document.querySelector('#news').textContent.includes('another network')")
    check(page.value("location.hash") == "", "a table is opened")
    print("done lies", flush=True)


try:
    people = between_people(plain=False)
    rematch(*people)
    choose(*people)
    between_people(plain=True)
    against_a_bot()
    lies()
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"own_host.py: {failure}")
finally:
    browser.close()
