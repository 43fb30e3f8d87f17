// The oldest Rust that Cargo.toml promises compiles the library and the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, ROOT, run, Told, timed, which } from '../run.mjs';

async function main() {
  const oldest = /^rust-version = "(.+)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
  if (!oldest) throw new Told('Cargo.toml names no rust-version');
  if (!which('rustup')) return console.log(`Rust ${oldest}: skipped, because rustup is missing`);
  await timed(`Rust ${oldest}`, () => {
    run('rustup', ['toolchain', 'install', oldest, '--profile', 'minimal', '--no-self-update'], {
      quiet: true,
    });
    // A folder of its own: what another compiler made there would be made again.
    const args = [`+${oldest}`, 'check', '--locked', '--target-dir', join('target', 'oldest')];
    for (const features of [[], ['--lib', '--no-default-features']]) run('cargo', [...args, ...features]);
  });
}

program(main);
