// Runs the program on a thread of its own, so that a signal ends it also while it waits for input. A file that is not complete is
// removed first, as `src/cli/signals.rs` does.
import fs from 'node:fs';
import tty from 'node:tty';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { host } from './host.js';
import { pathOf } from './paths.js';

/** Signals that end a program by default. @type {NodeJS.Signals[]} */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the program with these arguments; gives its exit code.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export function guarded(args) {
  const { port1: news, port2: port } = new MessageChannel();
  for (const signal of ENDS)
    process.on(signal, () => {
      removeIncomplete(news);
      for (const one of ENDS) process.removeAllListeners(one);
      process.kill(process.pid, signal);
    });
  const columns = [1, 2].map((stream) => (tty.isatty(stream) ? host.columns(stream) : undefined));
  const workerData = { args, columns: [undefined, ...columns], port };
  const worker = new Worker(new URL('./guarded-run.js', import.meta.url), {
    workerData,
    transferList: [port],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => {
      removeIncomplete(news);
      reject(error);
    });
  });
}

/** Removes the file that is not complete, if there is one. @param {import('node:worker_threads').MessagePort} news */
function removeIncomplete(news) {
  /** @type {string | null} */
  let part = null;
  for (let told = receiveMessageOnPort(news); told; told = receiveMessageOnPort(news)) part = told.message;
  try {
    if (part !== null) fs.unlinkSync(pathOf(part));
  } catch {}
}
