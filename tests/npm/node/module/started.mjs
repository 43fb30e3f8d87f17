// A module started whole or in parts, as the first argument says.
import { readFileSync } from 'node:fs';
import { imports, initSync } from '#core';

/** @param {string} path of the project */
export const read = (path) => readFileSync(new URL(`../../../../${path}`, import.meta.url));

/**
 * Starts it and counts how often the rest is loaded.
 * @param {{ first: string, rest: string }} parts their paths
 */
export function start(parts) {
  const counted = { loads: 0 };
  /** @type {WebAssembly.Exports} */
  let first = {};
  const rest = {
    load() {
      counted.loads++;
      new WebAssembly.Instance(new WebAssembly.Module(read(parts.rest)), imports({ first }));
    },
  };
  const module = read(process.argv[2] === 'whole' ? 'dist/wasm/whole.wasm' : parts.first);
  first = initSync({ module, beside: { rest } });
  return counted;
}
