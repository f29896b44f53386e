"""Headless Chromium, driven over the debugging protocol through a pipe."""

import base64
import fcntl
import json
import os
import subprocess
import tempfile
import threading
import time

LIMIT_SECONDS = 120


class Browser:
    """One browser, whose pages share nothing with each other."""

    def __init__(self, program, *more):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (to_read, self.to), (self.out, to_write) = os.pipe(), os.pipe()
        # Clear of the two numbers at which the browser looks for them.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_read, to_write)]
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        options += [*more, "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(
            [program, *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(3, 4), preexec_fn=lambda: (os.dup2(ends[0], 3), os.dup2(ends[1], 4)))
        for end in [to_read, to_write, *ends]:
            os.close(end)
        self.changed = threading.Condition()
        self.answers, self.pages, self.last = {}, {}, 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        rest = b""
        while piece := os.read(self.out, 1 << 16):
            *messages, rest = (rest + piece).split(b"\0")
            for message in map(json.loads, messages):
                with self.changed:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    elif page := self.pages.get(message.get("sessionId")):
                        page.note(message)
                    self.changed.notify_all()

    def ask(self, method, session=None, **parameters):
        with self.changed:
            self.last += 1
            number = self.last
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.answers, LIMIT_SECONDS):
                raise TimeoutError(f"the browser does not answer {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def page(self, url, width=800, height=900):
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target, context)
        with self.changed:
            self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Accessibility"):
            page.ask(f"{domain}.enable")
        page.resize(width, height)
        page.ask("Page.navigate", url=url)
        return page

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Page:
    """A page, and what its console said of errors."""

    def __init__(self, browser, session, target, context):
        self.browser, self.session, self.target, self.context = browser, session, target, context
        self.errors = []

    def note(self, message):
        kind, values = message["method"], message["params"]
        if kind == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.errors.append(values["entry"]["text"])
        if kind == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(values["exceptionDetails"]))
        if kind == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(values["args"]))

    def ask(self, method, **parameters):
        return self.browser.ask(method, self.session, **parameters)

    def value(self, expression):
        """What an expression is there; a promise is awaited."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition):
        """Waits until an expression holds, looking whenever the page draws."""
        look = f"""new Promise((done, fail) => {{
            const end = performance.now() + {LIMIT_SECONDS * 500};
            const look = () => {{
                let holds = false;
                try {{ holds = {condition}; }} catch {{ }}
                if (holds) done(true); else if (performance.now() > end) done(false); else setTimeout(look, 20);
            }};
            look();
        }})"""
        if not self.value(look):
            shown = self.value("document.body.innerText")
            raise TimeoutError(f"waited for {condition}; the page shows:\n{shown}\nerrors: {self.errors}")

    def find(self, selector, text=None):
        """An expression for the visible element with a selector, and a text in it."""
        words = f" && element.textContent.includes({json.dumps(text)})" if text else ""
        return (f"[...document.querySelectorAll({json.dumps(selector)})]"
                f".find(element => element.getClientRects().length > 0{words})")

    def click(self, selector, text=None):
        """Presses the mouse in the middle of an element, once it is there and can be pressed. A page that is drawn anew
        meanwhile may have put it elsewhere: then it is pressed there."""
        found = self.find(selector, text)
        end = time.monotonic() + LIMIT_SECONDS
        while True:
            self.wait(f"{found} !== undefined && !{found}.disabled")
            place = self.value(f"""(() => {{
                const element = {found};
                if (element === undefined) return null;
                window.isPressed = false;
                element.addEventListener('click', () => window.isPressed = true, {{capture: true, once: true}});
                element.scrollIntoView({{block: 'center'}});
                const box = element.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()""")
            for kind in ("mouseMoved", "mousePressed", "mouseReleased") if place else ():
                button = "none" if kind == "mouseMoved" else "left"
                self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button, clickCount=1)
            # Another page knows of no press.
            if place and self.value("window.isPressed !== false"):
                return
            if time.monotonic() > end:
                raise TimeoutError(f"no press reaches {selector} {text or ''}")

    def tap(self, selector):
        """Taps an element with a finger."""
        self.wait(f"{self.find(selector)} !== undefined")
        place = self.value(f"""(() => {{
            const box = {self.find(selector)}.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        self.ask("Emulation.setTouchEmulationEnabled", enabled=True)
        self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": place[0], "y": place[1]}])
        self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def write(self, selector, text):
        """Types a text into a field."""
        self.wait(f"{self.find(selector)} !== undefined")
        self.value(f"(() => {{ const field = {self.find(selector)}; field.focus(); field.select?.(); }})()")
        self.ask("Input.insertText", text=text)

    def choose(self, selector, value):
        """Chooses an option."""
        self.wait(f"{self.find(selector)} !== undefined")
        self.value(f"""(() => {{
            const field = {self.find(selector)};
            field.value = {json.dumps(value)};
            field.dispatchEvent(new Event('change', {{bubbles: true}}));
        }})()""")

    def key(self, key, code):
        """Presses a key. Enter has a text too, without which it presses no button."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind, more in (("keyDown" if text else "rawKeyDown", text), ("keyUp", {})):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def resize(self, width, height=900):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def keep_downloads(self, folder):
        """From now on what the page gives to keep goes into a folder."""
        self.browser.ask(
            "Browser.setDownloadBehavior", behavior="allow", browserContextId=self.context, downloadPath=folder)

    def close(self):
        self.browser.ask("Target.closeTarget", targetId=self.target)

    def picture(self, path):
        content = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(content))
