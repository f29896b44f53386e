// What seats ask of each other and of the referee where the line stands: take-backs and draws that wait for an answer,
// and claims (PROTOCOL §1.2, §1.8).

import { comparePlaces } from "./events.js";

export class Asks {
  /** `play` is what the events come to, and `line` where that stands. */
  constructor(play, line) {
    Object.assign(this, { play, line, room: play.room });
    this.undo = line.isOver ? null : this.openUndo();
    this.draws = line.isOver ? [] : [0, 1].map(seat => this.openDraw(seat)).filter(offer => offer !== null);
    this.claims = line.isOver ? [] : [0, 1].flatMap(seat => this.openClaims(seat));
  }

  /** The claims of a seat at the tip that the seat which owes a move is silent. */
  openClaims(seat) {
    return this.of(seat, "claim", this.line.tip.id).filter(({ payload }) => payload.silent === this.line.turn)
      .map(({ id, payload }) => ({ event: id, seat, against: payload.silent }));
  }

  /** A seat's events of a kind on a node that count, the first one first. */
  of(seat, kind, node) {
    const { play } = this;
    const found = this.room.events.filter(event => event.kind === kind && event.payload.node === node
      && play.seatOf(event) === seat && play.seats.isAnchored(event) && !play.unfounded.has(event.id));
    return found.sort(comparePlaces);
  }

  /** The take-back that may be agreed to: the last one of the lowest seat that asks at the tip; null for none. */
  openUndo() {
    const { line, room } = this;
    if ((room.settings.flags & 1) === 0) return null;
    for (const seat of [0, 1]) {
      const fits = ({ payload: { ply } }) => ply >= line.opening(line.number).length && ply < line.ply;
      const event = this.of(seat, "undo-request", line.tip.id).filter(fits).at(-1);
      if (event) return { event: event.id, seat, ply: event.payload.ply };
    }
    return null;
  }

  /** A seat's last offer of a draw that the other one has not declined; it stands while only its author moves. */
  openDraw(seat) {
    const { line, room, play } = this;
    const offers = [];
    for (let node = line.tip; node; node = this.before(node, seat)) {
      offers.push(...this.of(seat, "draw-offer", node.id));
    }
    const isDeclined = ({ id }) => (play.declines.get(id) ?? []).some(other =>
      play.seatOf(other) === 1 - seat && play.seats.isAnchored(other));
    room.spend(offers.length);
    const event = offers.filter(offer => !isDeclined(offer)).sort(comparePlaces).at(-1);
    return event ? { event: event.id, seat } : null;
  }

  /** The node before one in the game that is on, where that one is a seat's move; else null. */
  before(node, seat) {
    const isMove = node.id !== this.line.root.id && node.kind === "move" && this.play.seatOf(node) === seat;
    return isMove ? this.room.byId.get(node.payload.node) : null;
  }
}
