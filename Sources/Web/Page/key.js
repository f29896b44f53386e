// The key of this browser: made here, and kept in IndexedDB. Where the page is given WebCrypto the key cannot be read.

import { fromHex, toHex, utf8 } from "./protocol/bytes.js";
import { publicKey, signPlainly } from "./protocol/signing.js";

/** What stands before a seed in its PKCS #8 form (RFC 8410). */
const seedHead = fromHex("302e020100300506032b657004220420");

const subtle = () => globalThis.crypto?.subtle;

function randomBytes(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

export class Key {
  /** `record` is what the store keeps: the peer, its key or seed, and the secret from which salts are made. */
  constructor(record) {
    Object.assign(this, { record, peer: record.peer, secret: record.secret });
  }

  /** Whether the key can be given to another browser: what WebCrypto alone has it gives to nobody. */
  get isExportable() {
    return this.record.seed !== null;
  }

  /** `mayBeCopied` asks the person, where that is not so anyway. */
  static async make(mayBeCopied) {
    const made = await Key.inWebCrypto(crypto => crypto.generateKey("Ed25519", false, ["sign", "verify"]));
    const secret = randomBytes(32);
    if (made && !await mayBeCopied()) {
      const peer = toHex(new Uint8Array(await subtle().exportKey("raw", made.publicKey)));
      return new Key({ id: "own", peer, key: made.privateKey, seed: null, secret });
    }
    const seed = randomBytes(32);
    return new Key({ id: "own", peer: toHex(publicKey(seed)), key: made && await Key.imported(seed), seed, secret });
  }

  /** A seed as WebCrypto keeps it; null where there is none. */
  static imported(seed) {
    const bytes = new Uint8Array([...seedHead, ...seed]);
    return Key.inWebCrypto(crypto => crypto.importKey("pkcs8", bytes, "Ed25519", false, ["sign"]));
  }

  /** What WebCrypto gives; null where the page has none, or it knows no such keys. */
  static async inWebCrypto(ask) {
    if (!subtle()) return null;
    try {
      return await ask(subtle());
    } catch (error) {
      if (error.name === "NotSupportedError") return null;
      throw error;
    }
  }

  /** The signature of a message, as hexadecimal digits. */
  async sign(message) {
    const { key, seed, peer } = this.record;
    if (key) return toHex(new Uint8Array(await subtle().sign("Ed25519", key, message)));
    return toHex(signPlainly(seed, message, fromHex(peer)));
  }

  /** The key as a text, for another browser; it is all that its owner is. */
  get text() {
    return `parlor-own-key-1 ${toHex(this.record.seed)} ${toHex(this.secret)}\n`;
  }

  /** The key of such a text, which WebCrypto keeps where there is one; null for any other text. */
  static async read(text) {
    const found = /^parlor-own-key-1 ([0-9a-f]{64}) ([0-9a-f]{64})\s*$/.exec(text);
    if (!found) return null;
    const [seed, secret] = [fromHex(found[1]), fromHex(found[2])];
    const key = await Key.imported(seed);
    return new Key({ id: "own", peer: toHex(publicKey(seed)), key, seed: key ? null : seed, secret });
  }
}

/** The beginning of a text that has at most so many bytes. */
export function cut(text, limit) {
  let kept = "";
  for (const letter of text) {
    if (utf8(kept + letter).length > limit) break;
    kept += letter;
  }
  return kept;
}

/** The name and emoji under which a key asks for a seat, cut to what a profile takes. */
export const profileOf = (name, emoji) => ({ name: cut(name || "somebody", 64), emoji: cut(emoji, 32) });
