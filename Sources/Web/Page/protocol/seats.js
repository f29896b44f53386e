// Who sits where, who starts, and what of forked feeds counts (PROTOCOL §1.2, §1.4, §1.5).

import { hash, keyedHash } from "./blake2b.js";
import { fromHex, numberBytes, toHex, zeroId } from "./bytes.js";
import { noSeat, roomKinds } from "./create.js";

/** The seats of a room without hosted rounds. A seat is `{ peer, grant, request }`; the creator's has no request. */
export class Seats {
  constructor(room) {
    // `used` are the ids of what seating and starting rest on.
    Object.assign(this, { room, roster: new Map(), used: new Set(), start: null, first: null, draw: null });
    this.findStart();
    this.findAnchored();
    if (this.start === null) this.wait();
  }

  /** The seat that a peer holds in play, or null. */
  seatOf(peer) {
    for (const [seat, taken] of this.roster) if (taken.peer === peer) return seat;
    return null;
  }

  isAnchored(event) {
    return this.anchored === null || this.anchored.has(event.id);
  }

  /** Whether an event knows that play has begun. */
  isLate(event) {
    return this.start !== null && this.room.knows(event, this.start);
  }

  /** Seats by the grants in a stretch of the creator's feed. */
  seatsBy(feed) {
    const { room } = this;
    const seats = new Map();
    const own = room.settings.creatorSeat;
    if (own !== noSeat) seats.set(own, { peer: room.creator, grant: room.create, request: null });
    for (const grant of feed) {
      const request = grant.kind === "grant" ? this.granted(grant, seats) : null;
      if (request) seats.set(grant.payload.seat, { peer: request.author, grant, request });
    }
    return seats;
  }

  /** The request that a grant seats, after those that gave `seats`; null when it gives no seat. */
  granted(grant, seats) {
    const { room } = this;
    const { seat } = grant.payload;
    const request = room.named(grant, grant.payload.request, "request");
    if (request === null || seat >= room.settings.seats || seats.has(seat)) return null;
    const peer = request.author;
    if (![noSeat, seat].includes(request.payload.seat) || peer === room.creator) return null;
    if ([...seats.values()].some(taken => taken.peer === peer)) return null;
    if (!room.isInvited(peer, grant) || !room.admits(request)) return null;
    return this.hasLeft(peer, request, grant) ? null : request;
  }

  /** Seats whom a grant after the start lets into a tournament of so many places, behind all others. */
  enter(grant, places) {
    const { room, roster } = this;
    const { seat } = grant.payload;
    const request = room.named(grant, grant.payload.request, "request");
    if (request === null || seat !== roster.size || seat >= places) return;
    const peer = request.author;
    room.spend(roster.size);
    if (peer === room.creator || this.seatOf(peer) !== null) return;
    if (!room.isInvited(peer, grant) || !room.admits(request) || this.hasLeft(peer, request, grant)) return;
    roster.set(seat, { peer, grant, request });
    this.used.add(grant.id);
  }

  /** Whether a peer took a request back, or the creator left, in an event's past. */
  hasLeft(peer, request, event) {
    const { room } = this;
    room.spend(room.feed(peer).length);
    return room.feed(peer).some(leave => leave.kind === "leave" && room.knows(event, leave)
      && (request === null || room.knows(leave, request)) && (room.isTournament || leave.payload.node === zeroId));
  }

  /** The seats that are taken, numbered anew, where the room may be played by those alone (§1.2, start). */
  closed(seats) {
    const { settings, isTournament } = this.room;
    if (seats.size < 2 || seats.size >= settings.seats) return seats;
    const players = /^players=([0-9]+)$/m.exec(settings.parameters);
    const isOfPlayers = settings.roomKind === roomKinds.games && players?.[1] === String(settings.seats);
    if (!isTournament && !isOfPlayers) return seats;
    return new Map(inOrder(seats).map(([, taken], number) => [number, taken]));
  }

  isWhole(seats, taken) {
    return seats.size === this.room.settings.seats || seats !== taken;
  }

  rosterHash(seats) {
    const parts = inOrder(seats).flatMap(([, taken]) => [fromHex(taken.peer), fromHex(taken.grant.id)]);
    return toHex(hash("parlor-roster-1", fromHex(this.room.id), ...parts));
  }

