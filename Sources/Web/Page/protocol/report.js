// What was found of one bundle: everything that is checked of it, and the findings for programs.

import { zeroId } from "./bytes.js";
import { Bundle, largestBundleBytes } from "./bundle.js";
import { opensCommitment } from "./choices.js";
import { knownEdition } from "./create.js";
import { standardNetwork } from "./events.js";
import { judgePlay } from "./faults.js";
import { Lobby } from "./lobby.js";
import { kindOf } from "./payloads.js";
import { Play } from "./play.js";
import { roundGameOf } from "./round-games.js";
import { RoundPlay, Unplayed } from "./round-play.js";
import { HostedRounds } from "./rounds.js";
import { Room } from "./room.js";
import { gameOf, hasBadOpening } from "./rules.js";
import { Seats } from "./seats.js";
import { BadBundle, TooLarge } from "./verdicts.js";

/** Checks a bundle; whatever is wrong with it ends up in the report. */
export async function checkBundle(bytes, { network = standardNetwork, onProgress = () => {} } = {}) {
  const report = new Report(new Bundle(bytes, network));
  try {
    if (bytes.length > largestBundleBytes) {
      throw new BadBundle(`it has more than the ${largestBundleBytes} bytes that this reader takes`);
    }
    await report.bundle.read(onProgress);
    report.checkRoom();
  } catch (error) {
    if (!(error instanceof BadBundle)) throw error;
    report.bad = error;
  }
  return report;
}

export class Report {
  constructor(bundle) {
    Object.assign(this, { bundle, bad: null, notChecked: [] });
    this.forgetRoom();
  }

  forgetRoom() {
    Object.assign(this, { room: null, seats: null, game: null, line: null, games: [], areMovesChecked: false });
    this.hosted = this.contest = this.rounds = null;
    Object.assign(this, { reveals: { opened: 0, false: 0 } });
  }

  checkRoom() {
    try {
      this.replay(new Room(this.bundle));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.forgetRoom();
      this.notChecked.push("draws and moves: the room has more events or feeds than this reader replays");
    }
  }

  replay(room) {
    this.room = room;
    const hasPlay = room.isRead && !hasBadOpening(room.settings);
    if (room.isHosted) this.hosted = new HostedRounds(room);
    else this.seats = new Seats(room);
    const lobby = this.seats && new Lobby(room, this.seats, hasPlay);
    if (!room.isKnown) {
      this.notChecked.push(`what happens in the room: it is of edition ${room.settings.edition}, and this reader knows`
        + ` edition ${knownEdition}`);
    } else if (!hasPlay) {
      this.notChecked.push("the moves: nothing has an effect on play in such a room");
    } else if (room.isHosted) {
      this.areMovesChecked = this.hosted.rules !== null;
      if (!this.areMovesChecked) this.notChecked.push(`the rounds: ${unknownRules(room)}`);
    } else if (room.isTournament) {
      checkWords(lobby);
      this.notChecked.push("the tournament's results: its games are rooms of their own");
    } else if (gameOf(room.settings)) {
      this.play(gameOf(room.settings));
    } else if (roundGameOf(room.settings)) {
      this.checkReveals();
      this.playRounds();
    } else {
      this.checkReveals();
      this.notChecked.push(`the moves: ${unknownRules(room)}`);
    }
  }

  play(game) {
    this.game = game;
    this.areMovesChecked = true;
    if (this.seats.start === null) return;
    const play = new Play(this.room, this.seats, game);
    this.line = play.walk();
    this.contest = play;
    this.games = play.results.games(this.line);
    judgePlay(play, this.line, this.games);
    this.refuseFalse(play.results.firstFalse(this.games));
  }

  playRounds() {
    this.areMovesChecked = true;
    if (this.seats.start === null) return;
    const rounds = new RoundPlay(this.room, this.seats);
    try {
      const wrong = rounds.walk();
      Object.assign(this, { rounds, games: rounds.games });
      this.refuseFalse(wrong);
    } catch (error) {
      if (!(error instanceof Unplayed)) throw error;
      this.areMovesChecked = false;
      this.notChecked.push(`the moves: ${error.message}`);
    }
  }

