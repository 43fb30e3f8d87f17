"""Keys, plans and answers about Arrow data."""

import gzip
import pickle
import re
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import rowscape
from conftest import as_csv, records


def table(rows):
    phone, at, n = zip(*rows)
    return pa.table({"phone": pa.array(phone), "at": pa.array(at, pa.int64()), "n": pa.array(n, pa.int64())})


def keys_of(document, data, table=None):
    return pa.array(rowscape.Design(document, table).encode(data)).to_pylist()


def test_keys_are_those_of_the_command_line(document, program, tmp_path):
    rows = [row for row in records(500) if row[0]]
    (tmp_path / "design.json").write_text(__import__("json").dumps(document))
    (tmp_path / "rows.csv").write_text(as_csv(rows))
    for name in ("phones", "times"):
        told = program("encode", "--table", name, "--hex", str(tmp_path / "design.json"), str(tmp_path / "rows.csv")) if name == "phones" else None
        keys = keys_of(document, table(rows), name)
        if told:
            assert [key.hex() for key in keys] == told.splitlines()
    # A number that does not fit has no key, and is counted.
    keys = rowscape.Design(document, "times").encode(table(rows))
    wide = sum(n > 9_999 for _, _, n in rows)
    assert keys.refused == wide > 0 and pa.array(keys).null_count == wide
    problem = rowscape.Design.problems_of(keys)[0]
    assert problem["place"]["row"] == next(i for i, row in enumerate(rows, 1) if row[2] > 9_999)


@pytest.mark.parametrize(
    "given",
    [
        lambda t: t,
        lambda t: t.to_batches()[0],
        lambda t: pa.RecordBatchReader.from_batches(t.schema, t.to_batches(max_chunksize=7)),
        lambda t: polars.from_arrow(t),
        lambda t: pandas.DataFrame({"phone": t["phone"].to_pylist(), "at": t["at"].to_pylist(), "n": t["n"].to_pylist()}),
        lambda t: duckdb.sql("select * from t"),
        lambda t: t.set_column(0, "phone", t["phone"].dictionary_encode()),
        lambda t: t.set_column(0, "phone", t["phone"].cast(pa.large_string())),
        lambda t: t.set_column(0, "phone", t["phone"].cast(pa.binary())),
        lambda t: t.set_column(0, "phone", t["phone"].cast(pa.int32())),
        lambda t: t.append_column("other", t["n"]).select(["other", "n", "at", "phone"]),
        lambda t: pa.concat_tables([t.slice(0, 3), t.slice(3)]),
    ],
    ids="table batch reader polars pandas duckdb dictionary large binary int32 reordered chunks".split(),
)
def test_any_arrow_data_gives_the_same_keys(document, given):
    t = table([row for row in records(60) if row[0]])
    assert keys_of(document, given(t)) == keys_of(document, t)


