// Ed25519 as PROTOCOL §2 has it: by WebCrypto where the browser knows it, else by the arithmetic of curve.js.

import { areEqual, fromHex, join, toHex } from "./bytes.js";
import {
  basePoint, combinePoints, fromLittle, groupOrder, negatePoint, readPoint, writePoint,
} from "./curve.js";
import { signedBytes } from "./events.js";
import { sha512 } from "./sha512.js";

/** The second coordinates of the eight points of small order; each with either sign of the first. */
const smallOrders = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/** Whether 32 bytes are the one form of a point, as far as their number goes, and none of small order. */
function isSound(bytes) {
  const masked = Uint8Array.from(bytes);
  masked[31] &= 127;
  if (smallOrders.includes(toHex(masked))) return false;
  return masked[31] < 127 || masked.subarray(1, 31).some(byte => byte < 255) || masked[0] < 237;
}

/** Whether signature and key have forms under which something can verify at all; the same for every verifier. */
function isPossible(signature, key) {
  // Most signatures are below 2²⁵², which the order is not.
  const isBelow = signature[63] < 16 || fromLittle(signature.subarray(32)) < groupOrder;
  return isBelow && isSound(key) && isSound(signature.subarray(0, 32));
}

/** Verifies by the equation of RFC 8032 without the cofactor, comparing bytes. */
export function verifyPlainly(signature, message, key) {
  const point = isPossible(signature, key) ? readPoint(key) : null;
  if (point === null) return false;
  const first = signature.subarray(0, 32);
  const challenge = fromLittle(sha512(join([first, key, message]))) % groupOrder;
  const found = combinePoints(basePoint, fromLittle(signature.subarray(32)), negatePoint(point), challenge);
  return areEqual(writePoint(found), first);
}

/** Verifies the signatures of events; keys are imported once. */
export class SignatureCheck {
  /** `subtle` is WebCrypto's, or undefined where the page has none. */
  constructor(subtle = globalThis.crypto?.subtle) {
    this.subtle = subtle;
    this.keys = new Map();
  }

  /** Whether an author has signed the event of this id. */
  async holds(signature, id, author) {
    const key = fromHex(author);
    if (!isPossible(signature, key)) return false;
    const message = signedBytes(id);
    const imported = await this.imported(author, key);
    if (imported === null) return verifyPlainly(signature, message, key);
    try {
      return await this.subtle.verify("Ed25519", imported, signature, message);
    } catch {
      return verifyPlainly(signature, message, key);
    }
  }

  /** The key in the form of WebCrypto; null where it does not take it, or does not know such keys. */
  imported(author, key) {
    if (!this.subtle) return null;
    if (!this.keys.has(author)) {
      this.keys.set(author, this.subtle.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => null));
    }
    return this.keys.get(author);
  }
}
