// The rules of the games of two seats in turn that are known here. A game is the list of its moves' codes (PROTOCOL
// §4.2); of the two who move, 0 is the one that moves first.

import { roomKinds } from "./create.js";

/** The cells of every straight line of so many, on a board whose cells are numbered row by row. */
function straightLines(columns, rows, length) {
  const lines = [];
  const steps = [[1, 0], [0, 1], [1, 1], [1, -1]];
  for (let cell = 0; cell < columns * rows; cell += 1) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    for (const [right, down] of steps) {
      const [lastColumn, lastRow] = [column + right * (length - 1), row + down * (length - 1)];
      if (lastColumn >= columns || lastRow >= rows || lastRow < 0) continue;
      lines.push(Array.from({ length }, (_, step) => cell + step * (right + down * columns)));
    }
  }
  return lines;
}

/** A game in which stones are put on a grid, and a line of so many of one's own wins. */
class LineGame {
  constructor({ name, title, columns, rows, length, hasGravity }) {
    Object.assign(this, { name, title, columns, rows, hasGravity, version: 1 });
    this.lines = straightLines(columns, rows, length);
  }

  /** By cell, row by row from the top left, which of the two has a stone there; null where nobody has. */
  board(codes) {
    const board = new Array(this.columns * this.rows).fill(null);
    codes.forEach((code, ply) => {
      board[this.hasGravity ? this.lowest(board, code) : code] = ply % 2;
    });
    return board;
  }

  /** The lowest free cell of a column, or -1. */
  lowest(board, column) {
    for (let row = this.rows - 1; row >= 0; row -= 1) {
      if (board[row * this.columns + column] === null) return row * this.columns + column;
    }
    return -1;
  }

  /** Whether a move may follow others, in a game that goes on. */
  isLegal(codes, code) {
    if (!this.hasGravity) return code < this.columns * this.rows && !codes.includes(code);
    return code < this.columns && codes.filter(other => other === code).length < this.rows;
  }

  /** The cells of a line that wins; null where there is none. */
  winningLine(codes) {
    const board = this.board(codes);
    const wins = line => board[line[0]] !== null && line.every(cell => board[cell] === board[line[0]]);
    return this.lines.find(wins) ?? null;
  }

  /** Who has won; null for nobody. Only the last move can have won. */
  winner(codes) {
    return this.winningLine(codes) === null ? null : (codes.length - 1) % 2;
  }

  isOver(codes) {
    return codes.length === this.columns * this.rows || this.winner(codes) !== null;
  }

  /** Whether moves are legal one after the other, and leave a game that goes on. */
  isOpening(codes) {
    return codes.every((code, ply) => {
      const before = codes.slice(0, ply);
      return this.isLegal(before, code) && !this.isOver([...before, code]);
    });
  }
}

export const ticTacToe = new LineGame({
  name: "tic-tac-toe", title: "tic-tac-toe", columns: 3, rows: 3, length: 3, hasGravity: false,
});
export const connectFour = new LineGame({
  name: "connect-four", title: "Connect Four", columns: 7, rows: 6, length: 4, hasGravity: true,
});

const knownGames = [ticTacToe, connectFour];

function namedGame({ rules, rulesVersion }) {
  return knownGames.find(game => game.name === rules && game.version === rulesVersion) ?? null;
}

/** The rules of a room of games; null where they are none of those that are known here. */
export function gameOf(settings) {
  const isPlain = settings.roomKind === roomKinds.games && settings.seats === 2 && settings.parameters === "";
  return isPlain ? namedGame(settings) : null;
}

/** Whether games would begin with moves that the rules do not allow. */
export function hasBadOpening(settings) {
  const game = namedGame(settings);
  return game !== null && !(settings.openings ?? []).every(codes => game.isOpening(codes));
}
