// Says of each event of play without effect why it has none.

import { zeroId } from "./bytes.js";
import { lobbyKinds } from "./lobby.js";

const otherKinds = ["commit", "reveal", "pairing-result", "disqualify", "revoke"];

/** Gives verdicts to the events that a line does not rest on. */
export function judgePlay(play, line, games) {
  const { room, seats } = play;
  for (const event of room.events) {
    const isOnLine = line.places.has(event.id) || line.used.has(event.id) || seats.used.has(event.id);
    if (event.verdict !== null || isOnLine || lobbyKinds.includes(event.kind)) continue;
    event.verdict = playFault(play, line, games, event);
  }
}

function playFault(play, line, games, event) {
  const { kind, payload } = event;
  const seat = play.seatOf(event);
  if (otherKinds.includes(kind)) return "a room of this game has no such events";
  const isRuling = kind === "ruling" && event.author === play.room.settings.referee;
  if (seat === null && !isRuling) return kind === "leave" ? null : "its author has no seat";
  if (play.unfounded.has(event.id)) return "it names what its author had not seen";
  if (kind === "result") return resultFault(play, games, event);
  if (["undo-request", "draw-offer", "claim"].includes(kind)) return "it was not answered";
  if (kind === "leave" && payload.node === zeroId) return "somebody else's step came first, or play had begun";
  const place = line.places.get(play.foundation(event));
  if (!place) return "it stands on nothing of the line of play";
  if (kind === "draw-decline") {
    const offering = play.seatOf(play.room.byId.get(payload.offer));
    return offering !== null && offering !== seat ? null : "the offer is not the other seat's";
  }
  const [game, ply, turn] = place;
  if (kind === "move" && (game !== payload.game || ply !== payload.ply)) return "it is for another game or ply";
  if (kind === "move" && seat !== turn) return "it is not this seat's turn";
  return "it is not legal, or something else came first in its place";
}

function resultFault(play, games, event) {
  if (!play.results.holds(event, games)) return "it is not what the moves give";
  return play.results.bySeat(event.payload.game).includes(event) ? null : "its author had signed a result before";
}
