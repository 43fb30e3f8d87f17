// Deterministic call records: node gen.mjs ROWS OUT.csv [SEED]
// Columns phone,call_time,duration,cell_id, about 55 bytes a row. Phones follow Zipf's law (s = 0.9 over 100,000
// subscribers); call_time ascends through one day.
import { closeSync, openSync, writeSync } from 'node:fs';

const [rowsText = '1000000', out = 'calls.csv', seedText = '20240501'] = process.argv.slice(2);
const ROWS = Number(rowsText);
const SUBSCRIBERS = 100_000;
const EXPONENT = 0.9;
const CELLS = 2000;
const ROWS_A_WRITE = 20_000;
/** Weight of each hour of the day: quiet nights, a busy evening. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 8, 12, 14, 14, 13, 12, 11, 12, 13, 13, 14, 15, 16, 14, 10, 6, 3];

let state = Number(seedText) >>> 0;
/** Mulberry32: a number from 0 up to but not 1. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const phones = new Set();
while (phones.size < SUBSCRIBERS) phones.add(`13${String(Math.floor(random() * 1e9)).padStart(9, '0')}`);
const phoneOf = [...phones];

const weightUpTo = new Float64Array(SUBSCRIBERS);
let weight = 0;
for (let i = 0; i < SUBSCRIBERS; i++) {
  weight += 1 / (i + 1) ** EXPONENT;
  weightUpTo[i] = weight;
}
function pickSubscriber() {
  const x = random() * weight;
  let low = 0;
  let high = SUBSCRIBERS - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (weightUpTo[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

const cells = Array.from(
  { length: CELLS },
  () => `460-00-${1000 + Math.floor(random() * 9000)}-${10000 + Math.floor(random() * 50000)}`,
);

const hourStart = new Float64Array(25);
for (let h = 0; h < 24; h++) hourStart[h + 1] = hourStart[h] + HOURS[h];
const twoDigits = (n) => (n < 10 ? `0${n}` : `${n}`);

const file = openSync(out, 'w');
let lines = ['phone,call_time,duration,cell_id\n'];
let hour = 0;
for (let i = 0; i < ROWS; i++) {
  const u = ((i + random()) / ROWS) * hourStart[24];
  while (hour < 23 && hourStart[hour + 1] <= u) hour++;
  while (hour > 0 && hourStart[hour] > u) hour--;
  const second = Math.min(86399, Math.floor((hour + (u - hourStart[hour]) / HOURS[hour]) * 3600));
  const [hh, mm, ss] = [(second / 3600) | 0, ((second / 60) | 0) % 60, second % 60].map(twoDigits);
  const duration = Math.min(7200, Math.max(1, Math.round(-90 * Math.log(1 - random()))));
  const phone = phoneOf[pickSubscriber()];
  const cell = cells[Math.floor(random() * CELLS)];
  lines.push(`${phone},2024-05-01 ${hh}:${mm}:${ss},${duration},${cell}\n`);
  if (lines.length >= ROWS_A_WRITE) {
    writeSync(file, lines.join(''));
    lines = [];
  }
}
writeSync(file, lines.join(''));
closeSync(file);
