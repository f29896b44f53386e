// Clocks that go on between what the server tells: those of seats, and those of hosted rounds.

import { duration } from "./words.js";

const running = new Map();

/** Has an element show the time that is left; `null` for a clock that stands. */
export function setClock(place, left, isRunning) {
  place.textContent = left === null ? "" : duration(left);
  if (left !== null && isRunning) running.set(place, performance.now() + left);
  else running.delete(place);
}

setInterval(() => {
  for (const [place, end] of running) {
    if (place.isConnected) place.textContent = duration(end - performance.now());
    else running.delete(place);
  }
}, 250);