  /** The first event of an author and kind in an event's past that fits. */
  firstInPast(event, author, kind, fits) {
    const { room } = this;
    room.spend(room.feed(author).length);
    return room.feed(author).find(found => found.kind === kind && room.knows(event, found) && fits(found)) ?? null;
  }

  /** By seat, its first ready over these seats in an event's past. */
  readies(event, seats) {
    const roster = this.rosterHash(seats);
    const found = inOrder(seats).map(([seat, { peer }]) => [
      seat, this.firstInPast(event, peer, "ready", ready => ready.payload.roster === roster),
    ]);
    return new Map(found.filter(([, ready]) => ready !== null));
  }

  /** Whether a draw's nonce opens a ready's commitment (§1.5). */
  opens(draw, ready, seat, peer) {
    const { roster, commitment } = ready.payload;
    return commitment === drawCommitment(draw.payload.nonce, this.room.id, roster, seat, peer);
  }

  /** By seat, its first draw in an event's past that opens its commitment after every seat was ready. */
  draws(event, seats, readies) {
    const all = [...readies.values()];
    const found = inOrder(seats).map(([seat, { peer }]) => [
      seat,
      this.firstInPast(event, peer, "draw", draw =>
        all.every(ready => this.room.knows(draw, ready)) && this.opens(draw, readies.get(seat), seat, peer)),
    ]);
    return new Map(found.filter(([, draw]) => draw !== null));
  }

  /** By seat, the referee's first ruling that it did not open its part, with its claim, in an event's past. */
  rulingsOnDraws(event, seats, readies) {
    const { room } = this;
    const holders = new Set([...seats.values()].map(taken => taken.peer));
    const found = new Map();
    if (holders.has(room.settings.referee)) return found;
    for (const ruling of room.feed(room.settings.referee)) {
      room.spend(1);
      if (ruling.kind !== "ruling" || !room.knows(event, ruling)) continue;
      const claim = room.named(ruling, ruling.payload.claim, "claim");
      if (claim === null || !holders.has(claim.author)) continue;
      const seat = claim.payload.silent;
      const ready = readies.get(seat);
      const holds = ready && claim.payload.node === ready.id && room.knows(claim, ready) && !found.has(seat);
      if (holds && [...readies.values()].every(other => room.knows(ruling, other))) found.set(seat, [ruling, claim]);
    }
    return found;
  }

  /** Who plays from a start on, who moves first, and what the start rests on; null when it begins nothing. */
  begun(start) {
    const { room } = this;
    if (this.drawsSeeds) return this.begunByDraw(start);
    const taken = this.seatsBy(room.chainBefore(start));
    const roster = this.closed(taken);
    if (!this.isWhole(roster, taken) || start.payload.roster !== this.rosterHash(roster)) return null;
    const holders = [...roster.values()];
    const used = new Set([start.id, ...holders.map(({ grant }) => grant.id)]);
    if (room.isTournament) return { start, roster, first: 0, draw: null, used };
    const hasLeft = holders.some(({ peer, request }) => this.hasLeft(peer, request, start));
    if (hasLeft || this.hasLeft(room.creator, null, start)) return null;
    const readies = this.readies(start, roster);
    if (readies.size !== roster.size) return null;
    for (const ready of readies.values()) used.add(ready.id);
    if (room.settings.starter === 0) return { start, roster, first: 0, draw: null, used };
    const drawn = this.drawn(start, roster, readies, used);
    return drawn && { start, roster, used, ...drawn };
  }

  /** Whether a tournament's entrants draw their seeds together. */
  get drawsSeeds() { return this.room.isTournament && this.room.settings.starter === 1; }

  begunByDraw(start) {
    const { room } = this;
    const { roster, used } = this.seeded(room.chainBefore(start), event => room.knows(start, event));
    if (roster === null || start.payload.roster !== this.rosterHash(roster)) return null;
    for (const { grant } of roster.values()) used.add(grant.id);
    used.add(start.id);
    return { start, roster, first: 0, draw: null, used };
  }

