// Boxes that are sealed to a peer (PROTOCOL §1.10): made for the host of a quiz, and made again from what their makers
// show. BigInts tell by their time what is computed with them, so a box's secret is for that box alone.

import { Blake2b, keyedHash } from "./blake2b.js";
import { areEqual, fromHex, join } from "./bytes.js";
import { fieldPrime, fromLittle, inverse, isOfGroup, modulo, readPoint, toLittle } from "./curve.js";

/** X25519 (RFC 7748): the first coordinate of a point, taken a secret number of times. */
function multiplied(secret, coordinate) {
  const clamped = Uint8Array.from(secret);
  clamped[0] &= 248;
  clamped[31] = (clamped[31] & 127) | 64;
  const times = fromLittle(clamped);
  const start = modulo(fromLittle(coordinate) & ((1n << 255n) - 1n));
  let [x2, z2, x3, z3] = [1n, 0n, start, 1n];
  for (let bit = 254n; bit >= 0n; bit -= 1n) {
    const isSet = ((times >> bit) & 1n) === 1n;
    if (isSet) [x2, z2, x3, z3] = [x3, z3, x2, z2];
    const [a, b, c, d] = [x2 + z2, x2 - z2, x3 + z3, x3 - z3];
    const [aa, bb, da, cb] = [modulo(a * a), modulo(b * b), modulo(d * a), modulo(c * b)];
    const e = aa - bb;
    [x3, z3] = [modulo((da + cb) ** 2n), modulo(start * modulo((da - cb) ** 2n))];
    [x2, z2] = [modulo(aa * bb), modulo(e * (aa + 121665n * e))];
    if (isSet) [x2, z2, x3, z3] = [x3, z3, x2, z2];
  }
  return toLittle(modulo(x2 * inverse(z2)), 32);
}

const startOfX25519 = toLittle(9n, 32);

/** A peer's key on the other curve; null where it is none. */
function exchangeKey(peer) {
  const point = readPoint(fromHex(peer));
  if (point === null || !isOfGroup(point)) return null;
  const [, y] = point;
  return toLittle(modulo((1n + y) * inverse(1n - y + fieldPrime)), 32);
}

function littleWords(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, place) => view.getUint32(4 * place, true));
}

function wordBytes(words) {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, place) => view.setUint32(4 * place, word, true));
  return new Uint8Array(view.buffer);
}

function quarter(x, a, b, c, d) {
  const turned = (word, bits) => (word << bits) | (word >>> (32 - bits));
  x[b] ^= turned((x[a] + x[d]) | 0, 7);
  x[c] ^= turned((x[b] + x[a]) | 0, 9);
  x[d] ^= turned((x[c] + x[b]) | 0, 13);
  x[a] ^= turned((x[d] + x[c]) | 0, 18);
}

/** The state of Salsa20 before its rounds, and behind them. */
function salsa(key, input) {
  const [k, n] = [littleWords(key), littleWords(input)];
  const before = [
    0x61707865, k[0], k[1], k[2], k[3], 0x3320646e, n[0], n[1], n[2], n[3], 0x79622d32, k[4], k[5], k[6], k[7],
    0x6b206574,
  ];
  const x = Int32Array.from(before);
  for (let round = 0; round < 10; round += 1) {
    quarter(x, 0, 4, 8, 12);
    quarter(x, 5, 9, 13, 1);
    quarter(x, 10, 14, 2, 6);
    quarter(x, 15, 3, 7, 11);
    quarter(x, 0, 1, 2, 3);
    quarter(x, 5, 6, 7, 4);
    quarter(x, 10, 11, 8, 9);
    quarter(x, 15, 12, 13, 14);
  }
  return { before, after: x };
}

/** HSalsa20: another key from a key and sixteen bytes. */
function derivedKey(key, input) {
  const { after } = salsa(key, input);
  return wordBytes([0, 5, 10, 15, 6, 7, 8, 9].map(place => after[place]));
}

function streamBlock(key, nonce, number) {
  const { before, after } = salsa(key, join([nonce, toLittle(BigInt(number), 8)]));
  return wordBytes(before.map((word, place) => word + after[place]));
}

/** Poly1305 (RFC 8439). */
function authenticator(key, message) {
  const prime = (1n << 130n) - 5n;
  const factor = fromLittle(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn;
  let sum = 0n;
  for (let at = 0; at < message.length; at += 16) {
    const block = message.subarray(at, at + 16);
    sum = ((sum + fromLittle(block) + (1n << BigInt(8 * block.length))) * factor) % prime;
  }
  return toLittle((sum + fromLittle(key.subarray(16, 32))) & ((1n << 128n) - 1n), 16);
}

/** What XSalsa20 makes of a message, or of what it had made of one, and the key for its authenticator. */
function streamed(key, nonce, message) {
  const streamKey = derivedKey(key, nonce.subarray(0, 16));
  const padded = join([new Uint8Array(32), message]);
  for (let at = 0; at < padded.length; at += 64) {
    const block = streamBlock(streamKey, nonce.subarray(16), at / 64);
    for (let place = at; place < Math.min(padded.length, at + 64); place += 1) padded[place] ^= block[place - at];
  }
  return { key: padded.subarray(0, 32), content: padded.slice(32) };
}

/** The key of a box, which its two ends share, from a secret and the other's key; null where that is none. */
function sharedKey(secret, target) {
  const point = multiplied(secret, target);
  return point.every(byte => byte === 0) ? null : derivedKey(point, new Uint8Array(16));
}

function boxNonce(sender, target) {
  return new Blake2b({ size: 24 }).update(join([sender, target])).digest();
}

const senderSecret = (receiver, secret) => keyedHash(secret, "parlor-box-key-1", fromHex(receiver));

/**
 * The box that is sealed with this secret to a peer, or to a key that it has named; null where nothing can be sealed to
 * that key.
 */
export function boxTo(receiver, secret, message, named = null) {
  const target = named ?? exchangeKey(receiver);
  if (target === null) return null;
  const own = senderSecret(receiver, secret);
  const shared = sharedKey(own, target);
  if (shared === null) return null;
  const sender = multiplied(own, startOfX25519);
  const { key, content } = streamed(shared, boxNonce(sender, target), message);
  return join([sender, authenticator(key, content), content]);
}

/** What is in a box by the key that its ends share; null where that opens none. */
function unsealed(box, shared, target) {
  if (shared === null || box.length < 48) return null;
  const sealed = box.subarray(48);
  const { key, content } = streamed(shared, boxNonce(box.subarray(0, 32), target), sealed);
  return areEqual(authenticator(key, sealed), box.subarray(32, 48)) ? content : null;
}

/** What is in a box that was sealed to a peer with this secret; null where it was not. */
export function reopened(box, receiver, secret) {
  const target = exchangeKey(receiver);
  return target === null ? null : unsealed(box, sharedKey(senderSecret(receiver, secret), target), target);
}

/**
 * What is in a box that was sealed to the sender of another one, which was made for a peer with this secret; null where
 * it was not.
 */
export function openedAsSender(box, receiver, secret) {
  const own = senderSecret(receiver, secret);
  return unsealed(box, sharedKey(own, box.subarray(0, 32)), multiplied(own, startOfX25519));
}
