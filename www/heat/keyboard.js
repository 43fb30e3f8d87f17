/**
 * The action that a pressed key requests.
 * @typedef {object} Meant
 * @property {number} [zoom] steps larger, or smaller
 * @property {boolean} [reset]
 * @property {number} [brighten] factor
 * @property {boolean} [play]
 * @property {boolean} [escape]
 * @property {boolean} [open]
 * @property {[number, number]} [step] cells upwards and to the right
 */

/** @type {Record<string, Meant>} */
const KEYS = {
  '+': { zoom: 1 },
  '=': { zoom: 1 },
  '-': { zoom: -1 },
  _: { zoom: -1 },
  Backspace: { reset: true },
  r: { reset: true },
  0: { reset: true },
  '[': { brighten: 0.5 },
  ']': { brighten: 2 },
  ' ': { play: true },
  Escape: { escape: true },
  Enter: { open: true },
};

/**
 * @param {KeyboardEvent} event
 * @param {{ bands: number, buckets: number }} picture
 * @returns {Meant | null}
 */
export function keyOf(
  { key, shiftKey, ctrlKey, metaKey, altKey, target, currentTarget },
  { bands, buckets },
) {
  if (ctrlKey || metaKey || altKey || target !== currentTarget) return null;
  const known = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (known) return known;
  const far = shiftKey ? 10 : 1;
  /** @type {Record<string, [number, number]>} */
  const steps = {
    ArrowUp: [far, 0],
    ArrowDown: [-far, 0],
    ArrowLeft: [0, -far],
    ArrowRight: [0, far],
    Home: [0, -buckets],
    End: [0, buckets],
    PageUp: [bands, 0],
    PageDown: [-bands, 0],
  };
  return steps[key] ? { step: steps[key] } : null;
}
