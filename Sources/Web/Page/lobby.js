// The lobby: who one is, tables that are open, and a form for a new one.

import { button, element, labelled, select, show } from "./elements.js";
import { identity } from "./identity.js";
import { cut } from "./key.js";
import { canHaveKey } from "./protocol/rules.js";
import { capital, nameOf, plain } from "./words.js";

/** The games as the server lists them, by name. */
export const listedGames = new Map();

/** Whom one can play a game with: bots, and people by the words for them. */
export function opponents({ bots }, person) {
  const levels = bots.includes("level")
    ? Array.from({ length: 10 }, (_, index) => [`level:${index + 1}`, `a bot of level ${index + 1}`]) : [];
  return [["", person], ...levels, ...bots.filter(bot => bot !== "level").map(bot => [bot, `the bot ${bot}`])];
}

/** Asks for a name and an emoji. */
export function introduction(done) {
  const name = element("input", { name: "name", maxlength: 32, autocomplete: "nickname", value: identity.name ?? "" });
  const emoji = element("input", { name: "emoji", maxlength: 16, autocomplete: "off", value: identity.emoji });
  const submit = event => {
    event.preventDefault();
    identity.introduce(cut(name.value.trim(), 32), cut(emoji.value.trim(), 32));
    done();
  };
  return element("form", { class: "card", onsubmit: submit }, element("h2", {}, "Who are you?"),
    labelled("Name", name), labelled("Emoji", emoji, "for example 🐱; nothing is fine too"),
    element("div", { class: "row" }, element("button", { class: "big" }, "Come in")));
}

export class Lobby {
  /**
   * `ask` asks the server; `go` leads to a table; `hasKeySeat` says at which tables this browser's key plays, and
   * `hostWithKey` opens one with it.
   */
  constructor(ask, go, hasKeySeat, hostWithKey) {
    Object.assign(this, { ask, go, hasKeySeat, hostWithKey, isOwner: false });
    this.mine = element("ul", { class: "tables", "aria-label": "Your tables" });
    this.open = element("ul", { class: "tables", "aria-label": "Open tables" });
    this.mineHead = element("h2", {}, "Your tables");
    this.cups = element("ul", { class: "tables", "aria-label": "Tournaments" });
    this.cupsHead = element("h2", {}, "Tournaments");
    const code = element("input", { name: "code", autocomplete: "off", autocapitalize: "characters", required: true });
    const join = event => {
      event.preventDefault();
      this.go(code.value.trim());
    };
    this.form = element("div", {});
    this.place = element("div", { class: "lobby" },
      element("div", {}, this.mineHead, this.mine, element("h2", {}, "Open tables"), this.open,
        this.cupsHead, this.cups,
        element("form", { class: "row", onsubmit: join }, labelled("Code of a table", code),
          element("button", {}, "Go there"))),
      this.form);
  }

  setGames(games, isOwner) {
    const key = JSON.stringify([games, isOwner]);
    if (this.gamesKey === key) return;
    Object.assign(this, { isOwner, gamesKey: key });
    for (const game of games) listedGames.set(game.name, game);
    this.game = select("game", games.map(game => [game.name, plain(game.title)]));
    this.game.addEventListener("change", () => this.showSettings());
    this.settings = element("div", {});
    const withKey = ({ target: { form } }) => form.reportValidity() && this.hostWithKey(this.wanted(form), this.chosen);
    this.withKey = button("Open it with the key of this browser", withKey, { "data-act": "host-key" });
    const submit = event => {
      event.preventDefault();
      this.host(event.target);
    };
    show(this.form, element("form", { class: "card", onsubmit: submit }, element("h2", {}, "Host a game"),
      labelled("Game", this.game), this.settings,
      element("div", { class: "row" }, element("button", { class: "big", "data-act": "host" }, "Open the table"),
        this.withKey)));
    this.showSettings();
  }

  get chosen() {
    return listedGames.get(this.game.value);
  }

  showSettings() {
    const game = this.chosen;
    this.withKey.hidden = !canHaveKey(game.name);
    const own = game.settings.map(setting => labelled(capital(setting.name).replaceAll("-", " "),
      element("input", { name: `setting:${setting.name}`, placeholder: setting.standard, autocomplete: "off" }),
      plain(setting.summary)));
    show(this.settings, element("p", {}, plain(game.summary)),
      labelled("Against", select("bot", opponents(game, "a person"))), own,
      element("details", {}, element("summary", {}, "More"),
        labelled("Your seat", select("seat", [["random", "drawn"], ["first", "first"], ["second", "second"]])),
        labelled("Games", element("input", { name: "games", type: "number", min: 1, max: 256, placeholder: "1" })),
        labelled("Wins that end the series",
          element("input", { name: "target", type: "number", min: 1, max: 256, placeholder: "none" })),
        labelled("Take-backs", select("undo", [["yes", "allowed"], ["no", "not allowed"]])),
        labelled("Who may see it", select("scope", [["local", "people here and nearby"], ["public", "everybody"],
          ["invited", "who is invited"]], this.isOwner ? "public" : "local"))));
  }

  /** What somebody wants who hosts, in the words of `host` of parlor.1. */
  wanted(form) {
    const fields = new FormData(form);
    const members = { game: fields.get("game"), seat: fields.get("seat"), scope: fields.get("scope") };
    if (fields.get("bot")) members.bot = fields.get("bot");
    if (fields.get("undo") === "no") members.undo = false;
    for (const name of ["games", "target"]) if (fields.get(name)) members[name] = Number(fields.get(name));
    const settings = [...fields].filter(([name, value]) => name.startsWith("setting:") && value.trim() !== "");
    if (settings.length > 0) {
      const pairs = settings.map(([name, value]) => [name.slice("setting:".length), value.trim()]);
      members.settings = Object.fromEntries(pairs);
    }
    return members;
  }

  async host(form) {
    const done = await this.ask("host", this.wanted(form));
    if (done) this.go(done.code);
  }

  update(tables, cups) {
    const isMine = table => table.seat !== null || this.hasKeySeat(table.room);
    const mine = tables.filter(isMine);
    const open = tables.filter(table => !isMine(table));
    this.mineHead.hidden = this.mine.hidden = mine.length === 0;
    show(this.mine, mine.map(table => this.line(table)));
    show(this.open, open.length > 0 ? open.map(table => this.line(table))
      : element("li", {}, "There is none. Host one, and tell others its code."));
    this.cupsHead.hidden = this.cups.hidden = cups.length === 0;
    show(this.cups, cups.map(cup => this.cupLine(cup)));
  }

  cupLine(cup) {
    const words = `${plain(cup.title).trim() || "Tournament"}, ${plain(cup["game-title"] ?? cup.game)}`;
    const format = (cup.format ?? "a new format").replace("-", " ");
    const phase = cup["may-join"] ? `${cup.entrants} of ${cup.places} places taken` : cup.phase;
    return element("li", {}, button(words, () => this.go(cup.code), { "data-room": cup.code }),
      element("span", {}, `${cup.code}, ${format}, ${phase}`));
  }

  line(table) {
    const phase = table.phase === "waiting" && table.seats > 0 ? `${table.free} free` : table.phase;
    const state = table["to-choose"] ? "your turn" : phase;
    const words = `${plain(table.title ?? table.game)} of ${nameOf(table.creator.name)}`;
    return element("li", {}, button(words, () => this.go(table.code), { "data-room": table.code }),
      element("span", {}, `${table.code}, ${state}`));
  }
}
