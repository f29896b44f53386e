// What all seats signed of a room's games, and what becomes of the games of forked seats (PROTOCOL §1.3, §1.4).

import { zeroId } from "./bytes.js";
import { comparePlaces } from "./events.js";
import { scoresAgainst, stepKinds } from "./line.js";

function saySame(one, two) {
  const [first, second] = [one.payload, two.payload];
  return first.game === second.game && first.node === second.node && areSameScores(first.scores, second.scores);
}

function areSameScores(one, two) {
  return one !== null && two !== null && one.length === two.length && one.every((score, seat) => score === two[seat]);
}

export class Results {
  constructor(play) {
    Object.assign(this, { play, room: play.room, seats: play.seats, byGame: new Map() });
  }

  add(event) {
    const { game } = event.payload;
    if (!this.byGame.has(game)) this.byGame.set(game, []);
    this.byGame.get(game).push(event);
  }

  isForked(seat) {
    return this.room.forks.has(this.seats.roster.get(seat).peer);
  }

  /**
   * Each seat's result of a game, null where it has none: the seat's first; of a seat whose feed is forked, the first
   * that says what the other seat signed, where that has no fork.
   */
  bySeat(game) {
    const anchored = (this.byGame.get(game) ?? []).filter(event => this.seats.isAnchored(event)).sort(comparePlaces);
    const own = [0, 1].map(seat => anchored.filter(event => this.play.seatOf(event) === seat));
    const firsts = own.map(events => events[0] ?? null);
    for (const seat of [0, 1]) {
      const other = firsts[1 - seat];
      if (!this.isForked(seat) || this.isForked(1 - seat) || other === null) continue;
      firsts[seat] = own[seat].find(event => saySame(event, other)) ?? firsts[seat];
    }
    return firsts;
  }

  /** The line led on to the next ending that all seats signed, when it stands at a game's beginning; or null. */
  agreedLine(line) {
    if (line.tip !== line.root || line.hasMoves) return null;
    for (const game of [...this.byGame.keys()].filter(number => number >= line.number).sort((a, b) => a - b)) {
      const firsts = this.bySeat(game);
      if (firsts.includes(null) || !saySame(...firsts)) continue;
      const path = this.path(line.root, firsts[0].payload.node);
      if (path === null || path.length === 0) continue;
      const honest = this.isForked(0) && !this.isForked(1) ? 1 : 0;
      const led = this.follow(line.copy(), path, firsts[0].payload, firsts[honest]);
      if (led) return Object.assign(led, { agreed: game + 1 });
    }
    return null;
  }

  /** The steps from a node to another, by what each names; null when they do not lead there. */
  path(root, end) {
    const { room, play, seats } = this;
    const path = [];
    for (let id = end; id !== root.id;) {
      const event = room.byId.get(id);
      room.spend(1);
      if (!stepKinds.includes(event.kind) || !seats.isAnchored(event) || play.unfounded.has(id)) return null;
      path.push(event);
      const isEarly = event.kind === "leave" && event.payload.node === zeroId;
      id = isEarly ? seats.start.id : play.foundation(event);
    }
    return path.reverse();
  }

  /** The line after the steps of a path that all seats agreed on; null when one may not be taken. */
  follow(line, path, signed, result) {
    for (const [place, event] of path.entries()) {
      if (line.isOver || !this.play.candidates(line).includes(event) || !this.play.may(line, event)) return null;
      const next = path[place + 1] ?? null;
      this.play.take(line, event, event.kind === "move" && this.isOffence(line, event, next, signed, result));
    }
    const ending = line.games.at(-1);
    const fits = ending?.number === signed.game && ending.event.id === signed.node;
    return fits && areSameScores(ending.scores, signed.scores) ? line : null;
  }

  /** Whether the seats took a second move on a node for an offence rather than for a move. */
  isOffence(line, event, next, signed, result) {
    const hasEarlier = this.play.candidates(line).some(other => this.play.isLegalMove(line, other)
      && this.room.knows(result, other) && comparePlaces(other, event) < 0);
    if (!hasEarlier) return false;
    if (next === null) return areSameScores(scoresAgainst(line.turn), signed.scores);
    return next.kind !== "move" || next.payload.game !== line.number;
  }

  /** The games of a line as they stand, the one that is on included, with how final each is. */
  games(line) {
    const games = line.games.map(game => ({ ...game }));
    const forked = [0, 1].filter(seat => this.isForked(seat));
    if (!line.isOver && (line.codes.length > 0 || forked.length > 0)) {
      games.push({
        number: line.number, first: line.begins(line.number), codes: line.codes, cause: "not over", seat: null,
        scores: null, event: null,
      });
    }
    for (const game of games) game.level = game.number < line.agreed ? "agreed" : "provisional";
    if (forked.length > 0) this.settleForks(line, games, forked);
    return games;
  }

  /** A seat that forked its feed loses what was begun and is not agreed; two such seats make it void. */
  settleForks(line, games, forked) {
    const loser = forked.length === 1 ? forked[0] : null;
    for (const game of games) {
      if (game.level === "agreed" || (game.cause === "left" && game.scores === null)) continue;
      const wasBegun = game.codes.length > line.opening(game.number).length || game.scores !== null;
      game.cause = "forked";
      game.seat = loser;
      game.scores = wasBegun && loser !== null ? scoresAgainst(loser) : null;
      game.event ??= line.tip;
    }
  }

  /** Whether a result is what the games are. */
  holds(event, games) {
    const { game, node, scores } = event.payload;
    return games[game]?.event?.id === node && areSameScores(games[game].scores, scores);
  }

  /** The event that completes the first result that every seat signed alike and the moves do not give; or null. */
  firstFalse(games) {
    const signers = new Map();
    for (const event of this.room.events) {
      const seat = event.kind === "result" ? this.play.seatOf(event) : null;
      const counts = seat !== null && !this.play.unfounded.has(event.id) && this.seats.isAnchored(event);
      if (!counts || this.holds(event, games)) continue;
      const { game, node, scores } = event.payload;
      const key = `${game} ${node} ${scores}`;
      signers.set(key, new Set([...(signers.get(key) ?? []), seat]));
      if (signers.get(key).size === 2) return event;
    }
    return null;
  }
}
