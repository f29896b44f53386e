// The sheet of a drawing game: what is drawn as SVG, the tools of who draws, and the field in which others guess.

import { button, element, labelled, select, shape, show } from "./elements.js";
import { plain } from "./words.js";

const colours = ["black", "red", "orange", "yellow", "green", "blue", "brown", "white"];
const widths = ["4", "8", "16", "32"];
/** What is drawn is sent so often, and a line has so many points. */
const batchMilliseconds = 400;
const mostPoints = 100;

export class Sheet {
  /** `send` sends strokes, or a guess, as they are typed. */
  constructor(send) {
    Object.assign(this, { send, points: [], batch: [], timer: null, isDrawer: false, shown: null });
    this.lines = shape("g");
    // What was drawn here and is not on the sheet of all.
    this.own = shape("g");
    this.picture = shape("svg", {
      viewBox: "0 0 1024 768", class: "sheet", role: "img", "aria-label": "Drawing",
      onpointerdown: event => this.begin(event), onpointermove: event => this.go(event),
      onpointerup: () => this.cut(false), onpointercancel: () => this.cut(false),
    }, this.lines, this.own);
    this.colour = select("colour", colours);
    this.width = select("width", widths, "8");
    this.tools = element("div", { class: "row" }, labelled("Colour", this.colour), labelled("Width", this.width),
      button("Clear the sheet", () => this.send("clear"), { "data-act": "clear" }));
    this.words = element("input", { name: "guess", autocomplete: "off", required: true });
    this.asks = element("span");
    this.form = element("form", { class: "row", onsubmit: event => this.enter(event) },
      element("label", {}, this.asks, this.words), element("button", { "data-act": "guess" }, "Send"));
    this.guesses = element("ol", { role: "log", "aria-label": "Guesses" });
    this.place = element("div", {}, this.picture, this.tools, this.form, this.guesses);
  }

  update(hosted, round, mayEnter, nameOf) {
    const sheet = round?.sheet ?? null;
    this.place.hidden = sheet === null;
    if (sheet === null) return;
    this.isDrawer = mayEnter && sheet.drawer === hosted.number;
    this.tools.hidden = !this.isDrawer;
    this.form.hidden = !mayEnter || (!this.isDrawer && round.own === "right");
    this.asks.textContent = this.isDrawer ? "Or type what to draw, such as line 10 10 200 200" : "Your guess";
    const key = JSON.stringify([round.opening, sheet]);
    if (this.shown === key) return;
    this.shown = key;
    const drawn = new Set(sheet.strokes.map(({ points }) => points));
    for (const line of [...this.own.children]) if (!this.isDrawer || drawn.has(line.dataset.points)) line.remove();
    show(this.lines, sheet.strokes.map(stroke));
    show(this.guesses, sheet.guesses.map(({ number, right, text }) => element("li", {},
      right ? `${nameOf(number)} has it.` : `${nameOf(number)}: ${plain(text ?? "?")}`)));
  }

  enter(event) {
    event.preventDefault();
    this.send(this.words.value);
    this.words.value = "";
  }

  /** Where a pointer is on the sheet. */
  at({ clientX, clientY }) {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    const place = (part, size) => Math.max(0, Math.min(size - 1, Math.round(part * size)));
    return `${place((clientX - left) / width, 1_024)} ${place((clientY - top) / height, 768)}`;
  }

  begin(event) {
    if (!this.isDrawer || event.button > 0) return;
    event.preventDefault();
    this.picture.setPointerCapture(event.pointerId);
    this.points = [this.at(event)];
    this.timer ??= setTimeout(() => this.flush(), batchMilliseconds);
  }

  go(event) {
    if (this.points.length === 0) return;
    const point = this.at(event);
    if (point !== this.points.at(-1)) this.points.push(point);
    if (this.points.length === mostPoints) this.cut(true);
  }

  /** Ends a line; where the pointer goes on, the next one begins where it ended. */
  cut(goesOn) {
    if (this.points.length === 0) return;
    const line = { colour: this.colour.value, width: this.width.value, points: this.points.join(" ") };
    this.points = goesOn ? [this.points.at(-1)] : [];
    this.own.append(stroke(line));
    this.batch.push(`line ${line.colour} ${line.width} ${line.points}`);
    if (this.batch.length > 2 || this.timer === null) this.flush();
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.points.length > 1) this.cut(true);
    if (this.batch.length > 0) this.send(this.batch.splice(0).join("; "));
    if (this.points.length > 0) this.timer ??= setTimeout(() => this.flush(), batchMilliseconds);
  }
}

/** A line; one point is a dot. */
function stroke({ colour, width, points }) {
  const shown = points.split(" ").length > 2 ? points : `${points} ${points}`;
  return shape("polyline", { points: shown, stroke: colour, "stroke-width": width, "data-points": points });
}
