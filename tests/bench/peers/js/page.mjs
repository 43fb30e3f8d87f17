// The peers inside a page of Chromium: `run(name)` does the job once on the file the page was given.
import * as duckdb from '@duckdb/duckdb-wasm/dist/duckdb-browser.mjs';
import { duckdbJob } from './duckdb.mjs';
import { expert } from './expert.mjs';
import { papa } from './papa.mjs';
import { udsv } from './udsv.mjs';

const file = () => document.querySelector('input').files[0];

/** Reading the whole file, then the job. */
const whole = (read, job) => async () => {
  const begin = performance.now();
  const content = await read(file());
  const elapsed = performance.now() - begin;
  const result = job(content);
  result.total += elapsed;
  return { read: elapsed, ...result };
};
const text = (blob) => blob.text();
const bytes = async (blob) => new Uint8Array(await blob.arrayBuffer());

/** DuckDB, started once; it reads the file itself. */
let database;
async function startDuckdb() {
  const db = new duckdb.AsyncDuckDB(
    new duckdb.VoidLogger(),
    new Worker('/duckdb/duckdb-browser-eh.worker.js'),
  );
  await db.instantiate('/duckdb/duckdb-eh.wasm');
  const connection = await db.connect();
  const query = async (sql) => (await connection.query(sql)).toArray().map((row) => row.toJSON());
  return { db, query };
}
async function duckdbRun() {
  database ??= startDuckdb();
  const { db, query } = await database;
  await db.registerFileHandle('calls.csv', file(), duckdb.DuckDBDataProtocol.BROWSER_FILEREADER, true);
  const result = await duckdbJob(query, 'calls.csv');
  await db.dropFile('calls.csv');
  return result;
}

const jobs = {
  papa: whole(text, papa),
  udsv: whole(text, udsv),
  expert: whole(bytes, expert),
  duckdb: duckdbRun,
};

globalThis.run = async ({ name }) => {
  globalThis.gc?.();
  await new Promise((resume) => setTimeout(resume, 50));
  return jobs[name]();
};
