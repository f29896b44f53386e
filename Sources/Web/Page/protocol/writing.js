// Writes events: what the next one of a feed follows and names (PROTOCOL §3.2), and its bytes and id.

import { zeroId } from "./bytes.js";
import { roomKinds } from "./create.js";
import { eventId, largestParents, writeBody } from "./events.js";

/** Why nothing may be written. */
export class CannotWrite extends Error {}

/** The last event of an author's feed among those gathered; null for none. */
export function headOf(gathered, author) {
  const heads = gathered.events.filter(event => event.author === author && !gathered.followers.has(event.id));
  if (heads.length > 1) throw new CannotWrite("two histories are signed with this key in this room: it writes no more");
  return heads[0] ?? null;
}

/** The ids of all that lies in the past of an event, and its own. */
function pastOf(gathered, event) {
  const past = new Set();
  const stack = event ? [event] : [];
  while (stack.length > 0) {
    const one = stack.pop();
    if (past.has(one.id)) continue;
    past.add(one.id);
    for (const id of [one.previous, ...one.parents]) if (id !== zeroId) stack.push(gathered.byId.get(id));
  }
  return past;
}

/**
 * Of each other member the newest event of members before a fork that is not in a past; outside of rooms of games the
 * creator's alone.
 */
function newestOfMembers(gathered, author, past) {
  const [create] = gathered.events;
  const isNamed = one => one !== author && (create.payload.roomKind === roomKinds.games || one === create.author);
  const feeds = new Map();
  for (const event of gathered.events) {
    if (isNamed(event.author)) feeds.set(event.author, [...(feeds.get(event.author) ?? []), event]);
  }
  return [...feeds.values()].map(feed => {
    const counts = new Map();
    for (const { sequence } of feed) counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
    const forks = [...counts].filter(([, count]) => count > 1).map(([sequence]) => sequence);
    const isBefore = event => forks.every(fork => event.sequence < fork);
    const known = feed.filter(event => event.isMembers && isBefore(event));
    return known.reduce((last, event) => (last && last.sequence > event.sequence ? last : event), null);
  }).filter(event => event !== null && !past.has(event.id));
}

/** What the next event names: as a stranger the create, as a member also its own grant once and what is `citing`. */
function parentsOf(gathered, author, head, citing) {
  const create = gathered.events[0];
  const isMember = head ? head.isMembers : [create.author, create.payload.referee].includes(author);
  const grant = isMember ? null : gathered.events.find(event => event.requester === author) ?? null;
  if (!isMember && grant === null) return head === null ? [create.id] : [];
  const past = pastOf(gathered, head);
  const named = new Set(grant ? [grant.id] : []);
  for (const id of citing) {
    if (!gathered.byId.has(id)) throw new CannotWrite(`event ${id.slice(0, 10)} is not here`);
    if (gathered.byId.get(id).author !== author && !past.has(id)) named.add(id);
  }
  for (const { id } of newestOfMembers(gathered, author, past)) if (named.size < largestParents) named.add(id);
  return [...named].sort();
}

/** The event that creates a room, with its `body` and `id`. */
export function firstEvent(network, author, payload, wall) {
  const head = { kind: "create", author, room: zeroId, sequence: 1n, previous: zeroId, parents: [] };
  const event = { ...head, payload, wall: BigInt(wall) };
  const body = writeBody(event);
  return { ...event, body, id: eventId(network, body) };
}

/**
 * The next event of an author's feed, with its `body` and `id`. It is not added.
 *
 * `citing` are ids that must lie in its past; `wall` is the time of day in milliseconds, which decides nothing.
 */
export function nextEvent(gathered, author, { kind, payload, citing = [] }, wall) {
  const head = headOf(gathered, author);
  const event = {
    kind, payload, author, room: gathered.room, sequence: (head?.sequence ?? 0n) + 1n, previous: head?.id ?? zeroId,
    parents: parentsOf(gathered, author, head, citing), wall: BigInt(wall),
  };
  const body = writeBody(event);
  return { ...event, body, id: eventId(gathered.network, body) };
}
