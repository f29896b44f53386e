// Hosted rounds as one peer sees them, in the form of TABLE.md: computed from events that were checked here, and what a
// server's table says otherwise.

import { areEqual, toHex, utf8 } from "./bytes.js";
import { invitedScope } from "./create.js";

const recentRounds = 3;
const refusalReasons = { 1: "wrong-code", 2: "full" };
export const unansweredEntry = "the host did not acknowledge it";

/** Whether the host has to answer a request of a peer that is no player yet. */
function isAsking({ room, numbers, refused }, peer) {
  const own = room.feed(peer).filter(event => room.isBeforeFork(event));
  const last = own.filter(({ kind }) => ["request", "leave"].includes(kind)).at(-1);
  const isInvited = room.settings.scope !== invitedScope
    || room.feed(room.creator).some(({ kind, payload }) => kind === "invite" && payload.peer === peer);
  return last?.kind === "request" && room.admits(last) && !numbers.has(peer) && isInvited
    && last.sequence > (refused.get(peer) ?? 0n);
}

/** Why the host has refused a peer last; null where it has not, or took it in later. */
function refusalOf({ room, host, numbers }, peer) {
  if (numbers.has(peer)) return null;
  const isOf = ({ kind, payload, verdict }) => kind === "join-refusal" && payload.peer === peer && verdict === null;
  return refusalReasons[room.feed(host).filter(isOf).at(-1)?.payload.reason] ?? null;
}

/** What has become of a player's last entry in a round, or of its right guess, when it came, and its points. */
function ownPart({ room, rounds, rules }, round, number, peer) {
  const entries = round.entries.filter(({ player }) => player === number);
  const last = entries.filter(({ isMarkedRight }) => isMarkedRight === true).at(-1) ?? entries.at(-1);
  if (!last) {
    const isWaiting = round === rounds.at(-1) && number !== null && room.feed(peer).some(event =>
      event.kind === "entry" && event.payload.opening === round.opening.id && event.verdict === unansweredEntry);
    return { own: isWaiting ? "sent" : "none", milliseconds: null, points: 0 };
  }
  const points = entries.reduce((sum, entry) => sum + entry.points, 0);
  const part = { milliseconds: last.time, points };
  if (rules.tellsOne) return { own: ownGuess(last, points, round.phase === "settled"), ...part };
  if (round.phase !== "settled" || round.solution === null) return { own: "taken", ...part };
  if (last.fault === "wrong-entry") return { own: "misread", ...part };
  if (last.choice === null) return { own: "unreadable", ...part };
  return { own: last.choice[0] === round.solution[0] ? "right" : "wrong", ...part };
}

/** What has become of a guess, or of what was drawn. */
function ownGuess({ isSealed, isMarkedRight }, points, isSettled) {
  if (!isSealed) return "taken";
  if (isSettled ? points > 0 : isMarkedRight === true) return "right";
  return isMarkedRight === false || isSettled ? "wrong" : "taken";
}

