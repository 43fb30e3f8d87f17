// npm run test:python: the Python package, built as pip builds it, with Arrow, polars, pandas, DuckDB and a real Spark.
//   node scripts/check/python.mjs [-k EXPRESSION …]     arguments are pytest's
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, isProgram, program, ROOT, run, Told, timed, which } from '../run.mjs';
import { apt, canApt } from '../setup/apt.mjs';
import { checkTools } from '../setup/index.mjs';

const PACKAGE = join(ROOT, 'bindings', 'python');
const REQUIREMENTS = join(PACKAGE, 'requirements-test.txt');
const WINDOWS = process.platform === 'win32';
/** The oldest Python that the package runs on. */
const PYTHON = [3, 9];
/** Java that Spark runs on. */
const JAVA = 'openjdk-17-jre-headless';

/** The Python that the environment is made with, or undefined where there is none that is new enough. */
function python() {
  for (const name of ['python3', 'python']) {
    const version = /^Python (\d+)\.(\d+)/.exec(ask(name, ['--version']) ?? '');
    if (version && (Number(version[1]) > PYTHON[0] || Number(version[2]) >= PYTHON[1])) return name;
  }
}

/**
 * Makes an environment with what the tests need.
 * @param {string} interpreter
 * @returns {string} its interpreter
 */
function environment(interpreter) {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const folder = join(ROOT, '.cache', `python-${wanted}`);
  const own = join(folder, ...(WINDOWS ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  const stamp = join(folder, 'complete');
  if (existsSync(stamp)) return own;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  // Debian has the module in a package of its own.
  if (ask(interpreter, ['-m', 'venv', folder]) === undefined) {
    if (canApt()) apt(['python3-venv']);
    run(interpreter, ['-m', 'venv', folder]);
  }
  run(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]);
  writeFileSync(stamp, '');
  return own;
}

/** @param {string[]} args of pytest */
async function main(args) {
  checkTools();
  const interpreter = python();
  if (!interpreter) {
    console.log(`The Python package is left out: there is no Python ${PYTHON.join('.')} or later.`);
    return;
  }
  if (!process.env.JAVA_HOME && !which('java') && canApt()) {
    await timed('Java for Spark', () => apt([JAVA]));
  }
  const own = await timed('Python environment', () => environment(interpreter));
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--force-reinstall',
  ];
  // Half the processor time of what is published; a wheel is built by `pip wheel` alone.
  const quick = { CARGO_PROFILE_RELEASE_OPT_LEVEL: '1' };
  await timed('pip install ./bindings/python', () => run(own, [...pip, PACKAGE], { env: quick }));
  // Workers of Spark run the same interpreter, and find the server under a name that every machine has.
  const env = {
    PYSPARK_PYTHON: own,
    PYSPARK_DRIVER_PYTHON: own,
    SPARK_LOCAL_IP: '127.0.0.1',
    PYTHONPATH: '',
  };
  await timed('pytest', () =>
    run(own, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...args], { cwd: PACKAGE, env }),
  );
}

if (isProgram(import.meta.url)) {
  program(() => {
    const args = process.argv.slice(2);
    if (args.includes('--help')) throw new Told('node scripts/check/python.mjs [arguments of pytest]');
    return main(args);
  });
}
