// One hosted round: how far it is, and the entries that the host has acknowledged (PROTOCOL §1.10).

import { areEqual } from "./bytes.js";
import { commitsTo, isWhole, solutionCommitment, toldBox } from "./sealing.js";

export class HostedRound {
  /** `opening` is the host's event that opens it. */
  constructor(hosted, opening) {
    const { round: number, asked, limit } = opening.payload;
    Object.assign(this, { hosted, rules: hosted.rules, room: hosted.room.id, number, opening, asked, limit });
    Object.assign(this, { phase: "open", closed: null, solution: null, salt: null, entries: [], counts: new Map() });
    // The sealed entries, in the order of receipts, and how many of them the host has opened.
    Object.assign(this, { sealed: [], opened: 0, hasWrongSolution: false, hasToldAnother: false });
  }

  /** Adds an entry as it was acknowledged. */
  add(event, player, time) {
    const isSealed = event.payload.form === 1;
    this.counts.set(player, (this.counts.get(player) ?? 0) + 1);
    const entry = {
      event, player, time, isSealed, choice: isSealed ? null : event.payload.said.choice, points: 0,
      isUnreadable: false, fault: null, isMarkedRight: null,
    };
    this.entries.push(entry);
    if (isSealed) this.sealed.push(entry);
  }

  /** Takes what the host says of sealed entries: of each the first mark counts. Says whether any of it is new. */
  mark(marks) {
    let isNew = false;
    for (const { entry: place, wrong } of marks) {
      const entry = this.entries[place];
      if (!entry?.isSealed || entry.isMarkedRight !== null) continue;
      isNew = true;
      entry.isMarkedRight = wrong === null;
      if (wrong !== null) this.openChoice(entry, wrong);
    }
    return isNew;
  }

  /** Whether a settle opens the solution that the host is bound to; where it does not, the round is void. */
  isBound({ solution, salt }) {
    if (this.solution !== null) return salt === this.salt && areEqual(solution, this.solution);
    const commitment = solutionCommitment(this.room, this.hosted.host, this, solution, salt);
    this.hasWrongSolution = commitment !== this.opening.payload.commitment
      || !this.rules.isSolution(solution, this.asked);
    this.hasToldAnother = !this.hasWrongSolution && this.rules.tellsOne && !this.hasTold(solution, salt);
    if (this.hasWrongSolution || this.hasToldAnother) {
      this.phase = "void";
      return false;
    }
    Object.assign(this, { solution, salt });
    return true;
  }

  /** Whether the host had told the player whose turn it was this solution. */
  hasTold(solution, salt) {
    const { drawer, box } = this.rules.told(this.asked);
    const { peer, request } = this.hosted.players[drawer];
    const named = this.hosted.keyNamedBefore(request);
    const made = toldBox(this.room, this.number, peer, named, { choice: solution, salt });
    return made !== null && areEqual(made, box);
  }

  /** Takes the next sealed entry as the host opened it; null for one that it could not read. */
  openNext(opened) {
    const entry = this.sealed[this.opened];
    this.opened += 1;
    if (opened === null) {
      Object.assign(entry, { choice: null, isUnreadable: true });
      return;
    }
    if (!this.openChoice(entry, opened) || entry.isMarkedRight === null) return;
    if (entry.isMarkedRight !== areEqual(entry.choice, this.solution)) entry.fault = "wrong-mark";
  }

  /** Takes an entry as the host opened it; says whether it can be one. */
  openChoice(entry, opened) {
    if (!commitsTo(this.room, entry.event, opened)) {
      entry.fault = "wrong-entry";
      return false;
    }
    if (!this.rules.isChoice(opened.choice, this.asked)) return false;
    entry.choice = opened.choice;
    return true;
  }

  /** Finds entries that the host called unreadable and that it could read, as their authors show by their ids. */
  findDenied(proofs) {
    for (const entry of this.entries.filter(({ isUnreadable }) => isUnreadable)) {
      const opened = proofs.get(entry.event.id);
      if (opened && isWhole(this.room, this.hosted.host, entry.event, opened)) entry.fault = "denied-entry";
    }
  }

  /** What anybody can prove against the host: the event that it is about, and what it did. */
  faults() {
    return [
      ...(this.hasWrongSolution ? [{ fault: "wrong-solution", event: this.opening }] : []),
      ...(this.hasToldAnother ? [{ fault: "told-another", event: this.opening }] : []),
      ...this.entries.filter(({ fault }) => fault !== null).map(({ fault, event }) => ({ fault, event })),
    ];
  }

  /** The round for programs, with players as people count them, from 1. */
  members() {
    const { rules, phase, solution } = this;
    const drawing = () => ({ drawer: rules.told(this.asked).drawer + 1, lines: rules.drawn(this).length });
    return {
      round: this.number + 1, event: this.opening.id, phase, closed: this.closed,
      solution: solution === null ? null : rules.said(solution), ...(rules.tellsOne ? drawing() : {}),
      entries: this.entries.map(({ event, player, time, choice, isUnreadable, points }) => ({
        player: player + 1, event: event.id, milliseconds: time, choice: choice && rules.said(choice),
        unreadable: isUnreadable, points: phase === "settled" ? points : null,
      })),
    };
  }
}
