// Files of rooms and of tournaments (PROTOCOL §6, §6.4).

import { areEqual, ByteReader, Malformed, utf8 } from "./bytes.js";
import { standardNetwork } from "./events.js";
import { checkBundle } from "./report.js";
import { BadBundle } from "./verdicts.js";

const largestRooms = 262_144;

/**
 * Checks a file of either kind.
 *
 * Returns `bad`, what is wrong with the file besides its rooms or null; `reports`, one for each room that was read; and
 * what was not checked of the whole.
 */
export async function checkFile(bytes, options = {}) {
  if (areEqual(bytes.subarray(0, 8), utf8("PARLORT1"))) return checkTournament(bytes, options);
  return { bad: null, reports: [await checkBundle(bytes, options)], notChecked: [] };
}

async function checkTournament(bytes, options) {
  const found = {
    bad: null, reports: [],
    notChecked: ["pairings, the organizer's words and standings: each room of the tournament was checked for itself"],
  };
  try {
    await readRooms(new ByteReader(bytes, 8), found, options);
  } catch (error) {
    if (error instanceof Malformed) found.bad = new BadBundle(`the file ends too early: ${error.message}`);
    else if (error instanceof BadBundle) found.bad = error;
    else throw error;
  }
  return found;
}

async function readRooms(reader, found, { network = standardNetwork, onProgress = () => {} }) {
  if (reader.id() !== network) throw new BadBundle("the file belongs to another network");
  const rooms = readHeading(reader);
  for (const room of rooms) {
    const size = reader.long();
    if (size > BigInt(reader.left)) throw new BadBundle(`the file ends before room ${room.slice(0, 10)} does`);
    const start = reader.at;
    const bytes = reader.take(Number(size));
    const report = await checkBundle(bytes, { network, onProgress: read => onProgress(start + read) });
    checkPlace(report, room, found);
    found.reports.push(report);
    if (found.reports.length === 1 && report.bad) return;
    await onProgress(reader.at);
  }
  if (reader.left > 0) throw new BadBundle(`there are bytes behind the last room, from byte ${reader.at}`);
}

function readHeading(reader) {
  const count = reader.number(4);
  if (count === 0 || count > largestRooms) throw new BadBundle(`${count} rooms`);
  if (count * 32 > reader.left) throw new BadBundle("the file ends in its list of rooms");
  const rooms = Array.from({ length: count }, () => reader.id());
  if (new Set(rooms).size < count) throw new BadBundle("a room is named twice");
  return rooms;
}

/** A bundle is of the room that the heading names in its place, and the first of a tournament. */
function checkPlace(report, room, { reports }) {
  if (report.bad) return;
  if (report.bundle.room !== room) report.bad = new BadBundle("the file's heading names another room in its place");
  else if (reports.length === 0 && !report.room?.isTournament) report.bad = new BadBundle("it is no tournament's");
}
