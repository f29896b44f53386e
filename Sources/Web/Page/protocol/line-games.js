// Games in which stones are put on a grid, and a line of so many of one's own wins (PROTOCOL §4.2).

import { cellText, Game } from "./game.js";

const steps = [[1, 0], [0, 1], [1, 1], [1, -1]];

/**
 * Stones of two colours in turn; whoever moves first has black. With `isExact` a longer line does not win. With
 * `hasGravity` a move is a column, in which the stone falls. Else it is a cell, counted from the top, or with
 * `isFromBelow` from the bottom.
 */
class LineGame extends Game {
  get codeCount() {
    return this.hasGravity ? this.columns : this.columns * this.rows;
  }

  start() {
    const stones = new Array(this.columns * this.rows).fill(null);
    return { stones, count: 0, black: 0, mover: 0, isOver: false, winner: null, line: null };
  }

  /** The cell, row by row from the top left, on which a move's stone comes to lie; -1 where there is none. */
  landing({ stones }, code) {
    const { columns, rows } = this;
    if (code >= this.codeCount) return -1;
    if (!this.hasGravity) {
      const cell = this.isFromBelow ? this.turnedOver(code) : code;
      return stones[cell] === null ? cell : -1;
    }
    for (let row = rows - 1; row >= 0; row -= 1) if (stones[row * columns + code] === null) return row * columns + code;
    return -1;
  }

  /** The cell of a number that counts rows from the other end. */
  turnedOver(number) {
    const row = Math.floor(number / this.columns);
    return (this.rows - 1 - row) * this.columns + number % this.columns;
  }

  mayPlay(position, code) {
    return this.landing(position, code) >= 0;
  }

  play(position, code) {
    this.put(position, this.landing(position, code));
    position.mover = (position.black + position.count) % 2;
  }

  /** Puts a stone of the next colour. */
  put(position, cell) {
    const { stones, mover } = position;
    stones[cell] = position.count % 2;
    position.count += 1;
    position.line = steps.map(step => this.run(stones, cell, step)).find(run => this.wins(run.length)) ?? null;
    if (position.line) position.winner = mover;
    position.isOver = position.line !== null || position.count === stones.length;
  }

  wins(count) {
    return this.isExact ? count === this.length : count >= this.length;
  }

  /** The stones of a colour through a cell in one direction, without a gap. */
  run(stones, cell, [right, down]) {
    const { columns, rows } = this;
    const run = [cell];
    for (const sign of [-1, 1]) {
      let [column, row] = [cell % columns + sign * right, Math.floor(cell / columns) + sign * down];
      while (column >= 0 && column < columns && row >= 0 && row < rows
        && stones[row * columns + column] === stones[cell]) {
        run.push(row * columns + column);
        column += sign * right;
        row += sign * down;
      }
    }
    return run;
  }

  boardOf({ stones, black }) {
    return stones.map(colour => (colour === null ? null : (black + colour) % 2));
  }

  text(code) {
    if (this.hasGravity || !this.isFromBelow) return String(code + 1);
    return cellText(code % this.columns, Math.floor(code / this.columns));
  }

  /** The text of the move that puts a stone on a cell. */
  textAt(cell) {
    if (this.hasGravity) return this.text(cell % this.columns);
    return this.text(this.isFromBelow ? this.turnedOver(cell) : cell);
  }
}

export const ticTacToe = new LineGame({ name: "tic-tac-toe", title: "tic-tac-toe", columns: 3, rows: 3, length: 3 });
export const connectFour = new LineGame({
  name: "connect-four", title: "Connect Four", columns: 7, rows: 6, length: 4, hasGravity: true,
});

const fewest = 3;
const most = 19;

/** K in a row by its parameters; null where they are none. */
export function kInARow(parameters) {
  const form = /^exact=(no|yes)\ngravity=(no|yes)\nheight=([1-9]\d?)\nline=([1-9]\d?)\nwidth=([1-9]\d?)\n$/;
  const found = form.exec(parameters);
  if (!found) return null;
  const [rows, length, columns] = found.slice(3).map(Number);
  if ([rows, columns].some(side => side < fewest || side > most)) return null;
  if (length < fewest || length > Math.max(rows, columns)) return null;
  const [isExact, hasGravity] = found.slice(1).map(word => word === "yes");
  return new LineGame({
    name: "k-in-a-row", title: "K in a row", parameters, columns, rows, length, isExact, hasGravity, isFromBelow: true,
  });
}

/** What may be chosen in the opening swap2, by codes behind those of cells. */
const choices = ["white", "black", "two"];

/** Gomoku, which may begin with the opening swap2: then a position says how far that is. */
class Gomoku extends LineGame {
  get codeCount() {
    return this.columns * this.rows + (this.hasOpening ? choices.length : 0);
  }

  start() {
    return { ...super.start(), stage: this.hasOpening ? "opening" : "play" };
  }

  mayPlay(position, code) {
    const { stage } = position;
    const choice = choices[code - position.stones.length];
    if (["answer", "choice"].includes(stage)) return choice !== undefined && (choice !== "two" || stage === "answer");
    return choice === undefined && super.mayPlay(position, code);
  }

  play(position, code) {
    const choice = choices[code - position.stones.length];
    if (choice === "two") {
      position.stage = "addition";
    } else if (choice) {
      position.black = choice === "black" ? position.mover : 1 - position.mover;
      position.stage = "play";
    } else {
      this.put(position, this.landing(position, code));
      if (position.stage === "opening" && position.count === 3) position.stage = "answer";
      if (position.stage === "addition" && position.count === 5) position.stage = "choice";
    }
    position.mover = this.nextOf(position);
  }

  nextOf({ stage, black, count }) {
    if (stage === "play") return (black + count) % 2;
    return ["answer", "addition"].includes(stage) ? 1 : 0;
  }

  sides(codes) {
    const { black } = this.position(codes);
    return [black, 1 - black];
  }

  text(code) {
    return choices[code - this.columns * this.rows] ?? super.text(code);
  }
}

/** Gomoku by its parameters; null where they are none. */
export function gomoku(parameters) {
  const found = /^line=(free|exact)\nopening=(none|swap2)\n$/.exec(parameters);
  return found && new Gomoku({
    name: "gomoku", title: "Gomoku", parameters, columns: 15, rows: 15, length: 5, isExact: found[1] === "exact",
    hasOpening: found[2] === "swap2", isFromBelow: true,
  });
}
