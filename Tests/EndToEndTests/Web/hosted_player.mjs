// Tries what the page's modules do as a player of hosted rounds, with a host that is made here and may cheat.
//
// Prints `done NAME` after each part, and ends with words where anything is wrong.

import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { fromHex, toHex, utf8, zeroId } from "../../../Sources/Web/Page/protocol/bytes.js";
import { noSeat, roomKinds } from "../../../Sources/Web/Page/protocol/create.js";
import { eventId, signedBytes, standardNetwork, writeBody } from "../../../Sources/Web/Page/protocol/events.js";
import { Gathered } from "../../../Sources/Web/Page/protocol/gathered.js";
import { HostedPlayer } from "../../../Sources/Web/Page/protocol/hosted-player.js";
import { checkGathered } from "../../../Sources/Web/Page/protocol/report.js";
import { solutionCommitment, toldBox } from "../../../Sources/Web/Page/protocol/sealing.js";
import { publicKey, signPlainly } from "../../../Sources/Web/Page/protocol/signing.js";
import { nextEvent } from "../../../Sources/Web/Page/protocol/writing.js";

globalThis.crypto ??= webcrypto;
const [hostSeed, adaSeed, boSeed] = [1, 2, 3].map(byte => new Uint8Array(32).fill(byte));
const seeds = new Map([hostSeed, adaSeed, boSeed].map(seed => [toHex(publicKey(seed)), seed]));
const [host, ada, bo] = seeds.keys();
const secret = new Uint8Array(32).fill(7);
const salt = "ab".repeat(32);
const choiceBytes = text => [utf8(text).length, ...utf8(text)];
const asked = Uint8Array.from([0, 4, ...utf8("One?"), 3, ...["a", "b", "c"].flatMap(choiceBytes)]);
const profile = { name: "Ada", emoji: "" };

/** A room of one round, as far as the host has asked it; Ada and Bo are taken in. */
class Evening {
  /** By default a quiz; else `ask` says what is asked and bound to, of a room in which all have come in. */
  constructor(rules = "quiz", parameters = "curve=linear\ngrace=3000\n", entries = 1, ask = null) {
    const payload = {
      edition: 1, roomKind: roomKinds.hosted, scope: 3, nonce: new Uint8Array(16), seats: 4, creatorSeat: noSeat,
      referee: zeroId, content: {
        rules, rulesVersion: 1, parameters, games: 1, target: 0, starter: 0,
        flags: 0, bots: 0, onlyBudgets: 0, largestBudget: 0n, limit: 0, clock: 0, increment: 0, rematchOf: zeroId,
        profile: { name: "Hanna", emoji: "", bot: null }, entries, joinCode: 0, title: "Test",
      },
    };
    const body = writeBody({
      kind: "create", payload, author: host, room: zeroId, sequence: 1n, previous: zeroId, parents: [], wall: 1n,
    });
    this.room = eventId(standardNetwork, body);
    this.gathered = new Gathered(standardNetwork, this.room);
    this.take({ body, id: this.room, author: host });
    for (const [number, peer] of [ada, bo].entries()) {
      const written = this.player(peer).actions("join", {}, profile).map(action => this.write(peer, action));
      const { id } = written.at(-1);
      this.write(host, { kind: "grant", payload: { request: id, seat: number }, citing: [id] });
    }
    const commitment = solutionCommitment(this.room, host, { number: 0, asked }, Uint8Array.of(1), salt);
    const round = { round: 0, limit: 10_000, commitment, asked, ...ask?.(this) };
    this.opening = this.write(host, { kind: "round-open", payload: round }).id;
  }

  get report() {
    return checkGathered(this.gathered);
  }

  player(peer) {
    return new HostedPlayer(this.report, peer, secret);
  }

  take({ body, id, author }) {
    this.gathered.take(body, signPlainly(seeds.get(author), signedBytes(id), fromHex(author)));
  }

  write(author, action) {
    const event = nextEvent(this.gathered, author, action, 2);
    this.take(event);
    return event;
  }

  answer(peer, text) {
    const [entry] = this.player(peer).actions("enter", { text });
    return this.write(peer, entry);
  }

