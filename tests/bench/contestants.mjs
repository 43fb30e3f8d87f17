// Who takes part, how each is started and what each needs.

/** @param {string} script */
const js = (script) => `tests/bench/peers/js/${script}`;
/**
 * @param {string} name
 * @param {string} variant
 * @returns {Contestant}
 */
const chromiumPeer = (name, variant) => ({
  name: `${name}, Chromium`,
  required: true,
  needs: ['npm', 'chromium'],
  command: (csv) => ['node', js('in-chromium.mjs'), csv, variant],
});

/** Rowscape in Chromium, the contestant the targets are about. */
export const PAGE = 'Rowscape wasm, Chromium';
export const WASM_IN_NODE = 'Rowscape wasm, Node';
export const ANALYSER = 'the analyser, wasm in Node';
export const NATIVE = 'Rowscape native';
export const PAPA = 'PapaParse + spark-md5, Chromium';
export const DUCKDB_WASM = 'DuckDB-wasm, Chromium';
export const EXPERT = 'expert JavaScript, Chromium';
export const EXPERT_IN_NODE = 'expert JavaScript, Node';

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {boolean} required whether the bench fails without it
 * @property {string[]} needs what has to be set up first, names in `setup.mjs`
 * @property {(csv: string, tools: Record<string, string>) => string[]} command program and arguments
 * @property {number} [warmups] runs before the first that counts
 */

/** @type {Contestant[]} */
export const CONTESTANTS = [
  {
    name: PAGE,
    required: true,
    needs: ['wasm', 'npm', 'chromium'],
    command: (csv) => ['node', 'tests/bench/ours/in-chromium.mjs', csv],
  },
  {
    name: WASM_IN_NODE,
    required: true,
    needs: ['wasm'],
    command: (csv) => ['node', '--expose-gc', 'tests/bench/ours/in-node.mjs', csv],
  },
  { name: NATIVE, required: true, needs: ['native'], command: (csv, { native }) => [native, csv] },
  chromiumPeer('expert JavaScript', 'expert'),
  chromiumPeer('DuckDB-wasm', 'duckdb'),
  chromiumPeer('uDSV tuned', 'udsv'),
  chromiumPeer('PapaParse + spark-md5', 'papa'),
  {
    name: EXPERT_IN_NODE,
    required: true,
    needs: ['npm'],
    command: (csv) => ['node', '--expose-gc', js('node.mjs'), csv],
  },
  {
    name: 'DuckDB native, 2 threads',
    required: false,
    needs: ['python'],
    command: (csv, { python }) => [python, 'tests/bench/peers/py/duckdb_job.py', csv, '2'],
  },
  {
    name: 'polars, all cores',
    required: false,
    needs: ['python'],
    command: (csv, { python }) => [python, 'tests/bench/peers/py/polars_job.py', csv],
  },
  {
    name: 'Java 17 or later',
    required: false,
    needs: ['java'],
    command: (csv, { java }) => ['java', '-Xmx2g', '-cp', java, 'Main', csv],
    warmups: 5,
  },
];

/** Further work on the records besides the main job; measured without a rival. @type {Contestant} */
export const ANALYSER_RUN = {
  name: ANALYSER,
  required: true,
  needs: ['wasm'],
  command: (csv) => ['node', '--expose-gc', 'tests/bench/ours/analyser.mjs', csv],
};
