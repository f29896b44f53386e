// What all seats signed of games with rounds (PROTOCOL §1.3).

import { Choosing } from "./choosing.js";
import { comparePlaces } from "./events.js";

const areAlike = (one, two) => JSON.stringify(one) === JSON.stringify(two);

export class RoundResults {
  constructor(play) {
    Object.assign(this, { play, room: play.room, seats: play.seats, byGame: new Map() });
    for (const event of [...this.room.events].sort(comparePlaces)) {
      const counts = event.kind === "result" && play.seatOf(event) !== null && play.mayCount(event);
      if (!counts || play.foundation(event) === null) continue;
      const { game } = event.payload;
      if (!this.byGame.has(game)) this.byGame.set(game, []);
      this.byGame.get(game).push(event);
    }
  }

  isForked(seat) {
    return this.room.forks.has(this.seats.roster.get(seat).peer);
  }

  /** Seat → its result of a game: the first; of a forked seat the first that says what the lowest other one did. */
  bySeat(number) {
    const found = this.byGame.get(number) ?? [];
    this.room.spend(found.length);
    const firsts = new Map();
    const all = [...this.seats.roster.keys()].sort((one, two) => one - two);
    const own = seat => found.filter(event => this.play.seatOf(event) === seat);
    for (const seat of all) if (own(seat).length > 0) firsts.set(seat, own(seat)[0]);
    const honest = firsts.get(all.find(seat => !this.isForked(seat)));
    if (!honest) return firsts;
    for (const seat of [...firsts.keys()].filter(seat => this.isForked(seat))) {
      const same = own(seat).find(({ payload }) => areAlike(payload, honest.payload));
      if (same) firsts.set(seat, same);
    }
    return firsts;
  }

  /** The results of all seats, when they say the same; else null. */
  firstsOf(number) {
    const firsts = this.bySeat(number);
    const said = [...firsts.values()].map(({ payload }) => payload);
    return said.length === this.play.count && said.every(one => areAlike(one, said[0])) ? firsts : null;
  }

  /** Whether a result says what moves and draws give. */
  isEnding({ payload: { game, node, scores } }) {
    const found = this.play.games[game];
    return found?.event?.id === node && areAlike(found.scores, scores);
  }

  /** The results that say what moves and draws give, each seat's first. */
  signed() {
    const firsts = [...this.byGame.keys()].flatMap(number => [...this.bySeat(number).values()]);
    return firsts.filter(event => this.isEnding(event));
  }

  /** The event that completes the first result that every seat signed alike and the draws do not give; or null. */
  firstFalse() {
    const results = new Set([...this.byGame.values()].flat());
    const signers = new Map();
    for (const event of this.room.events) {
      if (!results.has(event) || this.isEnding(event)) continue;
      const key = JSON.stringify(event.payload);
      if (!signers.has(key)) signers.set(key, new Set());
      if (signers.get(key).add(event.author).size === this.play.count) return event;
    }
    return null;
  }

  /** Plays up to the next ending that all seats signed, from what its signer had seen; whether there is one. */
  playAsSigned() {
    const { play } = this;
    for (const number of [...this.byGame.keys()].sort((one, two) => one - two)) {
      const firsts = number >= play.number ? this.firstsOf(number) : null;
      if (firsts === null) continue;
      this.room.spend(play.places.size);
      const before = { ...play, places: new Map(play.places), used: new Set(play.used), exits: new Map(play.exits) };
      play.signer = firsts.get([...firsts.keys()].find(seat => !this.isForked(seat)) ?? 0);
      if (play.count === 2) this.playPath(play.signer.payload);
      else while (!play.isOver && play.number <= number && play.play());
      if (play.games.length > number && this.isEnding(play.signer)) {
        Object.assign(play, { signer: null, agreed: number + 1 });
        return true;
      }
      Object.assign(play, before);
    }
    return false;
  }

  /** Plays on, between two, by the steps that lead to an ending that both signed, as far as each may be taken. */
  playPath(signed) {
    const { play } = this;
    const path = this.path(signed.node);
    for (const [place, event] of path.entries()) {
      if (play.isOver) return;
      if (play.plies === null) play.beginGame();
      if (!this.takeSigned(event, path[place + 1] ?? null, signed)) return;
      if (play.plies !== null) play.endByRules();
    }
  }

  /** The steps from the tip to a node, by what each names; none when they do not lead there. */
  path(end) {
    const { play, seats, room } = this;
    const path = [];
    for (let id = end; id !== play.tip.id;) {
      const event = room.byId.get(id);
      room.spend(1);
      if (event === seats.start || !play.mayCount(event)) return [];
      path.push(event);
      const named = play.foundation(event);
      const node = event.kind === "reveal" && named !== null ? play.foundation(named) : named;
      if (node === null && !play.leavesSeat(event)) return [];
      id = node === null ? seats.start.id : node.id;
    }
    return path.reverse();
  }

  /** Takes a step that both agreed on, whatever else stands on the node; whether it may be taken. */
  takeSigned(event, next, signed) {
    const { play } = this;
    if (event.kind === "move") {
      const moves = play.legalMoves();
      if (!moves.includes(event)) return false;
      const isOffence = event !== moves[0] && !this.goesOn(next, signed);
      return isOffence ? play.forfeit("offence", play.table.mover, event) : play.move(event);
    }
    if (["commit", "reveal"].includes(event.kind)) {
      const choosing = play.table.isRound ? new Choosing(play) : null;
      const offence = choosing?.offences.find(([, one]) => one === event);
      if (offence) return play.forfeit("offence", ...offence);
      return choosing !== null && choosing.isComplete && choosing.node === event && play.complete(choosing);
    }
    const gone = play.departures().find(([, one]) => one === event);
    if (gone) return play.forfeit(event.kind === "leave" ? "left" : "resigned", ...gone);
    const ruled = play.rulings().find(([, one]) => one === event);
    if (!ruled) return false;
    play.used.add(ruled[2].id);
    return play.forfeit("ruled", ruled[0], event);
  }

  /** Whether both took a second move on a node for a move rather than for an offence. */
  goesOn(next, signed) {
    const { play } = this;
    if (next === null) return !areAlike(play.scoresAgainst(play.table.mover), signed.scores);
    return ["move", "commit", "reveal"].includes(next.kind) && next.payload.game === play.number;
  }
}
