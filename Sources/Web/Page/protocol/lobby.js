// Which events of seating and starting have no effect, and why; and of those that their room has no use for.

import { zeroId } from "./bytes.js";
import { hostedKinds } from "./payloads.js";
import { unreadable } from "./verdicts.js";

/** These are no events of play. */
export const lobbyKinds = ["create", "request", "grant", "ready", "draw", "start", "chat", "invite"];

const idleInTournaments = "a tournament has no such events";
const notCreator = "its author is not the creator";
const limitRevocations = 16;
/** How many entrants a format may have with those that come in after the start; others take nobody then. */
const lateEntrants = { 2: 256, 3: 1_000, 5: 4_096, 6: 4_096 };

/** Gives each event of a room without hosted rounds its verdict, as far as seating and starting go. */
export class Lobby {
  constructor(room, seats, hasPlay) {
    Object.assign(this, { room, seats, hasPlay });
    this.findWords();
    for (const event of room.events) {
      const isShown = event.kind !== "chat" || room.isBeforeFork(event);
      if (!seats.isAnchored(event) || !isShown) event.verdict = "its author's feed is forked";
      if (event.verdict === null && !seats.used.has(event.id)) event.verdict = this.fault(event);
    }
  }

  /**
   * The organizer's words of a tournament that has begun (§1.9): the first one on each attempt and on each entrant,
   * the first one after each that is revoked, and whom it lets in.
   */
  findWords() {
    const { room, seats } = this;
    const { settings } = room;
    this.places = room.isTournament ? Math.min(settings.seats, lateEntrants[settings.format] ?? 0) : 0;
    this.hadPlaces = seats.roster.size < this.places;
    this.words = new Set();
    const subjects = new Set();
    const decisions = new Map();
    let revocations = 0;
    for (const event of room.feed(room.creator)) {
      if (!room.isBeforeFork(event) || !seats.isLate(event)) continue;
      if (event.kind === "revoke") {
        const subject = decisions.get(event.payload.word);
        if (subject === undefined || revocations === limitRevocations) continue;
        decisions.delete(event.payload.word);
        subjects.delete(subject);
        revocations += 1;
      } else if (event.kind === "grant") {
        seats.enter(event, this.places);
        continue;
      } else {
        const subject = this.subjectOf(event);
        if (subject === null || subjects.has(subject)) continue;
        subjects.add(subject);
        if (isDecision(event)) decisions.set(event.id, subject);
      }
      this.words.add(event);
    }
  }

  /** What an organizer's event is a word on; null for none. */
  subjectOf({ kind, payload }) {
    const { room, seats } = this;
    if (kind === "pairing-result") return `${payload.pairing}.${payload.attempt}`;
    const isFair = kind === "disqualify" && seats.roster.has(payload.seat) && seats.seatOf(room.creator) === null;
    return isFair ? `seat ${payload.seat}` : null;
  }

  fault(event) {
    const { room, seats } = this;
    const { kind } = event;
    if (kind === null) return unreadable;
    if (["grant", "start", "invite"].includes(kind) && event.author !== room.creator) return notCreator;
    if (kind === "request" && (event.author === room.creator || seats.isLate(event) && !this.hadPlaces)) {
      return "its author may not ask for a seat any more";
    }
    if (kind === "request" && !room.admits(event)) return "the room's policy of bots does not admit its author";
    if (kind === "invite") return room.idleInvites.get(event.id) ?? null;
    if (["ready", "draw"].includes(kind) && room.isTournament && !seats.drawsSeeds) return idleInTournaments;
    if (hostedKinds.includes(kind)) return "a room without hosted rounds has no such events";
    if (["grant", "ready", "draw", "start"].includes(kind)) return "it came too late, or without what it needs";
    const isOfPlayers = this.hasPlay && seats.start !== null && seats.seatOf(event.author) !== null;
    if (kind === "leave" && (room.isTournament || !isOfPlayers)) return this.leaveFault(event);
    if (!this.hasPlay && !lobbyKinds.includes(kind)) return "nothing has an effect on play in this room";
    if (lobbyKinds.includes(kind)) return null;
    if (room.isTournament) return this.tournamentFault(event);
    return seats.start ? null : "play had not begun";
  }

  tournamentFault(event) {
    const { room, seats } = this;
    if (!["pairing-result", "disqualify", "revoke"].includes(event.kind)) return idleInTournaments;
    if (event.author !== room.creator) return notCreator;
    if (event.kind === "disqualify" && seats.seatOf(room.creator) !== null) {
      return "its author has a seat, and may disqualify nobody";
    }
    if (this.words.has(event)) return null;
    switch (event.kind) {
      case "revoke": return "it came too early or too often, or names no decision that stands";
      case "disqualify": return "it came too early, names no entrant, or another one came first";
      default: return "it came too early, or another word on that attempt came first";
    }
  }

  leaveFault(leave) {
    const { room, seats } = this;
    if (leave.payload.node !== zeroId && !room.isTournament) {
      return "it names a node of play in which its author has no part";
    }
    if (leave.author === room.creator && (room.isTournament || seats.start === null)) return null;
    const hasAsked = room.feed(leave.author).some(event => event.kind === "request" && room.knows(leave, event));
    return hasAsked ? null : "its author had not asked for a seat";
  }
}

/** Whether a word decides what nobody has played, and may be taken back. */
function isDecision({ kind, payload }) {
  return kind === "disqualify" || payload.walkover !== 0;
}
