// Replays vectors made by a real HBase through the built npm package: npm run vectors -- FILE_OR_FOLDER…
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { NPM } from '../build/package.mjs';
import { program, Told } from '../run.mjs';
import { operations } from './operations.mjs';

/** Texts, and whole numbers that `JSON.parse` might round. */
const LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\b\d{16,}\b(?![.eE])/g;
/** Characters of a record shown. */
const WIDTH = 400;

/** The .jsonl files at a path. @param {string} path */
function files(path) {
  if (!existsSync(path)) throw new Told(`${path} does not exist.`);
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  if (!found.length) throw new Told(`${path} has no .jsonl file.`);
  return found.sort().map((name) => join(path, name));
}

/** @param {unknown} value */
const shown = (value) => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > WIDTH ? `${text.slice(0, WIDTH)}… (${text.length} characters)` : text;
};

/**
 * The fault of a record; undefined if it passes.
 * @param {Record<string, any>} record
 * @param {Record<string, (input: Record<string, any>) => unknown>} known
 * @returns {string | undefined}
 */
function failure({ out, error, edge, ...input }, known) {
  const operation = Object.hasOwn(known, input.op) ? known[input.op] : undefined;
  if (!operation) return 'unknown op';
  let got;
  try {
    got = operation(input);
  } catch (refusal) {
    const said = refusal instanceof Error ? refusal.message : String(refusal);
    // Only Rowscape's own words are a refusal: a slip in here must not pass for one.
    if (error !== undefined && refusal instanceof Error && refusal.name === 'RowscapeError') return;
    return `expected ${error === undefined ? shown(out) : `refusal: ${error}`}\n  got refusal: ${said}`;
  }
  if (error !== undefined) return `expected refusal: ${error}\n  got ${shown(got)}`;
  if (got !== undefined && !isDeepStrictEqual(got, out)) return `expected ${shown(out)}\n  got ${shown(got)}`;
}

/**
 * A line as a record, and what is wrong with it.
 * @param {string} line
 * @param {Record<string, (input: Record<string, any>) => unknown>} known
 * @returns {[record: unknown, wrong: string | undefined]}
 */
function judged(line, known) {
  try {
    const exact = line.replace(LONG_NUMBERS, (token) => (token.startsWith('"') ? token : `"${token}"`));
    const record = JSON.parse(exact);
    return [record, failure(record, known)];
  } catch (error) {
    return [line, `not a record: ${error instanceof Error ? error.message : error}`];
  }
}

/** @param {string[]} paths */
async function replay(paths) {
  if (!paths.length) throw new Told('Name files or folders: npm run vectors -- tests/data/vectors');
  const entry = join(NPM, 'index.js');
  if (!existsSync(entry)) throw new Told('The package is not built yet; run npm run build');
  const known = operations(await import(pathToFileURL(entry).href));
  let [passed, failed] = [0, 0];
  for (const file of paths.map((path) => resolve(path)).flatMap(files)) {
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      if (!line.trim()) continue;
      const [record, wrong] = judged(line, known);
      if (wrong === undefined) passed++;
      else {
        failed++;
        console.log(`${file}:${index + 1}\n  input ${shown(record)}\n  ${wrong}`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed || !passed) process.exitCode = 1;
}

program(() => replay(process.argv.slice(2)));
