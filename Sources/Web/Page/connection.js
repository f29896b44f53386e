// The socket, by the sub-protocol parlor.1 (Docs/SOCKET.md): requests and their answers, and what comes unasked.
// A connection that is lost is made again, after pauses that grow.

const shortestPause = 500;
const longestPause = 15000;
/** How long an answer may take when nobody knows whether the connection still is one. */
const answerMilliseconds = 5000;
/** The server takes 8 messages a second in the long run, and 32 at once. */
const messagesPerSecond = 7;
const messagesAtOnce = 24;

/** Why a request was not done, in the server's words. */
export class Refused extends Error {}

export class Connection {
  /** `greet` says hello on a new socket; `tell` gets what comes unasked; `note` is told how the connection stands. */
  constructor(greet, tell, note) {
    Object.assign(this, { greet, tell, note });
    this.socket = null;
    this.waiting = new Map();
    this.outbox = [];
    this.lastId = 0;
    this.pause = shortestPause;
    this.timer = null;
    this.credit = messagesAtOnce;
    this.credited = performance.now();
    // A page that is left may be kept by the browser, socket and all: others would go on seeing it here.
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", event => { if (event.persisted) this.retryNow(); });
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.wake(); });
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    this.note("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/game`, "parlor.1");
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = event => this.received(JSON.parse(event.data));
    socket.onclose = event => this.closed(socket, event.reason);
  }

  async opened(socket) {
    this.credit = messagesAtOnce;
    try {
      await this.greet((type, members) => this.request(type, members));
    } catch (error) {
      if (this.socket === socket) this.note("refused", error.message);
      return;
    }
    if (this.socket !== socket) return;
    this.pause = shortestPause;
    this.isGreeted = true;
    this.note("connected");
  }

  closed(socket, reason) {
    if (this.socket !== socket) return;
    this.socket = null;
    socket.onmessage = null;
    socket.close();
    this.isGreeted = false;
    this.outbox = [];
    for (const { reject } of this.waiting.values()) reject(new Refused("the connection was lost: try again"));
    this.waiting.clear();
    this.note("lost", reason, Math.ceil(this.pause / 1000));
    this.timer = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 4));
    this.pause = Math.min(this.pause * 2, longestPause);
  }

  /** Somebody looks again, or the network is back: there is no reason to wait longer. */
  retryNow() {
    if (this.timer === null) return;
    this.pause = shortestPause;
    this.open();
  }

  /** Somebody looks again, perhaps after the device has slept: whether the socket still lives is seen by an answer. */
  wake() {
    this.retryNow();
    const { socket } = this;
    if (!this.isGreeted) return;
    const timer = setTimeout(() => this.closed(socket, ""), answerMilliseconds);
    this.request("games").then(() => clearTimeout(timer), () => clearTimeout(timer));
  }

  /** Closes the socket and makes another one, such as for another person. */
  restart() {
    if (this.socket) this.socket.close();
    this.retryNow();
  }

  /** Asks for something. Fails with `Refused` where nothing was done. */
  ask(type, members = {}) {
    if (!this.isGreeted) return Promise.reject(new Refused("not connected: the page tries again by itself"));
    return this.request(type, members);
  }

  request(type, members = {}) {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.outbox.push(JSON.stringify({ type, id, ...members }));
      this.send();
    });
  }

  /** Sends what waits, as fast as the server takes it. */
  send() {
    const now = performance.now();
    this.credit = Math.min(messagesAtOnce, this.credit + (now - this.credited) * messagesPerSecond / 1000);
    this.credited = now;
    while (this.outbox.length > 0 && this.credit >= 1 && this.socket?.readyState === WebSocket.OPEN) {
      this.credit -= 1;
      this.socket.send(this.outbox.shift());
    }
    if (this.outbox.length > 0) setTimeout(() => this.send(), 1000 / messagesPerSecond);
  }

  received(message) {
    if (message.type !== "done" && message.type !== "error") return this.tell(message);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return undefined;
    if (message.type === "done") return waiting.resolve(message);
    return waiting.reject(new Refused(message.words));
  }
}
