"""Bytes, growth, comparisons, migrations, tables in use and exports are member for member those of the command line."""

import json

import pyarrow as pa
import pyarrow.csv
import pytest

import rowscape
from conftest import ROOT, as_csv, records
from test_design import table
from test_parity import differences

GALLERY = ROOT / "data" / "gallery"
# Versions that are left, families of unlike size, cells that share rows, keys that come round, growth, kinds.
SLUGS = [
    "a10-versions-kept",
    "a8-families-of-unlike-size",
    "c1-bucket-of-phone-and-day",
    "c6-room-for-a-year",
    "d2-loop-key",
    "d3-regions-written-at-once",
    "e1-random-salt",
]


def listed(regions):
    """Output of ``list_regions`` of the table calls."""
    rows = [("SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY", "SIZE", "REQ", "LOCALITY")]
    for number, (server, start, end, size, requests) in enumerate(regions):
        name = f"calls,{start},158823074{number}." + "a" * 32 + "."
        rows.append((f"{server},16020,1", name, start, end, str(size), str(requests), "1.0"))
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, tuple("-" * width for width in widths))
    return "hbase> list_regions 'calls'\n" + "".join(" " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths)) + " |\n" for row in rows)


LISTED = listed([("a", "", "5", 1000, 90_000), ("b", "5", "", 1000, 1000)])


def given(slug):
    """A design of the gallery, its file and its records as the texts of their file."""
    document = json.loads((GALLERY / f"{slug}.json").read_text(encoding="utf-8"))
    path = GALLERY / f"{slug}.csv"
    names = path.read_text(encoding="utf-8").split("\n", 1)[0].strip().split(",")
    types = pyarrow.csv.ConvertOptions(column_types={name: pa.string() for name in names})
    return document, path, pyarrow.csv.read_csv(path, convert_options=types)


def same(name, found, told):
    wrong = differences("", json.loads(told), found)
    assert not wrong, f"{name}: " + "\n".join(wrong[:20])


@pytest.mark.parametrize("slug", SLUGS)
def test_size_and_growth_of_records(slug, program):
    document, path, data = given(slug)
    design, file = rowscape.Design(document), str(GALLERY / f"{slug}.json")
    same("size", design.size(data), program("size", "--json", file, str(path)))
    same("size of 5", design.size(data, rows=5), program("size", "--json", "--rows", "5", file, str(path)))
    if document.get("growth"):
        same("grow", design.grow(data), program("grow", "--json", file, str(path)))


def test_size_and_growth_of_a_design_alone_or_a_summary(document, program, tmp_path):
    grown = {**document, "growth": {"rowsPerDay": 1_000_000, "rowsNow": 5_000_000, "months": 3}}
    file, counts = str(tmp_path / "design.json"), str(tmp_path / "counts.rowscape")
    (tmp_path / "design.json").write_text(json.dumps(grown))
    design = rowscape.Design(grown)
    same("size", design.size(), program("size", "--json", file))
    same("grow", design.grow(), program("grow", "--json", file))
    for rows in (1_000, 9_000):
        summary = rowscape.Summary(design).add(table(records(rows)))
        summary.save(counts)
        same(f"size of a summary of {rows}", design.size(summary), program("size", "--json", file, counts))
        same(f"growth of a summary of {rows}", design.grow(summary), program("grow", "--json", file, counts))
    generated = {**grown, "generate": {"rows": 500, "seed": 7}}
    (tmp_path / "design.json").write_text(json.dumps(generated))
    same("generated", rowscape.Design(generated).size(), program("size", "--json", file))
    # Of the second table, and without growth.
    (tmp_path / "design.json").write_text(json.dumps(document))
    same("times", rowscape.Design(document, "times").size(), program("size", "--json", "--table", "times", file))
    with pytest.raises(rowscape.RowscapeError) as unknown:
        rowscape.Design(document).grow()
    assert unknown.value.code == "growth.unknown" and "add growth" in str(unknown.value)
    with pytest.raises(rowscape.RowscapeError) as beyond:
        rowscape.Design(document).size(rows=2**64 - 1)
    assert beyond.value.code == "storage.too-many-rows"
    with pytest.raises(OverflowError):
        rowscape.Design(document).size(rows=-1)
    other = {**document, "tables": document["tables"][:1]}
    with pytest.raises(rowscape.RowscapeError) as refused:
        rowscape.Design(other).size(rowscape.Summary(rowscape.Design(document)).add(table(records(10))))
    assert refused.value.code == "summary.other-design"


