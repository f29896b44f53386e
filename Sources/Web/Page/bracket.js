// The bracket of an elimination as SVG, from the places that the server gives (`brackets` in Docs/SOCKET.md). It keeps
// its size, so that names can be read however many there are: the place around it scrolls, and buttons change it.

import { button, element, shape, show } from "./elements.js";

const box = { width: 190, height: 44 };
const gap = { x: 34, y: 16 };
const top = 26;
const zooms = [0.35, 0.5, 0.7, 1, 1.4, 2];

export class Bracket {
  constructor() {
    this.zoom = zooms.indexOf(1);
    this.drawing = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Bracket" });
    const step = (words, name, by) => (
      button(words, () => this.scale(by), { "aria-label": name, title: name, class: "quiet", "data-act": name }));
    const steps = [step("−", "Smaller", -1), step("+", "Larger", 1)];
    this.place = element("section", { class: "bracket", "aria-label": "Knock-out" },
      element("div", { class: "row" }, element("h3", {}, "Bracket"), steps), this.drawing);
  }

  scale(by) {
    this.zoom = Math.min(zooms.length - 1, Math.max(0, this.zoom + by));
    for (const picture of this.drawing.querySelectorAll("svg")) this.resize(picture);
  }

  resize(picture) {
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    picture.setAttribute("width", Math.round(width * zooms[this.zoom]));
    picture.setAttribute("height", Math.round(height * zooms[this.zoom]));
  }

  /** `nameOf` says how an entrant is called, by its seed. */
  update(tournament, nameOf) {
    this.place.hidden = tournament.brackets.length === 0;
    const { scrollLeft, scrollTop } = this.drawing;
    show(this.drawing, tournament.brackets.map(bracket => {
      const picture = draw(bracket, tournament, nameOf);
      this.resize(picture);
      return picture;
    }));
    Object.assign(this.drawing, { scrollLeft, scrollTop });
  }
}

const left = place => 4 + place.column * (box.width + gap.x);
const middle = (place, bracket) => top + (place.height / bracket.unit + 0.5) * (box.height + gap.y);

function draw(bracket, tournament, nameOf) {
  const width = bracket.columns * (box.width + gap.x);
  const height = top + bracket.rows * (box.height + gap.y) + 4;
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Places" });
  const headed = new Set();
  for (const place of bracket.places) {
    const pairing = tournament.pairings[place.pairing];
    if (!pairing) continue;
    if (!headed.has(place.column)) {
      headed.add(place.column);
      const isFinal = place.column === bracket.columns - 1 && place.column > 0;
      const words = pairing.stage ?? (isFinal ? "final" : `round ${pairing.round}`);
      picture.append(shape("text", { class: "head", x: left(place) + box.width / 2, y: 14 }, words));
    }
    const [x, y] = [left(place), middle(place, bracket)];
    for (const source of place.sources) {
      const before = bracket.places[source];
      const from = `M${left(before) + box.width} ${middle(before, bracket)}`;
      picture.append(shape("path", { class: "line", d: `${from}H${x - gap.x / 2}V${y}H${x}` }));
    }
    picture.append(drawPlace(pairing, x, y - box.height / 2, nameOf));
  }
  return picture;
}

function drawPlace(pairing, x, y, nameOf) {
  const room = pairing.table ?? pairing.rooms.at(-1) ?? null;
  const names = [pairing.upper, pairing.lower].map(side => sideName(side, nameOf));
  const state = pairing.table ? ", being played" : "";
  const place = room === null ? shape("g", {}) : shape("a", { href: `#${room.code}`, "data-pairing": pairing.pairing,
    "aria-label": `${names.join(" against ")}${state}` });
  place.append(shape("rect", { class: pairing.table ? "place on" : "place", x, y, ...box, rx: 4 }));
  place.append(shape("path", { class: "line", d: `M${x} ${y + box.height / 2}h${box.width}` }));
  [pairing.upper, pairing.lower].forEach((side, index) => {
    const hasWon = side.entrant !== null && side.entrant === pairing.winner;
    const line = y + (index + 0.5) * box.height / 2;
    const known = side.entrant === null ? " unknown" : "";
    const kind = `${hasWon ? "won" : "side"}${known}`;
    const text = shape("text", { class: kind, x: x + 8, y: line }, short(names[index]));
    text.append(shape("title", {}, names[index]));
    place.append(text);
    if (side.points !== null) {
      place.append(shape("text", { class: `points${hasWon ? " won" : ""}`, x: x + box.width - 8, y: line },
        `${side.points}${pairing.mark}`));
    }
  });
  return place;
}

function sideName(side, nameOf) {
  if (side.entrant !== null) return `${side.entrant} ${nameOf(side.entrant)}`;
  return side.bye ? "bye" : "–";
}

/** As much of a name as a place holds. */
function short(name) {
  const letters = [...name];
  return letters.length > 17 ? `${letters.slice(0, 16).join("")}…` : name;
}
