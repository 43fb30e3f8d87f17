// Writing rules that a machine can check: words that have a better one, lengths, commit subjects.
import { ask, Told } from '../run.mjs';

/**
 * Words that readers search for in vain or stumble over, and what to say.
 * @type {[say: string, not: RegExp][]}
 */
const GLOSSARY = [
  ['at any one time; interval', /\bmoments?\b|\bspans? of time\b|\bstretch(es)?\b/],
  ['hotspot', /\bhot spots?\b|\btakes? (it|them) all\b/],
  ['monotonically increasing, sequential', /\brising\b|\bcounts? up\b/],
  ['reverse timestamp', /\bturned round\b|\bcount(s|ed)? down\b/],
  ['reversed', /\bback to front\b|\bbackwards\b/],
  ['repeats', /\b(comes?|goes|go) round\b/],
  ['prefix; starts with', /\bin front\b|\bbegins? with\b/],
  ['self-delimiting; separator', /\bends itself\b|\bstands? between\b/],
  ['distinguish; ambiguous', /\b(tell|tells|told|telling|kept|keeps?)( \S+)? apart\b|\bbe told\b/],
  ['distinct values; low-cardinality', /\bdifferent values\b|\bof few values\b/],
  ['generate', /\bmak(e|es|ing)( \S+)? up\b|\bmade[ -]up\b/],
  ['by default', /\bas shipped\b/],
  ['reject', /\brefus\w+/],
  ['omitted, missing', /\bleft out\b/],
  ['collide', /\bby accident\b/],
  ['more expensive', /\bdearer\b|\bpaid for\b/],
  ['automatically', /\bby (itself|themselves)\b/],
  ['loaded records', /\bat hand\b/],
  ['export', /\b(leaves?|left) with\b|\btake along\b/],
  ['baseline', /\bset aside\b|\blaid beside\b/],
  ['fix', /\bmend(s|ed|ing)?\b/],
  ['visible, selected', /\bon show\b/],
  ['starting at', /\b(counted )?from [01] on\b/],
  [
    'lowercase, uppercase',
    /\b(small|capital|lower[ -]case|upper[ -]case) letters\b|\b(lower|upper)[ -]case\b/,
  ],
  ['existing; unchanged', /\bas (it is|they are)\b/],
  ['gzip-compressed', /\bgzip(ped|'d)\b|\bby gzip\b|(?<!bytes and )\bpacked\b/],
  ['is, has, shows', /\bstands?\b(?! out)|\b(tells?|told)\b|\bbears?\b|\bmeets?\b/],
  ['must', /\b(is|are) to be\b|\b(has|have) to be\b/],
  [
    'per',
    /\b(rows|reads|writes|bytes|requests|scans|regions|times|files|keys?|values?|lines?|cells?|records?) an? (region|server|cell|row|line|part|page|day|second|month|year|query|key|record)\b/,
  ],
  ['forever', /\bfor ever\b/],
  ['95% confidence', /\btimes (of|out of) 20\b/],
  [
    'color, neighbor, analyze, behavior, center',
    /colour|neighbour|analys(e|er|es|ing)\b|behaviour|centre\b|favour|grey\b|licen[cs]ed?\b(?<=licence)/,
  ],
  ['a sentence that ends in a full stop', /!(?![\w=$'"/])/],
];

/**
 * A text without its arguments, formulas and names of HBase, in which words are words.
 * @param {string} text
 */
const prose = (text) => text.replace(/\{[^}]*\}/g, ' … ').replace(/[\w.]*\w\([^)]*\)/g, ' … ');

/**
 * Words of a text that the glossary replaces.
 * @param {string} text
 * @param {readonly string[]} [allowed] words that this text may have
 * @returns {string[]}
 */
export function misworded(text, allowed = []) {
  const found = GLOSSARY.flatMap(([say, not]) => {
    const [word] = prose(text).match(new RegExp(not, 'i')) ?? [];
    return word && !allowed.includes(word.toLowerCase()) ? [`“${word}”: say ${say}`] : [];
  });
  return found;
}

/** How many words a text has; an argument is one. @param {string} text */
export const wordCount = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}{]/u.test(word)).length;

/**
 * The longest sentence or clause of a text, in words; what is in parentheses is not counted.
 * @param {string} text
 */
export function longest(text) {
  const clauses = text.replace(/\([^)]*\)/g, '').split(/(?<=[.?!;:])\s+/);
  return Math.max(...clauses.map(wordCount));
}

/** Subjects are held to the rule from the commit after this one. */
const SINCE = 'c8dde906278dcaa500e4bbc572e56336ecd0e09f';
/** Characters of a subject at most: what git and hosts show of it. */
const SUBJECT = 72;
/** Words in -s, -ed and -ing that are imperatives all the same. */
const IMPERATIVE =
  /^(address|pass|process|compress|press|focus|discuss|dismiss|guess|express|bias|embed|feed|need|seed|shed|speed|bring|string|ring)$/i;

/** Faults of a commit subject. @param {string} subject @returns {string[]} */
export function subjectFaults(subject) {
  const [first] = subject.split(' ');
  const rules = /** @type {[boolean, string][]} */ ([
    [subject.length > SUBJECT, `${subject.length} characters, at most ${SUBJECT}`],
    [/[.;]$|; /.test(subject), 'no semicolon, no full stop at the end: one change per commit'],
    [!/^[A-Z]/.test(first), 'start with a capital letter'],
    [
      /^(a|an|the|what|of|no|one|some|each|every|all|it|this|that)$/i.test(first) ||
        (/(s|ed|ing)$/.test(first) && !IMPERATIVE.test(first)),
      'start with an imperative: Add, Fix, Remove',
    ],
  ]);
  return rules.flatMap(([broken, rule]) => (broken ? [rule] : []));
}

/** Subjects of the commits since `SINCE`; of a clone too shallow to have it, all it has. */
function subjects() {
  const known = ask('git', ['cat-file', '-e', `${SINCE}^{commit}`]) !== undefined;
  if (!known && ask('git', ['rev-parse', '--is-shallow-repository']) !== 'true') return undefined;
  const range = known ? [`${SINCE}..HEAD`] : ['HEAD'];
  return ask('git', ['log', '--no-merges', '--format=%h %s', ...range])
    ?.split('\n')
    .filter(Boolean);
}

/**
 * Fails when a commit has a subject that breaks the rule in CONTRIBUTING.md. Left out where there is no
 * history.
 */
export function checkSubjects() {
  const faults = (subjects() ?? []).flatMap((line) => {
    const [hash, ...words] = line.split(' ');
    const subject = words.join(' ');
    return subjectFaults(subject).map((fault) => `${hash} ${subject}\n  ${fault}`);
  });
  if (faults.length) throw new Told(`Commit subjects (.github/CONTRIBUTING.md):\n${faults.join('\n')}`);
}
