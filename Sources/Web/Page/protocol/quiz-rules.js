// The rules of the quiz: what may be asked and answered, and what it is worth (PROTOCOL §1.10).

import { ByteReader, zeroId } from "./bytes.js";
import { listForm, orNull, readToEnd, textForm } from "./forms.js";

const choiceSchema = [["text", textForm(1, 1, 200)]];
const questionSchema = [["text", textForm(2, 1, 1_024)], ["choices", listForm(1, 2, 4, choiceSchema)]];

/** The rules `quiz`, version 1: entries are sealed, and who is quick gets more. */
export class Quiz {
  constructor(curve, grace) {
    Object.assign(this, { curve, grace, isSealed: true, isMarked: false, tellsOne: false });
  }

  canAsk(asked, commitment) {
    return this.choices(asked) > 0 && commitment !== zeroId;
  }

  /** What is asked: the `text` and its `choices`, each with a text; null for bytes that are no question. */
  question(asked) {
    return orNull(() => readToEnd(new ByteReader(asked), questionSchema));
  }

  /** How many choices a question has; 0 for bytes that are no question. */
  choices(asked) {
    return this.question(asked)?.choices.length ?? 0;
  }

  isChoice(said, asked) {
    return said.length === 1 && said[0] < this.choices(asked);
  }

  isSolution(said, asked) {
    return this.isChoice(said, asked);
  }

  /** Whether a player writes entries sealed; else in clear. */
  sealsEntries() {
    return true;
  }

  /** How many entries of a player count, where the room does not say fewer. */
  mostEntries() {
    return Infinity;
  }

  /** What somebody has typed as an entry; null where it is none. */
  choice(text, asked) {
    const number = /^[1-4]$/.test(text) ? Number(text) - 1 : null;
    return number !== null && number < this.choices(asked) ? Uint8Array.of(number) : null;
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
