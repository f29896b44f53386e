// The short form in which a bundle has its events (PROTOCOL §6.1), back to their bodies.

import { fromHex, join, Malformed, zeroId } from "./bytes.js";
import { largestParents, writeRawBody } from "./events.js";
import { createCode, kindOf } from "./payloads.js";

/** Where payloads name events, when they are long enough for all of these. */
const referencePlaces = {
  "grant": [0], "resign": [0], "undo-request": [0], "undo-accept": [0], "leave": [0], "claim": [0], "ruling": [0],
  "draw-offer": [0], "draw-accept": [0, 32], "draw-decline": [0], "result": [2], "move": [4], "commit": [4],
  "reveal": [4], "entry": [0], "receipts": [0], "marks": [0], "round-close": [0], "settle": [0], "entry-proof": [0],
  "revoke": [0],
};

const longEnd = 1n << 64n;

/** A number below 2⁶⁴, a BigInt, in groups of seven bits, the lowest first, in as few bytes as possible. */
export function readNumber(reader) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    if (shift === 70n) throw new Malformed("a number has more than ten bytes");
    const group = reader.byte();
    value |= BigInt(group & 127) << shift;
    if (group > 127) continue;
    if (value >= longEnd) throw new Malformed("a number is 2⁶⁴ or more");
    if (group === 0 && shift > 0n) throw new Malformed(`the number ${value} has more bytes than it needs`);
    return value;
  }
}

export function writeNumber(writer, value) {
  let rest = BigInt(value);
  while (rest > 127n) {
    writer.number(1, (rest & 127n) | 128n);
    rest >>= 7n;
  }
  writer.number(1, rest);
}

/** Makes bodies again from records; refuses a record that is not in its one form. */
export class RecordReader {
  /** `events` are those of the bundle so far, `byId` the same by their ids. */
  constructor(room, events, byId) {
    Object.assign(this, { room, events, byId, authors: [], ends: new Map() });
  }

  /** Notes an event that the bundle has now. */
  append(event) {
    if (!this.ends.has(event.author)) this.authors.push(event.author);
    this.ends.set(event.author, event);
  }

  /** The body of the next event. */
  body(reader) {
    const author = this.readAuthor(reader);
    const code = reader.byte();
    const links = reader.byte();
    const count = links >> 2;
    if (count > largestParents) throw new Malformed(`${count} parents`);
    const { sequence, previous } = this.readChain(reader, author, (links & 1) === 1);
    const parents = Array.from({ length: count }, () => this.readReference(reader));
    const wall = this.readWall(reader);
    const payload = this.readPayload(reader, code, (links & 2) === 2);
    const room = code === createCode ? zeroId : this.room;
    return writeRawBody({ code, room, author, sequence, previous, wall, parents }, payload);
  }

  readAuthor(reader) {
    const number = readNumber(reader);
    if (number < BigInt(this.authors.length)) return this.authors[Number(number)];
    if (number > BigInt(this.authors.length)) {
      throw new Malformed(`feed ${number}, where ${this.authors.length} are open`);
    }
    const author = reader.id();
    if (this.ends.has(author)) throw new Malformed("it opens a feed that is open already");
    return author;
  }

  readChain(reader, author, isWritten) {
    const last = this.ends.get(author);
    const following = { sequence: last ? last.sequence + 1n : 1n, previous: last ? last.id : zeroId };
    if (!isWritten) return following;
    const written = { sequence: readNumber(reader), previous: this.readReference(reader) };
    if (written.sequence === following.sequence && written.previous === following.previous) {
      throw new Malformed("the chain is written out where it follows");
    }
    return written;
  }

  /** The id of an event that is named by its place, or by its id where it has none. */
  readReference(reader) {
    const back = readNumber(reader);
    const count = this.events.length;
    if (back > BigInt(count)) throw new Malformed(`it names the event ${back} places before it, of ${count}`);
    if (back > 0n) return this.events[count - Number(back)].id;
    const id = reader.id();
    if (this.byId.has(id)) throw new Malformed(`the id of event ${this.byId.get(id).position} is written out`);
    return id;
  }

  readWall(reader) {
    const number = readNumber(reader);
    const difference = (number & 1n) === 1n ? -(number >> 1n) - 1n : number >> 1n;
    return BigInt.asUintN(64, (this.events.at(-1)?.wall ?? 0n) + difference);
  }

  readPayload(reader, code, hasReferences) {
    const places = referencePlaces[kindOf(code)] ?? [];
    if (hasReferences && places.length === 0) throw new Malformed("such a payload has no references");
    const parts = [];
    let size = 0;
    for (const place of hasReferences ? places : []) {
      parts.push(reader.take(place - size), fromHex(this.readReference(reader)));
      size = place + 32;
    }
    parts.push(reader.take(reader.left));
    const payload = join(parts);
    if (places.length > 0 && !hasReferences && payload.length >= places.at(-1) + 32) {
      throw new Malformed("the payload's references are written out");
    }
    return payload;
  }
}
