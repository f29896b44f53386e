// Bytes, strictly read and plainly written. Numbers are big-endian; those of eight bytes are BigInts.

/** Why bytes are not in the one form that they should have. */
export class Malformed extends Error {}

/** Thirty-two zero bytes, which name nothing; ids and keys are hexadecimal texts here. */
export const zeroId = "0".repeat(64);

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

/** The bytes of a text of hexadecimal digits in lower case. */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let place = 0; place < bytes.length; place += 1) {
    bytes[place] = (digitOf(text, 2 * place) << 4) | digitOf(text, 2 * place + 1);
  }
  return bytes;
}

function digitOf(text, place) {
  const code = text.charCodeAt(place);
  return code < 58 ? code - 48 : code - 87;
}

/** The bytes of a text in UTF-8. */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** All parts, one after the other. */
export function join(parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function areEqual(one, two) {
  return one.length === two.length && one.every((byte, place) => byte === two[place]);
}

/** A number as so many bytes. */
export function numberBytes(size, value) {
  const bytes = new Uint8Array(size);
  let rest = BigInt.asUintN(8 * size, BigInt(value));
  for (let place = size - 1; place >= 0; place -= 1) {
    bytes[place] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/** Bytes that are taken from the front; never more than there are. */
export class ByteReader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get left() {
    return this.bytes.length - this.at;
  }

  take(size) {
    if (size > this.left) throw new Malformed(`the bytes end inside the field at offset ${this.at}`);
    const part = this.bytes.subarray(this.at, this.at + size);
    this.at += size;
    return part;
  }

  byte() {
    return this.take(1)[0];
  }

  /** A number of at most four bytes. */
  number(size) {
    let value = 0;
    for (const byte of this.take(size)) value = value * 256 + byte;
    return value;
  }

  long() {
    return (BigInt(this.number(4)) << 32n) | BigInt(this.number(4));
  }

  signed() {
    return this.number(4) | 0;
  }

  /** An id or a key. */
  id() {
    return toHex(this.take(32));
  }

  text(size) {
    const start = this.at;
    try {
      return strictDecoder.decode(this.take(size));
    } catch (error) {
      if (error instanceof Malformed) throw error;
      throw new Malformed(`the text at offset ${start} is not valid UTF-8`);
    }
  }
}

/** Bytes that are put together. */
export class ByteWriter {
  constructor() {
    this.parts = [];
  }

  bytes(part) {
    this.parts.push(part);
  }

  number(size, value) {
    this.parts.push(numberBytes(size, value));
  }

  id(hex) {
    this.parts.push(fromHex(hex));
  }

  finish() {
    return join(this.parts);
  }
}
