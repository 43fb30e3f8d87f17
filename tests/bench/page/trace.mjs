// Reads the work of a page's main thread from Chromium's trace.

/** @typedef {{ name: string, pid: number, tid: number, tdur: number, args: { name?: string, data?: { type?: string } } }} Event */

/**
 * The events of the page's main thread while something is done, each with the processor time it took (`tdur`,
 * microseconds): what else the machine does is not in it.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Event[]>}
 */
export async function traced(page, work) {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await work();
  /** @type {{ traceEvents: Event[] }} */
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const named = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const main = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`));
  return traceEvents.filter(({ pid, tid, tdur }) => tdur !== undefined && main.has(`${pid} ${tid}`));
}

/** The longest task among events: milliseconds. @param {Event[]} events */
export function longestTask(events) {
  const tasks = events.filter(({ name }) => name.endsWith('RunTask'));
  if (tasks.length < 50) throw new Error(`only ${tasks.length} tasks were traced`);
  return Math.max(...tasks.map(({ tdur }) => tdur / 1000));
}
