// Compiles wasm modules from the Rust sources of a tree: a profile of Cargo.toml and a feature of
// bindings/wasm for each.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { begin, ROOT } from '../run.mjs';
import { WASM, wasmCargo } from '../setup/toolchain.mjs';

/**
 * A module that cargo builds.
 * @typedef {{ profile: string, feature: string, small: boolean }} Module small: with the flags that save bytes
 */

/** The module that those of the page, the npm package and figures are trimmed from. @type {Module} */
export const WHOLE = { profile: 'wasm', feature: 'whole', small: true };
/** Makes and reads row keys: all but the door is compiled for the whole already. @type {Module} */
export const KEYS = { profile: 'wasm', feature: 'keys', small: true };
/** Reads files that are no text. @type {Module} */
export const FORMATS = { profile: 'wasm', feature: 'formats', small: true };
/** The command line. @type {Module} */
export const COMMAND_LINE = { profile: 'wasm-quick', feature: 'cli', small: true };
/** One module in place of all of these, for `npm test`. @type {Module} */
export const FOR_TESTS = { profile: 'wasm-quick', feature: 'whole,formats,cli', small: false };
/** The page of `npm start`. @type {Module} */
export const DEVELOPMENT = { profile: 'page-dev', feature: 'whole', small: false };

/** Its module for packed files. @type {Module} */
export const DEVELOPMENT_FORMATS = { ...DEVELOPMENT, feature: 'formats' };

/**
 * Compiles and links a module.
 * @param {Module} module
 * @param {{ root?: string, quiet?: boolean }} [options] root: the tree to build
 * @returns {Promise<string>} its path
 */
export async function compiled({ profile, feature, small }, { root = ROOT, quiet = false } = {}) {
  const { cargo, env } = wasmCargo({ root, small });
  const which = ['--package', 'rowscape-wasm', '--no-default-features', '--features', feature];
  const how = ['--profile', profile, '--target', WASM, '--target-dir', join(root, 'target')];
  await begin(cargo, ['build', '--locked', ...which, ...how], { cwd: root, env, quiet });
  const made = join(root, 'target', WASM, profile);
  const kept = join(made, `${feature}.wasm`);
  // Cargo writes the next module of this profile over this one.
  copyFileSync(join(made, 'rowscape_wasm.wasm'), kept);
  return kept;
}
