// The line of play so far (PROTOCOL §1.1): where it stands, and the games that it has brought.

/** The events that can lead the line on. */
export const stepKinds = ["move", "resign", "leave", "draw-accept", "undo-accept", "ruling"];

export class Line {
  constructor(game, start, first, settings) {
    Object.assign(this, { game, first, limit: settings.games, target: settings.target, openings: settings.openings });
    Object.assign(this, { tip: start, root: start, number: 0, games: [], agreed: 0, isOver: false });
    this.codes = this.opening(0);
    // Every node of the line, as an id → [game, ply, seat that moves]; and what the line rests on besides nodes.
    this.places = new Map();
    this.used = new Set();
    this.stand(start);
  }

  copy() {
    const twin = Object.assign(Object.create(Line.prototype), this);
    twin.games = [...this.games];
    twin.places = new Map(this.places);
    twin.used = new Set(this.used);
    return twin;
  }

  /** The moves from which a game begins: the same for two games in a row. */
  opening(number) {
    return this.openings.length > 0 ? this.openings[(number >> 1) % this.openings.length] : [];
  }

  get ply() {
    return this.codes.length;
  }

  /** Whether anything of the game was played but its opening. */
  get hasMoves() {
    return this.ply > this.opening(this.number).length;
  }

  /** The seat that moves. */
  get turn() {
    return this.seatOf(this.number, this.game.mover(this.codes));
  }

  stand(event) {
    this.tip = event;
    this.places.set(event.id, [this.number, this.ply, this.turn]);
  }

  move(event) {
    this.codes = [...this.codes, event.payload.code];
    this.stand(event);
    if (!this.game.isOver(this.codes)) return;
    const scores = [0, 0];
    const winner = this.game.winner(this.codes);
    if (winner !== null) scores[this.seatOf(this.number, winner)] = 1;
    this.end(event, "rules", null, scores);
  }

  takeBack(accept, request) {
    this.codes = this.codes.slice(0, request.payload.ply);
    this.stand(accept);
    this.used.add(request.id);
  }

  /** The ending that both seats chose: nobody wins. */
  agreeOnDraw(accept, offer) {
    this.stand(accept);
    this.used.add(offer.id);
    this.end(accept, "draw-agreed", null, [0, 0]);
  }

  /** An ending that the rules do not give; a game that was left before its first move never was. */
  forfeit(event, cause, loser) {
    this.stand(event);
    const neverWas = cause === "left" && !this.hasMoves;
    this.end(event, cause, loser, neverWas ? null : scoresAgainst(loser));
    if (cause === "left") this.isOver = true;
  }

  end(event, cause, seat, scores) {
    const { number, codes } = this;
    this.games.push({ number, first: this.begins(number), codes, cause, seat, scores, event });
    this.isOver = this.games.length === this.limit || this.reachesTarget();
    if (this.isOver) return;
    this.number += 1;
    this.codes = this.opening(this.number);
    this.root = event;
    this.stand(event);
  }

  /** The seat that moves first in a game. */
  begins(number) {
    return this.seatOf(number, 0);
  }

  /** The seat of one of the two in a game, of whom 0 moves first. */
  seatOf(number, player) {
    return (this.first + number + player) % 2;
  }

  reachesTarget() {
    const wins = seat => this.games.filter(({ scores }) => scores && scores[seat] > scores[1 - seat]).length;
    return this.target > 0 && Math.max(wins(0), wins(1)) >= this.target;
  }
}

/** The scores of a game that a seat loses by anything but the rules. */
export function scoresAgainst(loser) {
  return [0, 1].map(seat => (seat === loser ? 0 : 1));
}
