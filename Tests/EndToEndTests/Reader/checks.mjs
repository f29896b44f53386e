// Tries the page's modules of the protocol by themselves: checks.mjs FOLDER-OF-VECTORS CHANGES
//
// Prints one JSON object for each kind of check: its name, how often it was made, and what was found wrong.

import { webcrypto } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { ByteReader, fromHex, Malformed, toHex } from "../../../Sources/Web/Page/protocol/bytes.js";
import { Blake2b, hash } from "../../../Sources/Web/Page/protocol/blake2b.js";
import { choiceCommitment } from "../../../Sources/Web/Page/protocol/choices.js";
import {
  eventId, networkOf, readBody, signedBytes, standardNetwork, writeBody,
} from "../../../Sources/Web/Page/protocol/events.js";
import { Gathered } from "../../../Sources/Web/Page/protocol/gathered.js";
import { checkBundle, checkGathered } from "../../../Sources/Web/Page/protocol/report.js";
import { RecordReader } from "../../../Sources/Web/Page/protocol/records.js";
import { gameOf } from "../../../Sources/Web/Page/protocol/rules.js";
import { drawCommitment, jointDraw, seedOf } from "../../../Sources/Web/Page/protocol/seats.js";
import { publicKey, signPlainly } from "../../../Sources/Web/Page/protocol/signing.js";
import { SignatureCheck } from "../../../Sources/Web/Page/protocol/signatures.js";

globalThis.crypto ??= webcrypto;
const [vectors, changes] = process.argv.slice(2);

function blocks(name) {
  const text = readFileSync(`${vectors}/${name}`, "utf8");
  return text.trim().split("\n\n").slice(1).map(block => Object.fromEntries(block.split("\n").map(line => {
    const end = line.indexOf(":");
    return [line.slice(0, end), line.slice(end + 1).trim()];
  })));
}

function isRefused(body) {
  try {
    readBody(body);
    return false;
  } catch (error) {
    if (error instanceof Malformed) return true;
    throw error;
  }
}

/** RFC 7693, appendix E: hashes of all sizes and lengths, hashed together. */
function hashesOfTheirHashes() {
  const sequence = (length, seed) => {
    const bytes = new Uint8Array(length);
    let [a, b] = [Math.imul(0xdead4bad, seed), 1];
    return bytes.map(() => {
      const sum = (a + b) >>> 0;
      [a, b] = [b, sum];
      return sum >>> 24;
    });
  };
  const all = new Blake2b({ size: 32 });
  for (const size of [20, 32, 48, 64]) {
    for (const length of [0, 3, 128, 129, 255, 1024]) {
      const bytes = sequence(length, length);
      all.update(new Blake2b({ size }).update(bytes).digest());
      all.update(new Blake2b({ size, key: sequence(size, size) }).update(bytes).digest());
    }
  }
  return toHex(all.digest());
}

/** All orders of some things. */
function permutations(all) {
  if (all.length < 2) return [all];
  return all.flatMap((first, place) => permutations(all.filter((_, other) => other !== place)).map(rest => [first, ...rest]));
}

/** One ply of a playthrough as the page's rules see it, in the words of the playthrough. */
function plyWords(game, codes, first) {
  const seatOf = player => (first - 1 + player) % 2 + 1;
  const stones = game.board(codes).map(player => (player === null ? "." : "XO"[seatOf(player) - 1]));
  const scores = [0, 0];
  if (game.winner(codes) !== null) scores[seatOf(game.winner(codes)) - 1] = 1;
  const moves = game.moves(codes).map(code => game.text(code)).sort().join(" ");
  const turn = game.isOver(codes) ? `over, scores ${scores.join(" ")}` : `seat ${seatOf(game.mover(codes))}`;
  return { stones: stones.join(""), turn, moves };
}

/** The same as the fixture has it: other cells than those with a stone say what plays there. */
function toldWords(game, lines) {
  const rows = lines.slice(1, 1 + game.rows).map(line => line.trim().split(/\s+/));
  const stones = rows.flat().map(cell => (/^[XO]\*?$/.test(cell) ? cell[0] : ".")).join("");
  const said = start => lines.find(line => line.startsWith(start))?.slice(start.length) ?? "";
  return { stones, turn: said("turn "), moves: said("legal of seat ").slice(3).split(" ").sort().join(" ") };
}

