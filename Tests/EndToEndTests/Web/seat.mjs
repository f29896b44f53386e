// A seat of a key of its own, as the page has it, under Node: seat.mjs FILE ROOM MOVES KEEPING
//
// Reads messages of `parlor.1` from standard input, a line each, and prints requests, a line each; besides these
// {"said": WORDS} where the page would tell its person something, and {"shown": TABLE} for what it would draw. It takes
// a seat, and after MOVES moves of its own plays no more; with `none` it does what lines {"do": TYPE, "members": …}
// say, and prints {"did": TYPE} or {"failed": WORDS} behind each. Where ROOM is an object of JSON, which says what is
// hosted, it creates the room first; so it does with `do` "create", and prints {"created": ROOM}. FILE keeps what the
// page keeps in IndexedDB, so that another run goes on. KEEPING is `keys` for WebCrypto and `plain` for a browser that
// has none.

import { webcrypto } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { newPayload } from "../../../Sources/Web/Page/hosting.js";
import { Key, profileOf } from "../../../Sources/Web/Page/key.js";
import { OwnRoom } from "../../../Sources/Web/Page/ownroom.js";
import { fromHex, toHex } from "../../../Sources/Web/Page/protocol/bytes.js";
import { signedBytes } from "../../../Sources/Web/Page/protocol/events.js";
import { socketBytes } from "../../../Sources/Web/Page/protocol/signing.js";
import { firstEvent } from "../../../Sources/Web/Page/protocol/writing.js";

const [file, room, moves, keeping] = process.argv.slice(2);
const withoutSubtle = { getRandomValues: bytes => webcrypto.getRandomValues(bytes) };
Object.defineProperty(globalThis, "crypto", { value: keeping === "plain" ? withoutSubtle : webcrypto });

const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8"))
  : { text: `parlor-own-key-1 ${toHex(random())} ${toHex(random())}\n`, written: [] };

function random() {
  return webcrypto.getRandomValues(new Uint8Array(32));
}

const say = object => process.stdout.write(`${JSON.stringify(object)}\n`);
const asked = new Map();

function ask(type, members) {
  return new Promise((resolve, reject) => {
    const id = asked.size + 1;
    asked.set(id, { resolve, reject });
    say({ type, id, ...members });
  });
}

const store = {
  async written() {
    return kept.written.map(one => ({ ...one, body: fromHex(one.body) }));
  },
  async commit(_, { id, sequence, body }, signature, guests = null) {
    if (Number(sequence) !== kept.written.length + 1) throw new Error("the file is behind");
    kept.written.push({ id, body: toHex(body), signature, guests });
    writeFileSync(file, JSON.stringify(kept));
  },
};

const key = await Key.read(kept.text);
if (key.isExportable !== (keeping === "plain")) throw new Error("the key is kept otherwise than was asked for");
writeFileSync(file, JSON.stringify(kept));
const own = {
  ask, store, key, isWriter: true, rooms: new Set(), profile: profileOf(keeping === "plain" ? "Bo" : "Ada", "🐱"),
  say: said => said && say({ said }),
};
let [table, left, isMoving] = [null, Number(moves), false];

function shown(view) {
  const { phase, seat, may, ending, undo, draws, claims, plies, hosted, "own-key": words } = view;
  const { referee, "move-limit": limit, clock, increment } = view;
  const terms = { referee, "move-limit": limit, clock, increment };
  say({ shown: { phase, seat, may, ending, undo, draws, claims, plies: plies.length, words, hosted, ...terms } });
  // In a round others may write before the own choice is made.
  if (view.may.includes("choose") && left > 0 && !isMoving) {
    left -= 1;
    isMoving = true;
    const { code } = view.moves[view.plies.length % view.moves.length];
    const act = table.act("choose", { code, plies: view.plies.length });
    act.catch(error => say({ said: error.message })).then(() => { isMoving = false; });
  }
}

async function begin() {
  const { challenge, server, network } = await ask("challenge", {});
  await ask("prove", { peer: key.peer, signature: await key.sign(socketBytes(server, challenge)) });
  own.network = network;
  if (room.startsWith("{")) kept.room ??= await create(JSON.parse(room));
  const followed = kept.room ?? room;
  table = new OwnRoom(own, followed, shown);
  await ask("follow", { room: followed });
  if (moves !== "none" && kept.written.length === 0) await table.act("join", {});
}

/** Creates a room as the page does, which is kept where none was; returns its id. */
async function create({ listed, bot, guests, ...wanted }) {
  const payload = newPayload(wanted, listed, own.profile);
  const event = firstEvent(own.network, key.peer, payload, Date.now());
  const signature = await key.sign(signedBytes(event.id));
  if (kept.written.length === 0) {
    kept.room = event.id;
    await store.commit(event.id, event, signature, guests ?? null);
  }
  await ask("create", { event: toHex(event.body), signature, ...(bot ? { bot } : {}) });
  say({ created: event.id });
  return event.id;
}

createInterface({ input: process.stdin }).on("line", line => {
  const message = JSON.parse(line);
  if (message.do) {
    const done = message.do === "create" ? create(message.members) : table.act(message.do, message.members);
    return void done.then(() => say({ did: message.do }), error => say({ failed: error.message }));
  }
  if (message.id === undefined) return void table.receive(message);
  // Others may ask on the same socket.
  const { resolve, reject } = asked.get(message.id) ?? {};
  return message.type === "done" ? resolve?.(message) : reject?.(new Error(message.words));
});
begin().catch(error => say({ said: error.message }));
