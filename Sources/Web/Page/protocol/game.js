// What the games of two seats in turn that are known here have in common. A game is the list of its moves' codes
// (PROTOCOL §4.2); of the two who move, 0 is the one that moves first.

export class Game {
  constructor(members) {
    Object.assign(this, { parameters: "", positions: new WeakMap(), ...members });
  }

  /** The position behind some moves, computed once for each list of codes, which nobody changes. */
  position(codes) {
    let position = this.positions.get(codes);
    if (!position) {
      position = this.start();
      for (const code of codes) this.play(position, code);
      this.positions.set(codes, position);
    }
    return position;
  }

  /** Whether a move may follow others. */
  isLegal(codes, code) {
    const position = this.position(codes);
    return !position.isOver && this.mayPlay(position, code);
  }

  /** The codes of the moves that may follow others. */
  moves(codes) {
    return Array.from({ length: this.codeCount }, (_, code) => code).filter(code => this.isLegal(codes, code));
  }

  /** Who moves next; of no meaning where the game is over. */
  mover(codes) {
    return this.position(codes).mover;
  }

  isOver(codes) {
    return this.position(codes).isOver;
  }

  /** Who has won; null for nobody. */
  winner(codes) {
    return this.position(codes).winner;
  }

  /** By cell, row by row from the top left, whose stone lies there; null where nobody's does. */
  board(codes) {
    return this.boardOf(this.position(codes));
  }

  /** The cells of a line that wins; null where there is none. */
  winningLine(codes) {
    return this.position(codes).line ?? null;
  }

  /** The two by the colour of their stones, black first, where colours may change hands; else null. */
  sides() {
    return null;
  }

  /** Whether moves are legal one after the other, and leave a game that goes on. */
  isOpening(codes) {
    return codes.every((code, ply) => {
      const before = codes.slice(0, ply);
      return this.isLegal(before, code) && !this.isOver([...before, code]);
    });
  }
}

/** A cell as people write it, such as `h8`. */
export function cellText(column, row) {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}
