// The expert's JavaScript, for this file's shape only: bytes in, no string a row, MD5 once a phone, keys packed into
// numbers to sort, the sorted keys written out as one byte array.
import { digest, md5Text } from './md5.mjs';
import { BUCKETS, cellsOf, checkLine, REGIONS, regionOf, stopwatch } from './report.mjs';

const COMMA = 44;
const NEWLINE = 10;
const ZERO = 48;
const KEY_BYTES = 35;
const hash = (phone, mask) => (Math.imul(phone % 4294967296, 0x9e3779b1) ^ (phone / 65536)) & mask;

const bigEndian = (h) =>
  (((h & 255) << 24) | (((h >>> 8) & 255) << 16) | (((h >>> 16) & 255) << 8) | (h >>> 24)) >>> 0;

/** Phones as numbers, each with an id and its count, in an open-addressing table. */
function parse(bytes) {
  const end = bytes.length;
  const capacity = (end / 30) | 0;
  const seconds = new Uint32Array(capacity);
  const ids = new Uint32Array(capacity);
  let size = 1 << 18;
  let mask = size - 1;
  let table = new Int32Array(size).fill(-1);
  let phones = new Float64Array(1 << 17);
  let counts = new Uint32Array(1 << 17);
  let distinct = 0;
  let rows = 0;
  let p = bytes.indexOf(NEWLINE) + 1;
  let lastDay = -1;
  let dayStart = 0;
  const two = (q) => (bytes[q] - ZERO) * 10 + bytes[q + 1] - ZERO;
  while (p < end) {
    let phone = 0;
    let c = bytes[p++];
    while (c !== COMMA) {
      phone = phone * 10 + c - ZERO;
      c = bytes[p++];
    }
    const day = two(p + 2) * 10000 + two(p + 5) * 100 + two(p + 8);
    if (day !== lastDay) {
      lastDay = day;
      dayStart = Date.UTC(two(p) * 100 + two(p + 2), two(p + 5) - 1, two(p + 8)) / 1000;
    }
    seconds[rows] = dayStart + two(p + 11) * 3600 + two(p + 14) * 60 + two(p + 17);
    p += 20;
    while (p < end && bytes[p] !== NEWLINE) p++;
    p++;
    let slot = hash(phone, mask);
    let id = table[slot];
    while (id >= 0 && phones[id] !== phone) {
      slot = (slot + 1) & mask;
      id = table[slot];
    }
    if (id < 0) {
      if (distinct === phones.length) {
        const morePhones = new Float64Array(distinct * 2);
        morePhones.set(phones);
        phones = morePhones;
        const moreCounts = new Uint32Array(distinct * 2);
        moreCounts.set(counts);
        counts = moreCounts;
      }
      id = distinct;
      table[slot] = id;
      phones[distinct++] = phone;
      if (distinct * 2 > size) {
        size *= 2;
        mask = size - 1;
        table = new Int32Array(size).fill(-1);
        for (let i = 0; i < distinct; i++) {
          let free = hash(phones[i], mask);
          while (table[free] >= 0) free = (free + 1) & mask;
          table[free] = i;
        }
      }
    }
    counts[id]++;
    ids[rows++] = id;
  }
  return { rows, seconds, ids, phones, counts, distinct };
}

/** The sorted keys themselves, from numbers of (rank of the phone, second). */
function writeKeys(packed, rows, span, low, order, prefixes, names) {
  const keys = new Uint8Array(rows * KEY_BYTES);
  const encoder = new TextEncoder();
  const head = new Uint8Array(21);
  const date = new Uint8Array(14);
  let lastRank = -1;
  let lastDay = -1;
  let o = 0;
  for (let i = 0; i < rows; i++) {
    const x = packed[i];
    const rank = Math.floor(x / span);
    const second = low + (x - rank * span);
    if (rank !== lastRank) {
      lastRank = rank;
      const id = order[rank];
      encoder.encodeInto(`${prefixes[id].toString(16).padStart(8, '0')}_${names[id]}_`, head);
    }
    const day = Math.floor(second / 86400);
    if (day !== lastDay) {
      lastDay = day;
      encoder.encodeInto(new Date(day * 86400e3).toISOString().slice(0, 10).replaceAll('-', ''), date);
    }
    const q = second - day * 86400;
    const hh = (q / 3600) | 0;
    const mm = ((q / 60) | 0) % 60;
    const ss = q % 60;
    keys.set(head, o);
    for (let j = 0; j < 8; j++) keys[o + 21 + j] = date[j];
    keys[o + 29] = ZERO + ((hh / 10) | 0);
    keys[o + 30] = ZERO + (hh % 10);
    keys[o + 31] = ZERO + ((mm / 10) | 0);
    keys[o + 32] = ZERO + (mm % 10);
    keys[o + 33] = ZERO + ((ss / 10) | 0);
    keys[o + 34] = ZERO + (ss % 10);
    o += KEY_BYTES;
  }
  return keys;
}

/** @param {Uint8Array} bytes */
export function expert(bytes) {
  const lap = stopwatch();
  const { rows, seconds, ids, phones, counts, distinct } = parse(bytes);
  lap('parse');
  const prefixes = new Uint32Array(distinct);
  const names = new Array(distinct);
  for (let i = 0; i < distinct; i++) {
    names[i] = String(phones[i]);
    md5Text(names[i]);
    prefixes[i] = bigEndian(digest[0]);
  }
  const everyPhone = () => Uint32Array.from({ length: distinct }, (_, i) => i);
  const order = everyPhone().sort((x, y) => prefixes[x] - prefixes[y] || (names[x] < names[y] ? -1 : 1));
  const rankOf = new Uint32Array(distinct);
  for (let i = 0; i < distinct; i++) rankOf[order[i]] = i;
  let low = 0xffffffff;
  let high = 0;
  for (let i = 0; i < rows; i++) {
    const s = seconds[i];
    if (s < low) low = s;
    if (s > high) high = s;
  }
  const span = high - low + 1;
  const packed = new Float64Array(rows);
  for (let i = 0; i < rows; i++) packed[i] = rankOf[ids[i]] * span + (seconds[i] - low);
  lap('key');
  packed.sort();
  const keys = writeKeys(packed, rows, span, low, order, prefixes, names);
  lap('sort');
  const regions = new Uint8Array(distinct);
  for (let i = 0; i < distinct; i++) regions[i] = regionOf(`${prefixes[i].toString(16).padStart(8, '0')}_`);
  const heat = new Uint32Array(REGIONS * BUCKETS);
  for (let i = 0; i < rows; i++)
    heat[regions[ids[i]] * BUCKETS + Math.floor(((seconds[i] - low) * BUCKETS) / span)]++;
  lap('heat');
  const busiest = everyPhone().sort((x, y) => counts[y] - counts[x] || (names[x] < names[y] ? -1 : 1));
  const top = Array.from(busiest.subarray(0, 20), (id) => [names[id], counts[id]]);
  const decoder = new TextDecoder();
  const [first, last] = [keys.subarray(0, KEY_BYTES), keys.subarray((rows - 1) * KEY_BYTES)].map((k) =>
    decoder.decode(k),
  );
  const check = checkLine(first, last, cellsOf(heat), top);
  return { ...lap('top'), check };
}
