// Arithmetic on edwards25519 (RFC 8032, RFC 7748) with BigInts, whose time tells what they compute with. All but
// `multiplyBase` is for checking alone: no secret may come near it.

import { toHex } from "./bytes.js";

export const fieldPrime = (1n << 255n) - 19n;
/** The order of the group in which signatures are. */
export const groupOrder = (1n << 252n) + 27742317777372353535851937790883648493n;

export function modulo(number) {
  const rest = number % fieldPrime;
  return rest < 0n ? rest + fieldPrime : rest;
}

export function power(base, exponent) {
  let result = 1n;
  for (let rest = exponent, square = modulo(base); rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
}

export function inverse(number) {
  return power(number, fieldPrime - 2n);
}

/** Bytes as a number whose lowest byte comes first. */
export function fromLittle(bytes) {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
}

export function toLittle(number, size) {
  return Uint8Array.from({ length: size }, (_, place) => Number((number >> BigInt(8 * place)) & 255n));
}

const curveD = modulo(-121665n * inverse(121666n));
const rootOfMinusOne = power(2n, (fieldPrime - 1n) / 4n);

/** Points as x = X / Z, y = Y / Z, with T = XY / Z. */
export const neutralPoint = [0n, 1n, 1n, 0n];

export function addPoints([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = modulo((y1 - x1) * (y2 - x2));
  const b = modulo((y1 + x1) * (y2 + x2));
  const c = modulo(2n * curveD * modulo(t1 * t2));
  const d = modulo(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [modulo(e * f), modulo(g * h), modulo(f * g), modulo(e * h)];
}

export function negatePoint([x, y, z, t]) {
  return [modulo(-x), y, z, modulo(-t)];
}

/** The sum of two points, each taken a number of times. */
export function combinePoints(one, timesOne, two, timesTwo) {
  const sums = [null, one, two, addPoints(one, two)];
  let result = neutralPoint;
  for (let bit = 255n; bit >= 0n; bit -= 1n) {
    result = addPoints(result, result);
    const chosen = Number(((timesOne >> bit) & 1n) | (((timesTwo >> bit) & 1n) << 1n));
    if (chosen > 0) result = addPoints(result, sums[chosen]);
  }
  return result;
}

/**
 * The base taken a secret number of times, as often doubled and added for each number.
 *
 * `blind` is a random number that no one else has: the order taken so many times is added to the secret, which changes
 * nothing of the point and all of the steps. So the time of one signature says little of the secret, and that of many
 * no more; steps of one length it has not (Docs/THREATS.md).
 */
export function multiplyBase(secret, blind) {
  const times = secret + (blind & blindMask) * groupOrder;
  let result = neutralPoint;
  for (let bit = blindBits + 255n; bit >= 0n; bit -= 1n) {
    result = addPoints(result, result);
    const sums = [result, addPoints(result, basePoint)];
    result = sums[Number((times >> bit) & 1n)];
  }
  return result;
}

const blindBits = 64n;
const blindMask = (1n << blindBits) - 1n;

/** The point of 32 bytes; null where they are those of none. */
export function readPoint(bytes) {
  const number = fromLittle(bytes);
  const y = number & ((1n << 255n) - 1n);
  const isOdd = number >> 255n;
  if (y >= fieldPrime) return null;
  const square = modulo((y * y - 1n) * inverse(curveD * y * y + 1n));
  let x = power(square, (fieldPrime + 3n) / 8n);
  if (modulo(x * x) !== square) x = modulo(x * rootOfMinusOne);
  if (modulo(x * x) !== square || (x === 0n && isOdd === 1n)) return null;
  if ((x & 1n) !== isOdd) x = modulo(-x);
  return [x, y, 1n, modulo(x * y)];
}

export function writePoint([x, y, z]) {
  const scale = inverse(z);
  return toLittle(modulo(y * scale) | ((modulo(x * scale) & 1n) << 255n), 32);
}

/** What signatures are multiples of. */
export const basePoint = readPoint(toLittle(modulo(4n * inverse(5n)), 32));

/** Whether a point is a multiple of the base, and not the neutral one. */
export function isOfGroup(point) {
  const [x, y] = point;
  if (x === 0n && y === 1n) return false;
  const [endX, endY, endZ] = combinePoints(point, groupOrder, neutralPoint, 0n);
  return endX === 0n && endY === endZ;
}
