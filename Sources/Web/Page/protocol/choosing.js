// What stands of one round: commits, and what opens them (PROTOCOL §1.1, §1.5).

import { hash } from "./blake2b.js";
import { fromHex, numberBytes } from "./bytes.js";
import { opensCommitment } from "./choices.js";
import { noSeat } from "./create.js";
import { Numbers } from "./round-games.js";

export class Choosing {
  /** `play` stands at the node of the round. */
  constructor(play) {
    Object.assign(this, { play, room: play.room, offences: [], commits: new Map(), reveals: new Map() });
    for (const seat of [...play.table.playing].sort((one, two) => one - two)) {
      const commits = play.own(seat, play.tip.id, "commit").filter(event => play.counts(event, seat));
      this.commits.set(seat, commits);
      const second = commits.slice(1).find(event => !play.hasMovedOn(event));
      if (second) this.offences.push([seat, second]);
    }
    const hasShare = play.hasReferee && play.table.usesChance;
    this.isExcused = !hasShare || this.room.forks.has(this.room.settings.referee);
    this.shared = hasShare ? play.own(noSeat, play.tip.id, "commit") : [];
    this.share = this.opened(noSeat, this.shared)[0] ?? null;
    for (const seat of this.commits.keys()) this.reveals.set(seat, this.findReveal(seat));
  }

  /** The reveals that open a seat's first commit, in the order of its feed. */
  opened(seat, commits) {
    if (commits.length === 0) return [];
    return this.play.own(seat, commits[0].id, "reveal").filter(event => opensCommitment(this.play, event));
  }

  /** A seat's first reveal that opens its commit; an early one is an offence, and one that may not be chosen. */
  findReveal(seat) {
    const { play } = this;
    for (const event of this.opened(seat, this.commits.get(seat))) {
      if (!play.counts(event, seat)) continue;
      if (play.table.mayOpen(event.payload.choice) && this.isCommittedFor(event)) return event;
      if (play.hasMovedOn(event)) continue;
      this.offences.push([seat, event]);
      return null;
    }
    return null;
  }

  /** Whether all had committed before an event; any commit of a seat will do. */
  isCommittedFor(event) {
    const knowsOne = commits => commits.some(commit => this.room.knows(event, commit));
    return (this.isExcused || knowsOne(this.shared))
      && [...this.commits].every(([seat, commits]) => knowsOne(commits) || this.play.isExcused(seat, event));
  }

  /** Whether the round had come to its end before an event. */
  isCompleteFor(event) {
    const knows = reveal => reveal !== null && this.room.knows(event, reveal);
    return (this.isExcused || knows(this.share))
      && [...this.reveals].every(([seat, reveal]) => knows(reveal) || this.play.isExcused(seat, event));
  }

  /** Whether the round waited for a seat as far as an event's author knew. */
  waitsFor(seat, event) {
    if (!this.commits.get(seat).some(commit => this.room.knows(event, commit))) return true;
    const reveal = this.reveals.get(seat);
    return this.isCommittedFor(event) && !(reveal && this.room.knows(event, reveal));
  }

  /** Whether the round waits for a step of a seat that is gone. */
  misses(seat) {
    const { play } = this;
    if (this.commits.get(seat).length === 0) return true;
    if (this.reveals.get(seat)) return false;
    return play.exits.has(seat) || (this.isExcused || this.shared.length > 0)
      && [...this.commits].every(([other, commits]) =>
        commits.length > 0 || play.exits.has(other) || play.isForked(other));
  }

  /** What has a part in the round: the first commits and what opens them. */
  get events() {
    const commits = [...this.commits.values(), this.shared].filter(found => found.length > 0).map(found => found[0]);
    return [...commits, ...this.openings];
  }

  /** What opens commits: by seat, and the referee's last. */
  get openings() {
    return [...this.reveals.values(), this.share].filter(reveal => reveal !== null);
  }

  get isComplete() {
    return ![...this.reveals.values()].includes(null) && (this.isExcused || this.share !== null);
  }

  /** The reveal that names the round once it is complete: the lowest seat's. */
  get node() {
    return [...this.reveals.values()][0];
  }

  get choices() {
    return [...this.reveals.values()].map(({ payload }) => payload.choice);
  }

  /** The random numbers of the round, by the salts of all. */
  numbers(game, ply) {
    const salts = this.openings.map(({ payload }) => fromHex(payload.salt));
    const seed = hash("parlor-chance-1", numberBytes(2, game), numberBytes(2, ply), ...salts);
    return new Numbers(new DataView(seed.buffer, seed.byteOffset).getBigUint64(0));
  }
}
