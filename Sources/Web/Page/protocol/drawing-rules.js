// The rules of the drawing game: who draws, batches of strokes in clear, sealed guesses (PROTOCOL §1.10).

import { areEqual, ByteReader, Malformed, numberBytes, utf8, zeroId } from "./bytes.js";
import { numberForm, orNull, readToEnd, shortForm } from "./forms.js";
import { Quiz } from "./quiz-rules.js";

const askedSchema = [["drawer", numberForm(2)], ["letters", numberForm(1, 1, 64)], ["box", shortForm(1, 81, 144)]];
const colours = ["black", "red", "orange", "yellow", "green", "blue", "brown", "white"];
const widths = [4, 8, 16, 32];
const [sheetWidth, sheetHeight] = [1_024, 768];
const mostGuesses = 20;
const mostTextBytes = 64;
const mostBatchBytes = 3_840;
/** So many bytes of batches show in a round. */
const mostShownBytes = 24_576;

/** A word or a guess; null for bytes that are none: in UTF-8, without control characters, as guesses are compared. */
function textOf(bytes) {
  if (bytes.length === 0 || bytes.length > mostTextBytes) return null;
  const text = orNull(() => new ByteReader(bytes).text(bytes.length));
  return text === null || /[\u0000-\u001f\u007f-\u009f]|[A-Z]|^ | $| {2}/.test(text) ? null : text;
}

/** The bytes of a line as it is typed, such as `line red 8 10 10 200 200`, or of `clear`; null for anything else. */
function typedStroke(part) {
  const [verb, ...words] = part.toLowerCase().split(/[ \t,]+/).filter(word => word !== "");
  if (verb === "clear") return words.length === 0 ? [0] : null;
  const isNamed = colours.includes(words[0]);
  const [colour, width] = isNamed ? [colours.indexOf(words[0]), widths.indexOf(Number(words[1]))] : [0, 1];
  const numbers = words.slice(isNamed ? 2 : 0);
  const isLine = verb === "line" && width >= 0 && numbers.length > 0 && numbers.length % 2 === 0
    && numbers.length <= 510 && numbers.every(number => /^[0-9]{1,4}$/.test(number));
  return isLine ? [colour + 1, width + 1, numbers.length / 2, ...numbers.flatMap(number => [...numberBytes(2, number)])]
    : null;
}

/** The next stroke; null where the sheet is cleared. */
function readStroke(reader) {
  const colour = reader.number(1);
  if (colour === 0) return null;
  const [width, count] = [reader.number(1), reader.number(1)];
  const points = Array.from({ length: count }, () => [reader.number(2), reader.number(2)]);
  const isOnSheet = points.every(([x, y]) => x < sheetWidth && y < sheetHeight);
  if (colour > colours.length || width < 1 || width > widths.length || count === 0 || !isOnSheet) {
    throw new Malformed("that is no stroke");
  }
  return { colour: colours[colour - 1], width: widths[width - 1], points: points.flat().join(" ") };
}

/** The strokes of a batch, null for each time that it clears the sheet; null for bytes that are no batch. */
function strokesOf(bytes) {
  if (bytes.length === 0 || bytes.length > mostBatchBytes) return null;
  return orNull(() => {
    const reader = new ByteReader(bytes);
    const strokes = [];
    while (reader.left > 0) strokes.push(readStroke(reader));
    return strokes;
  });
}

/** The rules `drawing`, version 1. */
export class Drawing extends Quiz {
  constructor(curve, grace) {
    super(curve, grace);
    Object.assign(this, { isMarked: true, tellsOne: true });
  }

  /** Who draws, how many letters the word has, and the box with it; null for bytes that ask nothing of the kind. */
  told(asked) {
    return orNull(() => readToEnd(new ByteReader(asked), askedSchema));
  }

  canAsk(asked, commitment) {
    return this.told(asked) !== null && commitment !== zeroId;
  }

  isChoice(said, asked) {
    return this.told(asked) !== null && textOf(said) !== null;
  }

  isSolution(said, asked) {
    const word = textOf(said);
    return word !== null && [...word.replaceAll(" ", "")].length === this.told(asked)?.letters;
  }

  sealsEntries(number, asked) {
    return this.told(asked).drawer !== number;
  }

  mostEntries(number, asked) {
    return this.sealsEntries(number, asked) ? mostGuesses : Infinity;
  }

  isClearEntry(said) {
    return strokesOf(said) !== null;
  }

  question(asked) {
    const letters = this.told(asked)?.letters;
    if (letters === undefined) return null;
    return { text: `A word of ${letters} letter${letters === 1 ? "" : "s"}.`, choices: [] };
  }

  /** What a player has typed as strokes, or as a guess; null where it is neither. */
  choice(text, asked, number) {
    if (this.sealsEntries(number, asked)) {
      const guess = utf8(text.toLowerCase().split(" ").filter(part => part !== "").join(" "));
      return textOf(guess) === null ? null : guess;
    }
    const strokes = text.split(";").map(typedStroke);
    const batch = Uint8Array.from(strokes.flatMap(stroke => stroke ?? []));
    return strokes.includes(null) || strokesOf(batch) === null ? null : batch;
  }

  /** A guess; of a batch how many lines it has. */
  said(choice) {
    return strokesOf(choice)?.filter(stroke => stroke !== null).length ?? textOf(choice) ?? "?";
  }

  /** What stands on the sheet: what came up to the close, up to so many bytes. */
  drawn({ asked, entries, closed }) {
    const { drawer } = this.told(asked);
    let [lines, size] = [[], 0];
    for (const { player, time, choice } of entries) {
      if (player !== drawer || (closed !== null && time > closed)) continue;
      size += choice.length;
      if (size > mostShownBytes) break;
      for (const stroke of strokesOf(choice)) {
        if (stroke === null) lines = [];
        else lines.push(stroke);
      }
    }
    return lines;
  }

  /** The first right guess of each player has points; the first batch has the average of those that have some. */
  settle(round) {
    const { asked, entries, solution, limit, closed } = round;
    const { drawer } = this.told(asked);
    const guessed = new Map();
    for (const entry of entries) {
      const isRight = entry.choice !== null && areEqual(entry.choice, solution);
      if (entry.player === drawer || !isRight || guessed.has(entry.player)) continue;
      entry.points = this.points(entry.time, limit, closed);
      guessed.set(entry.player, entry.points);
    }
    const worths = [...guessed.values()].filter(points => points > 0);
    const first = entries.find(({ player, time }) => player === drawer && time <= closed);
    if (first && worths.length > 0) {
      first.points = Math.floor(worths.reduce((sum, points) => sum + points, 0) / worths.length);
    }
  }
}
