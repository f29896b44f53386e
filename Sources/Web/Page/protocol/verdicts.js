// What can be wrong: with a whole bundle, or with one event that has no effect.

/** What is wrong with a bundle, and the event at which it shows; bytes that are no event have a position alone. */
export class BadBundle extends Error {
  constructor(reason, event = null) {
    super(reason);
    this.event = event;
  }
}

/** A room that takes more memory or time than is spent on one. */
export class TooLarge extends Error {}

export const unreadable = "this reader cannot read what it says";
export const surplus = "its author had said the same too often before";
