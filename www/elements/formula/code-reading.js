// Row key builders in Java and Scala that are typed or pasted as a formula.
import { html, nothing } from 'lit';
import { askLanguage, table } from '../../state/document-engine.js';
import { say } from '../../text/sentences.js';
import '../../text/later-sentences.js';
import { spokenOf } from './formula-problems.js';

/** @import { CodeReading } from '../../types.d.ts' */

/** Marks of Java and Scala that no formula has. */
const CODE = /[";{]|\bnew |\breturn\b|\bBytes\./;

/**
 * The formula of code; null for a text that is none.
 * @param {string} code
 * @returns {Promise<CodeReading | null>}
 */
export async function readCode(code) {
  /** @type {CodeReading} */
  const found = await askLanguage('formulaOfCode', { code, fields: table()?.fields ?? [] });
  return found.formula || CODE.test(code) ? found : null;
}

/**
 * The formula that does what code does, with the facts it rests on; else the piece that is not understood.
 * @param {CodeReading} reading
 * @param {() => void} use takes the formula
 */
export function matching({ formula, assumed = [], problem }, use) {
  if (problem) return html`<p class="note">${spokenOf(problem)}</p>`;
  if (!formula) return nothing;
  return html`<div class="note">
    <p>${say('page.java-matching')} <code>${formula}</code> <button type="button" class="small" @click=${use}>${say('page.java-use')}</button></p>
    ${assumed.map(({ code, name }) => html`<p class="muted">${say(code, { name })}</p>`)}
  </div>`;
}
