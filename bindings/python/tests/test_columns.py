"""Columns of frames: nested ones by their path, and what is said of those that cannot be read."""

import json
import re

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import rowscape
from conftest import ROOT
from test_design import keys_of


def design_of(*fields, rowkey):
    return {"rowscape": 1, "fields": list(fields), "rowkey": rowkey}


def nested():
    """Three records, of which the second has no user and the third no payload."""
    user = pa.struct({"id": pa.string(), "n": pa.int64()})
    rows = [{"user": {"id": "u1", "n": 7}, "at": 1}, {"user": None, "at": 2}, None]
    return pa.table({"payload": pa.array(rows, pa.struct({"user": user, "at": pa.int64()})), "x": ["a", "b", "c"]})


BY_NAME = design_of({"name": "payload.user.id", "type": "text"}, {"name": "x", "type": "text"}, rowkey="x + `payload.user.id`")
BY_FROM = design_of({"name": "id", "type": "text", "from": ["payload.user.id"]}, {"name": "x", "type": "text"}, rowkey="x + id")


@pytest.mark.parametrize("document", [BY_NAME, BY_FROM], ids=["name", "from"])
@pytest.mark.parametrize(
    "given",
    [lambda t: t, lambda t: polars.from_arrow(t), lambda t: pa.concat_tables([t.slice(0, 1), t.slice(1)]), lambda t: t.to_batches()[0].slice(0)],
    ids="table polars chunks batch".split(),
)
def test_a_path_reads_a_column_within_structs(document, given):
    assert keys_of(document, given(nested())) == [b"au1", None, None]
    assert rowscape.Design(document).columns == ["payload.user.id", "x"]


def test_paths_are_those_of_files(program, tmp_path):
    documents = {
        "text": BY_FROM,
        "number": design_of({"name": "n", "type": "integer", "from": ["payload.user.n"]}, rowkey="n.int64()"),
        "two": design_of({"name": "both", "type": "text", "from": ["payload.at", "payload.user.n"]}, rowkey="both"),
    }
    data = nested().slice(0, 1)
    pyarrow.parquet.write_table(data, tmp_path / "rows.parquet")
    for name, document in documents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
        told = program("encode", "--hex", str(tmp_path / f"{name}.json"), str(tmp_path / "rows.parquet"))
        assert [key.hex() for key in keys_of(document, data)] == told.splitlines()


def test_missing_structs_are_missing_values_of_every_type():
    within = pa.struct({"text": pa.string(), "word": pa.dictionary(pa.int32(), pa.string()), "n": pa.int16(), "raw": pa.binary(2)})
    fields = pa.table({"text": ["a", "b"], "word": pa.array(["v", "w"]).dictionary_encode(), "n": pa.array([1, 2], pa.int16()), "raw": pa.array([b"xy", b"zz"], pa.binary(2))})
    struct = pa.StructArray.from_arrays([fields[name].combine_chunks() for name in within.names], within.names, mask=pa.array([False, True]))
    data = pa.table({"s": struct})
    for name, kind, rowkey, key in [("text", "text", "v", b"a"), ("word", "text", "v", b"v"), ("n", "integer", "v.decimal(2)", b"01"), ("raw", "bytes", "v", b"xy")]:
        document = design_of({"name": "v", "type": kind, "from": [f"s.{name}"], **({"format": "hex"} if kind == "bytes" else {})}, rowkey=rowkey)
        assert keys_of(document, data) == [key, None], name
        # The last rows alone: their offset is that of the struct.
        assert keys_of(document, data.slice(1)) == [None]


def test_names_that_contain_points():
    plain = pa.table({"payload.user.id": ["flat"], "x": ["a"]})
    assert keys_of(BY_FROM, plain) == [b"aflat"]
    # Of several columns with one name the first counts, as in files.
    both = pa.table({"payload": [{"user.id": "within"}], "payload.user.id": ["flat"], "x": ["a"]})
    assert keys_of(BY_FROM, both) == [b"awithin"]
    assert keys_of(BY_FROM, both.select(["payload.user.id", "payload", "x"])) == [b"aflat"]


def refused(document, data):
    with pytest.raises(rowscape.RowscapeError) as error:
        rowscape.Design(document).encode(data)
    return error.value


def test_messages_are_about_columns_and_frames():
    error = refused(BY_FROM, pandas.DataFrame({"Payload.user.id": ["a"], "x": ["b"]}))
    assert (error.code, error.field) == ("records.field-not-held", "id")
    assert "the frame has no column “payload.user.id”; did you mean “Payload.user.id”? Its columns are Payload.user.id, x" in str(error)
    error = refused(BY_FROM, pa.table({"entirely": ["a"], "other": ["b"]}))
    assert "its columns are entirely, other" in str(error) and "mean" not in str(error)
    error = refused(BY_FROM, nested().rename_columns(["other", "x"]))
    assert "other.user.id" in str(error)
    error = refused(design_of({"name": "p", "type": "text", "from": ["payload"]}, rowkey="p"), nested())
    assert error.code == "records.field-of-another-type" and "the column “payload” has the type Struct" in str(error)
    wide = pa.table({f"c{number}": [1] for number in range(2_000)})
    assert len(str(refused(BY_FROM, wide))) < 1_000
    keys = rowscape.Design(BY_FROM).encode(nested())
    first, *_ = rowscape.Design.problems_of(keys)
    assert (first["message"], first["place"]["row"], first["place"]["field"]) == ("the value is null", 2, "id")
    for told in rowscape.Design(BY_FROM).analyze(nested()).report["refused"]["first"]:
        assert "correct the column" in told["message"] and "file" not in told["message"]


def test_columns_that_are_not_read_take_no_room():
    # A slice of a large table: its buffers are those of the whole.
    filler = pa.array(["x" * 1_000_000] * 64)
    data = pa.table({"x": ["a"] * 64, "filler": filler}).slice(3, 2)
    document = design_of({"name": "x", "type": "text"}, rowkey="x")
    assert keys_of(document, data) == [b"a", b"a"]


def test_sentences_about_frames_are_of_known_codes():
    catalogue = json.loads((ROOT / "data" / "messages" / "en.json").read_text(encoding="utf-8"))
    for code in json.loads((ROOT / "bindings" / "python" / "frames.json").read_text(encoding="utf-8")):
        assert re.sub("-(near|column)$", "", code) in catalogue
