// Other workers of the page, which help to read a large file.
import * as core from '#core';
import { eachOf } from './gunzip.js';
import { openPacked } from './packed-source.js';
import { Intake } from './read-records.js';
import {
  BYTES_OF_RECORD,
  groupCuts,
  inSlices,
  MOST_WORKERS,
  NEAR,
  OtherWorker,
  sliceCount,
  sliceOf,
  textCuts,
} from './slices.js';
import { pieces } from './source.js';
import { stopIfCancelled } from './stopping.js';
import { prepare, startBeside } from './wasm-first.js';

/** @import { PackedText } from './packed.js' */
/** @import { Asked, FirstPart } from './read-records.js' */
/** @import { Slice, SliceProgress, Start } from './slices.js' */

/**
 * A slice that a worker is to read: a file, which is the last of these names, from one byte or row group to another, if it takes at most
 * `budget` bytes of memory.
 * @typedef {Pick<Asked, 'input' | 'document' | 'table'> & { names: string[], file: Blob, packed: boolean, from: number, to: number, budget: number }} SliceAsked
 */

/**
 * A file to be read in slices: where they end, the share of the first, and how that is read; `taken` is told of each other one.
 * @typedef {{ cuts: number[], share: number, readFirst: () => Promise<void>, taken: (at: number, slice: Slice) => void }} Plan
 */

/**
 * Reads a large file in slices, up to the last one that can be taken in.
 * @param {FirstPart} part
 * @returns {Promise<number>} the byte or the row group from which the rest is to be read
 */
export async function readSlices(part) {
  const { ask, names, file, packed, intake, beside, tell } = part;
  if (!intake.isWhole) return 0;
  /** @type {OtherWorker[]} */
  const others = [];
  const endOthers = () => {
    if (!intake.isWhole) for (const other of others) other.end();
  };
  const plan = await (packed ? groupsOf(part, packed, endOthers) : textOf(part, endOthers));
  const { cuts, share, readFirst, taken } = plan;
  if (cuts.length < 2 || !(await canHelp())) return 0;
  const { input, document, table } = ask;
  const budget = intake.budget / cuts.length;
  const asked = { input, document, table, names, file, packed: packed !== null, budget };
  for (const [at, to] of cuts.slice(1).entries())
    others.push(new OtherWorker(helper({ ...asked, from: cuts[at], to }), beside));
  const before = intake.reader.rows;
  const first = async () => {
    await readFirst();
    intake.encode(share, before);
  };
  const told = {
    tell() {
      stopIfCancelled();
      tell();
    },
    taken(/** @type {number} */ at, /** @type {Slice} */ slice) {
      part.slices++;
      taken(at, slice);
    },
  };
  const read = await inSlices(others, first, intake, told);
  return cuts[read - 1];
}

/** @param {FirstPart['ask']} ask @param {number} bytes */
const countOf = ({ step, workers = navigator.hardwareConcurrency }, bytes) =>
  sliceCount(bytes, { step, workers: Math.min(MOST_WORKERS, workers) });

/** A text in slices. @param {FirstPart} part @param {() => void} endOthers @returns {Promise<Plan>} */
async function textOf({ ask, file, intake, take, note }, endOthers) {
  const { size } = file;
  const cuts = await textCuts((from, to) => bytesOf(file, from, to), size, countOf(ask, size));
  let isReserved = false;
  let bytes = 0;
  /** Notes what was taken, makes room once the first records are known, and ends the others where they are of no use. */
  async function* noted() {
    for await (const chunk of eachOf(file.slice(0, cuts[0]).stream())) {
      if (!isReserved && bytes > NEAR) intake.reserveFor(size - bytes);
      isReserved ||= bytes > NEAR;
      endOthers();
      bytes += chunk.length;
      note(bytes, size);
      yield chunk;
    }
  }
  return {
    cuts,
    share: cuts[0] / size,
    readFirst: () => take(noted()),
    taken: (at) => note(cuts[at], size),
  };
}

