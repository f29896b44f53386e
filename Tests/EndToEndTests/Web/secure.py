"""A person with a key of the browser at a page over TLS that comes from another machine, in headless Chromium.

Usage: secure.py CHROMIUM CERTIFICATE URL PLAIN. The certificate is that of the page at URL; PLAIN is a page without
TLS. Both servers are on the loopback, and the browser is told that they are elsewhere. A bot keeps a game of
tic-tac-toe open at URL. Prints `done NAME` after each part, and `room ID` after the game. Ends with status 1 and words
where anything is wrong.
"""

import base64
import hashlib
import ssl
import subprocess
import sys
import urllib.parse

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
from chromium import Browser  # noqa: E402
from page_checks import OVER, check, clean, decide, enter, move, named, reload  # noqa: E402

# An address of no machine (RFC 5737).
ELSEWHERE = "192.0.2.7"
program, certificate, url, plain_url = sys.argv[1:]
FREE = """[...document.querySelectorAll('.tables li')].find(one => one.textContent.includes('Tic-tac-toe')
    && one.textContent.includes('1 free'))"""


def elsewhere(address):
    place = urllib.parse.urlsplit(address)
    return place._replace(netloc=f"{ELSEWHERE}:{place.port}").geturl()


def trusted():
    """What the browser knows the certificate's key by."""
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-pubkey"], capture_output=True, check=True)
    lines = key.stdout.decode().replace("PUBLIC KEY", "CERTIFICATE")
    return base64.b64encode(hashlib.sha256(ssl.PEM_cert_to_DER_cert(lines)).digest()).decode()


def without():
    """Without TLS the browser keeps no key from the page, and nobody is asked."""
    page = enter(browser, elsewhere(plain_url), "Bo")
    check(not page.value("isSecureContext"), "plain HTTP from elsewhere is a secure context")
    page.close()
    print("done plain", flush=True)


def game():
    page = enter(browser, elsewhere(url), "Ada")
    check(page.value("isSecureContext && crypto.subtle !== undefined"), "TLS makes no secure context")
    page.wait(f"{FREE} !== undefined")
    page.click(f"[data-room={page.value(FREE + '.querySelector(`[data-room]`).dataset.room')}]")
    page.click("[data-act=join-key]")
    page.wait("document.querySelector('#question').open")
    named(page)
    decide(page, copy=True)
    page.wait("document.querySelector('.key-words').textContent.includes('of this browser plays here')")
    is_new = True
    while True:
        page.wait(f"document.querySelector('.legal') !== null || {OVER}")
        if page.value(OVER):
            break
        move(page)
        if is_new:
            reload(page)
        is_new = False
    seats = page.value("document.querySelector('.seats').innerText")
    check("Ada" in seats and "kept by a server" not in seats, f"the seats are {seats!r}")
    clean(page)
    print("room", page.value("location.hash.slice(1)"), flush=True)
    print("done game", flush=True)
    return page


def key(page):
    """WebCrypto signs, and the key can be copied, because that was wanted."""
    own = page.value("document.querySelector('#own-key').innerText")
    check("Keep a copy" in own and "cannot be read" not in own, f"of the key it says {own!r}")
    kept = page.value("""new Promise((done, fail) => {
        const request = indexedDB.open('parlor');
        request.onerror = () => fail(request.error);
        request.onsuccess = () => {
            const found = request.result.transaction('keys').objectStore('keys').get('own');
            found.onsuccess = () => done([found.result.key?.extractable, found.result.seed?.length]);
        };
    })""")
    check(kept == [False, 32], f"the browser keeps {kept}")
    print("done key", flush=True)


def link(page):
    """What a table's code for cameras leads to, and the socket, are of the page's own address."""
    page.click("#home")
    page.wait("document.querySelector('select[name=game]') !== null")
    page.choose("select[name=bot]", "")
    page.click("[data-act=host]")
    page.wait("document.querySelector('[data-act=qr]') !== null")
    page.click("[data-act=qr]")
    page.wait("document.querySelector('.qr svg') !== null")
    words = page.value("document.querySelector('.qr svg').getAttribute('aria-label')")
    check(f"https://{ELSEWHERE}:" in words, f"the code says {words!r}")
    clean(page)
    print("done link", flush=True)


browser = Browser(
    program, f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    f"--ignore-certificate-errors-spki-list={trusted()}")
try:
    without()
    seat = game()
    key(seat)
    link(seat)
except (AssertionError, RuntimeError, TimeoutError) as failure:
    sys.exit(f"secure.py: {failure}")
finally:
    browser.close()
