// A key of this browser and the tables at which it sits. What such a table shows is computed from signed events, which
// are checked here; where the server says otherwise the page says so, and writes nothing more there.

import { confirmed } from "./dialogue.js";
import { branchPayload, rematchPayload } from "./hosting.js";
import { OwnRoom } from "./ownroom.js";
import { Key, profileOf } from "./key.js";
import { toHex } from "./protocol/bytes.js";
import { signedBytes } from "./protocol/events.js";
import { socketBytes } from "./protocol/signing.js";
import { firstEvent } from "./protocol/writing.js";
import { Store } from "./store.js";

/** Where the page notes which key it has made, apart from the key: so that a key that is gone is missed. */
const note = "parlor.own-key";

function noted() {
  try { return localStorage.getItem(note); } catch { return null; }
}

function setNoted(peer) {
  try { localStorage.setItem(note, peer); } catch { /* Then a key that is gone is not missed. */ }
}

/** Asks whether a key that is made can be copied. Who gives no answer has one that cannot. */
const mayBeCopied = () => confirmed("This browser makes a key of its own. May it be copied? Then you can bring it to"
  + " another browser, and who has the copy can sign as you. Else nobody can read it, and it goes with this browser's"
  + " storage.", "It may be copied");

export class Own {
  /** `ask` asks the server, and fails with words; `say` tells the person. */
  constructor(ask, say) {
    Object.assign(this, { ask, say, key: null, store: null, network: null, isWriter: false, isProven: false });
    Object.assign(this, { rooms: new Set(), table: null, lost: "" });
    this.profile = profileOf("", "");
    this.ready = this.begin();
  }

  async begin() {
    try {
      this.store = await Store.open();
      this.key = await this.store.key();
      this.rooms = await this.store.rooms();
    } catch (error) {
      this.lost = `This browser keeps nothing for this page, and so no key of its own: ${error.message}`;
      return;
    }
    if (this.key) setNoted(this.key.peer);
    else if (noted()) {
      this.lost = `The key ${noted().slice(0, 10)} of this browser is gone, because its storage was cleared: the seats`
        + " that it had are lost. Nobody can bring them back, not even the server, which never had the key.";
    }
    this.store.whenWriter(isWriter => {
      this.isWriter = isWriter;
      this.table?.again();
    });
  }

  get isPossible() {
    return this.store !== null;
  }

  /** Shows the server the key, on a new socket, where there is one. */
  async prove(request = this.ask) {
    await this.ready;
    this.isProven = false;
    if (!this.key) return;
    const { challenge, server, network } = await request("challenge", {});
    if (await this.store.network(network) !== network) {
      throw new Error("The server names another network than before: the key of this browser signs nothing there.");
    }
    const signature = await this.key.sign(socketBytes(server, challenge));
    await request("prove", { peer: this.key.peer, signature });
    Object.assign(this, { network, isProven: true });
  }

  /** Makes a key where there is none, and shows it. */
  async ensure() {
    await this.ready;
    if (!this.store) throw new Error(this.lost);
    if (!this.key) {
      this.key = await this.store.keep(await Key.make(mayBeCopied));
      setNoted(this.key.peer);
      this.lost = "";
      navigator.storage?.persist?.().catch(() => {});
    }
    if (!this.isProven) await this.prove();
  }

  /** Takes a key from another browser in the place of the one here. Returns whether the text is one. */
  async bring(text) {
    const key = await Key.read(text);
    if (!key) return false;
    await this.store.replace(key);
    Object.assign(this, { key, rooms: new Set(), isProven: false, lost: "" });
    setNoted(key.peer);
    return true;
  }

  /** Opens a table with the key; `show` is given what is to be drawn. */
  async open(room, show) {
    await this.ensure();
    const table = new OwnRoom(this, room, show);
    this.table = table;
    try {
      await this.ask("follow", { room });
    } catch (error) {
      if (this.table === table) this.table = null;
      throw error;
    }
    // What came before the answer was made for the guest, who only watched.
    table.isFollowing = true;
  }

  /**
   * Creates a room with the key, on disk before the server gets it; returns its code. `bot` is asked to come; seats are
   * kept for `guests` where that is not null. What was signed is kept also where the server refuses it: it has it now.
   */
  async create(payload, bot = null, guests = null) {
    await this.ensure();
    if (!this.isWriter) throw new Error("Another tab of this browser plays with its key: this one watches.");
    const event = firstEvent(this.network, this.key.peer, payload, Date.now());
    const signature = await this.key.sign(signedBytes(event.id));
    await this.store.commit(event.id, event, signature, guests);
    this.rooms.add(event.id);
    const bots = bot === null ? {} : { bot };
    return (await this.ask("create", { event: toHex(event.body), signature, ...bots })).code;
  }

  /** Creates the next game of the table that is open, between the same seats. */
  async rematch() {
    const { player, report, stopped } = this.table;
    if (stopped) throw new Error(stopped);
    if (player.seat === null || player.phase !== "over") throw new Error("That cannot be done now.");
    const { settings, creator } = report.room;
    if (settings.profile.bot && creator !== this.key.peer) {
      throw new Error("This bot opens its next game itself: look for it in the list.");
    }
    const guests = Object.fromEntries([...player.seats.roster].map(([seat, { peer }]) => [peer, seat]));
    return this.create(rematchPayload(report.room, player.seat, this.profile), null, guests);
  }

  /** Creates a game that goes on from a position of the table that is open. */
  async branch({ number, ply, bot }) {
    const { player, report, stopped } = this.table;
    if (stopped) throw new Error(stopped);
    const codes = player.opening(number - 1, ply);
    if (!codes) throw new Error("Nobody can play on from there.");
    return this.create(branchPayload(report.room, player.game, number - 1, codes, this.profile), bot);
  }

  close() {
    this.table = null;
  }

  /** Takes what comes of the table that is open; says whether it did. */
  receive(message) {
    const room = message.room ?? message.table?.room;
    if (!this.table || room !== this.table.room) return false;
    if (this.table.isFollowing) this.table.receive(message);
    return true;
  }

  /** What stands below the page of the key. */
  get words() {
    if (this.lost) return this.lost;
    if (!this.key) return "";
    const copy = this.key.isExportable ? "" : " It cannot be read, by this page neither, and so not be copied.";
    return `This browser has a key of its own, ${this.key.peer.slice(0, 10)}, which the server does not have. It`
      + ` belongs to the address ${location.host}; who clears this browser's storage loses its seats.${copy}`;
  }
}