/** How many chose what, once that is known. Text that looks alike counts as one. */
function chosenIn(round, rules) {
  const counts = new Map();
  for (const { choice, isSealed } of round.entries) {
    if (choice === null || !isSealed) continue;
    const text = String(rules.said(choice));
    const key = toHex(utf8(text.normalize()));
    counts.set(key, { text, ...counts.get(key), count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts].sort(([one], [two]) => (one < two ? -1 : 1)).map(([, chosen]) => chosen);
}

/** What one player draws, and what the others guess; the word when it was opened. */
function sheetOf({ rules, rounds }, round) {
  const { drawer } = rules.told(round.asked);
  const guesses = round.entries.map((entry, place) => ({ ...entry, place }))
    .filter(({ isSealed, isMarkedRight, choice }) => isSealed && (isMarkedRight !== null || choice !== null));
  const isRight = ({ choice, isMarkedRight }) => (round.solution === null || choice === null
    ? isMarkedRight ?? false : areEqual(choice, round.solution));
  return {
    drawer: drawer + 1, word: round.solution === null ? null : rules.said(round.solution), bound: true,
    strokes: round === rounds.at(-1) ? rules.drawn(round) : [],
    drawn: round.entries.filter(({ player }) => player === drawer).at(-1)?.time ?? null,
    guesses: guesses.map(guess => ({
      number: guess.player + 1, entry: guess.place + 1, right: isRight(guess),
      text: guess.choice === null ? null : rules.said(guess.choice), milliseconds: guess.time,
    })),
  };
}

function roundView(hosted, round, number, peer) {
  const { rules } = hosted;
  const { text, choices, goal = null } = rules.question(round.asked);
  const isSettled = round.phase === "settled" && round.solution !== null;
  const counts = (rules.tallies?.(round) ?? []).map(tally =>
    ({ number: tally.player + 1, count: tally.count, place: tally.place + 1 }));
  return {
    number: round.number + 1, phase: round.phase, opening: round.opening.id, question: text,
    choices: choices.map(one => one.text), goal, counts, limit: round.limit, closed: round.closed,
    entries: round.entries.length,
    solution: isSettled ? String(rules.said(round.solution)) : null,
    chosen: isSettled ? chosenIn(round, rules) : [], ...ownPart(hosted, round, number, peer),
    sheet: rules.tellsOne ? sheetOf(hosted, round) : null,
  };
}

function playerViews({ standings, rounds }) {
  const lastSettled = rounds.filter(({ phase }) => phase === "settled").at(-1);
  const hasPart = number => ({ player }) => player === number;
  return standings.map(({ number, peer, request, rank, score, hasLeft }) => ({
    peer, name: request.payload.profile.name, number: number + 1, rank, score,
    points: (lastSettled?.entries ?? []).filter(hasPart(number)).reduce((sum, { points }) => sum + points, 0),
    entered: rounds.at(-1)?.entries.some(hasPart(number)) ?? false, left: hasLeft,
  }));
}

/** What is known of hosted rounds by their events alone; who is connected, and clocks that run, are none of it. */
export function hostedView(hosted, peer) {
  const { room, rounds } = hosted;
  const number = hosted.numbers.get(peer) ?? null;
  return {
    title: room.settings.title, "needs-code": room.settings.joinCode === 1, rounds: room.settings.games,
    settled: hosted.settled, recent: rounds.slice(-recentRounds).map(one => roundView(hosted, one, number, peer)),
    players: playerViews(hosted), number: number === null ? null : number + 1, "has-asked": isAsking(hosted, peer),
    refusal: refusalOf(hosted, peer),
    faults: hosted.faults().map(({ fault, event }) => ({ fault, event: event.id })),
  };
}

const ofRooms = {
  title: "it has another title", "needs-code": "it says otherwise whether a join code is needed",
  rounds: "it has another number of rounds", settled: "other rounds are settled", number: "you have another number",
  "has-asked": "it says otherwise whether you have asked to come in", refusal: "the host's refusal is another",
};
const ofRounds = {
  number: "it is another round", phase: "it stands otherwise", opening: "it was opened otherwise",
  question: "another question is asked", choices: "other choices are shown", goal: "another goal is shown",
  counts: "other taps count", limit: "it has another limit",
  closed: "it was closed at another time", entries: "another number of answers has come",
  solution: "another answer is right", chosen: "other answers were given", own: "your answer stands otherwise",
  milliseconds: "your answer came at another time", points: "your answer has other points",
};
const ofSheets = {
  drawer: "another player draws", word: "another word was drawn", bound: "it says otherwise what the host is bound to",
  strokes: "something else was drawn", drawn: "it was drawn at another time", guesses: "other guesses were made",
};
const ofPlayers = {
  peer: "another peer stands there", name: "it has another name", number: "it has another number",
  rank: "it has another rank", score: "it has another score", points: "it has other points of the last round",
  entered: "it says otherwise whether an answer came", left: "it says otherwise whether it has gone",
};

const isSame = (one, two) => JSON.stringify(one) === JSON.stringify(two);

/** The words of the first field that differs; null where none does. */
function firstOther(words, told, known) {
  const name = Object.keys(words).find(field => !isSame(told?.[field], known[field]));
  return name === undefined ? null : words[name];
}

/** What a sheet has otherwise; players have none. */
function otherSheet(told, known) {
  if (known) return firstOther(ofSheets, told, known);
  return told ? "nobody draws there" : null;
}

/** What differs in one of two lists, with what stands before its place from 1. */
function otherIn(words, told, known, name) {
  if (!Array.isArray(told) || told.length !== known.length) return `it has another number of ${name}s`;
  for (const [place, one] of known.entries()) {
    const other = firstOther(words, told[place], one) ?? otherSheet(told[place]?.sheet, one.sheet);
    if (other !== null) return `${name} ${one.number}: ${other}`;
  }
  return null;
}

/** What a server says of hosted rounds otherwise than their events do, in words; null where it says the same. */
export function differenceOf(told, known) {
  if (!told) return "it has no rounds";
  const sorted = faults => (faults ?? []).map(({ fault, event }) => `${fault} ${event}`).sort();
  return firstOther(ofRooms, told, known) ?? otherIn(ofRounds, told.recent, known.recent, "round")
    ?? otherIn(ofPlayers, told.players, known.players, "player")
    ?? (isSame(sorted(told.faults), sorted(known.faults)) ? null : "other faults of the host are shown");
}
