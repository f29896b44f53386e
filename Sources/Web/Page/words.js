// What is said in words: names, whose turn it is, how a game ended.

import { shortName } from "./identity.js";

/** Characters that cannot be seen, or that turn the order of what follows. A joiner of emoji is none of them. */
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text of others as it may be shown. */
export const plain = text => String(text ?? "").replace(unseen, " ");

/** How somebody is called. */
export function nameOf(name, emoji = "") {
  const short = plain(shortName(name)).trim() || "somebody";
  return emoji ? `${plain(emoji)} ${short}` : short;
}

export function seatName(table, seat) {
  const taken = table.seats[seat - 1];
  if (!taken || taken.peer === null) return `seat ${seat}`;
  if (seat === table.seat) return "you";
  return nameOf(taken.name, taken.emoji);
}

export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

const hasOrHave = name => (name === "you" ? "have" : "has");

function list(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** To what one agrees who comes to a table or a tournament, as `join` has it. */
export const termsOf = ({ referee, "move-limit": limit, clock, increment }) => (
  referee ? { referee, "move-limit": limit, clock, increment } : {});

/** What the game waits for. */
export function standing(table) {
  if (table.hindrance) return plain(table.hindrance);
  switch (table.phase) {
  case "waiting": return waiting(table);
  case "closed": return "This game was closed before it began.";
  case "unknown-rules": return "This server does not know the rules of this game.";
  case "unknown-edition": return "This game was written by a newer program than this server.";
  default: break;
  }
  if (table.ending) return ending(table);
  if (table.phase === "abandoned") return "Somebody has left this game.";
  if (table.referee && table["referee-awaited"]) return "The game waits for its referee.";
  if (table.may.includes("choose")) return table.round ? "Choose now." : "It is your turn.";
  const owing = table.seats.map((seat, index) => (seat.owes ? index + 1 : 0)).filter(seat => seat > 0);
  const others = owing.filter(seat => seat !== table.seat);
  if (table.turn !== null) return `It is the turn of ${seatName(table, table.turn)}.`;
  return others.length > 0 ? `Waiting for ${list(others.map(seat => seatName(table, seat)))}.` : "One moment …";
}

function waiting(table) {
  const free = table.seats.filter(seat => seat.peer === null).length;
  if (table["has-asked"] && table.seat === null) return "You have asked for a seat: the host grants it.";
  if (free === 0) return "The game begins in a moment.";
  return `Waiting for ${free === 1 ? "one more player" : `${free} more players`}.`;
}

const causes = {
  rules: () => "",
  resigned: name => `${capital(name)} ${hasOrHave(name)} resigned. `,
  left: name => `${capital(name)} ${hasOrHave(name)} left. `,
  ruled: name => `The referee ruled against ${name}. `,
  offence: name => `${capital(name)} broke the rules of the protocol. `,
  forked: name => `${capital(name)} wrote two histories. `,
  "draw-agreed": () => "Both agreed on a draw. ",
};

function ending(table) {
  const { cause, seat, winner, scores } = table.ending;
  const why = (causes[cause] ?? (() => ""))(seat === null ? "somebody" : seatName(table, seat));
  if (winner !== null) {
    const name = seatName(table, winner);
    return `${why}${capital(name)} ${hasOrHave(name)} won.`;
  }
  const told = scores.length > 2 ? ` Scores: ${scores.join(", ")}.` : "";
  return `${why}The game is drawn.${told}`;
}

/** Where somebody is. */
export function presence(seat) {
  if (seat.peer === null) return "free";
  if (seat.out) return "out of the game";
  if (seat.bot !== null) return "a bot";
  switch (seat.presence) {
  case "own": return "you";
  case "away": return seat["away-since"] === null ? "away" : `away since ${clockTime(seat["away-since"])}`;
  default: return "here";
  }
}

function clockTime(milliseconds) {
  return new Date(milliseconds).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** A time that is left. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const rest = String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

/** A move as its text, or in words where that says more. */
export function moveWords(table, text) {
  if (table.game === "prisoners-dilemma") return { C: "Cooperate", D: "Defect" }[text] ?? text;
  return capital(text);
}