TIMES = {"name": "t", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+02:00"}


@pytest.mark.parametrize(
    ("field", "array", "texts"),
    [
        ({"name": "v", "type": "integer"}, pa.array([2**63 - 1, -(2**63), 2**53 + 1]), ["9223372036854775807", "-9223372036854775808", "9007199254740993"]),
        ({"name": "v", "type": "integer"}, pa.array([1, 200], pa.uint8()), ["1", "200"]),
        ({"name": "v", "type": "integer"}, pa.array([1.0, 5.0]), ["1", "5"]),
        ({"name": "v", "type": "decimal"}, pa.array([Decimal("-12345678901234567890123456789012345.678"), Decimal("0.010")], pa.decimal128(38, 3)), ["-12345678901234567890123456789012345.678", "0.010"]),
        ({"name": "v", "type": "decimal"}, pa.array([Decimal("1.50")], pa.decimal256(60, 2)), ["1.50"]),
        ({"name": "v", "type": "float"}, pa.array([0.1, -0.0, 1e300]), ["0.1", "-0.0", "1e300"]),
        ({"name": "v", "type": "float"}, pa.array([0.1, 2.5], pa.float32()), ["0.1", "2.5"]),
        ({"name": "v", "type": "boolean"}, pa.array([True, False]), ["true", "false"]),
        ({"name": "v", "type": "bytes", "format": "hex"}, pa.array([b"\x00\xff", b"a"]), ["00ff", "61"]),
        ({"name": "v", "type": "bytes", "format": "uuid"}, pa.array([bytes(range(16))], pa.binary(16)), ["00010203-0405-0607-0809-0a0b0c0d0e0f"]),
        ({"name": "v", "type": "bytes", "format": "hex"}, pa.array(["00ff"]), ["00ff"]),
        ({**TIMES, "name": "v"}, pa.array([1_714_651_200], pa.timestamp("s", "UTC")), ["2024-05-02 14:00:00"]),
        ({**TIMES, "name": "v"}, pa.array([1_714_651_200_000_000_999, -1], pa.timestamp("ns", "UTC")), ["2024-05-02 14:00:00", None]),
        ({**TIMES, "name": "v"}, pa.array([1_714_651_200_000], pa.timestamp("ms")), ["2024-05-02 12:00:00"]),
        ({**TIMES, "name": "v"}, pa.array([19_845], pa.date32()), ["2024-05-02 00:00:00"]),
        ({"name": "v", "type": "time", "format": "epoch-micros"}, pa.array([1_714_651_200_123_456]), ["1714651200123456"]),
        ({"name": "v", "type": "text"}, pa.array(["ü", "", "a,b"]), ["ü", "", "a,b"]),
        ({"name": "v", "type": "text"}, pa.array([Decimal("1.20")], pa.decimal128(5, 2)), ["1.20"]),
        ({"name": "v", "type": "text"}, pa.array([19_845], pa.date32()), ["2024-05-02"]),
    ],
)
def test_values_are_read_as_the_texts_of_the_same_records(field, array, texts):
    step = {
        "integer": "v.int64()", "decimal": "v", "float": "v.float64()", "boolean": "v", "bytes": "v", "time": "v.millis().decimal(14)", "text": "v.terminated()",
    }[field["type"]]
    if field["type"] in ("decimal", "boolean"):
        step = {"decimal": "v.bigDecimal()", "boolean": "v.boolean()"}[field["type"]]
    document = {"rowscape": 1, "fields": [field], "rowkey": f"'k' + {step}"}
    known = [i for i, text in enumerate(texts) if text is not None]
    typed = [keys_of(document, pa.table({"v": array}))[i] for i in known]
    assert None not in typed
    assert typed == keys_of(document, pa.table({"v": pa.array([texts[i] for i in known])}))


def test_times_before_1970_are_dropped_towards_the_past():
    document = {"rowscape": 1, "fields": [{"name": "v", "type": "time", "format": "epoch-millis"}], "rowkey": "v.millis().int64()"}
    for unit, value in (("ns", -1), ("us", -1), ("ms", -1)):
        assert keys_of(document, pa.table({"v": pa.array([value], pa.timestamp(unit, "UTC"))})) == [b"\xff" * 8]


def test_a_date_and_a_time_of_day_in_two_columns():
    field = {"name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm", "from": ["day", "hour"]}
    document = {"rowscape": 1, "fields": [field], "rowkey": "at.format('yyyyMMddHHmm')"}
    data = pa.table({"day": pa.array([19_845, None], pa.date32()), "hour": ["12:30", "12:31"]})
    assert keys_of(document, data) == [b"202405021230", None]


def test_refusals_are_exceptions_with_code_and_place(document):
    with pytest.raises(rowscape.RowscapeError) as wrong:
        rowscape.Design({**document, "tables": [{"name": "t", "rowkey": "phone.revers()"}]})
    assert (wrong.value.code, wrong.value.path, wrong.value.column) == ("formula.unknown-step-near", "tables[0].rowkey", 7)
    assert "reverse" in str(wrong.value) and isinstance(wrong.value, ValueError)
    assert pickle.loads(pickle.dumps(wrong.value)).path == "tables[0].rowkey"
    design = rowscape.Design(document)
    with pytest.raises(rowscape.RowscapeError) as missing:
        design.encode(pa.table({"phone": ["1"]}))
    assert (missing.value.code, missing.value.field) == ("records.field-not-held", "at")
    with pytest.raises(rowscape.RowscapeError) as other:
        design.encode(pa.table({"phone": [[1]], "at": [1], "n": [1]}))
    assert (other.value.code, other.value.field) == ("records.field-of-another-type", "phone")
    with pytest.raises(TypeError, match="Arrow data"):
        design.encode([{"phone": "1"}])
    with pytest.raises(TypeError, match="document"):
        rowscape.Design({1, 2})
    with pytest.raises(rowscape.RowscapeError):
        design.decode(b"no such key")
    with pytest.raises(rowscape.RowscapeError):
        design.plan({"where": {"nobody": "1"}})


def test_decode_plan_and_regions(document):
    design = rowscape.Design(document)
    assert design.decode("501_20240502")["record"]["phone"] == "105"
    assert design.decode(b"501_20240502") == design.decode("501_20240502")
    plan = design.plan({"where": {"phone": "105"}})
    assert (plan["kind"], plan["ranges"], plan["regions"]) == ("scan", [{"start": "501_", "stop": "501`"}], [1])
    data = table([("105", 1_714_651_200_000, 1), ("999", 1_714_651_200_000, 2)])
    assert design.plan({"where": {"phone": "105"}}, data)["rows"] == {"read": 1, "returned": 1}
    assert design.split_points == [b"3", b"6"]
    assert [design.region_of(key) for key in ("2", b"3", "\\x39")] == [0, 1, 2]
    assert rowscape.Design(document, "times").name == "times" and rowscape.Design(document, 1).name == "times"


def test_analysis_shows_itself(document):
    analysis = rowscape.Design(document).analyze(table(records(3_000)))
    assert sum(analysis.region_rows) == 3_000 - len(range(0, 3_000, 97))
    assert sum(analysis.report["heat"]) == sum(analysis.region_rows)
    shown = analysis._repr_html_()
    assert "<svg" in shown and analysis.verdict["title"] in shown and "<script" not in shown
    hostile = {**document, "tables": [{**document["tables"][0], "name": "phones"}], "name": "<script>alert(1)</script>"}
    assert "<script" not in rowscape.Design(hostile).analyze(table(records(10)))._repr_html_()


def test_suggest(document):
    study = {key: value for key, value in document.items() if key != "tables"}
    found = rowscape.suggest(study, table([row for row in records(400) if row[0]]))
    assert found["suggestions"] and rowscape.Design(found["suggestions"][0]["design"]).rowkey


def test_the_example_of_the_readme():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.S)
    exec(compile("\n".join(examples), "README.md", "exec"), {})


