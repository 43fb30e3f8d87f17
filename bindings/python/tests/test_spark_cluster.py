"""On executors of their own: the package and its answers go through processes that are no children of the driver."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rowscape
from conftest import DOCUMENT, records
from test_design import table
from test_summary import whole

pytest.importorskip("pyspark")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("Spark needs Java 17: none is installed", allow_module_level=True)

HERE = Path(__file__).parent
PATIENCE = 150


def test_executors_count_what_one_process_counts():
    env = {**os.environ, "PYTHONPATH": str(HERE), "PYSPARK_PYTHON": sys.executable}
    try:
        done = subprocess.run([sys.executable, str(HERE / "cluster.py")], env=env, cwd=HERE, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        pytest.skip(f"local-cluster did not start within {PATIENCE} s")
    if "SparkException" in done.stderr or "local-cluster" in done.stderr and not done.stdout:
        pytest.skip(f"local-cluster does not start from this pyspark: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.strip().splitlines()[-1])
    one = rowscape.Summary(rowscape.Design(DOCUMENT)).add(table(records(2_000)))
    assert told["whole"] == json.loads(json.dumps(whole(one)))
    assert 1 < told["parts"] <= 8
