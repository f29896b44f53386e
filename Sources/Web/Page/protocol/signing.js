// Ed25519 signatures (RFC 8032) and the messages that a peer signs: for pages that are given no WebCrypto.

import { fromHex, join, utf8 } from "./bytes.js";
import { fromLittle, groupOrder, multiplyBase, toLittle, writePoint } from "./curve.js";
import { sha512 } from "./sha512.js";

/** The secret number and the second half of a seed's hash. */
function halves(seed) {
  const digest = sha512(seed);
  const first = digest.slice(0, 32);
  first[0] &= 248;
  first[31] = (first[31] & 63) | 64;
  return { secret: fromLittle(first), prefix: digest.subarray(32) };
}

function randomBlind() {
  return fromLittle(globalThis.crypto.getRandomValues(new Uint8Array(8)));
}

/** The public key of a seed of 32 bytes, as 32 bytes. */
export function publicKey(seed) {
  return writePoint(multiplyBase(halves(seed).secret, randomBlind()));
}

/** The 64 bytes of a seed's signature over a message. */
export function signPlainly(seed, message, key = publicKey(seed)) {
  const { secret, prefix } = halves(seed);
  const once = fromLittle(sha512(join([prefix, message]))) % groupOrder;
  const first = writePoint(multiplyBase(once, randomBlind()));
  const challenge = fromLittle(sha512(join([first, key, message]))) % groupOrder;
  return join([first, toLittle((once + challenge * secret) % groupOrder, 32)]);
}

/** What shows a server that a socket's client has a key (PROTOCOL §2). */
export function socketBytes(server, challenge) {
  return join([utf8("parlor-socket-1"), fromHex(server), fromHex(challenge)]);
}