  /** The host acknowledges entries, closes the round, and opens it so. */
  settle(entries, opened, solution = Uint8Array.of(1)) {
    const parents = entries.map(({ id }) => id).sort();
    const receipts = parents.map((_, parent) => ({ parent, time: 1_000 }));
    const { opening } = this;
    this.write(host, { kind: "receipts", payload: { opening, receipts }, citing: parents });
    this.write(host, { kind: "round-close", payload: { opening, time: 5_000 } });
    const ofId = new Map(entries.map(({ id }, place) => [id, opened[place]]));
    const payload = { opening, solution, salt, first: 0, entries: parents.map(id => ({ opened: ofId.get(id) })) };
    this.write(host, { kind: "settle", payload });
  }

  own(peer) {
    return this.player(peer).view.recent[0];
  }

  get faults() {
    return this.report.hosted.faults().map(({ fault }) => fault);
  }
}

function done(name) {
  process.stdout.write(`done ${name}\n`);
}

/** An honest host: what was answered is what counts, and what it is worth follows from the rules. */
{
  const evening = new Evening();
  assert.deepEqual(evening.player(ada).acts, ["enter", "say"]);
  for (const text of ["0", "4", "x", "", "11"]) {
    assert.deepEqual(evening.player(ada).actions("enter", { text }), [], `the answer ${text} is taken`);
  }
  assert.deepEqual(evening.player(ada).actions("enter", { text: "1", opening: zeroId }), []);
  const entries = [evening.answer(ada, "2"), evening.answer(bo, "2")];
  assert.notEqual(entries[0].payload.said.commitment, entries[1].payload.said.commitment);
  assert.equal(evening.own(ada).own, "sent");
  assert.deepEqual(evening.player(ada).actions("enter", { text: "2" }), [], "a second answer is taken");
  // Who has the stored secret finds out again what was answered, and nobody else does.
  assert.deepEqual([...evening.player(ada).opened(entries[0]).choice], [1]);
  assert.equal(new HostedPlayer(evening.report, ada, new Uint8Array(32)).opened(entries[0]), null);
  // A player names the host's newest event and nothing of other players.
  const hosts = new Set(evening.report.room.feed(host).map(({ id }) => id));
  for (const { parents } of entries) assert.ok(parents.every(id => hosts.has(id)));
  evening.settle(entries, entries.map(entry => evening.player(entry.author).opened(entry)));
  assert.deepEqual([evening.own(ada).own, evening.own(ada).points], ["right", 900]);
  assert.equal(evening.player(ada).phase, "finished");
  assert.deepEqual([evening.faults, evening.player(ada).duty()], [[], null]);
  done("an honest host");
}

/** A host that calls an answer unreadable is shown to lie, once. */
{
  const evening = new Evening();
  const entry = evening.answer(ada, "2");
  evening.settle([entry], [null]);
  assert.equal(evening.own(ada).own, "unreadable");
  assert.equal(evening.player(bo).duty(), null);
  evening.write(ada, evening.player(ada).duty());
  assert.deepEqual([evening.faults, evening.player(ada).duty()], [["denied-entry"], null]);
  assert.match(evening.player(bo).remarks[0], /called an answer unreadable/);
  done("a denied answer");
}

/** A host that opens another answer than was sealed, and one that opens another solution than it committed to. */
{
  const evening = new Evening();
  const entry = evening.answer(ada, "2");
  evening.settle([entry], [{ ...evening.player(ada).opened(entry), choice: Uint8Array.of(0) }]);
  assert.deepEqual([evening.own(ada).own, evening.own(ada).points], ["misread", 0]);
  assert.match(evening.player(ada).remarks[0], /another one than was sealed/);
  const second = new Evening();
  const answer = second.answer(ada, "2");
  second.settle([answer], [second.player(ada).opened(answer)], Uint8Array.of(2));
  assert.deepEqual([second.own(ada).phase, second.own(ada).own], ["void", "taken"]);
  assert.match(second.player(ada).remarks[0], /that round counts nothing/);
  done("false openings");
}

/** In a race what is tapped is in clear, and counts as the host's clock allows. */
{
  const evening = new Evening("tap-race", "taps=30\n", 3, () => ({ commitment: zeroId, asked: new Uint8Array(0) }));
  for (const text of ["0", "1001", "x", "", "-1"]) {
    assert.deepEqual(evening.player(ada).actions("enter", { text }), [], `the batch ${text} is taken`);
  }
  const entry = evening.answer(ada, "1000");
  assert.deepEqual([entry.payload.form, ...entry.payload.said.choice], [0, 3, 232]);
  assert.equal(evening.player(ada).opened(entry), null);
  const receipts = [{ parent: 0, time: 1_000 }];
  evening.write(host, { kind: "receipts", payload: { opening: evening.opening, receipts }, citing: [entry.id] });
  assert.deepEqual(evening.own(bo).counts, [{ number: 1, count: 20, place: 1 }]);
  assert.deepEqual([evening.own(ada).goal, evening.own(ada).own], [30, "taken"]);
  evening.answer(ada, "1");
  evening.answer(ada, "1");
  assert.deepEqual(evening.player(ada).acts, ["say"], "a batch too many is taken");
  done("a race");
}

