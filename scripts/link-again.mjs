// Links a compiled crate a second time, with fewer exports: the linker leaves out what only the others need, functions and data.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { begin, Told } from './run.mjs';
import { linkerOf } from './toolchain.mjs';

/** In the tree that is built. */
const LINKED_WITH = 'target/linked-with';

/** What rustc is asked beside: to keep the object it links, and to write down how it calls the linker. */
export const KEPT = ['--emit=obj', `--print=link-args=${LINKED_WITH}`];

/** What wasm-bindgen calls an export: rustc's name is followed by a hash of the crate, that of its description begins so. @param {string} name */
const bare = (name) => name.replace(/^__wbindgen_describe_/, '').replace(/_[0-9a-f]{16}$/, '');

/** The program and its arguments, as rustc writes them: in quotes, after assignments to the environment. @param {string} text */
function command(text) {
  const words = text.match(/(?:\w+=)?"(?:[^"\\]|\\.)*"/g) ?? [];
  const [program, ...args] = words.filter((word) => word.startsWith('"')).map((word) => JSON.parse(word));
  return { program, args };
}

/**
 * @param {string} root the tree that was built
 * @param {string} linked the module that was linked from it
 * @param {string} name of the second
 * @param {(name: string) => boolean} unwanted exports of wasm-bindgen that are left out
 * @returns {Promise<string>} where the second module is
 */
export async function linkedAgain(root, linked, name, unwanted) {
  const { program, args } = command(readFileSync(join(root, LINKED_WITH), 'utf8'));
  const at = args.findIndex((arg) => arg.endsWith('.rcgu.o'));
  const object = join(dirname(linked), 'deps', 'rowscape.o');
  const out = args.indexOf('-o') + 1;
  if (at < 0 || !out || !existsSync(object))
    throw new Told(`${join(root, LINKED_WITH)}: rustc links otherwise`);
  const again = join(dirname(linked), `rowscape-${name}.wasm`);
  args[at] = object;
  args[out] = again;
  const left = (/** @type {number} */ at) => args[at] === '--export' && unwanted(bare(args[at + 1]));
  const given = args.filter((_, at) => !left(at) && !left(at - 1));
  const flavor = given[0] === '-flavor' ? given.splice(0, 2) : [];
  // Their names take more room than a command may have on Windows.
  const list = `${again}.args`;
  writeFileSync(list, given.map((arg) => JSON.stringify(arg)).join('\n'));
  await begin(linkerOf(program), [...flavor, '--rsp-quoting=posix', `@${list}`]);
  return again;
}
