// What a room of hosted rounds comes to (PROTOCOL §1.10): the host's feed in its order, and what others say of
// themselves.

import { zeroId } from "./bytes.js";
import { HostedRound } from "./hosted-round.js";
import { hostedRulesOf } from "./hosted-rules.js";
import { hostedKinds } from "./payloads.js";
import { isWhole } from "./sealing.js";
import { unreadable } from "./verdicts.js";

const usedKinds = ["request", "grant", "leave", "invite", ...hostedKinds];
const forkedFeed = "its author's feed is forked";

export class HostedRounds {
  constructor(room) {
    Object.assign(this, { room, host: room.creator, rules: room.isRead ? hostedRulesOf(room.settings) : null });
    Object.assign(this, { players: [], numbers: new Map(), refused: new Map(), carried: null, hasEnded: false });
    Object.assign(this, { rounds: [], openings: new Map(), settled: 0, proofs: new Map(), acknowledged: new Set() });
    this.findPasts();
    this.replay();
  }

  /** How much of the host's feed each event had seen, and how far the host was when it had seen another event. */
  findPasts() {
    const { room } = this;
    this.seen = new Map([[zeroId, 0n]]);
    this.heard = new Map([[zeroId, 0n]]);
    for (const event of room.events) {
      const names = [event.previous, ...event.parents];
      if (event.author !== this.host || !room.isBeforeFork(event)) {
        this.seen.set(event.id, names.map(id => this.seen.get(id)).reduce((most, one) => (one > most ? one : most)));
        continue;
      }
      this.seen.set(event.id, event.sequence);
      while (names.length > 0) {
        const id = names.pop();
        if (this.heard.has(id)) continue;
        this.heard.set(id, event.sequence);
        names.push(room.byId.get(id).previous, ...room.byId.get(id).parents);
      }
    }
  }

  /**
   * Whether another event is in the past of one, where it is the host's, one is the host's, or both are of one author;
   * of feeds that are forked, what lies before the fork.
   */
  knows(event, other) {
    if (other.author === this.host) return event !== other && this.seen.get(event.id) >= other.sequence;
    if (event.author === this.host) return this.heard.has(other.id) && this.heard.get(other.id) <= event.sequence;
    return other.sequence < event.sequence;
  }

  named(event, id, kind) {
    const found = this.room.byId.get(id);
    return found?.kind === kind && this.knows(event, found) ? found : null;
  }

  /** Derives everything, and says of each event without effect why it has none. */
  replay() {
    const { room } = this;
    for (const event of room.feed(this.host)) {
      if (room.isBeforeFork(event)) event.verdict = this.hostFault(event);
    }
    for (const [author, feed] of room.feeds) if (author !== this.host) this.readFeed(feed);
    for (const event of room.events) {
      // A receipt makes an entry count, wherever on its author's feed it lies.
      if (this.acknowledged.has(event.id)) event.verdict = null;
      else if (!room.isBeforeFork(event)) event.verdict ??= event.kind === null ? unreadable : forkedFeed;
    }
    this.findDenied();
    this.rank();
  }

  /** What an event's verdict is where it is judged alike in all feeds; undefined where it is not. */
  plainFault(event) {
    if (event.kind === null) return unreadable;
    if (event.kind === "invite" && event.author === this.host) return this.room.idleInvites.get(event.id) ?? null;
    if (["create", "chat"].includes(event.kind)) return null;
    return usedKinds.includes(event.kind) ? undefined : "a room of hosted rounds has no such events";
  }

  // What others than the host say

  /** What somebody says of itself, up to a fork of its feed. */
  readFeed(feed) {
    const author = { hasAsked: false, isAway: false, entered: new Map() };
    for (const event of feed) {
      if (!this.room.isBeforeFork(event)) break;
      const fault = this.plainFault(event);
      event.verdict = fault === undefined ? this.ownFault(event, author) : fault;
    }
    const player = this.players[this.numbers.get(feed[0].author)];
    if (player) player.hasLeft = author.isAway;
  }

  ownFault(event, author) {
    switch (event.kind) {
      case "request":
        Object.assign(author, { isAway: false, hasAsked: true });
        return this.room.admits(event) ? null : "the room's policy of bots does not admit its author";
      case "leave":
        if (!author.hasAsked) return "its author had not asked to be taken in";
        author.isAway = true;
        return null;
      case "entry":
        author.isAway = false;
        return this.entryFault(event, author.entered);
      case "entry-proof": return this.proofFault(event);
      case "join-proof": return null;
      default: return "its author is not the host";
    }
  }

