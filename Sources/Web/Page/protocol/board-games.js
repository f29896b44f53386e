// Ultimate tic-tac-toe and Othello (PROTOCOL §4.2).

import { cellText, Game } from "./game.js";

const threes = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const hasThree = (cells, player) => threes.some(three => three.every(cell => cells[cell] === player));

/** A small board on which nobody plays any more and that nobody has won. */
const full = 2;

/** Nine boards of three by three; a code is nine times the small board and the cell on it. */
class UltimateTicTacToe extends Game {
  start() {
    const [stones, boards] = [new Array(81).fill(null), new Array(9).fill(null)];
    return { stones, boards, target: null, mover: 0, isOver: false, winner: null };
  }

  mayPlay({ stones, boards, target }, code) {
    const board = Math.floor(code / 9);
    return boards[board] === null && stones[code] === null && (target === null || target === board);
  }

  play(position, code) {
    const { stones, boards, mover } = position;
    const [board, cell] = [Math.floor(code / 9), code % 9];
    stones[code] = mover;
    const small = stones.slice(board * 9, board * 9 + 9);
    if (hasThree(small, mover)) boards[board] = mover;
    else if (!small.includes(null)) boards[board] = full;
    position.target = boards[cell] === null ? cell : null;
    if (hasThree(boards, mover)) position.winner = mover;
    position.isOver = position.winner !== null || !boards.includes(null);
    position.mover = 1 - mover;
  }

  /** The code of a cell of the big board. */
  codeAt(cell) {
    const [column, row] = [cell % 9, Math.floor(cell / 9)];
    return 9 * (Math.floor(row / 3) * 3 + Math.floor(column / 3)) + row % 3 * 3 + column % 3;
  }

  boardOf({ stones }) {
    return stones.map((_, cell) => stones[this.codeAt(cell)]);
  }

  text(code) {
    const [board, cell] = [Math.floor(code / 9), code % 9];
    return cellText(board % 3 * 3 + cell % 3, Math.floor(board / 3) * 3 + Math.floor(cell / 3));
  }

  textAt(cell) {
    return cellText(cell % 9, Math.floor(cell / 9));
  }
}

const directions = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
/** The stones in the middle: of who moves first, and of the other. */
const openingStones = [[28, 35], [27, 36]];

/** A stone turns the other side's that it encloses. Who has no move passes, which nobody writes. */
class Othello extends Game {
  start() {
    const stones = new Array(64).fill(null);
    openingStones.forEach((cells, player) => cells.forEach(cell => { stones[cell] = player; }));
    return { stones, mover: 0, isOver: false, winner: null };
  }

  /** The stones that a player's stone on a cell turns. */
  turned(stones, cell, player) {
    if (stones[cell] !== null) return [];
    return directions.flatMap(([right, down]) => {
      const enclosed = [];
      let [column, row] = [cell % 8 + right, Math.floor(cell / 8) + down];
      while (column >= 0 && column < 8 && row >= 0 && row < 8) {
        const stone = stones[row * 8 + column];
        if (stone === player) return enclosed;
        if (stone === null) return [];
        enclosed.push(row * 8 + column);
        column += right;
        row += down;
      }
      return [];
    });
  }

  canMove(stones, player) {
    return stones.some((_, cell) => this.turned(stones, cell, player).length > 0);
  }

  mayPlay({ stones, mover }, code) {
    return this.turned(stones, code, mover).length > 0;
  }

  play(position, code) {
    const { stones, mover } = position;
    for (const cell of [...this.turned(stones, code, mover), code]) stones[cell] = mover;
    position.mover = [1 - mover, mover].find(player => this.canMove(stones, player)) ?? null;
    position.isOver = position.mover === null;
    if (!position.isOver) return;
    const lead = stones.filter(stone => stone === 0).length - stones.filter(stone => stone === 1).length;
    position.winner = lead === 0 ? null : lead > 0 ? 0 : 1;
  }

  boardOf({ stones }) {
    return [...stones];
  }

  text(code) {
    return cellText(code % 8, Math.floor(code / 8));
  }

  textAt(cell) {
    return this.text(cell);
  }
}

export const ultimateTicTacToe = new UltimateTicTacToe({
  name: "ultimate-tic-tac-toe", title: "Ultimate tic-tac-toe", columns: 9, rows: 9, codeCount: 81,
});
export const othello = new Othello({ name: "othello", title: "Othello", columns: 8, rows: 8, codeCount: 64 });
