// Plays the games of a room that have rounds (PROTOCOL §1.1 to §1.5).

import { zeroId } from "./bytes.js";
import { numberInRounds } from "./choices.js";
import { Choosing } from "./choosing.js";
import { comparePlaces } from "./events.js";
import { lobbyKinds } from "./lobby.js";
import { RoundResults } from "./round-results.js";
import { roundGameOf } from "./round-games.js";
import { surplus } from "./verdicts.js";

const stepsOfRounds = ["move", "commit", "reveal", "resign", "leave", "ruling"];
const standingKinds = ["move", "commit", "resign", "leave", "claim", "result", "undo-request", "draw-offer"];

/** Something happened in a room that this reader does not follow. */
export class Unplayed extends Error {}

/**
 * Where a take-back or an agreed draw decides, it says that it does not follow; so it does in games of more than two
 * seats where all signed an ending that comes second in the order at one node.
 */
export class RoundPlay {
  constructor(room, seats) {
    Object.assign(this, { room, seats, count: seats.roster.size, begin: roundGameOf(room.settings) });
    // Nodes as an id → [game, ply], and what is used besides; the games so far, and the table of each.
    Object.assign(this, { places: new Map(), used: new Set(), games: [], tables: [] });
    const { referee } = room.settings;
    this.hasReferee = referee !== zeroId && seats.seatOf(referee) === null;
    // Seat → why it is on its way out and by which event; of more than two seats alone. Of a game that begins where
    // drop-outs ended the one before it, the event by which the last one did.
    Object.assign(this, { exits: new Map(), gate: null });
    // What alone is looked at, where all seats have signed an ending: what its signer had seen. How many games all have
    // signed, and whether more stood on a node than one step.
    Object.assign(this, { signer: null, agreed: 0, isContested: false });
    Object.assign(this, { tip: seats.start, number: 0, isOver: false, rest: null, table: null, plies: null });
    this.findStanding();
    // What is signed; and where the game stands that is on, null where none is.
    Object.assign(this, { results: new RoundResults(this), current: null });
  }

  seatOf(event) {
    return this.seats.seatOf(event.author);
  }

  // What stands on a node

  findStanding() {
    const { room } = this;
    this.surplus = new Set();
    const same = new Map();
    for (const event of room.events) {
      const node = this.foundation(event);
      const place = event.kind === "result" ? event.payload.game : node?.id;
      if (node === null || !room.isSurplus(event, same, `${event.author} ${event.kind} ${place}`)) continue;
      this.surplus.add(event.id);
      event.verdict ??= surplus;
    }
    // By the id of the node or commit that they name.
    this.standing = new Map();
    for (const event of [...room.events].sort(comparePlaces)) {
      if (!stepsOfRounds.includes(event.kind) || !this.mayCount(event)) continue;
      const node = this.foundation(event);
      if (node === null && !this.leavesSeat(event)) continue;
      const name = node?.id ?? zeroId;
      if (!this.standing.has(name)) this.standing.set(name, []);
      this.standing.get(name).push(event);
    }
  }

  mayCount(event) {
    return this.seats.isAnchored(event) && !this.surplus.has(event.id);
  }

  /** The node or commit that an event of play stands on, which a ruling names by its claim; or null. */
  foundation(event) {
    const { room } = this;
    if (event.kind === "ruling") {
      const claim = room.named(event, event.payload.claim, "claim");
      const isSaid = claim !== null && !this.surplus.has(claim.id) && room.named(claim, claim.payload.node) !== null;
      return isSaid ? room.named(event, claim.payload.node) : null;
    }
    if (event.kind === "reveal") return room.named(event, event.payload.commit, "commit");
    return standingKinds.includes(event.kind) ? room.named(event, event.payload.node) : null;
  }

  /** Whether somebody who had not seen the start gives up a seat. */
  leavesSeat(event) {
    const seat = this.seatOf(event);
    const isEarly = event.kind === "leave" && event.payload.node === zeroId && !this.seats.isLate(event);
    if (!isEarly || seat === null) return false;
    const { request } = this.seats.roster.get(seat);
    return request === null || this.room.knows(event, request);
  }

