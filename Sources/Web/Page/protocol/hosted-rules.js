// The rules of hosted rounds that are known here, and those of the tap race (PROTOCOL §1.10).

import { numberBytes, zeroId } from "./bytes.js";
import { noSeat } from "./create.js";
import { Drawing } from "./drawing-rules.js";
import { Quiz } from "./quiz-rules.js";

const tapMilliseconds = 50;
const mostTaps = 1_000;
const placePoints = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1];

/** The rules `tap-race`, version 1: entries in clear are batches of taps, and only the times of receipts matter. */
class TapRace {
  /** `goal` is how many taps win, or null; `limit` how many milliseconds a race takes, or null. */
  constructor(goal, limit) {
    Object.assign(this, { goal, limit, isSealed: false, isMarked: false, tellsOne: false });
  }

  canAsk(asked, commitment) {
    return asked.length === 0 && commitment === zeroId;
  }

  /** What is asked, in words, and how many taps win. */
  question() {
    const { goal, limit } = this;
    const first = `First to ${goal} tap${goal === 1 ? "" : "s"}.`;
    return { text: goal === null ? `Most taps in ${limit / 1_000} seconds.` : first, choices: [], goal };
  }

  isClearEntry(said) {
    return said.length === 2 && this.said(said) >= 1 && this.said(said) <= mostTaps;
  }

  sealsEntries() {
    return false;
  }

  mostEntries() {
    return Infinity;
  }

  /** What somebody has typed as a batch of taps; null where it is none. */
  choice(text) {
    const taps = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
    return taps >= 1 && taps <= mostTaps ? numberBytes(2, taps) : null;
  }

  /** How many taps a batch names. */
  said(choice) {
    return choice[0] * 256 + choice[1];
  }

  /** The taps of each player that count, with the place of the last entry that added some; best players first. */
  tallies({ entries, closed }) {
    const tallies = new Map();
    entries.forEach(({ player, time, choice }, last) => {
      if ((closed !== null && time > closed) || (this.limit !== null && time > this.limit)) return;
      const most = Math.min(Math.floor(time / tapMilliseconds), this.goal ?? Infinity);
      const before = tallies.get(player)?.count ?? 0;
      const count = Math.min(before + this.said(choice), most);
      if (count > before) tallies.set(player, { player, count, last });
    });
    // Who had all taps first is before those who had them later; all others of equal taps are level.
    const isBefore = (one, two) => one.count > two.count
      || (one.count === two.count && one.count === this.goal && one.last < two.last);
    const all = [...tallies.values()];
    return all.map(tally => ({ ...tally, place: all.filter(other => isBefore(other, tally)).length }))
      .sort((one, two) => one.place - two.place || one.player - two.player);
  }

  /** Gives the points of each place to the last entry of its player that counts. */
  settle(round) {
    for (const { last, place } of this.tallies(round)) round.entries[last].points = placePoints[place] ?? 0;
  }
}

/** Rules by which quick answers are worth more; null where their parameters are not in their one form. */
function answered(Rules, parameters) {
  const found = /^curve=(linear|classic)\ngrace=(0|[1-9][0-9]{0,4})\n$/.exec(parameters);
  return found && Number(found[2]) <= 10_000 ? new Rules(found[1], Number(found[2])) : null;
}

/** The rules of a room of hosted rounds; null where they are others, or not in their one form. */
export function hostedRulesOf({ rules, rulesVersion, parameters, creatorSeat, seats }) {
  if (creatorSeat !== noSeat || rulesVersion !== 1) return null;
  if (rules === "quiz") return answered(Quiz, parameters);
  if (seats < 2 || seats > 16) return null;
  if (rules === "drawing") return answered(Drawing, parameters);
  const found = rules === "tap-race" ? /^(taps|seconds)=([1-9][0-9]{0,3})\n$/.exec(parameters) : null;
  if (!found) return null;
  const number = Number(found[2]);
  if (found[1] === "taps") return number <= 1_000 ? new TapRace(number, null) : null;
  return number >= 3 && number <= 60 ? new TapRace(null, 1_000 * number) : null;
}
