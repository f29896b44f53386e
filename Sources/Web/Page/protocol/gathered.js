// A room's events, with everything checked of each that depends neither on a game nor on a file (PROTOCOL §3).

import { Malformed, toHex, zeroId } from "./bytes.js";
import { eventId, readBody } from "./events.js";
import { Membership } from "./membership.js";
import { createCode, kindName } from "./payloads.js";
import { SignatureCheck } from "./signatures.js";
import { BadBundle } from "./verdicts.js";

export class Gathered {
  constructor(network, room) {
    Object.assign(this, { network, room, events: [], byId: new Map(), signatureCount: 0, bodyBytes: 0 });
    // How many events name one as their previous.
    this.followers = new Map();
    this.membership = null;
    this.signatures = new SignatureCheck();
    // Signatures that are being checked, in order, each with its event.
    this.pending = [];
  }

  /** Takes the next event after checking its form and what it names. */
  add(body, position) {
    let event = null;
    try {
      event = readBody(body);
    } catch (error) {
      throw asBad(error, "not a canonical event", { position, id: null, name: kindName(body[1]) });
    }
    Object.assign(event, { id: eventId(this.network, body), position, isSigned: false, verdict: null });
    const room = event.code === createCode ? event.id : event.room;
    if (room !== this.room) throw new BadBundle("it belongs to another room", event);
    if (this.byId.has(event.id)) throw new BadBundle("it is in the bundle twice", event);
    const { previous, parents } = this.namedBy(event);
    if (this.events.length > 0) this.membership.judge(event, previous, parents);
    else this.membership = new Membership(event);
    this.checkOrder(event);
    if (previous) this.followers.set(previous.id, (this.followers.get(previous.id) ?? 0) + 1);
    this.events.push(event);
    this.byId.set(event.id, event);
    return event;
  }

  /**
   * Takes an event that comes by itself, and its signature or null.
   *
   * Returns the event, which may be here already, or null where something that it names is not here: then nothing was
   * taken. What is false throws.
   */
  take(body, signature) {
    const id = eventId(this.network, body);
    let event = this.byId.get(id) ?? null;
    if (event === null) {
      if (!this.namesAreHere(body)) return null;
      event = this.add(body, this.events.length + 1);
    }
    if (signature !== null && !event.isSigned) {
      event.signature = toHex(signature);
      this.addSignature(event, signature);
    }
    return event;
  }

  namesAreHere(body) {
    let event = null;
    try {
      event = readBody(body);
    } catch (error) {
      throw asBad(error, "not a canonical event", { position: this.events.length + 1, id: null });
    }
    return [event.previous, ...event.parents].every(id => id === zeroId || this.byId.has(id))
      && (event.code === createCode || this.events.length > 0);
  }

  /** What an event names, all of which stands before it. */
  namedBy(event) {
    const previous = this.byId.get(event.previous) ?? null;
    if (event.previous !== zeroId && previous === null) {
      throw new BadBundle("its previous event is missing before it", event);
    }
    if (previous && (previous.author !== event.author || previous.sequence + 1n !== event.sequence)) {
      throw new BadBundle("its previous is not the event before it in its author's feed", event);
    }
    const parents = event.parents.map(id => {
      const parent = this.byId.get(id);
      if (!parent) throw new BadBundle("one of its parents is missing before it", event);
      if (parent.author === event.author) throw new BadBundle("one of its parents is its own author's", event);
      return parent;
    });
    if (event.code !== createCode && this.events.length === 0) {
      throw new BadBundle("the bundle does not begin with the room's create event", event);
    }
    return { previous, parents };
  }

  /** Events of a room come in any order in which each stands behind those that it names; a file has one of its own. */
  checkOrder() {}

  addSignature(event, signature) {
    event.isSigned = true;
    this.signatureCount += 1;
    this.pending.push({ event, result: this.signatures.holds(signature, event.id, event.author) });
  }

  /** Waits for the signatures so far; throws at the first that does not verify. */
  async settleSignatures() {
    const pending = this.pending;
    this.pending = [];
    const results = await Promise.all(pending.map(({ result }) => result));
    const wrong = results.indexOf(false);
    if (wrong >= 0) throw new BadBundle("its signature is not its author's", pending[wrong].event);
  }

  /** The first event that neither is signed nor has one behind it in its feed that is; null where none is. */
  bare() {
    const covered = new Set();
    for (let place = this.events.length - 1; place >= 0; place -= 1) {
      const event = this.events[place];
      if (!event.isSigned && !covered.has(event.id)) continue;
      covered.add(event.id);
      covered.add(event.previous);
    }
    return this.events.find(event => !covered.has(event.id)) ?? null;
  }
}

/** Malformed bytes as what is wrong with the event; other errors as they are. */
export function asBad(error, words, event) {
  return error instanceof Malformed ? new BadBundle(`${words}: ${error.message}`, event) : error;
}
