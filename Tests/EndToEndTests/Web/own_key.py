"""People who play with a key of their browser at the page of `parlor serve --web`, in headless Chromium.

Usage: own_key.py CHROMIUM URL. Bots keep games of tic-tac-toe, Connect Four and Othello open at the server. Prints
`done NAME` after each part, and `room ID` for each game that was played to its end. Ends with status 1 and words where
anything is wrong.
"""

import sys
import urllib.parse

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from chromium import Browser  # noqa: E402
from liar import Liar  # noqa: E402
from page_checks import OVER, came, check, clean, decide, enter, fits, move, named, reload  # noqa: E402

url = sys.argv[2]
place = urllib.parse.urlsplit(url)
browser = Browser(sys.argv[1])


def sit(page, title):
    """Takes a seat at the table that a bot keeps open, with a key of the browser."""
    free = f"""[...document.querySelectorAll('.tables li')].find(one => one.textContent.includes('{title}')
        && one.textContent.includes('1 free'))"""
    page.wait(f"{free} !== undefined")
    page.click(f"[data-room={page.value(free + '.querySelector(`[data-room]`).dataset.room')}]")
    page.click("[data-act=join-key]")
    decide(page)
    page.wait("document.querySelector('.key-words').textContent.includes('of this browser plays here')")


def turn(page):
    """Waits for the own turn or the end; says whether it is the end."""
    page.wait(f"document.querySelector('.legal') !== null || {OVER}")
    return page.value(OVER)


def news(page):
    return page.value("document.querySelector('#news').textContent")


def stops(page, words):
    """The page says what is wrong, and lets nobody play on."""
    page.wait(f"document.querySelector('#news').textContent.includes({words!r})")
    page.wait("document.querySelector('.legal') === null && document.querySelector('[data-act=resign]') === null")


def whole_game(title, plain):
    """A whole game against a bot, with a reload after the first move; the seat stays."""
    page = enter(browser, url, "Ada", plain)
    sit(page, title)
    check(not turn(page), "the game is over at once")
    move(page)
    page.write(".talk input", f"hello from {title}")
    page.click(".talk button")
    page.wait(f"document.querySelector('.chat').textContent.includes('hello from {title}')")
    reload(page)
    while not turn(page):
        move(page)
    seats = page.value("document.querySelector('.seats').innerText")
    check("Ada" in seats and "you" in seats and "kept by a server" not in seats, f"the seats are {seats!r}")
    own = page.value("document.querySelector('#own-key').innerText")
    check("has a key of its own" in own, f"of the key it says {own!r}")
    check(("Keep a copy" in own) == plain, f"of the key it says {own!r}")
    page.wait("document.querySelector('.key-words').textContent.includes('Nothing heard from seat')")
    named(page)
    fits(page, f"own-{title}")
    clean(page)
    room = page.value("location.hash.slice(1)")
    print("room", room, flush=True)
    print("done", title, "plain" if plain else "keys", flush=True)
    page.close()


def second_tab():
    """One tab plays, the other one of the same browser watches, and plays when the first one is gone."""
    page = enter(browser, url, "Bo")
    sit(page, "Connect Four")
    check(not turn(page), "the game is over at once")
    address = page.value("location.href")
    target = browser.ask("Target.createTarget", url="about:blank", browserContextId=page.context)["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    other = type(page)(browser, session, target, page.context)
    with browser.changed:
        browser.pages[session] = other
    for domain in ("Page", "Runtime", "Log"):
        other.ask(f"{domain}.enable")
    other.ask("Page.navigate", url=address)
    other.wait("document.querySelector('.key-words').textContent.includes('this one watches')")
    check(other.value("document.querySelector('.legal') === null"), "two tabs can play")
    move(page)
    other.wait("document.querySelectorAll('.plies li').length >= 1")
    page.close()
    check(not turn(other), "the game is over")
    move(other)
    clean(other)
    print("done tabs", flush=True)
    return other


def cleared(page):
    """The storage of the key is gone: the page says that the seat is lost."""
    page.ask("Page.navigate", url="about:blank")
    page.ask("Storage.clearDataForOrigin", origin=url.rstrip("/"), storageTypes="indexeddb")
    page.ask("Page.navigate", url=url)
    came(page, "document.querySelector('#own-key').textContent.includes('the seats that it had are lost')")
    print("done cleared", flush=True)


def lies():
    """Each lie is noticed, or does no harm."""
    liar = Liar(place.hostname, place.port)
    page = enter(browser, liar.url, "Cy")
    sit(page, "Connect Four")
    check(not turn(page), "the game is over at once")
    move(page)
    check(not turn(page), "the game is over")

    def events(change):
        def lie(message):
            if message["type"] == "events":
                message["events"] = change(message["events"])
            return [message]
        return lie

    def table(message):
        if message["type"] == "table" and message["table"]["plies"]:
            cell = next(cell for row in message["table"]["position"]["board"] for cell in row if cell["seat"])
            cell["seat"] = 3 - cell["seat"]
        return [message]

    def cell(message):
        if message["type"] == "table" and message["table"]["plies"]:
            labels = message["table"]["position"]["labels"]
            labels[0], labels[1] = labels[1], labels[0]
        return [message]

    def changed(all_events):
        body = all_events[-1]["event"]
        all_events[-1]["event"] = body[:150] + ("1" if body[150] != "1" else "2") + body[151:]
        return all_events

    found = [
        ("changed", events(changed), "The server"),
        ("withheld", events(lambda all_events: all_events[:2] + all_events[3:]), "what it shows names others"),
        ("rolled back", events(lambda all_events: all_events[:4]), "withholds events that this browser has seen"),
        ("another table", table, "differs from the signed events"),
        ("another cell", cell, "a cell plays another move"),
    ]
    for name, lie, words in found:
        liar.lie = lie
        reload(page)
        stops(page, words)
        print("done", name, flush=True)
    # Out of order nothing is wrong: the page goes on.
    liar.lie = events(lambda all_events: all_events[::-1])
    reload(page)
    check(not turn(page), "the game is over")
    move(page)
    check(news(page) == "", f"it says {news(page)!r}")
    print("done reordered", flush=True)


try:
    whole_game("Tic-tac-toe", plain=False)
    whole_game("Connect Four", plain=True)
    whole_game("Othello", plain=False)
    cleared(second_tab())
    lies()
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"own_key.py: {failure}")
finally:
    browser.close()
