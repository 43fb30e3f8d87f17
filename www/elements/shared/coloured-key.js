import { html } from 'lit';
import { escaped } from '../../text/escaped-bytes.js';

/** @import { KeyPage } from '../../types.d.ts' */

/**
 * A key's bytes in the shell's notation, each part in its colour.
 * @param {KeyPage} page
 * @param {number} index in the page
 * @param {string[]} colours
 */
export function colouredKey({ bytes, ends, spans, parts }, index, colours) {
  const start = index ? ends[index - 1] : 0;
  const end = ends[index];
  const pieces = [];
  let at = start;
  for (let part = 0; part < parts; part++) {
    const to = part === parts - 1 ? end : start + spans[index * parts + part];
    if (to > at)
      pieces.push(
        html`<span class=${`part-${colours[part] ?? 'fixed'}`}>${escaped(bytes.subarray(at, to))}</span>`,
      );
    at = Math.max(at, to);
  }
  if (at < end) pieces.push(escaped(bytes.subarray(at, end)));
  return pieces;
}
