"""What holds of every page in headless Chromium, whoever uses it, and how one comes to it."""

import os
import time

from chromium import LIMIT_SECONDS

# What browsers do not give to pages over plain HTTP on a local network.
PLAIN = """Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });"""
# Whether a table says that its game is over.
OVER = "/won|drawn/.test(document.querySelector('.status').textContent)"
# Where pictures of pages are put; none are taken where it is none.
folder = None


def check(holds, words):
    if not holds:
        raise AssertionError(words)


def enter(browser, address, name, plain=False):
    """Opens the page and comes in, without WebCrypto where it is `plain`."""
    page = browser.page("about:blank")
    if plain:
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=PLAIN)
    page.ask("Page.navigate", url=address)
    page.write("input[name=name]", name)
    page.click("button.big", "Come in")
    page.wait("document.body.dataset.connection === 'connected'")
    return page


def decide(page, copy=False):
    """Says whether the key that a browser with WebCrypto makes may be copied; else nobody is asked."""
    if page.value("crypto.subtle !== undefined"):
        page.wait("document.querySelector('#question').open")
        page.click("#question-yes" if copy else "#question-no")


def move(page):
    """Plays the first legal move."""
    count = page.value("document.querySelectorAll('.plies li').length")
    page.click(".legal")
    page.wait(f"document.querySelectorAll('.plies li').length > {count}")


def reload(page):
    page.value("void (window.isOld = true)")
    page.ask("Page.reload")
    came(page, "window.isOld === undefined && document.body.dataset.connection === 'connected'")


def came(page, condition):
    """Waits on a page that is being left: what was asked of the old one has no answer, and is asked of the new one."""
    for left in reversed(range(5)):
        try:
            return page.wait(condition)
        except RuntimeError:
            if left == 0:
                raise
    return None


def clean(page, allowed=()):
    """Nothing went wrong in the page but what is allowed."""
    errors = [error for error in page.errors if not any(words in error for words in allowed)]
    check(not errors, f"the console says: {errors}")


def named(page):
    """Every control has a name, and none is out of the reach of the keyboard."""
    roles = {"button", "link", "textbox", "combobox", "spinbutton", "checkbox", "slider", "listbox", "searchbox"}
    nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in nodes if not node.get("ignored") and node["role"]["value"] in roles]
    check(controls, "there is no control")
    for node in controls:
        check(node.get("name", {}).get("value", "").strip(), f"a control has no name: {node}")


def fits(page, name):
    """The page is as wide as the window at each of these widths, in light and in dark."""
    for width in (320, 800, 1600):
        page.resize(width)
        for scheme in ("light", "dark"):
            page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            wide = page.value("document.documentElement.scrollWidth")
            check(wide <= width, f"{name} is {wide} pixels wide in a window of {width}")
            contrast(page, f"{name}, {width} pixels, {scheme}")
            if folder:
                page.picture(f"{folder}/{name}-{width}-{scheme}.png")
    page.resize(800)
    page.ask("Emulation.setEmulatedMedia", features=[])


def contrast(page, where):
    """Texts stand out from what is behind them as WCAG 2.1 asks at level AA: 4.5 to 1, large ones 3 to 1."""
    page.wait("document.getAnimations().length === 0")
    faint = page.value("""(() => {
        const parts = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
        const light = ([r, g, b]) => {
            const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        const behind = element => {
            for (let at = element; at; at = at.parentElement) {
                const color = parts(getComputedStyle(at).backgroundColor);
                if (color.length === 3 || color[3] === 1) return color;
            }
            return [255, 255, 255];
        };
        const found = [];
        for (const element of document.querySelectorAll('body *:not(svg *)')) {
            const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '');
            if (!own || element.getClientRects().length === 0 || element.disabled) continue;
            const style = getComputedStyle(element);
            const [a, b] = [light(parts(style.color)), light(behind(element))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            if (ratio < (isLarge ? 3 : 4.5)) found.push(element.textContent + ' ' + ratio.toFixed(2));
        }
        return found;
    })()""")
    check(not faint, f"{where}: these are faint: {faint}")


def kept(folder, name):
    """The path of a file that the browser keeps, as soon as all of it is there."""
    path, end = os.path.join(folder, name), time.monotonic() + LIMIT_SECONDS
    while not os.path.exists(path):
        check(time.monotonic() < end, f"{name} does not come; there are {os.listdir(folder)}")
        time.sleep(0.02)
    return path
