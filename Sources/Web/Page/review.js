// What the moves of a game that is over were worth, as the server's search sees it (`analyze` in Docs/SOCKET.md).

import { button, element, show } from "./elements.js";
import { listedGames } from "./lobby.js";
import { capital, moveWords, seatName } from "./words.js";

export class Review {
  /** `act` asks the server; `changed` is called when it has answered; `go` leads to a position. */
  constructor(act, changed, go) {
    Object.assign(this, { act, changed, go, table: null, number: 1, found: new Map(), isAsking: false });
    this.button = button("What was each move worth?", () => this.look(), { "data-act": "analyze" });
    this.lines = element("div", { role: "status" });
    this.place = element("div", { class: "review" }, this.button, this.lines);
  }

  /** What was found of the game that is shown; `null` while nothing is. */
  get review() { return this.found.get(this.number) ?? null; }

  update(table, number) {
    Object.assign(this, { table, number });
    const isOver = number < table.number || table.ending !== null;
    this.place.hidden = !isOver || !listedGames.get(table.game)?.analyzed;
    this.button.hidden = this.review !== null;
    this.button.disabled = this.isAsking;
    show(this.lines, this.review ? this.reviewLines() : this.isAsking && element("p", {}, "Looking at each move …"));
  }

  async look() {
    const { number } = this;
    this.isAsking = true;
    this.changed();
    const done = await this.act("analyze", { number });
    this.isAsking = false;
    if (done) this.found.set(number, done);
    this.changed();
  }

  /** What the move was worth that led to a position; empty where nothing is known of it. */
  words(ply) {
    const move = this.review?.moves.find(each => each.ply === ply);
    if (!move) return "";
    const best = move.best === null ? " No move was better." :
      ` Best was ${moveWords(this.table, move.best)}: ${move["best-worth"]}.`;
    return ` ${move.mistake ? "A mistake" : "Worth"}: ${move.worth}.${best}`;
  }

  reviewLines() {
    const { table, review: { losing, accuracy, moves } } = this;
    const lost = moves.find(move => move.ply === losing);
    return [
      lost && element("p", {}, "Where it was lost: ",
        button(`move ${losing}, ${seatName(table, lost.seat)}: ${moveWords(table, lost.move)}`,
          () => this.go(losing), { "data-act": "losing" })),
      element("ul", { "aria-label": "How well each side played" }, accuracy.map((percents, index) => (
        percents !== null && element("li", {},
          `${capital(seatName(table, index + 1))}: ${percents} % of the moves were as good as any.`)))),
    ];
  }
}
