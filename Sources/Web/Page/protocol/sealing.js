// What hosts and players of hosted rounds are bound to before it is opened (PROTOCOL §1.10).

import { areEqual, fromHex, join, numberBytes, toHex } from "./bytes.js";
import { keyedHash } from "./blake2b.js";
import { boxTo } from "./box.js";

/** What the host commits to when it asks. */
export function solutionCommitment(room, host, { number, asked }, solution, salt) {
  const place = [fromHex(room), numberBytes(2, number), fromHex(host), numberBytes(2, asked.length)];
  return toHex(keyedHash(fromHex(salt), "parlor-solution-1", ...place, asked, solution));
}

/** Whether a choice and its salt open an entry's commitment. */
export function commitsTo(room, { author, payload }, { choice, salt }) {
  const parts = [fromHex(room), fromHex(payload.opening), fromHex(author), choice];
  return toHex(keyedHash(fromHex(salt), "parlor-entry-1", ...parts)) === payload.said.commitment;
}

/** Whether a choice and its salt give both an entry's commitment and its box. */
export function isWhole(room, host, entry, opened) {
  if (!commitsTo(room, entry, opened)) return false;
  const salt = fromHex(opened.salt);
  const secret = keyedHash(salt, "parlor-entry-box-1", fromHex(entry.payload.opening), fromHex(entry.author));
  const box = boxTo(host, secret, join([salt, opened.choice]));
  return box !== null && areEqual(box, entry.payload.said.box);
}