  /**
   * The organizer's call to draw the seeds in its feed, and where it has opened its part: the first of which it has, or
   * the last one.
   */
  call(feed) {
    let call = null;
    for (const event of feed) {
      if (event.kind === "ready") call = event;
      else if (event.kind === "draw" && call && this.opens(event, call, noSeat, this.room.creator)) {
        return { call, opening: event };
      }
    }
    return { call, opening: null };
  }

  /** Who has drawn a seed, by it, and what that rests on, of the events that count; null for fewer than two. */
  seeded(feed, counts) {
    const { room } = this;
    const { call, opening } = this.call(feed);
    if (call === null) return { roster: null, used: new Set() };
    const taken = this.seatsBy(feed.slice(0, feed.indexOf(call)));
    const seats = this.closed(taken);
    if (!this.isWhole(seats, taken) || call.payload.roster !== this.rosterHash(seats)) {
      return { roster: null, used: new Set() };
    }
    const events = [call, opening];
    const nonces = [];
    const drawn = [];
    for (const [seat, entrant] of inOrder(seats)) {
      const isOrganizer = entrant.peer === room.creator;
      const part = isOrganizer ? { ready: call, draw: opening } : this.part(entrant.peer, seat, call, opening, counts);
      events.push(part.ready, part.draw);
      if (part.draw === null) continue;
      drawn.push(entrant);
      if (!isOrganizer) nonces.push(part.draw.payload.nonce);
    }
    const used = new Set(events.filter(event => event !== null).map(event => event.id));
    if (drawn.length < 2) return { roster: null, used };
    nonces.push(opening.payload.nonce);
    const order = drawn.map(entrant => [seedOf(entrant.peer, room.id, nonces), entrant])
      .sort(([one], [two]) => (one < two ? -1 : 1));
    return { roster: new Map(order.map(([, entrant], number) => [number, entrant])), used };
  }

  /** An entrant's answer to the organizer's call, and where it has opened its part of the draw; null for neither. */
  part(peer, seat, call, opening, counts) {
    const { room } = this;
    room.spend(room.feed(peer).length);
    const feed = room.feed(peer).filter(counts);
    const isKnown = event => opening === null || room.knows(opening, event);
    const ready = feed.find(event => event.kind === "ready" && event.payload.roster === call.payload.roster
      && room.knows(event, call) && isKnown(event)) ?? null;
    if (ready === null || opening === null) return { ready, draw: null };
    const draw = feed.find(event => event.kind === "draw" && room.knows(event, opening)
      && this.opens(event, ready, seat, peer));
    return { ready, draw: draw ?? null };
  }

  /** Who moves first by the joint draw, or by the rulings on those who did not open their parts of it. */
  drawn(start, roster, readies, used) {
    const draws = this.draws(start, roster, readies);
    for (const draw of draws.values()) used.add(draw.id);
    if (draws.size < roster.size) {
      const rulings = this.rulingsOnDraws(start, roster, readies);
      const isSettled = [...roster.keys()].every(seat => draws.has(seat) || rulings.has(seat));
      if (draws.size === 0 || !isSettled) return null;
      for (const [seat, events] of rulings) if (!draws.has(seat)) for (const event of events) used.add(event.id);
      const first = Math.min(...draws.keys());
      return { first, draw: { seats: draws.size, first: first + 1, combined: null } };
    }
    const nonces = inOrder(draws).map(([, draw]) => draw.payload.nonce);
    const combined = jointDraw(this.room.id, nonces);
    const first = Number(BigInt(`0x${combined.slice(0, 16)}`) % BigInt(roster.size));
    return { first, draw: { seats: draws.size, first: first + 1, combined } };
  }

  /** Who sits where so far, and whose words for a start hold, in a room without one. */
  wait() {
    const { room } = this;
    const taken = this.seatsBy(room.feed(room.creator).filter(event => room.isBeforeFork(event)));
    const closed = this.closed(taken);
    this.roster = taken;
    this.used = new Set([...taken.values()].map(({ grant }) => grant.id));
    if (this.drawsSeeds) {
      const own = room.feed(room.creator).filter(event => room.isBeforeFork(event));
      for (const id of this.seeded(own, event => this.isAnchored(event)).used) this.used.add(id);
    }
    if (room.isTournament || !this.isWhole(closed, taken)) return;
    const end = this.endOfAnchored();
    const readies = this.readies(end, closed);
    if (closed !== taken && ![...readies.values()].some(ready => ready.author === room.creator)) return;
    this.roster = closed;
    for (const ready of readies.values()) this.used.add(ready.id);
    if (room.settings.starter === 1 && readies.size === closed.size) {
      for (const draw of this.draws(end, closed, readies).values()) this.used.add(draw.id);
    }
  }

