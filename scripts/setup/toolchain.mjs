// The Rust side of set-up: the wasm target, and wasm-bindgen's tools in the version the lock file names.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ask, begin, ROOT, readJson, run, Told, timed, which } from '../run.mjs';
import { canInstall, install } from './debian-wasm.mjs';

export const WASM = 'wasm32-unknown-unknown';
const KEPT = join(ROOT, '.cache', 'toolchain.json');
const TOOLS = join(ROOT, 'target', 'tools');

/**
 * Where the wasm target came from, if not from rustup.
 * @returns {{ cargo: string, env: Record<string, string> }}
 */
const kept = () => readJson(KEPT) ?? { cargo: 'cargo', env: {} };

/** Options of LLVM that take a tenth off the module for two hundredths of its speed: docs/decisions/0015. */
const SMALLER = [
  '-inlinehint-threshold=150',
  '-unroll-runtime=false',
  '-unroll-allow-partial=false',
  '-unroll-full-max-count=0',
];

/** The file of a program. @param {string} name */
const file = (name) => (process.platform === 'win32' ? `${name}.exe` : name);

/** The program that writes the bindings of a wasm module. */
export const BINDGEN = join(TOOLS, 'debug', file('rowscape-bindgen'));

/**
 * The cargo that can build for wasm, and the environment it needs.
 * @param {{ root?: string, small?: boolean }} [options] root: the tree that is built, whose path shall not be in the result; small: at
 *   the cost of two hundredths of the speed
 */
export function wasmCargo({ root = ROOT, small = true } = {}) {
  const { cargo, env } = kept();
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const flags = [
    '-Ctarget-feature=+simd128',
    ...(small ? SMALLER : []).map((option) => `-Cllvm-args=${option}`),
    `--remap-path-prefix=${cargoHome}=/cargo`,
    `--remap-path-prefix=${root}=/rowscape`,
  ];
  return { cargo, env: { ...env, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') } };
}

/** True if this compiler has the standard library for wasm. @param {string} rustc */
function hasWasm(rustc) {
  const folder = ask(rustc, ['--print', 'target-libdir', '--target', WASM]);
  return folder && existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('libcore-'));
}

/** Makes sure that Rust can build for wasm. */
export async function setUpWasmTarget() {
  if (hasWasm(kept().env.RUSTC ?? 'rustc')) return;
  if (which('rustup')) {
    try {
      return await timed(`Rust: adding the target ${WASM}`, () => run('rustup', ['target', 'add', WASM]));
    } catch (error) {
      console.log(error instanceof Error ? error.message : error);
    }
  }
  if (!canInstall()) {
    throw new Told(
      `Rust can't build for ${WASM} here. With rustup and a network: rustup target add ${WASM}. ` +
        "With a distribution's Rust: install its package for that target (Fedora: rust-std-static-wasm32-unknown-unknown, " +
        'Arch: rust-wasm, Debian as root: this script does it). Then run this again.',
    );
  }
  const found = await timed("Rust for wasm from Debian's packages", install);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(found, null, 2));
}

/** Builds the program that writes bindings; cargo sees when there is nothing to do. */
export async function setUpBindgen() {
  // Without debug information: a third less work.
  const env = { CARGO_PROFILE_DEV_DEBUG: 'false' };
  const args = ['build', '--locked', '--package', 'rowscape-bindgen', '--target-dir', TOOLS];
  if (existsSync(BINDGEN)) await begin('cargo', [...args, '--quiet'], { env });
  else await timed('wasm-bindgen: building, once', () => begin('cargo', args, { env, quiet: true }));
}

/** The version of cargo-deny that `.cargo/deny.toml` is written for. */
const DENY = '0.20.2';

/**
 * Installs cargo-deny for this user in CI, where it is missing: it takes minutes.
 * @returns {Promise<string | undefined>} the program; undefined where it is not to be had
 */
export async function setUpDeny() {
  const installed = () => (which('cargo-deny') ? 'cargo-deny' : undefined);
  if (installed() || !process.env.CI || process.platform !== 'linux') return installed();
  // Quick to build rather than to run.
  const env = { CARGO_PROFILE_DEV_DEBUG: 'false', CARGO_INCREMENTAL: '0' };
  const args = ['install', '--locked', '--debug', `cargo-deny@${DENY}`];
  try {
    await timed('cargo-deny: building, once', () => begin('cargo', args, { env, quiet: true }));
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
  }
  return installed();
}
