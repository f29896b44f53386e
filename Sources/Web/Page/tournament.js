// A tournament: who takes part, how it stands, and what is being played, made again from each `tournament` that the
// server sends (Docs/SOCKET.md).

import { Bracket } from "./bracket.js";
import { Download } from "./download.js";
import { button, element, show } from "./elements.js";
import { QRCode } from "./qr.js";
import { capital, nameOf, plain, termsOf } from "./words.js";

export class TournamentView {
  /** `act` asks the server for something at this tournament. */
  constructor(act) {
    Object.assign(this, { act, tournament: null, code: "" });
    this.title = element("h2", { tabindex: "-1" });
    this.about = element("p", { class: "about" });
    this.qr = new QRCode(act);
    this.status = element("p", { class: "status", role: "status" });
    this.acts = element("div", { class: "row acts", role: "group", "aria-label": "What you may do" });
    this.playing = element("section", { class: "playing", "aria-label": "Being played" });
    this.standings = element("section", { class: "standings", "aria-label": "Standings" });
    this.bracket = new Bracket();
    this.crosstable = element("section", { class: "crosstable", "aria-label": "Crosstable" });
    this.rounds = element("section", { class: "rounds", "aria-label": "Pairings" });
    this.remarks = element("ul", { class: "remarks" });
    this.download = new Download(act, "Download the tournament with its games");
    this.place = element("div", { class: "tournament" }, this.title, this.about, this.qr.place, this.status,
      this.acts, this.playing, this.bracket.place, this.standings, this.crosstable, this.rounds, this.remarks,
      this.download.place);
  }

  update(tournament) {
    this.tournament = tournament;
    this.names = namesOf(tournament.entrants);
    this.title.textContent = plain(tournament.title).trim() || "Tournament";
    document.title = this.title.textContent;
    this.download.code = this.code || tournament.code;
    this.about.textContent = about(tournament);
    this.qr.link = `${location.origin}/#${tournament.code}`;
    this.status.textContent = this.statusWords();
    this.showActs();
    this.showPlaying();
    this.bracket.update(tournament, seed => this.names[seed - 1]);
    this.showStandings();
    this.showCrosstable();
    this.showRounds();
    show(this.remarks, tournament.remarks.map(words => element("li", {}, plain(words))));
  }

  name(seed) { return seed === null ? "nobody yet" : this.names[seed - 1]; }

  statusWords() {
    const { phase, leaders, next, entrant, places, entrants } = this.tournament;
    const asked = this.tournament["has-asked"] ? " You have asked to come in." : "";
    if (phase === "waiting") {
      const own = entrant !== null ? " You take part." : asked;
      return `${entrants.length} of ${places} places are taken; it has not started yet.${own}`;
    }
    if (phase === "finished") {
      if (leaders.length === 0) return "The tournament is over.";
      const words = leaders.map(seed => this.name(seed)).join(" and ");
      return leaders.length > 1 ? `The first place is shared by ${words}.` : `${words} has won the tournament.`;
    }
    if (phase !== "playing") return "This tournament was closed, or was made by another program.";
    if (next) return next.table?.phase === "playing" ? `You play ${this.name(next.opponent)}.`
      : `You play ${this.name(next.opponent)} next: the table opens by itself when both are here.`;
    return `${this.tournament.decided} of ${this.tournament["pairing-count"]} pairings are decided.${asked}`;
  }

  showActs() {
    const { tournament } = this;
    const acts = [];
    if (tournament["may-join"] && !tournament["has-asked"]) {
      acts.push(button("Take part", () => this.act("join", termsOf(tournament)), { class: "big", "data-act": "join" }));
    }
    if (tournament["has-asked"]) {
      acts.push(button("Take that back", () => this.act("leave"), { "data-act": "leave" }));
    }
    const table = tournament.next?.table;
    if (table) acts.push(element("a", { href: `#${table.code}`, "data-act": "next" }, "Go to your table"));
    show(this.acts, acts);
  }

  showPlaying() {
    const on = this.tournament.pairings.filter(pairing => pairing.table !== null);
    this.playing.hidden = on.length === 0;
    show(this.playing, element("h3", {}, "Being played"), element("ul", {}, on.map(pairing => this.line(pairing))));
  }

