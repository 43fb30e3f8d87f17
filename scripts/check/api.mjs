// The interface of the npm package from its declarations: docs/api.txt is what was last agreed on.
//   node scripts/check/api.mjs      writes it anew, after npm run build
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NPM } from '../build/package.mjs';
import { isProgram, program, ROOT } from '../run.mjs';

export const REPORT = join(ROOT, 'docs', 'api.txt');
/** The entries of the package. */
const ENTRIES = ['index', 'api', 'slim', 'keys', 'element'];
/** Modules that declare what an entry offers; the others are inside. */
const OFFERED =
  /^(analyze|bytes|cells|codec|columns|design|document|element|error|existing|finding|given|guessing|hash|keys|observe|ordered|phoenix|reading|rowkeys|salt|slim|splits|compare|suggest|summary|api)\.d\.ts$/;

/** @typedef {{ name: string, comment: string, text: string }} Declaration */

/**
 * The declarations of each module.
 * @returns {{ module: string, declarations: Declaration[] }[]}
 */
export function declared() {
  const isOffered = offered();
  return readdirSync(NPM)
    .filter((name) => OFFERED.test(name))
    .sort()
    .map((name) => {
      const module = name.replace('.d.ts', '');
      const all = declarations(readFileSync(join(NPM, name), 'utf8'));
      return { module, declarations: all.filter((one) => isOffered(module, one)) };
    })
    .filter(({ declarations: all }) => all.length);
}

/**
 * Tells whether an entry offers a declaration: types and classes are seen where something else mentions them,
 * functions and constants only where an entry exports them.
 * @returns {(module: string, declaration: Declaration) => boolean}
 */
function offered() {
  /** @type {Map<string, Set<string>>} names by module; `*` stands for all */
  const named = new Map(ENTRIES.map((entry) => [entry, new Set('*')]));
  for (const entry of ENTRIES) {
    const source = readFileSync(join(NPM, `${entry}.d.ts`), 'utf8');
    for (const [, names, module] of source.matchAll(
      /^export (\*|\{[^}]*\})(?: as \w+)? from '\.\/(\w+)\.js';/gm,
    ))
      named.set(module, new Set([...(named.get(module) ?? []), ...(names.match(/[\w*]+/g) ?? [])]));
  }
  return (module, { name, text }) => {
    const isValue = /^export (declare )?(function|const|let) /.test(text);
    const names = named.get(module);
    return !isValue || names?.has('*') || names?.has(name) || false;
  };
}

/** @param {string} source @returns {Declaration[]} */
function declarations(source) {
  const found = source.matchAll(
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^(export (?!\*|\{)[\s\S]*?)(?=^\/\*\*|^export |^import |^declare |(?![\s\S]))/gm,
  );
  return Array.from(found, ([, comment = '', text]) => ({
    name: /(?:class|function|const|type|let) (\w+)/.exec(text)?.[1] ?? '',
    comment: comment.replace(/^ *\* ?/gm, '').trim(),
    text: text.trim(),
  }));
}

/** The declarations without what is said of them. */
export function report() {
  const bare = (/** @type {string} */ text) => text.replace(/[ \t]*\/\*\*[\s\S]*?\*\/\n?/g, '');
  const modules = declared().map(
    ({ module, declarations: all }) => `# ${module}\n\n${all.map(({ text }) => bare(text)).join('\n')}\n`,
  );
  return modules.join('\n');
}

if (isProgram(import.meta.url)) program(() => writeFileSync(REPORT, report()));
