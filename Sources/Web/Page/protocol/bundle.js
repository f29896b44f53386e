// A bundle's events, with everything checked that does not depend on a game (PROTOCOL §3.1, §6).

import { Blake2b } from "./blake2b.js";
import { areEqual, ByteReader, Malformed, toHex, utf8, zeroId } from "./bytes.js";
import { compareEvents, eventId, readBody } from "./events.js";
import { Membership } from "./membership.js";
import { createCode, kindName } from "./payloads.js";
import { readNumber, RecordReader } from "./records.js";
import { SignatureCheck } from "./signatures.js";
import { BadBundle } from "./verdicts.js";

export const largestBundleBytes = 256 * 2 ** 20;
const largestEvents = 1_000_000;
const largestHeads = 65_536;
const largestRecordBytes = 8_448n;
const runEvents = 256;
const runBytes = 65_536;
/** So many records are read before signatures are waited for and progress is told. */
const batchRecords = 256;

/** A whole bundle's bytes: where they end too early it is the bundle that is cut, and no event of it is to blame. */
class BundleReader extends ByteReader {
  take(size) {
    if (size > this.left) throw new BadBundle(`the bundle ends too early, at byte ${this.bytes.length}`);
    return super.take(size);
  }
}

export class Bundle {
  constructor(bytes, network) {
    Object.assign(this, { bytes, wanted: network, reader: new BundleReader(bytes), room: null, hashed: 0 });
    Object.assign(this, { events: [], byId: new Map(), signatureCount: 0, bodyBytes: 0 });
    this.digest = new Blake2b().update(utf8("parlor-bundle-1"));
    this.signatures = new SignatureCheck();
    // Signatures that are being checked, in order, each with its event.
    this.pending = [];
  }

  /** Checks everything; throws `BadBundle` at the first fault. `onProgress` gets the bytes read so far. */
  async read(onProgress = () => {}) {
    try {
      await this.readAll(onProgress);
    } catch (error) {
      // A false signature stands before whatever was found behind it.
      await this.settleSignatures();
      throw error;
    }
  }

  async readAll(onProgress) {
    const { reader } = this;
    if (!areEqual(this.bytes.subarray(0, 8), utf8("PARLORB2"))) throw new BadBundle("this is not a Parlor bundle");
    reader.take(8);
    const network = reader.id();
    if (network !== this.wanted) throw new BadBundle(`the bundle belongs to another network, ${network}`);
    this.network = network;
    this.room = reader.id();
    const counts = { heads: reader.number(4), events: reader.long(), signatures: reader.long() };
    checkCounts(counts);
    const heads = this.readHeads(counts.heads);
    await this.readRecords(Number(counts.events), onProgress);
    if (this.signatureCount !== Number(counts.signatures)) {
      throw new BadBundle(`the bundle announces ${counts.signatures} signatures and has ${this.signatureCount}`);
    }
    this.checkCoverage();
    this.checkHeads(heads);
    this.hashRead();
    if (!areEqual(reader.take(32), this.digest.digest())) {
      throw new BadBundle("the bundle's bytes were changed: its digest is another");
    }
    if (reader.left > 0) throw new BadBundle(`there are bytes behind the bundle's end, from byte ${reader.at}`);
  }

  readHeads(count) {
    const heads = [];
    for (let left = count; left > 0; left -= 1) {
      const head = { author: this.reader.id(), sequence: this.reader.long(), id: this.reader.id() };
      const last = heads.at(-1);
      if (last && (head.author < last.author || (head.author === last.author && head.id <= last.id))) {
        throw new BadBundle("the bundle's heads are not in ascending order");
      }
      heads.push(head);
    }
    return heads;
  }

  async readRecords(count, onProgress) {
    this.records = new RecordReader(this.room, this.events, this.byId);
    this.followers = new Map();
    this.peaks = new Peaks();
    while (this.events.length < count) {
      this.readNext();
      if (this.events.length % batchRecords === 0) {
        await this.settleSignatures();
        this.hashRead();
        await onProgress(this.reader.at);
      }
    }
    await this.settleSignatures();
    // The last event is nobody's previous: nothing else could cover it.
    if (!this.events.at(-1).isSigned) throw new BadBundle("no signature covers it", this.events.at(-1));
  }

  /** Waits for the signatures so far; throws at the first that does not verify. */
  async settleSignatures() {
    const pending = this.pending;
    this.pending = [];
    const results = await Promise.all(pending.map(({ result }) => result));
    const wrong = results.indexOf(false);
    if (wrong >= 0) throw new BadBundle("its signature is not its author's", pending[wrong].event);
  }

  hashRead() {
    this.digest.update(this.bytes.subarray(this.hashed, this.reader.at));
    this.hashed = this.reader.at;
  }

  readNext() {
    const position = this.events.length + 1;
    let body = null;
    let isSigned = false;
    try {
      const number = readNumber(this.reader);
      if (number >> 1n > largestRecordBytes) throw new Malformed(`${number >> 1n} bytes are too many`);
      isSigned = (number & 1n) === 1n;
      body = this.records.body(new ByteReader(this.reader.take(Number(number >> 1n))));
    } catch (error) {
      throw asBad(error, "not a record in its one form", { position, id: null });
    }
    const event = this.add(body, position);
    this.bodyBytes += body.length;
    if (this.bodyBytes > largestBundleBytes) throw new BadBundle("its events have more bytes than this reader takes");
    if (isSigned) this.addSignature(event);
  }

