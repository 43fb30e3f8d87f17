// English sentences keep the rules that a machine can check: lengths, and words that have a better one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { longest, misworded, subjectFaults, wordCount } from '../../scripts/check/words.mjs';

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

/** @type {Record<string, string>} */
const english = read('data/messages/en.json');

/** Every sentence in English by a name of its own. @type {Record<string, string>} */
const sentences = { ...english, ...read('data/messages/cli/en.json') };
for (const folder of ['data/messages', 'data/messages/cli'])
  for (const [code, { one }] of Object.entries(read(`${folder}/en.plurals.json`)))
    sentences[`${code}#one`] = one;
for (const [id, { name, text }] of Object.entries(read('data/messages/glossary.en.json'))) {
  sentences[`glossary/${id}.name`] = name;
  sentences[`glossary/${id}`] = text;
}
for (const { id, title, story } of read('www/examples/index.json')) {
  sentences[`example/${id}.title`] = title;
  sentences[`example/${id}`] = story;
}

/** Words that a sentence has for a reason. @type {Record<string, string[]>} */
const ALLOWED = {
  // A value of `growth.arrivals`.
  'json.arrivals': ['rising'],
  // The layout is called `packed` in designs and in the API.
  'page.layout-packed': ['packed'],
  'page.layouts-why': ['packed'],
};

/** Texts of a gallery entry, by what they are. @type {Record<string, string>} */
const gallery = {};
for (const [folder, { slug, story, look, wrong, step }] of ['data/gallery', 'data/products'].flatMap(
  (folder) => read(`${folder}/index.json`).map((/** @type {any} */ entry) => [folder, entry]),
)) {
  const { name, notes = [] } = read(`${folder}/${slug}.json`);
  Object.assign(gallery, { [`${slug}.title`]: name, [`${slug}.story`]: story, [`${slug}.look`]: look });
  if (wrong) gallery[`${slug}.wrong`] = wrong;
  if (step) gallery[`${slug}.step`] = step;
  for (const [at, note] of [notes].flat().entries()) gallery[`${slug}.notes[${at}]`] = note;
}

/** Faults in the words of these texts. @param {Record<string, string>} texts */
const faults = (texts) =>
  Object.entries(texts).flatMap(([name, text]) =>
    misworded(text, ALLOWED[name]).map((fault) => `${name}: ${fault}`),
  );

/** Titles of verdicts and findings with each phrase that can take the place of `{>how}` in one. */
function headlines() {
  const titles = Object.entries(sentences).filter(([name]) =>
    /^(verdict\.[a-z-]+|finding\.(?!pace|cost)[a-z-]+)(#one)?$/.test(name),
  );
  return titles.flatMap(([name, title]) => {
    const [code] = name.split('#');
    const isPhrase = new RegExp(`^${code}\\.(?!detail$|why$|fix$)`);
    const phrases = Object.keys(english).filter((key) => isPhrase.test(key) && !english[key].endsWith('.'));
    const all = title.includes('{>')
      ? phrases.map((key) => title.replace(/\{>\w+\}/, english[key]))
      : [title];
    return all.map((said) => ({ name, said }));
  });
}

test('sentences use the words of the glossary', () => {
  assert.deepEqual(faults(sentences), []);
});

test('sentences have at most 20 words between two stops', () => {
  const long = Object.entries(sentences).filter(([, text]) => longest(text) > 20);
  assert.deepEqual(long, []);
});

test('headlines and titles are one clause of at most 12 words', () => {
  const all = headlines();
  assert.ok(all.length > 60, `${all.length} headlines`);
  for (const { name, said } of all) {
    assert.ok(wordCount(said) <= 12, `${name} has more than 12 words: ${said}`);
    assert.doesNotMatch(said, /[.:]$|\. /, `${name} is one headline: ${said}`);
    if (name.startsWith('verdict.')) assert.doesNotMatch(said, /[(:;]/, `${name} is one clause: ${said}`);
  }
});

test('details end their last sentence', () => {
  for (const [name, text] of Object.entries(sentences))
    if (/\.detail(#one)?$/.test(name)) assert.match(text, /[.}]$/, name);
});

test('a remedy and a mechanism are whole sentences', () => {
  for (const [name, text] of Object.entries(sentences))
    if (/^finding\.[a-z-]+\.(why|fix)(#one)?$/.test(name)) assert.match(text, /^\p{Lu}.*[.}]$/su, name);
});

test('the gallery uses the words of the glossary', () => {
  assert.deepEqual(faults(gallery), []);
});

test('titles of the gallery have 2 to 7 words', () => {
  const titles = Object.entries(gallery).filter(([name]) => name.endsWith('.title'));
  const long = titles.filter(([, title]) => wordCount(title) < 2 || wordCount(title) > 7);
  assert.deepEqual(long, []);
});

test('a word that the glossary replaces is found, and one that is part of another is not', () => {
  assert.deepEqual(misworded('The rows of a moment'), ['“moment”: say at any one time; interval']);
  assert.deepEqual(misworded('3 rows a region'), ['“rows a region”: say per']);
  assert.deepEqual(misworded('{moments} intervals, momentarily'), []);
  assert.deepEqual(misworded('A packed item', ['packed']), []);
  assert.equal(longest('One two three. Four five (six seven eight nine).'), 3);
});

test('a commit subject is a short imperative', () => {
  for (const good of [
    'Add a check of words',
    'Process keys in blocks',
    'Embed figures',
    "Don't lose the design",
  ])
    assert.deepEqual(subjectFaults(good), [], good);
  for (const bad of [
    'The key is read part by part',
    'Adds a check',
    'Added a check',
    'Adding a check',
    'Add a check; fix a typo',
    'Add a check.',
    'add a check',
    `Add ${'x'.repeat(70)}`,
  ])
    assert.notDeepEqual(subjectFaults(bad), [], bad);
});
