// A part of the page that is fetched by itself brings the sentences that it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { bundles, LATER_SENTENCES } from '../../scripts/build/page.mjs';

test('whatever says a later sentence has loaded it', async () => {
  const [scripts] = bundles('out');
  const { metafile, outputFiles } = await build({ ...scripts, metafile: true, write: false });
  const names = Object.keys(metafile.outputs);
  const text = (/** @type {string} */ name) =>
    outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  /** @param {string} name @param {Set<string>} [seen] files that are loaded with it */
  const loaded = (name, seen = new Set()) => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const { path, kind } of metafile.outputs[name].imports)
      if (kind === 'import-statement') loaded(path, seen);
    return seen;
  };
  const later = names.find((name) => 'www/text/later-sentences.js' in metafile.outputs[name].inputs);
  assert.ok(later);
  // The sentences themselves are members of objects, in quotes before a colon.
  const says = (/** @type {string} */ name) =>
    Array.from(
      text(name).matchAll(/["'`]([a-z]+\.[a-z][a-z-]*)(?!["'`]?[a-z-]*["'`]: )/g),
      ([, code]) => code,
    );
  const roots = names.filter((name) => name.endsWith('.js') && metafile.outputs[name].entryPoint);
  assert.ok(roots.length > 5);
  const wrong = roots.flatMap((root) => {
    const files = loaded(root);
    const said = [...files].filter((name) => name !== later).flatMap(says);
    return files.has(later)
      ? []
      : said.filter((code) => LATER_SENTENCES.test(code)).map((code) => `${root}: ${code}`);
  });
  assert.deepEqual([...new Set(wrong)], []);
  assert.ok(roots.some((root) => loaded(root).has(later)));
});
