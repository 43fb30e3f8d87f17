"""Tables as HBase's own files show them."""

import datetime
import pathlib

import pytest

import rowscape

STORE = pathlib.Path(__file__).resolve().parents[3] / "tests" / "data" / "store"


def test_a_log_and_the_cells_of_an_hfile_are_counted():
    log = rowscape.observe(STORE / "wal-compressed.wal")
    assert {table["table"] for table in log["tables"]} == {"one", "many:two"}
    lines = (STORE / "wal-compressed.cells").read_text().splitlines()
    assert sum(table["cells"] for table in log["tables"]) == len(lines)
    table = log["tables"][0]
    assert table["source"] == "wal" and table["headline"]["message"]
    assert sum(map(sum, table["heat"]["counts"])) == table["cells"]
    cells = rowscape.observe(STORE / "plain-NONE.hfile", all=True)
    assert cells["tables"][0]["cells"] == len((STORE / "plain-NONE.cells").read_text().splitlines())
    index = rowscape.observe(str(STORE / "plain-NONE.hfile"))
    assert index["tables"][0]["source"] == "index" and index["unread"] > 0


def test_a_folder_is_read_and_times_narrow_it():
    found = rowscape.observe(STORE, table="one")
    assert [table["table"] for table in found["tables"] if table["table"]] == ["one"]
    assert dict(found["kinds"])["wal"] == 3
    later = rowscape.observe(STORE / "wal-plain.wal", since=datetime.datetime(2027, 1, 1))
    assert sum(table["cells"] for table in later["tables"]) == 0


def test_what_is_no_file_of_hbase_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("some text")
    with pytest.raises(rowscape.RowscapeError, match="no file of HBase was found with cells or counters"):
        rowscape.observe(tmp_path)
    damaged = tmp_path / "damaged.hfile"
    damaged.write_bytes((STORE / "plain-NONE.hfile").read_bytes()[:5000])
    with pytest.raises(rowscape.RowscapeError, match="HFile"):
        rowscape.observe(damaged, all=True)
    with pytest.raises(OSError):
        rowscape.observe(tmp_path / "missing")


def test_dumps_have_the_counters_that_hbase_printed():
    dumps = sorted((STORE.parent / "dumps").glob("rest-*"))
    table = rowscape.observe(*dumps, table="load:meter", metric="writes")["tables"][0]
    requests = table["requests"]
    assert requests["headline"]["message"] == "The region from “cph|” on took 52.3% of the writes"
    assert (requests["reads"], requests["writes"], requests["dumps"]) == (32_011, 20_532, 4)
    assert sum(map(sum, requests["heat"]["counts"])) == requests["writes"]
