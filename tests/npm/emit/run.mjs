// Emitted code run on records: the keys it makes, `null` where it refuses one.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @typedef {import('../../oracle/records.mjs').Field} Field */
/** A source with the records to try it on; `used` are the fields it takes, in order. @typedef {{ source: string, fields: Field[], records: string[][] }} Job */

const PYTHON = `
import importlib.util, json, sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
VALUES = {
    "text": str,
    "integer": int,
    "time": lambda text: datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(text)),
    "bytes": lambda text: bytes.fromhex(text.replace("-", "")),
    "float": float,
    "decimal": Decimal,
    "boolean": lambda text: text == "true",
}
for line in sys.stdin:
    job = json.loads(line)
    spec = importlib.util.spec_from_file_location("made", job["path"])
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    made.test()
    keys = []
    for record in job["records"]:
        try:
            keys.append(made.row_key(*[VALUES[type](text) for type, text in zip(job["types"], record)]).hex())
        except Exception as error:
            keys.append(None)
    print(json.dumps(keys))
`;

/** @type {Record<string, (text: string) => unknown>} */
const VALUES = {
  text: (text) => text,
  integer: (text) => BigInt(text),
  time: (text) => new Date(Number(text)),
  bytes: (text) => Uint8Array.from(Buffer.from(text.replaceAll('-', ''), 'hex')),
  float: Number,
  boolean: (text) => text === 'true',
};

/** @param {() => unknown} make */
const orNull = (make) => {
  try {
    return make();
  } catch {
    return null;
  }
};

/** @param {Job[]} jobs @param {string} folder @returns {(string | null)[][]} */
export function python(jobs, folder) {
  const lines = jobs.map(({ source, fields, records }, at) => {
    const path = join(folder, `made_${at}.py`);
    writeFileSync(path, source);
    return JSON.stringify({ path, types: fields.map(({ type }) => type), records });
  });
  const driver = join(folder, 'driver.py');
  writeFileSync(driver, PYTHON);
  const run = spawnSync('python3', ['-B', driver], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr ?? String(run.error));
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** @param {Job[]} jobs @param {string} folder @returns {Promise<(string | null)[][]>} */
export function javascript(jobs, folder) {
  return Promise.all(
    jobs.map(async ({ source, fields, records }, at) => {
      const path = join(folder, `made-${at}.mjs`);
      writeFileSync(path, source);
      const made = await import(pathToFileURL(path).href);
      made.test();
      const key = (/** @type {string[]} */ record) =>
        Buffer.from(made.rowKey(...record.map((text, place) => VALUES[fields[place].type](text)))).toString(
          'hex',
        );
      return records.map((record) => /** @type {string | null} */ (orNull(() => key(record))));
    }),
  );
}
