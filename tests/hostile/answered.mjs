// A process that gives the npm package one input after the other, as its parent asks.
import { readFileSync } from 'node:fs';
import { parseDesign, splitPoints } from '../../dist/npm/index.js';

/**
 * The request: files hold a design and records.
 * @typedef {{ what: string, args: string[], design: string, records?: string }} Asked
 */

/** Questions of the command line that the package answers too. @type {Record<string, (args: string[], design: string) => unknown>} */
const CALLS = {
  splits: ([, , algorithm, , regions]) =>
    splitPoints(/** @type {any} */ ({ algorithm, regions: Number(regions) })),
  plan: ([, , , query], design) => parseDesign(design).plan(JSON.parse(query)),
  decode: ([, , key, hex], design) => {
    const bytes = hex ? Buffer.from(key, 'hex') : key;
    return parseDesign(design).decode(/** @type {any} */ (bytes));
  },
  emit: ([, , , name], design) => parseDesign(design).emit(name),
};

/** Arguments that are neither JSON nor hexadecimal digits do not come to the package. @type {Record<string, (word: string) => boolean>} */
const COMES = {
  plan: (query) => query.endsWith('}'),
  decode: (key) => /^[0-9a-f]*$/.test(key) && !/^z/.test(key),
};

/** True if the package can be asked this. @param {{ what: string, args: string[] }} input */
export const canAsk = ({ what, args }) =>
  what === 'document' ||
  what === 'records' ||
  (args[0] in CALLS && args.length > 3 && (COMES[args[0]]?.(args[args[0] === 'plan' ? 3 : 2]) ?? true));

/** @param {Asked} asked */
async function answered({ what, args, design, records }) {
  const document = readFileSync(design, 'utf8');
  if (what === 'document') return parseDesign(document);
  if (records === undefined) return CALLS[args[0]](args, document);
  return parseDesign(document).analyze(readFileSync(records), { name: 'records' });
}

/**
 * All that was said, with the codes.
 * @param {any} given
 */
function said({ problems = [], message = '', code = '', headline, name }) {
  const all = Array.isArray(problems) ? problems : problems.first;
  const told = all.map(
    (/** @type {any} */ problem) =>
      `${problem.place?.path ?? ''} ${problem.place?.field ?? ''} ${problem.message}`,
  );
  const codes = [code, ...all.map((/** @type {any} */ problem) => problem.code)].filter(Boolean);
  return { name, codes, text: [message, headline?.message, ...told].join('\n').slice(0, 1 << 16) };
}

if (process.send)
  process.on('message', async (/** @type {Asked} */ asked) => {
    const begun = process.cpuUsage();
    const { name, codes, text } = await answered(asked).then(
      (given) => said({ .../** @type {object} */ (given), name: '' }),
      (error) =>
        said({ problems: error.problems, message: error.message, code: error.code, name: error.name }),
    );
    const { user, system } = process.cpuUsage(begun);
    const seconds = (user + system) / 1e6;
    const mebibytes = process.resourceUsage().maxRSS / 1024;
    process.send?.({ name, codes, text, seconds, mebibytes });
  });
