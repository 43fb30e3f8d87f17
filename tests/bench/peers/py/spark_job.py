"""python spark_job.py CSV [RUNS]: the DataFrame job that people write, and rowscape.spark on the same session, local[2]."""
import os
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
from common import BUCKETS, SPLITS, Lap, bench, check_line, hwm_mb
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
    lap = Lap()
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
    lap.d["check"] = check_line(first, last, cells, [tuple(row) for row in busiest])
    lap("top")
    ordered.unpersist(True)
    keys.unpersist(True)
    return lap.d


def ours(file):
    """The same and more: findings, queries, values, samples."""
    lap = Lap()
    summary = rowscape.spark.summarize(read(file), DESIGN)
    lap("summarize")
    answer = summary.analyze()
    lap("analyze")
    keys = answer.report["keys"]
    lap.d["check"] = f"{keys['first']}|{keys['last']}|{sum(answer.region_rows)}"
    return lap.d


jvm = int(session._jvm.java.lang.ProcessHandle.current().pid())
for name, job in (("DataFrame", plain), ("rowscape.spark", ours)):
    bench(f"pyspark {pyspark.__version__} local[2] {name}", FILE, job, RUNS, warm=1, rss=lambda: hwm_mb() + hwm_mb(jvm))
session.stop()
