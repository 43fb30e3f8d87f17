// Contestants as processes: each stays up, warm, and does one run when asked, so that rounds can alternate between them.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** @typedef {Record<string, any> & { total: number, check: string }} Run milliseconds by stage, check line, memory */

/** A process that answers each line of JSON with a line of JSON (see `peers/js/serve.mjs`). */
export class Contest {
  /** @type {Run[]} */
  runs = [];
  version = '';

  /**
   * @param {string} name
   * @param {string[]} command
   */
  constructor(name, [program, ...args]) {
    this.name = name;
    this.process = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.errors = '';
    this.process.stderr.on('data', (text) => {
      this.errors = `${this.errors}${text}`.slice(-2000);
    });
    this.process.on('error', (error) => {
      this.errors += error.message;
    });
    this.process.stdin.on('error', () => {});
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** The next line the process prints as JSON. */
  async #next() {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`${this.name} ended early: ${this.errors.trim() || 'it said nothing'}`);
      if (value.startsWith('{')) return JSON.parse(value);
    }
  }

  /** Waits until the process can run. */
  async start() {
    ({ version: this.version } = await this.#next());
  }

  /** @param {Record<string, unknown>} command @returns {Promise<Run>} */
  async run(command) {
    this.process.stdin.write(`${JSON.stringify(command)}\n`);
    return this.#next();
  }

  stop() {
    this.process.stdin.end();
    return new Promise((resolve) => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) return resolve(undefined);
      this.process.once('exit', resolve);
    });
  }
}

/** @param {number[]} values @param {number} share 0 to 1 */
export function quantile(values, share) {
  const sorted = [...values].sort((x, y) => x - y);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** The run with the least total. @param {Run[]} runs */
export const best = (runs) => runs.reduce((x, y) => (y.total < x.total ? y : x));

/** @param {Run[]} runs */
export const totals = (runs) => runs.map((run) => run.total);
