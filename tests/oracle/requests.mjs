// The price of plans against HBase: requests, scanners and blocks as the metrics of its own client count them.
import { requestsOf } from './jvm.mjs';
import { hex } from './splits.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {{ start: string, stop: string }} Range */
/** @typedef {{ ranges: Range[], reversed: boolean, merged: boolean, limit: number, caching: number }} Read */
/** @typedef {{ name: string, keys: string[], points: string[], families: Record<string, Record<string, number>>, files: number, reads: Read[] }} MadeTable */

const FIELDS = [
  { name: 'host', type: 'text' },
  { name: 'at', type: 'time', format: 'epoch-millis' },
  { name: 'n', type: 'integer' },
];
const NOON = Date.UTC(2026, 4, 4, 12);
const [ROWS, HOSTS, FILES, BLOCK] = [24_000, 4, 3, 65_536];
/** How far an estimate of blocks may be off, as a factor. */
const OFF = 2;

/** Row keys, with the families of their tables. @type {[string, Record<string, Record<string, number>>][]} */
const TABLES = [
  ['host.terminated() + at.millis().int64() + n.int32()', { f: { q: 500 } }],
  [
    'rest.phoenixSalt(6) + host.terminated() + at.millis().int64() + n.int32()',
    { f: { q: 60, r: 60, s: 60 } },
  ],
  [
    'host.terminated() + at.millis().reverseLong().int64() + n.int32()',
    { f: { q: 20 }, g: { r: 200, s: 200 } },
  ],
];

/** @param {number} from @param {number} to shares of the hour */
const span = (from, to) => ({ from: String(NOON + from * 3_600_000), to: String(NOON + to * 3_600_000) });
const newest = { field: 'at', direction: 'descending' };

/** Queries, with the rows of a response where they are set. @type {[object, number][]} */
const QUERIES = [
  [{ where: { host: 'web1' } }, 0],
  [{ where: { host: 'web1' } }, 700],
  [{ where: { host: 'web2', at: span(0.25, 0.5) } }, 0],
  [{ where: { host: { in: ['web0', 'web3'] } } }, 0],
  [{ where: { host: { in: ['web0', 'web3'] } } }, 1000],
  [{ where: {} }, 0],
  [{ where: {} }, 250],
  [{ where: { host: 'web1' }, limit: 40 }, 0],
  [{ where: {}, limit: 9000 }, 0],
  [{ where: { host: 'web3' }, order: newest, limit: 3000 }, 0],
  [{ where: { host: 'web3' }, order: newest, limit: 25 }, 10],
  [{ where: { host: 'web2', at: span(0.5, 1) }, order: 'at' }, 0],
];

/** Rows of four hosts in an hour. @param {import('./random.mjs').Random} random */
function columnsOf(random) {
  const numbers = Array.from({ length: ROWS }, (_, n) => n);
  return {
    host: numbers.map((n) => `web${n % HOSTS}`),
    at: numbers.map(() => String(NOON + random.between(0, 3_600_000))),
    n: numbers.map(String),
  };
}

/**
 * A plan as scans in the order in which they run.
 * @param {any} plan
 * @param {any[]} ranges of the plan, or of its next page
 * @param {number[]} turns
 * @param {number} caching
 * @returns {Read}
 */
function readOf(plan, ranges, turns, caching) {
  const { reversed, merge } = plan.delivery;
  const order = turns.length ? turns : ranges.map((_, at) => (reversed ? ranges.length - 1 - at : at));
  return {
    ranges: order.map((at) => ({ start: hex(ranges[at].startBytes), stop: hex(ranges[at].stopBytes) })),
    reversed,
    merged: merge,
    limit: plan.stopsAfter ?? 0,
    caching,
  };
}

/**
 * Compares estimates with counts of HBase.
 * @param {any} subject
 * @param {string} folder
 * @param {number} port
 * @param {import('./random.mjs').Random} random
 * @returns {Promise<Judged>}
 */
export async function judgeRequests(subject, folder, port, random) {
  const columns = columnsOf(random);
  /** @type {{ what: string, cost: any }[][]} */
  const told = [];
  const tables = TABLES.map(([rowkey, families], at) => {
    const plain = { rowscape: 1, fields: FIELDS, rowkey };
    const keys = [...subject.rowscape.parseDesign(plain).encodeColumns(columns)].map((key) => hex(key));
    const points = [...keys].sort().filter((_, rank) => rank && rank % (ROWS / 5) === 0);
    const notation = points.map((point) => subject.notation(Buffer.from(point, 'hex')));
    const cells = Object.entries(families).map(([name, of]) => ({
      name,
      cells: Object.entries(of).map(([qualifier, bytes]) => ({ qualifier, bytes })),
    }));
    const document = {
      ...plain,
      splits: { points: notation },
      table: { name: `asked${at}`, families: cells },
    };
    const design = subject.rowscape.parseDesign(document);
    /** @type {Read[]} */
    const reads = [];
    const of = QUERIES.flatMap(([query, caching]) => {
      const plan = design.plan(query, { columns, cost: { files: FILES, ...(caching && { caching }) } });
      const what = `${rowkey}, ${JSON.stringify(query)}, caching ${caching}`;
      reads.push(readOf(plan, plan.ranges, plan.turns, caching));
      if (!plan.next) return [{ what, cost: plan.cost }];
      reads.push(readOf(plan, plan.next.ranges, plan.next.turns, caching));
      return [
        { what, cost: plan.cost },
        { what: `${what}, next page`, cost: plan.next.cost },
      ];
    });
    told.push(of);
    return { name: `asked${at}`, keys, points, families, files: FILES, reads };
  });
  const counted = await requestsOf(folder, port, tables);
  /** @type {string[]} */
  const faults = [];
  let blocks = 0;
  for (const [table, of] of told.entries()) {
    for (const [read, { what, cost }] of of.entries()) {
      const found = counted[table][read];
      const real = Math.max(1, Math.round(found.BLOCK_BYTES_SCANNED / BLOCK));
      const own = [cost.rpcs, cost.scanners, cost.rows];
      const theirs = [found.RPC_CALLS, found.REGIONS_SCANNED, found.rows];
      // Each store of a scanner that reads more than some blocks answers once before its time, to read ahead from then on.
      const early = found.RPC_CALLS - cost.rpcs;
      const same = cost.scanners === found.REGIONS_SCANNED && cost.rows === found.rows;
      if (!same || early < 0 || early > cost.scanners * Object.keys(tables[table].families).length)
        faults.push(`${what}: ${own} requests, scanners and rows, but HBase has ${theirs}`);
      // A reversed scan reads blocks again for each row that it goes back.
      if (tables[table].reads[read].reversed) continue;
      const off = cost.blocks / real;
      if (off > OFF || off < 1 / OFF) faults.push(`${what}: ${cost.blocks} blocks, but HBase has ${real}`);
      else blocks++;
    }
  }
  const all = told.flat().length;
  const compared = { 'requests of plans': all, 'blocks of plans': blocks };
  return { id: 0, compared, differences: faults.length, told: faults.slice(0, 12) };
}
