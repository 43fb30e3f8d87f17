// The main job as DuckDB's SQL.
import { BUCKETS, checkLine, SPLITS, stopwatch } from './report.mjs';

const COLUMNS = "{'phone':'VARCHAR','call_time':'TIMESTAMP','duration':'INTEGER','cell_id':'VARCHAR'}";
const STARTS = ['', ...SPLITS].map((point) => `'${point}'`).join(',');

/**
 * @param {(sql: string) => Promise<Record<string, any>[]>} query
 * @param {string} csv
 */
export async function duckdbJob(query, csv) {
  const lap = stopwatch();
  await query(`CREATE OR REPLACE TABLE raw AS
    SELECT phone, call_time FROM read_csv('${csv}', header=true, columns=${COLUMNS})`);
  lap('parse');
  await query(`CREATE OR REPLACE TABLE k AS
    SELECT left(md5(phone),8) || '_' || phone || '_' || strftime(call_time,'%Y%m%d%H%M%S') AS key,
      epoch(call_time)::BIGINT AS t FROM raw`);
  lap('key');
  await query('CREATE OR REPLACE TABLE s AS SELECT key, t FROM k ORDER BY key');
  lap('sort');
  const cells = await query(`WITH m AS (SELECT min(t) lo, max(t) - min(t) + 1 span FROM s),
      regions AS (SELECT (row_number() OVER () - 1)::INT region, s AS start FROM (SELECT unnest([${STARTS}]) s))
    SELECT region, ((t - lo) * ${BUCKETS} // span)::INT b, count(*)::INT c
    FROM s ASOF JOIN regions r ON s.key >= r.start, m GROUP BY 1,2`);
  lap('heat');
  const top = await query(
    'SELECT phone, count(*)::INT c FROM raw GROUP BY 1 ORDER BY c DESC, phone LIMIT 20',
  );
  const [ends] = await query(`SELECT (SELECT key FROM s LIMIT 1) a,
    (SELECT key FROM s OFFSET (SELECT count(*)-1 FROM s)) b`);
  const check = checkLine(
    ends.a,
    ends.b,
    cells.map(({ region, b, c }) => [region, b, c]),
    top.map(({ phone, c }) => [phone, c]),
  );
  return { ...lap('top'), check };
}
