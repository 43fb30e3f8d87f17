// The search of the documentation: sections that contain all words, those with them in a heading first.
const box = /** @type {HTMLInputElement | null} */ (document.getElementById('search'));
const list = document.getElementById('found');
/** Sections listed at most. */
const MOST = 12;
/** Letters shown before the first word that was found, and in all. */
const [BEFORE, SHOWN] = [40, 160];

/** Address, page, heading and text of each section. @type {Promise<[string, string, string, string][]> | undefined} */
let sections;

/** @param {string} text @param {string[]} words */
const hasAll = (text, words) => words.every((word) => text.toLowerCase().includes(word));

async function search() {
  const words = (box?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  sections ??= fetch('search.json').then((answer) => answer.json());
  const all = await sections.catch(() => []);
  if (!all.length) sections = undefined;
  // Another letter was typed meanwhile.
  if ((box?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean).join(' ') !== words.join(' ')) return;
  const matching = all.filter((section) => words.length && hasAll(section.slice(1).join(' '), words));
  const weight = (/** @type {string[]} */ [, page, heading]) =>
    (hasAll(heading, words) ? 2 : 0) + (hasAll(page, words) ? 1 : 0);
  matching.sort((one, other) => weight(other) - weight(one));
  list?.replaceChildren(
    ...matching.slice(0, MOST).map(([address, page, heading, text]) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = address;
      link.textContent = heading === page ? page : `${page}: ${heading}`;
      const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - BEFORE);
      const shown = document.createElement('small');
      shown.textContent = text.slice(at, at + SHOWN);
      item.append(link, document.createElement('br'), shown);
      return item;
    }),
  );
}

box?.closest('search')?.removeAttribute('hidden');
box?.addEventListener('input', () => void search());
