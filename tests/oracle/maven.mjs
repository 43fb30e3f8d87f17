// The JDK and the projects of Maven: found, and built once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ask, Told, timed, which } from '../../scripts/run.mjs';

/** Projects of Maven, each in its folder: the judge, a Spark, the gateways, Phoenix, and clients. */
export const HERE = import.meta.dirname;
export const SPARK = join(HERE, 'spark');
export const GATEWAY = join(HERE, 'gateway');
export const PHOENIX = join(HERE, 'phoenix');
const CLIENTS = join(HERE, 'clients');
const JAVA = 17;

/** The version of the JDK; throws when there is none that is recent enough. */
function findJdk() {
  const javac = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'javac') : which('javac');
  const said = javac && ask(javac, ['-version']);
  const version = Number(/\d+/.exec(said ?? '')?.[0]);
  if (version >= JAVA) return version;
  throw new Told(
    `The oracle needs a JDK ${JAVA} or later${said ? `; this is ${said}` : ', and there is none on PATH or in JAVA_HOME'}. ` +
      'Debian: apt-get install openjdk-17-jdk-headless. Others: https://adoptium.net',
  );
}

/** A hash of what the classes are made from. @param {string} project */
function sources(project) {
  const hash = createHash('sha256').update(readFileSync(join(project, 'pom.xml')));
  const source = join(project, 'src');
  if (!existsSync(source)) return hash.digest('hex');
  const files = readdirSync(source, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const path of paths.sort()) hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}

/** Compiles the judge when it changed. Returns the version of Java. */
export const buildJava = () => build(HERE, 'HBase, about 160 jars');

/** Compiles what runs Spark when it changed. */
export const buildSpark = () => build(SPARK, 'Spark, about 170 jars');

/** Fetches the gateways. */
export const buildGateway = () => build(GATEWAY, 'the gateways, about 150 jars');

/** Compiles what runs Phoenix when it changed. */
export const buildPhoenix = () => build(PHOENIX, 'Phoenix, about 200 jars');

/** Fetches the client of a version of HBase. @param {string} version */
export const fetchClient = (version) => build(CLIENTS, `the client of HBase ${version}`, version);

/** The class path of the client of a version of HBase. @param {string} version */
export const clientPath = (version) => classPath(CLIENTS, version).join(delimiter);

/**
 * Compiles a project when it changed; Maven keeps what it downloads in ~/.m2. Returns the version of Java.
 * @param {string} project
 * @param {string} downloaded
 * @param {string} [hbase] its version of HBase, if it has several
 */
async function build(project, downloaded, hbase) {
  const version = findJdk();
  const stamp = join(project, 'target', hbase ?? '', 'built-from');
  const wanted = sources(project);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && classPathIsThere(project, hbase))
    return version;
  const maven = which('mvn');
  if (!maven) {
    throw new Told(
      'The oracle needs Maven, and there is no mvn on PATH. Debian: apt-get install maven. Others: https://maven.apache.org/install.html',
    );
  }
  await timed(`Java: compiling (the first time Maven downloads ${downloaded})`, () =>
    compile(maven, project, hbase),
  );
  writeFileSync(stamp, wanted);
  return version;
}

/** @param {string} maven @param {string} project @param {string} [hbase] */
function compile(maven, project, hbase) {
  const version = hbase ? [`-Dhbase.version=${hbase}`] : [];
  const result = spawnSync(
    maven,
    [
      '-q',
      '-B',
      '--no-transfer-progress',
      ...version,
      '-f',
      join(project, 'pom.xml'),
      'clean',
      'process-classes',
    ],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  if (result.status === 0) return;
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  const unreachable =
    /Could not transfer|Unknown host|Connection (refused|timed out)|Network is unreachable/.test(said);
  throw new Told(
    unreachable
      ? `Maven can't download what the oracle needs: is Maven Central (https://repo.maven.apache.org) reachable? A mirror is set in ~/.m2/settings.xml.\n${said}`
      : `Maven failed (${result.status ?? result.signal}).\n${said}`,
  );
}

/** @param {string} project @param {string} [hbase] */
export const classPath = (project, hbase = '') =>
  readFileSync(join(project, 'target', hbase, 'class-path'), 'utf8')
    .trim()
    .split(delimiter);

/** @param {string} project @param {string} [hbase] */
const classPathIsThere = (project, hbase = '') =>
  existsSync(join(project, 'target', hbase, 'class-path')) && classPath(project, hbase).every(existsSync);