/** What a host asks in a drawing game that tells Ada `told`, and is bound to `word`. */
const telling = (told, word = told) => evening => {
  const named = evening.player(ada).hosted.keyNamedBefore(evening.player(ada).hosted.players[0].request);
  const box = toldBox(evening.room, 0, ada, named, { choice: utf8(told), salt });
  const content = Uint8Array.from([0, 0, word.length, box.length, ...box]);
  const commitment = solutionCommitment(evening.room, host, { number: 0, asked: content }, utf8(word), salt);
  return { commitment, asked: content };
};

/** The drawer alone knows the word, by the key that was named when it came in. */
{
  const evening = new Evening("drawing", "curve=linear\ngrace=3000\n", 40, telling("tree"));
  assert.deepEqual(evening.player(ada).told, { word: "tree", bound: true });
  assert.deepEqual([evening.player(bo).told, evening.own(bo).sheet.word], [null, null]);
  const shown = evening.player(ada).partsOf({ hosted: null }).hosted.recent[0];
  assert.deepEqual([shown.question, shown.sheet.word, shown.sheet.drawer], ["A word of 4 letters.", "tree", 1]);
  assert.equal(new HostedPlayer(evening.report, ada, new Uint8Array(32)).told.word, null);
  const long = evening.answer(ada, `line${" 1 2".repeat(20)}`);
  const guesses = Array.from({ length: 20 }, () => evening.answer(bo, " Bush "));
  assert.deepEqual([long.payload.form, guesses[0].payload.form], [2, 1]);
  assert.deepEqual(evening.player(bo).acts, ["say"], "a guess too many is taken");
  assert.equal(new Set(guesses.map(({ payload }) => payload.said.commitment)).size, 20);
  assert.equal(String.fromCharCode(...evening.player(bo).opened(guesses[3]).choice), "bush");
  const { opening } = evening;
  const parents = [guesses[0].id, guesses[1].id].sort();
  const first = evening.player(bo).opened(evening.report.room.byId.get(parents[0]));
  const receipts = parents.map((_, parent) => ({ parent, time: 1_000 }));
  evening.write(host, { kind: "receipts", payload: { opening, receipts }, citing: parents });
  const marks = [{ entry: 0, wrong: first }, { entry: 1, wrong: null }];
  evening.write(host, { kind: "marks", payload: { opening, marks } });
  const shownGuesses = evening.own(ada).sheet.guesses.map(({ right, text }) => [right, text]);
  assert.deepEqual(shownGuesses, [[false, "bush"], [true, null]]);
  assert.equal(evening.own(bo).own, "right");
  // A wrong guess that the host calls right shows when it opens it.
  evening.write(host, { kind: "round-close", payload: { opening, time: 5_000 } });
  const entries = parents.map(id => ({ opened: evening.player(bo).opened(evening.report.room.byId.get(id)) }));
  evening.write(host, { kind: "settle", payload: { opening, solution: utf8("tree"), salt, first: 0, entries } });
  const end = [evening.faults, evening.own(bo).own, evening.own(ada).sheet.word];
  assert.deepEqual(end, [["wrong-mark"], "wrong", "tree"]);
  assert.match(evening.player(ada).remarks[0], /said of a guess that it was right/);
  done("a drawing");
}

/** A host that tells another word than it is bound to is seen at once by the drawer, and by all in the end. */
{
  const evening = new Evening("drawing", "curve=linear\ngrace=3000\n", 40, telling("bush", "tree"));
  assert.deepEqual(evening.player(ada).told, { word: "bush", bound: false });
  assert.match(evening.player(ada).remarks[0], /told you another word/);
  const { opening } = evening;
  evening.write(host, { kind: "round-close", payload: { opening, time: 5_000 } });
  evening.write(host, { kind: "settle", payload: { opening, solution: utf8("tree"), salt, first: 0, entries: [] } });
  assert.deepEqual([evening.faults, evening.own(bo).phase], [["told-another"], "void"]);
  done("another word");
}
