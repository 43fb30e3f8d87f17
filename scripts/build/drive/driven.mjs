// An instrumented module that a script drives through what most people do: `node SCRIPT.mjs driven.wasm
// through.json`.
import { readFileSync, writeFileSync } from 'node:fs';
import { initSync } from '#core';

/** Functions that were entered. @type {Set<number>} */
const entered = new Set();
const profile = { through: (/** @type {number} */ number) => entered.add(number) };
initSync({ module: readFileSync(process.argv[2]), beside: { profile } });

/** Writes their numbers. */
export const tell = () => writeFileSync(process.argv[3], JSON.stringify([...entered].sort((a, b) => a - b)));
