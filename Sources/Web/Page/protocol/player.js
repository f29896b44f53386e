// What a seat of a game of two owes and may do (PROTOCOL §1), computed from events that were checked here.

import { Asks } from "./asks.js";
import { keyedHash } from "./blake2b.js";
import { fromHex, toHex, zeroId } from "./bytes.js";
import { noSeat } from "./create.js";
import { gameOf } from "./rules.js";
import { drawCommitment } from "./seats.js";

/** Whether a key of the browser can play in a room: its rules are known here, and it is no table of a tournament. */
export function canPlay(settings) {
  return gameOf(settings) !== null && settings.tournament === zeroId;
}

export class Player {
  /**
   * `report` is what the events come to, `peer` whose seat it is, and `secret` 32 bytes from which salts are made;
   * `guests` are the seats by those for whom they are kept, or null.
   */
  constructor(report, peer, secret, guests = null) {
    const { room, seats, line, games } = report;
    Object.assign(this, { room, seats, line, games, game: report.game, peer, secret, guests });
    this.seat = seats.seatOf(peer);
    this.asks = line ? new Asks(report.contest, line) : { undo: null, draws: [], claims: [] };
  }

  get own() {
    return this.room.feed(this.peer);
  }

  hasWritten(kind, fits = () => true) {
    return this.own.some(event => event.kind === kind && fits(event));
  }

  /** Whether the creator has closed the room before it began. */
  get isClosed() {
    const { room, seats } = this;
    if (seats.start !== null) return false;
    return room.feed(room.creator).some(event => event.kind === "leave" && event.payload.node === zeroId);
  }

  /** Whether the peer has asked for a seat, and not taken that back. */
  get hasAsked() {
    const last = this.own.filter(event => ["request", "leave"].includes(event.kind)).at(-1);
    return last?.kind === "request";
  }

  get phase() {
    if (this.isClosed) return "over";
    if (this.seats.start === null) return "waiting";
    return this.line.isOver || this.room.forks.size > 0 && this.isForked ? "over" : "playing";
  }

  /** Whether a seat has written two histories. */
  get isForked() {
    return [...this.seats.roster.values()].some(({ peer }) => this.room.forks.has(peer));
  }

  /** What the seat owes now, without a decision of anybody; null for nothing. */
  duty() {
    if (this.seat === null || this.isClosed || this.isForked) return null;
    return this.seats.start === null ? this.preparation() : this.result();
  }

  /** Before play: its word over the roster, and its part of the joint draw; the creator's also grants and the start. */
  preparation() {
    const { room, seats, seat, peer } = this;
    if (seats.roster.size < room.settings.seats) return room.creator === peer ? this.grant() : null;
    const end = seats.endOfAnchored();
    const readies = seats.readies(end, seats.roster);
    const isDrawn = room.settings.starter === 1;
    if (!readies.has(seat)) {
      const roster = seats.rosterHash(seats.roster);
      const commitment = isDrawn ? drawCommitment(this.nonce(roster), room.id, roster, seat, peer) : zeroId;
      return { kind: "ready", payload: { roster, commitment }, citing: [] };
    }
    if (readies.size < seats.roster.size) return null;
    const { roster } = readies.get(seat).payload;
    const citing = [...readies.values()].map(({ id }) => id);
    if (isDrawn && !this.hasWritten("draw")) return { kind: "draw", payload: { nonce: this.nonce(roster) }, citing };
    if (room.creator !== peer || this.hasWritten("start")) return null;
    const draws = isDrawn ? [...seats.draws(end, seats.roster, readies).values()] : [];
    if (isDrawn && draws.length < seats.roster.size) return null;
    return { kind: "start", payload: { roster }, citing: [...citing, ...draws.map(({ id }) => id)] };
  }

  /** The creator's answer to the first request that may be granted; null where there is none. */
  grant() {
    const { room, seats, guests } = this;
    const free = Array.from({ length: room.settings.seats }, (_, seat) => seat).filter(seat => !seats.roster.has(seat));
    for (const request of room.events.filter(({ kind }) => kind === "request")) {
      const { author, payload: { seat: wanted } } = request;
      const isLeft = room.feed(author).some(({ kind, sequence }) => kind === "leave" && sequence > request.sequence);
      const mayHave = author !== room.settings.referee && room.admits(request) && room.isBeforeFork(request);
      if (isLeft || !mayHave || author === room.creator || seats.seatOf(author) !== null) continue;
      const fits = seat => [noSeat, seat].includes(wanted) && (guests === null || guests[author] === seat);
      const seat = free.find(fits) ?? null;
      if (seat !== null) return { kind: "grant", payload: { request: request.id, seat }, citing: [request.id] };
    }
    return null;
  }

  /** The seat's part of a joint draw: made of a secret of its own, so that a crash does not lose it. */
  nonce(roster) {
    return toHex(keyedHash(this.secret, "parlor-own-draw-1", fromHex(this.room.id), fromHex(roster)));
  }

