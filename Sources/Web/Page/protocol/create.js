// What a room's first event says (PROTOCOL §4.1): what all editions share, and behind it what this edition has.

import { ByteReader, Malformed, zeroId } from "./bytes.js";
import {
  bytesForm, fieldsForm, flagForm, idForm, longForm, numberForm, optionalForm, readFields, readToEnd, textForm,
  writeFields,
} from "./forms.js";

/** The edition that these modules read. */
export const knownEdition = 1;
/** The seat of a creator that does not play, and the number with which a referee commits. */
export const noSeat = 65_535;
export const roomKinds = { games: 1, tournament: 2, hosted: 3 };
export const invitedScope = 2;

export const u8 = numberForm(1);
export const u16 = numberForm(2);
export const u32 = numberForm(4);

const openingsBudget = 2_048;

/** Of each opening the codes of its moves; the moves and the openings together are bounded. */
const openingsForm = {
  read(reader) {
    const openings = [];
    let left = openingsBudget;
    for (let number = reader.number(2); number > 0; number -= 1) {
      const count = reader.number(2);
      left -= count + 1;
      if (count === 0 || left < 0) throw new Malformed(`the opening before offset ${reader.at}`);
      openings.push(Array.from({ length: count }, () => reader.number(2)));
    }
    return openings;
  },
  write(writer, openings) {
    writer.number(2, openings.length);
    for (const codes of openings) {
      writer.number(2, codes.length);
      for (const code of codes) writer.number(2, code);
    }
  },
};

const botSchema = [
  ["specification", textForm(1, 1, 64)], ["version", u16], ["budget", longForm], ["seed", longForm],
];
export const profileSchema = [
  ["name", textForm(1, 0, 64)], ["emoji", textForm(1, 0, 32)], ["bot", optionalForm(botSchema)],
];

const purposeSchemas = {
  [roomKinds.games]: [
    ["tournament", idForm], ["pairing", u32], ["attempt", u8], ["openings", openingsForm], ["branchOf", idForm],
    ["branchGame", u16], ["branchPly", u16],
  ],
  [roomKinds.tournament]: [
    ["format", numberForm(1, 1, 255)], ["options", u8], ["seed", longForm], ["title", textForm(1, 0, 64)],
    ["openings", openingsForm],
  ],
  [roomKinds.hosted]: [["entries", u16], ["joinCode", flagForm], ["title", textForm(1, 0, 64)]],
};

const contentSchema = [
  ["rules", textForm(1, 1, 32, /^[a-z-]+$/)], ["rulesVersion", u16], ["parameters", textForm(2, 0, 4_096)],
  ["games", numberForm(2, 1, 256)], ["target", u32], ["starter", flagForm], ["flags", numberForm(1, 0, 3)],
  ["bots", numberForm(1, 0, 2)], ["onlyBudgets", flagForm], ["largestBudget", longForm], ["limit", u32],
  ["clock", u32], ["increment", u32], ["rematchOf", idForm], ["profile", fieldsForm(() => profileSchema)],
];

/** What stands in place of content that cannot be read. */
export const unreadContent = {
  rules: null, rulesVersion: null, parameters: "", games: 1, target: 0, starter: 0, flags: 0, bots: 0,
  onlyBudgets: 0, largestBudget: 0n, rematchOf: zeroId, profile: { name: "", emoji: "", bot: null }, openings: [],
  entries: 0, title: "", tournament: zeroId,
};

/** There is no pairing without a tournament, and no place of a branch without its room. */
function hasStray(content) {
  const isStrayPairing = content.tournament === zeroId && (content.pairing > 0 || content.attempt > 0);
  return isStrayPairing || (content.branchOf === zeroId && (content.branchGame > 0 || content.branchPly > 0));
}

/** The fields of an edition's content, or its bytes where they cannot be read. */
const contentForm = {
  read(reader, fields) {
    const bytes = reader.take(reader.left);
    if (fields.edition !== knownEdition) return bytes;
    try {
      const schema = [...contentSchema, ...purposeSchemas[fields.roomKind]];
      const content = readToEnd(new ByteReader(bytes), schema);
      return hasStray(content) ? bytes : content;
    } catch (error) {
      if (error instanceof Malformed) return bytes;
      throw error;
    }
  },
  write(writer, content, fields) {
    if (content instanceof Uint8Array) writer.bytes(content);
    else writeFields(writer, content, [...contentSchema, ...purposeSchemas[fields.roomKind]]);
  },
};

const sharedSchema = [
  ["edition", u16], ["roomKind", numberForm(1, 1, 3)], ["scope", numberForm(1, 1, 3)], ["nonce", bytesForm(16)],
  ["seats", numberForm(2, 1, 4_096)], ["creatorSeat", u16], ["referee", idForm], ["content", contentForm],
];

/** All that a create says; a room of games has fewer seats than others. */
export const createForm = {
  read(reader) {
    const fields = readFields(reader, sharedSchema);
    if (fields.roomKind === roomKinds.games && fields.seats > 16) {
      throw new Malformed(`${fields.seats} seats in a room of games`);
    }
    if (fields.creatorSeat !== noSeat && fields.creatorSeat >= fields.seats) {
      throw new Malformed(`the creator's seat ${fields.creatorSeat} of ${fields.seats}`);
    }
    return fields;
  },
  write: (writer, fields) => writeFields(writer, fields, sharedSchema),
};
