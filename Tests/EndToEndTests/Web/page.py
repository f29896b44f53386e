"""People at the page of `parlor serve --web`, in headless Chromium.

Usage: page.py CHROMIUM URL TOKEN QUIZ RACE DRAWING [FOLDER]. QUIZ is how to come into a quiz of two questions,
CODE-JOINCODE, and RACE the code of a race to five taps; both begin with one player. DRAWING is the code of a drawing
game of one word, which begins with two. Plays what is written below and prints `done NAME`
after each part. Prints `kill` where the server is to be killed, and reads a line when there is another one at the same
address. With FOLDER pictures of the page are put there. Ends with status 1 and words where anything is wrong.
"""

import sys
import tempfile

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
import page_checks
from chromium import Browser
from page_checks import check, clean, decide, fits, kept, named, reload
from verify import drop

HOSTILE = "<img src=x onerror=\"window.stolen=1\"><script>window.stolen=1</script>\u202e\u001b[31m&lt;b&gt;"

url, token = sys.argv[2], sys.argv[3]
quiz, race, drawing = sys.argv[4:7]
page_checks.folder = sys.argv[7] if len(sys.argv) > 7 else None
browser = Browser(sys.argv[1])


def enter(name, emoji="", address=url):
    page = browser.page(address)
    page.write("input[name=name]", name)
    page.write("input[name=emoji]", emoji) if emoji else None
    page.click("button.big", "Come in")
    page.wait("document.body.dataset.connection === 'connected'")
    return page


def host(page, game, bot="", seat="first"):
    """Opens a table, of the game that is chosen where none is named, and says its code."""
    page.wait("document.querySelector('select[name=game]') !== null")
    if game:
        page.choose("select[name=game]", game)
    page.choose("select[name=bot]", bot)
    page.value("document.querySelector('details').open = true")
    page.choose("select[name=seat]", seat)
    page.click("[data-act=host]")
    page.wait("location.hash.length === 7 && document.querySelector('.seat') !== null")
    return page.value("location.hash.slice(1)")


def play(page, move):
    page.click(f"[data-move=\"{move}\"]")


def plies(page, count):
    page.wait(f"document.querySelectorAll('.plies li').length === {count}")


def status(page, words):
    page.wait(f"document.querySelector('.status').textContent.includes({words!r})")


def board_has(page, pieces, is_past):
    page.wait(f"document.querySelectorAll('.board .mark').length === {pieces}"
              f" && (document.querySelector('.past') !== null) === {'true' if is_past else 'false'}")


def look_back(ada, bo):
    """Ada, whose turn it is after two plies, looks back while Bo takes his move back."""
    ada.click("[data-act=replay-back]")
    board_has(ada, 1, True)
    words = ada.value("document.querySelector('.replay').textContent")
    check("You look back: after 1 of 2, You: 5. The game goes on, and waits for you." in words, f"it says {words!r}")
    check(not ada.value("document.querySelector('.legal')"), "an earlier position can be played in")
    status(ada, "It is your turn")
    # The keyboard: at a button, and at the slider.
    ada.value("document.querySelector('[data-act=replay-forward]').focus()")
    ada.key("ArrowLeft", 37)
    board_has(ada, 0, True)
    ada.value("document.querySelector('input[name=replay]').focus()")
    ada.key("End", 35)
    board_has(ada, 2, False)
    ada.key("ArrowLeft", 37)
    board_has(ada, 1, True)
    named(ada)
    fits(ada, "replay")
    bo.click("[data-act=undo]")
    ada.click("[data-act=agree]")
    plies(ada, 1)
    board_has(ada, 1, False)


def look_at_moves(ivy):
    """Who looks back asks what the moves were worth, and goes to the one that lost the game."""
    text = "document.querySelector('.replay').textContent"
    ivy.click("[data-act=analyze]")
    ivy.wait(f"{text}.includes('% of the moves were as good as any')")
    check(not ivy.value("document.querySelector('[data-act=analyze]').checkVisibility()"), "it can be asked for again")
    ivy.click("[data-act=replay-first]")
    ivy.click("[data-act=replay-forward]")
    ivy.wait(f"{text}.includes('Worth: a draw. No move was better.')")
    ivy.click("[data-act=losing]")
    words = ivy.value(text)
    for part in ("after 2 of 5", "A mistake: loses. Best was 1: a draw.", "Ada: 100 % of", "</b>: 50 % of"):
        check(part in words, f"it says {words!r}")
    named(ivy)
    fits(ivy, "review")