  refuseFalse(wrong) {
    if (wrong === null) return;
    throw new BadBundle(
      `every seat signed a result of game ${wrong.payload.game + 1} that its moves do not give`, wrong);
  }

  /** Whether each reveal opens its author's commitment (§1.5). */
  checkReveals() {
    for (const event of this.room.events) {
      if (event.kind !== "reveal" || event.verdict !== null) continue;
      const isOpened = opensCommitment(this, event);
      this.reveals[isOpened ? "opened" : "false"] += 1;
      if (!isOpened) event.verdict = "it does not open its author's commitment";
    }
  }

  // For programs

  get players() {
    if (this.seats === null) return [];
    return [...this.seats.roster].sort(([one], [two]) => one - two).map(([seat, { peer, request }]) => {
      const { profile } = request ? request.payload : this.room.settings;
      return { seat: seat + 1, peer, name: profile.name, emoji: profile.emoji };
    });
  }

  /** The events without effect, in the bundle's order. */
  get idle() {
    return (this.room?.events ?? []).filter(event => event.verdict !== null);
  }

  get forks() {
    const forks = [...(this.room?.forks ?? [])].sort(([one], [two]) => (one < two ? -1 : 1));
    return forks.map(([author, sequence]) => ({ author, sequence: plainNumber(sequence) }));
  }

  /** The event that is bad first; null where nothing is, or where no event is. */
  get place() {
    const event = this.bad?.event;
    if (!event) return null;
    const { position, id, author = null, sequence = null, name = null } = event;
    return {
      position, id, room: this.bundle.room, author, sequence: sequence === null ? null : plainNumber(sequence),
      kind: name,
    };
  }

  /** The report as one JSON object. */
  members(path) {
    const { bundle, bad, room } = this;
    return {
      type: "read", path, good: bad === null, room: bundle.room, events: bundle.events.length,
      signatures: bundle.signatureCount, event: this.place, reason: bad ? bad.message : null,
      rules: room?.settings.rules ?? null, players: this.players, draw: this.seats?.draw ?? null,
      games: this.games.map(gameMembers), moves: this.areMovesChecked ? "checked" : "not checked", host: null,
      title: null, rounds: [], faults: [], ...this.hosted?.members(), reveals: this.reveals,
      withoutEffect: this.idle.map(({ position, id, name, verdict: reason }) => ({ position, id, kind: name, reason })),
      forks: this.forks, notChecked: this.notChecked,
    };
  }
}

function unknownRules({ settings: { rules, rulesVersion } }) {
  return `this reader does not know the rules ${rules}, version ${rulesVersion}, with these settings`;
}

/** What is false of the organizer's words whatever is in the rooms that they name (§1.9). */
function checkWords(lobby) {
  const named = new Map();
  for (const event of lobby.words) {
    const { room, walkover, word } = event.payload;
    if (event.kind === "revoke") {
      for (const [other, { id }] of named) if (id === word) named.delete(other);
    }
    if (event.kind !== "pairing-result") continue;
    if (room === zeroId && walkover === 0) {
      throw new BadBundle("it says that games were played, and names no room", event);
    }
    if (named.has(room)) throw new BadBundle("an earlier result names the same room", event);
    if (room !== zeroId) named.set(room, event);
  }
}

/** Seats, games and moves as people count them, from 1. */
function gameMembers({ number, first, codes, cause, seat, scores, level, event }) {
  return {
    game: number + 1, first: first + 1, moves: codes.map(code => code + 1), cause,
    seat: seat === null ? null : seat + 1, scores, event: event?.id ?? null, level,
  };
}

/** A number of JSON; one that would not be exact there as a text. */
function plainNumber(long) {
  return long <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(long) : String(long);
}

/** What a room's gathered events come to; they stay as they are, and may grow. Whatever is wrong is in the report. */
export function checkGathered(gathered) {
  const events = gathered.events.map(event => ({ ...event, kind: kindOf(event.code), verdict: null }));
  for (const event of events) if (event.payload === null) event.kind = null;
  const report = new Report({ ...gathered, events, byId: new Map(events.map(event => [event.id, event])) });
  try {
    report.checkRoom();
  } catch (error) {
    if (!(error instanceof BadBundle)) throw error;
    report.bad = error;
  }
  return report;
}
