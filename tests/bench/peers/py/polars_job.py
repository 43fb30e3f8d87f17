"""The main job in polars with polars-hash, on all cores: polars_job.py CSV"""

import sys

import polars as pl
import polars_hash as plh
from common import BUCKETS, SPLITS, Stopwatch, check_line, serve

SCHEMA = {"phone": pl.String, "call_time": pl.String, "duration": pl.Int32, "cell_id": pl.String}


def job(csv):
    lap = Stopwatch()
    df = pl.read_csv(csv, schema=SCHEMA, columns=["phone", "call_time"])
    lap("parse")
    prefix = plh.col("phone").nchash.md5().str.slice(0, 8)
    digits = pl.col("call_time").str.replace_all(r"[-: ]", "")
    df = df.with_columns(
        key=pl.concat_str(prefix, pl.lit("_"), pl.col("phone"), pl.lit("_"), digits),
        t=pl.col("call_time").str.to_datetime("%Y-%m-%d %H:%M:%S").dt.epoch("s"),
    )
    lap("key")
    s = df.select("key", "t").sort("key")
    lap("sort")
    low, high = s["t"].min(), s["t"].max()
    edges = s["key"].search_sorted(pl.Series(SPLITS), side="left").to_list()
    bounds = [0, *edges, s.height]
    lengths = [bounds[i + 1] - bounds[i] for i in range(len(bounds) - 1)]
    region = pl.concat([pl.repeat(i, n, dtype=pl.Int32, eager=True) for i, n in enumerate(lengths)])
    bucket = (pl.col("t") - low) * BUCKETS // (high - low + 1)
    cells = s.select(region=region, b=bucket).group_by("region", "b").len().rows()
    lap("heat")
    top = df.group_by("phone").len().sort(["len", "phone"], descending=[True, False]).head(20).rows()
    check = check_line(s["key"][0], s["key"][-1], cells, top)
    lap("top")
    return {**lap.stages, "check": check}


serve(f"polars {pl.__version__}, {pl.thread_pool_size()} threads", job, sys.argv[1])
