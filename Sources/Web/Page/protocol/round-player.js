// What a seat of a prisoner's dilemma owes and may do (PROTOCOL §1.5), computed from events that were checked here.

import { keyedHash } from "./blake2b.js";
import { fromHex, toHex, zeroId } from "./bytes.js";
import { choiceCommitment } from "./choices.js";
import { comparePlaces } from "./events.js";
import { Player } from "./player.js";
import { choiceTexts, roundGameOf } from "./round-games.js";

/** What is asked of a game besides its rules. */
export const dilemma = {
  title: "Iterated prisoner's dilemma", text: code => choiceTexts[code], isOpening: () => false,
};

/**
 * Whether a key of the browser can play in a room: it is a prisoner's dilemma, no table of a tournament, and nothing is
 * chosen in the open.
 */
export function canPlayRounds(settings) {
  const isKnown = settings.rules === "prisoners-dilemma" && roundGameOf(settings) !== null;
  return isKnown && (settings.flags & 2) === 0 && settings.tournament === zeroId;
}

export class RoundPlayer extends Player {
  constructor(report, peer, secret, guests = null) {
    super(report, peer, secret, guests);
    const { rounds } = report;
    const current = rounds?.current ?? null;
    Object.assign(this, { rounds, current, game: dilemma });
    const isOwed = current !== null && this.seat !== null && this.owes(1 - this.seat);
    // Where the game stands, as it is asked of games in turn; whom it waits for besides this seat has the turn.
    this.line = rounds && { isOver: rounds.isOver, tip: rounds.tip, turn: isOwed ? 1 - this.seat : this.seat };
    this.asks = { undo: null, draws: [], claims: current ? this.openClaims() : [] };
  }

  /** Whether the round waits for a seat: for its commit, or for its reveal once all have committed. */
  owes(seat) {
    const { choosing } = this.current;
    if (choosing.commits.get(seat).length === 0) return true;
    return this.areCommitted && choosing.reveals.get(seat) === null;
  }

  /** Whether all have committed, the referee too where it has a share in chance. */
  get areCommitted() {
    const { commits, shared, isExcused } = this.current.choosing;
    return [...commits.values()].every(({ length }) => length > 0) && (isExcused || shared.length > 0);
  }

  /** The claims at the node of the round against seats for which it waits, by seat. */
  openClaims() {
    const { rounds, seats, current } = this;
    const found = rounds.room.events.filter(event => event.kind === "claim" && event.payload.node === current.tip.id
      && seats.seatOf(event.author) !== null && rounds.mayCount(event) && rounds.foundation(event) !== null
      && current.choosing.commits.has(event.payload.silent) && this.owes(event.payload.silent));
    return found.sort(comparePlaces)
      .map(event => ({ event: event.id, seat: seats.seatOf(event.author), against: event.payload.silent }))
      .sort((one, two) => one.seat - two.seat);
  }

  get isPlaying() {
    return super.isPlaying && this.current !== null;
  }

  /** The reveal, once all have committed; and the results of games that are over. */
  duty() {
    const duty = super.duty();
    return duty ?? (this.isPlaying && !this.isForked ? this.reveal() : null);
  }

  reveal() {
    const { current, seat } = this;
    const [commit] = current.choosing.commits.get(seat);
    const { game, round, commitment } = commit?.payload ?? {};
    if (!commit || !this.areCommitted || current.choosing.reveals.get(seat) !== null) return null;
    const salt = this.salt(current.tip);
    const choice = [0, 1].find(code => choiceCommitment(salt, this.placeOf(game, round), code) === commitment);
    // Else another copy of the key has chosen with another secret.
    if (choice === undefined) return null;
    const others = [...current.choosing.commits.values(), current.choosing.shared].filter(({ length }) => length > 0);
    return {
      kind: "reveal", payload: { game, round, commit: commit.id, choice, salt }, citing: others.map(([{ id }]) => id),
    };
  }

  placeOf(game, round) {
    return { room: this.room.id, game, round, seat: this.seat, author: this.peer };
  }

  /** What hides the choice on a node: made of a secret of its own, so that a crash does not lose it. */
  salt(node) {
    return toHex(keyedHash(this.secret, "parlor-own-salt-1", fromHex(this.room.id), fromHex(node.id)));
  }

  get moves() {
    const mayChoose = this.isPlaying && this.current.choosing.commits.get(this.seat).length === 0;
    return mayChoose ? [0, 1] : [];
  }

  move(code) {
    const { current: { number: game, plies, tip } } = this;
    const commitment = choiceCommitment(this.salt(tip), this.placeOf(game, plies.length), code);
    return { kind: "commit", payload: { game, round: plies.length, node: tip.id, commitment }, citing: [tip.id] };
  }

  get plyCount() {
    return this.current?.plies.length ?? 0;
  }

  get openActs() {
    const { asks: { claims }, seat, line } = this;
    const mayClaim = this.terms.referee !== null && line.turn !== seat && !claims.some(claim => claim.seat === seat);
    return mayClaim ? ["claim"] : [];
  }

  get shown() {
    return this.current ?? this.rounds?.games.at(-1) ?? null;
  }

  /** Nothing goes on from a position of such a game. */
  opening() {
    return null;
  }

  differenceOfGame(told, { number, plies, scores, table }) {
    if (told.number !== number + 1) return `it is game ${told.number}`;
    const played = plies.map(ply => ply.map(code => choiceTexts[code]).join(" "));
    if (told.plies.map(ply => ply.moves.join(" ")).join() !== played.join()) return "other choices were made";
    const { board, lines } = told.position;
    const words = lines.map(parts => parts.map(({ seat, text }) => (seat === null ? text : `{${seat}}`)).join(""));
    if (board.length > 0 || words.join("\n") !== linesOf(table ?? this.rounds.tables.at(-1)).join("\n")) {
      return "the sums or the last round are told otherwise";
    }
    if (JSON.stringify(told.ending?.scores ?? null) !== JSON.stringify(scores)) return "the game ended otherwise";
    return null;
  }
}

/** What stands below a prisoner's dilemma, with seats in braces. */
function linesOf(table) {
  const { count, rounds, ending, sums, last, turned } = table;
  const lines = [roundWords(table), `Score: {1} ${sums[0]}, {2} ${sums[1]}`];
  const deeds = (last ?? []).map((choice, seat) =>
    `{${seat + 1}} ${choice === 0 ? "cooperated" : "defected"}${turned[seat] ? " by noise" : ""}`);
  if (count > 0) lines.push(`Round ${count}: ${deeds.join(", ")}`);
  return lines;

  function roundWords({ wasEnded }) {
    if (wasEnded) return `${count} ${count === 1 ? "round" : "rounds"} played; chance ended the game`;
    if (count >= rounds) return `${rounds} of ${rounds} rounds played`;
    if (ending === 0) return `Round ${count + 1} of ${rounds}`;
    return `Round ${count + 1} of at most ${rounds}; each is the last one in ${ending} of 1,000 cases`;
  }
}
