"""On a real Spark: summaries and keys equal those of one process, whatever becomes of its tasks."""

import datetime
import decimal
import json
import os
import random
import shutil
import subprocess
import sys

import pyarrow as pa
import pytest

import rowscape
from conftest import as_csv, records
from test_design import table
from test_summary import whole

pyspark = pytest.importorskip("pyspark")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("Spark needs Java 17: none is installed", allow_module_level=True)

import rowscape.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

ROWS = 4_000
SCHEMA = "phone string, at long, n long"


@pytest.fixture(scope="module")
def spark():
    # Workers run this interpreter.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Two threads; a task may fail three times.
    builder = SparkSession.builder.master("local[2,4]").appName("rowscape")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.memory": "1g",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "700",
        "spark.sql.session.timeZone": "UTC",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows():
    return records(ROWS)


@pytest.fixture(scope="module")
def files(rows, tmp_path_factory):
    """The rows as 16 files of CSV and of Parquet."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "csv").mkdir()
    (folder / "parquet").mkdir()
    import pyarrow.parquet

    for number in range(16):
        part = rows[number::16]
        (folder / "csv" / f"{number}.csv").write_text(as_csv(part))
        pyarrow.parquet.write_table(table(part), folder / "parquet" / f"{number}.parquet")
    return folder


def one_process(document, rows):
    return rowscape.Summary(rowscape.Design(document)).add(table(rows))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_summary_of_files_is_that_of_one_process(spark, document, rows, files, form):
    reader = spark.read.schema(SCHEMA)
    source = str(files / form)
    df = reader.csv(source, header=True) if form == "csv" else reader.parquet(source)
    df = df.repartition(16)
    summary = rowscape.spark.summarize(df, rowscape.Design(document))
    assert whole(summary) == whole(one_process(document, rows))
    assert 1 < len(summary.parts) <= 16 and summary.sampled == ROWS
    assert not rowscape.spark.summarize(df, rowscape.Design(document), samples=False).sampled


def test_many_summaries_are_merged_inside_spark(spark, document, rows, monkeypatch):
    monkeypatch.setattr(rowscape.spark, "COLLECTED", 3)
    df = spark.createDataFrame(table(rows).to_pandas(), SCHEMA).repartition(16)
    assert whole(rowscape.spark.summarize(df, rowscape.Design(document))) == whole(one_process(document, rows))


CONNECTED = """
import json, sys
from pyspark.sql import SparkSession
import rowscape, rowscape.spark
document, folder, answer = sys.argv[1:]
spark = SparkSession.builder.remote("local[2]").getOrCreate()
df = spark.read.schema("phone string, at long, n long").parquet(folder)
summary = rowscape.spark.summarize(df, rowscape.Design(document))
open(answer, "wb").write(summary.to_bytes())
keys = rowscape.spark.encode(df, rowscape.Design(document)).collect()
print(len(keys))
spark.stop()
"""


def test_spark_connect_has_the_same_summary(document, rows, files, tmp_path):
    pytest.importorskip("grpc")
    # A process of its own: one cannot have both kinds of sessions.
    answer = tmp_path / "summary"
    command = [sys.executable, "-c", CONNECTED, json.dumps(document), str(files / "parquet"), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == [str(ROWS)]
    assert whole(rowscape.Summary.from_bytes(answer.read_bytes())) == whole(one_process(document, rows))


def test_a_task_that_fails_once_is_counted_once(spark, document, rows, tmp_path):
    mark = str(tmp_path / "failed")

    def failing(batches):
        from pyspark import TaskContext

        for number, batch in enumerate(batches):
            # In the middle of the partition, after some of its rows were counted.
            if number == 1 and TaskContext.get().partitionId() == 1 and not os.path.exists(mark):
                open(mark, "w").close()
                raise RuntimeError("this task fails once")
            yield batch

    df = spark.createDataFrame(table(rows).to_pandas(), SCHEMA).repartition(2).mapInArrow(failing, SCHEMA)
    summary = rowscape.spark.summarize(df, rowscape.Design(document))
    assert os.path.exists(mark), "no task failed"
    assert whole(summary) == whole(one_process(document, rows))


def test_a_partition_that_is_counted_twice_is_noticed(spark, document, rows):
    df = spark.createDataFrame(table(rows).to_pandas(), SCHEMA).coalesce(1)
    design = rowscape.Design(document)
    first, again = rowscape.spark.summarize(df, design), rowscape.spark.summarize(df, design)
    assert first.parts == again.parts
    with pytest.raises(rowscape.RowscapeError) as twice:
        first.merge(again)
    assert twice.value.code == "summary.part-twice" and first.rows == ROWS


def test_split_points_are_fixed_by_a_first_pass(spark, document, rows):
    follow = {**document, "tables": [{**document["tables"][0], "splits": {"sample": 4}}]}
    df = spark.createDataFrame(table(rows).to_pandas(), SCHEMA).repartition(3)
    answer = rowscape.spark.summarize(df, rowscape.Design(follow)).analyze()
    assert answer.report["regionCount"] == 4 and max(answer.region_rows) < 1.1 * min(answer.region_rows)


def test_keys_become_a_column(spark, document, rows):
    df = spark.createDataFrame(table(rows).to_pandas(), SCHEMA).repartition(5)
    design = rowscape.Design(document, "times")
    made = rowscape.spark.encode(df, design).collect()
    known = dict(zip(rows, pa.array(design.encode(table(rows))).to_pylist()))
    assert len(made) == ROWS
    for row in made:
        assert (row.rowkey and bytes(row.rowkey)) == known[(row.phone, row.at, row.n)]
    with pytest.raises(ValueError, match="column n already"):
        rowscape.spark.encode(df, design, column="n")


def test_what_is_missing_is_said_before_a_task_runs(spark, document, rows):
    df = spark.createDataFrame(table(rows[:5]).to_pandas(), SCHEMA).drop("at")
    with pytest.raises(rowscape.RowscapeError, match="no column “at”") as missing:
        rowscape.spark.summarize(df, rowscape.Design(document))
    assert (missing.value.code, missing.value.field) == ("records.field-not-held", "at")


def test_columns_within_structs_are_read_by_their_path(spark):
    rows = [(f"x{number}", (number, (f"u{number % 7}", number)) if number % 5 else None) for number in range(50)]
    df = spark.createDataFrame(rows, "x string, payload struct<at: long, user: struct<id: string, n: long>>")
    field = {"name": "id", "type": "text", "from": ["payload.user.id"]}
    design = rowscape.Design({"rowscape": 1, "fields": [field, {"name": "x", "type": "text"}], "rowkey": "id + x", "splits": {"points": ["u3"]}})
    keys = [None if row["rowkey"] is None else bytes(row["rowkey"]).decode() for row in rowscape.spark.encode(df, design).collect()]
    assert keys == [None if payload is None else payload[1][0] + x for x, payload in rows]
    regions = [sum(key is not None and (key >= "u3") == after for key in keys) for after in (False, True)]
    assert rowscape.spark.summarize(df, design).analyze().region_rows == regions
    with pytest.raises(rowscape.RowscapeError, match="the frame has no column “payload.user.id”; its columns are x"):
        rowscape.spark.encode(df.select("x"), design)


def test_types_of_spark_give_the_keys_of_the_texts(spark):
    """Decimals, timestamps with and without a zone, dates, binary and booleans of a Spark table."""
    fields = [
        {"name": "d", "type": "decimal"}, {"name": "z", "type": "time", "format": "iso8601"},
        {"name": "l", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+02:00"},
        {"name": "day", "type": "time", "format": "yyyy-MM-dd"}, {"name": "b", "type": "bytes", "format": "hex"}, {"name": "f", "type": "boolean"},
    ]
    key = "z.millis().decimal(13) + l.millis().decimal(13) + day.format('yyyyMMdd') + b + f.boolean() + d.bigDecimal()"
    df = spark.sql(
        "select cast('-1234567890123456789.120' as decimal(38,3)) d, timestamp'2024-05-02 12:00:00.123456 UTC' z,"
        " timestamp_ntz'2024-05-02 12:00:00' l, date'2024-05-02' day, X'00ff' b, true f"
    )
    design = rowscape.Design({"rowscape": 1, "fields": fields, "rowkey": key})
    [row] = rowscape.spark.encode(df, design).collect()
    texts = {"d": "-1234567890123456789.120", "z": "2024-05-02T12:00:00.123Z", "l": "2024-05-02 12:00:00", "day": "2024-05-02", "b": "00ff", "f": "true"}
    assert bytes(row.rowkey) == pa.array(design.encode(pa.table({name: [text] for name, text in texts.items()})))[0].as_py()


KINDS = {
    "text": ("string", "text", ""),
    "small": ("smallint", "integer", ".int64()"),
    "number": ("bigint", "integer", ".int64()"),
    "price": ("decimal(9,2)", "decimal", ".bigDecimal()"),
    "amount": ("decimal(18,4)", "decimal", ".bigDecimal()"),
    "huge": ("decimal(38,10)", "decimal", ".bigDecimal()"),
    "ratio": ("double", "float", ".float64()"),
    "yes": ("boolean", "boolean", ".boolean()"),
    "day": ("date", "time", ".millis().int64()"),
    "at": ("timestamp", "time", ".millis().int64()"),
    "local": ("timestamp_ntz", "time", ".millis().int64()"),
    "raw": ("binary", "bytes", ""),
}


def of_every_kind(rows):
    """Rows with a value of each type of Spark, some of them missing, and the same as CSV."""
    chance = random.Random(3)
    start = datetime.datetime(1961, 3, 4, 5, 6, 7)
    typed, text = [], []
    for row in range(rows):
        digits = [chance.randrange(-(10**most), 10**most) for most in (9, 18, 38)]
        decimals = [decimal.Decimal(value).scaleb(-scale, decimal.Context(50)) for value, scale in zip(digits, (2, 4, 10))]
        moment = start + datetime.timedelta(milliseconds=chance.randrange(3 * 10**12))
        raw = bytes(chance.randrange(256) for _ in range(3))
        number = chance.randrange(-(2**63), 2**63)
        small, ratio, yes = chance.randrange(-(2**15), 2**15), chance.uniform(-1e9, 1e9), row % 3 == 0
        aware = moment.replace(tzinfo=datetime.timezone.utc)
        of = [f"t{row % 7}", small, number, *decimals, ratio, yes, moment.date(), aware, moment, raw]
        at = moment.isoformat(timespec="milliseconds")
        as_text = [of[0], small, number, *(f"{value:f}" for value in decimals), repr(ratio), str(yes).lower()]
        as_text += [moment.date().isoformat(), f"{at}Z", f"{at}Z", "".join(f"\\x{byte:02X}" for byte in raw)]
        if row % 11 == 0:
            of[row % len(of)] = None
            as_text[row % len(of)] = None
        typed.append(of)
        text.append(as_text)
    return typed, text


@pytest.mark.parametrize("codec", ["snappy", "gzip", "zstd", "lz4", "lz4_raw", "none"])
@pytest.mark.parametrize("times", ["INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"])
def test_files_that_spark_writes_give_the_keys_of_their_csv(spark, program, tmp_path, codec, times):
    typed, text = of_every_kind(400)
    names = list(KINDS)
    formats = {"day": "yyyy-MM-dd", "at": "iso8601", "local": "iso8601", "raw": "escaped"}
    fields = [
        {"name": name, "type": of, **({"format": formats[name]} if name in formats else {})}
        for name, (_, of, _) in KINDS.items()
    ]
    (tmp_path / "rows.csv").write_text(as_csv(text, names))
    (tmp_path / "design.json").write_text(
        json.dumps({"rowscape": 1, "fields": fields, "rowkey": " + '|' + ".join(name + KINDS[name][2] for name in names)})
    )
    spark.conf.set("spark.sql.parquet.outputTimestampType", times)
    schema = ", ".join(f"{name} {of}" for name, (of, _, _) in KINDS.items())
    df = spark.createDataFrame(typed, schema).coalesce(1)
    df.write.option("compression", codec).parquet(str(tmp_path / "written"))
    (part,) = (tmp_path / "written").glob("*.parquet")
    keys = [program("encode", "design.json", file, folder=tmp_path) for file in (str(part), "rows.csv")]
    assert keys[0] == keys[1]
    assert keys[0].count("\n") == len(typed) and len(set(keys[0].split("\n"))) > 300
