// Games with rounds in which seats choose at the same time, or chance decides (PROTOCOL §1.5, §4.2).

import { roomKinds } from "./create.js";

const wordMask = (1n << 64n) - 1n;

/** The random numbers of a round: SplitMix64 from its seed, and the high half of the product. */
export class Numbers {
  constructor(seed) {
    this.seed = seed;
  }

  below(limit) {
    const wide = BigInt(limit);
    for (;;) {
      this.seed = this.seed + 0x9E3779B97F4A7C15n & wordMask;
      let mixed = (this.seed ^ this.seed >> 30n) * 0xBF58476D1CE4E5B9n & wordMask;
      mixed = (mixed ^ mixed >> 27n) * 0x94D049BB133111EBn & wordMask;
      const product = (mixed ^ mixed >> 31n) * wide;
      if ((product & wordMask) >= (1n << 64n) % wide) return Number(product >> 64n);
    }
  }
}

/**
 * What is on a table of memory match: who took which card, and what has been seen. Chance gives a card its face in a
 * round in which nobody chooses.
 */
class CardTable {
  constructor(cards, seats, mover) {
    this.faces = new Array(cards).fill(null);
    this.owners = new Array(cards).fill(null);
    this.pairs = new Array(seats).fill(0);
    this.playing = new Set(this.pairs.keys());
    Object.assign(this, { mover, up: [], usesChance: true, mayTakeBack: true });
    // Turns in succession that turned up nothing new.
    Object.assign(this, { idle: 0, hasFoundNew: false });
  }

  copy() {
    const twin = Object.assign(Object.create(CardTable.prototype), this);
    for (const name of ["faces", "owners", "pairs", "up"]) twin[name] = [...this[name]];
    twin.playing = new Set(this.playing);
    return twin;
  }

  /** The faces of the cards that nobody has turned up, in ascending order, each as often as it is left. */
  get left() {
    const left = [];
    for (let face = 0; face < this.faces.length / 2; face += 1) {
      for (let count = this.faces.filter(other => other === face).length; count < 2; count += 1) left.push(face);
    }
    return left;
  }

  get isRound() {
    return this.up.length > 0 && this.faces[this.up.at(-1)] === null;
  }

  get taken() {
    return this.pairs.reduce((sum, pairs) => sum + pairs, 0);
  }

  get isOver() {
    const isEmpty = this.taken === this.faces.length / 2;
    return !this.isRound && (isEmpty || this.idle >= 2 * this.pairs.length || this.playing.size < 2);
  }

  /** The pairs of each seat that plays; one that is alone takes what is on the table. */
  get scores() {
    const rest = this.playing.size === 1 ? this.faces.length / 2 - this.taken : 0;
    return this.pairs.map((pairs, seat) => (this.playing.has(seat) ? pairs + rest : 0));
  }

  mayMove(card) {
    const isFirst = this.up.length === 1 && this.up[0] === card;
    return card < this.faces.length && this.owners[card] === null && !isFirst;
  }

  mayOpen(choice) {
    return choice === 0;
  }

  text(card) {
    return String(card + 1);
  }

  /** A seat's move; what it and all that was chosen with it come to, where that is a ply. */
  move(card) {
    this.up = this.up.length === 2 ? [card] : [...this.up, card];
    const left = new Set(this.left);
    if (!this.isRound) this.settle();
    else if (left.size === 1) this.show([...left][0]);
    return [card];
  }

  /** What a round of choices and random numbers does; what each seat has chosen in it, null where none does. */
  resolve(choices, numbers) {
    const { left } = this;
    this.show(left[numbers.below(left.length)]);
    return this.pairs.map(() => null);
  }

  show(face) {
    this.faces[this.up.at(-1)] = face;
    this.hasFoundNew = true;
    this.settle();
  }

  /** Ends the turn when two cards are up. */
  settle() {
    if (this.up.length < 2) return;
    const [one, two] = this.up;
    if (this.faces[one] === this.faces[two]) {
      this.owners[one] = this.owners[two] = this.mover;
      this.pairs[this.mover] += 1;
      Object.assign(this, { up: [], idle: 0 });
    } else {
      this.idle = this.hasFoundNew ? 0 : this.idle + 1;
      this.passTurn();
    }
    this.hasFoundNew = false;
  }

  passTurn() {
    const seats = this.pairs.length;
    for (let step = 1; step <= seats; step += 1) {
      const seat = (this.mover + step) % seats;
      if (!this.playing.has(seat)) continue;
      this.mover = seat;
      return;
    }
  }

  dropOut(seat) {
    this.playing.delete(seat);
    if (this.mover !== seat) return;
    Object.assign(this, { up: [], idle: 0, hasFoundNew: false });
    this.passTurn();
  }
}

