// The kinds of events (PROTOCOL §1.2), and what each says (§4).

import { Malformed, zeroId } from "./bytes.js";
import { createForm, profileSchema, u16, u32, u8 } from "./create.js";
import {
  bytesForm, fieldsForm, flagForm, idForm, listForm, longForm, numberForm, optionalForm, readFields, scoresForm,
  shortForm, signedForm, textForm, writeFields,
} from "./forms.js";

export const createCode = 1;

/** The names of kinds by their codes; code 0 is none. */
export const kindNames = [
  null, "create", "request", "grant", "ready", "draw", "start", "move", "commit", "reveal", "resign", "undo-request",
  "undo-accept", "result", "leave", "claim", "ruling", "chat", "pairing-result", "invite", "draw-offer", "draw-accept",
  "draw-decline", "join-proof", "join-refusal", "round-open", "entry", "receipts", "round-close", "settle",
  "entry-proof", "carry", "disqualify", "marks", "revoke",
];
export const hostedKinds = [...kindNames.slice(23, 32), "marks"];
/** These are read alike in every edition, a create as far as its content. */
export const sharedKinds = ["create", "request", "grant", "start", "leave", "invite"];

export function kindOf(code) {
  return kindNames[code] ?? null;
}

/** A kind for people, known or not. */
export function kindName(code) {
  return kindOf(code) ?? `kind-${code}`;
}

const largestSequence = (1n << 63n) - 1n;

const sequenceForm = {
  read(reader) {
    const value = reader.long();
    if (value < 1n || value > largestSequence) throw new Malformed(`the sequence ${value}`);
    return value;
  },
  write: longForm.write,
};

const headSchema = [["author", idForm], ["sequence", sequenceForm], ["event", idForm]];

/** Heads ascend by author and event, and there are none without a room. */
const headList = listForm(1, 0, 32, headSchema, (before, head) => {
  const last = before.at(-1);
  return !last || last.author < head.author || (last.author === head.author && last.event < head.event);
});
const headsForm = {
  read(reader, fields) {
    const heads = headList.read(reader);
    if (heads.length > 0 && fields.room === zeroId) throw new Malformed("heads of no room");
    return heads;
  },
  write: headList.write,
};

const chosenSchema = [["choice", shortForm(1, 0, 64)], ["salt", idForm]];

/** What somebody had entered, with its salt, or null, which is written as one byte. */
function openedAs(mark) {
  return {
    read(reader) {
      if (reader.left === 0 || reader.bytes[reader.at] !== mark) return readFields(reader, chosenSchema);
      reader.byte();
      return null;
    },
    write(writer, value) {
      if (value === null) writer.number(1, mark);
      else writeFields(writer, value, chosenSchema);
    },
  };
}

/** An entry that was opened; null where it could not be read. */
const openedForm = openedAs(255);

/** A wrong entry as its author had made it; null, written as 254, for a right one. */
const markedForm = openedAs(254);

const enteredSchemas = [
  [["choice", shortForm(1, 0, 64)]],
  [["commitment", idForm], ["box", shortForm(1, 80, 144)]],
  [["choice", shortForm(2, 65, 3_840)]],
];

function isNextReceipt(before, receipt) {
  return before.every(other => other.parent !== receipt.parent && other.time <= receipt.time);
}

function isNextEntry(before, mark) {
  return before.length === 0 || before.at(-1).entry < mark.entry;
}

function isNextPeer(before, score) {
  return before.length === 0 || before.at(-1).peer < score.peer;
}

const noteSchema = [["value", signedForm], ["proven", flagForm], ["nodes", longForm]];
const receiptSchema = [["parent", numberForm(1, 0, 31)], ["time", u32]];

const schemas = {
  "request": [["seat", u16], ["profile", fieldsForm(() => profileSchema)]],
  "grant": [["request", idForm], ["seat", u16]],
  "ready": [["roster", idForm], ["commitment", idForm]],
  "draw": [["nonce", idForm]],
  "start": [["roster", idForm]],
  "move": [["game", u16], ["ply", u16], ["node", idForm], ["code", u32], ["note", optionalForm(noteSchema)]],
  "commit": [["game", u16], ["round", u16], ["node", idForm], ["commitment", idForm]],
  "reveal": [["game", u16], ["round", u16], ["commit", idForm], ["choice", u32], ["salt", idForm]],
  "resign": [["node", idForm]],
  "undo-request": [["node", idForm], ["ply", u16]],
  "undo-accept": [["request", idForm]],
  "result": [["game", u16], ["node", idForm], ["scores", scoresForm(1, 1, 16)]],
  "leave": [["node", idForm]],
  "claim": [["node", idForm], ["silent", u16]],
  "ruling": [["claim", idForm]],
  "chat": [["text", textForm(2, 1, 4_096)]],
  "pairing-result": [
    ["pairing", u32], ["attempt", u8], ["room", idForm], ["heads", headsForm], ["walkover", numberForm(1, 0, 3)],
    ["games", scoresForm(2, 0, 256, 2)],
  ],
  "disqualify": [["seat", u16], ["reason", textForm(2, 1, 256)]],
  "revoke": [["word", idForm]],
  "invite": [["peer", idForm]],
  "draw-offer": [["node", idForm]],
  "draw-accept": [["node", idForm], ["offer", idForm]],
  "draw-decline": [["offer", idForm]],
  "join-proof": [["box", bytesForm(80)]],
  "join-refusal": [["peer", idForm], ["through", longForm], ["reason", numberForm(1, 1, 2)]],
  "round-open": [["round", u16], ["limit", u32], ["commitment", idForm], ["asked", shortForm(2, 0, 4_096)]],
  "entry": [
    ["opening", idForm], ["form", numberForm(1, 0, 2)], ["said", fieldsForm(fields => enteredSchemas[fields.form])],
  ],
  "receipts": [["opening", idForm], ["receipts", listForm(1, 1, 32, receiptSchema, isNextReceipt)]],
  "marks": [
    ["opening", idForm], ["marks", listForm(1, 1, 32, [["entry", u16], ["wrong", markedForm]], isNextEntry)],
  ],
  "round-close": [["opening", idForm], ["time", u32]],
  "settle": [
    ["opening", idForm], ["solution", shortForm(1, 0, 64)], ["salt", idForm], ["first", u16],
    ["entries", listForm(1, 0, 180, [["opened", openedForm]])],
  ],
  "entry-proof": [["entry", idForm], ["opened", fieldsForm(() => chosenSchema)]],
  "carry": [["head", idForm], ["scores", listForm(1, 0, 180, [["peer", idForm], ["score", u32]], isNextPeer)]],
};

/** Reads what an event of a kind says. */
export function readPayload(kind, reader) {
  const payload = kind === "create" ? createForm.read(reader) : readFields(reader, schemas[kind]);
  if (reader.left > 0) throw new Malformed(`there are bytes behind the payload, from offset ${reader.at}`);
  return payload;
}

export function writePayload(kind, writer, payload) {
  if (kind === "create") createForm.write(writer, payload);
  else writeFields(writer, payload, schemas[kind]);
}
