// HBase's Thrift and REST gateways beside the oracle's HBase, and emitted Python that reads and writes through the first.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, run, Told, timed, which } from '../../scripts/run.mjs';
import { startJava } from './jvm.mjs';
import { GATEWAY } from './maven.mjs';

/** Python's client of the gateway, in an environment of its own. */
const HAPPYBASE = 'happybase==1.3.0';
const PYTHON = join(GATEWAY, 'target', 'python');
/** Milliseconds in which a gateway has to answer. */
const PATIENCE = 120_000;

/** A port of 127.0.0.1 that was free a moment ago. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** True if something listens there. @param {number} port @returns {Promise<boolean>} */
const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/**
 * Starts a gateway; returns its port, and ends it.
 * @param {string} folder
 * @param {number} zookeeper the port of ZooKeeper
 * @param {(port: number) => string[]} command
 */
async function started(folder, zookeeper, command) {
  const port = await freePort();
  const settings = {
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': zookeeper,
    'hbase.rest.host': '127.0.0.1',
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  );
  writeFileSync(
    join(folder, 'hbase-site.xml'),
    `<?xml version="1.0"?>\n<configuration>${lines.join('')}</configuration>\n`,
  );
  const { child, ended } = startJava(folder, command(port), { project: GATEWAY, classes: folder });
  let failed = /** @type {unknown} */ (undefined);
  ended.catch((error) => {
    failed = error;
  });
  for (const start = performance.now(); !(await listens(port)); await pause(100)) {
    if (failed) throw failed;
    if (performance.now() - start > PATIENCE) throw new Told('The gateway of HBase does not answer.');
  }
  return { port, end: () => child.kill('SIGKILL') };
}

/** Starts the Thrift gateway. @param {string} folder @param {number} zookeeper */
export const startThrift = (folder, zookeeper) =>
  started(folder, zookeeper, (port) => {
    const own = ['start', '-p', String(port), '-b', '127.0.0.1', '--infoport', '-1'];
    return ['org.apache.hadoop.hbase.thrift.ThriftServer', ...own];
  });

/** Starts the REST gateway. @param {string} folder @param {number} zookeeper */
export const startRest = (folder, zookeeper) =>
  started(folder, zookeeper, (port) => [
    'org.apache.hadoop.hbase.rest.RESTServer',
    ...['-p', String(port), '--infoport', '-1', 'start'],
  ]);

/** Python with happybase; throws when it cannot be had. */
export async function python() {
  const program = join(PYTHON, 'bin', 'python3');
  if (existsSync(program) && ask(program, ['-c', 'import happybase'])?.length === 0) return program;
  if (!which('python3')) throw new Told('The oracle needs Python 3, and there is no python3 on PATH.');
  await timed(`Python: installing ${HAPPYBASE}`, async () => {
    mkdirSync(join(GATEWAY, 'target'), { recursive: true });
    run('python3', ['-m', 'venv', PYTHON], { quiet: true });
    run(program, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', HAPPYBASE], {
      quiet: true,
    });
  });
  return program;
}

/**
 * Runs a Python script beside modules; returns what it prints, as JSON.
 * @param {string} folder
 * @param {Record<string, string>} files text by name
 * @param {string[]} args of the script `driver.py`
 */
export async function runPython(folder, files, args) {
  const program = await python();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return JSON.parse(run(program, [join(folder, 'driver.py'), ...args], { cwd: folder, quiet: true }));
}
