// The thread of the program: it names each file that is not complete yet to the main thread, which hears signals.
import { parentPort, workerData } from 'node:worker_threads';
import { host } from './host.js';
import { run } from './run.js';

/** @type {{ args: string[], columns: (number | undefined)[], port: import('node:worker_threads').MessagePort }} */
const { args, columns, port } = workerData;

const guardedHost = {
  ...host,

  /** Streams of a thread are no terminals. @param {number} stream */
  columns: (stream) => columns[stream],

  /** @param {string} path @param {boolean} isNew */
  create(path, isNew) {
    if (isNew) port.postMessage(path);
    try {
      return host.create(path, isNew);
    } catch (error) {
      port.postMessage(null);
      throw error;
    }
  },

  /** @param {string} from @param {string} to */
  rename(from, to) {
    host.rename(from, to);
    port.postMessage(null);
  },

  /** @param {string} path */
  remove(path) {
    host.remove(path);
    port.postMessage(null);
  },
};

parentPort?.postMessage(run(args, guardedHost));
