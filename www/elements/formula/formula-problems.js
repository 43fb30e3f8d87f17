import { html, nothing } from 'lit';
import { describe, say } from '../../text/sentences.js';

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
      html`<li data-column=${problem.place.column ?? nothing}><div class="note bad">${inParts(problem)}</div></li>`,
  )}</ul>`;
}

/** A problem; its suggestion has a different color. @param {Problem} problem */
function inParts(problem) {
  if (isOfStep(problem)) return unknownStep(problem);
  const { fitting } = problem.args;
  const names = fitting?.split(', ') ?? [];
  const some = names.length > FITTING ? `${names.slice(0, FITTING).join(', ')} …` : fitting;
  const [wrong, ...rest] = describe({
    ...problem,
    args: { ...problem.args, ...(some && { fitting: some }) },
  }).split(/(?<=[;；])\s*/);
  return rest.length ? html`${wrong} <span class="way-out">${rest.join(' ')}</span>` : wrong;
}

/** An unknown step, and what may have been meant. @param {Problem} problem */
function stepTold(problem) {
  const { nearest } = problem.args;
  const names = nearest?.split(', ').map((name) => `${name}()`);
  const way = nearest ? say('page.step-near', { nearest: names?.join(', ') ?? '' }) : '';
  return [describe({ ...problem, code: 'page.step-unknown' }), way];
}

/** A problem as it is read out. @param {Problem} problem */
export const spokenOf = (problem) =>
  isOfStep(problem) ? stepTold(problem).join(' ').trim() : describe(problem);

/** @param {Problem} problem */
const isOfStep = ({ code }) => code.startsWith('formula.unknown-step');

/** An unknown step: what may have been meant, then all that there are. @param {Problem} problem */
function unknownStep(problem) {
  const [wrong, way] = stepTold(problem);
  return html`${wrong} ${way ? html`<span class="way-out">${way}</span>` : nothing}
    <details class="all-steps"><summary>${say('page.step-all')}</summary><code>${problem.args.known}</code></details>`;
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
