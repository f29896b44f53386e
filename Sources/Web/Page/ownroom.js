// One table at which a key of this browser sits: its events, each checked before it counts, and what the seat writes.

import { Behind } from "./store.js";
import { fromHex, toHex } from "./protocol/bytes.js";
import { signedBytes } from "./protocol/events.js";
import { Gathered } from "./protocol/gathered.js";
import { HostedPlayer } from "./protocol/hosted-player.js";
import { canPlay, Player } from "./protocol/player.js";
import { canPlayRounds, RoundPlayer } from "./protocol/round-player.js";
import { checkGathered } from "./protocol/report.js";
import { BadBundle } from "./protocol/verdicts.js";
import { CannotWrite, nextEvent } from "./protocol/writing.js";

/** What is done with a key of this browser, by the names of parlor.1. */
const acts = [
  "join", "choose", "resign", "leave", "say", "enter", "undo", "agree", "claim", "offer-draw", "agree-draw",
  "decline-draw",
];
/** The most bytes of an event that a server takes from a page. */
const largestEvent = 1_792;
/** The most that a seat owes at one moment. */
const largestDuties = 8;
const hexadecimal = /^(?:[0-9a-f]{2})*$/;

/** Who plays by a report; null in a room whose rules a page does not know. */
function playerOf(report, { peer, secret }, guests) {
  const { room, hosted } = report;
  if (hosted) return hosted.rules === null ? null : new HostedPlayer(report, peer, secret);
  if (room && canPlayRounds(room.settings)) return new RoundPlayer(report, peer, secret, guests);
  return room && canPlay(room.settings) ? new Player(report, peer, secret, guests) : null;
}

export class OwnRoom {
  constructor(own, room, show) {
    Object.assign(this, { own, room, show, gathered: new Gathered(own.network, room), incoming: [], player: null });
    // In a room of its own: the seats that are kept for somebody.
    this.guests = null;
    // Own events that the server has not shown, and when something was heard of whom since this page opened the table.
    Object.assign(this, { unheard: new Set(), heard: new Map(), table: null, stopped: null, isReconciled: false });
    this.isFollowing = false;
    this.chain = Promise.resolve();
    this.opened = new Promise(resolve => { this.noteOpened = resolve; });
  }

  /** Does one thing after the other. */
  queue(body) {
    const result = this.chain.then(() => (this.stopped ? null : body()));
    this.chain = result.catch(error => this.fail(error));
    return result;
  }

  fail(error) {
    if (error instanceof BadBundle) {
      const { author, sequence } = error.event ?? {};
      const whose = author ? `, of number ${sequence} of peer ${author.slice(0, 10)}` : "";
      this.stop(`The server shows an event that is false${whose}: ${error.message}.`);
    } else if (error instanceof CannotWrite) {
      this.stop(`${error.message}.`);
    } else {
      this.own.say(error.message);
    }
  }

  /** What was found wrong: from here on this page writes nothing at this table. */
  stop(words) {
    this.stopped = `${words} This page goes on no more at this table.`;
    this.own.say(this.stopped);
    if (this.table) this.draw();
  }

  receive(message) {
    this.queue(async () => {
      if (message.type === "not-followed") this.stop(`The server does not tell this table's events: ${message.words}.`);
      if (message.type === "events") this.incoming.push(...message.events);
      if (message.type === "table") await this.settle(message.table);
    }).catch(() => {}).then(() => {
      if (this.table || this.stopped) this.noteOpened();
    });
  }

  /** Looks again at what is to be done, such as when this tab is the one that writes. */
  again() {
    this.isReconciled = false;
    if (this.table) this.queue(() => this.settle(this.table)).catch(() => {});
  }

  /** All events so far are here, and the table that the server makes of them. */
  async settle(table) {
    const isFirst = this.table === null;
    this.place(isFirst);
    if (this.stopped) return undefined;
    await this.gathered.settleSignatures();
    const bare = this.gathered.bare();
    if (bare) throw new BadBundle("no signature covers it", bare);
    if (this.gathered.events.length === 0) return this.stop("The server shows no events of this table.");
    this.read();
    if (!this.player) return this.stop("This page does not know the rules of this game.");
    if (!this.isReconciled) await this.reconcile();
    if (this.stopped) return undefined;
    if (this.unheard.size > 0 && !isFirst) return undefined;
    const difference = this.unheard.size > 0 ? null : this.player.differenceFrom(table);
    this.table = table;
    if (difference) {
      return this.stop(`The server's table differs from the signed events: ${difference}.`);
    }
    this.draw();
    return this.doDuties();
  }

  /** Takes what came in an order in which each stands behind what it names. */
  place(isFirst) {
    let waiting = this.incoming;
    this.incoming = [];
    while (waiting.length > 0) {
      const later = waiting.filter(one => !this.add(one, isFirst));
      if (later.length === waiting.length) {
        return this.stop("The server withholds events: what it shows names others that it does not show.");
      }
      waiting = later;
    }
    return undefined;
  }