def test_comparisons(document, program, tmp_path):
    rows = [row for row in records(700) if row[0]]
    other = {**document, "tables": [{**document["tables"][0], "rowkey": "phone + '_' + at.format('yyyyMMdd')", "splits": {"points": ["5"]}}]}
    files = [str(tmp_path / name) for name in ("one.json", "two.json", "rows.csv")]
    (tmp_path / "one.json").write_text(json.dumps(document))
    (tmp_path / "two.json").write_text(json.dumps(other))
    (tmp_path / "rows.csv").write_text(as_csv(rows))
    designs = [rowscape.Design(document), rowscape.Design(other)]
    for splits in ("equal", "designed"):
        told = program("compare", "--json", "--splits", splits, *files[:2], "--data", files[2])
        same(splits, rowscape.compare(designs, table(rows), splits=splits), told)
    tables = [rowscape.Design(document, name) for name in ("phones", "times")]
    same("tables", rowscape.compare(tables, table(rows)), program("compare", "--json", files[0], "--data", files[2]))
    with pytest.raises(ValueError, match="splits"):
        rowscape.compare(designs, table(rows), splits="even")
    for wrong, code in ((lambda: rowscape.compare(designs[:1], table(rows)), "compare.too-few"), (lambda: rowscape.compare(designs), "suggest.no-rows")):
        with pytest.raises(rowscape.RowscapeError) as refused:
            wrong()
        assert refused.value.code == code
    stripped = rowscape.Summary(designs[0]).add(table(rows)).without_samples()
    with pytest.raises(rowscape.RowscapeError) as refused:
        rowscape.compare(designs, stripped)
    assert refused.value.code == "summary.no-samples"


def test_migrations(document, program, tmp_path):
    rows = [row for row in records(700) if row[0]]
    first = document["tables"][0]
    targets = {
        "other splits": {**first, "splits": {"points": ["2", "4", "6"]}},
        "other families": {**first, "families": [{"name": "d", "ttl": 86_400}]},
        "another key": {**first, "rowkey": "phone + '_' + at.format('yyyyMMdd')"},
        "the same": first,
    }
    (tmp_path / "from.json").write_text(json.dumps(document))
    (tmp_path / "rows.csv").write_text(as_csv(rows))
    for name, target in targets.items():
        to = {**document, "tables": [target]}
        (tmp_path / "to.json").write_text(json.dumps(to))
        files = [str(tmp_path / file) for file in ("from.json", "to.json", "rows.csv")]
        ends = rowscape.Design(document), rowscape.Design(to)
        same(name, rowscape.migrate(*ends), program("migrate", "--json", *files[:2]))
        same(f"{name}, with records", rowscape.migrate(*ends, table(rows)), program("migrate", "--json", *files))


def test_tables_in_use(document, program, tmp_path):
    (tmp_path / "listed.txt").write_text(LISTED)
    (tmp_path / "design.json").write_text(json.dumps(document))
    text, file = str(tmp_path / "listed.txt"), str(tmp_path / "design.json")
    design = rowscape.Design(document)
    same("table", rowscape.table(LISTED), program("table", "--json", text))
    same("with a design", rowscape.table(LISTED, design), program("table", "--json", text, file))
    for path in sorted((ROOT / "tests" / "data" / "existing").glob("*.txt"))[:20]:
        text = path.read_text(encoding="utf-8")
        try:
            found = rowscape.table(text)
        except rowscape.RowscapeError as error:
            assert error.problems
            continue
        same(path.name, found, program("table", "--json", str(path)))
    # Its split points are those of a design.
    points = rowscape.table(LISTED)["tables"][0]["points"]
    split = {**document, "tables": [{**document["tables"][0], "splits": {"points": points}}]}
    assert rowscape.Design(split).split_points == [b"5"]
    assert rowscape.table("a\nb\n", plain="keys")["forms"] == ["keys"]
    with pytest.raises(rowscape.RowscapeError) as nothing:
        rowscape.table("")
    assert nothing.value.code == "existing.nothing"
    with pytest.raises(rowscape.RowscapeError, match="^line 4: the line is not aligned"):
        rowscape.table(LISTED.replace(" ---", "---", 1).replace("a,16020", "     a,16020"))


def test_exports(document, program, tmp_path):
    data = table([row for row in records(300) if row[0]])
    (tmp_path / "design.json").write_text(json.dumps(document))
    file = str(tmp_path / "design.json")
    design = rowscape.Design(document, "phones")
    assert {"name": "shell", "language": "hbase shell"} in rowscape.emitters()
    for name in [emitter["name"] for emitter in rowscape.emitters()]:
        try:
            found = design.emit(name)
        except rowscape.RowscapeError as error:
            assert error.code.startswith("emit.") and "--from" not in str(error)
            continue
        assert found["file"] and found["text"] == program("emit", "--as", name, "--table", "phones", file)
    older = design.emit("shell", hbase="2.4")["text"]
    assert older == program("emit", "--as", "shell", "--table", "phones", "--hbase", "2.4", file)
    new = {**document, "tables": [{**document["tables"][0], "splits": {"points": ["3", "5", "6"]}}]}
    (tmp_path / "new.json").write_text(json.dumps(new))
    found = rowscape.Design(new).emit("alter-shell", origin=design)["text"]
    assert found == program("emit", "--as", "alter-shell", "--from", file, str(tmp_path / "new.json"))
    follow = {**document, "tables": [{**document["tables"][0], "splits": {"sample": 4}}]}
    with pytest.raises(rowscape.RowscapeError) as refused:
        rowscape.Design(follow).emit("shell")
    assert refused.value.code == "split.needs-records"
    fixed = rowscape.Design(follow).fix_splits(data)
    assert rowscape.Design(follow).emit("shell", data) == fixed.emit("shell")
    with pytest.raises(rowscape.RowscapeError) as refused:
        design.emit("cobol")
    assert refused.value.code == "emit.unknown"
