// The rules of hosted rounds that are known here: what may be asked and said, and what it is worth (PROTOCOL §1.10).

import { ByteReader, Malformed, zeroId } from "./bytes.js";
import { noSeat } from "./create.js";
import { listForm, readToEnd, textForm } from "./forms.js";

const choiceSchema = [["text", textForm(1, 1, 200)]];
const questionSchema = [["text", textForm(2, 1, 1_024)], ["choices", listForm(1, 2, 4, choiceSchema)]];

/** The rules `quiz`, version 1: entries are sealed, and who is quick gets more. */
class Quiz {
  constructor(curve, grace) {
    Object.assign(this, { curve, grace, isSealed: true });
  }

  canAsk(asked, commitment) {
    return this.choices(asked) > 0 && commitment !== zeroId;
  }

  /** What is asked: the `text` and its `choices`, each with a text; null for bytes that are no question. */
  question(asked) {
    try {
      return readToEnd(new ByteReader(asked), questionSchema);
    } catch (error) {
      if (error instanceof Malformed) return null;
      throw error;
    }
  }

  /** How many choices a question has; 0 for bytes that are no question. */
  choices(asked) {
    return this.question(asked)?.choices.length ?? 0;
  }

  isChoice(said, asked) {
    return said.length === 1 && said[0] < this.choices(asked);
  }

  /** An answer as people type it. */
  said(choice) {
    return choice[0] + 1;
  }

  /** Gives the entries of a round their points. */
  settle({ entries, solution, limit, closed }) {
    for (const entry of entries) {
      if (entry.choice?.[0] === solution[0]) entry.points = this.points(entry.time, limit, closed);
    }
  }

  /** What a right answer is worth; all three are milliseconds since the question was asked. */
  points(time, limit, closed) {
    if (time > closed) return time - closed <= this.grace ? 100 : 0;
    if (time >= limit) return this.curve === "linear" ? 100 : 500;
    if (this.curve === "linear") return Math.max(100, Math.floor((1_000 * (limit - time)) / limit));
    return time < 500 ? 1_000 : Math.floor((1_000 * (2 * limit - time) + limit) / (2 * limit));
  }
}

const tapMilliseconds = 50;
const placePoints = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1];

/** The rules `tap-race`, version 1: entries in clear are batches of taps, and only the times of receipts matter. */
class TapRace {
  /** `goal` is how many taps win, or null; `limit` how many milliseconds a race takes, or null. */
  constructor(goal, limit) {
    Object.assign(this, { goal, limit, isSealed: false });
  }

  canAsk(asked, commitment) {
    return asked.length === 0 && commitment === zeroId;
  }

  isChoice(said) {
    return said.length === 2 && this.said(said) >= 1 && this.said(said) <= 1_000;
  }

  /** How many taps a batch names. */
  said(choice) {
    return choice[0] * 256 + choice[1];
  }

  /** Gives the points of each place to the last entry of its player that counts. */
  settle({ entries, closed }) {
    const taps = new Map();
    const last = new Map();
    entries.forEach(({ player, time, choice }, place) => {
      if (time > closed || (this.limit !== null && time > this.limit)) return;
      const most = Math.min(Math.floor(time / tapMilliseconds), this.goal ?? Infinity);
      const before = taps.get(player) ?? 0;
      const counted = Math.min(before + this.said(choice), most);
      if (counted <= before) return;
      taps.set(player, counted);
      last.set(player, place);
    });
    // Who had all taps first is before those who had them later; all others of equal taps are level.
    const isBefore = (one, two) => taps.get(one) > taps.get(two)
      || (taps.get(one) === taps.get(two) && taps.get(one) === this.goal && last.get(one) < last.get(two));
    for (const player of taps.keys()) {
      const place = [...taps.keys()].filter(other => isBefore(other, player)).length;
      entries[last.get(player)].points = placePoints[place] ?? 0;
    }
  }
}

/** The rules of a room of hosted rounds; null where they are others, or not in their one form. */
export function hostedRulesOf({ rules, rulesVersion, parameters, creatorSeat, seats }) {
  if (creatorSeat !== noSeat || rulesVersion !== 1) return null;
  if (rules === "quiz") {
    const found = /^curve=(linear|classic)\ngrace=(0|[1-9][0-9]{0,4})\n$/.exec(parameters);
    return found && Number(found[2]) <= 10_000 ? new Quiz(found[1], Number(found[2])) : null;
  }
  const found = rules === "tap-race" ? /^(taps|seconds)=([1-9][0-9]{0,3})\n$/.exec(parameters) : null;
  if (!found || seats < 2 || seats > 16) return null;
  const number = Number(found[2]);
  if (found[1] === "taps") return number <= 1_000 ? new TapRace(number, null) : null;
  return number >= 3 && number <= 60 ? new TapRace(null, 1_000 * number) : null;
}
