// The Java side: run as a program that answers a line for a line.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Told } from '../../scripts/run.mjs';
import { classPath, HERE, SPARK } from './maven.mjs';

/** Starts the program. @param {string} folder for its temporary files @param {string[]} args */
const start = (folder, args) =>
  startJava(folder, [`-Doracle.log=${process.env.ORACLE_LOG ?? 'OFF'}`, 'rowscape.oracle.Oracle', ...args]);

/** A program of the JDK. @param {string} name */
export const program = (name) => (process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', name) : name);

/**
 * Starts a Java program of a project's class path.
 * @param {string} folder for its temporary files
 * @param {string[]} args more flags, the name of the class, its arguments
 * @param {{ cwd?: string, project?: string, classes?: string, priority?: number }} [options] classes: the
 *   folder that comes first on the class path, by default the project's own
 */
export function startJava(
  folder,
  args,
  {
    project = HERE,
    classes = join(project, 'target', 'classes'),
    priority = constants.priority.PRIORITY_BELOW_NORMAL,
    ...options
  } = {},
) {
  const path = [classes, ...classPath(project)].join(delimiter);
  const flags = [
    // As bin/hbase does: without the first, FuzzyRowFilter loses rows on Java 17 (HBASE-30256).
    ...['java.nio', 'sun.nio.ch', 'java.lang', 'jdk.internal.misc'].flatMap((name) => [
      '--add-opens',
      `java.base/${name}=ALL-UNNAMED`,
    ]),
    '-Xmx1536m',
    '-XX:+UseParallelGC',
    '-XX:TieredStopAtLevel=1',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${folder}`,
  ];
  const child = spawn(program('java'), [...flags, '-cp', path, ...args], options);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-8000);
    if (process.env.ORACLE_LOG) process.stderr.write(text);
  });
  if (child.pid !== undefined && priority) setPriority(child.pid, priority);
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Told(`The oracle's Java ended (${signal ?? status}).\n${said}`));
    });
  });
  return { child, ended };
}

/** Writes golden vectors of random values. @param {string} folder @param {number} seed @param {number} records */
export async function writeVectors(folder, seed, records) {
  await start(folder, ['vectors', folder, String(seed), String(records)]).ended;
}

/**
 * Compiles emitted sources of a language and tries them on their records: the keys of each.
 * @param {string} folder for the classes
 * @param {{ language: string, onHBase?: boolean, sources: { className: string, source: string, types: string[], records: string[][] }[] }} sources
 * @returns {Promise<(string | null)[][]>}
 */
export const emittedKeys = async (folder, sources) =>
  JSON.parse(await answer(start(folder, ['emitted', folder]), JSON.stringify(sources)));

/**
 * Times of reads of a real HBase: what each counts in the cost model, and microseconds of its turns.
 * @param {string} folder for its files
 * @returns {Promise<{ name: string, counts: Record<string, number>, micros: number[] }[]>}
 */
export async function timesOfReads(folder) {
  // Reads are timed as a server that has run for long: compiled with all optimisations.
  const flags = ['-XX:TieredStopAtLevel=4', '-Doracle.log=OFF'];
  const args = [...flags, 'rowscape.oracle.Oracle', 'calibrate', folder];
  return JSON.parse(await answer(startJava(folder, args, { priority: 0 }), ''));
}

/**
 * Compiles emitted writers and readers, makes their tables, writes and reads them: of each reader the rows of each query.
 * @param {string} folder for the classes
 * @param {number} port ZooKeeper's
 * @param {{ language: string, table: string, keys: string[], points: string[], rows: string[][], className: string, sources: Record<string, string> }[]} readers
 * @returns {Promise<string[][][]>}
 */
export const emittedRows = async (folder, port, readers) =>
  JSON.parse(await answer(start(folder, ['readers', folder]), JSON.stringify({ port, readers })));

/** Where a running HBase is: ZooKeeper's port, and the folder of its files. @typedef {{ port: number, root: string }} HbasePlace */
/** @typedef {{ families: Record<string, Record<string, string>>, settings: Record<string, string>, starts: string[] }} DescribedTable */
/** @typedef {{ call?: string, method?: string, times?: number, texts?: string[], settings?: Record<string, string>, each?: string[], describe?: string, snapshot?: string, list?: string, fill?: string, cells?: string[][] }} ProgramStep */

/**
 * Compiles emitted code that changes tables, and runs it step by step: of each step its answer.
 * @param {string} folder for the classes
 * @param {HbasePlace} hbase
 * @param {{ className: string, source: string }[]} sources
 * @param {ProgramStep[]} steps
 * @returns {Promise<any[]>}
 */
