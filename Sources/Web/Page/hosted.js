// Hosted rounds: a quiz with four big choices, a tap race with one big button, a sheet to draw on.

import { setClock } from "./clocks.js";
import { button, element, labelled, show } from "./elements.js";
import { Sheet } from "./sheet.js";
import { nameOf, plain } from "./words.js";

/** A race takes taps in batches; one every so often. */
const batchMilliseconds = 250;

export class HostedRounds {
  constructor(act) {
    Object.assign(this, { act, table: null, taps: 0, opening: null, timer: null, shown: null });
    this.entrance = element("div", {});
    this.round = element("p", { class: "round" });
    this.clock = element("span", { class: "clock", role: "timer", "aria-label": "Time left" });
    this.question = element("h3", { class: "asked" });
    this.answers = element("div", { class: "answers", role: "group", "aria-label": "Answers" });
    this.own = element("p", { role: "status" });
    this.sheet = new Sheet(text => this.enter(text));
    this.players = element("ol", { class: "players", "aria-label": "Players" });
    this.place = element("section", { class: "hosted", "aria-label": "Rounds" }, this.entrance, this.round, this.clock,
      this.question, this.answers, this.sheet.place, this.own, this.players);
  }

  update(table) {
    this.place.hidden = table.hosted === null;
    if (this.place.hidden) return;
    this.table = table;
    const { hosted } = table;
    const round = hosted.recent.at(-1) ?? null;
    this.showEntrance(table);
    const host = hosted["host-connected"] ? "" : " The host is not connected.";
    this.round.textContent = (round ? `Round ${round.number} of ${hosted.rounds}.` : "Nothing was asked yet.") + host;
    this.question.textContent = round ? questionWords(round, hosted) : "";
    const isOpen = round !== null && round.phase === "open";
    if (round?.opening !== this.opening) this.begin(round);
    this.clock.hidden = !isOpen;
    const mayEnter = isOpen && hosted.number !== null && (!table["own-key"] || table.may.includes("enter"));
    this.showAnswers(round, mayEnter);
    this.sheet.update(hosted, round, mayEnter, number => playerName(number, hosted));
    this.own.textContent = round ? ownWords(round) : "";
    show(this.players, hosted.players.map(player => playerLine(player, hosted, round)));
  }

  /** Says something in the round that was seen: a key of this browser says it in no later one. */
  enter(text) {
    this.act("enter", this.table["own-key"] ? { text, opening: this.opening } : { text });
  }

  /** A round is seen for the first time: its clock goes from what has passed by the host's. */
  begin(round) {
    Object.assign(this, { opening: round?.opening ?? null, taps: 0, shown: null });
    setClock(this.clock, round ? Math.max(0, round.limit - (round.passed ?? 0)) : null, true);
  }

  showEntrance({ hosted, "own-key": ownKey }) {
    const key = JSON.stringify([!ownKey, hosted.number, hosted["has-asked"], hosted.refusal, hosted["needs-code"]]);
    if (this.entranceKey === key) return;
    this.entranceKey = key;
    if (hosted.number !== null || hosted.code !== null) return show(this.entrance);
    if (hosted["has-asked"] && hosted.refusal === null) {
      return show(this.entrance, element("p", {}, "You have asked to come in."));
    }
    const refusals = { "wrong-code": "That was not the join code.", full: "There is no place left." };
    const code = element("input", { name: "join-code", autocomplete: "off", required: true });
    const form = element("form", { class: "row" }, hosted["needs-code"] && labelled("Join code", code));
    const come = act => {
      if (form.reportValidity()) this.act(act, hosted["needs-code"] ? { "join-code": code.value.trim() } : {});
    };
    form.onsubmit = event => {
      event.preventDefault();
      come("join");
    };
    form.append(element("button", { class: "big", "data-act": "join" }, ownKey ? "Come in" : "Come in as a guest"));
    if (!ownKey) {
      form.append(button("Come in with a key of this browser", () => come("join-key"), { "data-act": "join-key" }));
    }
    return show(this.entrance, hosted.refusal && element("p", {}, refusals[hosted.refusal] ?? hosted.refusal), form);
  }

  showAnswers(round, mayAnswer) {
    const ownKey = this.table["own-key"];
    const isRace = round !== null && round.choices.length === 0;
    const key = JSON.stringify([round?.opening, mayAnswer, !isRace && round?.own, round?.phase, round?.solution,
      round?.mine]);
    if (this.shown === key) return;
    this.shown = key;
    if (!round || round.sheet) return show(this.answers);
    if (isRace) {
      const attributes = { class: "tap", "data-act": "tap" };
      return show(this.answers, mayAnswer && button("Tap", () => this.tap(), attributes));
    }
    const isAnswered = round.own !== "none" && round.own !== "unreadable" && round.own !== "misread";
    return show(this.answers, round.choices.map((choice, index) => {
      const text = String(index + 1);
      const count = round.chosen.find(one => one.text === text)?.count;
      const told = count === undefined ? "" : ` (${count})`;
      const mark = round.solution === text ? " ✓" : "";
      return button(`${plain(choice)}${told}${mark}`, () => this.enter(text), {
        "aria-pressed": ownKey ? String(round.mine === text) : null,
        class: `answer answer-${index + 1}${mark ? " right" : ""}`, disabled: !mayAnswer || isAnswered,
      });
    }));
  }

  /** Taps are sent in batches: the host counts at most twenty a second anyway. */
  tap() {
    this.taps += 1;
    if (this.timer === null) this.timer = setTimeout(() => this.sendTaps(), batchMilliseconds);
  }

  sendTaps() {
    this.timer = null;
    const taps = this.taps;
    this.taps = 0;
    if (taps > 0) this.enter(String(taps));
  }
}

function playerName(number, { players }) {
  return nameOf(players.find(player => player.number === number)?.name ?? "");
}

function questionWords({ question, sheet }, hosted) {
  if (!sheet) return plain(question);
  if (sheet.drawer !== hosted.number) return `${playerName(sheet.drawer, hosted)} draws. ${plain(question)}`;
  if (sheet.word === null || !sheet.bound) return "The host told you another word than it is bound to.";
  return `You draw: ${plain(sheet.word)}`;
}

function ownWords(round) {
  const points = (round.points ?? null) === null ? "" : `, ${round.points} points`;
  const seconds = round.milliseconds === null ? "" : ` after ${(round.milliseconds / 1000).toFixed(1)} seconds`;
  switch (round.own) {
  case "sent": return "Sent.";
  case "taken": return round.sheet && round.phase === "settled" ? `You drew it${points}.`
    : round.choices.length === 0 ? "" : `Your answer came${seconds}.`;
  case "right": return `Right${points}.`;
  case "wrong": return `Wrong${points}.`;
  case "unreadable": case "misread": return "The host could not read your entry.";
  default: return round.phase === "void" ? "This round counts nothing and is asked anew." : "";
  }
}

function playerLine(player, hosted, round) {
  const count = round?.counts.find(one => one.number === player.number)?.count;
  const taps = count === undefined || round.phase === "settled" ? "" : `, ${count} taps`;
  const away = player.left ? " (gone)" : player.connected ? "" : " (away)";
  const own = player.number === hosted.number ? " (you)" : "";
  return element("li", { value: player.rank }, `${nameOf(player.name)}${own}${away}: ${player.score} points${taps}`);
}
