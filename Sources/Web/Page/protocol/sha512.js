// SHA-512 (FIPS 180-4) of short messages, for browsers that give a page no WebCrypto. Words are BigInts.

const wordBits = 64n;

/** The first bits behind the point of a prime's root: the square root for `degree` 2, the cube root for 3. */
function rootBits(prime, degree) {
  const wanted = BigInt(prime) << (wordBits * BigInt(degree));
  let root = 0n;
  for (let bit = 1n << 68n; bit > 0n; bit >>= 1n) {
    if ((root | bit) ** BigInt(degree) <= wanted) root |= bit;
  }
  return BigInt.asUintN(64, root);
}

function firstPrimes(count) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every(prime => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

const shaConstants = firstPrimes(80).map(prime => rootBits(prime, 3));
const shaStart = firstPrimes(8).map(prime => rootBits(prime, 2));

function turnRight(word, bits) {
  return BigInt.asUintN(64, (word >> BigInt(bits)) | (word << BigInt(64 - bits)));
}

function schedule(block) {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const words = Array.from({ length: 16 }, (_, place) => view.getBigUint64(8 * place));
  for (let place = 16; place < 80; place += 1) {
    const [early, late] = [words[place - 15], words[place - 2]];
    const first = turnRight(early, 1) ^ turnRight(early, 8) ^ (early >> 7n);
    const second = turnRight(late, 19) ^ turnRight(late, 61) ^ (late >> 6n);
    words.push(BigInt.asUintN(64, words[place - 16] + first + words[place - 7] + second));
  }
  return words;
}

function compress(state, block) {
  let [a, b, c, d, e, f, g, h] = state;
  schedule(block).forEach((word, place) => {
    const chosen = (e & f) ^ (~e & g);
    const sum = turnRight(e, 14) ^ turnRight(e, 18) ^ turnRight(e, 41);
    const one = h + sum + chosen + shaConstants[place] + word;
    const two = (turnRight(a, 28) ^ turnRight(a, 34) ^ turnRight(a, 39)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, BigInt.asUintN(64, d + one), c, b, a, BigInt.asUintN(64, one + two)];
  });
  return [a, b, c, d, e, f, g, h].map((word, place) => BigInt.asUintN(64, word + state[place]));
}

/** The 64 bytes of the hash. */
export function sha512(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 17) / 128) * 128);
  padded.set(message);
  padded[message.length] = 128;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(8 * message.length));
  let state = shaStart;
  for (let at = 0; at < padded.length; at += 128) state = compress(state, padded.subarray(at, at + 128));
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => digest.setBigUint64(8 * place, word));
  return new Uint8Array(digest.buffer);
}