  /** What of some kinds stands on a node, in the order of feeds. */
  here(name, kinds) {
    this.room.spend(1);
    return (this.standing.get(name) ?? []).filter(event =>
      kinds.includes(event.kind) && (this.signer === null || this.room.knows(this.signer, event)));
  }

  /** What of a kind a seat, or the referee, wrote on a node for this place. */
  own(seat, name, kind) {
    return this.here(name, [kind]).filter(({ author, payload }) =>
      numberInRounds(this, author) === seat && payload.game === this.number
      && (kind === "move" ? payload.ply : payload.round) === this.ply);
  }

  legalMoves() {
    return this.own(this.table.mover, this.tip.id, "move").filter(({ payload }) => this.table.mayMove(payload.code));
  }

  /** Seats that resign or leave here, in the order of feeds; at the start also who left without having seen it. */
  departures() {
    const found = this.here(this.tip.id, ["resign", "leave"]);
    const isStart = this.tip === this.seats.start;
    const all = isStart ? [...found, ...this.here(zeroId, ["leave"])].sort(comparePlaces) : found;
    return all.map(event => [this.seatOf(event), event])
      .filter(([seat, event]) => seat !== null && this.isOfThisGame(event));
  }

  /** The referee's rulings here against seats that play, with their claims, in the order of its feed. */
  rulings() {
    const { table, room } = this;
    return this.here(this.tip.id, ["ruling"]).map(event => {
      const claim = room.byId.get(event.payload.claim);
      return [claim.payload.silent, event, claim];
    }).filter(([silent, event, claim]) => {
      const waits = table.isRound ? table.playing.has(silent) : silent === table.mover;
      return this.hasReferee && event.author === room.settings.referee && waits && this.seatOf(claim) !== null
        && this.isOfThisGame(claim);
    });
  }

  /** Whether what names the tip is about the game that is on, and not about one that ended there. */
  isOfThisGame(event) {
    return !this.used.has(event.id) && (this.gate === null || this.room.knows(event, this.gate));
  }

  /** Whether an event's author had written a step of a later game before it. */
  hasMovedOn(event) {
    return this.room.chainBefore(event).some(({ kind, payload }) =>
      ["move", "commit", "reveal"].includes(kind) && payload.game > this.number);
  }

  isForked(seat) {
    return this.count > 2 && this.room.forks.has(this.seats.roster.get(seat).peer);
  }

  /** Whether a seat takes part when it writes an event. */
  counts(event, seat) {
    const exit = this.exits.get(seat)?.event ?? null;
    return exit === null || comparePlaces(event, exit) < 0;
  }

  /** Whether an event's author knew that nothing of a seat is to be waited for; of more than two alone. */
  isExcused(seat, event) {
    if (this.count === 2) return false;
    const exit = this.exits.get(seat)?.event ?? null;
    return this.isForked(seat) || exit !== null && this.room.knows(event, exit)
      || this.rulings().some(([silent, ruling]) => silent === seat && this.room.knows(event, ruling));
  }

  // The line

  /** Plays all games. Returns the first result that all signed alike and that nothing gives, or null. */
  walk() {
    const decides = ["undo-accept", "draw-accept"];
    if (this.begin(0).mayTakeBack && this.room.events.some(({ kind }) => decides.includes(kind))) {
      throw new Unplayed("a take-back or an agreed draw may decide");
    }
    while (!this.isOver && (this.results.playAsSigned() || this.play()));
    for (const game of this.games.slice(0, this.agreed)) game.level = "agreed";
    if (!this.isOver) {
      const { number, first, plies, table, rest, tip } = this;
      this.current = { number, first, plies, table, choosing: rest, tip, scores: null };
    }
    this.settleForks();
    this.judge();
    const wrong = this.results.firstFalse();
    if (wrong && this.isContested && this.count > 2) {
      throw new Unplayed("all seats signed what comes second in the order at one node");
    }
    return wrong;
  }

  get ply() {
    return this.plies.length;
  }

  /** The seat that begins the game that is on. */
  get first() {
    return (this.seats.first + this.number) % this.count;
  }

  beginGame() {
    Object.assign(this, { table: this.begin(this.first), plies: [], rest: null });
    this.places.set(this.tip.id, [this.number, 0]);
  }

  /** One game; whether it came to an end. */
  play() {
    this.beginGame();
    while (this.count === 2 ? this.contest() : this.attend()) {
      if (this.plies === null || this.endByRules()) return true;
    }
    return false;
  }

