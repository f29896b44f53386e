// What a key of this browser needs to stay whole: the key, and what was written with it. Each event is on disk,
// together with the head of its feed, before anybody is sent it; so the key never signs two histories, whatever ends
// the page.

import { Key } from "./key.js";

const name = "parlor";
const tables = { keys: "id", heads: "room", events: ["room", "place"], tabs: "id" };
/** For so long a tab writes after it has said that it is there; milliseconds. */
const leaseMilliseconds = 6_000;
const renewalMilliseconds = 2_000;

/** What IndexedDB is asked, as a promise. */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Another tab, or this browser before, has written what this page does not know of. */
export class Behind extends Error {}

export class Store {
  static async open() {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const [table, keyPath] of Object.entries(tables)) request.result.createObjectStore(table, { keyPath });
    };
    const store = new Store();
    store.base = await done(request);
    store.base.onversionchange = () => store.base.close();
    return store;
  }

  /** One transaction, on disk when it is over. `body` asks synchronously, or after what it has asked before. */
  async change(names, body) {
    const transaction = this.base.transaction(names, "readwrite", { durability: "strict" });
    const end = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser did not store it"));
    });
    let result = null;
    try {
      result = await body(...names.map(one => transaction.objectStore(one)));
    } catch (error) {
      try { transaction.abort(); } catch { /* It has ended by itself. */ }
      await end.catch(() => {});
      throw error;
    }
    await end;
    return result;
  }

  read(table) {
    return this.base.transaction(table).objectStore(table);
  }

  async key() {
    const record = await done(this.read("keys").get("own"));
    return record ? new Key(record) : null;
  }

  /** Keeps a key, unless there is one; returns the one that is kept. */
  async keep(key) {
    const record = await this.change(["keys"], async keys => {
      const found = await done(keys.get("own"));
      if (!found) keys.put(key.record);
      return found ?? key.record;
    });
    return new Key(record);
  }

  /** The network in which the key signs: the one that is given, where none was kept before. */
  async network(network) {
    return this.change(["keys"], async keys => {
      const found = await done(keys.get("network"));
      if (!found) keys.put({ id: "network", network });
      return found?.network ?? network;
    });
  }

  /** Puts another key in the place of the one that is kept, with whatever that has written. */
  async replace(key) {
    await this.change(["keys", "heads", "events"], async (keys, heads, events) => {
      heads.clear();
      events.clear();
      keys.delete("network");
      keys.put(key.record);
    });
  }

  /** The rooms in which something was written, by their ids. */
  async rooms() {
    return new Set(await done(this.read("heads").getAllKeys()));
  }

  /**
   * What was written in a room, the first one first: `id`, `sequence`, `body` and `signature`; the first event of an
   * own room also with `guests`, the seats by those for whom they are kept.
   */
  async written(room) {
    return done(this.read("events").getAll(IDBKeyRange.bound([room, 0], [room, Number.MAX_SAFE_INTEGER])));
  }

  /** Stores the next event of the own feed of a room and the feed's new head, or throws `Behind`. */
  async commit(room, { id, sequence, previous, body }, signature, guests = null) {
    await this.change(["heads", "events"], async (heads, events) => {
      const head = await done(heads.get(room));
      const place = Number(sequence);
      if ((head?.place ?? 0) + 1 !== place || (place > 1 && head.id !== previous)) {
        throw new Behind("another tab has written in this room meanwhile");
      }
      heads.put({ room, place, id });
      events.put({ room, place, id, sequence, body, signature, guests });
    });
  }

  // Which tab writes

  /** Calls `begin` when this tab is the one that writes, at once or when the others are gone. */
  whenWriter(begin) {
    if (navigator.locks) {
      navigator.locks.request("parlor.writer", () => new Promise(() => begin(true)));
      return;
    }
    this.claim(crypto.getRandomValues(new Uint32Array(4)).join(), begin, false);
  }

  /** Without locks, which browsers give to pages over TLS alone: a record says which tab writes, and until when. */
  async claim(tab, begin, wasWriter) {
    const now = Date.now();
    const isWriter = await this.change(["tabs"], async tabs => {
      const found = await done(tabs.get("writer"));
      if (found && found.tab !== tab && found.until > now && found.until <= now + leaseMilliseconds) return false;
      tabs.put({ id: "writer", tab, until: now + leaseMilliseconds });
      return true;
    });
    if (isWriter !== wasWriter) begin(isWriter);
    setTimeout(() => this.claim(tab, begin, isWriter), renewalMilliseconds);
  }
}
