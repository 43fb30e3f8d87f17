// Contestants on files, run round by round so that noise hits all alike.
import { Contest } from './contest.mjs';

/**
 * @typedef {import('./contestants.mjs').Contestant} Contestant
 * @typedef {import('./contest.mjs').Run} Run
 * @typedef {object} Entry a contestant that is ready to run
 * @property {Contest} contest
 * @property {string} shape which of the two forms of file it reads
 * @property {string | undefined} expected the check line it must give
 * @property {number} repeats runs a round
 * @typedef {object} Course what contestants run on
 * @property {string} csv path of the file
 * @property {string} shape `calls` or `requoted`
 * @property {string} [expected]
 * @property {number} [repeats]
 */

const WARMUPS = 2;

/** @param {string} text */
export const say = (text) => console.error(`bench: ${text}`);

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Starts contestants, runs them, and notes what makes the bench fail. */
export class Race {
  /** Sentences. @type {string[]} */
  faults = [];

  /** @param {{ tools: Record<string, string>, failed: Record<string, string> }} prepared */
  constructor({ tools, failed }) {
    this.tools = tools;
    this.failed = failed;
  }

  /** A contestant on a file, warmed up; undefined when it can't take part.
   * @param {Contestant} contestant
   * @param {Course} course
   * @returns {Promise<Entry | undefined>}
   */
  async #enter({ name, required, needs, command, warmups = WARMUPS }, { csv, shape, expected, repeats = 1 }) {
    say(`warming up ${name}`);
    const giveUp = (/** @type {string} */ why) => {
      if (required) this.faults.push(`${name} is required but can't run: ${why}`);
      else say(`${name} is left out: ${why}`);
      return undefined;
    };
    const lacking = needs.find((need) => this.failed[need]);
    if (lacking) return giveUp(this.failed[lacking]);
    const contest = new Contest(name, command(csv, this.tools));
    const entry = { contest, shape, expected, repeats };
    try {
      await contest.start();
      for (let i = 0; i < warmups; i++) await this.#run(entry);
      return entry;
    } catch (error) {
      await contest.stop();
      return giveUp(messageOf(error));
    }
  }

  /** Those of the contestants that can take part. @param {Contestant[]} contestants @param {Course} course */
  async enter(contestants, course) {
    /** @type {Entry[]} */
    const entries = [];
    for (const contestant of contestants) {
      const entry = await this.#enter(contestant, course);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  /** One run, its check line compared. @param {Entry} entry @returns {Promise<Run>} */
  async #run({ contest, shape, expected }) {
    const run = await contest.run({ shape });
    const fault = `${contest.name} gives another check line: ${run.check}`;
    if (expected && run.check !== expected && !this.faults.includes(fault)) this.faults.push(fault);
    return run;
  }

  /** Rounds in which every entry takes its turn. @param {Entry[]} entries @param {number} rounds */
  async run(entries, rounds) {
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      for (const entry of entries) {
        for (let i = 0; i < entry.repeats; i++) entry.contest.runs.push(await this.#run(entry));
      }
    }
  }
}

/** @param {Entry[]} entries */
export const runsByName = (entries) => new Map(entries.map(({ contest }) => [contest.name, contest.runs]));

/** @param {Entry[]} entries */
export const stopAll = (entries) => Promise.all(entries.map(({ contest }) => contest.stop()));
