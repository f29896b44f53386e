// Looking back: earlier positions of a table's games, of which the server gives some at a time (`positions` in
// Docs/SOCKET.md). The table itself goes on meanwhile.

import { button, element, labelled, select, show } from "./elements.js";
import { listedGames, opponents } from "./lobby.js";
import { Review } from "./review.js";
import { capital, moveWords, plain, seatName } from "./words.js";

export class Replay {
  /** `act` asks the server; `branch` opens a game that goes on from a position; `changed` is called when another
   * position is to be shown. */
  constructor(act, branch, changed) {
    Object.assign(this, { act, branch, changed, table: null, code: "", steps: new Map(), counts: new Map(), page: 1 });
    /** Where one looks: a game and how many plies it had; `null` for the game as it is now. */
    this.at = null;
    Object.assign(this, { isAsking: false, isBackward: false, opponent: null });
    const step = (words, name, act, press) => (
      button(words, press, { "aria-label": name, title: name, "data-act": act }));
    this.game = select("replay-game", []);
    this.game.addEventListener("change", () => this.go(Number(this.game.value), 0));
    this.gameChoice = labelled("Game", this.game);
    this.slider = element("input", { type: "range", name: "replay", min: "0", step: "1", "aria-label": "Position",
      oninput: () => this.go(this.number, Number(this.slider.value)) });
    this.words = element("p", { role: "status" });
    this.review = new Review(act, () => this.show(), ply => this.go(this.number, ply));
    this.link = element("a", { "data-act": "replay-link" });
    this.branching = element("div", { class: "row" });
    const attributes = { class: "replay", "aria-label": "Look back", onkeydown: event => this.press(event) };
    this.place = element("section", attributes, this.gameChoice,
      element("div", { class: "row" }, step("«", "First position", "replay-first", () => this.go(this.number, 0)),
        step("‹", "One back", "replay-back", () => this.go(this.number, this.ply - 1)),
        step("›", "One forward", "replay-forward", () => this.go(this.number, this.ply + 1)),
        step("»", "Last position", "replay-last", () => this.go(this.number, this.count)), this.slider),
      this.words, this.branching, this.review.place, element("p", {}, "Link to this position: ", this.link));
  }

  get number() { return this.at ? this.at.number : this.table.number; }

  get ply() { return this.at ? this.at.ply : this.table.plies.length; }

  /** How many plies the game has that is shown, as far as that is known. */
  get count() {
    return this.number === this.table.number ? this.table.plies.length : this.counts.get(this.number) ?? this.ply;
  }

  /** The position that is shown instead of the game as it is now; `null` while there is none, or it has not come. */
  get step() { return this.at ? this.steps.get(this.at.ply) ?? null : null; }

  /** Goes to a position before the first table has come; the game is the last one where `number` is `null`. */
  open(number, ply) { this.at = { number, ply }; }

  update(table) {
    if (this.table && this.table.number !== table.number) this.counts.set(this.table.number, this.table.plies.length);
    this.table = table;
    if (this.at) this.at.number ??= table.number;
    if (this.at && !this.isThere(this.at.number, this.at.ply)) this.at = null;
    for (const [ply, step] of this.steps) if (!this.stands(step)) this.steps.delete(ply);
    this.show();
    this.fetch();
  }

  /** Whether a position is an earlier one of a game that has begun. */
  isThere(number, ply) {
    const { table } = this;
    if (table.hosted !== null || number < 1 || number > table.number) return false;
    return number < table.number || ply < table.plies.length;
  }

  /** Whether a position is of the game that is shown, and was not taken back. */
  stands({ number, ply, event }) {
    const { table } = this;
    if (number !== this.number) return false;
    if (number !== table.number) return true;
    return ply < table.plies.length && (ply === 0 || table.plies[ply - 1].event === event);
  }

