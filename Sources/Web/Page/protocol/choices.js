// What a seat is bound to in a round before it is opened (PROTOCOL §1.5).

import { keyedHash } from "./blake2b.js";
import { fromHex, numberBytes, toHex, zeroId } from "./bytes.js";
import { noSeat } from "./create.js";

/** What a commit binds a seat to, until its reveal opens it. */
export function choiceCommitment(salt, { room, game, round, seat, author }, choice) {
  const place = [numberBytes(2, game), numberBytes(2, round), numberBytes(2, seat)];
  const parts = [fromHex(room), ...place, fromHex(author), numberBytes(4, choice)];
  return toHex(keyedHash(fromHex(salt), "parlor-choice-1", ...parts));
}

/** The number with which a peer commits in rounds: its seat's, or that of none for the referee; or null. */
export function numberInRounds({ room, seats }, peer) {
  const seat = seats.seatOf(peer);
  const isReferee = seat === null && peer === room.settings.referee && peer !== zeroId;
  return isReferee ? noSeat : seat;
}

/** Whether a reveal opens its author's commitment. */
export function opensCommitment({ room, seats }, event) {
  const { game, round, choice, salt } = event.payload;
  const commit = room.named(event, event.payload.commit, "commit");
  const number = numberInRounds({ room, seats }, event.author);
  if (commit === null || commit.author !== event.author || number === null) return false;
  if (number === noSeat && choice !== 0) return false;
  if (commit.payload.game !== game || commit.payload.round !== round) return false;
  const place = { room: room.id, game, round, seat: number, author: event.author };
  return commit.payload.commitment === choiceCommitment(salt, place, choice);
}
