import { withTable } from '../design/document.js';
import { askLanguage, table } from '../state/document-engine.js';
import { askRecords } from '../state/loading.js';
import { state } from '../state/store.js';
import { applyFix } from './actions.js';
import { measured, sizing } from './review-answers.js';

/** @import { Parameter, Sweep } from '../types.d.ts' */

/** A number of buckets, as digits, at the beginning of a key. */
const BUCKETS = /^(.*[(,]\s*)(\d+)\)\.decimal\((\d+)\)$/s;

/** Times that the number of regions is worked out anew for keys that more digits make longer. */
const ROUNDS = 4;

/**
 * Makes the table of so many regions as its growth asks for. Where the key begins with a bucket for each
 * region, there are as many buckets.
 * @param {number} regions
 */
export async function resize(regions) {
  const { design, table: index } = state;
  if (!design) return;
  const wider = widened(regions);
  if (wider) {
    const lengths = measured();
    let made = wider;
    for (let round = 0; round < ROUNDS; round++) {
      const { rowkey, splits, longer } = made;
      const longest = lengths && {
        ...lengths,
        bytes: lengths.bytes + lengths.count * longer,
        min: lengths.min + longer,
        max: lengths.max + longer,
      };
      const again = (await sizing(withTable(design, index, { rowkey, splits }), longest))?.suggested;
      const next = again && again > splits.salts ? widened(again) : null;
      if (!next) break;
      made = next;
    }
    const { rowkey, splits } = made;
    if (design === state.design) await applyFix({ rowkey, splits });
    return;
  }
  const current = { document: JSON.stringify(design), table: index };
  /** @type {Parameter[]} */
  const parameters = await askLanguage('parameters', current);
  const counted = !table()?.splits.points && parameters.some(({ parameter }) => parameter === 'regions');
  // Points say nothing of where further ones would be: the records do.
  if (!counted) return applyFix({ splits: { sample: regions } });
  const asked = { parameter: 'regions', values: [regions] };
  /** @type {Sweep} */
  const { variants } = await askRecords('sweep', { ...current, asked });
  const made = variants.at(-1);
  if (made && !made.problem && design === state.design) await applyFix({ splits: made.splits });
}

/**
 * The key with so many buckets, when it begins with one for each region of now.
 * @param {number} regions
 */
function widened(regions) {
  const { check, formula, view } = state;
  const [first] = check?.problems.length ? [] : (check?.parts ?? []);
  const [, before, buckets, width] = first?.text.match(BUCKETS) ?? [];
  if (!first || Number(buckets) !== view?.regionCount) return null;
  const digits = Math.max(Number(width), String(regions - 1).length);
  const rest = [...formula].slice(first.to - 1).join('');
  return {
    rowkey: `${before}${regions}).decimal(${digits})${rest}`,
    splits: { salts: regions, digits },
    longer: digits - Number(width),
  };
}
