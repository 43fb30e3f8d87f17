// Puts functions of a wasm module beside those that are like them. What compresses it finds again what stands in the 32 KB before,
// and the compiler leaves its instances of one function all over a megabyte (docs/decisions/0015).
import { defined, read, replace, written } from './binaryen.mjs';

/** Bytes that are looked for at a time. */
const PIECE = 6;
/** Bytes of functions that are found again: some room is left for what is found within the next one. */
const WINDOW = 20_000;
/** The section of a module that holds what functions do. */
const CODE = 10;

/** A number of wasm, and the place behind it. @param {Uint8Array} bytes @param {number} at */
function unsigned(bytes, at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** The bytes of each function with a body. @param {Uint8Array} module */
function bodies(module) {
  const found = [];
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [size, start] = unsigned(module, at + 1);
    at = start + size;
    if (id !== CODE) continue;
    let [count, next] = unsigned(module, start);
    for (; count > 0; count--) {
      const [length, from] = unsigned(module, next);
      next = from + length;
      found.push(module.subarray(from, next));
    }
  }
  return found;
}

/** What is looked for of a function: each run of bytes once, by its hash. @param {Uint8Array} body */
function pieces(body) {
  const found = new Set();
  for (let at = 0; at + PIECE <= body.length; at++) {
    let hash = 0;
    for (let place = at; place < at + PIECE; place++) hash = Math.imul(hash ^ body[place], 0x01000193) + 1;
    found.add(hash);
  }
  return found;
}

/**
 * Numbers of functions, each followed by that of which most is found among those just before.
 * @param {Uint8Array[]} all
 */
function order(all) {
  const parts = all.map(pieces);
  /** The functions that have a piece, and how often it stands in the window. @type {Map<number, { in: number[], seen: number }>} */
  const known = new Map();
  for (const [number, of] of parts.entries())
    for (const piece of of) {
      const entry = known.get(piece) ?? { in: [], seen: 0 };
      if (!entry.in.length) known.set(piece, entry);
      entry.in.push(number);
    }
  /** Pieces of each function that the window has. */
  const shared = new Int32Array(all.length);
  /** @param {number} number @param {number} by 1 when it comes into the window, -1 when it leaves */
  const move = (number, by) => {
    for (const piece of parts[number]) {
      const entry = known.get(piece);
      if (!entry) continue;
      entry.seen += by;
      if (entry.seen === (by > 0 ? 1 : 0)) for (const other of entry.in) shared[other] += by;
    }
  };
  const share = (/** @type {number} */ number) => shared[number] / (parts[number].size + 8) ** 0.75;
  const left = new Set(all.keys());
  /** @type {number[]} */
  const ordered = [];
  let held = 0;
  let oldest = 0;
  while (left.size) {
    let next = -1;
    for (const number of left) if (next < 0 || share(number) > share(next)) next = number;
    left.delete(next);
    ordered.push(next);
    move(next, 1);
    held += all[next].length;
    while (held > WINDOW && oldest < ordered.length - 1) {
      const gone = ordered[oldest++];
      move(gone, -1);
      held -= all[gone].length;
    }
  }
  return ordered;
}

/** The same module with its functions in another order. @param {Uint8Array} bytes */
export function reordered(bytes) {
  const module = read(bytes);
  const functions = defined(module);
  for (const number of order(bodies(bytes))) replace(module, functions[number], functions[number].body);
  return written(module);
}
