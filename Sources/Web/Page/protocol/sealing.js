// What hosts and players of hosted rounds are bound to before it is opened (PROTOCOL §1.10).

import { areEqual, fromHex, join, numberBytes, toHex } from "./bytes.js";
import { hash, keyedHash } from "./blake2b.js";
import { boxTo } from "./box.js";

/** What the host commits to when it asks. */
export function solutionCommitment(room, host, { number, asked }, solution, salt) {
  const place = [fromHex(room), numberBytes(2, number), fromHex(host), numberBytes(2, asked.length)];
  return toHex(keyedHash(fromHex(salt), "parlor-solution-1", ...place, asked, solution));
}

/** What an author commits to that enters a choice in the round of an opening. */
export function entryCommitment(room, { author, opening }, { choice, salt }) {
  const parts = [fromHex(room), fromHex(opening), fromHex(author), choice];
  return toHex(keyedHash(fromHex(salt), "parlor-entry-1", ...parts));
}

/** The box of an entry, which the host alone can open until the salt is known; null where the host has no such key. */
export function entryBox(host, { author, opening }, { choice, salt }) {
  const secret = keyedHash(fromHex(salt), "parlor-entry-box-1", fromHex(opening), fromHex(author));
  return boxTo(host, secret, join([fromHex(salt), choice]));
}

/** What was found of an entry's bytes last: a page derives a whole room anew whenever something comes. */
const found = new WeakMap();

/** Whether a choice and its salt open an entry's commitment. */
export function commitsTo(room, { author, payload, body }, opened) {
  const said = `${opened.salt} ${toHex(opened.choice)}`;
  if (found.get(body)?.said !== said) {
    const commitment = entryCommitment(room, { author, opening: payload.opening }, opened);
    found.set(body, { said, holds: commitment === payload.said.commitment });
  }
  return found.get(body).holds;
}

/** Whether a choice and its salt give both an entry's commitment and its box. */
export function isWhole(room, host, entry, opened) {
  if (!commitsTo(room, entry, opened)) return false;
  const box = entryBox(host, { author: entry.author, opening: entry.payload.opening }, opened);
  return box !== null && areEqual(box, entry.payload.said.box);
}

/** The box that shows a host that its author knows the join code; `secret` is 32 bytes for this box alone. */
export function joinBox(room, host, author, code, secret) {
  return boxTo(host, secret, hash("parlor-join-1", fromHex(room), fromHex(author), code));
}