const checks = {
  "rules": async wrong => {
    let count = 0;
    const folder = `${vectors}/../playthroughs`;
    for (const name of readdirSync(folder)) {
      const [head, ...plies] = readFileSync(`${folder}/${name}`, "utf8").trim().split("\n\nply ");
      const [, rules, version, said, first] =
        /^game (\S+) version (\d+)\nsettings ?(.*)\nfirst (\d)$/.exec(head) ?? wrong(`${name} has another head`);
      const parameters = said === "" ? "" : `${said.replaceAll(" ", "\n")}\n`;
      const game = gameOf({ roomKind: 1, seats: 2, rules, rulesVersion: Number(version), parameters });
      if (game === null) continue;
      if (said !== "" && gameOf({ roomKind: 1, seats: 2, rules, rulesVersion: 1, parameters: parameters.slice(1) })) {
        wrong(`${name}: other parameters are taken`);
      }
      let codes = [];
      for (const ply of plies) {
        count += 1;
        const lines = ply.split("\n");
        const [found, told] = [plyWords(game, codes, Number(first)), toldWords(game, lines)];
        if (JSON.stringify(found) !== JSON.stringify(told)) wrong(`${name}, ply ${lines[0]}: ${JSON.stringify(found)}`);
        const stones = game.board(codes);
        const move = lines.find(line => line.startsWith("play "))?.slice("play ".length) ?? null;
        const code = game.moves(codes).find(one => game.text(one) === move) ?? null;
        if ((code === null) !== (move === null || lines.includes("refused"))) wrong(`${name}: ${move} is ${code}`);
        if (code === null) continue;
        codes = [...codes, code];
        const put = game.board(codes).findIndex((player, cell) => player !== null && stones[cell] === null);
        if (put >= 0 && game.textAt(put) !== move) wrong(`${name}: ${move} puts a stone on ${game.textAt(put)}`);
      }
    }
    return count;
  },
  "hashes": async wrong => {
    const expected = "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475";
    if (hashesOfTheirHashes() !== expected) wrong("BLAKE2b");
    if (networkOf("home") !== "1342682168b515986f6befb8f075010e278535dadb539dea63f3e06029dbf020") wrong("network");
    return 49;
  },
  "events": async wrong => {
    const events = blocks("events.txt");
    for (const [place, vector] of events.entries()) {
      const event = readBody(fromHex(vector.body));
      if (event.kind !== vector.kind || toHex(writeBody(event)) !== vector.body) wrong(`${place} is written otherwise`);
      if (eventId(vector.network, event.body) !== vector.id) wrong(`${place} has another id`);
      // The arithmetic for pages without WebCrypto is slow.
      const verifiers = [new SignatureCheck(), ...(place % 8 === 0 ? [new SignatureCheck(null)] : [])];
      for (const verifier of verifiers) {
        const holds = (signature, id) => verifier.holds(fromHex(signature), id, vector.author);
        if (!await holds(vector.signature, vector.id)) wrong(`${place}: its signature`);
        if (await holds(vector.signature, toHex(hash(vector.id)))) wrong(`${place}: the signature of another id`);
      }
    }
    return events.length;
  },
  // What a page without WebCrypto signs is what every other program signs, byte for byte.
  "signing": async wrong => {
    // RFC 8032, section 7.1, test 2.
    const seed = fromHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    const signature = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
    if (toHex(signPlainly(seed, new Uint8Array([0x72]))) !== signature) wrong("RFC 8032");
    const some = blocks("events.txt").filter((_, place) => place % 8 === 0);
    for (const [place, vector] of some.entries()) {
      const key = fromHex(vector.seed);
      if (toHex(publicKey(key)) !== vector.author) wrong(`${place} has another key`);
      if (toHex(signPlainly(key, signedBytes(vector.id))) !== vector.signature) wrong(`${place} is signed otherwise`);
    }
    return some.length + 1;
  },
  // Events come one by one, in every order: each is taken once all that it names is there, and the room is the same.
  "gathered events": async wrong => {
    const { bundle: whole, ...report } = await checkBundle(fromHex(blocks("bundles.txt")[0].bundle));
    const said = ({ room, games }) => JSON.stringify([[...room.forks.keys()], games]);
    const orders = permutations(whole.events);
    for (const order of orders) {
      const gathered = new Gathered(whole.network, whole.room);
      for (let round = 0; round < order.length; round += 1) {
        for (const { id, body } of order) if (!gathered.byId.has(id)) gathered.take(body, null);
      }
      if (gathered.events.length !== order.length || said(checkGathered(gathered)) !== said(report)) {
        wrong(order.map(({ position }) => position));
      }
    }
    return orders.length;
  },
  "invalid events": async wrong => {
    const events = blocks("events-invalid.txt");
    for (const { rule, body } of events) if (!isRefused(fromHex(body))) wrong(rule);
    return events.length;
  },
  "unreadable events": async wrong => {
    const events = blocks("events-unreadable.txt");
    for (const { rule, kind, body } of events) {
      const event = readBody(fromHex(body));
      const isUnread = event.kind === "create" ? event.payload.content instanceof Uint8Array : event.kind === null;
      if (!isUnread && kind !== "1") wrong(rule);
    }
    return events.length;
  },
  "records": async wrong => {
    const [events, byId] = [[], new Map()];
    let records = null;
    const vectorsOfRecords = blocks("records.txt");
    for (const [place, { body, record }] of vectorsOfRecords.entries()) {
      const event = readBody(fromHex(body));
      event.id = eventId(standardNetwork, event.body);
      records ??= new RecordReader(event.id, events, byId);
      if (toHex(records.body(new ByteReader(fromHex(record)))) !== body) wrong(place);
      events.push(event);
      byId.set(event.id, Object.assign(event, { position: events.length }));
      records.append(event);
    }
    return vectorsOfRecords.length;
  },
  "commitments": async wrong => {
    let count = 0;
    for (const vector of blocks("commitments.txt")) {
      const { room, roster, author } = vector;
      const [game, round, seat] = [vector.game, vector.round, vector.seat].map(Number);
      const found = {
        choice: () => choiceCommitment(vector.salt, { room, game, round, seat, author }, Number(vector.choice)),
        draw: () => drawCommitment(vector.nonce, room, roster, seat, author),
        seed: () => seedOf(author, room, vector.nonces.split(" ")),
        starter: () => {
          const nonces = vector.nonces.split(" ");
          return String(BigInt(`0x${jointDraw(room, nonces).slice(0, 16)}`) % BigInt(nonces.length));
        },
      }[vector.type];
      if (!found) continue;
      count += 1;
      if (found() !== (vector.hash ?? vector.seat)) wrong(JSON.stringify(vector));
    }
    return count;
  },
  // None of them is good, none takes long, and none ends in anything but a report.
  "cut bundles": async wrong => {
    const bundle = fromHex(blocks("bundles.txt")[0].bundle);
    for (let size = 0; size < bundle.length; size += 1) {
      if ((await checkBundle(bundle.slice(0, size))).bad === null) wrong(size);
    }
    return bundle.length;
  },
  "changed bundles": async wrong => {
    const bundle = fromHex(blocks("bundles.txt")[0].bundle);
    let state = 1;
    const below = limit => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor(state / 2 ** 32 * limit);
    };
    for (let number = 0; number < Number(changes); number += 1) {
      const bytes = bundle.slice();
      // Counts and lengths are among what becomes as large as it can.
      for (let left = below(3); left >= 0; left -= 1) {
        const place = below(bytes.length);
        if (below(4) === 0) bytes.fill(255, place, place + 1 + below(9));
        else bytes[place] ^= 1 + below(255);
      }
      const isSame = bytes.every((byte, place) => byte === bundle[place]);
      const report = await checkBundle(bytes);
      JSON.stringify(report.members(""));
      if (report.bad === null && !isSame) wrong(number);
    }
    return Number(changes);
  },
};

for (const [name, check] of Object.entries(checks)) {
  const wrong = [];
  const count = await check(what => wrong.push(String(what)));
  process.stdout.write(`${JSON.stringify({ name, count, wrong })}\n`);
}
