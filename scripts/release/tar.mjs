// A folder as a tar file that holds nothing but names and bytes, so that two builds write the same.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Bytes of a name in a header without its prefix. */
const NAME = 100;

/** @param {string} name @param {number} size */
function header(name, size) {
  const block = Buffer.alloc(BLOCK);
  const cut = Buffer.byteLength(name) > NAME ? name.indexOf('/', Buffer.byteLength(name) - NAME - 1) : -1;
  if (Buffer.byteLength(name) > NAME && cut < 0) throw new Error(`name too long for a tar file: ${name}`);
  block.write(name.slice(cut + 1), 0);
  block.write('0000644\0', 100);
  block.write('0000000\0'.repeat(2), 108);
  block.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0${' '.repeat(8)}0`, 124);
  block.write('ustar\x0000', 257);
  if (cut > 0) block.write(name.slice(0, cut), 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/**
 * The files below a folder, compressed.
 * @param {string} folder
 * @param {string} top the folder they are in when unpacked
 */
export function packed(folder, top) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
  const blocks = files.flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    return [header(`${top}/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}
