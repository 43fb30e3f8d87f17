import { compact } from '../text/format.js';
import { say } from '../text/sentences.js';
import { placeOf, regionOf } from './bands.js';
import { inside } from './scene.js';

/** @import { Pen, Scene } from './scene.js' */

/** Least height in pixels at which every region border is drawn. */
export const BORDER_FROM = 6;
const LABEL_HEIGHT = 18;
/** Pixels beside a start key: the mark of its border, and space. */
const BESIDE = 14;
/** Pixels by which the room for start keys grows. */
const STEP = 16;
/** Least height of a group of keys that is named. */
const GROUP_HEIGHT = 26;
/** Bytes beyond those that all keys share that a group may be named by. */
const DEEPEST = 10;

/** Region borders, with the start keys along the left edge. @param {Pen} pen @param {Scene} scene */
export function paintKeys(pen, scene) {
  const { layout, sheet, look, y, firstBand, lastBand, tall } = scene;
  const { plot, keys } = layout;
  const { picture } = sheet;
  const { edges, starts, parts } = picture;
  pen.fillStyle = look.line;
  if (tall >= BORDER_FROM) {
    for (let band = Math.max(1, firstBand); band < lastBand; band++) {
      const at = Math.round(y(placeOf(picture, band)));
      if (at > plot.y && at < plot.y + plot.height) pen.fillRect(plot.x, at, plot.width, 1);
    }
  }
  if (parts && parts.slots > 1) paintBorders(pen, scene);
  pen.strokeStyle = look.line;
  pen.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.width + 1, plot.height + 1);
  // A power of two, so that the same keys stay labelled while one zooms.
  const every = 2 ** Math.max(0, Math.ceil(Math.log2(LABEL_HEIGHT / tall)));
  pen.font = look.mono;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  const shared = sharedStart(starts, firstBand, lastBand);
  const labelled = parts ? apart(scene) : everyOf(Math.ceil(firstBand / every) * every, lastBand, every);
  // Where each region is named, its name is in its middle; else it is where the region begins.
  const middle = !parts && every === 1;
  for (const band of labelled) {
    const at = y(placeOf(picture, band)) - (middle ? tall / 2 : 0);
    if (at > plot.y + plot.height + 1 || (middle && at < plot.y)) continue;
    const border = parts && edges[band] === regionOf(picture, band);
    pen.fillStyle = border ? look.ink : look.line;
    if (!middle) pen.fillRect(keys - 8, Math.round(at), 6, 1);
    pen.fillStyle = border ? look.ink : look.muted;
    const text =
      starts[band] ||
      say(edges[band] ? 'page.region-short' : 'page.first-key', { index: compact(edges[band]) });
    pen.fillText(
      clipped(pen, text, keys - BESIDE, shared),
      keys - 12,
      Math.min(at, plot.y + plot.height - 3),
    );
  }
}

/**
 * Pixels for the widest start key, in steps: while regions are changed one after another, the plot stays
 * where it is.
 * @param {Pen} pen
 * @param {import('./scene.js').Look} look
 * @param {string[]} starts
 */
export function roomForKeys(pen, look, starts) {
  const longest = starts.reduce((one, other) => (other.length > one.length ? other : one), '');
  pen.font = look.mono;
  return Math.ceil((pen.measureText(longest).width + BESIDE) / STEP) * STEP;
}

/** @param {number} from @param {number} to @param {number} step */
const everyOf = (from, to, step) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, at) => from + at * step);

/**
 * Bands whose keys have room beside each other: those where a region begins, then parts between them.
 * @param {Scene} scene
 */
function apart({ sheet: { picture }, y, firstBand, lastBand }) {
  const bands = everyOf(firstBand, lastBand, 1);
  const begins = (/** @type {number} */ band) => picture.edges[band] === regionOf(picture, band);
  /** @type {number[]} */
  const taken = [];
  for (const band of [...bands.filter(begins), ...bands.filter((one) => !begins(one))]) {
    const at = y(placeOf(picture, band));
    if (taken.every((other) => Math.abs(y(placeOf(picture, other)) - at) >= LABEL_HEIGHT)) taken.push(band);
  }
  return taken;
}

/**
 * Borders of regions where they are shown in parts: twice, for the colours beneath are both light and dark.
 * @param {Pen} pen
 * @param {Scene} scene
 */
function paintBorders(pen, { layout: { plot }, sheet: { picture }, look, y, firstBand, lastBand }) {
  for (let band = Math.max(1, firstBand); band < lastBand; band++) {
    const at = Math.round(y(placeOf(picture, band)));
    if (picture.edges[band] !== regionOf(picture, band) || at <= plot.y || at >= plot.y + plot.height)
      continue;
    pen.fillStyle = look.page;
    pen.fillRect(plot.x, at - 1, plot.width, 3);
    pen.fillStyle = look.ink;
    pen.fillRect(plot.x, at, plot.width, 1);
  }
}

/**
 * Paints the prefix shared by adjacent start keys, in brackets next to them.
 * @param {Pen} pen
 * @param {Scene} scene
 */
