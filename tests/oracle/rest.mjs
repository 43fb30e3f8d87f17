// Emitted scripts that read tables through HBase's REST gateway, run with curl.
import { spawn } from 'node:child_process';
import { Told, which } from '../../scripts/run.mjs';
import { startRest } from './gateway.mjs';

/** @typedef {{ design: any, queries: object[] }} RestTable */

/** The output of a shell script. @param {string} script @param {number} port of the gateway @returns {Promise<string>} */
const printed = (script, port) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, REST: `http://127.0.0.1:${port}` };
    const shell = spawn('sh', ['-s'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let [said, wrong] = ['', ''];
    shell.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    shell.stderr.setEncoding('utf8').on('data', (text) => {
      wrong += text;
    });
    shell.once('error', reject);
    shell.once('close', () => (wrong ? reject(new Error(`curl: ${wrong.slice(0, 600)}`)) : resolve(said)));
    shell.stdin.end(script);
  });

/** Row keys of an answer, hexadecimal. @param {string} line @returns {string[]} */
const keysOf = (line) =>
  line === '' || line === 'Not found'
    ? []
    : JSON.parse(line).Row.map((/** @type {{ key: string }} */ { key }) =>
        Buffer.from(key, 'base64').toString('hex'),
      );

/** The rows of each query of a table. @param {RestTable} table @param {number} port @returns {Promise<string[][]>} */
async function rowsOf({ design, queries }, port) {
  const parts = design.emit('scan-rest').text.split('\n\n');
  const head = parts.splice(0, parts.length - queries.length);
  const marked = parts.map(
    (/** @type {string} */ part, /** @type {number} */ at) => `echo 'query ${at}'\n${part}`,
  );
  const said = await printed([...head, ...marked, ''].join('\n\n'), port);
  const answers = said.split(/^query \d+\n/m).slice(1);
  return answers.map((answer) => answer.split('\n').flatMap((line) => keysOf(line.trim())));
}

/**
 * The rows that the gateway returns for the emitted requests, by table and query.
 * @param {string} folder
 * @param {number} zookeeper its port
 * @param {RestTable[]} tables
 * @returns {Promise<string[][][]>}
 */
export async function restRows(folder, zookeeper, tables) {
  if (!which('curl'))
    throw new Told('The oracle needs curl, and there is none on PATH. Debian: apt-get install curl.');
  const gateway = await startRest(folder, zookeeper);
  try {
    const found = [];
    for (const table of tables) found.push(await rowsOf(table, gateway.port));
    return found;
  } finally {
    gateway.end();
  }
}
