// A bundle's events, with everything checked that does not depend on a game (PROTOCOL §3.1, §6).

import { Blake2b } from "./blake2b.js";
import { areEqual, ByteReader, Malformed, utf8 } from "./bytes.js";
import { compareEvents } from "./events.js";
import { asBad, Gathered } from "./gathered.js";
import { readNumber, RecordReader } from "./records.js";
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

export class Bundle extends Gathered {
  constructor(bytes, network) {
    super(null, null);
    Object.assign(this, { bytes, wanted: network, reader: new BundleReader(bytes), hashed: 0 });
    this.digest = new Blake2b().update(utf8("parlor-bundle-1"));
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
    if (isSigned) this.addSignature(event, this.reader.take(64));
  }

  add(body, position) {
    const event = super.add(body, position);
    this.records.append(event);
    this.peaks.append(event);
    return event;
  }

  /** An event that could have come before one that is greater is out of place. */
  checkOrder(event) {
    const named = [event.previous, ...event.parents].map(id => this.byId.get(id)?.position ?? 0);
    const ready = Math.max(this.events.length > 0 ? 1 : 0, ...named);
    const largest = this.peaks.after(ready);
    if (largest !== null && compareEvents(largest, event) > 0) {
      throw new BadBundle("it is out of place in the bundle's order", event);
    }
  }

  /** Every event is signed, or one after it in its feed is; and no run is too long. */
  checkCoverage() {
    const bare = this.bare();
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
