// PapaParse and spark-md5: what a person writes first.
import Papa from 'papaparse';
import SparkMD5 from 'spark-md5';
import { BUCKETS, cellsOf, checkLine, compact, REGIONS, regionOf, stopwatch, top20 } from './report.mjs';

/** @param {string} text */
export function papa(text) {
  const lap = stopwatch();
  const rows = Papa.parse(text, { header: true, skipEmptyLines: true }).data;
  lap('parse');
  const n = rows.length;
  const keys = new Array(n);
  for (let i = 0; i < n; i++) {
    const row = rows[i];
    keys[i] = `${SparkMD5.hash(row.phone).slice(0, 8)}_${row.phone}_${compact(row.call_time)}`;
  }
  lap('key');
  keys.sort();
  lap('sort');
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const seconds = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const k = keys[i];
    const [year, month, day] = [+k.slice(21, 25), k.slice(25, 27) - 1, +k.slice(27, 29)];
    const s = Date.UTC(year, month, day, +k.slice(29, 31), +k.slice(31, 33), +k.slice(33, 35)) / 1000;
    seconds[i] = s;
    if (s < low) low = s;
    if (s > high) high = s;
  }
  const heat = new Uint32Array(REGIONS * BUCKETS);
  const span = high - low + 1;
  for (let i = 0; i < n; i++)
    heat[regionOf(keys[i]) * BUCKETS + Math.floor(((seconds[i] - low) * BUCKETS) / span)]++;
  lap('heat');
  const counts = new Map();
  for (let i = 0; i < n; i++) counts.set(rows[i].phone, (counts.get(rows[i].phone) ?? 0) + 1);
  const check = checkLine(keys[0], keys[n - 1], cellsOf(heat), top20(counts));
  return { ...lap('top'), check };
}
