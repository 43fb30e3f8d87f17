// Paths of any bytes as text, as `src/cli/paths.rs` has them: a byte that is no UTF-8 is one of the last 256 characters.
import { readFileSync } from 'node:fs';

const FIRST = 0x10ff00;
const STANDS = /[\u{10ff00}-\u{10ffff}]/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A path, as bytes where it is no text. @param {string} text */
export function pathOf(text) {
  if (!STANDS.test(text)) return text;
  const bytes = (/** @type {string} */ char) =>
    STANDS.test(char) ? [/** @type {number} */ (char.codePointAt(0)) - FIRST] : [...Buffer.from(char)];
  return Buffer.from([...text].flatMap(bytes));
}

/** A path as text. @param {Uint8Array} path */
export function textOf(path) {
  try {
    const text = utf8.decode(path);
    if (!STANDS.test(text)) return text;
  } catch {}
  // Every byte of a character beyond ASCII may stand by itself.
  return Array.from(path, (byte) => String.fromCodePoint(byte < 0x80 ? byte : FIRST + byte)).join('');
}

/** The arguments as they were given: Node has them with U+FFFD for what is no text. @param {string[]} args */
export function givenArgs(args) {
  if (!args.some((arg) => arg.includes('\ufffd') || STANDS.test(arg))) return args;
  try {
    const all = readFileSync('/proc/self/cmdline').toString('latin1').split('\0').slice(0, -1);
    return all.slice(-args.length).map((arg) => textOf(Buffer.from(arg, 'latin1')));
  } catch {
    return args;
  }
}

/** Options that name a file to write. */
const WRITES = /^(-[^-]*o|--(output|html|svg|sarif|save)(=|$))/;

/** True if the arguments may name a file to write: then a signal has something to clean up. @param {string[]} args */
export const nameFiles = (args) => args.some((arg) => WRITES.test(arg));
