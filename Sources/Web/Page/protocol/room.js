// A room's events together: what its creator fixed, feeds and forks, and what lies in the past of what (PROTOCOL §1).

import { zeroId } from "./bytes.js";
import { invitedScope, knownEdition, roomKinds, unreadContent } from "./create.js";
import { comparePlaces } from "./events.js";
import { sharedKinds } from "./payloads.js";
import { surplus, TooLarge } from "./verdicts.js";

/** So many events of one author and kind at one place count (§1.1). */
const sameLimit = 64;
const largestInvited = 64;
/** Pasts are kept as one number for each event and chain; a room that needs more is not replayed. */
const largestClockEntries = 8_000_000;
/** Work on one room that grows faster than its events do, in comparisons. */
const largestWork = 20_000_000;

export class Room {
  constructor(bundle) {
    const { events, byId } = bundle;
    const create = events[0];
    Object.assign(this, { events, byId, id: bundle.room, create, creator: create.author, workLeft: largestWork });
    this.readSettings();
    this.sortFeeds();
    // Hosted rounds may have thousands of feeds, and need no more of pasts than what concerns their host.
    if (!this.isHosted) {
      this.findPasts();
      this.findSurplus();
    }
    this.findInvited();
  }

  /** What the creator fixed; of an edition that is not known here only what all editions share is read. */
  readSettings() {
    const { content, ...shared } = this.create.payload;
    this.isRead = !(content instanceof Uint8Array);
    this.settings = { ...shared, ...(this.isRead ? content : unreadContent) };
    this.isTournament = this.settings.roomKind === roomKinds.tournament;
    this.isHosted = this.settings.roomKind === roomKinds.hosted;
    this.isKnown = this.settings.edition === knownEdition;
    for (const event of this.isKnown ? [] : this.events) {
      if (!sharedKinds.includes(event.kind)) event.kind = null;
    }
  }

  /** Counts work that grows faster than the room does. */
  spend(steps) {
    this.workLeft -= steps;
    if (this.workLeft < 0) throw new TooLarge();
  }

  /** Each author's events by sequence and id, and the lowest sequence that an author used twice. */
  sortFeeds() {
    this.feeds = new Map();
    this.forks = new Map();
    for (const event of this.events) {
      if (!this.feeds.has(event.author)) this.feeds.set(event.author, []);
      this.feeds.get(event.author).push(event);
    }
    for (const [author, feed] of this.feeds) {
      feed.sort(comparePlaces);
      const doubled = feed.find((event, place) => place > 0 && feed[place - 1].sequence === event.sequence);
      if (doubled) this.forks.set(author, doubled.sequence);
    }
  }

  feed(author) {
    return this.feeds.get(author) ?? [];
  }

  /** Gives each event its past: for each chain of events, how many of its first it had seen. */
  findPasts() {
    const extended = new Set();
    let chains = 0;
    let spent = 0;
    for (const event of this.events) {
      const previous = this.byId.get(event.previous);
      if (previous && !extended.has(previous)) {
        extended.add(previous);
        event.chain = previous.chain;
        event.depth = previous.depth + 1;
      } else {
        event.chain = chains;
        event.depth = 1;
        chains += 1;
      }
      const named = event.parents.map(id => this.byId.get(id));
      if (previous) named.push(previous);
      const size = named.reduce((longest, other) => Math.max(longest, other.clock.length), event.chain + 1);
      spent += size;
      if (spent > largestClockEntries) throw new TooLarge();
      event.clock = mergedClock(size, named);
      event.clock[event.chain] = event.depth;
    }
  }

  /** Whether another event is in the causal past of one. */
  knows(event, other) {
    return event !== other && other.chain < event.clock.length && event.clock[other.chain] >= other.depth;
  }

  /** The event of this id in the causal past of another, when it is of the kind; null where there is none. */
  named(event, id, kind = null) {
    const found = this.byId.get(id);
    if (!found || !this.knows(event, found)) return null;
    return kind === null || found.kind === kind ? found : null;
  }

  /** Of what was said before play, passes over what its author had said as often as it counts (§1.1). */
  findSurplus() {
    const same = new Map();
    for (const event of this.events) {
      if (!["request", "ready", "draw", "start", "leave"].includes(event.kind)) continue;
      if (this.isSurplus(event, same, `${event.author} ${event.kind}`)) {
        event.kind = null;
        event.verdict = surplus;
      }
    }
  }

  /** Whether an event knows as many as count of those with its key in `same`; else it is one of them. */
  isSurplus(event, same, key) {
    if (!same.has(key)) same.set(key, []);
    const others = same.get(key);
    if (others.length >= sameLimit) {
      this.spend(others.length);
      if (others.filter(other => this.knows(event, other)).length >= sameLimit) return true;
    }
    others.push(event);
    return false;
  }

  isBeforeFork(event) {
    return !this.forks.has(event.author) || event.sequence < this.forks.get(event.author);
  }

  /** §1.6: of each event of the creator's, whom its chain up to it invites; and the invites without effect. */
  findInvited() {
    this.invited = new Map([[zeroId, []]]);
    this.idleInvites = new Map();
    for (const event of this.feed(this.creator)) {
      let chain = this.invited.get(event.previous);
      if (event.kind === "invite") {
        if (chain.includes(event.payload.peer)) {
          this.idleInvites.set(event.id, "its peer was invited before");
        } else if (chain.length >= largestInvited) {
          this.idleInvites.set(event.id, `${largestInvited} peers were invited before`);
        } else {
          chain = [...chain, event.payload.peer];
        }
      }
      this.invited.set(event.id, chain);
    }
  }

  /** Whether a peer may have a seat by a grant, as the creator's chain before it says. */
  isInvited(peer, grant) {
    return this.settings.scope !== invitedScope || this.invited.get(grant.previous).includes(peer);
  }

  /** Whether the room's policy of bots (§4.1) lets a request's author sit here. */
  admits(request) {
    const { bot } = request.payload.profile;
    const { bots, onlyBudgets, largestBudget } = this.settings;
    if (bot === null) return bots !== 2;
    // A bot that declares no budget keeps to none.
    if (bot.budget === 0n && (onlyBudgets === 1 || largestBudget > 0n)) return false;
    return bots !== 1 && (largestBudget === 0n || bot.budget <= largestBudget);
  }

  /** An author's events before one, the first one first. */
  chainBefore(event) {
    const chain = [];
    for (let id = event.previous; id !== zeroId; id = chain.at(-1).previous) chain.push(this.byId.get(id));
    this.spend(chain.length);
    return chain.reverse();
  }
}

function mergedClock(size, named) {
  const clock = new Int32Array(size);
  for (const { clock: seen } of named) {
    for (let chain = 0; chain < seen.length; chain += 1) {
      if (seen[chain] > clock[chain]) clock[chain] = seen[chain];
    }
  }
  return clock;
}
