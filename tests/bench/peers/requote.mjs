// The same records under other names, in another order, every value in quotes: node requote.mjs IN.csv OUT.csv
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const [source, out] = process.argv.slice(2);
const HEADER = '"cell","placed_at","caller","seconds"\r\n';
const LINES_A_WRITE = 20_000;

const lines = readFileSync(source, 'latin1').trimEnd().split('\n').slice(1);
const file = openSync(out, 'w');
writeSync(file, HEADER);
for (let i = 0; i < lines.length; i += LINES_A_WRITE) {
  const part = lines.slice(i, i + LINES_A_WRITE).map((line) => {
    const [phone, time, duration, cell] = line.split(',');
    return `"${cell}","${time}","${phone}","${duration}"\r\n`;
  });
  writeSync(file, part.join(''));
}
closeSync(file);
