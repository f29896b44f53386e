// A table: a game as this person's seat sees it, made again from each table that the server sends (Docs/TABLE.md).

import { drawBoard, drawLines } from "./board.js";
import { Chat } from "./chat.js";
import { setClock } from "./clocks.js";
import { confirmed } from "./dialogue.js";
import { Download } from "./download.js";
import { button, element, show } from "./elements.js";
import { HostedRounds } from "./hosted.js";
import { isKept } from "./identity.js";
import { canHaveKey } from "./protocol/rules.js";
import { QRCode } from "./qr.js";
import { Replay } from "./replay.js";
import { capital, moveWords, nameOf, plain, presence, seatName, standing, termsOf } from "./words.js";

export class TableView {
  /** `act` asks the server for something at this table; `go` leads to another table. */
  constructor(act, go) {
    Object.assign(this, { act, go, table: null, isSending: false });
    this.title = element("h2", { tabindex: "-1" });
    this.originLink = element("a", { "data-act": "origin" });
    this.origin = element("p", {}, "This table goes on from another one: ", this.originLink);
    this.invitation = element("p", { class: "invitation" });
    this.qr = new QRCode(act);
    this.seats = element("ul", { class: "seats", "aria-label": "Players" });
    this.status = element("p", { class: "status", role: "status" });
    this.offers = element("div", { class: "row offers" });
    this.board = element("div", { class: "board-place" });
    this.lines = element("div", { class: "lines" });
    this.keyWords = element("ul", { class: "key-words", "aria-label": "The key that plays", hidden: true });
    this.choices = element("div", { class: "row choices", role: "group", "aria-label": "Moves" });
    this.acts = element("div", { class: "row acts", role: "group", "aria-label": "What you may do" });
    this.record = element("section", { class: "record", "aria-label": "Moves so far" });
    this.chat = new Chat(text => this.act("say", { text }));
    this.hosted = new HostedRounds(act);
    this.replay = new Replay(act, members => this.open("branch", members), () => this.showPosition());
    this.download = new Download(act);
    this.place = element("div", { class: "table" },
      element("div", { class: "play" }, this.title, this.origin, this.invitation, this.qr.place,
        this.seats, this.keyWords, this.status, this.offers, this.board,
        this.lines, this.choices, this.replay.place, this.hosted.place, this.acts),
      element("div", { class: "aside" }, this.chat.place, this.record, this.download.place));
  }

  update(table) {
    this.table = table;
    this.title.textContent = titleOf(table);
    document.title = `${table.may.includes("choose") ? "● " : ""}${this.title.textContent}`;
    this.showOrigin();
    this.showInvitation();
    this.showSeats();
    this.showKey();
    const isHosted = table.hosted !== null;
    this.status.textContent = isHosted ? "" : standing(table);
    this.replay.code = this.code ?? "";
    this.download.code = this.code ?? table.room.slice(0, 10);
    this.replay.update(table);
    this.showPosition();
    this.showOffers();
    this.showActs();
    this.showRecord();
    this.chat.update(table);
    this.hosted.update(table);
  }

  // The position of the game as it is now, or an earlier one, in which nothing can be played.
  showPosition() {
    const { table, replay: { at, step } } = this;
    this.board.classList.toggle("past", at !== null);
    this.showChoices();
    if (at && !step) return;
    const shown = step ? { ...table, position: step.position, moves: [] } : table;
    drawBoard(this.board, shown, move => this.choose(move));
    drawLines(this.lines, shown);
  }

  // The position from which this game goes on.
  showOrigin() {
    const branch = this.table["branch-of"];
    this.origin.hidden = !branch;
    if (!branch) return;
    const { room, game, ply } = branch;
    this.originLink.href = `#${room}@${game}.${ply}`;
    this.originLink.textContent = `game ${game}, after ${ply} ${ply === 1 ? "move" : "moves"}`;
  }