def visible(page, selector):
    return page.value(f"document.querySelector({selector!r})?.checkVisibility() ?? false")


def play_on(ivy, code):
    """Who looks back plays on from there: against a bot, by the keyboard, and with a friend who has the code."""
    check(not visible(ivy, "[data-act=branch]"), "one can play on where a game is over")
    ivy.click("[data-act=replay-first]")
    for count in (1, 2, 3):
        ivy.click("[data-act=replay-forward]")
        board_has(ivy, count, True)
    ivy.choose("select[name=branch-bot]", "level:1")
    # Keys that step through positions choose here.
    ivy.value("document.querySelector('select[name=branch-bot]').focus()")
    ivy.key("ArrowLeft", 37)
    board_has(ivy, 3, True)
    ivy.choose("select[name=branch-bot]", "level:1")
    ivy.value("document.querySelector('[data-act=branch]').focus()")
    ivy.key("Enter", 13)
    ivy.wait(f"location.hash.length === 7 && location.hash !== '#{code}'")
    board_has(ivy, 3, False)
    status(ivy, "It is your turn")
    branch = ivy.value("location.hash.slice(1)")
    link = "document.querySelector('[data-act=origin]')"
    words = ivy.value(f"{link}.parentElement.textContent")
    check(words == "This table goes on from another one: game 1, after 3 moves", f"it says {words!r}")
    named(ivy)
    fits(ivy, "branch")
    ivy.click(".legal")
    ivy.wait("document.querySelectorAll('.plies li').length > 4")
    # Back to where it comes from, and from there to a table for two.
    ivy.value(f"{link}.focus()")
    ivy.key("Enter", 13)
    ivy.wait("document.querySelector('.replay')?.textContent.includes('You look back: after 3 of 5')")
    board_has(ivy, 3, True)
    ivy.click("[data-act=replay-back]")
    board_has(ivy, 2, True)
    ivy.choose("select[name=branch-bot]", "")
    ivy.click("[data-act=branch]", "Play on from here")
    ivy.wait("document.querySelector('.status').textContent === 'Waiting for one more player.'")
    friend = ivy.value("location.hash.slice(1)")
    check(friend not in (code, branch), "no other table was opened")
    kai = enter("Kai", address=f"{url}#{friend}")
    kai.click("[data-act=join]")
    board_has(kai, 2, False)
    status(ivy, "It is your turn")
    ivy.click(".legal")
    plies(kai, 3)
    clean(kai)
    kai.close()
    ivy.value(f"void (location.hash = '#{code}@99')")
    board_has(ivy, 5, False)


def by_a_link_to_a_position(code):
    """Somebody who looks on opens the third position of a game that is over, and goes through the others."""
    ivy = enter("Ivy", address=f"{url}#{code}@2")
    board_has(ivy, 2, True)
    check(ivy.value("document.querySelectorAll('.board .marked').length") == 1, "the last move is not marked")
    check(ivy.value("document.querySelector('[data-act=replay-link]').hash") == f"#{code}@2", "another link")
    ivy.click("[data-act=replay-first]")
    board_has(ivy, 0, True)
    for count in (1, 2, 3):
        ivy.click("[data-act=replay-forward]")
        board_has(ivy, count, True)
    look_at_moves(ivy)
    ivy.click("[data-act=replay-last]")
    board_has(ivy, 5, False)
    play_on(ivy, code)
    clean(ivy)