/**
 * A table in slices of row groups.
 * @param {FirstPart} part @param {PackedText} packed @param {() => void} endOthers
 * @returns {Promise<Plan>}
 */
async function groupsOf({ ask, intake, take, note }, packed, endOthers) {
  const rows = packed.groupRows();
  const sum = (/** @type {number} */ to) => rows.slice(0, to).reduce((all, some) => all + some, 0);
  const all = sum(rows.length);
  const cuts = groupCuts(rows, countOf(ask, all * BYTES_OF_RECORD));
  const before = { rows: intake.reader.rows, bytes: intake.reader.bytes };
  let isReserved = false;
  async function* noted() {
    packed.only(0, cuts[0]);
    for await (const text of packed.text()) {
      const { rows: now, bytes } = intake.reader;
      if (!isReserved && now > before.rows)
        intake.reserveFor((bytes - before.bytes) * (all / (now - before.rows) - 1));
      isReserved ||= now > before.rows;
      endOthers();
      note(packed.taken, packed.total);
      yield text;
    }
  }
  return {
    cuts,
    share: sum(cuts[0]) / all,
    readFirst: () => take(noted()),
    taken(_, { bytes }) {
      packed.taken += bytes;
      note(packed.taken, packed.total);
    },
  };
}

/** True once this worker has the part of the module that takes slices in. */
const canHelp = () =>
  prepare('slices').then(
    () => true,
    () => false,
  );

/** Starts a worker on a slice. @param {SliceAsked} asked @returns {Start} */
const helper = (asked) => (done, far) => {
  const worker = startBeside();
  const fail = () => done(null);
  worker.onmessage = ({ data }) => {
    if (data.progress) far(data.progress);
    else if (data.wanted) fail();
    else if (data.id) done(data.given ?? null);
  };
  worker.onmessageerror = fail;
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  worker.postMessage({ id: 1, type: 'slice', ask: asked });
  return () => worker.terminate();
};

/** @param {Blob} file @param {number} from @param {number} to */
const bytesOf = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());

/**
 * Reads a slice for another worker.
 * @param {SliceAsked} asked
 * @param {(progress: SliceProgress) => void} progress
 * @returns {Promise<Slice | null>} null where it can't be taken in by the reader of the file
 */
export const readSlice = (asked, progress) =>
  asked.packed ? readGroups(asked, progress) : readText(asked, progress);

/** @param {SliceAsked} asked @param {(progress: SliceProgress) => void} progress */
async function readText({ input, document, table, names, file, from, to, budget }, progress) {
  const head = new core.Records(input);
  head.ofKinds(document, table);
  for (const name of names) head.nextFile(name);
  head.push(await bytesOf(file, 0, NEAR));
  const slice = head.apartFrom(from);
  head.free();
  if (!slice) return null;
  const text = async function* () {
    for await (const chunk of eachOf(file.slice(from, to).stream())) yield* pieces(chunk);
  };
  return sliceOf(slice, text(), { document, table, budget, taken: () => slice.bytes }, progress);
}

/** @param {SliceAsked} asked @param {(progress: SliceProgress) => void} progress */
async function readGroups(asked, progress) {
  const { names, file, from, to } = asked;
  const packed = await openPacked({ name: names[names.length - 1], file: /** @type {File} */ (file) });
  if (!packed) return null;
  const opened = packed.taken;
  try {
    const intake = new Intake(asked);
    for (const name of names) intake.reader.nextFile(name);
    intake.narrow(packed);
    packed.only(from, to);
    const text = packed.text();
    const { value: header } = await text.next();
    if (header) intake.push(header);
    const slice = intake.apartFrom(0);
    if (!slice) return null;
    const each = async function* () {
      for await (const chunk of text) yield* pieces(chunk);
    };
    return await sliceOf(slice, each(), { ...asked, taken: () => packed.taken - opened }, progress);
  } finally {
    await packed.end();
  }
}
