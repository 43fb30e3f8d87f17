// Steps with names: done one after the other, in lanes beside each other, and shown in a table of what each took.
import { readFileSync } from 'node:fs';
import { since, Told } from '../run.mjs';

/** @typedef {() => unknown} Step a line that it returns is shown beside it */
/** Done in this order. @typedef {Record<string, Step>} Lane */

/** Seconds of processor time of the programs that have ended, on Linux. */
function processor() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Does steps and keeps what each took. */
export class Steps {
  /** @type {Record<string, { took: string, result: string }>} */
  #table = {};
  #start = performance.now();
  #failed = false;
  /** Called when a step has passed. @type {Map<string, (() => void)[]>} */
  #waiting = new Map();

  /** @param {string} name @param {Step} step */
  async #do(name, step) {
    console.log(`── ${name}`);
    const start = performance.now();
    const note = (/** @type {string} */ result) => {
      this.#table[name] = { took: since(start), result };
      console.log(`── ${name}: ${result}, ${since(start)}`);
    };
    try {
      const found = await step();
      note(typeof found === 'string' && /^.+$/.test(found) ? found : 'passed');
      for (const go of this.#waiting.get(name) ?? []) go();
      this.#waiting.delete(name);
    } catch (error) {
      note('FAILED');
      const said = error instanceof Told ? error.message : error instanceof Error ? error.stack : error;
      throw new Told(`${name} failed.\n${said}`);
    }
  }

  /** Settles once a step of another lane has passed, at once if it is not to be done. @param {string} name */
  passed(name) {
    const waiting = this.#waiting.get(name);
    return new Promise((go) => (waiting ? waiting.push(() => go(undefined)) : go(undefined)));
  }

  /** Stops all lanes at the first failure. @param {...Lane} lanes */
  async lanes(...lanes) {
    for (const name of lanes.flatMap(Object.keys)) this.#waiting.set(name, []);
    const through = async (/** @type {Lane} */ lane) => {
      for (const [name, step] of Object.entries(lane)) if (!this.#failed) await this.#do(name, step);
    };
    try {
      await Promise.all(lanes.map(through));
    } catch (error) {
      this.#failed = true;
      this.show();
      throw error;
    }
  }

  /** Prints the table. */
  show() {
    const spent = processor();
    console.log();
    console.table(this.#table);
    const cores = Number.isNaN(spent) ? '' : `, ${spent.toFixed(0)} s of processor time`;
    console.log(`${since(this.#start)}${cores}`);
  }
}
