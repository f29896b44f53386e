// What hosts and players of hosted rounds are bound to before it is opened (PROTOCOL §1.10).

import { areEqual, fromHex, join, numberBytes, toHex } from "./bytes.js";
import { hash, keyedHash } from "./blake2b.js";
import { boxTo, openedAsSender, reopened } from "./box.js";

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

const entrySecret = (salt, { author, opening }) =>
  keyedHash(fromHex(salt), "parlor-entry-box-1", fromHex(opening), fromHex(author));

/** The box of an entry, which the host alone can open until the salt is known; null where the host has no such key. */
export function entryBox(host, place, { choice, salt }) {
  return boxTo(host, entrySecret(salt, place), join([fromHex(salt), choice]));
}

/** What a sealed entry was made of, by its salt; null where that opens it not. */
export function openedEntry(room, host, entry, salt) {
  const { opening, said } = entry.payload;
  const message = reopened(said.box, host, entrySecret(salt, { author: entry.author, opening }));
  const opened = message === null ? null : { choice: message.slice(32), salt };
  return opened !== null && commitsTo(room, entry, opened) ? opened : null;
}

/** What the host has told a player in a box, by the secret of the join proof that named the key; null for nothing. */
export function openedTold(host, box, joinSecret) {
  const message = openedAsSender(box, host, joinSecret);
  if (message === null || message.length <= 32) return null;
  return { salt: toHex(message.subarray(0, 32)), choice: message.slice(32) };
}

/**
 * The box in which the host tells a player the solution of a round, sealed to the key that the player has `named`, or
 * where that is none to its own; null where that is none either.
 */
export function toldBox(room, number, player, named, { choice, salt }) {
  const place = [fromHex(room), numberBytes(2, number), fromHex(player)];
  const secret = keyedHash(fromHex(salt), "parlor-told-box-1", ...place);
  const message = join([fromHex(salt), choice]);
  const box = named === null ? null : boxTo(player, secret, message, named);
  return box ?? boxTo(player, secret, message);
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
