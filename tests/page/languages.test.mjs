// Every language says everything, with the same arguments.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describe, LANGUAGES, oneAfterAnother, say, sentence, speak } from '../../www/text/sentences.js';

/** @param {string} name @returns {Record<string, any>} */
const read = (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const english = read('data/messages/en.json');
const words = read('data/messages/glossary.en.json');
/** @type {{ slug: string, step?: string, wrong?: string }[]} */
const entries = ['gallery', 'products'].flatMap(
  (name) => /** @type {any} */ (read(`data/${name}/index.json`)),
);

/** Names of HBase and of its shell, and sentences without a word. */
const ALIKE =
  /^(page\.(existing-form-|policy-|split-(Decimal|Hex)StringSplit|split-UniformSplit)|page\.(full-stop|growth-of-bytes|region-short|storage-part|export-(java|python|javascript|spark-sql))$)/;
/** Chinese leaves the word Region as it is. @type {Record<string, string[]>} */
const ALIKE_IN = {
  zh: ['page.growth-ttl', 'page.region', 'finding.hot-reads.region'],
  ko: ['page.growth-ttl'],
};
/** Words of the glossary that are names. */
const NAMES = [
  'compaction',
  'get',
  'key-value',
  'meta',
  'normalizer',
  'region',
  'region-server',
  'memstore',
  'ttl',
];

/** Words that have a better one in docs/translating.md, and marks that the language does not use. @type {Record<string, RegExp>} */
const NOT = {
  zh: /[您你！]|份额|至多|分割点|拆分|终止行|列簇|散列|承受|问遍|手头|搁置|……|[\u4e00-\u9fff][;:?()]/,
  ko: /로우 키|행 키|종료 행|전체 스캔|식별자|십시오|빈칸|낱말|열 묶음|견주|되풀이|되돌아오|저마다|을\(를\)|이\(가\)|은\(는\)|\(으\)로|;/,
};

/** All that a language says, by a name of its own. @param {string} language @returns {[string, string][]} */
const allOf = (language) =>
  ['data/messages/', 'data/messages/glossary.', 'data/messages/gallery.', 'www/examples/'].flatMap((place) =>
    Object.entries(read(`${place}${language}.json`)).flatMap(([code, told]) =>
      typeof told === 'string'
        ? [[`${place}${language}.json ${code}`, told]]
        : Object.entries(told).map(([member, text]) => [
            `${place}${language}.json ${code}.${member}`,
            String(text),
          ]),
    ),
  );

/** @param {string} sentence */
const argumentsOf = (sentence) => [...new Set(sentence.match(/\{[^}]*\}/g) ?? [])].sort();
/** @param {object} of */
const keys = (of) => Object.keys(of).sort();

for (const language of LANGUAGES.filter((one) => one !== 'en')) {
  const told = read(`data/messages/${language}.json`);

  test(`${language} has every sentence, and none that nobody says`, () => {
    assert.deepEqual(keys(told), keys(english));
  });

  test(`${language} takes the same arguments as English`, () => {
    for (const [code, sentence] of Object.entries(english))
      assert.deepEqual(argumentsOf(told[code]), argumentsOf(sentence), code);
  });

  test(`${language} leaves no sentence in English`, () => {
    const hasWords = (/** @type {string} */ code) => /\p{L}/u.test(english[code].replace(/\{[^}]*\}/g, ''));
    const alike = keys(english).filter((code) => hasWords(code) && told[code] === english[code]);
    const left = alike.filter((code) => !ALIKE.test(code) && !ALIKE_IN[language].includes(code));
    assert.deepEqual(left, []);
  });

  test(`${language} explains every word of the glossary`, () => {
    const own = read(`data/messages/glossary.${language}.json`);
    assert.deepEqual(keys(own), keys(words));
    for (const [id, { name, text }] of Object.entries(words)) {
      assert.notEqual(own[id].text, text, id);
      if (!NAMES.includes(id)) assert.notEqual(own[id].name, name, id);
    }
  });

  test(`${language} keeps to its terms`, () => {
    const misworded = allOf(language).filter(([, text]) => NOT[language].test(text));
    assert.deepEqual(misworded, []);
  });

  test(`${language} tells every example`, () => {
    const examples = /** @type {any} */ (read('www/examples/index.json'));
    const told = read(`www/examples/${language}.json`);
    for (const { id, title, story } of examples) {
      assert.notEqual(told[id].title, title);
      assert.notEqual(told[id].story, story);
    }
  });

  test(`${language} tells every story of the gallery`, () => {
    const stories = read(`data/messages/gallery.${language}.json`);
    assert.deepEqual(keys(stories), entries.map(({ slug }) => slug).sort());
    for (const { slug, ...entry } of entries) {
      const members = [
        'look',
        'name',
        ...(entry.step ? ['step'] : []),
        'story',
        ...(entry.wrong ? ['wrong'] : []),
      ];
      assert.deepEqual(keys(stories[slug]), members, slug);
      assert.ok(
        members.every((member) => stories[slug][member].match(/[\u3000-\u9fff\uac00-\ud7af]/)),
        slug,
      );
    }
  });
}