export function paintGroups(pen, scene) {
  const { layout, sheet, look, y, firstBand, lastBand } = scene;
  const { plot, keys, groups } = layout;
  if (!groups) return;
  const { picture } = sheet;
  const least = (GROUP_HEIGHT * (lastBand - firstBand)) / plot.height;
  const found = groupsOf(picture.starts, firstBand, lastBand, least);
  if (!found.length) return;
  const shared = sharedStart(picture.starts, firstBand, lastBand);
  inside(pen, { x: keys, y: plot.y - 1, width: groups, height: plot.height + 2 }, () => {
    for (const { name, first, last } of found) {
      const top = Math.max(plot.y, y(placeOf(picture, last + 1))) + 1;
      const bottom = Math.min(plot.y + plot.height, y(placeOf(picture, first))) - 1;
      pen.fillStyle = look.line;
      pen.fillRect(keys + groups - 4, top, 2, Math.max(1, bottom - top));
      if (bottom - top < 12) continue;
      pen.save();
      pen.translate(keys + 8, (top + bottom) / 2);
      pen.rotate(-Math.PI / 2);
      pen.font = look.mono;
      pen.fillStyle = look.muted;
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.fillText(clipped(pen, name, bottom - top - 2, shared), 0, 0);
      pen.restore();
    }
  });
}

/**
 * Servers in turn, a box a region.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {number | null} chosen the server of the cell that is looked at
 */
export function paintServers(pen, scene, chosen) {
  const { layout, sheet, servers, look, y, span, view } = scene;
  const { plot, keys, groups, servers: wide } = layout;
  const regions = view.regionCount;
  const tall = plot.height / ((span.y1 - span.y0) * regions);
  if (!wide || !servers || servers < 2 || tall < 2) return;
  const left = keys + groups;
  pen.font = look.font;
  pen.fillStyle = look.muted;
  pen.textAlign = 'right';
  pen.textBaseline = 'alphabetic';
  pen.fillText(say('page.heat-server'), left + wide - 4, plot.y - 8);
  inside(pen, { x: left, y: plot.y, width: wide, height: plot.height }, () => {
    pen.font = look.font;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    const last = regionOf(sheet.picture, scene.lastBand - 1);
    for (let region = regionOf(sheet.picture, scene.firstBand); region <= last; region++) {
      const server = region % servers;
      const top = y((region + 1) / regions);
      const height = Math.max(1, tall - (tall >= BORDER_FROM ? 1 : 0));
      pen.fillStyle = server === chosen ? look.accent : look.bar;
      pen.globalAlpha = server === chosen ? 1 : 0.2 + (0.6 * server) / (servers - 1);
      pen.fillRect(left + 2, top, wide - 6, height);
      pen.globalAlpha = 1;
      if (tall < 14) continue;
      pen.fillStyle = server === chosen ? look.page : look.ink;
      pen.fillText(String(server + 1), left + wide / 2 - 1, top + tall / 2);
    }
  });
}

/** @type {WeakMap<string[], string[][]>} */
const split = new WeakMap();

/** Keys in bytes as they are printed. @param {string[]} starts */
function tokensOf(starts) {
  let known = split.get(starts);
  if (!known) {
    known = starts.map((start) => start.match(/\\x[0-9A-Fa-f]{2}|./gsu) ?? []);
    split.set(starts, known);
  }
  return known;
}

/**
 * The bytes that keys from one to before another begin with.
 * @param {string[]} starts
 * @param {number} from
 * @param {number} to
 */
function sharedBytes(starts, from, to) {
  const [first = [], ...others] = tokensOf(starts)
    .slice(from, to)
    .filter((one) => one.length);
  let shared = others.length ? first.length : 0;
  for (const one of others) {
    let alike = 0;
    while (alike < shared && one[alike] === first[alike]) alike++;
    shared = alike;
  }
  return first.slice(0, shared);
}

/**
 * Runs of neighbouring keys that begin alike: by as many bytes as leave the runs `least` keys long on
 * average.
 * @param {string[]} starts
 * @param {number} from
 * @param {number} to
 * @param {number} least
 * @returns {{ name: string, first: number, last: number }[]} none when every key is a run of its own
 */
export function groupsOf(starts, from, to, least) {
  const tokens = tokensOf(starts);
  const shared = sharedBytes(starts, from, to).length;
  // With very many regions, most start keys are not listed.
  const known = tokens.slice(from, to).filter((one) => one.length).length;
  if (known < (to - from) * 0.9 - 1) return [];
  /** @type {{ name: string, first: number, last: number }[]} */
  let best = [];
  for (let depth = shared + 1; depth <= shared + DEEPEST; depth++) {
    /** @type {{ name: string, first: number, last: number }[]} */
    const runs = [];
    for (let at = from; at < to; at++) {
      const name = tokens[at].slice(0, depth).join('');
      const before = runs.at(-1);
      if (before?.name === name) before.last = at;
      else runs.push({ name, first: at, last: at });
    }
    if (runs.length * least > to - from || runs.length > (to - from) / 2) break;
    if (runs.length > 1) best = runs;
  }
  return best;
}

/**
 * A key as far as there is room; what all keys begin with is left out first, for it tells nothing.
 * @param {Pen} pen
 * @param {string} text
 * @param {number} width
 * @param {string} shared what all keys begin with
 */
function clipped(pen, text, width, shared) {
  if (pen.measureText(text).width <= width) return text;
  const fit = Math.max(1, Math.floor(width / pen.measureText('0').width) - 1);
  const cut = shared.length > 1 && text.startsWith(shared);
  const rest = cut ? text.slice(shared.length) : text;
  if (cut && rest.length <= fit) return `…${text.slice(text.length - Math.max(rest.length, fit))}`;
  return cut ? `…${rest.slice(0, fit - 1)}…` : `${text.slice(0, fit)}…`;
}

/** The prefix shared by keys. @param {string[]} starts @param {number} from @param {number} to */
const sharedStart = (starts, from, to) => sharedBytes(starts, from, to).join('');