  /** Something that has all that is anchored in its past. */
  endOfAnchored() {
    const chains = this.room.events.reduce((most, event) => Math.max(most, event.chain + 1), 0);
    const clock = new Int32Array(chains);
    for (const event of this.room.events) {
      if (this.isAnchored(event)) clock[event.chain] = Math.max(clock[event.chain], event.depth);
    }
    return { clock };
  }

  /**
   * Finds the first start that has all it needs.
   *
   * There is none where several stand, because a forked creator showed each to a seat that went on from it: each has
   * a table of its own then, and for a reader, who sits at none of them, the creator has closed the room.
   */
  findStart() {
    const { room } = this;
    const starts = room.feed(room.creator).filter(event => event.kind === "start");
    const complete = starts.map(start => this.begun(start)).filter(begun => begun !== null);
    const followed = complete.map(begun => this.followers(begun));
    const standing = [];
    complete.forEach((begun, place) => {
      if (standing.some(other => room.knows(begun.start, other.start))) return;
      // Another start, of which a seat heard later, takes nothing back.
      const isBacked = [...followed[place]].some(([peer, event]) =>
        followed.every(other => !other.has(peer) || event.sequence <= other.get(peer).sequence));
      if (room.isBeforeFork(begun.start) || isBacked) standing.push(begun);
    });
    if (standing.length === 1) Object.assign(this, standing[0]);
  }

  /** Of each seat but the creator's and those with a fork of their own, the first event that knows a start. */
  followers({ start, roster }) {
    const { room } = this;
    const followers = new Map();
    if (room.forks.size === 0) return followers;
    for (const { peer } of roster.values()) {
      if (peer === room.creator || room.forks.has(peer)) continue;
      room.spend(room.feed(peer).length);
      const first = room.feed(peer).find(event => room.knows(event, start));
      if (first) followers.set(peer, first);
    }
    return followers;
  }

  /** §1.4: what of forked feeds still counts; null where no feed is forked. */
  findAnchored() {
    const { room } = this;
    this.anchored = null;
    if (room.forks.size === 0) return;
    const members = new Set([room.creator]);
    if (this.start && !room.isTournament) {
      members.clear();
      for (const { peer } of this.roster.values()) members.add(peer);
      members.add(room.settings.referee);
    }
    const stack = room.events.filter(event => room.isBeforeFork(event) && members.has(event.author));
    if (this.start) stack.push(this.start);
    this.anchored = new Set();
    while (stack.length > 0) {
      const event = stack.pop();
      if (this.anchored.has(event.id)) continue;
      this.anchored.add(event.id);
      for (const id of [event.previous, ...event.parents]) if (id !== zeroId) stack.push(room.byId.get(id));
    }
    for (const event of room.events) if (room.isBeforeFork(event)) this.anchored.add(event.id);
  }
}

/** A table by seats, in their order. */
function inOrder(seats) {
  return [...seats].sort(([one], [two]) => one - two);
}

/** What a ready commits to before its draw opens it (§1.5). */
export function drawCommitment(nonce, room, roster, seat, author) {
  const parts = [fromHex(room), fromHex(roster), numberBytes(2, seat), fromHex(author)];
  return toHex(keyedHash(fromHex(nonce), "parlor-draw-1", ...parts));
}

/** What all nonces together give; its first eight bytes decide who starts. */
export function jointDraw(room, nonces) {
  return toHex(hash("parlor-joint-1", fromHex(room), ...nonces.map(fromHex)));
}

/** What decides an entrant's seed by the nonces of all, the organizer's last: who has less comes before (§1.5). */
export function seedOf(peer, room, nonces) {
  return toHex(hash("parlor-seed-1", fromHex(room), fromHex(peer), ...nonces.map(fromHex)));
}
