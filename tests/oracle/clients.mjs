// Java that the package emits, compiled with the client of each HBase that it can be asked for.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './jvm.mjs';
import { clientPath } from './maven.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */

/** The releases that stand for the versions. */
export const CLIENTS = {
  2.4: '2.4.18',
  2.5: '2.5.11-hadoop3',
  2.6: '2.6.4-hadoop3',
  '3.0': '3.0.0-beta-1',
};

/** A call that HBase 2 calls deprecated, and HBase 3 does not have. */
const [SOUND, DEPRECATED] = ['new Scan()', 'new Scan().setMaxVersions()'];

/**
 * Complaints of the compiler about sources; empty if there are none. Warnings count as errors.
 * @param {string} folder
 * @param {string} version of the client
 * @param {{ file: string, text: string }[]} sources
 */
function complaints(folder, version, sources) {
  mkdirSync(join(folder, 'classes'), { recursive: true });
  const files = sources.map(({ file, text }) => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  });
  // The client's own jars have faults of their own: annotations without classes, and missing parts of the class path.
  const how = ['-proc:none', '-Xlint:all,-options,-processing,-classfile,-path', '-Werror', '--release', '8'];
  const where = ['-d', join(folder, 'classes'), '-cp', clientPath(version)];
  const { status, error, stdout, stderr } = spawnSync(program('javac'), [...how, ...where, ...files], {
    encoding: 'utf8',
  });
  if (error) throw error;
  return status === 0 ? '' : `${stdout}${stderr}`.trim();
}

/**
 * Emitted Java of these designs, compiled; and whether a deprecated call is found.
 * @param {any} subject
 * @param {string} folder
 * @param {{ emit: (name: string, options: object) => { file: string, text: string } }[]} designs
 * @returns {{ judged: Judged, deprecatedFound: boolean }}
 */
export function judgeClients({ rowscape }, folder, designs) {
  // Code that leads from an old design is judged with one, by the scripts of changed tables; jobs are run.
  const emitters = rowscape
    .emitters()
    .filter(
      (/** @type {any} */ { name, language }) => language === 'java' && !/^(alter|rewrite|load)-/.test(name),
    );
  /** @type {Record<string, number>} */
  const compared = {};
  /** @type {string[]} */
  const told = [];
  let deprecatedFound = true;
  for (const [hbase, version] of Object.entries(CLIENTS)) {
    const sources = designs.flatMap((design) =>
      emitters.map((/** @type {{ name: string }} */ { name }) => {
        const { file, text } = design.emit(name, { hbase });
        return { file, text };
      }),
    );
    const own = join(folder, hbase);
    const said = complaints(own, version, sources);
    compared[`Java sources compiled for HBase ${hbase}`] = sources.length;
    if (said) told.push(`HBase ${version}: ${said.slice(0, 600)}`);
    const wrong = sources.filter(({ text }) => text.includes(SOUND)).slice(0, 1);
    const spoilt = wrong.map(({ file, text }) => ({ file, text: text.replace(SOUND, DEPRECATED) }));
    deprecatedFound &&= spoilt.length > 0 && complaints(join(own, 'wrong'), version, spoilt) !== '';
  }
  return { judged: { id: 0, compared, differences: told.length, told }, deprecatedFound };
}
