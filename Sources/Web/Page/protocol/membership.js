// Who is a member of a room, and whom an event may name (PROTOCOL §3.2), judged from the event's own past.

import { roomKinds } from "./create.js";
import { BadBundle } from "./verdicts.js";

const strangersEvents = 256n;
const spareGrants = 64;

export class Membership {
  constructor(create) {
    this.create = create;
    this.creator = create.author;
    this.referee = create.payload.referee;
    this.isGames = create.payload.roomKind === roomKinds.games;
    this.largestGrants = create.payload.seats + spareGrants;
    Object.assign(create, { isMembers: true, grants: 0, requester: null });
  }

  /** Notes what an event is whose links hold; throws where it names what its author may not name. */
  judge(event, previous, parents) {
    Object.assign(event, { grants: 0, requester: null, isMembers: true });
    let granted = null;
    if (event.author === this.creator) {
      event.grants = previous.grants;
      if (event.kind === "grant") {
        event.grants += 1;
        granted = parents.find(parent => parent.id === event.payload.request) ?? null;
        event.requester = granted?.author ?? null;
      }
    } else {
      const wasMember = previous ? previous.isMembers : event.author === this.referee;
      event.isMembers = wasMember || parents.some(parent => parent.requester === event.author);
    }
    if (parents.some(parent => !this.mayName(event, parent, granted))) {
      throw new BadBundle("it names what its author may not name", event);
    }
    if (!event.isMembers && event.sequence > strangersEvents) {
      throw new BadBundle(`who is no member writes ${strangersEvents} events at most`, event);
    }
    if (event.grants > this.largestGrants) {
      throw new BadBundle(`a branch of the creator's feed has ${this.largestGrants} grants at most`, event);
    }
  }

  mayName(event, parent, granted) {
    if (!event.isMembers) return parent === this.create;
    if (this.isGames || event.author === this.creator) return parent.isMembers || parent === granted;
    return parent.author === this.creator;
  }
}
