// What the first event of a room says that is created with a key of this browser (PROTOCOL §4.1). Nothing of it is the
// server's word: what a person leaves open is as the rules that are known here have it.

import { zeroId } from "./protocol/bytes.js";
import { invitedScope, knownEdition, roomKinds } from "./protocol/create.js";
import { canPlayRounds, dilemma } from "./protocol/round-player.js";
import { gameOf, knownVersion } from "./protocol/rules.js";

const scopes = { local: 1, invited: invitedScope, public: 3 };
const largestSeries = 256;
/** The settings of games that have any, by name, each as it is where nobody chooses. */
const standards = {
  "k-in-a-row": { exact: "no", gravity: "no", height: "9", line: "5", width: "9" },
  "gomoku": { line: "free", opening: "none" },
  "prisoners-dilemma": { ending: "0", noise: "0", payoffs: "3,2,0,-1", rounds: "10" },
};
/** Names that stand for payoffs. */
const namedPayoffs = { article: "3,2,0,-1", axelrod: "5,3,1,0" };

const noPlace = {
  tournament: zeroId, pairing: 0, attempt: 0, openings: [], branchOf: zeroId, branchGame: 0, branchPly: 0,
};
const noTerms = {
  bots: 0, onlyBudgets: 0, largestBudget: 0n, limit: 0, clock: 0, increment: 0, rematchOf: zeroId,
};

const newNonce = () => crypto.getRandomValues(new Uint8Array(16));
const withoutBot = profile => ({ ...profile, bot: null });

/** What makes a room that this browser creates. */
function checked(payload) {
  if (payload.scope === invitedScope) {
    throw new Error("A key of this browser invites nobody: let others see the table.");
  }
  return payload;
}

/** The parameters of a game as they are written: all settings, by name. */
function parametersOf(rules, given) {
  const values = { ...standards[rules], ...given };
  if (Object.hasOwn(namedPayoffs, values.payoffs ?? "")) values.payoffs = namedPayoffs[values.payoffs];
  if (rules === "k-in-a-row" && given.line === undefined) {
    values.line = String(Math.min(Number(values.line), Math.max(Number(values.width), Number(values.height))));
  }
  return Object.keys(values).sort().map(setting => `${setting}=${values[setting]}\n`).join("");
}

/** The person has chosen among what the server lists: that must be what the rules have that are signed. */
function checkListed(listed, { title }) {
  const told = Object.fromEntries(listed.settings.map(({ name, standard }) => [name, standard]));
  const known = standards[listed.name] ?? {};
  const names = Object.keys(known);
  const isKnown = listed.settings.length === names.length && names.every(name => told[name] === known[name]);
  if (isKnown && listed.title.toLowerCase() === title.toLowerCase()) return;
  throw new Error("The server shows this game otherwise than its rules have it: nothing was signed.");
}

/**
 * What somebody wants who hosts, in the words of `host` of parlor.1. `listed` is the game as the server lists it. What
 * cannot be is said in words.
 */
export function newPayload({ seat, scope, undo, games, target, settings = {} }, listed, profile) {
  const series = games ?? (target === undefined ? 1 : largestSeries);
  if (target > series) throw new Error(`Nobody can win ${target} of ${series} games.`);
  const content = {
    rules: listed.name, rulesVersion: knownVersion, parameters: parametersOf(listed.name, settings), games: series,
    target: target ?? 0, starter: seat === "random" ? 1 : 0, flags: undo === false ? 0 : 1, ...noTerms,
    profile: withoutBot(profile), ...noPlace,
  };
  const shared = {
    edition: knownEdition, roomKind: roomKinds.games, scope: scopes[scope], nonce: newNonce(), seats: 2,
    creatorSeat: seat === "second" ? 1 : 0, referee: zeroId,
  };
  const made = { ...shared, ...content };
  const game = canPlayRounds(made) ? dilemma : gameOf(made);
  if (game === null) throw new Error("This game has no such settings.");
  checkListed(listed, game);
  return checked({ ...shared, content });
}

/** The next game between the seats of a room. */
export function rematchPayload(room, seat, profile) {
  const { content, ...shared } = room.create.payload;
  return checked({
    ...shared, nonce: newNonce(), creatorSeat: seat,
    content: { ...content, ...noPlace, starter: 1, rematchOf: room.id, profile: withoutBot(profile) },
  });
}

/** A game that goes on from a position of a room's game, for the side that is to move there. */
export function branchPayload(room, game, number, codes, profile) {
  const { content, ...shared } = room.create.payload;
  return checked({
    ...shared, nonce: newNonce(), creatorSeat: game.mover(codes), referee: zeroId,
    content: {
      ...content, ...noTerms, ...noPlace, games: 1, target: 0, starter: 0, flags: 1, profile: withoutBot(profile),
      openings: codes.length > 0 ? [codes] : [], branchOf: room.id, branchGame: number, branchPly: codes.length,
    },
  });
}