  addSignature(event) {
    const signature = this.reader.take(64);
    event.isSigned = true;
    this.signatureCount += 1;
    this.pending.push({ event, result: this.signatures.holds(signature, event.id, event.author) });
  }

  /** Takes the next event after checking its form, its place and what it names. */
  add(body, position) {
    let event = null;
    try {
      event = readBody(body);
    } catch (error) {
      throw asBad(error, "not a canonical event", { position, id: null, name: kindName(body[1]) });
    }
    Object.assign(event, { id: eventId(this.network, body), position, isSigned: false, verdict: null });
    const room = event.code === createCode ? event.id : event.room;
    if (room !== this.room) throw new BadBundle("it belongs to another room", event);
    if (this.byId.has(event.id)) throw new BadBundle("it is in the bundle twice", event);
    const { previous, parents } = this.namedBy(event);
    if (this.events.length > 0) this.membership.judge(event, previous, parents);
    else this.membership = new Membership(event);
    this.checkOrder(event, previous, parents);
    if (previous) this.followers.set(previous.id, (this.followers.get(previous.id) ?? 0) + 1);
    this.events.push(event);
    this.byId.set(event.id, event);
    this.records.append(event);
    this.peaks.append(event);
    return event;
  }

  /** What an event names, all of which stands before it. */
  namedBy(event) {
    const previous = this.byId.get(event.previous) ?? null;
    if (event.previous !== zeroId && previous === null) {
      throw new BadBundle("its previous event is missing before it", event);
    }
    if (previous && (previous.author !== event.author || previous.sequence + 1n !== event.sequence)) {
      throw new BadBundle("its previous is not the event before it in its author's feed", event);
    }
    const parents = event.parents.map(id => {
      const parent = this.byId.get(id);
      if (!parent) throw new BadBundle("one of its parents is missing before it", event);
      if (parent.author === event.author) throw new BadBundle("one of its parents is its own author's", event);
      return parent;
    });
    if (event.code !== createCode && this.events.length === 0) {
      throw new BadBundle("the bundle does not begin with the room's create event", event);
    }
    return { previous, parents };
  }

  /** An event that could have come before one that is greater is out of place. */
  checkOrder(event, previous, parents) {
    const named = previous ? [previous, ...parents] : parents;
    const ready = named.reduce((last, other) => Math.max(last, other.position), this.events.length > 0 ? 1 : 0);
    const largest = this.peaks.after(ready);
    if (largest !== null && compareEvents(largest, event) > 0) {
      throw new BadBundle("it is out of place in the bundle's order", event);
    }
  }

  /** Every event is signed, or one after it in its feed is; and no run is too long. */
  checkCoverage() {
    const covered = new Set();
    for (const event of this.events.toReversed?.() ?? [...this.events].reverse()) {
      if (!event.isSigned && !covered.has(event.id)) continue;
      covered.add(event.id);
      covered.add(event.previous);
    }
    const bare = this.events.find(event => !covered.has(event.id));
    if (bare) throw new BadBundle("no signature covers it", bare);
    for (const event of this.events) this.checkRun(event);
  }

  checkRun(event) {
    const previous = this.byId.get(event.previous);
    const goesOn = previous && !previous.isSigned && this.followers.get(previous.id) === 1;
    event.runEvents = 1 + (goesOn ? previous.runEvents : 0);
    event.runBytes = event.body.length + (goesOn ? previous.runBytes : 0);
    if (event.runEvents > runEvents || event.runBytes > runBytes) {
      throw new BadBundle(`more than ${runEvents} events or ${runBytes} bytes under one signature`, event);
    }
  }

  checkHeads(heads) {
    const announced = new Map(heads.map(head => [head.id, head]));
    const own = this.events.filter(event => !this.followers.has(event.id));
    own.sort((one, two) => (one.author === two.author ? (one.id < two.id ? -1 : 1) : one.author < two.author ? -1 : 1));
    for (const event of own) {
      const head = announced.get(event.id);
      if (!head || head.author !== event.author || head.sequence !== event.sequence) {
        throw new BadBundle("it is the last of its feed and not among the bundle's heads", event);
      }
      announced.delete(event.id);
    }
    if (announced.size > 0) {
      throw new BadBundle(`the bundle announces a head that it does not have, ${[...announced.keys()].sort()[0]}`);
    }
  }
}

function checkCounts({ heads, events, signatures }) {
  if (heads === 0 || events === 0n || signatures === 0n) throw new BadBundle("one of the bundle's counts is zero");
  if (heads > largestHeads) throw new BadBundle(`${heads} heads are more than a bundle may have`);
  if (events > BigInt(largestEvents)) throw new BadBundle(`${events} events are more than this reader takes`);
  if (signatures > events) throw new BadBundle(`${signatures} signatures are more than ${events} events need`);
}

/** Malformed bytes as what is wrong with a bundle; other errors as they are. */
function asBad(error, words, event) {
  return error instanceof Malformed ? new BadBundle(`${words}: ${error.message}`, event) : error;
}

/** Of events in a row, the greatest behind a position, in logarithmic time. */
class Peaks {
  constructor() {
    // Each is greater than all that follow it.
    this.events = [];
  }

  append(event) {
    while (this.events.length > 0 && compareEvents(this.events.at(-1), event) <= 0) this.events.pop();
    this.events.push(event);
  }

  after(position) {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle].position <= position) low = middle + 1;
      else high = middle;
    }
    return this.events[low] ?? null;
  }
}
