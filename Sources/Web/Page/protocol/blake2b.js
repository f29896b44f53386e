// BLAKE2b (RFC 7693) with and without a key. A word of 64 bits is two of 32: the low one at 2i, the high one at 2i + 1.

import { join, utf8 } from "./bytes.js";

const blockBytes = 128;

const blakeStart = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

/** Which words of a block are mixed in, by round; rounds 10 and 11 are as 0 and 1. */
const wordOrder = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
].map(order => Uint8Array.from(order, word => 2 * word));

/**
 * Mixes four words of the state with two of the block; all are named by the places of their low halves.
 *
 * The halves are local numbers: this is where all the time goes.
 */
function mixWords(words, block, a, b, c, d, first, second) {
  let aLow = words[a], aHigh = words[a + 1], bLow = words[b], bHigh = words[b + 1];
  let cLow = words[c], cHigh = words[c + 1], dLow = words[d], dHigh = words[d + 1];
  let low = aLow + bLow + block[first];
  aHigh = (aHigh + bHigh + block[first + 1] + (low / 0x100000000 | 0)) | 0;
  aLow = low >>> 0;
  let turned = dLow ^ aLow;
  dLow = (dHigh ^ aHigh) >>> 0;
  dHigh = turned;
  low = cLow + dLow;
  cHigh = (cHigh + dHigh + (low / 0x100000000 | 0)) | 0;
  cLow = low >>> 0;
  let one = bLow ^ cLow, two = bHigh ^ cHigh;
  bLow = ((one >>> 24) | (two << 8)) >>> 0;
  bHigh = (two >>> 24) | (one << 8);
  low = aLow + bLow + block[second];
  aHigh = (aHigh + bHigh + block[second + 1] + (low / 0x100000000 | 0)) | 0;
  aLow = low >>> 0;
  one = dLow ^ aLow;
  two = dHigh ^ aHigh;
  dLow = ((one >>> 16) | (two << 16)) >>> 0;
  dHigh = (two >>> 16) | (one << 16);
  low = cLow + dLow;
  cHigh = (cHigh + dHigh + (low / 0x100000000 | 0)) | 0;
  cLow = low >>> 0;
  one = bLow ^ cLow;
  two = bHigh ^ cHigh;
  words[a] = aLow, words[a + 1] = aHigh, words[c] = cLow, words[c + 1] = cHigh, words[d] = dLow, words[d + 1] = dHigh;
  words[b] = (one << 1) | (two >>> 31);
  words[b + 1] = (two << 1) | (one >>> 31);
}

/** One round: the columns of the state's square of sixteen words, then its diagonals. */
function mixRound(words, block, order) {
  mixWords(words, block, 0, 8, 16, 24, order[0], order[1]);
  mixWords(words, block, 2, 10, 18, 26, order[2], order[3]);
  mixWords(words, block, 4, 12, 20, 28, order[4], order[5]);
  mixWords(words, block, 6, 14, 22, 30, order[6], order[7]);
  mixWords(words, block, 0, 10, 20, 30, order[8], order[9]);
  mixWords(words, block, 2, 12, 22, 24, order[10], order[11]);
  mixWords(words, block, 4, 14, 16, 26, order[12], order[13]);
  mixWords(words, block, 6, 8, 18, 28, order[14], order[15]);
}

/** A hash of bytes that come in parts; `size` bytes long, with a key of at most 64 bytes or none. */
export class Blake2b {
  constructor({ size = 32, key = new Uint8Array(0) } = {}) {
    this.size = size;
    this.state = blakeStart.slice();
    this.state[0] ^= 0x01010000 ^ (key.length << 8) ^ size;
    this.buffer = new Uint8Array(blockBytes);
    this.filled = 0;
    this.total = 0;
    this.block = new Uint32Array(32);
    this.words = new Uint32Array(32);
    if (key.length > 0) {
      const padded = new Uint8Array(blockBytes);
      padded.set(key);
      this.update(padded);
    }
  }

  update(bytes) {
    let at = 0;
    while (at < bytes.length) {
      // The last block is marked as such, so a full one waits until something follows.
      if (this.filled === blockBytes) this.compress(false);
      const taken = Math.min(blockBytes - this.filled, bytes.length - at);
      this.buffer.set(bytes.subarray(at, at + taken), this.filled);
      this.filled += taken;
      at += taken;
    }
    return this;
  }

  digest() {
    this.buffer.fill(0, this.filled);
    this.compress(true);
    return Uint8Array.from({ length: this.size }, (_, place) => this.state[place >> 2] >>> (8 * (place & 3)));
  }

  compress(isLast) {
    const { state, block, words, buffer } = this;
    this.total += this.filled;
    this.filled = 0;
    for (let place = 0; place < 32; place += 1) {
      const at = 4 * place;
      block[place] = buffer[at] | (buffer[at + 1] << 8) | (buffer[at + 2] << 16) | (buffer[at + 3] << 24);
    }
    words.set(state);
    words.set(blakeStart, 16);
    words[24] ^= this.total % 0x100000000;
    words[25] ^= Math.floor(this.total / 0x100000000);
    if (isLast) {
      words[28] = ~words[28];
      words[29] = ~words[29];
    }
    for (let round = 0; round < 12; round += 1) mixRound(words, block, wordOrder[round % 10]);
    for (let place = 0; place < 16; place += 1) state[place] ^= words[place] ^ words[place + 16];
  }
}

/** BLAKE2b-256 of parts one after the other; texts among them are their bytes. */
export function hash(...parts) {
  return keyedHash(new Uint8Array(0), ...parts);
}

export function keyedHash(key, ...parts) {
  const bytes = join(parts.map(part => (typeof part === "string" ? utf8(part) : part)));
  return new Blake2b({ key }).update(bytes).digest();
}