  /** Why an entry waits in vain, or still waits. */
  entryFault(event, entered) {
    const id = event.payload.opening;
    if (!this.openings.has(id) || !this.knows(event, this.openings.get(id))) {
      return "it is for no round that its author had seen";
    }
    entered.set(id, (entered.get(id) ?? 0) + 1);
    const isSpare = entered.get(id) > this.room.settings.entries;
    if (isSpare) return "its author had written as many entries for the round as count";
    return "the host did not acknowledge it";
  }

  proofFault(event) {
    const entry = this.room.byId.get(event.payload.entry);
    if (entry?.kind !== "entry" || entry.author !== event.author || !this.knows(event, entry)) {
      return "it is about no entry of its author's";
    }
    if (this.proofs.has(entry.id)) return "its author had written another one for that entry";
    this.proofs.set(entry.id, event.payload.opened);
    const opening = this.openings.get(entry.payload.opening);
    if (!opening || !this.knows(entry, opening)) return "its entry is for no round that its author had seen";
    const holds = entry.payload.form === 1 && isWhole(this.room.id, this.host, entry, event.payload.opened);
    return holds ? null : "it does not give that entry's commitment and box";
  }

  // What the host says

  hostFault(event) {
    const fault = this.plainFault(event);
    if (fault !== undefined) return fault;
    if (["request", "join-proof", "entry", "entry-proof"].includes(event.kind)) return "the host does not play";
    if (this.hasEnded) return "the host had ended the room";
    switch (event.kind) {
      case "leave":
        this.hasEnded = true;
        return null;
      case "grant": return this.grant(event);
      case "join-refusal": return this.refuse(event.payload);
      case "round-open": return this.open(event);
      case "receipts": return this.acknowledge(event);
      case "round-close": return this.close(event);
      case "settle": return this.settle(event);
      case "marks": return this.mark(event);
      default: return this.carry(event.payload);
    }
  }

  grant(event) {
    const { room } = this;
    const number = event.payload.seat;
    const request = this.named(event, event.payload.request, "request");
    if (request === null) return "it names no request that the host had seen";
    if (!room.admits(request)) return "the room's policy of bots does not admit its peer";
    if (!room.isInvited(request.author, event)) return "its peer had not been invited";
    const isNext = number === this.players.length && number < room.settings.seats;
    if (!isNext || request.author === this.host || this.numbers.has(request.author)) {
      return "it gives another number than the next one, or its peer has one";
    }
    const score = this.carried?.scores.get(request.author) ?? 0;
    this.numbers.set(request.author, number);
    this.players.push({ number, peer: request.author, request, score, rank: null, hasLeft: false });
    return null;
  }

  refuse({ peer, through }) {
    if (this.numbers.has(peer) || through <= (this.refused.get(peer) ?? 0n)) {
      return "its peer is a player, or was refused so far before";
    }
    this.refused.set(peer, through);
    return null;
  }

  carry({ head, scores }) {
    if (this.room.settings.rematchOf === zeroId || this.rounds.length > 0 || this.players.length > 0) {
      return "there is no room that goes on here, or the host had begun";
    }
    this.carried ??= { head, scores: new Map() };
    if (this.carried.head !== head) return "it names another event than the one before it";
    for (const { peer, score } of scores) if (!this.carried.scores.has(peer)) this.carried.scores.set(peer, score);
    return null;
  }

  open(event) {
    const { round, asked, commitment } = event.payload;
    if (this.rules === null) return "the rules of its rounds are not known";
    if (round !== this.settled || this.settled >= this.room.settings.games) {
      return "it is for another round than the next";
    }
    if (!this.rules.canAsk(asked, commitment)) return "it asks nothing readable, or commits to what it should not";
    if (this.rules.tellsOne && !this.isInTurn(this.rules.told(asked).drawer, event)) {
      return "it is not the turn of the player who is told the solution";
    }
    const last = this.rounds.at(-1);
    if (last && last.phase !== "settled") last.phase = "void";
    this.rounds.push(new HostedRound(this, event));
    this.openings.set(event.id, event);
    return null;
  }

  /** Whether it is a player's turn: all before it, from behind the one of the last settled round, had left. */
  isInTurn(number, event) {
    if (number >= this.players.length) return false;
    const last = this.rounds.filter(({ phase }) => phase === "settled").at(-1);
    let at = last ? (this.rules.told(last.asked).drawer + 1) % this.players.length : 0;
    for (; at !== number; at = (at + 1) % this.players.length) {
      if (!this.hadLeft(this.players[at].peer, event)) return false;
    }
    return true;
  }

  /** Whether a peer had left, as far as an event of the host's had seen. */
  hadLeft(peer, event) {
    const seen = this.room.feed(peer).filter(own => ["request", "leave", "entry"].includes(own.kind)
      && this.room.isBeforeFork(own) && this.knows(event, own));
    return seen.at(-1)?.kind === "leave";
  }

