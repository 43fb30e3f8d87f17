// Keeps the comparison baseline and the pasted existing table across reloads.
import { tablesOf } from '../design/document.js';
import { draft, keepDraft } from './local-storage.js';
import { change, state, subscribe } from './store.js';

/** @import { Design } from '../types.d.ts' */

/** Characters of a table as it is that are kept. */
const LONGEST = 500_000;

/** True once the kept baseline and pasted table were restored. */
let restored = false;
/** The values last written to storage. @type {Pick<typeof state, 'pins' | 'pasted'>} */
let kept = { pins: [], pasted: null };

/** Keeps what is laid beside the design, once the design is on show. */
export function followReviewDrafts() {
  subscribe(() => {
    const { design, phase, pins, pasted } = state;
    if (!design || (phase !== 'ready' && phase !== 'empty')) return;
    if (!restored) {
      restored = true;
      kept = { pins: pins.length ? pins : fitting(design), pasted: pasted ?? draft('existing') ?? null };
      if (kept.pins !== pins || kept.pasted !== pasted) change(kept);
      return;
    }
    if (pins[0] !== kept.pins[0]) keepDraft('aside', pins[0]);
    if (pasted !== kept.pasted) {
      keepDraft('existing', pasted && pasted.text.length <= LONGEST ? pasted : undefined);
    }
    kept = { pins, pasted };
  });
}

/** The design that was pinned, unless it is one for other records. @param {Design} design */
function fitting(design) {
  const aside = /** @type {typeof state.pins[number] | undefined} */ (draft('aside'));
  const fields = (/** @type {Design} */ of) => JSON.stringify(tablesOf(of)[0]?.fields);
  return aside && fields(JSON.parse(aside.document)) === fields(design) ? [aside] : [];
}