  /** Takes an event; says whether all that it names is here. */
  add({ event: text, signature }, isFirst) {
    const isForm = hexadecimal.test(text) && (signature === null || /^[0-9a-f]{128}$/.test(signature));
    if (!isForm) throw new BadBundle("it is not written as hexadecimal digits");
    const found = this.gathered.take(fromHex(text), signature === null ? null : fromHex(signature));
    if (found === null) return false;
    this.unheard.delete(found.id);
    if (!isFirst && found.author !== this.own.key.peer) this.heard.set(found.author, Date.now());
    return true;
  }

  read() {
    this.report = checkGathered(this.gathered);
    if (this.report.bad) throw this.report.bad;
    this.player = playerOf(this.report, this.own.key, this.guests);
  }

  /** What this browser has written and the server does not show is sent again; what it has not stored is stored. */
  async reconcile() {
    const written = await this.own.store.written(this.room);
    this.guests = written[0]?.guests ?? null;
    for (const { id, body, signature } of written) {
      if (this.gathered.byId.has(id)) continue;
      if (this.gathered.take(body, fromHex(signature)) === null) {
        return this.stop("The server withholds events that this browser has seen: what it wrote before names them.");
      }
      this.unheard.add(id);
    }
    for (const { id, body, signature } of written) {
      if (this.own.isWriter && this.unheard.has(id)) await this.send(body, signature);
    }
    const known = new Set(written.map(({ id }) => id));
    const others = this.gathered.events.filter(({ author, id }) => author === this.own.key.peer && !known.has(id));
    for (const event of others.sort((one, two) => (one.sequence < two.sequence ? -1 : 1))) {
      if (event.sequence <= BigInt(written.length)) {
        throw new CannotWrite("another browser has this key, and has written in this room besides this one");
      }
      await this.own.store.commit(this.room, event, event.signature);
    }
    this.isReconciled = this.own.isWriter;
    this.read();
    return undefined;
  }

  send(body, signature) {
    return this.own.ask("write", { room: this.room, event: toHex(body), signature });
  }

  /** Writes what the seat owes without anybody's decision. */
  async doDuties() {
    for (let left = largestDuties; left > 0 && this.own.isWriter && !this.stopped; left -= 1) {
      const duty = this.player.duty();
      if (!duty) return;
      await this.write(duty);
    }
  }

  /** Writes an event: it is on disk before the server is sent it. */
  async write(action) {
    const event = nextEvent(this.gathered, this.own.key.peer, action, Date.now());
    if (event.body.length > largestEvent) throw new Error("That is too much at once: write or draw less.");
    const signature = await this.own.key.sign(signedBytes(event.id));
    try {
      await this.own.store.commit(this.room, event, signature);
    } catch (error) {
      if (error instanceof Behind) this.again();
      throw error;
    }
    this.own.rooms.add(this.room);
    this.gathered.take(event.body, fromHex(signature));
    this.unheard.add(event.id);
    this.read();
    await this.send(event.body, signature);
  }

  // What the person does

  /** Whether something is done with this browser's key, and not asked of the server. */
  takes(type) {
    return acts.includes(type);
  }

  async act(type, members) {
    await this.opened;
    if (this.stopped) throw new Error(this.stopped);
    return this.queue(async () => {
      if (!this.own.isWriter) throw new Error("Another tab of this browser plays here: this one watches.");
      const actions = this.player.actions(type, members, this.own.profile);
      if (actions.length === 0) throw new Error("That cannot be done now.");
      for (const action of actions) await this.write(action);
      await this.doDuties();
      return {};
    });
  }

  // What is shown

  /** The table with what comes of the events in the place of what the server says. */
  draw() {
    const { player, report, table } = this;
    const mayAct = this.own.isWriter && !this.stopped;
    const chat = table.chat.filter(({ event, peer, text }) => {
      const said = report.room.byId.get(event);
      return said?.kind === "chat" && said.author === peer && said.payload.text === text;
    });
    this.show({
      ...table, ...player.partsOf(table, mayAct), chat, may: mayAct ? player.acts : [], "own-key": this.words(),
    });
  }

  /** Which key plays, what was heard of whom, and why nothing goes on. */
  words() {
    const lines = [this.stopped ?? `The key ${this.own.key.peer.slice(0, 10)} of this browser plays here. The server`
      + " does not have it; every event shown was checked here."];
    if (!this.stopped && !this.own.isWriter) lines.push("Another tab of this browser plays here: this one watches.");
    for (const [peer, name] of this.player?.others ?? []) {
      const time = this.heard.get(peer);
      const since = time ? `since ${new Date(time).toLocaleTimeString()}` : "since this page opened the table";
      lines.push(`Nothing heard from ${name} ${since}.`);
      if (this.report.room.forks.has(peer)) lines.push(`Two histories are signed by ${name}.`);
    }
    lines.push(...(this.player?.remarks ?? []));
    return lines;
  }
}
