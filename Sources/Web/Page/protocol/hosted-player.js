// What a player of hosted rounds owes and may do (PROTOCOL §1.10), computed from events that were checked here.

import { keyedHash } from "./blake2b.js";
import { fromHex, numberBytes, toHex } from "./bytes.js";
import { noSeat } from "./create.js";
import { differenceOf, hostedView } from "./hosted-view.js";
import { entryBox, entryCommitment, joinBox, openedEntry, openedTold, solutionCommitment } from "./sealing.js";
import { CannotWrite } from "./writing.js";

const codeForm = /^[ABCDEFGHJKLMNPQRSTVWXYZ23456789]{10}$/;
/** A clear choice of so many bytes is written in the long form. */
const longChoice = 65;
const faultWords = {
  "wrong-solution": "opened another answer than it had committed to: that round counts nothing",
  "told-another": "told the player who draws another word than it was bound to: that round counts nothing",
  "wrong-mark": "said of a guess that it was right or wrong, and it was not",
  "wrong-entry": "opened a player's answer as another one than was sealed",
  "denied-entry": "called an answer unreadable that its player has shown to be readable",
};

/** What a secret has opened, by the bytes of the event: a page derives a whole room anew whenever something comes. */
const known = new WeakMap();

function remembered(secret, body, open) {
  if (!known.has(secret)) known.set(secret, new WeakMap());
  const opened = known.get(secret);
  if (!opened.has(body)) opened.set(body, open());
  return opened.get(body);
}

export class HostedPlayer {
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

  /** What an own entry has sealed, with its salt; null for one in clear, and where another secret made it. */
  opened(entry) {
    const { payload: { form, opening }, sequence, body } = entry;
    if (form !== 1) return null;
    const { room, hosted, secret } = this;
    return remembered(secret, body, () => openedEntry(room.id, hosted.host, entry, this.salt(opening, sequence)));
  }

  /** The salt of an own entry: nobody else can make it, and after a crash it is the same. */
  salt(opening, sequence) {
    const place = [fromHex(this.room.id), fromHex(opening), numberBytes(8, sequence)];
    return toHex(keyedHash(this.secret, "parlor-own-entry-1", ...place));
  }

  /** The secret of the box in an own join proof. */
  joinSecret(sequence) {
    return keyedHash(this.secret, "parlor-own-join-1", fromHex(this.room.id), numberBytes(8, sequence));
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

  /**
   * A request. Behind what shows that the peer knows the join code, where one is needed; and where players are told
   * something, in any case: the proof names the key for it, because a key of WebCrypto opens no boxes.
   */
  coming(text, profile) {
    if (this.number !== null || this.view["has-asked"] || this.isOver) return [];
    const request = { kind: "request", payload: { seat: noSeat, profile: { ...profile, bot: null } } };
    const needsCode = this.view["needs-code"];
    if (!needsCode && !this.hosted.rules.tellsOne) return [request];
    const code = text.trim().toUpperCase();
    if (needsCode && !codeForm.test(code)) throw new Error("That is no join code: it has ten letters and digits.");
    const box = joinBox(this.room.id, this.hosted.host, this.peer, code, this.joinSecret(this.next));
    return [{ kind: "join-proof", payload: { box: this.whole(box) } }, request];
  }

  /** The round that may be answered, as far as the peer has not; null for none. */
  get askedRound() {
    const round = this.hosted.rounds.at(-1);
    if (this.number === null || this.isOver || round?.phase !== "open") return null;
    const written = this.own.filter(({ kind, payload }) => kind === "entry" && payload.opening === round.opening.id);
    const most = Math.min(this.room.settings.entries, this.hosted.rules.mostEntries(this.number, round.asked));
    return written.length < most ? round : null;
  }

  /** An entry, sealed to the host or in clear; `opening` is the round that the person has seen. */
  answering({ text, opening }) {
    const { hosted: { host, rules }, askedRound: round, number, peer, room } = this;
    const isOf = round !== null && round.opening.id === (opening ?? round.opening.id);
    const choice = isOf ? rules.choice(text, round.asked, number) : null;
    if (choice === null) return [];
    const place = { author: peer, opening: round.opening.id };
    const written = (form, said) => [{ kind: "entry", payload: { opening: place.opening, form, said } }];
    if (!rules.sealsEntries(number, round.asked)) return written(choice.length < longChoice ? 0 : 2, { choice });
    const opened = { choice, salt: this.salt(place.opening, this.next) };
    const commitment = entryCommitment(room.id, place, opened);
    return written(1, { commitment, box: this.whole(entryBox(host, place, opened)) });
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
    const told = this.told?.bound === false ? ["The host told you another word than it is bound to, or none."] : [];
    return [...told, ...this.hosted.faults().map(({ fault }) => `The host ${faultWords[fault]}.`)];
  }

  /** What a server's table says otherwise than the events do, in words; null where it says the same. */
  differenceFrom(table) {
    if (table.phase !== this.phase) return `the table is ${table.phase}`;
    return differenceOf(table.hosted, this.view);
  }

  /** The parts of a table that come of the events; clocks that run and who is connected are the server's word. */
  partsOf({ hosted: told }) {
    const recent = this.view.recent.map((round, place) => ({
      ...round, elapsed: null, passed: told?.recent?.[place]?.passed ?? 0, mine: this.mine(round),
      sheet: round.sheet && { ...round.sheet, ...(place === this.view.recent.length - 1 ? this.told : null) },
    }));
    const players = this.view.players.map((player, place) => ({
      ...player, connected: told?.players?.[place]?.connected ?? false,
    }));
    return { hosted: { ...this.view, recent, players, code: null, "host-connected": told?.["host-connected"] } };
  }

  /** The word that the peer is to draw, and whether the host is bound to it; null for who has no word to draw. */
  get told() {
    const { hosted, number, room, secret } = this;
    const round = hosted.rounds.at(-1);
    if (number === null || !round || round.solution !== null || !hosted.rules.tellsOne) return null;
    const { drawer, box } = hosted.rules.told(round.asked);
    if (drawer !== number) return null;
    const proof = hosted.proofBefore(hosted.players[number].request);
    const opened = proof && remembered(secret, round.opening.body, () =>
      openedTold(hosted.host, box, this.joinSecret(proof.sequence)));
    if (!opened) return { word: null, bound: false };
    const commitment = solutionCommitment(room.id, hosted.host, round, opened.choice, opened.salt);
    return { word: hosted.rules.said(opened.choice), bound: commitment === round.opening.payload.commitment };
  }

  /** What the peer has answered in a round, as it is typed; null for nothing. */
  mine({ opening }) {
    const entry = this.own.find(({ kind, payload }) => kind === "entry" && payload.opening === opening);
    const opened = entry ? this.opened(entry) : null;
    return opened ? String(this.hosted.rules.said(opened.choice)) : null;
  }
}
