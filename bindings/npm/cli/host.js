// System calls of the command line, by Node. Errors keep the codes of Node's errors.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import tty from 'node:tty';
import { fileURLToPath } from 'node:url';
import { pathOf, textOf } from './paths.js';
import { unpacker } from './unpacker.js';

/** Milliseconds until a stream that is not ready is asked again. */
const PAUSE = 5;
/** Bytes that a program may print. */
const MOST_PRINTED = 2 ** 30;
/** Programs that show a file in the browser. @type {Record<string, string[]>} */
const OPENERS = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Does what a stream may not be ready for: pipes and terminals can be set not to wait.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
function patiently(work) {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      Atomics.wait(clock, 0, 0, PAUSE);
    }
  }
}

/** @param {() => unknown} work that may find nothing to do */
function quietly(work) {
  try {
    work();
  } catch {}
}

/** Where a link leads, also when no file is there yet. @param {string} path */
function targetOf(path) {
  try {
    return textOf(fs.readlinkSync(pathOf(path), 'buffer'));
  } catch {
    return undefined;
  }
}

/**
 * Identifies a regular file: its number on its disk.
 * @param {() => fs.BigIntStats | undefined} find
 */
function identity(find) {
  try {
    const found = find();
    return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** Exit code of the program that ran last. @type {number | undefined} */
let exit;

export const host = {
  /** @param {string} path */
  open: (path) => fs.openSync(pathOf(path), 'r'),

  /** @param {string} path @param {boolean} isNew */
  create(path, isNew) {
    const flags = fs.constants.O_WRONLY | (isNew ? fs.constants.O_CREAT | fs.constants.O_EXCL : 0);
    return fs.openSync(pathOf(path), flags);
  },

  /** @param {number} file @param {number} most */
  read(file, most) {
    const bytes = new Uint8Array(most);
    try {
      return bytes.subarray(
        0,
        patiently(() => fs.readSync(file, bytes)),
      );
    } catch (error) {
      // The end of a standard input that is a pipe, on Windows.
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EOF') return bytes.subarray(0, 0);
      throw error;
    }
  },

  /** @param {number} file @param {number} offset @param {number} most */
  readAt(file, offset, most) {
    const bytes = new Uint8Array(most);
    let read = 0;
    for (let more = 1; more > 0 && read < most; read += more)
      more = fs.readSync(file, bytes, read, most - read, offset + read);
    return bytes.subarray(0, read);
  },

  unpacker,

  /** @param {number} file @param {Uint8Array} bytes */
  write(file, bytes) {
    for (let at = 0; at < bytes.length; ) at += patiently(() => fs.writeSync(file, bytes, at));
  },

  /** @param {number} file @param {string | undefined} like path of the file that it replaces */
  settle(file, like) {
    const replaced = like === undefined ? undefined : fs.statSync(pathOf(like), { throwIfNoEntry: false });
    if (replaced) fs.fchmodSync(file, replaced.mode & 0o7777);
    fs.fsyncSync(file);
  },

  /** @param {number} file */
  close: (file) => quietly(() => fs.closeSync(file)),

  /** @param {string} from @param {string} to */
  rename: (from, to) => fs.renameSync(pathOf(from), pathOf(to)),

  /** @param {string} path */
  remove: (path) => quietly(() => fs.unlinkSync(pathOf(path))),

  /** Names within a folder; nothing where the path is none. @param {string} path */
  list(path) {
    const folder = pathOf(path);
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    return fs.readdirSync(folder, { encoding: 'buffer' }).map(textOf).sort();
  },

  /** @param {string} path */
  real(path) {
    try {
      return textOf(fs.realpathSync(pathOf(path), 'buffer'));
    } catch {
      const target = targetOf(path);
      return target === undefined ? undefined : resolve(path, '..', target);
    }
  },

  /** @param {string} path */
  isRegular: (path) =>
    fs.statSync(pathOf(path), { throwIfNoEntry: false })?.isFile() ?? targetOf(path) !== undefined,

  /** @param {string} path */
  identity: (path) => identity(() => fs.statSync(pathOf(path), { bigint: true, throwIfNoEntry: false })),

  /** @param {number} stream */
  identityOfStream: (stream) => identity(() => fs.fstatSync(stream, { bigint: true })),

  /** @param {number} file */
  size(file) {
    const found = fs.fstatSync(file);
    return found.isFile() ? found.size : undefined;
  },

  now: () => Date.now(),

  /** @param {number} milliseconds */
  wait: (milliseconds) => void Atomics.wait(clock, 0, 0, milliseconds),

  /** Output of a program; `ended` has its exit code. @param {string[]} command */
  run([program, ...args]) {
    const { stdout, status, error } = spawnSync(program, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: MOST_PRINTED,
    });
    if (error) throw error;
    exit = status ?? undefined;
    return new Uint8Array(stdout);
  },

  ended: () => exit,

  /** @param {string} path @param {number} behind */
  append(path, behind) {
    const file = fs.openSync(pathOf(path), fs.constants.O_WRONLY | fs.constants.O_CREAT);
    fs.ftruncateSync(file, behind);
    fs.closeSync(file);
    return fs.openSync(pathOf(path), 'a');
  },

  /** @param {number} file */
  changed: (file) => fs.fstatSync(file).mtimeMs,

  /** @param {number} stream */
  columns(stream) {
    if (!tty.isatty(stream)) return undefined;
    const { columns } = stream === 1 ? process.stdout : process.stderr;
    return columns || 80;
  },

  /** The module itself has at most 4 GiB. `constrainedMemory` knows control groups, and is beyond all where there are none. */
  memory: () => Math.min(os.totalmem(), process.constrainedMemory?.() || Infinity, 2 ** 32),

  /** @param {string} name */
  variable: (name) => process.env[name],
  milliseconds: () => performance.now(),

  /** The page in one file, as the package has it. */
  pages: () => [textOf(Buffer.from(fileURLToPath(new URL('../../rowscape.html', import.meta.url))))],

  opener: () => OPENERS[process.platform] ?? ['xdg-open'],

  privateFolder: () => textOf(Buffer.from(fs.mkdtempSync(join(os.tmpdir(), 'rowscape-')))),

  process: () => process.pid,
};
