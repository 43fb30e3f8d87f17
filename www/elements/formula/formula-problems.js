import { html, nothing } from 'lit';
import { describe } from '../../text/sentences.js';

/** @import { Problem } from '../../types.d.ts' */

/** Problems told at once. */
const MOST = 3;
/** Steps that fit named of many: all are offered where one is typed. */
const FITTING = 8;
/** How far into what is wrong a line begins, at most. */
const INTO = 6;

/**
 * The problems of a formula, last column first, so that no connecting line crosses a sentence.
 * @param {Problem[]} problems
 */
export function problemList(problems) {
  if (!problems.length) return nothing;
  const told = problems
    .slice(0, MOST)
    .sort(({ place: one }, { place: other }) => (one.column ?? 0) - (other.column ?? 0));
  return html`<ul class="formula-problems">${told.map(
    (problem) =>
      html`<li data-column=${problem.place.column ?? nothing}><p class="note bad">${inParts(problem)}</p></li>`,
  )}</ul>`;
}

/** A problem; its suggestion has a different color. @param {Problem} problem */
function inParts(problem) {
  const { fitting } = problem.args;
  const names = fitting?.split(', ') ?? [];
  const some = names.length > FITTING ? `${names.slice(0, FITTING).join(', ')} …` : fitting;
  const [wrong, ...rest] = describe({
    ...problem,
    args: { ...problem.args, ...(some && { fitting: some }) },
  }).split(/(?<=[;；])\s*/);
  return rest.length ? html`${wrong} <span class="way-out">${rest.join(' ')}</span>` : wrong;
}

/**
 * Puts each sentence under what it is about, with a line up to it.
 * @param {Element} root holds the list and the marked formula
 */
export function placeProblems(root) {
  const list = root.querySelector('.formula-problems');
  if (!list) return;
  const { left } = list.getBoundingClientRect();
  const placed = [...list.querySelectorAll('li')].flatMap((item) => {
    const mark = root.querySelector(`mark[data-column="${item.dataset.column}"]`);
    const [rect] = mark?.getClientRects() ?? [];
    item.classList.toggle('placed', Boolean(rect));
    if (!rect) return [];
    item.style.setProperty('--at', `${rect.left + Math.min(INTO, rect.width / 2) - left}px`);
    return [{ item, bottom: rect.bottom }];
  });
  // How high a line is hangs on where all sentences came to stand.
  const rises = placed.map(({ item, bottom }) => item.getBoundingClientRect().top - bottom);
  for (const [at, { item }] of placed.entries()) item.style.setProperty('--rise', `${rises[at]}px`);
}