export const programAnswers = async (folder, hbase, sources, steps) =>
  JSON.parse(await answer(start(folder, ['programs', folder]), JSON.stringify({ ...hbase, sources, steps })));

/**
 * Makes tables and scans them: of each table, for each read, what the client's metrics count.
 * @param {string} folder
 * @param {number} port ZooKeeper's
 * @param {import('./requests.mjs').MadeTable[]} tables
 * @returns {Promise<Record<string, number>[][]>}
 */
export const requestsOf = async (folder, port, tables) =>
  JSON.parse(await answer(start(folder, ['requests', folder]), JSON.stringify({ port, tables })));

/**
 * Reads a table by an emitted reader while its consumer pauses, regions move and split: the rows that came, by what happened,
 * and the scanners that were open then.
 * @param {string} folder
 * @param {object} given
 * @returns {Promise<{ rows: Record<string, string[]>, open: Record<string, number> }>}
 */
export const pausedRows = async (folder, given) =>
  JSON.parse(await answer(start(folder, ['pauses', folder]), JSON.stringify(given)));

/**
 * Makes keys by emitted expressions in Spark, in ANSI mode and without it: of each expression the keys of its records.
 * @param {string} folder for its temporary files
 * @param {{ source: string, fields: { name: string, type: string }[], records: (string | null)[][] }[]} sources
 * @returns {Promise<(string | null)[][][]>}
 */
export async function sparkKeys(folder, sources) {
  // Those of JavaModuleOptions, beside what every program here opens.
  const opened = 'java.io java.lang.invoke java.lang.reflect java.net java.util java.util.concurrent';
  const more = 'java.util.concurrent.atomic sun.nio.cs sun.security.action sun.util.calendar';
  const opens = `${opened} ${more}`
    .split(' ')
    .flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]);
  const log = `-Doracle.log=${process.env.ORACLE_LOG ?? 'OFF'}`;
  const spark = startJava(folder, [...opens, log, 'rowscape.oracle.Spark'], { cwd: folder, project: SPARK });
  return JSON.parse(await answer(spark, JSON.stringify(sources)));
}

/** The answer of a program to this input. @param {ReturnType<typeof startJava>} program @param {string} input */
export async function answer({ child, ended }, input) {
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdin.end(input);
  await ended;
  return said;
}

/**
 * Runs commands in HBase's shell, as if they were typed; what it says.
 * @param {string} folder that it is started in
 * @param {number} port ZooKeeper's
 * @param {string} commands
 */
export function shell(folder, port, commands) {
  const where = ['-Dhbase.zookeeper.quorum=127.0.0.1', `-Dhbase.zookeeper.property.clientPort=${port}`];
  const flags = ['java.base/java.io=ALL-UNNAMED', 'java.base/sun.nio.ch=ALL-UNNAMED'];
  const opens = flags.flatMap((name) => ['--add-opens', name]);
  const args = [...opens, '-Doracle.log=OFF', 'org.jruby.JarBootstrapMain', ...where];
  return answer(startJava(folder, args, { cwd: folder }), commands);
}

/**
 * @typedef {{ id: number, compared: Record<string, number>, differences: number, told: string[],
 *   rows: { key: string, records: number[] }[], errors: Record<string, number[]> }} Verdict
 */

/** A running HBase that judges. */
export class Hbase {
  /** @type {Map<number, (verdict: Verdict) => void>} */
  #waiting = new Map();

  /** @param {string} folder for its files */
  constructor(folder) {
    const { child, ended } = start(folder, ['judge', folder]);
    this.child = child;
    this.ended = ended;
    /** Milliseconds it took to start, and its settings as shipped. @type {Promise<{ ready: number, shipped: Record<string, string>, port: number }>} */
    this.ready = new Promise((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer = JSON.parse(line);
        if (answer.ready !== undefined) resolve(answer);
        this.#waiting.get(answer.id)?.(answer);
        this.#waiting.delete(answer.id);
      });
    });
    // A failure reaches whoever waits; nobody may be waiting yet.
    ended.catch(() => {});
    child.stdin.on('error', () => {});
  }

  /** @template T @param {Promise<T>} answer @returns {Promise<T>} */
  #orFailure(answer) {
    const early = this.ended.then(() => {
      throw new Told("The oracle's Java ended before it had answered.");
    });
    return Promise.race([answer, early]);
  }

  /** Waits until it takes requests. */
  started() {
    return this.#orFailure(this.ready);
  }

  /** @param {{ id: number }} request @returns {Promise<Verdict>} */
  judge(request) {
    const answer = new Promise((/** @type {(verdict: Verdict) => void} */ resolve) => {
      this.#waiting.set(request.id, resolve);
    });
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    return this.#orFailure(answer);
  }

  kill() {
    this.child.kill('SIGKILL');
  }
}
