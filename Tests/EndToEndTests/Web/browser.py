"""A page in headless Chromium that plays a game by the sub-protocol parlor.1.

Usage: browser.py CHROMIUM. Serves the page on the loopback, and prints `origin ORIGIN`. Reads the address of a server
of sockets, a line each; has the browser open the page, which plays a game against a bot there; and prints what the page
says in the end: `page finished` or `page refused`.
"""

import http.server
import queue
import subprocess
import sys
import tempfile
import threading

PAGE = """<!doctype html><title>A game</title><script>
const said = words => fetch("/said", {method: "POST", body: words});
const socket = new WebSocket("URL", "parlor.1");
let number = 0, open = false;
const ask = (type, members) => socket.send(JSON.stringify({type, id: ++number, ...members}));
socket.onopen = () => {
  open = true;
  ask("hello", {name: "Page"});
  ask("host", {game: "tic-tac-toe", bot: "random"});
};
socket.onerror = () => said(open ? "broken" : "refused");
socket.onmessage = event => {
  const {type, table, words} = JSON.parse(event.data);
  if (type === "error") said(words);
  if (type !== "table") return;
  if (table.phase === "finished") { said("finished"); socket.close(); return; }
  if (table.may.includes("choose"))
    ask("choose", {room: table.room, move: table.moves[0].text, plies: table.plies.length});
};
</script>"""

said, address = queue.Queue(), ""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = PAGE.replace("URL", address).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def do_POST(self):
        said.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
origin = f"http://127.0.0.1:{server.server_port}"
print("origin", origin, flush=True)
while address := sys.stdin.readline().strip():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        options.append(f"--user-data-dir={folder}")
        browser = subprocess.Popen(
            [sys.argv[1], *options, "--remote-debugging-port=0", origin + "/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        print("page", said.get(timeout=600), flush=True)
        browser.terminate()
        browser.wait()