function memoryMatch({ parameters, seats, target }) {
  const found = /^cards=(\d+)\nplayers=(\d+)\n$/.exec(parameters);
  const [cards, players] = found ? found.slice(1).map(Number) : [0, 0];
  const fits = players === seats && players >= 2 && players <= 8 && cards >= 8 && cards <= 100 && cards % 2 === 0;
  return fits && target === 0 ? mover => new CardTable(cards, seats, mover) : null;
}

/** How choices are written. */
export const choiceTexts = ["C", "D"];

/** What a seat is paid by its own choice and the other's: by place in the payoffs T, R, P and S. */
const paid = [[1, 3], [0, 2]];

/**
 * What was chosen in a prisoner's dilemma: 0 to cooperate, 1 to defect. With open rounds both move, one after the
 * other.
 */
class DilemmaTable {
  constructor(terms) {
    Object.assign(this, terms, { count: 0, sums: [0, 0], wasEnded: false, chosen: [], loser: null });
    // What counted in the last round, and whether it was turned.
    Object.assign(this, { last: null, turned: [false, false] });
    Object.assign(this, { playing: new Set([0, 1]), mayTakeBack: false });
    this.usesChance = this.noise > 0 || this.ending > 0;
  }

  copy() {
    return Object.assign(Object.create(DilemmaTable.prototype), this);
  }

  get isRound() {
    return !this.isOpen && !this.isOver;
  }

  /** Whose choice an open round waits for. */
  get mover() {
    return this.chosen.length;
  }

  get isOver() {
    return this.count >= this.rounds || this.wasEnded;
  }

  /** What was paid; in each round that is left who loses otherwise gets the least, and the other one the most. */
  get scores() {
    if (this.loser === null) return this.sums;
    const expected = this.ending > 0 ? Math.ceil(1_000 / this.ending) : this.rounds;
    const left = Math.min(this.rounds - this.count, expected);
    return this.sums.map((sum, seat) => sum + left * this.payoffs[seat === this.loser ? 3 : 0]);
  }

  mayMove(choice) {
    return this.isOpen && this.mayOpen(choice);
  }

  mayOpen(choice) {
    return choice === 0 || choice === 1;
  }

  text(choice) {
    return choiceTexts[choice];
  }

  move(choice) {
    this.chosen = [...this.chosen, choice];
    return this.chosen.length === 2 ? this.resolve(this.chosen, null) : null;
  }

  resolve(choices, numbers) {
    const happens = cases => cases > 0 && numbers.below(1_000) < cases;
    this.turned = choices.map(() => happens(this.noise));
    this.last = choices.map((choice, seat) => (this.turned[seat] ? 1 - choice : choice));
    const [one, two] = this.last;
    const [first, second] = [this.payoffs[paid[one][two]], this.payoffs[paid[two][one]]];
    this.sums = [this.sums[0] + first, this.sums[1] + second];
    Object.assign(this, { count: this.count + 1, chosen: [], wasEnded: happens(this.ending) });
    return choices;
  }

  dropOut(seat) {
    this.loser = seat;
  }
}

function prisonersDilemma({ parameters, seats, flags }) {
  const found = /^ending=(0|[1-9]\d*)\nnoise=(0|[1-9]\d*)\npayoffs=([-,\d]+)\nrounds=([1-9]\d*)\n$/.exec(parameters);
  if (!found || seats !== 2) return null;
  const [ending, noise, rounds] = [found[1], found[2], found[4]].map(Number);
  const payoffs = found[3].split(",").map(Number);
  if (payoffs.length !== 4 || payoffs.join() !== found[3]) return null;
  const [best, good, bad, worst] = payoffs;
  const isDilemma = best <= 100 && best > good && good > bad && bad > worst && worst >= -100 && 2 * good > best + worst;
  if (!isDilemma || ending > 1_000 || noise > 500 || rounds > 1_000) return null;
  const isOpen = (flags & 2) === 2 && noise === 0 && ending === 0;
  return () => new DilemmaTable({ rounds, payoffs, noise, ending, isOpen });
}

const roundGames = { "memory-match": memoryMatch, "prisoners-dilemma": prisonersDilemma };

/** Makes the table of a game of a room by the seat that begins; null where the rules are none of those known here. */
export function roundGameOf(settings) {
  const { roomKind, rules, rulesVersion, openings } = settings;
  const isKnown = roomKind === roomKinds.games && rulesVersion === 1 && Object.hasOwn(roundGames, rules ?? "");
  return isKnown && openings.length === 0 ? roundGames[rules](settings) : null;
}