  /** The result of the last game that is over and that this seat has not signed. */
  result() {
    const game = [...this.games].reverse().find(({ scores, event }) => scores !== null && event !== null);
    if (!game || game.level === "agreed") return null;
    const { number, event, scores } = game;
    if (this.hasWritten("result", ({ payload }) => payload.game === number)) return null;
    return { kind: "result", payload: { game: number, node: event.id, scores }, citing: [event.id] };
  }

  /** Whether a game is on in which this seat plays. */
  get isPlaying() {
    return this.seat !== null && this.phase === "playing";
  }

  /** The codes of the moves that this seat may make now. */
  get moves() {
    if (!this.isPlaying || this.line.turn !== this.seat) return [];
    return this.game.moves(this.line.codes);
  }

  /** How many plies the game that is on has. */
  get plyCount() {
    return this.line.ply;
  }

  move(code) {
    const { line } = this;
    const payload = { game: line.number, ply: line.ply, node: line.tip.id, code, note: null };
    return { kind: "move", payload, citing: [line.tip.id] };
  }

  /** To what whoever takes a seat agrees, as a table has it; without a referee there are no limits. */
  get terms() {
    const { referee, limit, clock, increment } = this.room.settings;
    return { referee: referee === zeroId ? null : referee, "move-limit": limit, clock, increment };
  }

  /** A request; whoever asks has agreed to the referee and the limits. */
  coming(agreed, profile) {
    const { terms } = this;
    if (terms.referee !== null && Object.keys(terms).some(name => agreed[name] !== terms[name])) {
      throw new Error("This game has a referee and limits of time: say that you agree to them.");
    }
    return this.hasAsked || this.phase !== "waiting" ? [] : [this.request(profile)];
  }

  request(profile) {
    return { kind: "request", payload: { seat: noSeat, profile: { ...profile, bot: null } } };
  }

  resign() {
    return { kind: "resign", payload: { node: this.line.tip.id }, citing: [this.line.tip.id] };
  }

  leave() {
    const node = this.seats.start === null ? zeroId : this.line.tip.id;
    return { kind: "leave", payload: { node }, citing: node === zeroId ? [] : [node] };
  }

  say(text) {
    return { kind: "chat", payload: { text } };
  }

  /** What to write for what a person does, by the names of parlor.1; nothing where it cannot be done now. */
  actions(type, members, profile) {
    const { code, plies, text } = members;
    switch (type) {
      case "join": return this.coming(members, profile);
      case "choose": return this.moves.includes(code) && plies === this.plyCount ? [this.move(code)] : [];
      case "say": return [this.say(text)];
      default: return this.acts.includes(type) ? [this.asked(type)] : [];
    }
  }

  /** What the acts that need nothing besides their name write. */
  asked(type) {
    const tip = this.line?.tip.id;
    switch (type) {
      case "undo": return { kind: "undo-request", payload: { node: tip, ply: this.lastPly }, citing: [tip] };
      case "claim": return { kind: "claim", payload: { node: tip, silent: this.line.turn }, citing: [tip] };
      case "agree": {
        const { event } = this.asks.undo;
        return { kind: "undo-accept", payload: { request: event }, citing: [event] };
      }
      case "offer-draw": return { kind: "draw-offer", payload: { node: tip }, citing: [tip] };
      case "agree-draw": {
        const { event } = this.offerToSeat;
        return { kind: "draw-accept", payload: { node: tip, offer: event }, citing: [tip, event] };
      }
      case "decline-draw": {
        const { event } = this.offerToSeat;
        return { kind: "draw-decline", payload: { offer: event }, citing: [event] };
      }
      default: return this[type]();
    }
  }

  /** The ply of the seat's last move in the game that is on; null for none. */
  get lastPly() {
    const { line, seat } = this;
    for (let ply = line.ply - 1; ply >= line.opening(line.number).length; ply -= 1) {
      if (line.seatOf(line.number, this.game.mover(line.codes.slice(0, ply))) === seat) return ply;
    }
    return null;
  }

  /** The other seat's offer of a draw. */
  get offerToSeat() {
    return this.asks.draws.find(({ seat }) => seat !== this.seat) ?? null;
  }

  /** What the peer may do, by the names of parlor.1. */
  get acts() {
    if (this.phase === "over") return [];
    const acts = this.seat === null ? [] : ["say"];
    if (this.moves.length > 0) acts.push("choose");
    if (this.isPlaying) acts.push("resign", ...this.openActs);
    const isWaiting = this.phase === "waiting" && (this.hasAsked || this.room.creator === this.peer);
    if (this.isPlaying || isWaiting) acts.push("leave");
    return acts;
  }

  /** What the seat may ask and answer in a game that is on. */
  get openActs() {
    const { asks: { undo, draws, claims }, seat, line } = this;
    const acts = [];
    const mayClaim = this.terms.referee !== null && line.turn !== seat && !claims.some(claim => claim.seat === seat);
    if (mayClaim) acts.push("claim");
    if ((this.room.settings.flags & 1) === 1 && this.lastPly !== null) acts.push("undo");
    if (undo !== null && undo.seat !== seat) acts.push("agree");
    if (!draws.some(offer => offer.seat === seat)) acts.push("offer-draw");
    if (this.offerToSeat !== null) acts.push("agree-draw", "decline-draw");
    return acts;
  }