  // How others come to this table.
  showInvitation() {
    const { table } = this;
    const isOpen = table.phase === "waiting" && table.seats.some(seat => seat.peer === null);
    this.invitation.hidden = this.qr.place.hidden = !isOpen && table.hosted === null;
    const code = this.code ?? "";
    this.qr.link = `${location.origin}/#${code}`;
    show(this.invitation, "Others come with the code ", element("b", { class: "code" }, code), " or the link ",
      element("a", { href: `#${code}` }, `${location.host}/#${code}`));
  }

  showSeats() {
    const { table } = this;
    this.seats.hidden = table.hosted !== null;
    show(this.seats, table.seats.map((seat, index) => {
      const clock = element("span", { class: "clock", role: "timer", "aria-label": "Time left" });
      setClock(clock, seat.left, seat.owes && table.phase === "playing");
      clock.hidden = seat.left === null;
      const isSeries = table.games > 1 || seat.wins > 0;
      return element("li", { class: `seat piece-${index + 1}${seat.owes && !table.ending ? " on-turn" : ""}` },
        element("span", { class: "name" }, seat.peer === null ? "free" : nameOf(seat.name, seat.emoji)),
        element("span", { class: "presence" }, presence(seat)),
        isKept(seat.name) && element("span", { class: "kept" }, "key kept by a server"),
        isSeries && element("span", {}, `${seat.wins} won`), clock);
    }));
  }

  // Which key plays, where it is one of this browser.
  showKey() {
    const lines = this.table["own-key"] ?? [];
    this.keyWords.hidden = lines.length === 0;
    show(this.keyWords, lines.map(line => element("li", {}, line)));
  }

  // What others ask for, and what it is answered with.
  showOffers() {
    const { table } = this;
    const offers = [];
    if (table.undo && table.undo.seat !== table.seat) {
      const name = capital(seatName(table, table.undo.seat));
      offers.push(element("p", {}, `${name} asks for a take-back, to ${table.undo.ply} plies.`));
    } else if (table.undo) offers.push(element("p", {}, "You have asked for a take-back. The game goes on meanwhile."));
    offers.push(this.actButton("Agree to the take-back", "agree"));
    for (const { seat } of table.draws) {
      offers.push(element("p", {}, seat === table.seat ? "You have offered a draw."
        : `${capital(seatName(table, seat))} offers a draw.`));
    }
    offers.push(this.actButton("Agree to a draw", "agree-draw"), this.actButton("Decline the draw", "decline-draw"));
    for (const { against } of table.claims) {
      offers.push(element("p", {}, `The referee is asked to rule on the time of ${seatName(table, against)}.`));
    }
    if (table.rematch) {
      offers.push(element("p", {}, "There is a next game. ", this.rematchButton("Come to the next game")));
    }
    show(this.offers, offers);
  }

  // Moves that are on no cell, such as those of a round.
  showChoices() {
    const { table } = this;
    const onBoard = new Set([
      ...table.position.board.flat().map(cell => cell.text),
      ...(table.position.board.length > 0 ? table.position.labels : []),
    ]);
    const moves = this.replay.at ? [] : table.moves.filter(move => !onBoard.has(move.text));
    show(this.choices, moves.map(move => button(moveWords(table, move.text), () => this.choose(move),
      { class: "big", "data-move": move.text })));
    this.choices.hidden = moves.length === 0;
  }

  showActs() {
    const { table } = this;
    const isOver = ["finished", "abandoned"].includes(table.phase);
    const isGame = table.hosted === null;
    const looksOn = isGame && table.seat === null;
    // A key of this browser plays games whose rules the page checks itself.
    const mayHaveKey = looksOn && canHaveKey(table.game, table.version) && !table["open-rounds"];
    show(this.acts, mayHaveKey && this.seatButton("with a key of this browser", "join-key", termsOf(table)),
      looksOn && !table["own-key"] && this.seatButton("as a guest", "join", termsOf(table)),
      this.actButton("Begin with who is here", "start"), this.actButton("Ask to take back", "undo"),
      this.actButton("Offer a draw", "offer-draw"), this.actButton("Claim that time is up", "claim"),
      this.actButton("Resign", "resign", "Resign this game?"),
      this.actButton("Leave", "leave", leaveQuestion(table)),
      isOver && isGame && !looksOn && !table.rematch && this.rematchButton("Rematch"));
  }

