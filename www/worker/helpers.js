// Other workers of the page, which help to read a large file.
import { eachOf } from './gunzip.js';
import { openPacked } from './packed-source.js';
import { Intake, recordsOf } from './read-records.js';
import { groupSlices, inSlices, NEAR, OtherWorker, sliceOf, textSlices } from './slices.js';
import { pieces } from './source.js';
import { stopIfCancelled } from './stopping.js';
import { prepare, startBeside } from './wasm-first.js';

/** @import { PackedText } from './packed.js' */
/** @import { Asked, FirstPart } from './read-records.js' */
/** @import { Slice, SliceProgress, Slices, Start } from './slices.js' */

/**
 * A slice that a worker is to read: a file, which is the last of these names, from one byte or row group to another, if it takes at most
 * `budget` bytes of memory.
 * @typedef {Pick<Asked, 'input' | 'document' | 'table'> & { names: string[], file: Blob, packed: boolean, from: number, to: number, budget: number }} SliceAsked
 */

/** How the first slice of a file is read; `taken` is told of each other one. @typedef {{ readFirst: () => Promise<void>, taken: (at: number, slice: Slice) => void }} Plan */

/**
 * Reads a large file in slices, up to the last one that can be taken in.
 * @param {FirstPart} part
 * @returns {Promise<number>} the byte or the row group from which the rest is to be read
 */
export async function readSlices(part) {
  const { ask, names, file, packed, intake, beside, tell } = part;
  if (!intake.isWhole) return 0;
  const most = { workers: ask.workers ?? navigator.hardwareConcurrency, step: ask.step };
  const slices = packed
    ? groupSlices(packed.groupRows(), most)
    : await textSlices((from, to) => bytesOf(file, from, to), file.size, most);
  if (!slices || !(await canHelp())) return 0;
  const { cuts, share } = slices;
  const { input, document, table } = ask;
  const budget = intake.budget / cuts.length;
  const asked = { input, document, table, names, file, packed: packed !== null, budget };
  const others = cuts
    .slice(1)
    .map((to, at) => new OtherWorker(helper({ ...asked, from: cuts[at], to }), beside));
  /** Ends the others where they are of no use. */
  const endOthers = () => {
    if (!intake.isWhole) for (const other of others) other.end();
  };
  const { readFirst, taken } = packed
    ? groupsOf(part, packed, slices, endOthers)
    : textOf(part, slices, endOthers);
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

/** A text in slices. @param {FirstPart} part @param {Slices} slices @param {() => void} endOthers @returns {Plan} */
function textOf({ file, intake, take, note }, { cuts }, endOthers) {
  const { size } = file;
  let isReserved = false;
  let bytes = 0;
  /** Notes what was taken, and makes room once the first records are known. */
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
  return { readFirst: () => take(noted()), taken: (at) => note(cuts[at], size) };
}

/**
 * A table in slices of row groups.
 * @param {FirstPart} part @param {PackedText} packed @param {Slices} slices @param {() => void} endOthers
 * @returns {Plan}
 */
function groupsOf({ intake, take, note }, packed, { cuts }, endOthers) {
  const all = packed.groupRows().reduce((sum, rows) => sum + rows, 0);
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
  const head = recordsOf(input);
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
