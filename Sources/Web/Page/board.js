// A board as SVG, drawn from a table's picture (`position.board`): cells, pieces, the last move and the legal moves.
// One cell takes the keyboard at a time; arrows go to the others.

import { element, shape, show } from "./elements.js";
import { plain, seatName } from "./words.js";

const size = 40;
const labelRoom = 22;

/** How each game draws the pieces of its seats. */
const styles = {
  "tic-tac-toe": "marks",
  "ultimate-tic-tac-toe": "marks",
  gomoku: "stones",
  othello: "stones",
};

/** Draws the board of a table into a place. `play` is called with the move of a cell that is chosen. */
export function drawBoard(place, table, play) {
  const { board, labels, "row-labels": rowLabels } = table.position;
  place.hidden = board.length === 0;
  if (board.length === 0) return show(place);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
  const width = Math.max(...board.map(row => row.length));
  const left = rowLabels.length > 0 ? labelRoom : 0;
  const below = labels.length > 0 ? labelRoom : 0;
  const moves = new Map(table.moves.map(move => [move.text, move]));
  const drawing = shape("svg", {
    viewBox: `${-left - 1} -1 ${width * size + left + 2} ${board.length * size + below + 2}`,
    class: `board ${styles[table.game] ?? "discs"}`, role: "group", "aria-label": `Board of ${table.title}`,
    onkeydown: event => moveFocus(event, drawing),
  });
  board.forEach((row, y) => row.forEach((cell, x) => {
    const move = moves.get(cell.text) ?? (labels.length > 0 && moves.get(labels[x])) ?? null;
    drawing.append(drawCell(table, cell, x, y, move || null, play));
  }));
  if (table.game === "ultimate-tic-tac-toe") drawing.append(thickLines(width, board.length));
  labels.forEach((text, x) => drawing.append(label(text, (x + 0.5) * size, board.length * size + labelRoom / 2)));
  rowLabels.forEach((text, y) => drawing.append(label(text, -labelRoom / 2, (y + 0.5) * size)));
  const entry = [...drawing.querySelectorAll("[data-cell]")];
  const first = entry.find(cell => cell.dataset.cell === focused) ?? entry.find(isLegal) ?? entry[0];
  first.setAttribute("tabindex", "0");
  show(place, drawing);
  if (focused !== null) first.focus();
  return undefined;
}

const isLegal = cell => cell.classList.contains("legal");

function drawCell(table, cell, x, y, move, play) {
  const kinds = ["cell"];
  if (move) kinds.push("legal");
  if (cell.marked) kinds.push("marked");
  const group = shape("g", {
    class: kinds.join(" "), role: "button", tabindex: "-1", "data-cell": `${x},${y}`,
    "data-move": move?.text, "aria-disabled": move ? "false" : "true",
    "aria-label": cellWords(table, cell, x, y, move), transform: `translate(${x * size} ${y * size})`,
  });
  group.append(shape("rect", { class: "ground", width: size, height: size }));
  if (cell.face) group.append(shape("text", { class: "face", x: size / 2, y: size / 2 }, plain(cell.face)));
  else if (cell.seat !== null) group.append(...piece(table, cell.seat));
  else if (table.game === "memory-match" && cell.text) group.append(...cardBack(cell.text));
  else if (move) group.append(shape("circle", { class: "hint", cx: size / 2, cy: size / 2, r: 4 }));
  if (move) group.addEventListener("click", () => play(move));
  return group;
}

/** What a screen reader says of a cell. */
function cellWords(table, cell, x, y, move) {
  const { labels, "row-labels": rowLabels } = table.position;
  const column = labels[x] ?? String(x + 1);
  const place = `row ${rowLabels[y] ?? y + 1}, column ${column}`;
  const holder = cell.seat === null ? null : seatName(table, cell.seat);
  const piece = holder === "you" ? "yours" : `of ${holder}`;
  const content = cell.face ? plain(cell.face) : holder === null ? "empty" : piece;
  const words = [place, content];
  if (cell.marked) words.push("marked");
  if (move) words.push(`play ${move.text}`);
  return words.join(", ");
}

/** A piece: seats differ in form as well as in colour. */
function piece(table, seat) {
  const middle = size / 2;
  const style = styles[table.game] ?? "discs";
  if (style === "marks") {
    return seat === 1
      ? [shape("path", { class: "mark first", d: "M11 11L29 29M29 11L11 29" })]
      : [shape("circle", { class: "mark second", cx: middle, cy: middle, r: 10 })];
  }
  const sides = table.position.sides;
  const kind = sides.length > 0 ? sides.indexOf(seat) + 1 : seat;
  const made = [shape("circle", { class: `piece piece-${kind}`, cx: middle, cy: middle, r: 15 })];
  if (style === "discs" && table.seats.length === 2 && seat === 2) {
    made.push(shape("circle", { class: "inner", cx: middle, cy: middle, r: 7 }));
  }
  if (table.seats.length > 2) made.push(shape("text", { class: "number", x: middle, y: middle }, seat));
  return made;
}

function cardBack(text) {
  return [
    shape("rect", { class: "card", x: 4, y: 4, width: size - 8, height: size - 8, rx: 5 }),
    shape("text", { class: "number", x: size / 2, y: size / 2 }, plain(text)),
  ];
}

function thickLines(width, height) {
  const lines = [];
  for (let at = 3; at < width; at += 3) lines.push(`M${at * size} 0V${height * size}`);
  for (let at = 3; at < height; at += 3) lines.push(`M0 ${at * size}H${width * size}`);
  return shape("path", { class: "thick", d: lines.join("") });
}

const label = (text, x, y) => shape("text", { class: "label", x, y }, plain(text));

/** Arrows go from cell to cell; Enter and the space bar play there. */
function moveFocus(event, drawing) {
  const cell = document.activeElement?.closest?.("[data-cell]");
  if (!cell || !drawing.contains(cell)) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    cell.dispatchEvent(new MouseEvent("click"));
    return;
  }
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  const [x, y] = cell.dataset.cell.split(",").map(Number);
  const next = drawing.querySelector(`[data-cell="${x + step[0]},${y + step[1]}"]`);
  if (!next) return;
  cell.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/** The lines under the board, in which seats are named. */
export function drawLines(place, table) {
  const lines = table.position.lines.map(pieces => element("p", {}, pieces.map(
    ({ seat, text }) => (seat === null ? plain(text) : seatName(table, seat)))));
  show(place, lines);
}
