// Files of HBase itself, read in a worker of their own: the records of the page stay as they are.
import { Engine } from '../state/engine.js';
import { change, state } from '../state/store.js';
import { say } from '../text/sentences.js';
import '../text/later-sentences.js';

/** @import { ObservedFile } from '../types.d.ts' */

/** First bytes of HFiles, write-ahead logs, files that name regions, dumps that were collected, and packed ones. */
const GZIP = '\x1f\x8b';
const MAGIC = ['DATABLK', 'IDXROOT2', 'PWAL', 'PBUF', '# rowsca', GZIP];
/** Files of which one shows what all are. */
const FIRST = 64;
/** Names of files that HBase writes and that begin with other bytes. */
const NAMES = /(^|\/)(data\.manifest|\.regioninfo|[0-9a-f]{32}(_SeqId_\d+_)?)$/;
/** Bytes of memory that counting takes at most, about. */
const MEMORY = 400 * 2 ** 20;
/** Files of a folder that are looked at. */
const MOST = 100_000;

/** @type {Engine | null} */
let engine = null;

/** True if one of the first files is one that HBase writes. @param {readonly ObservedFile[]} files */
export async function areOfHbase(files) {
  for (const { path, data } of files.slice(0, FIRST)) {
    if (NAMES.test(path)) return true;
    const head = new Uint8Array(await data.slice(0, 8).arrayBuffer());
    const text = String.fromCharCode(...head);
    if (MAGIC.some((magic) => text.startsWith(magic))) return true;
  }
  return files.length > 1;
}

/** Dumps of a cluster's counters, by what only they have in their first bytes. */
const DUMP =
  /"LiveNodes"|"live_servers"|Hadoop:service=HBase|^# (HELP|TYPE) \w*region|^HBase hbtop - |^\s*\d+ live servers|requestsPerSecond=/m;
/** First bytes that are looked at. */
const HEAD = 4096;

/**
 * Reads files that belong to a table in use, where the first of them does.
 * @param {readonly File[]} files that were dropped or chosen
 * @returns {Promise<boolean>}
 */
export async function observeDropped(files) {
  for (const { path, data } of named(files.slice(0, FIRST))) {
    const text = String.fromCharCode(...new Uint8Array(await data.slice(0, HEAD).arrayBuffer()));
    const isStore = MAGIC.some((magic) => magic !== GZIP && text.startsWith(magic));
    if (NAMES.test(path) || isStore || DUMP.test(text)) {
      void observe(named(files));
      return true;
    }
  }
  return false;
}

/** Files of an input or of a folder that was chosen. @param {Iterable<File>} files @returns {ObservedFile[]} */
export const named = (files) =>
  Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, data: file }));

/**
 * Files that were dropped, with those of folders.
 * @param {DataTransfer} dropped
 * @returns {Promise<ObservedFile[]>}
 */
export async function droppedFiles(dropped) {
  const entries = Array.from(dropped.items, (item) => item.webkitGetAsEntry?.());
  if (!entries.some((entry) => entry?.isDirectory)) return named(dropped.files);
  /** @type {ObservedFile[]} */
  const found = [];
  /** @param {FileSystemEntry | null | undefined} entry */
  const visit = async (entry) => {
    if (!entry || found.length >= MOST) return;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) =>
        /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
      );
      found.push({ path: entry.fullPath.replace(/^\//, ''), data: file });
      return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) await visit(one);
    }
  };
  for (const entry of entries) await visit(entry);
  return found;
}

/**
 * Reads files, and shows what they come to.
 * @param {ObservedFile[]} files
 * @param {boolean} [all] every cell of HFiles, not only their index
 */
export async function observe(files, all = false) {
  engine?.end();
  const mine = new Engine();
  engine = mine;
  const given = { files, all };
  change({
    observed: {
      ...given,
      answer: state.observed?.files === files ? state.observed.answer : null,
      progress: [0, 0],
      problem: null,
    },
    pasted: null,
    opened: true,
  });
  const update = (/** @type {Partial<NonNullable<typeof state.observed>>} */ more) => {
    if (engine === mine && state.observed) change({ observed: { ...state.observed, ...more } });
  };
  try {
    const options = { all, memory: MEMORY };
    const answer = await mine.ask('observe', { files, options }, (progress) =>
      update({ progress: /** @type {any} */ (progress).observed }),
    );
    update({ answer, progress: null });
  } catch (error) {
    const {
      cancelled,
      code = 'observe.unreadable',
      args,
      message,
    } = /** @type {import('../state/engine.js').EngineError} */ (error);
    if (!cancelled)
      update({ progress: null, problem: { code, place: {}, args: { error: message, ...args }, message } });
  } finally {
    mine.end();
    if (engine === mine) engine = null;
  }
}

/**
 * The same of a text that was pasted or dropped, and of the time it is from.
 * @param {string} text
 * @param {string} name
 * @param {number} changed
 */
export const observeText = (text, name, changed) =>
  observe([{ path: name || say('page.pasted'), data: new Blob([text]), changed }]);

/** Takes the files away, and ends the reading. */
export function forgetObserved() {
  engine?.end();
  engine = null;
  change({ observed: null });
}
