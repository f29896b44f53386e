"""The page that checks files of games, opened from disk in headless Chromium.

Usage: verify.py CHROMIUM PAGE GOOD BAD FOUR ROUNDS CHANGED. GOOD, BAD, FOUR and ROUNDS are files of games: a good one,
one that was tampered with, and good ones of Connect Four and of the prisoner's dilemma. CHANGED is the page with a
script of somebody else in it. Prints a line for each thing that was seen to hold, and `checked` in the end.
"""

import base64
import json
import os
import sys
import tempfile

# No folder of compiled files among the sources.
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(__file__), "../Reader"))
import strange  # noqa: E402
from chromium import Browser  # noqa: E402

MARKUP = b"<img src=x onerror=document.title='1'>"


def hostile_room(folder):
    """A room whose creator's name would be markup."""
    strange.PROFILE = bytes([len(MARKUP)]) + MARKUP + b"\0\0"
    creator = strange.Peer(b"markup")
    said = strange.create(bytes(16), strange.content())
    event = strange.Entry(creator, "create", strange.ZERO, None, [], said)
    path = os.path.join(folder, "<b>hostile.parlor")
    with open(path, "wb") as file:
        file.write(strange.bundle(event.id, [event]))
    return path


def long_room(folder):
    """A room of many events, which takes a while."""
    creator = strange.Peer(b"long")
    events = [strange.Entry(creator, "create", strange.ZERO, None, [], strange.create(bytes(16), strange.content()))]
    for _ in range(1_500):
        events.append(strange.Entry(creator, "chat", events[0].id, events[-1], [], b"\0\2hm"))
        # What lies in the past of what is of no use here, and grows with the square of the events.
        events[-1].past = set()
    path = os.path.join(folder, "long.parlor")
    with open(path, "wb") as file:
        file.write(strange.bundle(events[0].id, events))
    return path


def choose(page, path):
    """Chooses a file as a person does, and waits for the verdict."""
    page.value("document.getElementById('verdict').className = ''")
    document = page.ask("DOM.getDocument")["root"]["nodeId"]
    field = page.ask("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
    page.ask("DOM.setFileInputFiles", nodeId=field, files=[path])
    page.wait("document.getElementById('verdict').className !== ''")
    return page.value("document.getElementById('verdict').className"), page.value("document.body.innerText")


def drop(page, path):
    """Drops a file, and waits for the verdict."""
    with open(path, "rb") as file:
        content = base64.b64encode(file.read()).decode()
    page.value(f"""(() => {{
        document.getElementById("verdict").className = "";
        const carried = new DataTransfer();
        const bytes = Uint8Array.from(atob({json.dumps(content)}), letter => letter.charCodeAt(0));
        carried.items.add(new File([bytes], "dropped.parlor"));
        document.body.dispatchEvent(new DragEvent("drop", {{dataTransfer: carried, bubbles: true, cancelable: true}}));
    }})()""")
    page.wait("document.getElementById('verdict').className !== ''")
    return page.value("document.getElementById('verdict').textContent")


def hold(what, holds, shown=""):
    if not holds:
        raise AssertionError(f"{what} does not hold: {shown}")
    print(what, flush=True)


def main(program, path, good, bad, four, rounds, changed):
    browser, folder = Browser(program), tempfile.TemporaryDirectory()
    try:
        page = browser.page(f"file://{path}")
        page.wait("document.readyState === 'complete' && document.getElementById('file') !== null")
        hold("a page from disk has WebCrypto", page.value("isSecureContext && 'subtle' in crypto"))
        verdict, shown = choose(page, good)
        hold("a good game is good", verdict == "good" and "Who plays" in shown, shown)
        hold("it has a board", page.value("document.querySelectorAll('svg .cell').length") % 9 == 0)
        hold("the board has stones", page.value("document.querySelectorAll('svg circle').length") >= 5)
        verdict, shown = choose(page, rounds)
        hold("a good game with rounds is good", verdict == "good" and "game 1" in shown, shown)
        hold("it has no board", page.value("document.querySelector('svg') === null"))
        verdict, shown = choose(page, bad)
        hold("a changed game is false", verdict == "bad" and "BAD: " in shown, shown)
        verdict, shown = choose(page, four)
        hold("Connect Four is good", verdict == "good" and "connect-four" in shown, shown)
        hold("four stones are marked", page.value("document.querySelectorAll('svg .won').length") >= 4)
        verdict, shown = choose(page, hostile_room(folder.name))
        hold("names are texts", verdict == "good" and MARKUP.decode() in shown, shown)
        hold("no markup came in", page.value("document.querySelectorAll('img, b').length") == 0)
        hold("a dropped file is checked", "dropped.parlor is good" in drop(page, good))
        page.value("""(() => {
            window.turns = 0;
            const turn = () => { window.turns += 1; setTimeout(turn, 0); };
            turn();
        })()""")
        verdict, _ = choose(page, long_room(folder.name))
        hold("the page goes on while it checks", verdict == "good" and page.value("window.turns") > 5)
        page.resize(320)
        hold("it fits a narrow screen", page.value("document.documentElement.scrollWidth") <= 320)
        hold("nothing went wrong", page.errors == [], page.errors)
        other = browser.page(f"file://{changed}")
        other.wait("document.readyState === 'complete'")
        hold("no other script runs in it", other.value("document.title") == "Check a game of Parlor")
        hold("and that is said", any("Content Security Policy" in error for error in other.errors), other.errors)
        print("checked")
    finally:
        browser.close()
        folder.cleanup()


if __name__ == "__main__":
    main(*sys.argv[1:])
