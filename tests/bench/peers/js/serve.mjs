// How a contestant talks with the bench: one line of JSON in asks for one run, one line of JSON out is its result.
import { createInterface } from 'node:readline';

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/**
 * Announces the contestant, then runs `job` once for every command that arrives, until the input ends.
 * @param {string} version What runs, for the record
 * @param {(command: Record<string, unknown>) => Promise<Record<string, unknown>>} job
 */
export async function serve(version, job) {
  say({ version });
  for await (const line of createInterface({ input: process.stdin })) say(await job(JSON.parse(line)));
}
