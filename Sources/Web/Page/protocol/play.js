// Finds the line of play of a room of two seats that move in turn (PROTOCOL §1.1 to §1.4).

import { zeroId } from "./bytes.js";
import { comparePlaces } from "./events.js";
import { Line, stepKinds } from "./line.js";
import { Results } from "./results.js";
import { surplus } from "./verdicts.js";

/** The events that can lead the line on, and what stands on a node besides. */
const placedKinds = [...stepKinds, "undo-request", "draw-offer", "draw-decline", "claim", "result"];

/** Which of the steps on one node comes first; offences come before all. */
const rankOfKind = { "ruling": 0, "resign": 1, "leave": 1, "draw-accept": 2, "undo-accept": 3, "move": 4 };

export class Play {
  constructor(room, seats, game) {
    Object.assign(this, { room, seats, game, steps: new Map(), earlyLeaves: [], declines: new Map() });
    this.unfounded = new Set();
    this.results = new Results(this);
    const same = new Map();
    for (const event of room.events) if (placedKinds.includes(event.kind)) this.place(event, same);
  }

  /** Notes which node an event stands on, when all that it names is in its past. */
  place(event, same) {
    const { kind, payload } = event;
    if (kind === "leave" && payload.node === zeroId) {
      this.earlyLeaves.push(event);
      return;
    }
    const node = this.foundation(event);
    if (node === null) {
      this.unfounded.add(event.id);
      return;
    }
    const place = { "draw-decline": payload.offer, "result": payload.game }[kind] ?? node;
    if (this.room.isSurplus(event, same, `${event.author} ${kind} ${place}`)) {
      this.unfounded.add(event.id);
      event.verdict ??= surplus;
    } else if (kind === "draw-decline") {
      this.declines.set(payload.offer, [...(this.declines.get(payload.offer) ?? []), event]);
    } else if (kind === "result") {
      this.results.add(event);
    } else if (stepKinds.includes(kind)) {
      if (!this.steps.has(node)) this.steps.set(node, []);
      this.steps.get(node).push(event);
    }
  }

  /** The id of the node that an event stands on, through the request, offer or claim that it names; or null. */
  foundation(event) {
    const { room, unfounded } = this;
    const { kind, payload } = event;
    if (kind === "draw-accept" || kind === "draw-decline") {
      const offer = room.named(event, payload.offer, "draw-offer");
      if (offer === null || unfounded.has(offer.id)) return null;
      if (kind === "draw-decline") return offer.payload.node;
    }
    if (kind === "undo-accept" || kind === "ruling") {
      const named = kind === "ruling"
        ? room.named(event, payload.claim, "claim") : room.named(event, payload.request, "undo-request");
      return named === null || unfounded.has(named.id) ? null : named.payload.node;
    }
    return room.named(event, payload.node)?.id ?? null;
  }

  seatOf(event) {
    return this.seats.seatOf(event.author);
  }

  isReferees(event) {
    return event.author === this.room.settings.referee && this.seatOf(event) === null;
  }

  /** The anchored steps of seats and the referee at the tip; at the start also earlier leavings. */
  candidates(line) {
    const found = [...(this.steps.get(line.tip.id) ?? [])];
    if (line.tip === this.seats.start) found.push(...this.earlyLeaves.filter(leave => this.leavesSeat(leave)));
    this.room.spend(found.length);
    const hasPart = event => this.seatOf(event) !== null || this.isReferees(event);
    return found.filter(event => this.seats.isAnchored(event) && hasPart(event));
  }

  /** Whether somebody who had not seen the start gave up the seat. */
  leavesSeat(leave) {
    const seat = this.seatOf(leave);
    if (seat === null || this.seats.isLate(leave)) return false;
    const { request } = this.seats.roster.get(seat);
    return request === null || this.room.knows(leave, request);
  }

  // What may be done

  isLegalMove(line, event) {
    const { game, ply, code } = event.payload;
    return event.kind === "move" && this.seatOf(event) === line.turn && game === line.number && ply === line.ply
      && this.game.isLegal(line.codes, code);
  }

  /** Whether two events are of the two seats. */
  areOpposed(one, two) {
    const seats = [this.seatOf(one), this.seatOf(two)];
    return seats.includes(0) && seats.includes(1);
  }

