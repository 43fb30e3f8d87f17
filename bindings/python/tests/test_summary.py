"""Summaries: parts add up, and files are those of the command line."""

import json

import pyarrow as pa
import pytest

import rowscape
from conftest import ROOT, as_csv, records
from test_design import table


def whole(summary):
    """Everything that is exact."""
    answers = [summary.analyze(name) for name in ("phones", "times")]
    exact = ("rows", "regions", "heat", "skew", "untimed")
    # The first rejected values are those of the lowest positions.
    refused = [{name: answer.report["refused"][name] for name in ("count", "reasons")} for answer in answers]
    return [{name: answer.report[name] for name in exact} for answer in answers] + refused


def test_parts_add_up(document):
    design = rowscape.Design(document)
    rows = records(2_000)
    one = rowscape.Summary(design).add(table(rows))
    parts = [rowscape.Summary(design, part=str(i)).add(table(rows[cut : cut + 300])) for i, cut in enumerate(range(0, 2_000, 300))]
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    assert whole(merged) == whole(one)
    assert (merged.rows, merged.sampled, len(merged.parts)) == (2_000, 2_000, 7)
    again = rowscape.Summary(design, part="0").add(table(rows[:300]))
    before = merged.to_bytes()
    with pytest.raises(rowscape.RowscapeError) as twice:
        merged.merge(again)
    assert twice.value.code == "summary.part-twice" and merged.to_bytes() == before
    # The order of records is no matter, nor is how they are cut into batches.
    turned = table(rows[:300][::-1])
    batches = pa.RecordBatchReader.from_batches(turned.schema, turned.to_batches(max_chunksize=11))
    assert rowscape.Summary(design, part="0").add(batches).to_bytes() == again.to_bytes()
    more = rowscape.Summary(design).add(table(rows[:1_000]))
    assert more.rows == 1_000
    assert whole(more.add(table(rows[1_000:]))) == whole(one)


def test_other_designs_are_refused(document):
    other = {**document, "tables": [{**document["tables"][0], "splits": {"points": ["3", "7"]}}, document["tables"][1]]}
    with pytest.raises(rowscape.RowscapeError) as refused:
        rowscape.Summary(rowscape.Design(document)).merge(rowscape.Summary(rowscape.Design(other)))
    assert (refused.value.code, refused.value.path) == ("summary.other-design", "tables[0].splits.points[1]")


def test_split_points_are_fixed_first(document):
    follow = {**document, "tables": [{**document["tables"][0], "splits": {"sample": 4}}]}
    design = rowscape.Design(follow)
    assert design.splits_follow
    with pytest.raises(rowscape.RowscapeError) as refused:
        rowscape.Summary(design)
    assert refused.value.code == "summary.splits-follow"
    fixed = design.fix_splits(table(records(100)))
    assert len(fixed.split_points) == 3 and not fixed.splits_follow
    assert rowscape.Summary(fixed).add(table(records(500))).analyze().report["regionCount"] == 4


def test_files(document, tmp_path):
    path = tmp_path / "s.rowscape"
    summary = rowscape.Summary(rowscape.Design(document)).add(table(records(300)))
    summary.save(path)
    assert rowscape.Summary.open(path).to_bytes() == summary.to_bytes() == path.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.rowscape"]
    counts = summary.without_samples()
    assert counts.sampled is None and counts.rows == 300 and len(counts.to_bytes()) < len(summary.to_bytes())
    assert "<svg" in summary._repr_html_() and "300 rows in 1 part" in repr(summary)
    for bad, code in ((b"", "summary.not-one"), (path.read_bytes()[:99], "summary.cut-short"), (path.read_bytes()[:-1] + b"x", "summary.damaged")):
        with pytest.raises(rowscape.RowscapeError) as refused:
            rowscape.Summary.from_bytes(bad)
        assert refused.value.code == code
    golden = rowscape.Summary.open(ROOT / "tests" / "data" / "golden" / "parts-1.rowscape")
    assert golden.rows == 90 and sum(golden.analyze("plain").region_rows) == 90


def test_the_command_line_opens_what_python_writes(document, program, tmp_path):
    rows = [row for row in records(800) if row[0]]
    (tmp_path / "design.json").write_text(json.dumps(document))
    (tmp_path / "rows.csv").write_text(as_csv(rows))
    names = [str(tmp_path / name) for name in ("design.json", "rows.csv", "cli.rowscape", "python.rowscape")]
    program("summarize", names[0], names[1], "-o", names[2])
    summary = rowscape.Summary(rowscape.Design(document)).add(table(rows))
    summary.save(names[3])
    assert whole(rowscape.Summary.open(names[2])) == whole(summary)
    told = [json.loads(program("analyze", name, "--json")) for name in names[2:]]
    assert told[0]["report"]["regions"] == told[1]["report"]["regions"]
    # The same records: the same part, wherever it was counted.
    with pytest.raises(rowscape.RowscapeError) as twice:
        rowscape.Summary.open(names[2]).merge(summary)
    assert twice.value.code == "summary.part-twice"
