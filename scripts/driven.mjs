// A module that is driven, instrumented, through what most people do, and the numbers of the functions it went through.
import { readFileSync } from 'node:fs';
import { beside, initSync } from '#core';

/** Functions that were entered. @type {Set<number>} */
const entered = new Set();
beside.profile = { through: (/** @type {number} */ number) => entered.add(number) };
initSync({ module: readFileSync(process.argv[2]) });

/** Prints their numbers. */
export const tell = () => console.log(JSON.stringify([...entered].sort((a, b) => a - b)));
