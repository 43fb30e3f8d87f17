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