  /** One pairing with its result, and the way to its table. */
  line(pairing) {
    const { upper, lower } = pairing;
    if (upper.bye || lower.bye) {
      return element("li", {}, `${this.name(upper.bye ? lower.entrant : upper.entrant)} has a bye`);
    }
    const words = `${this.name(upper.entrant)} – ${this.name(lower.entrant)}`;
    const points = upper.points === null ? "" : `: ${upper.points} : ${lower.points}${pairing.mark}`;
    const reason = pairing.reason === null || pairing.reason === "games" ? "" : ` (${pairing.reason})`;
    const room = pairing.table ?? pairing.rooms.at(-1) ?? null;
    const shown = `${words}${points}${reason}`;
    return element("li", {}, room === null ? shown
      : element("a", { href: `#${room.code}`, "data-pairing": pairing.pairing }, shown));
  }

  showStandings() {
    const { tournament } = this;
    const before = tournament.standings.length === 0;
    const heading = element("h3", {}, before ? "Entrants" : "Standings");
    if (before) {
      const lines = this.names.map(name => element("li", {}, name));
      return show(this.standings, heading, element("ol", { class: "players" }, lines));
    }
    const heads = ["Rank", "Entrant", ...tournament.measures.map(words => capital(words.toLowerCase())), "Won", "Drawn",
      "Lost"];
    const rows = tournament.standings.map(line => row([line.rank,
      `${this.name(line.entrant)}${line.out ? ` (${line.out})` : ""}`, ...line.measures, line.wins, line.draws,
      line.losses], line.entrant === tournament.entrant));
    return show(this.standings, heading, table("Standings", heads, rows));
  }

  showCrosstable() {
    const { crosstable } = this.tournament;
    this.crosstable.hidden = crosstable === null;
    if (crosstable === null) return show(this.crosstable);
    const places = new Map(crosstable.rows.map(({ entrant }, index) => [entrant, index + 1]));
    const heads = ["", "Entrant", ...crosstable.columns.map(column => column.round ?? places.get(column.entrant))];
    const rows = crosstable.rows.map(({ entrant, cells }, index) => (
      row([index + 1, this.name(entrant), ...cells], entrant === this.tournament.entrant)));
    return show(this.crosstable, element("h3", {}, "Crosstable"), table("Crosstable", heads, rows));
  }

  showRounds() {
    const { pairings } = this.tournament;
    this.rounds.hidden = pairings.length === 0;
    if (pairings.length === 0) return show(this.rounds);
    const isOpen = this.rounds.querySelector("details")?.open ?? this.tournament.brackets.length === 0;
    const rounds = new Map();
    for (const pairing of pairings) {
      const title = pairing.stage ? capital(pairing.stage) : `Round ${pairing.round}`;
      if (!rounds.has(title)) rounds.set(title, []);
      rounds.get(title).push(pairing);
    }
    return show(this.rounds, element("details", { open: isOpen }, element("summary", {}, "All pairings"),
      [...rounds].map(([title, list]) => [element("h3", {}, title),
        element("ul", {}, list.map(pairing => this.line(pairing)))]).flat()));
  }
}

/** How entrants are called, by seed; those of one name with the first digits of their keys behind it. */
function namesOf(entrants) {
  const names = entrants.map(entrant => nameOf(entrant.name, entrant.emoji));
  return names.map((name, index) => {
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return isAlone ? name : `${name} (${entrants[index].peer.slice(0, 6)})`;
  });
}

function about(tournament) {
  const format = (tournament.format ?? "a new format").replace("-", " ");
  const words = [plain(tournament["game-title"] ?? tournament.game), format];
  if (tournament.games > 1) words.push(`${tournament.games} games a pairing`);
  if (tournament.clock > 0) words.push(`${tournament.clock / 1000} s each`);
  if (tournament["move-limit"] > 0) words.push(`${tournament["move-limit"] / 1000} s a move`);
  words.push(`organized by ${nameOf(tournament.organizer.name)}`);
  return `${words.join(", ")}. Others come with the code ${tournament.code}.`;
}

function row(cells, isOwn) {
  const [first, second, ...rest] = cells;
  return element("tr", { class: isOwn ? "own" : null }, element("td", {}, first),
    element("th", { scope: "row", class: "name" }, second), rest.map(cell => element("td", {}, cell)));
}

function table(name, heads, rows) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${name} as a table` },
    element("table", {}, element("thead", {}, element("tr", {},
      heads.map(words => (words === "" ? element("td", {}) : element("th", { scope: "col" }, words))))),
    element("tbody", {}, rows)));
}
