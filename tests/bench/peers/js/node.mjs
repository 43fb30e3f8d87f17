// The expert's JavaScript in Node: node --expose-gc node.mjs CSV
import { readFileSync } from 'node:fs';
import { expert } from './expert.mjs';
import { serve } from './serve.mjs';

const [file] = process.argv.slice(2);
await serve(`node ${process.version}`, async () => {
  globalThis.gc?.();
  const begin = performance.now();
  const bytes = readFileSync(file);
  const read = performance.now() - begin;
  const result = expert(bytes);
  result.total += read;
  return { read, ...result, peakMB: process.resourceUsage().maxRSS / 1024 };
});