def keep_and_check(page, code):
    """Keeps a game's file and the page that checks it, which says from disk whether the file is as it was signed."""
    with tempfile.TemporaryDirectory() as place:
        page.keep_downloads(place)
        page.click("[data-act=download]")
        page.wait("document.querySelector('.download').textContent.includes('100 %')")
        game = kept(place, f"{code}.parlor")
        page.click("[data-act=verify]")
        checker = kept(place, "verify.html")
        alone = browser.page(f"file://{checker}")
        alone.wait("document.readyState === 'complete' && document.getElementById('file') !== null")
        said = drop(alone, game)
        check("dropped.parlor is good" in said, f"of a game as it was kept it says {said!r}")
        check("tic-tac-toe" in alone.value("document.body.innerText"), "it does not say which game that is")
        with open(game, "r+b") as file:
            content = bytearray(file.read())
            content[len(content) // 2] ^= 1
            file.seek(0)
            file.write(content)
        said = drop(alone, game)
        check("dropped.parlor is false" in said, f"of a game that was changed it says {said!r}")
        check("BAD: " in alone.value("document.body.innerText"), "it does not say what is bad")
        clean(alone)
        alone.close()


def look_back_in_a_series(gil, hal):
    """In the second game of a series Gil looks back to the first, while Hal plays on."""
    gil.click("#home")
    gil.wait("document.querySelector('input[name=games]') !== null")
    gil.choose("select[name=game]", "tic-tac-toe")
    gil.value("document.querySelector('details').open = true")
    gil.write("input[name=games]", "2")
    code = host(gil, "")
    hal.value(f"void (location.hash = '#{code}')")
    hal.click("[data-act=join]")
    status(gil, "It is your turn")
    play(gil, "5")
    plies(hal, 1)
    hal.click("[data-act=resign]")
    hal.click("#question-yes")
    hal.wait("document.querySelector('h2').textContent.includes('game 2 of 2')")
    status(hal, "It is your turn")
    check(gil.value("document.querySelector('.replay').hidden") is False, "the first game cannot be looked at")
    gil.choose("select[name=replay-game]", "1")
    board_has(gil, 0, True)
    gil.click("[data-act=replay-last]")
    board_has(gil, 1, True)
    named(gil)
    play(hal, "1")
    plies(gil, 1)
    status(gil, "It is your turn")
    board_has(gil, 1, True)
    check(gil.value("document.querySelector('[data-act=replay-link]').hash") == f"#{code}@1.1", "another link")
    gil.choose("select[name=replay-game]", "2")
    board_has(gil, 0, True)
    gil.click("[data-act=replay-forward]")
    board_has(gil, 1, False)
    gil.wait("document.querySelectorAll('.legal').length === 8")
    gil.value(f"void (location.hash = '#{code}@1.0')")
    board_has(gil, 0, True)
    gil.value(f"void (location.hash = '#{code}')")
    board_has(gil, 1, False)


def two_play():
    ada, bo = enter("Ada", "🐱"), enter("<b>Bo</b>")
    named(ada)
    fits(ada, "lobby")
    code = host(ada, "tic-tac-toe")
    bo.click(f"[data-room={code}]")
    bo.click("[data-act=join]")
    status(ada, "It is your turn")
    play(ada, "5")
    plies(bo, 1)
    check(bo.value("document.querySelectorAll('.marked').length") == 1, "the last move is not marked")
    check(bo.value("document.querySelectorAll('.legal').length") == 8, "the legal moves are not marked")
    play(bo, "1")
    plies(ada, 2)
    # Bo thinks better of it.
    look_back(ada, bo)
    plies(bo, 1)
    # The keyboard alone: from the first cell of the board, which is legal, to the next.
    bo.value("document.querySelector('.board [tabindex=\"0\"]').focus()")
    bo.key("ArrowRight", 39)
    bo.key("Enter", 13)
    plies(ada, 2)
    check("you" not in ada.value("document.querySelectorAll('.plies li')[1].textContent").lower(), "whose move it was")
    bo.write("input[name=text]", HOSTILE)
    bo.click("button", "Send")
    for page in (ada, bo):
        page.wait("document.querySelectorAll('.chat li').length === 1")
        said = page.value("document.querySelector('.chat li span').textContent")
        is_safe = "<img src=x onerror=" in said and "\u202e" not in said and "\u001b" not in said
        check(is_safe, f"the chat shows {said!r}")
        shown = page.value("document.querySelectorAll('main img, main script, .seats b b').length")
        check(shown == 0 and page.value("window.stolen") is None, "a text of others became markup")
    names = ada.value("document.querySelector('.seats').textContent")
    check("<b>Bo</b>" in names, f"the name is shown as {names!r}")
    named(ada)
    fits(ada, "table")
    clean(ada)
    clean(bo)
    print("done table", flush=True)
    print("kill", flush=True)
    sys.stdin.readline()
    for page in (ada, bo):
        page.wait("document.body.dataset.connection === 'connected'")
    play(ada, "3")
    plies(bo, 3)
    play(bo, "1")
    play(ada, "7")
    for page, words in ((ada, "You have won"), (bo, "has won")):
        status(page, words)
    by_a_link_to_a_position(code)
    keep_and_check(ada, code)
    print("done game", flush=True)
    ada.click("[data-act=rematch]")
    ada.wait(f"location.hash !== '#{code}'")
    bo.click("[data-act=rematch]")
    bo.wait(f"location.hash !== '#{code}'")
    check(ada.value("location.hash") == bo.value("location.hash"), "two next games")
    ada.wait("document.querySelectorAll('.seat .presence').length === 2")
    status(bo, "turn")
    bo.click("[data-act=resign]")
    bo.click("#question-no")
    bo.click("[data-act=resign]")
    named(bo)
    bo.click("#question-yes")
    status(ada, "has resigned")
    for page in (ada, bo):
        clean(page, ["WebSocket connection to"])
    print("done rematch", flush=True)


def by_link():
    gil = enter("Gil")
    gil.wait("document.querySelector('select[name=game]') !== null")
    gil.choose("select[name=game]", "prisoners-dilemma")
    gil.write("input[name='setting:rounds']", "2")
    code = host(gil, "", seat="random")
    hal = enter("Hal", address=f"{url}#{code.lower()}")
    hal.click("[data-act=join]")
    for number in (1, 2):
        gil.click("button", "Defect")
        gil.wait("document.querySelectorAll('.choices button').length === 0")
        hal.click("button", "Cooperate")
        for page in (gil, hal):
            page.wait(f"document.querySelectorAll('.plies tbody tr').length === {number}")
    status(gil, "You have won")
    gil.click("[data-act=replay-first]")
    gil.wait("document.querySelector('.replay').textContent.includes('You look back: the start.')")
    gil.click("[data-act=replay-forward]")
    gil.wait("document.querySelector('.replay').textContent.includes('after 1 of 2: Defect, Cooperate.')")
    check(not visible(gil, "[data-act=branch]"), "one can play on from a round")
    rounds = gil.value("[...document.querySelectorAll('.plies tbody tr')].map(row => row.innerText)")
    check(all("Defect" in row and "Cooperate" in row for row in rounds), f"the rounds are {rounds}")
    gil.click("#home")
    code = host(gil, "tic-tac-toe")
    hal.value(f"void (location.hash = '#{code}')")
    hal.click("[data-act=join]")
    gil.wait("document.querySelector('.legal') !== null")
    gil.tap("[data-move=\"5\"]")
    plies(hal, 1)
    gil.wait("document.title === 'Tic-tac-toe'")
    hal.wait("document.title === '● Tic-tac-toe'")
    hal.click("[data-act=offer-draw]")
    gil.click("[data-act=decline-draw]")
    hal.wait("document.querySelector('.offers').textContent === ''")
    hal.click("[data-act=offer-draw]")
    gil.click("[data-act=agree-draw]")
    status(hal, "agreed on a draw")
    look_back_in_a_series(gil, hal)
    gil.click("#home")
    code = host(gil, "memory-match")
    hal.value(f"void (location.hash = '#{code}')")
    hal.click("[data-act=join]")
    gil.wait("document.querySelector('.legal') !== null")
    away = "document.querySelector('.seats').textContent.includes('away')"
    hal.ask("Page.navigate", url="about:blank")
    gil.wait(away)
    hal.value("void history.back()")
    gil.wait(f"!{away}")
    hal.close()
    gil.wait(away)
    clean(gil)
    print("done link", flush=True)


def hosted_rounds():
    page = enter("Fay")
    code, join_code = quiz.split("-")
    page.wait(f"document.querySelector('[data-room={code}]') !== null")
    page.click(f"[data-room={code}]")
    page.write("input[name=join-code]", "WRONG")
    page.click("[data-act=join]")
    page.wait("document.querySelector('.hosted').textContent.includes('not the join code')")
    page.write("input[name=join-code]", join_code)
    page.click("[data-act=join]")
    page.wait("document.querySelectorAll('.answer').length === 4")
    shown = page.value("document.querySelector('.hosted').innerText")
    check("<img src=x" in shown and "<i>a</i>" in shown, f"the question is shown as {shown!r}")
    check(page.value("document.querySelectorAll('main img, main i').length") == 0, "a text became markup")
    named(page)
    fits(page, "quiz")
    page.click(".answer-1")
    page.wait("document.querySelector('.hosted').innerText.includes('Two?')")
    page.click(".answer-1")
    page.wait("document.querySelector('.hosted').innerText.includes('Wrong')")
    page.wait("document.querySelector('.answer-2.right') !== null")
    page.click("#home")
    page.click(f"[data-room={race}]")
    page.click("[data-act=join-key]")
    decide(page)
    for _ in range(5):
        page.click("[data-act=tap]")
    fits(page, "race")
    page.wait("document.querySelector('.players').textContent.includes('25 points')")
    clean(page)
    draw_and_guess(page)
    print("done hosted", flush=True)


def draw_and_guess(page):
    """Fay draws a word by mouse and by typing, with a key of her browser; Gus sees it and guesses."""
    other = enter("Gus")
    for one in (page, other):
        one.click("#home")
        one.click(f"[data-room={drawing}]")
        one.click("[data-act=join-key]" if one is page else "[data-act=join]")
        # They draw in the order in which they come in.
        one.wait("document.querySelector('.players').textContent.includes('(you)')")
    page.wait("document.querySelector('.asked').textContent === 'You draw: ice cream'")
    other.wait("document.querySelector('.asked').textContent.includes('draws. A word of 8 letters.')")
    for one in (page, other):
        named(one)
        fits(one, "drawing")
    box = page.value("(box => [box.left, box.top, box.width, box.height])"
                     "(document.querySelector('.sheet').getBoundingClientRect())")
    at = [(box[0] + part * box[2], box[1] + part * box[3]) for part in (0.25, 0.5, 0.75)]
    for kind, (x, y) in zip(("mousePressed", "mouseMoved", "mouseMoved", "mouseReleased"), [*at, at[-1]]):
        page.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    lines = "[...document.querySelectorAll('.sheet polyline')].map(line => line.dataset.points)"
    other.wait(f"{lines}.some(points => points.startsWith('256 192 512 384'))")
    page.write("input[name=guess]", "line red 16 1 2 3 4")
    page.click("[data-act=guess]")
    other.wait(f"{lines}.includes('1 2 3 4')")
    page.click("[data-act=clear]")
    other.wait(f"{lines}.length === 0")
    other.write("input[name=guess]", "<b>sorbet</b>")
    other.click("[data-act=guess]")
    page.wait("document.querySelector('[aria-label=Guesses]').textContent.includes('<b>sorbet</b>')")
    other.write("input[name=guess]", "Ice  CREAM")
    other.click("[data-act=guess]")
    page.wait("document.querySelector('.hosted').innerText.includes('You drew it, ')")
    other.wait("document.querySelector('.hosted').innerText.includes('Right, ')")
    for one in (page, other):
        clean(one)
    other.close()


def against_a_bot():
    page = enter("Cy")
    host(page, "connect-four", "level:1")
    fits(page, "bot")
    while True:
        page.wait("document.querySelector('.legal') !== null"
                  " || /won|drawn/.test(document.querySelector('.status').textContent)")
        if not page.value("document.querySelector('.legal') !== null"):
            break
        count = page.value("document.querySelectorAll('.plies li').length")
        page.click(".legal")
        page.wait(f"document.querySelectorAll('.plies li').length > {count}")
    clean(page)
    print("done bot", flush=True)


def every_game():
    page = enter("Di")
    games = page.value("[...document.querySelectorAll('select[name=game] option')].map(one => one.value)")
    check(len(games) >= 8, f"the page lists {games}")
    for game in games:
        page.choose("select[name=game]", game)
        bot = page.value("document.querySelector('select[name=bot]').options[1].value")
        host(page, game, bot)
        page.wait("document.querySelector('[data-move]') !== null")
        move = page.value("document.querySelector('[data-move]').dataset.move")
        play(page, move)
        page.wait("document.querySelector('.plies') !== null && document.querySelector('.plies').textContent !== ''")
        named(page)
        fits(page, game)
        page.click("#home")
    clean(page)
    print("done games", flush=True)


def the_owner():
    page = enter("Eve", address=f"{url}#token={token}")
    page.wait("document.querySelector('#person').textContent.includes('owner')")
    check(token not in page.value("location.href"), "the token stays in the address")
    check(page.value("Object.values(localStorage).join()").find(token) < 0, "the token is kept for good")
    reload(page)
    page.wait("document.querySelector('#person').textContent.includes('owner')")
    # A guest who has the code comes to the table on which the owner plays on.
    host(page, "tic-tac-toe", "random")
    play(page, "5")
    page.click("[data-act=replay-first]")
    board_has(page, 0, True)
    old = page.value("location.hash")
    page.click("[data-act=branch]")
    page.wait(f"location.hash !== {old!r}")
    page.wait("document.querySelector('.invitation .code')?.textContent === location.hash.slice(1)")
    guest = enter("Flo", address=page.value("location.href"))
    guest.click("[data-act=join]")
    status(page, "It is your turn")
    clean(guest)
    guest.close()
    clean(page)
    wrong = enter("Mallory", address=f"{url}#token={'0' * 32}")
    wrong.wait("document.querySelector('#news').textContent.includes('not the owner')")
    clean(wrong)
    print("done owner", flush=True)


try:
    hosted_rounds()
    by_link()
    two_play()
    against_a_bot()
    every_game()
    the_owner()
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"page.py: {failure}")
finally:
    browser.close()
