// uDSV, a general CSV parser, and tuned steps: MD5 and region once a phone, a time once while it repeats.
import { inferSchema, initParser } from 'udsv';
import { md5Prefix } from './md5.mjs';
import { BUCKETS, cellsOf, checkLine, compact, REGIONS, regionOf, stopwatch, top20 } from './report.mjs';

/** Seconds since the epoch. @param {string} t */
const epoch = (t) =>
  Date.UTC(
    +t.slice(0, 4),
    +t.slice(5, 7) - 1,
    +t.slice(8, 10),
    +t.slice(11, 13),
    +t.slice(14, 16),
    +t.slice(17, 19),
  ) / 1000;

/** @param {string} text */
export function udsv(text) {
  const lap = stopwatch();
  const rows = initParser(inferSchema(text.slice(0, 4096))).stringArrs(text);
  lap('parse');
  const n = rows.length;
  const keys = new Array(n);
  const seconds = new Float64Array(n);
  const ids = new Uint32Array(n);
  const idOf = new Map();
  const heads = [];
  const regions = [];
  const counts = [];
  const phones = [];
  let lastTime = '';
  let lastCompact = '';
  let lastSecond = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const row = rows[i];
    const phone = row[0];
    const time = row[1];
    let id = idOf.get(phone);
    if (id === undefined) {
      id = heads.length;
      idOf.set(phone, id);
      const prefix = md5Prefix(phone);
      heads.push(`${prefix}_${phone}_`);
      regions.push(regionOf(`${prefix}_${phone}`));
      phones.push(phone);
      counts.push(0);
    }
    if (time !== lastTime) {
      lastTime = time;
      lastCompact = compact(time);
      lastSecond = epoch(time);
      if (lastSecond < low) low = lastSecond;
      if (lastSecond > high) high = lastSecond;
    }
    keys[i] = heads[id] + lastCompact;
    seconds[i] = lastSecond;
    ids[i] = id;
    counts[id]++;
  }
  lap('key');
  keys.sort();
  lap('sort');
  const heat = new Uint32Array(REGIONS * BUCKETS);
  const span = high - low + 1;
  for (let i = 0; i < n; i++)
    heat[regions[ids[i]] * BUCKETS + Math.floor(((seconds[i] - low) * BUCKETS) / span)]++;
  lap('heat');
  const top = top20(phones.map((phone, i) => [phone, counts[i]]));
  const check = checkLine(keys[0], keys[n - 1], cellsOf(heat), top);
  return { ...lap('top'), check };
}
