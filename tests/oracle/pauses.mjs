// Emitted readers whose consumer pauses, whose regions move and split, and that fail: on a cluster with a short lease.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pausedRows } from './jvm.mjs';
import { hex } from './splits.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */

const [ROWS, REGIONS] = [600, 5];
const NOON = Date.UTC(2026, 4, 4, 12);
/** Seconds that a consumer pauses for; a scanner is kept for 5. */
const SECONDS = { short: 15, full: 90 };

const FIELDS = [
  { name: 'phone', type: 'text', width: 11 },
  { name: 'n', type: 'integer' },
  { name: 'at', type: 'time', format: 'epoch-millis' },
];
// A phone is not in the key, so the readers take a test of rows, which can fail.
const where = {
  at: { from: String(NOON), to: String(NOON + ROWS * 1000) },
  phone: { eq: '13800000001' },
};
const DOCUMENT = {
  ...{ rowscape: 1, fields: FIELDS, table: { name: 'paused' } },
  rowkey: 'n.floorMod(4).decimal(1) + at.millis().int64() + n.int32()',
  queries: [
    { name: 'in turn', where },
    { name: 'by time', where, order: { field: 'at', direction: 'ascending' } },
  ],
};
const READERS = ['inTurn', 'byTime'];

/** A class with a method for each reader, whose pages are small; its test of rows fails when asked to. @param {string} source */
function driver(source) {
  const methods = READERS.map((name) => {
    const values = new RegExp(`, ${name}Ranges\\((.*)\\), "[^"]*"\\);$`, 'm').exec(source)?.[1];
    return `
  public static Iterator<Result> ${name}(Connection connection, boolean failing) {
    int[] seen = {0};
    return PausedReader.${name}(connection, ${values}, row -> {
      if (failing && ++seen[0] > 30) throw new IllegalStateException("a test that fails");
      return true;
    }).page(20);
  }`;
  });
  return `import java.time.Instant;
import java.util.Iterator;
import org.apache.hadoop.hbase.client.*;
public final class PausedDriver {${methods.join('')}
}
`;
}

/**
 * Readers that are interrupted, against the rows of their table.
 * @param {any} subject
 * @param {string} folder
 * @param {boolean} short
 * @returns {Promise<Judged>}
 */
export async function judgePauses(subject, folder, short) {
  const design = subject.rowscape.parseDesign(DOCUMENT);
  const at = Array.from({ length: ROWS }, (_, row) => row);
  const columns = {
    phone: at.map(() => '13800000001'),
    n: at.map(String),
    at: at.map((row) => String(NOON + row * 1000)),
  };
  const keys = [...design.encodeColumns(columns)].map((key) => hex(key));
  const sorted = [...keys].sort();
  const wanted = {
    inTurn: sorted,
    byTime: [...keys].sort((one, two) => (one.slice(2) < two.slice(2) ? -1 : 1)),
  };
  const source = design.emit('reader-java').text;
  const points = sorted.filter((_, index) => index > 0 && index % (ROWS / REGIONS) === 0);
  const sources = { PausedReader: source, PausedDriver: driver(source) };
  const seconds = short ? SECONDS.short : SECONDS.full;
  const own = join(folder, 'pauses');
  mkdirSync(own);
  // Rows that a reader comes to after the first 45, in regions that are not split already.
  const readers = { inTurn: sorted[60], byTime: sorted[320] };
  const given = {
    table: 'paused',
    keys,
    points,
    className: 'PausedDriver',
    sources,
    readers,
    seconds,
  };
  const { rows, open } = await pausedRows(own, given);
  const told = Object.entries(rows).flatMap(([what, found]) => {
    const [reader, happened] = what.split(', ');
    const all = ['closed', 'failed'].includes(happened)
      ? []
      : wanted[/** @type {'inTurn' | 'byTime'} */ (reader)];
    return String(found) === String(all) ? [] : [`${what}: ${found.length} rows for ${all.length}`];
  });
  for (const [what, scanners] of Object.entries(open)) {
    if (scanners > 0 !== (what === 'a scanner held open')) told.push(`${what}: ${scanners} open scanners`);
  }
  const compared = { 'interrupted reads of emitted Java': Object.keys(rows).length };
  return { id: 0, compared, differences: told.length, told };
}