  endByRules() {
    if (!this.table.isOver) return false;
    this.end("rules", null, this.table.scores, this.tip);
    return true;
  }

  /** Goes on to a node, with what was played as a ply; with null where it is none. */
  advance(event, ply) {
    Object.assign(this, { tip: event, gate: null });
    if (ply !== null) this.plies = [...this.plies, ply];
    this.places.set(event.id, [this.number, this.ply]);
  }

  move(event) {
    this.advance(event, this.table.move(event.payload.code));
    return true;
  }

  /** Goes on with what a round gives; whether it is complete. */
  complete(choosing) {
    if (!choosing.isComplete) return false;
    const ply = this.table.resolve(choosing.choices, choosing.numbers(this.number, this.ply));
    for (const { id } of choosing.events) this.used.add(id);
    this.advance(choosing.node, ply);
    return true;
  }

  /** The step of two seats that is taken, in the order at one node; whether one is. */
  contest() {
    const choosing = this.table.isRound ? new Choosing(this) : null;
    const moves = choosing ? [] : this.legalMoves();
    const rulings = this.rulings().filter(([seat, event]) => choosing === null || choosing.waitsFor(seat, event));
    const departures = this.departures().sort(([one], [two]) => one - two);
    const second = moves.slice(1).find(event => !this.hasMovedOn(event));
    const offences = choosing ? choosing.offences : second ? [[this.table.mover, second]] : [];
    const steps = [...moves, ...rulings.map(([, event]) => event), ...departures.map(([, event]) => event)];
    const isFresh = event => !steps.some(other => this.room.knows(event, other))
      && !(choosing?.isCompleteFor(event) ?? false);
    if (offences.length > 0) {
      const [seat, event] = [...offences].sort(([one, first], [two, other]) =>
        one - two || comparePlaces(first, other))[0];
      return this.forfeit("offence", seat, event);
    }
    const ruled = rulings.find(([, event]) => isFresh(event));
    if (ruled) {
      this.used.add(ruled[2].id);
      return this.forfeit("ruled", ruled[0], ruled[1]);
    }
    const gone = departures.find(([, event]) => isFresh(event));
    if (gone) return this.forfeit(gone[1].kind === "leave" ? "left" : "resigned", ...gone);
    if (moves.length > 0 && isFresh(moves[0])) return this.move(moves[0]);
    this.rest = choosing;
    return choosing !== null && this.complete(choosing);
  }

  /** A seat of two loses the game. */
  forfeit(cause, seat, event) {
    const neverWas = cause === "left" && this.ply === 0;
    this.places.set(event.id, [this.number, this.ply]);
    this.tip = event;
    this.end(cause, seat, neverWas ? null : this.scoresAgainst(seat), event);
    if (cause === "left") this.isOver = true;
    return true;
  }

  /** The scores of the game that is on where a seat loses it otherwise than by its rules. */
  scoresAgainst(seat) {
    const lost = this.table.copy();
    lost.dropOut(seat);
    return lost.scores;
  }

  /** Of more than two seats: somebody drops out, or the step that is taken; whether there is one. */
  attend() {
    for (const [seat, event] of this.departures()) this.note(event.kind === "leave" ? "left" : "resigned", seat, event);
    const rulings = this.rulings();
    if (this.table.isRound) return this.attendRound(rulings);
    const { mover } = this.table;
    const moves = this.legalMoves();
    const second = moves.slice(1).find(event => !this.hasMovedOn(event));
    if (second) this.note("offence", mover, second);
    const ruled = rulings.find(([, event]) => !moves.some(move => this.room.knows(event, move)));
    if (ruled) return this.drop(ruled[0], { cause: "ruled", event: ruled[1] }, ruled[2]);
    if (moves.length > 0 && this.counts(moves[0], mover)) return this.move(moves[0]);
    return this.letGo(mover);
  }

