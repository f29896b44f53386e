// The games of two seats in turn whose rules are known here.

import { othello, ultimateTicTacToe } from "./board-games.js";
import { roomKinds } from "./create.js";
import { connectFour, gomoku, kInARow, ticTacToe } from "./line-games.js";

/** The version of all of them. */
export const knownVersion = 1;

/** By their names, each by its parameters; those without any are told apart below. */
const knownGames = {
  "tic-tac-toe": () => ticTacToe,
  "connect-four": () => connectFour,
  "k-in-a-row": kInARow,
  "gomoku": gomoku,
  "ultimate-tic-tac-toe": () => ultimateTicTacToe,
  "othello": () => othello,
};

/** Whether a key of the browser can play a game of this name and version; without one the known version is meant. */
export function canHaveKey(rules, version = knownVersion) {
  return (Object.hasOwn(knownGames, rules) || rules === "prisoners-dilemma") && version === knownVersion;
}

function namedGame({ rules, rulesVersion, parameters }) {
  const game = Object.hasOwn(knownGames, rules ?? "") ? knownGames[rules](parameters) : null;
  return rulesVersion === knownVersion ? game : null;
}

/** The rules of a room of games; null where they are none of those that are known here. */
export function gameOf(settings) {
  if (settings.roomKind !== roomKinds.games || settings.seats !== 2) return null;
  const game = namedGame(settings);
  return game?.parameters === settings.parameters ? game : null;
}

/** Whether games would begin with moves that the rules do not allow. */
export function hasBadOpening(settings) {
  const game = namedGame(settings);
  return game !== null && !(settings.openings ?? []).every(codes => game.isOpening(codes));
}