  /** The round that is on, when an event names it and it is so far. */
  current(event, ...phases) {
    const last = this.rounds.at(-1);
    return last?.opening.id === event.payload.opening && phases.includes(last.phase) ? last : null;
  }

  acknowledge(event) {
    const round = this.current(event, "open", "closed");
    if (round === null || round.solution !== null) return "it is for no round that is on";
    let hasEffect = false;
    for (const { parent, time } of event.payload.receipts) {
      const entry = this.named(event, event.parents[parent] ?? zeroId, "entry");
      if (entry === null || time < (round.entries.at(-1)?.time ?? 0) || !this.mayCount(entry, round)) continue;
      round.add(entry, this.numbers.get(entry.author), time);
      this.acknowledged.add(entry.id);
      hasEffect = true;
    }
    return hasEffect ? null : "none of its receipts has an effect";
  }

  /** Whether a receipt may be given for an entry in a round. */
  mayCount(entry, round) {
    const { form, opening, said } = entry.payload;
    const player = this.numbers.get(entry.author);
    if (player === undefined || opening !== round.opening.id) return false;
    const { rules } = this;
    const isSealed = rules.sealsEntries(player, round.asked);
    const isFormed = isSealed ? form === 1 : form !== 1 && rules.isClearEntry(said.choice);
    const most = Math.min(this.room.settings.entries, rules.mostEntries(player, round.asked));
    return isFormed && this.knows(entry, round.opening) && !this.acknowledged.has(entry.id)
      && (round.counts.get(player) ?? 0) < most;
  }

  /** What the host says of sealed entries. */
  mark(event) {
    const round = this.current(event, "open", "closed");
    if (round === null || round.solution !== null || !this.rules.isMarked) {
      return "it is for no round that is on, or in which nothing is marked";
    }
    return round.mark(event.payload.marks) ? null : "it marks nothing that was not marked";
  }

  close(event) {
    const round = this.current(event, "open");
    if (round === null) return "it is for no round that is open";
    Object.assign(round, { phase: "closed", closed: event.payload.time });
    return null;
  }

  settle(event) {
    const round = this.current(event, "closed");
    const said = event.payload;
    if (round === null) return "it is for no round that is closed";
    if (said.first !== round.opened) return "it goes on elsewhere than the one before it ended";
    if (!this.rules.isSealed) {
      const isEmpty = said.solution.length === 0 && said.salt === zeroId && said.entries.length === 0;
      if (!isEmpty) return "it opens something where nothing was sealed";
      this.finish(round);
      return null;
    }
    if (said.entries.length > round.sealed.length - round.opened) return "it opens more entries than there are";
    if (!round.isBound(said)) return "it does not open what the host had committed to";
    for (const { opened } of said.entries) round.openNext(opened);
    if (round.opened === round.sealed.length) this.finish(round);
    return null;
  }

  /** The join proof behind which a peer had asked, on the same branch; null for none. */
  proofBefore(request) {
    let event = this.room.byId.get(request.previous);
    while (event && event.kind !== "join-proof") event = this.room.byId.get(event.previous);
    return event ?? null;
  }

  /** The key that a peer had named when it asked: of who has sealed that proof; null for none. */
  keyNamedBefore(request) {
    return this.proofBefore(request)?.payload.box.subarray(0, 32) ?? null;
  }

  /** Gives points for all that was opened. */
  finish(round) {
    round.phase = "settled";
    this.settled += 1;
    this.rules.settle(round);
    for (const { player, points } of round.entries) this.players[player].score += points;
  }

  // What comes of it

  /** Entries that the host called unreadable and that it could read, as their authors show. */
  findDenied() {
    for (const round of this.rounds) round.findDenied(this.proofs);
  }

  /** Players of equal scores share a rank. */
  rank() {
    this.standings = [...this.players].sort((one, two) => two.score - one.score || one.number - two.number);
    this.standings.forEach((player, place) => {
      const before = this.standings[place - 1];
      player.rank = before?.score === player.score ? before.rank : place + 1;
    });
  }

  /** What anybody can prove against the host: the event that it is about, and what it did. */
  faults() {
    return this.rounds.flatMap(round => round.faults());
  }

  // For programs

  /** Players and rounds as people count them, from 1. */
  members() {
    return {
      host: this.host, title: this.room.settings.title,
      players: this.standings.map(({ number, peer, request, rank, score, hasLeft }) => {
        const { name, emoji } = request.payload.profile;
        return { number: number + 1, peer, name, emoji, rank, score, left: hasLeft };
      }),
      rounds: this.rounds.map(round => round.members()),
      faults: this.faults().map(({ fault, event }) => ({ fault, event: event.id, position: event.position })),
    };
  }
}
