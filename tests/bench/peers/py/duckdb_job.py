"""The main job in native DuckDB: duckdb_job.py CSV THREADS"""

import sys

import duckdb
from common import BUCKETS, SPLITS, Stopwatch, check_line, serve

file, threads = sys.argv[1], int(sys.argv[2])
con = duckdb.connect()
con.execute(f"SET threads={threads}; SET preserve_insertion_order=true")
con.execute(
    "CREATE TABLE regions AS SELECT (row_number() OVER () - 1)::INT AS region, s AS start FROM (SELECT unnest(?) s)",
    [["", *SPLITS]],
)


def job(csv):
    lap = Stopwatch()
    con.execute(f"""CREATE OR REPLACE TABLE raw AS SELECT phone, call_time FROM read_csv('{csv}', header=true,
        columns={{'phone':'VARCHAR','call_time':'TIMESTAMP','duration':'INTEGER','cell_id':'VARCHAR'}})""")
    lap("parse")
    con.execute("""CREATE OR REPLACE TABLE k AS
        SELECT left(md5(phone),8) || '_' || phone || '_' || strftime(call_time,'%Y%m%d%H%M%S') AS key,
        epoch(call_time)::BIGINT AS t FROM raw""")
    lap("key")
    con.execute("CREATE OR REPLACE TABLE s AS SELECT key, t FROM k ORDER BY key")
    lap("sort")
    cells = con.execute(f"""WITH m AS (SELECT min(t) lo, max(t) - min(t) + 1 span FROM s)
        SELECT region, ((t - lo) * {BUCKETS} // span)::INT b, count(*) c
        FROM s ASOF JOIN regions r ON s.key >= r.start, m GROUP BY 1,2""").fetchall()
    lap("heat")
    top = con.execute("SELECT phone, count(*) c FROM raw GROUP BY 1 ORDER BY c DESC, phone LIMIT 20").fetchall()
    first, last = con.execute(
        "SELECT (SELECT key FROM s LIMIT 1), (SELECT key FROM s OFFSET (SELECT count(*)-1 FROM s))"
    ).fetchone()
    check = check_line(first, last, cells, top)
    lap("top")
    return {**lap.stages, "check": check}


serve(f"DuckDB {duckdb.__version__}, {threads} threads", job, file)