  /** Whose silence is told, with what each is called. */
  get others() {
    return [...this.seats.roster].filter(([, { peer }]) => peer !== this.peer)
      .map(([place, { peer }]) => [peer, `seat ${place + 1}`]);
  }

  get remarks() {
    const isHost = this.phase === "waiting" && this.room.creator === this.peer;
    return isHost ? ["This page gives the seats, and begins: keep it open at this table until the game is on."] : [];
  }

  /** The parts of a table that come of the events; who is connected is the server's word. */
  partsOf(table, mayAct) {
    const seats = table.seats.map((seat, place) => {
      const taken = this.seats.roster.get(place);
      if (!taken) return seat;
      const { name, emoji } = taken.request ? taken.request.payload.profile : this.room.settings.profile;
      return { ...seat, name, emoji, presence: taken.peer === this.peer ? "own" : seat.presence };
    });
    const moves = mayAct ? this.moves.map(code => ({ code, text: this.game.text(code) })) : [];
    const { undo, draws, claims } = this.asks;
    const { branchOf, branchGame, branchPly } = this.room.settings;
    return {
      "branch-of": branchOf === zeroId ? null : { room: branchOf, game: branchGame + 1, ply: branchPly },
      seats, moves, "has-asked": this.hasAsked, undo: undo && { ...undo, seat: undo.seat + 1 },
      draws: draws.map(offer => ({ ...offer, seat: offer.seat + 1 })), ...this.terms,
      claims: claims.map(claim => ({ ...claim, seat: claim.seat + 1, against: claim.against + 1 })),
    };
  }

  /** The game that is on, or the last one. */
  get shown() {
    const { line, games } = this;
    if (line === null) return null;
    if (!line.isOver) return { number: line.number, codes: line.codes, scores: null, first: line.begins(line.number) };
    return line.games.at(-1) ?? games.at(-1);
  }

  /** The moves that lead to a position of a game, where another game can begin with them; else null. */
  opening(number, ply) {
    const codes = [...this.line.games, this.shown].find(game => game.number === number)?.codes.slice(0, ply) ?? [];
    return codes.length === ply && this.game.isOpening(codes) ? codes : null;
  }

  /** What a server's table says otherwise than the events do, in words; null where it says the same. */
  differenceFrom(table) {
    const isOver = !["waiting", "playing"].includes(table.phase);
    if ((isOver ? "over" : table.phase) !== this.phase) return `the table is ${table.phase}`;
    if (Object.entries(this.terms).some(([name, value]) => table[name] !== value)) {
      return "it has another referee or other limits";
    }
    const seat = this.seat === null ? null : this.seat + 1;
    if (table.seat !== seat) return `your seat is ${table.seat}`;
    for (const [place, { peer }] of this.seats.roster) {
      if (table.seats[place]?.peer !== peer) return `another peer has seat ${place + 1}`;
    }
    const taken = table.seats.filter(one => one.peer !== null).length;
    if (taken !== this.seats.roster.size) return "seats are taken or free";
    const { shown } = this;
    return shown === null || isOver && this.isForked ? null : this.differenceOfGame(table, shown);
  }

  differenceOfGame(table, { number, codes, scores, first }) {
    if (table.number !== number + 1) return `it is game ${table.number}`;
    const { game } = this;
    const moves = codes.map(code => game.text(code));
    if (table.plies.map(ply => ply.moves.join(" ")).join() !== moves.join()) return "other moves were played";
    const seatOf = player => (player === null ? null : (first + player) % 2 + 1);
    const difference = differenceOfPicture(table.position, game, codes, seatOf);
    if (difference) return difference;
    const told = table.ending?.scores ?? null;
    if (JSON.stringify(told) !== JSON.stringify(scores)) return "the game ended otherwise";
    // A game that ended otherwise than by its rules still says whose turn it was.
    const turn = game.isOver(codes) ? null : seatOf(game.mover(codes));
    return table.turn === turn ? null : "it is another seat's turn";
  }
}

/** What a picture of a position has otherwise: its form, stones, colours, and what is played by which cell. */
function differenceOfPicture({ board, labels, sides }, game, codes, seatOf) {
  const cells = board.flat();
  const stones = game.board(codes);
  if (board.length !== game.rows || board.some(row => row.length !== game.columns)) return "the board has another form";
  if (cells.some(({ seat }, cell) => seat !== seatOf(stones[cell]))) return "the board has other stones";
  const colours = game.sides(codes) ?? [];
  if (sides.length !== colours.length || sides.some((seat, place) => seat !== seatOf(colours[place]))) {
    return "the stones have other colours";
  }
  const isOthers = (text, cell) => text !== "" && text !== game.textAt(cell);
  const isMove = text => game.moves(codes).some(code => game.text(code) === text);
  const hasOthers = cells.some(({ text }, cell) => isOthers(text, cell))
    || labels.some((text, column) => isOthers(text, column) && isMove(text));
  return hasOthers ? "a cell plays another move than its own" : null;
}
