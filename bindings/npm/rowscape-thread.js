// A thread of Node that reads a slice of a file for threads.js, which gives it the bytes: a `Blob` of a file can't be handed over.
import { parentPort, workerData } from 'node:worker_threads';
import { startNow } from './start.js';
import { MAGIC_BYTES, PackedText } from './wasm/packed.js';
import * as wasm from './wasm/rowscape.js';
import { NEAR, sliceOf } from './wasm/slices.js';

/** @import { ThreadSlice } from './threads.js' */

/** Bytes of text asked for at a time. */
const PIECE = 4 << 20;
/** Bytes handed to the reader at a time. */
const STEP = 1 << 20;

const { module, slice } = /** @type {{ module: WebAssembly.Module, slice: ThreadSlice }} */ (workerData);
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** Those that wait for bytes, in order. @type {((bytes: Uint8Array) => void)[]} */
const waiting = [];
port.on('message', (bytes) => waiting.shift()?.(bytes));

/** @param {number} from @param {number} to @returns {Promise<Uint8Array>} */
const read = (from, to) =>
  new Promise((resolve) => {
    waiting.push(resolve);
    port.postMessage({ wanted: { from, to } });
  });

port.postMessage({ ready: true });
startNow(module);
const keyed = slice.keyed ? slice.document : '';
const given = await (slice.stated === undefined ? readText(slice) : readGroups(slice, slice.stated));
const moved = given
  ? [given.records, ...given.keys].map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer))
  : [];
port.postMessage({ given }, moved);
port.close();

/** A reader of the file as it is at its first record. @param {ThreadSlice} slice */
function begun({ input, document, table, kinds, files }) {
  const records = input.keys ? wasm.Records.ofKeys(input) : new wasm.Records(input);
  if (kinds) records.ofKinds(document, table);
  for (const { name, kind } of files) records.nextFile(name, kind);
  return records;
}

/** @param {ThreadSlice} slice */
async function readText({ table, from, to, budget }) {
  const head = begun(slice);
  head.push(await read(0, NEAR));
  const own = head.apartFrom(from);
  head.free();
  if (!own) return null;
  async function* pieces() {
    let next = read(from, Math.min(to, from + PIECE));
    for (let at = from; at < to; at += PIECE) {
      const piece = await next;
      // The next are on their way while these are read.
      if (at + PIECE < to) next = read(at + PIECE, Math.min(to, at + 2 * PIECE));
      yield* steps(piece);
    }
  }
  return sliceOf(own, pieces(), { document: keyed, table, budget, taken: () => own.bytes }, tell);
}

/** @param {ThreadSlice} slice @param {string} stated */
async function readGroups({ table, fields, from, to, size, budget }, stated) {
  const { PackedFile } = await import('./wasm/formats.js');
  const packed = await PackedText.open(PackedFile, await read(0, MAGIC_BYTES), { size, read });
  if (!packed) return null;
  const opened = packed.taken;
  if (fields.length) packed.choose(fields);
  packed.only(from, to);
  const head = begun(slice);
  head.state(stated);
  const text = packed.text();
  const { value: header } = await text.next();
  if (header) head.push(header);
  const own = head.apartFrom(0);
  head.free();
  if (!own) return null;
  async function* pieces() {
    for await (const piece of text) yield* steps(piece);
  }
  return sliceOf(own, pieces(), { document: keyed, table, budget, taken: () => packed.taken - opened }, tell);
}

/** @param {Uint8Array} bytes */
function* steps(bytes) {
  for (let at = 0; at < bytes.length; at += STEP) yield bytes.subarray(at, at + STEP);
}

/** @param {import('./wasm/slices.js').SliceProgress} progress */
function tell(progress) {
  port.postMessage({ progress });
}