def test_a_first_design_is_guessed_from_a_file(tmp_path):
    lines = "phone,at\n" + "".join(f"13{n:09d},2024-03-01 10:00:{n % 60:02d}\n" for n in range(200))
    plain, packed = tmp_path / "calls.csv", tmp_path / "calls.csv.gz"
    plain.write_text(lines)
    packed.write_bytes(gzip.compress(lines.encode()))
    design = rowscape.guess(plain)
    assert design == rowscape.guess(packed) == rowscape.guess(str(plain))
    assert design["name"] == "calls" and [field["name"] for field in design["fields"]] == ["phone", "at"]
    of_bytes = rowscape.guess(lines.encode())
    assert "name" not in of_bytes and [of_bytes[member] for member in ("fields", "rowkey")] == [design["fields"], design["rowkey"]]
    assert "phone" in rowscape.Design(design).rowkey
    keys = "\n".join(f"u{n:04d}|2024030110{n % 60:02d}" for n in range(100)).encode()
    assert "'|'" in rowscape.guess(keys, keys=True)["rowkey"]
    with pytest.raises(rowscape.RowscapeError) as wrong:
        rowscape.guess(b"\x00\x01\x02" * 1000)
    assert wrong.value.code == "input.binary"


def test_keys_with_their_records_beside_them_give_the_formula(tmp_path):
    rows = [(f"dev-{n * 7919 % 90}", 1_700_000_000_000 + n * 1_234_567) for n in range(200)]
    records, keys = tmp_path / "rows.csv.gz", tmp_path / "keys.txt"
    records.write_bytes(gzip.compress(("device,at\n" + "".join(f"{device},{at}\n" for device, at in rows)).encode()))
    keys.write_text("\n".join(sorted(f"{device}_{at}" for device, at in rows)))
    design = rowscape.guess(keys, data=records)
    assert (design["rowkey"], design["name"]) == ("device + '_' + at.millis().decimal()", "keys")
    with pytest.raises(rowscape.RowscapeError) as wrong:
        rowscape.guess(keys, data=b"a,b\n1,2\n3,4\n")
    assert wrong.value.code == "guess.no-key-of-records"
