// One event: its bytes from its fields, its fields from its bytes, its id, and what its signature covers (§3).

import { areEqual, ByteReader, ByteWriter, fromHex, join, Malformed, toHex, utf8, zeroId } from "./bytes.js";
import { hash } from "./blake2b.js";
import { createCode, kindName, kindNames, kindOf, readPayload, writePayload } from "./payloads.js";

export const largestEventBytes = 8_192;
export const largestParents = 32;
const eventVersion = 2;
const sequenceEnd = 1n << 63n;

export const standardNetwork = toHex(hash("parlor-network-1"));

/** The id of the network of a name. */
export function networkOf(name) {
  return toHex(hash("parlor-network-name-1", name));
}

/**
 * The canonical bytes of an event.
 *
 * `event` has the kind, room (zero of a create), author, sequence (a BigInt), previous, wall (a BigInt), parents and
 * payload; ids and keys are hexadecimal.
 */
export function writeBody(event) {
  const payload = new ByteWriter();
  writePayload(event.kind, payload, event.payload);
  return writeRawBody({ ...event, code: kindNames.indexOf(event.kind) }, payload.finish());
}

/** The bytes of an event whose payload is given as bytes, and its kind as a code. */
export function writeRawBody(header, payload) {
  const writer = new ByteWriter();
  writer.number(1, eventVersion);
  writer.number(1, header.code);
  writer.id(header.room);
  writer.id(header.author);
  writer.number(8, header.sequence);
  writer.id(header.previous);
  writer.number(8, header.wall);
  writer.number(1, header.parents.length);
  for (const parent of header.parents) writer.id(parent);
  writer.number(2, payload.length);
  writer.bytes(payload);
  return writer.finish();
}

/** The event of a body; refuses whatever is not the one way to write it. Its kind is null where nobody can read it. */
export function readBody(body) {
  if (body.length > largestEventBytes) throw new Malformed(`${body.length} bytes are more than ${largestEventBytes}`);
  const reader = new ByteReader(body);
  const version = reader.byte();
  if (version !== eventVersion) throw new Malformed(`version ${version}`);
  const code = reader.byte();
  const event = {
    code, room: reader.id(), author: reader.id(), sequence: reader.long(), previous: reader.id(), wall: reader.long(),
    parents: readParents(reader), body, kind: kindOf(code), name: kindName(code), payload: null,
  };
  checkHeader(event);
  const length = reader.number(2);
  if (length !== reader.left) throw new Malformed(`a payload of ${length} bytes, where ${reader.left} follow`);
  addPayload(event, body.subarray(reader.at));
  return event;
}

function readParents(reader) {
  const count = reader.byte();
  if (count > largestParents) throw new Malformed(`${count} parents`);
  return Array.from({ length: count }, () => reader.id());
}

function checkHeader(event) {
  const { code, sequence, previous, room, parents } = event;
  if (sequence < 1n || sequence >= sequenceEnd) throw new Malformed(`sequence ${sequence}`);
  if ((sequence === 1n) !== (previous === zeroId)) throw new Malformed("only the first of a feed has no previous");
  if ((code === createCode) !== (room === zeroId)) throw new Malformed("only a create has no room");
  if (code === createCode && (parents.length > 0 || sequence !== 1n)) {
    throw new Malformed("a create is the first of its feed and has no parents");
  }
  let last = zeroId;
  for (const parent of parents) {
    if (parent <= last || parent === previous) throw new Malformed("parents ascend and are not zero or the previous");
    last = parent;
  }
}

/** Reads what the event says; only a create has to say it in its one form (§3). */
function addPayload(event, bytes) {
  if (event.kind === null) return;
  try {
    event.payload = readPayload(event.kind, new ByteReader(bytes));
    const writer = new ByteWriter();
    writePayload(event.kind, writer, event.payload);
    if (!areEqual(writer.finish(), bytes)) throw new Malformed("it is not in its one form");
  } catch (error) {
    if (!(error instanceof Malformed) || event.code === createCode) throw error;
    event.kind = null;
    event.payload = null;
  }
}

/** The id of an event, which names it. */
export function eventId(network, body) {
  return toHex(hash("parlor-event-2", fromHex(network), body));
}

/** What an author signs of an event. */
export function signedBytes(id) {
  return join([utf8("parlor-signature-1"), fromHex(id)]);
}

/** The order that decides which of several possible events a bundle has first (§6): below 0 where one comes first. */
export function compareEvents(one, two) {
  if (one.author !== two.author) return one.author < two.author ? -1 : 1;
  return comparePlaces(one, two);
}

/** The order of one author's events; on the branches of a fork the lower id comes first. */
export function comparePlaces(one, two) {
  if (one.sequence !== two.sequence) return one.sequence < two.sequence ? -1 : 1;
  if (one.id === two.id) return 0;
  return one.id < two.id ? -1 : 1;
}