  go(number, wanted) {
    const before = this.at;
    const isOther = number !== this.number;
    const ply = Math.max(0, isOther ? wanted : Math.min(wanted, this.count));
    this.isBackward = !isOther && ply < this.ply;
    this.at = this.isThere(number, ply) ? { number, ply } : null;
    if (isOther) this.steps.clear();
    if (before === null && this.at === null) return;
    this.show();
    this.changed();
    this.fetch();
  }

  /** Asks for the positions around the one that is to be shown. */
  async fetch() {
    if (!this.at || this.step || this.isAsking) return;
    const { table, at } = this;
    const from = this.isBackward ? Math.max(0, at.ply - this.page + 1) : at.ply;
    this.isAsking = true;
    const done = await this.act("positions", { number: at.number, ply: from });
    this.isAsking = false;
    if (done) this.take(done, at.ply);
    else if (this.at === at) this.at = null;
    this.show();
    this.changed();
    // What has not come because the game went on meanwhile is asked for again; else the next table is waited for.
    if (this.at !== at || this.table !== table || !done) this.fetch();
  }

  take({ number, plies, positions }, wanted) {
    if (number !== this.table.number) this.counts.set(number, plies);
    for (const position of positions) {
      const step = { number, ...position };
      if (this.stands(step)) this.steps.set(step.ply, step);
    }
    const hasCome = positions.some(position => position.ply === wanted);
    this.page = hasCome ? Math.max(this.page, positions.length) : 1;
  }

  /** Arrows step, as at the slider, which does so itself. */
  press(event) {
    if ([this.slider, this.game, this.opponent].includes(event.target)) return;
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.count }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(this.number, to);
  }

  show() {
    const { table, number, ply, count } = this;
    this.place.hidden = table.hosted !== null || (table.plies.length === 0 && table.number < 2);
    if (this.place.hidden) return;
    this.review.update(table, number);
    this.gameChoice.hidden = table.number < 2;
    while (this.game.options.length < table.number) {
      const next = this.game.options.length + 1;
      this.game.append(element("option", { value: next }, `${next} of ${table.games}`));
    }
    this.game.value = String(number);
    this.slider.max = String(count);
    this.slider.value = String(ply);
    this.slider.setAttribute("aria-valuetext", `${ply} of ${count}`);
    const place = this.at ? `You look back: ${this.placeWords()}${this.liveWords()}` : "The game as it is now.";
    const words = place + this.review.words(ply);
    if (this.words.textContent !== words) this.words.textContent = words;
    this.showBranching();
    const hash = `#${this.code}@${table.games > 1 ? `${number}.` : ""}${ply}`;
    this.link.setAttribute("href", hash);
    this.link.textContent = `${location.host}/${hash}`;
  }

  // Where the rules have moves left, one can play on in another game.
  showBranching() {
    const { table, number, ply, count } = this;
    const game = listedGames.get(table.game);
    const isEnd = number === table.number && ply === count && table.ending?.cause === "rules";
    this.branching.hidden = isEnd || !game?.branched;
    if (this.opponent || !game) return;
    this.opponent = select("branch-bot", opponents(game, "a friend, who gets its code"));
    const press = () => this.branch({ number: this.number, ply: this.ply, bot: this.opponent.value || undefined });
    show(this.branching, labelled("Against", this.opponent),
      button("Play on from here", press, { "data-act": "branch" }));
  }

  placeWords() {
    const { table, step, ply, count } = this;
    if (ply === 0) return "the start.";
    const place = `after ${ply} of ${count}`;
    if (!step) return `${place}.`;
    const moves = step.moves.map(move => (move === "" ? "–" : moveWords(table, plain(move)))).join(", ");
    if (step.seat === null) return `${place}${moves ? `: ${moves}` : ""}.`;
    return `${place}, ${capital(seatName(table, step.seat))}: ${moves}.`;
  }

  liveWords() {
    if (["finished", "abandoned"].includes(this.table.phase)) return "";
    return this.table.may.includes("choose") ? " The game goes on, and waits for you." : " The game goes on meanwhile.";
  }
}