  /** The request that an accept agrees to; null when it may not be. */
  acceptedRequest(line, event) {
    const request = this.room.byId.get(event.payload.request);
    const { ply } = request.payload;
    const fits = ply >= line.opening(line.number).length && ply < line.ply;
    return (this.room.settings.flags & 1) === 1 && this.areOpposed(request, event) && fits ? request : null;
  }

  /** The offer of a draw that an accept takes; null when it may not: it lapses when the other seat moves. */
  acceptedOffer(line, event) {
    const { room } = this;
    const offer = room.byId.get(event.payload.offer);
    if (!this.areOpposed(offer, event)) return null;
    for (let node = line.tip.id; node !== offer.payload.node; node = room.byId.get(node).payload.node) {
      const move = room.byId.get(node);
      room.spend(1);
      if (node === line.root.id || move.kind !== "move" || move.author !== offer.author) return null;
    }
    const declines = this.declines.get(offer.id) ?? [];
    const hasDeclined = declines.some(other => other.author === event.author && room.knows(event, other));
    return hasDeclined ? null : offer;
  }

  /** The claim that a ruling grants; null when it may not be. */
  grantedClaim(line, event) {
    const claim = this.room.byId.get(event.payload.claim);
    const fits = this.isReferees(event) && claim.payload.silent === line.turn && this.seatOf(claim) !== null;
    return fits ? claim : null;
  }

  /** Whether a step may be taken at the tip, whatever else stands there. */
  may(line, event) {
    switch (event.kind) {
      case "move": return this.isLegalMove(line, event);
      case "undo-accept": return this.acceptedRequest(line, event) !== null;
      case "draw-accept": return this.acceptedOffer(line, event) !== null;
      case "ruling": return this.grantedClaim(line, event) !== null;
      default: return this.seatOf(event) !== null;
    }
  }

  take(line, event, isOffence) {
    if (isOffence) {
      line.forfeit(event, "offence", this.seatOf(event));
    } else if (event.kind === "move") {
      line.move(event);
    } else if (event.kind === "undo-accept") {
      line.takeBack(event, this.acceptedRequest(line, event));
    } else if (event.kind === "draw-accept") {
      line.agreeOnDraw(event, this.acceptedOffer(line, event));
    } else if (event.kind === "ruling") {
      const claim = this.grantedClaim(line, event);
      line.used.add(claim.id);
      line.forfeit(event, "ruled", claim.payload.silent);
    } else {
      line.forfeit(event, event.kind === "leave" ? "left" : "resigned", this.seatOf(event));
    }
  }

  // The order at one node

  /** The line as far as the events lead. */
  walk() {
    let line = new Line(this.game, this.seats.start, this.seats.first, this.room.settings);
    while (!line.isOver) {
      const agreed = this.results.agreedLine(line);
      if (agreed) {
        line = agreed;
        continue;
      }
      const step = this.step(line);
      if (step === null) break;
      this.take(line, step.event, step.isOffence);
    }
    return line;
  }

  /** The step that is taken at the tip, and whether as an offence; null where there is none. */
  step(line) {
    const found = this.candidates(line).filter(event => this.may(line, event)).sort(comparePlaces);
    const secondMoves = found.filter(event => event.kind === "move").slice(1);
    const offence = secondMoves.find(event => !this.hasMovedOn(event, line.number));
    if (offence) return { event: offence, isOffence: true };
    this.room.spend(found.length ** 2);
    const fresh = found.filter(event => !found.some(other => this.room.knows(event, other)));
    fresh.sort((one, two) => this.compareRanks(one, two));
    const best = fresh[0] ?? null;
    return best === null || secondMoves.includes(best) ? null : { event: best, isOffence: false };
  }

  compareRanks(one, two) {
    const [oneRank, twoRank] = [one, two].map(event => rankOfKind[event.kind]);
    if (oneRank !== twoRank) return oneRank - twoRank;
    const isBySeat = oneRank >= 1 && oneRank <= 3;
    const seats = isBySeat ? this.seatOf(one) - this.seatOf(two) : 0;
    return seats || comparePlaces(one, two);
  }

  /** Whether an event's author had written a step of a later game before it. */
  hasMovedOn(event, number) {
    const before = this.room.chainBefore(event);
    return before.some(other => ["move", "commit", "reveal"].includes(other.kind) && other.payload.game > number);
  }
}
