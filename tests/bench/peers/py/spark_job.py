"""The DataFrame job that people write, and rowscape.spark in the same session of local[2]:

    npm run test:python
    node tests/bench/peers/gen.mjs 4000000 calls.csv
    .cache/python-*/bin/python tests/bench/peers/py/spark_job.py calls.csv [RUNS]
"""

import os
import statistics
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
from common import BUCKETS, SPLITS, Stopwatch, check_line
import pyspark
from pyspark.sql import SparkSession, functions as F
import rowscape
import rowscape.spark

FILE = os.path.abspath(sys.argv[1])
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
SCHEMA = "phone string, call_time timestamp, duration int, cell_id string"
DESIGN = rowscape.Design({
    "rowscape": 1,
    "fields": [{"name": "phone", "type": "text"}, {"name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss"}],
    "arrival": "call_time",
    "rowkey": "phone.md5().hex(8) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')",
    "splits": {"points": SPLITS},
})

settings = {"spark.ui.enabled": "false", "spark.driver.memory": "4g", "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "4"}
builder = SparkSession.builder.master("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
session.sparkContext.setLogLevel("ERROR")


def read(file):
    return session.read.csv(file, header=True, schema=SCHEMA, timestampFormat="yyyy-MM-dd HH:mm:ss")


def plain(file):
    """Keys, order, cells by region and time, busiest values: with DataFrame functions."""
    lap = Stopwatch()
    raw = read(file).select("phone", "call_time")
    key = F.concat_ws("_", F.substring(F.md5("phone"), 1, 8), "phone", F.date_format("call_time", "yyyyMMddHHmmss"))
    keys = raw.select(key.alias("key"), F.unix_timestamp("call_time").alias("t"), "phone").cache()
    keys.count()
    lap("parse+key")
    ordered = keys.select("key", "t").orderBy("key").cache()
    ordered.count()
    lap("sort")
    first, last = ordered.first()[0], ordered.agg(F.max("key")).first()[0]
    low, high = ordered.agg(F.min("t"), F.max("t")).first()
    region = F.expr(f"size(filter(array({','.join(repr(point) for point in SPLITS)}), x -> x <= key))")
    bucket = F.expr(f"(t - {low}) * {BUCKETS} div {high - low + 1}")
    cells = [tuple(row) for row in ordered.select(region.alias("r"), bucket.alias("b")).groupBy("r", "b").count().collect()]
    lap("heat")
    busiest = keys.groupBy("phone").count().orderBy(F.desc("count"), "phone").limit(20).collect()
    lap.check = check_line(first, last, cells, [tuple(row) for row in busiest])
    lap("top")
    ordered.unpersist(True)
    keys.unpersist(True)
    return lap


def ours(file):
    """The same and more: findings, queries, values, samples."""
    lap = Stopwatch()
    summary = rowscape.spark.summarize(read(file), DESIGN)
    lap("summarize")
    answer = summary.analyze()
    lap("analyze")
    keys = answer.report["keys"]
    lap.check = f"{keys['first']}|{keys['last']}|{sum(answer.region_rows)}"
    return lap


JOBS = {"DataFrame": plain, "rowscape.spark": ours}
took = {name: [] for name in JOBS}
checked = {}
# One after the other in turn; the first round warms up.
for turn in range(RUNS + 1):
    for name, job in JOBS.items():
        lap = job(FILE)
        took[name] += [sum(lap.stages.values())] if turn else []
        checked[name] = lap.check
        print(name, {stage: round(time) for stage, time in lap.stages.items()}, lap.check, flush=True)
session.stop()
theirs, own = (statistics.median(times) for times in took.values())
print(f"pyspark {pyspark.__version__}: DataFrame {theirs:.0f} ms, rowscape.spark {own:.0f} ms, {theirs / own:.1f} times as fast")
first = [check.split("|")[:2] for check in checked.values()]
sys.exit(0 if first[0] == first[1] else "the jobs found other keys")
