// Work that the page can stop: it rests at times, so that the worker reads its messages.

let cancelled = false;

/** Thrown out of work that the person stopped. */
export class Cancelled extends Error {
  name = 'Cancelled';
}

/** Stops the work under way at its next rest. */
export function cancel() {
  cancelled = true;
}

/** Begins work: an earlier cancel was not meant for it. */
export function beginWork() {
  cancelled = false;
}

/** Lets messages that wait (a cancel) be read. */
export function breathe() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Throws if the work was stopped. */
export function stopIfCancelled() {
  if (cancelled) throw new Cancelled();
}

/** Milliseconds without another request before long work goes on. */
const QUIET = 200;
/** Requests that are to be answered before long work goes on. */
let waiting = 0;
/** When the last of them was. */
let answered = -QUIET;

/**
 * Notes a request that is to be answered before long work goes on.
 * @returns {() => void} notes that it was
 */
export function ahead() {
  waiting++;
  return () => {
    waiting--;
    answered = performance.now();
  };
}

/** Rests until nothing else was asked for a while. */
export async function giveWay() {
  await breathe();
  while (waiting || performance.now() - answered < QUIET)
    await new Promise((resolve) => setTimeout(resolve, QUIET / 4));
}
