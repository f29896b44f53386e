"""People in a tournament at the page of `parlor serve --web`, in headless Chromium.

Usage: cup.py CHROMIUM URL CODE TOKEN BIG TABLE [FOLDER]. CODE is of a knock-out of tic-tac-toe with four places that
lets entrants in. BIG is a knock-out of 64 that is over, and TABLE a round robin, which the owner with the TOKEN sees.
Prints `start` where the first one is to be started, and reads a line when it is; prints `done NAME` after each part.
With FOLDER pictures of the page are put there.
"""

import re
import sys
import time

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
import page_checks
from chromium import LIMIT_SECONDS, Browser
import qr
from page_checks import check, clean, fits, named

program, url, code, token, big, table = sys.argv[1:7]
page_checks.folder = sys.argv[7] if len(sys.argv) > 7 else None
browser = Browser(program)
# Who moves first wins.
MOVES = ["1", "4", "2", "5", "3"]
HOSTILE = "<b>Bo</b><img src=x>"


def enter(name, address=url):
    page = browser.page(address)
    page.write("input[name=name]", name)
    page.click("button.big", "Come in")
    page.wait("document.body.dataset.connection === 'connected'")
    return page


def play(pages):
    """Plays on wherever it is somebody's turn, until all see at their tables or at the tournament that it is over."""
    end, seen = time.monotonic() + LIMIT_SECONDS, set()
    while True:
        for page in pages:
            seen.add((page, page.value("location.hash")))
            count = page.value("""document.querySelector('.board .legal') === null ? -1
                : document.querySelectorAll('.plies li').length""")
            if count < 0:
                continue
            page.click(f"[data-move=\"{MOVES[count]}\"]")
            page.wait(f"document.querySelectorAll('.plies li').length !== {count}"
                      " || document.querySelector('.board .legal') === null")
        if watcher.value("document.querySelector('.status').textContent.includes('has won the tournament')"):
            return {page: {place for one, place in seen if one is page} for page in pages}
        check(time.monotonic() < end, "the tournament does not end: " + watcher.value("document.body.innerText"))


def shown_code(page):
    """What a camera reads of the code that the page shows."""
    page.click("[data-act=qr]")
    page.wait("document.querySelector('.qr .dark') !== null")
    size = int(page.value("document.querySelector('.qr svg').getAttribute('viewBox')").split()[2]) - 8
    rows = [[False] * size for _ in range(size)]
    for x, y in re.findall(r"M(\d+) (\d+)", page.value("document.querySelector('.qr .dark').getAttribute('d')")):
        rows[int(y) - 4][int(x) - 4] = True
    return qr.read(rows)


def no_markup(page):
    check(page.value("document.querySelectorAll('main img, main b').length") == 0, "a text became markup")


def four_play():
    global watcher
    watcher = enter("Eve")
    watcher.click(f"[data-room={code}]")
    watcher.wait("document.querySelector('.tournament') !== null")
    pages = [enter(name, f"{url}#{code}") for name in ("Ada", HOSTILE, "Cy", "Di")]
    for number, page in enumerate(pages):
        page.click("[data-act=join]")
        watcher.wait(f"document.querySelector('.status').textContent.includes('{number + 1} of 4')")
    check(shown_code(pages[0]) == f"{url}#{code}", "the code leads elsewhere")
    named(pages[0])
    fits(pages[0], "entrants")
    print("start", flush=True)
    sys.stdin.readline()
    # Nobody presses anything: the tables open by themselves.
    for page in pages:
        page.wait(f"location.hash !== '#{code}' && document.querySelectorAll('.seat').length === 2")
    watcher.wait("document.querySelectorAll('.playing li').length === 2")
    named(watcher)
    places = play(pages)
    check(sorted(len(seen) for seen in places.values()) == [1, 1, 2, 2], f"they were at {places}")
    for page in pages:
        page.click("[data-act=tournament]")
        page.wait("document.querySelector('.status').textContent.includes('has won the tournament')")
    for page in pages + [watcher]:
        check(page.value("document.querySelectorAll('.bracket .place').length") == 3, "the bracket has other places")
        rows = page.value("[...document.querySelectorAll('.standings tbody tr')].map(row => row.cells[0].textContent)")
        check(rows == ["1", "2", "3", "3"], f"the ranks are {rows}")
        own = page.value("document.querySelectorAll('.standings .own').length")
        check(own == (0 if page is watcher else 1), "whose line it is")
        check(HOSTILE in page.value("document.querySelector('.standings').textContent"), "a name is another one")
        no_markup(page)
        clean(page)
        over = page.value("""[...document.querySelectorAll('.bracket .points')].filter(points => (
            points.previousSibling.getBoundingClientRect().right > points.getBoundingClientRect().left)).length""")
        check(over == 0, "a name runs into its points")
    fits(watcher, "cup")
    # A place of the bracket leads to its last game, which anybody may look at.
    watcher.click(".bracket a[data-pairing=M3]")
    watcher.wait("document.querySelectorAll('.board .mark').length === 5")
    print("done cup", flush=True)


def look_at_others():
    page = enter("Owner", f"{url}#token={token}")
    page.wait("document.querySelector('#person').textContent.includes('owner')")
    page.value(f"void (location.hash = '#{big}')")
    page.wait("document.querySelectorAll('.bracket .place').length === 63")
    fits(page, "bracket")
    read = page.value("""(() => {
        const boxes = [...document.querySelectorAll('.bracket rect')].map(place => place.getBoundingClientRect());
        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const overlaps = boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => meet(a, b))).length;
        const outside = [...document.querySelectorAll('.bracket a')].filter(place => {
            const box = place.querySelector('rect').getBoundingClientRect();
            return [...place.querySelectorAll('text')].some(text => {
                const own = text.getBoundingClientRect();
                return own.left < box.left || own.right > box.right || own.height < 11;
            });
        }).length;
        const around = document.querySelector('.bracket .scroll');
        return { overlaps, outside, scrolls: around.scrollHeight > around.clientHeight };
    })()""")
    check(read == {"overlaps": 0, "outside": 0, "scrolls": True}, f"the bracket of 64 cannot be read: {read}")
    wide = "document.querySelector('.bracket svg').getBoundingClientRect().width"
    width = page.value(wide)
    page.click("[data-act=Smaller]")
    check(page.value(wide) < width, "the bracket does not become smaller")
    page.click("[data-act=Larger]")
    page.click("[data-act=Larger]")
    check(page.value(wide) > width, "the bracket does not become larger")
    named(page)
    page.value(f"void (location.hash = '#{table}')")
    page.wait("document.querySelectorAll('.crosstable tbody tr').length === 4")
    crosses = page.value("""[...document.querySelectorAll('.crosstable tbody tr')].map((row, index) =>
        row.cells[index + 2].textContent).join('')""")
    check(crosses == "××××", f"the crosstable is another one: {crosses!r}")
    check(page.value("document.querySelectorAll('.rounds li a').length") == 6, "the round robin has six pairings")
    named(page)
    fits(page, "crosstable")
    clean(page)
    print("done others", flush=True)


try:
    four_play()
    look_at_others()
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"cup.py: {failure}")
finally:
    browser.close()