test('a language has the forms of a sentence that its numbers ask for, with the same arguments', () => {
  for (const folder of ['data/messages', 'data/messages/cli']) {
    const sentences = read(`${folder}/en.json`);
    for (const [code, { by, ...others }] of Object.entries(read(`${folder}/en.plurals.json`))) {
      assert.ok(sentences[code], code);
      assert.deepEqual(keys(others), ['one'], code);
      const known = argumentsOf(sentences[code]);
      assert.ok(
        known.some((name) => name === `{${by}}` || name === `{#${by}}`),
        `${code} tells ${by}`,
      );
      const extra = argumentsOf(others.one).filter((name) => !known.includes(name));
      assert.deepEqual(extra, [], code);
    }
  }
  for (const language of LANGUAGES.filter((one) => one !== 'en'))
    assert.deepEqual(new Intl.PluralRules(language).resolvedOptions().pluralCategories, ['other'], language);
});

test('what the core says is told as a sentence of its own, names of files as they are', () => {
  assert.equal(sentence('the file has no records'), 'The file has no records.');
  assert.equal(sentence('It was stopped.'), 'It was stopped.');
  assert.equal(sentence('may.csv has other fields'), 'may.csv has other fields.');
});

test('one of a thing is said as one', () => {
  assert.equal(say('page.region-count', { count: '1' }), '1 region');
  assert.equal(say('page.region-count', { count: '21' }), '21 regions');
  assert.equal(say('page.region-count', { count: '1,001' }), '1,001 regions');
  assert.match(say('verdict.too-few-rows', { rows: 1, regions: 16, needed: 160 }), /^One row is too few/);
  assert.match(say('verdict.too-few-rows', { rows: 6, regions: 16, needed: 160 }), /^6 rows are too few/);
});

test('Korean has no particle that hangs on the value before it', () => {
  for (const [code, sentence] of Object.entries(read('data/messages/ko.json')))
    assert.doesNotMatch(
      sentence,
      /\{(?!share|momentShare|hotShare|busiest)[^}]*\}”?(은|는|이|가|을|를|과|와|으로|로)(?=[\s.,]|$)/,
      code,
    );
});

test('times of the core, places of a problem and figures are joined as the language does', () => {
  const interval = (/** @type {string} */ value) =>
    say('finding.sequential.interval', { interval: value, share: '9%' });
  const place = { path: 'rowkey', row: 2 };
  /** @type {Record<string, [time: RegExp, place: RegExp, figures: string]>} */
  const written = {
    en: [/for 10 min at a time/, /^rowkey, row 2: /, 'a; b'],
    zh: [/^每 10 分钟把/, /^rowkey，第 2 行：/, 'a；b'],
    ko: [/^10분 동안/, /^rowkey, 2번째 줄: /, 'a, b'],
  };
  globalThis.document ??= /** @type {any} */ ({ documentElement: {} });
  for (const language of LANGUAGES) {
    speak(language, read(`data/messages/${language}.json`));
    const [time, where, figures] = written[language];
    assert.match(interval('10 min'), time);
    assert.match(interval('some time'), /some time/);
    assert.match(describe({ code: 'row.empty', place }), where);
    assert.equal(oneAfterAnother(['a', 'b']), figures);
    assert.equal(
      sentence('orders are kept'),
      language === 'en' ? 'Orders are kept.' : say('page.full-stop', { text: 'orders are kept' }),
    );
  }
  speak('en');
});
