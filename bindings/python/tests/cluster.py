"""Counts on executors of their own: prints what test_spark_cluster.py compares.

local-cluster[2,1,1024]: two workers, each a process with one core and 1,024 MB. Speculation is on, but Spark runs no second copy of a
task on a host that runs one already, and all workers are on this host.
"""

import json
import os
import sys

import rowscape
import rowscape.spark
from conftest import DOCUMENT, records
from test_design import table
from test_summary import whole
from pyspark.sql import SparkSession

SCHEMA = "phone string, at long, n long"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.executor.memory": "512m",
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.executorEnv.PYTHONPATH": os.path.dirname(os.path.abspath(__file__)),
}


def main():
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("rowscape cluster")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = records(2_000)
    df = session.createDataFrame(table(rows).to_pandas(), SCHEMA).repartition(8)
    summary = rowscape.spark.summarize(df, rowscape.Design(DOCUMENT))
    print(json.dumps({"parts": len(summary.parts), "whole": whole(summary)}))
    sys.stdout.flush()
    session.stop()


if __name__ == "__main__":
    main()