  /** A button for who asks for a seat; none where no seat is free. */
  seatButton(words, act, members) {
    const { table } = this;
    const hasPlace = table.phase === "waiting" && table.seats.some(seat => seat.peer === null) && !table["has-asked"];
    if (!hasPlace) return null;
    const limits = table.referee ? `, with the referee ${table.referee.slice(0, 10)}` : "";
    return button(`Take a seat ${words}${limits}`, () => this.act(act, members), { class: "big", "data-act": act });
  }

  rematchButton(words) {
    return button(words, () => {
      // A key of this browser asks for a seat there itself.
      const { rematch, "own-key": ownKey } = this.table;
      return rematch && ownKey ? this.go(rematch.room) : this.open("rematch");
    }, { "data-act": "rematch" });
  }

  /** A button for what may be done; none for what may not. */
  actButton(words, act, question = null) {
    if (!this.table.may.includes(act)) return null;
    const press = async () => {
      if (question && !await confirmed(question, words)) return;
      await this.act(act);
    };
    return button(words, press, { "data-act": act });
  }

  /** Has a table opened, and goes there. */
  async open(type, members) {
    const done = await this.act(type, members);
    if (done) this.go(done.code);
  }

  async choose(move) {
    const { table } = this;
    if (this.isSending) return;
    this.isSending = true;
    this.place.classList.add("sending");
    const done = await this.act("choose", { code: move.code, number: table.number, plies: table.plies.length });
    this.isSending = false;
    this.place.classList.remove("sending");
    if (!done) this.board.querySelector("[tabindex='0']")?.focus();
  }

  showRecord() {
    const { table } = this;
    this.record.hidden = table.plies.length === 0;
    const isRounds = table.plies.some(ply => ply.seat === null && ply.moves.length > 1);
    const heading = element("h3", {}, isRounds ? "Rounds" : "Moves");
    show(this.record, heading, isRounds ? roundsTable(table) : movesList(table));
    this.record.lastChild.scrollTop = this.record.lastChild.scrollHeight;
  }
}

function titleOf(table) {
  const title = plain(table.hosted?.title || table.title || table.game);
  if (table.games < 2 || table.number < 1) return title;
  const end = table.target > 0 ? `first to win ${table.target}` : `of ${table.games}`;
  return `${title}, game ${table.number}${table.target > 0 ? "," : ""} ${end}`;
}

function leaveQuestion(table) {
  if (table.phase === "playing") return "Leave? That loses the game. To come back later, close the page instead.";
  return table.phase === "waiting" ? "Leave this table?" : null;
}

function movesList(table) {
  const words = ply => (ply.seat === null ? "chance" : `${capital(seatName(table, ply.seat))}: ${ply.moves.join(" ")}`);
  return element("ol", { class: "plies", tabindex: "0", "aria-label": "Moves" },
    table.plies.map(ply => element("li", {}, plain(words(ply)))));
}

function roundsTable(table) {
  const heads = table.seats.map((_, index) => element("th", { scope: "col" }, capital(seatName(table, index + 1))));
  const rows = table.plies.map((ply, index) => element("tr", {}, element("th", { scope: "row" }, index + 1),
    ply.moves.map(move => element("td", {}, move === "" ? "–" : moveWords(table, move)))));
  return element("div", { class: "plies", tabindex: "0", role: "group", "aria-label": "Rounds" }, element("table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Round"), heads)),
    element("tbody", {}, rows)));
}