  attendRound(rulings) {
    let choosing = new Choosing(this);
    // An offence is an exit: without what comes after it the round is read once more.
    while (choosing.offences.filter(([seat, event]) => this.note("offence", seat, event)).length > 0) {
      choosing = new Choosing(this);
    }
    for (const seat of [...this.table.playing].sort((one, two) => one - two)) {
      const ruled = rulings.find(([silent, event]) =>
        silent === seat && !choosing.isCompleteFor(event) && choosing.waitsFor(seat, event));
      if (ruled) return this.drop(seat, { cause: "ruled", event: ruled[1] }, ruled[2]);
      if (choosing.misses(seat) && this.letGo(seat)) return true;
    }
    this.rest = choosing;
    return this.complete(choosing);
  }

  /** Notes that a seat is on its way out by an event, when that is its first one; whether it is. */
  note(cause, seat, event) {
    this.isContested = true;
    const exit = this.exits.get(seat);
    if (exit && (exit.event === null || comparePlaces(event, exit.event) >= 0)) return false;
    this.exits.set(seat, { cause, event });
    this.used.add(event.id);
    return true;
  }

  /** Lets a seat drop out of which a step is owed that will not come; whether there is such a reason. */
  letGo(seat) {
    if (this.exits.has(seat)) return this.drop(seat, this.exits.get(seat));
    return this.isForked(seat) && this.drop(seat, { cause: "forked", event: null });
  }

  drop(seat, exit, claim = null) {
    const { cause, event } = exit;
    this.isContested = true;
    this.exits.set(seat, exit);
    for (const named of [event, claim]) if (named) this.used.add(named.id);
    this.table.dropOut(seat);
    if (!this.table.isOver) return true;
    const neverWas = cause === "left" && this.ply === 0;
    this.gate = event;
    this.end(cause, seat, neverWas ? null : this.table.scores, this.tip);
    return true;
  }

  end(cause, seat, scores, event) {
    const { number, first, plies, table } = this;
    const codes = plies.flat().filter(code => code !== null);
    this.games = [...this.games, { number, first, plies, codes, cause, seat, scores, event, level: "provisional" }];
    this.tables = [...this.tables, table];
    Object.assign(this, { plies: null, rest: null, number: number + 1 });
    this.exits = new Map([...this.exits].filter(([, exit]) => ["left", "forked"].includes(exit.cause)));
    const { settings } = this.room;
    this.isOver = this.number === settings.games || this.exits.size > this.count - 2 || this.reachesTarget();
  }

  /** Whether a seat has won as many games as end the series. */
  reachesTarget() {
    const { target } = this.room.settings;
    const wins = new Array(this.count).fill(0);
    for (const { scores } of this.games) {
      const most = Math.max(...scores ?? []);
      if (scores?.filter(score => score === most).length === 1) wins[scores.indexOf(most)] += 1;
    }
    return target > 0 && Math.max(...wins) >= target;
  }

  /** The game that is on; between two, a seat that forked its feed loses what is not agreed (§1.4). */
  settleForks() {
    const forked = this.count === 2
      ? [0, 1].filter(seat => this.room.forks.has(this.seats.roster.get(seat).peer)) : [];
    if (!this.isOver && (this.plies.some(ply => ply.some(code => code !== null)) || forked.length > 0)) {
      const { rest } = this;
      this.end("not over", null, null, null);
      Object.assign(this, { rest, isOver: false });
    }
    if (forked.length === 0) return;
    this.rest = null;
    const loser = forked.length === 1 ? forked[0] : null;
    this.games.forEach((game, place) => {
      if (game.level === "agreed" || game.cause === "left" && game.scores === null) return;
      const wasBegun = game.codes.length > 0 || game.scores !== null;
      const table = this.tables[place];
      if (loser !== null) table.dropOut(loser);
      game.scores = wasBegun && loser !== null ? table.scores : null;
      Object.assign(game, { cause: "forked", seat: loser });
      game.event ??= this.tip;
    });
  }

  /** Says of each event of play without effect that it has none. */
  judge() {
    const used = new Set([...this.places.keys(), ...this.used, ...this.seats.used]);
    for (const { id } of [...this.rest?.events ?? [], ...this.results.signed()]) used.add(id);
    for (const event of this.room.events) {
      if (event.verdict !== null || used.has(event.id) || lobbyKinds.includes(event.kind)) continue;
      const isResult = event.kind === "result" && this.seatOf(event) !== null;
      event.verdict = !isResult ? "nothing of the line of play rests on it"
        : this.results.isEnding(event) ? "its author had signed a result before"
          : "it is not what the moves and draws give";
    }
  }
}
