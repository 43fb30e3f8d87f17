// Rust for wasm where rustup can't download: Debian's rustc-web, and a standard library built from its
// sources.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.mjs';
import { apt, canApt } from './apt.mjs';

const TARGET = 'wasm32-unknown-unknown';
const LIBRARIES = `/usr/lib/rustlib/${TARGET}/lib`;
const CARGO = '/usr/bin/cargo';
const ENV = {
  RUSTC: '/usr/bin/rustc',
  RUSTDOC: '/usr/bin/rustdoc',
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: 'wasm-ld-19',
};

export const canInstall = canApt;

/**
 * Installs it.
 * @returns {{ cargo: string, env: Record<string, string> }} the cargo to call, and its environment
 */
export function install() {
  apt(['rustc-web', 'cargo-web', 'rust-web-src', 'lld-19']);
  if (!existsSync(LIBRARIES) || !readdirSync(LIBRARIES).some((name) => name.startsWith('libcore-')))
    buildStd();
  return { cargo: CARGO, env: ENV };
}

/**
 * Debian ships the sources of the standard library, not its build for a browser: an empty crate makes cargo
 * build it.
 */
function buildStd() {
  const folder = mkdtempSync(join(tmpdir(), 'mkstd-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'lib.rs'), '');
    writeFileSync(
      join(folder, 'Cargo.toml'),
      '[package]\nname = "mkstd"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n',
    );
    const std = '-Zbuild-std=std,panic_abort,panic_unwind,test';
    run(CARGO, ['build', '--release', std, '--target', TARGET, '--target-dir', 'target'], {
      cwd: folder,
      env: { ...ENV, RUSTC_BOOTSTRAP: '1' },
    });
    const built = join(folder, 'target', TARGET, 'release', 'deps');
    mkdirSync(LIBRARIES, { recursive: true });
    for (const name of readdirSync(built)) {
      if (name.endsWith('.rlib') && !name.startsWith('libmkstd'))
        copyFileSync(join(built, name), join(LIBRARIES, name));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
