// What a player of a quiz owes and may do (PROTOCOL §1.10), computed from events that were checked here.

import { keyedHash } from "./blake2b.js";
import { fromHex, numberBytes, toHex } from "./bytes.js";
import { noSeat } from "./create.js";
import { differenceOf, hostedView } from "./hosted-view.js";
import { entryBox, entryCommitment, commitsTo, joinBox } from "./sealing.js";
import { CannotWrite } from "./writing.js";

const codeForm = /^[ABCDEFGHJKLMNPQRSTVWXYZ23456789]{10}$/;
const faultWords = {
  "wrong-solution": "opened another answer than it had committed to: that round counts nothing",
  "wrong-entry": "opened a player's answer as another one than was sealed",
  "denied-entry": "called an answer unreadable that its player has shown to be readable",
};

export class QuizPlayer {
  /** `report` is what the events come to, `peer` whose answers these are, and `secret` 32 bytes for its salts. */
  constructor({ room, hosted }, peer, secret) {
    Object.assign(this, { room, hosted, peer, secret, number: hosted.numbers.get(peer) ?? null, moves: [] });
    this.view = hostedView(hosted, peer);
  }

  get own() {
    return this.room.feed(this.peer);
  }

  /** The number of the event that the peer writes next. */
  get next() {
    return (this.own.at(-1)?.sequence ?? 0n) + 1n;
  }

  get phase() {
    const { room, hosted } = this;
    if (hosted.settled === room.settings.games) return "finished";
    if (room.forks.has(hosted.host)) return "closed";
    if (hosted.hasEnded) return hosted.settled > 0 ? "finished" : "closed";
    return hosted.rounds.length === 0 ? "waiting" : "playing";
  }

  get isOver() {
    return ["finished", "closed"].includes(this.phase);
  }

  // What it writes

  /** Shows what an own answer was that the host has called unreadable, once; null where none was. */
  duty() {
    const isShown = id => this.own.some(({ kind, payload }) => kind === "entry-proof" && payload.entry === id);
    const unread = this.hosted.rounds.flatMap(({ entries }) => entries)
      .filter(({ event, isUnreadable }) => isUnreadable && event.author === this.peer && !isShown(event.id));
    for (const { event } of unread) {
      const opened = this.opened(event);
      if (opened) return { kind: "entry-proof", payload: { entry: event.id, opened } };
    }
    return null;
  }

  /** What an own entry has sealed: of the few choices the one whose salt opens it; null for none of them. */
  opened(entry) {
    const { opening } = entry.payload;
    const round = this.hosted.rounds.find(one => one.opening.id === opening);
    const count = round ? this.hosted.rules.choices(round.asked) : 0;
    const all = Array.from({ length: count }, (_, number) => this.sealing(opening, entry.sequence, number));
    return all.find(one => commitsTo(this.room.id, entry, one)) ?? null;
  }

  /** A choice and the salt that seals it: nobody else can make it, and after a crash it is the same. */
  sealing(opening, sequence, number) {
    const choice = Uint8Array.of(number);
    const place = [fromHex(this.room.id), fromHex(opening), numberBytes(8, sequence)];
    return { choice, salt: toHex(keyedHash(this.secret, "parlor-own-entry-1", ...place, choice)) };
  }

  /** What to write for what a person does, by the names of parlor.1; nothing where it cannot be done now. */
  actions(type, members, profile) {
    switch (type) {
      case "join": return this.coming(members["join-code"] ?? "", profile);
      case "enter": return this.answering(members);
      case "say": return [{ kind: "chat", payload: { text: members.text } }];
      default: return [];
    }
  }

  /** A request, behind what shows that the peer knows the join code where one is needed. */
  coming(text, profile) {
    if (this.number !== null || this.view["has-asked"] || this.isOver) return [];
    const request = { kind: "request", payload: { seat: noSeat, profile: { ...profile, bot: null } } };
    if (!this.view["needs-code"]) return [request];
    const code = text.trim().toUpperCase();
    if (!codeForm.test(code)) throw new Error("That is no join code: it has ten letters and digits.");
    const { room, hosted, peer, secret } = this;
    const once = keyedHash(secret, "parlor-own-join-1", fromHex(room.id), numberBytes(8, this.next));
    return [{ kind: "join-proof", payload: { box: this.whole(joinBox(room.id, hosted.host, peer, code, once)) } },
      request];
  }

  /** The round that may be answered, as far as the peer has not; null for none. */
  get askedRound() {
    const round = this.hosted.rounds.at(-1);
    if (this.number === null || this.isOver || round?.phase !== "open") return null;
    const written = this.own.filter(({ kind, payload }) => kind === "entry" && payload.opening === round.opening.id);
    return written.length < this.room.settings.entries ? round : null;
  }

  /** An answer, sealed to the host; `opening` is the round that the person has seen. */
  answering({ text, opening }) {
    const round = this.askedRound;
    const number = /^[1-4]$/.test(text) ? Number(text) - 1 : null;
    const isOf = round !== null && round.opening.id === (opening ?? round.opening.id);
    if (!isOf || number === null || number >= this.hosted.rules.choices(round.asked)) return [];
    const place = { author: this.peer, opening: round.opening.id };
    const opened = this.sealing(place.opening, this.next, number);
    const commitment = entryCommitment(this.room.id, place, opened);
    const said = { commitment, box: this.whole(entryBox(this.hosted.host, place, opened)) };
    return [{ kind: "entry", payload: { opening: place.opening, form: 1, said } }];
  }

  whole(box) {
    if (box === null) throw new CannotWrite("nothing can be sealed to the host's key");
    return box;
  }

  // What is shown

  /** What the peer may do, by the names of parlor.1. */
  get acts() {
    if (this.number === null || this.isOver) return [];
    return this.askedRound === null ? ["say"] : ["enter", "say"];
  }

  /** Whose silence is told, with what each is called. */
  get others() {
    return [[this.hosted.host, "the host"]];
  }

  /** What anybody can show against the host. */
  get remarks() {
    return this.hosted.faults().map(({ fault }) => `The host ${faultWords[fault]}.`);
  }

  /** What a server's table says otherwise than the events do, in words; null where it says the same. */
  differenceFrom(table) {
    if (table.phase !== this.phase) return `the table is ${table.phase}`;
    return differenceOf(table.hosted, this.view);
  }

  /** The parts of a table that come of the events; clocks that run and who is connected are the server's word. */
  partsOf({ hosted: told }) {
    const recent = this.view.recent.map((round, place) => ({
      ...round, goal: null, counts: [], elapsed: null, passed: told?.recent?.[place]?.passed ?? 0,
      mine: this.mine(round),
    }));
    const players = this.view.players.map((player, place) => ({
      ...player, connected: told?.players?.[place]?.connected ?? false,
    }));
    return { hosted: { ...this.view, recent, players, code: null, "host-connected": told?.["host-connected"] } };
  }

  /** What the peer has answered in a round, as it is typed; null for nothing. */
  mine({ opening }) {
    const entry = this.own.find(({ kind, payload }) => kind === "entry" && payload.opening === opening);
    const opened = entry ? this.opened(entry) : null;
    return opened ? String(this.hosted.rules.said(opened.choice)) : null;
  }
}
